"""``python -m incrowd`` is the command too."""

from incrowd.door import main

if __name__ == "__main__":
    main()
