"""Writes EPUB books: a package of chapters in reading order."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape


def epub(
    chapters: Sequence[tuple[str, str]],
    title: str = "A book",
    *,
    language: str = "en",
    folder: str = "OEBPS",
    order: Sequence[int] | None = None,
    extra: Mapping[str, bytes] | None = None,
) -> bytes:
    """A book of chapters (file name, XHTML body); `order` is the reading order where it is not that of the list."""
    inside = f"{folder}/" if folder else ""
    items = "".join(
        f'<item id="c{at}" href="{name}" media-type="application/xhtml+xml"/>' for at, (name, _) in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{at}"/>' for at in (order or range(len(chapters))))
    package = (
        '<?xml version="1.0" encoding="UTF-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title><dc:language>{language}</dc:language></metadata>'
        '<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        f'{items}</manifest><spine><itemref idref="nav"/>{spine}</spine></package>'
    )
    members: dict[str, bytes] = {
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": (
            '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            f'<rootfile full-path="{inside}content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
        ).encode(),
        f"{inside}content.opf": package.encode(),
        f"{inside}nav.xhtml": page("Contents", "<ol><li>Contents for navigation</li></ol>").encode(),
        **{f"{inside}{name}": page(title, body).encode() for name, body in chapters},
        **(extra or {}),
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return held.getvalue()


def page(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head><title>{escape(title)}</title></head><body>{body}</body></html>"
    )
