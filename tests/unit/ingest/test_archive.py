"""Zip archives: what cannot be read in one stops nothing else."""

import io
import zipfile

import pytest

from footnotary.ingest.parse import zip_archive
from footnotary.ingest.parse.zip_archive import unpack_archive


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_broken_member_stops_no_other(packing):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", packing) as made:
        made.writestr("a.txt", "The fee is ten coins. " * 50)
        made.writestr("b.txt", "Boats pay.")
    data = bytearray(held.getvalue())
    place = data.find(b"a.txt") + 25
    data[place : place + 8] = bytes(byte ^ 0xFF for byte in data[place : place + 8])
    broken, fine = unpack_archive(bytes(data)).members
    assert (broken.name, broken.data, broken.reason) == ("a.txt", b"", "broken_file")
    assert (fine.name, fine.data, fine.reason) == ("b.txt", b"Boats pay.", None)


def test_a_member_that_is_too_large_or_no_document_stops_no_other(monkeypatch):
    monkeypatch.setattr(zip_archive, "MAX_MEMBER_BYTES", 100)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        for name in ("a.txt", "film.mp4"):
            made.writestr(name, "x" * 101)
        made.writestr("z.txt", "Boats pay.")
    assert [(member.name, member.data, member.reason) for member in unpack_archive(held.getvalue()).members] == [
        ("a.txt", b"", "too_large"),
        ("film.mp4", b"", None),
        ("z.txt", b"Boats pay.", None),
    ]
