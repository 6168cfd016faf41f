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
from footnotary.render.page_image import Place, page_image

_LIMIT_S = 30.0
_CPU_S = 20
_MEMORY = 1 << 30
_MAX_PNG = 64_000_000
_KEPT = 16
_PNG = b"\x89PNG\r\n\x1a\n"
_CHILD = "from footnotary.service.page_drawing import main; main()"


def drawn_apart(data: bytes, media_type: str, layout: Layout, places: Sequence[Place]) -> bytes:
    """As `page_image`, in a child process of its own. Raises `DocumentError` if the page cannot be rendered."""
    path = [entry or str(Path.cwd()) for entry in sys.path]
    command = (sys.executable, "-P", "-c", f"import sys; sys.path[:] = {path!r}; {_CHILD}")
    request = pickle.dumps((data, media_type, layout, tuple(places)), protocol=5)
    try:
        done = subprocess.run(
            command,
            input=request,
            capture_output=True,
            timeout=_LIMIT_S,
            check=False,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"},
        )
    except subprocess.TimeoutExpired as error:
        raise _undrawable("rendering takes too long") from error
    if done.returncode or not done.stdout.startswith(_PNG) or len(done.stdout) > _MAX_PNG:
        raise _undrawable("the page cannot be rendered")
    return done.stdout


class Drawn:
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
            while len(self._images) > _KEPT:
                self._images.popitem(last=False)


def main() -> None:
    """The child process: reads the request from standard input, writes the PNG to standard output."""
    request = sys.stdin.buffer.read()
    _confine()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything a library prints must not end up in the PNG
    try:
        out.write(page_image(*pickle.loads(request)))  # noqa: S301 (from our own parent process)
        out.flush()
    except (FootnotaryError, MemoryError):
        os._exit(3)


def _confine() -> None:
    if sys.platform != "win32":
        import resource

        limits = ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CPU, _CPU_S), (resource.RLIMIT_FSIZE, _MAX_PNG))
        for kind, most in (*limits, (resource.RLIMIT_CORE, 0)):
            _, hard = resource.getrlimit(kind)
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _undrawable(seen: str) -> DocumentError:
    return DocumentError(f"no page image: {seen}", reason="broken_file")
