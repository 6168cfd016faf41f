"""The parts of a DOCX: found by the names the package gives them, which are mostly the usual ones."""

import posixpath
from zipfile import ZipFile

from footnotary.ingest.parse.docx.xml import attribute_value, decode_part, read_part
from footnotary.ingest.parse.html.scanner import tokenize_html

MAIN_PART = "word/document.xml"
# Parts whose text is read, in the order of their offsets; the other parts define its formatting.
TEXT_PARTS = (MAIN_PART, "word/footnotes.xml", "word/endnotes.xml")
# Word renders an embedded file in place of these, until it saves the document with the text merged in.
EMBEDDING_TAGS = frozenset({"altchunk", "subdoc"})
_RELATED_PARTS = (*TEXT_PARTS[1:], "word/styles.xml", "word/numbering.xml")


def find_parts(archive: ZipFile) -> dict[str, str]:
    """The name in this archive of each part, by its usual name.

    A part has its usual name if the package names none for it, or one that does not exist.
    """
    main = _related_parts(archive, "").get("officeDocument", MAIN_PART)
    related = _related_parts(archive, main)
    return {MAIN_PART: main} | {
        usual: related.get(posixpath.basename(usual)[: -len(".xml")], usual) for usual in _RELATED_PARTS
    }


def embedded_files_notice(embedded: int) -> tuple[str, ...]:
    """The notice about embedded files, whose text is not read."""
    files = "file" if embedded == 1 else "files"
    return (f"{embedded} embedded {files}; open it in Word and save it again to ingest their text",) * bool(embedded)


def _related_parts(archive: ZipFile, part: str) -> dict[str, str]:
    """The parts related to this one, or to the package, by relationship type; the first of each."""
    folder, name = posixpath.split(part)
    held = read_part(archive, where := posixpath.join(folder, "_rels", f"{name}.rels"))
    if held is None:
        return {}
    xml, _ = decode_part(held, where)
    names, related = set(archive.namelist()), dict[str, str]()
    for token in tokenize_html(xml):
        if token.kind == "open" and token.name.rpartition(":")[2] == "relationship":
            target = posixpath.normpath(posixpath.join("/", folder, attribute_value(xml, token, "Target")))[1:]
            if target in names and attribute_value(xml, token, "TargetMode") != "External":
                related.setdefault(posixpath.basename(attribute_value(xml, token, "Type")), target)
    return related
