"""Long tests of every promise, and mutation testing: `make verify-release`."""
