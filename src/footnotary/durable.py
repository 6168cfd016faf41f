"""What must survive a loss of power."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Returns once what was written to a file, or the names made and changed in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
