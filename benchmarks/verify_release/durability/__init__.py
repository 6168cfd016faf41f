"""Promises about what survives crashes, full disks and lost power."""
