"""The parts of a DOCX: found by the names the package gives them, which are mostly the usual ones."""

import posixpath
from zipfile import ZipFile

from footnotary.ingest.docx_xml import attribute, decoded, part_of
from footnotary.ingest.html_scan import scan

MAIN = "word/document.xml"
# Parts whose text is read, in the order of their offsets; the other parts define its formatting.
PARTS = (MAIN, "word/footnotes.xml", "word/endnotes.xml")
# Word renders an embedded file in place of these, until it saves the document with the text merged in.
EMBEDDING = frozenset({"altchunk", "subdoc"})
_BESIDE = (*PARTS[1:], "word/styles.xml", "word/numbering.xml")


def parts_of(archive: ZipFile) -> dict[str, str]:
    """The name in this archive of each part, by its usual name.

    A part has its usual name if the package names none for it, or one that does not exist.
    """
    main = _related(archive, "").get("officeDocument", MAIN)
    related = _related(archive, main)
    return {MAIN: main} | {usual: related.get(posixpath.basename(usual)[: -len(".xml")], usual) for usual in _BESIDE}


def left_out(embedded: int) -> tuple[str, ...]:
    """The notice about embedded files, whose text is not read."""
    files = "file" if embedded == 1 else "files"
    return (f"{embedded} embedded {files}; open it in Word and save it again to ingest their text",) * bool(embedded)


def _related(archive: ZipFile, part: str) -> dict[str, str]:
    """The parts related to this one, or to the package, by relationship type; the first of each."""
    folder, name = posixpath.split(part)
    held = part_of(archive, where := posixpath.join(folder, "_rels", f"{name}.rels"))
    if held is None:
        return {}
    xml, _ = decoded(held, where)
    names, related = set(archive.namelist()), dict[str, str]()
    for token in scan(xml):
        if token.kind == "open" and token.name.rpartition(":")[2] == "relationship":
            target = posixpath.normpath(posixpath.join("/", folder, attribute(xml, token, "Target")))[1:]
            if target in names and attribute(xml, token, "TargetMode") != "External":
                related.setdefault(posixpath.basename(attribute(xml, token, "Type")), target)
    return related
