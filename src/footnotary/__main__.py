"""`python -m footnotary` is the command `footnotary`."""

from footnotary.cli.main import main

if __name__ == "__main__":
    main()
