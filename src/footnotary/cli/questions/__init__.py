"""The commands that ask, search, verify and show."""
