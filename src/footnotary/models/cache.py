"""The user's cache folder, and files whose hash is compared once and then only when they change."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, cast

from footnotary.durable import make_private_folder

_COMPARED: Final = "compared.json"


def cache_folder() -> Path:
    """Where derived files are kept: `FOOTNOTARY_CACHE`, or the user's cache folder of the platform."""
    if chosen := os.environ.get("FOOTNOTARY_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "footnotary" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "footnotary"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "footnotary"


def has_sha256(path: Path, sha256: str | None) -> bool:
    """Whether a file has this hash. Raises `OSError` where it cannot be read.

    The cache folder remembers what a file looked like when its hash was right. While its size, its place on disk and
    its times of change are the same, it is not read again; `footnotary doctor` reads every file.
    """
    known = [sha256, *_appearance(path)]
    if _compared().get(str(path.absolute())) == known:
        return True
    with path.open("rb") as content:
        if hashlib.file_digest(content, "sha256").hexdigest() != sha256:
            return False
    entry = {str(path.absolute()): known}
    with contextlib.suppress(OSError):  # without a cache folder, files are read every time
        write_file(cache_folder() / _COMPARED, [json.dumps(_compared() | entry).encode()])
    return True


def forget_compared() -> None:
    """Has every file read again when its hash is next asked for."""
    with contextlib.suppress(OSError):
        (cache_folder() / _COMPARED).unlink(missing_ok=True)


def write_file(path: Path, parts: Iterable[bytes]) -> str:
    """Writes a file of the cache folder, all or nothing; its hash. Raises `OSError`."""
    make_private_folder(path.parent)
    digest = hashlib.sha256()
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.stem, delete=False) as out:
        try:
            for part in parts:
                out.write(part)
                digest.update(part)
        except BaseException:
            Path(out.name).unlink()
            raise
    Path(out.name).replace(path)
    return digest.hexdigest()


def _appearance(path: Path) -> list[int]:
    seen = path.stat()
    return [seen.st_size, seen.st_ino, seen.st_mtime_ns, seen.st_ctime_ns]


def _compared() -> dict[str, Any]:
    try:
        content = json.loads((cache_folder() / _COMPARED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", content) if isinstance(content, dict) else {}
