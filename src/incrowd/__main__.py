"""``python -m incrowd`` is the command too."""

from incrowd.cli.entry_point import main

if __name__ == "__main__":
    main()
