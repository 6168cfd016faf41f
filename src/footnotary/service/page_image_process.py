"""Renders a page in a child process with resource limits: a malicious file can harm only the child."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from footnotary.domain.layout import Layout
from footnotary.errors import DocumentError, FootnotaryError
from footnotary.render.page_image import PageBox, render_page_image

_TIMEOUT_S = 30.0
_CPU_LIMIT_S = 20
_MEMORY_LIMIT_BYTES = 1 << 30
_MAX_PNG_BYTES = 64_000_000
_CACHE_SIZE = 16
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHILD_CODE = "from footnotary.service.page_image_process import main; main()"


def render_in_subprocess(data: bytes, media_type: str, layout: Layout, places: Sequence[PageBox]) -> bytes:
    """As `render_page_image`, in a child process. Raises `DocumentError` if the page cannot be rendered."""
    path = [entry or str(Path.cwd()) for entry in sys.path]
    command = (sys.executable, "-P", "-c", f"import sys; sys.path[:] = {path!r}; {_CHILD_CODE}")
    request = pickle.dumps((data, media_type, layout, tuple(places)), protocol=5)
    try:
        done = subprocess.run(
            command,
            input=request,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"},
        )
    except subprocess.TimeoutExpired as error:
        raise _render_error("rendering takes too long") from error
    if done.returncode or not done.stdout.startswith(_PNG_SIGNATURE) or len(done.stdout) > _MAX_PNG_BYTES:
        raise _render_error("the page cannot be rendered")
    return done.stdout


class PageImageCache:
    """A cache of the last rendered pages; threads may share it."""

    def __init__(self) -> None:
        self._images: OrderedDict[str, bytes] = OrderedDict()
        self._guard = Lock()

    def get(self, key: str) -> bytes | None:
        with self._guard:
            return self._images.get(key)

    def keep(self, key: str, image: bytes) -> None:
        with self._guard:
            self._images[key] = image
            self._images.move_to_end(key)
            while len(self._images) > _CACHE_SIZE:
                self._images.popitem(last=False)


def main() -> None:
    """The child process: reads the request from standard input, writes the PNG to standard output."""
    request = sys.stdin.buffer.read()
    _limit_resources()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything a library prints must not end up in the PNG
    try:
        out.write(render_page_image(*pickle.loads(request)))  # noqa: S301 (from our own parent process)
        out.flush()
    except (FootnotaryError, MemoryError):
        os._exit(3)


def _limit_resources() -> None:
    if sys.platform != "win32":
        import resource

        limits = (
            (resource.RLIMIT_AS, _MEMORY_LIMIT_BYTES),
            (resource.RLIMIT_CPU, _CPU_LIMIT_S),
            (resource.RLIMIT_FSIZE, _MAX_PNG_BYTES),
        )
        for kind, most in (*limits, (resource.RLIMIT_CORE, 0)):
            _, hard = resource.getrlimit(kind)
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _render_error(seen: str) -> DocumentError:
    return DocumentError(f"no page image: {seen}", reason="broken_file")
