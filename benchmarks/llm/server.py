"""A llama.cpp server of our own on loopback, in an environment of its own: nothing of it is installed into ours."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.llm.weights import CACHE

RUNTIME = "xllamacpp==2026.10.11549"
# The wheels for Linux on aarch64 and on x86_64.
HASHES = (
    "e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e",
    "c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261",
)


@contextmanager
def serving(model: Path, context: int, threads: int) -> Iterator[str]:
    """The base URL of a server with that model; it is gone at the end."""
    with (CACHE / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [_runtime(), Path(__file__).with_name("serve_gguf.py"), model, str(context), str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            if not address:
                raise SystemExit(f"the model server did not start; see {log.name}. Nothing was measured.")
            yield f"{address}/v1"
        finally:
            process.kill()
            process.communicate()


def _runtime() -> Path:
    home = CACHE / RUNTIME.replace("==", "-")
    python = home / "bin" / "python"
    if not (home / "ready").is_file():
        venv.create(home, clear=True, with_pip=False)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as pins:
            pins.write(" ".join((RUNTIME, *(f"--hash=sha256:{digest}" for digest in HASHES))))
            pins.flush()
            subprocess.run(
                [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--only-binary", ":all:",
                 "--require-hashes", "-r", pins.name],
                check=True,
            )  # fmt: skip
        (home / "ready").touch()
    return python
