"""Every promise tried at length, and every seeded bug found: `make verify-release`."""
