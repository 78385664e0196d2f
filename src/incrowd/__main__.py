"""``python -m incrowd`` is the command too."""

from incrowd.cli.door import main

if __name__ == "__main__":
    main()
