"""A conversation as a Word file (OOXML) with real footnotes, which Word numbers and places at the foot of the page."""

import io
import re
import zipfile
from xml.sax.saxutils import escape

from footnotary.render.export.conversation import ExportedConversation, ExportedNote, ExportedTurn, source_text

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORDML = "application/vnd.openxmlformats-officedocument.wordprocessingml"
# Not allowed in XML 1.0, whatever a document contains.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the same conversation gives the same file
# The first two are the lines between text and footnotes, which every file with footnotes has.
_RESERVED_NOTES = 2


def word(conversation: ExportedConversation) -> bytes:
    """The file's bytes."""
    files = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relationships([("officeDocument", "word/document.xml")]),
        "word/_rels/document.xml.rels": _relationships(
            [("styles", "styles.xml"), ("footnotes", "footnotes.xml"), ("settings", "settings.xml")]
        ),
        "word/document.xml": _document(conversation),
        "word/footnotes.xml": _footnotes(conversation.notes),
        "word/styles.xml": _styles(),
        "word/settings.xml": f'{_HEAD}<w:settings {_W}><w:footnotePr><w:footnote w:id="0"/><w:footnote w:id="1"/>'
        "</w:footnotePr></w:settings>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _document(conversation: ExportedConversation) -> str:
    parts = [
        _paragraph("Title", _run(conversation.title)),
        _paragraph("Small", _run(conversation.promise)),
    ]
    for turn in conversation.turns:
        parts += _turn(turn)
    page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" '
    page += 'w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>'
    return f"{_HEAD}<w:document {_W}><w:body>{''.join(parts)}{page}</w:body></w:document>"


def _turn(turn: ExportedTurn) -> list[str]:
    parts = [_paragraph("Heading1", _run(turn.question))]
    if turn.asked_as:
        parts.append(_paragraph("Small", _run(f"Asked as: {turn.asked_as}")))
    if turn.sentences:
        runs = [
            _run(sentence.text) + "".join(_reference(note) for note in sentence.notes) + _run(" ")
            for sentence in turn.sentences
        ]
        parts.append(_paragraph("Normal", "".join(runs)))
    parts += [_paragraph("Refusal", _run(text)) for text in (turn.refusal, turn.remark) if text]
    for first, second in turn.conflicts:
        parts.append(_paragraph("Refusal", _run(f"The sources disagree: “{first}” and “{second}”")))
    return [*parts, _paragraph("Small", _run(turn.record))]


def _footnotes(notes: tuple[ExportedNote, ...]) -> str:
    lines = (("separator", 0), ("continuationSeparator", 1))
    parts = [f'<w:footnote w:type="{n}" w:id="{i}"><w:p><w:r><w:{n}/></w:r></w:p></w:footnote>' for n, i in lines]
    mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
    for note in notes:
        said = _run(f" “{note.quote}” {source_text(note)}")
        parts.append(f'<w:footnote w:id="{_id(note)}">{_paragraph("FootnoteText", mark + said)}</w:footnote>')
    return f"{_HEAD}<w:footnotes {_W}>{''.join(parts)}</w:footnotes>"


def _reference(note: ExportedNote) -> str:
    style = '<w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>'
    return f'<w:r>{style}<w:footnoteReference w:id="{_id(note)}"/></w:r>'


def _id(note: ExportedNote) -> int:
    return note.number - 1 + _RESERVED_NOTES


def _paragraph(style: str, runs: str) -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{runs}</w:p>'


def _run(text: str) -> str:
    lines = _FORBIDDEN.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    written = (f'<w:t xml:space="preserve">{escape(line)}</w:t>' for line in lines)
    return f"<w:r>{'<w:br/>'.join(written)}</w:r>"


def _styles() -> str:
    def paragraph(name: str, title: str, properties: str = "", text: str = "") -> str:
        default = ' w:default="1"' if name == "Normal" else ""
        based = "" if name == "Normal" else '<w:basedOn w:val="Normal"/>'
        return (
            f'<w:style w:type="paragraph"{default} w:styleId="{name}"><w:name w:val="{title}"/>{based}'
            f"<w:pPr>{properties}</w:pPr><w:rPr>{text}</w:rPr></w:style>"
        )

    grey = '<w:color w:val="5F6864"/>'
    border = '<w:pBdr><w:left w:val="single" w:sz="18" w:space="8" w:color="A87523"/></w:pBdr>'
    styles = (
        paragraph("Normal", "Normal", '<w:spacing w:after="160" w:line="276" w:lineRule="auto"/>', _size(22)),
        paragraph("Title", "Title", '<w:spacing w:after="80"/>', f"<w:b/>{_size(36)}"),
        paragraph(
            "Heading1",
            "heading 1",
            '<w:keepNext/><w:spacing w:before="360" w:after="120"/><w:outlineLvl w:val="0"/>',
            f"<w:b/>{_size(26)}",
        ),
        paragraph("Small", "Small", "", grey + _size(17)),
        paragraph("Refusal", "Refusal", border),
        paragraph("FootnoteText", "footnote text", '<w:spacing w:after="40"/>', _size(18)),
        '<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/>'
        '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>',
    )
    return f"{_HEAD}<w:styles {_W}>{''.join(styles)}</w:styles>"


def _size(half_points: int) -> str:
    return f'<w:sz w:val="{half_points}"/><w:szCs w:val="{half_points}"/>'


def _content_types() -> str:
    parts = {"document": "document.main", "footnotes": "footnotes", "styles": "styles", "settings": "settings"}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_WORDML}.{kind}+xml"/>' for name, kind in parts.items()
    )
    return (
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )


def _relationships(targets: list[tuple[str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'
