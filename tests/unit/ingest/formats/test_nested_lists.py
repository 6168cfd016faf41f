"""Nested list items are indented below the item that they belong to, whatever the format of the file."""

import pytest

from footnotary.domain.evidence import Hit
from footnotary.generate.extractive.hit_splitting import candidate_sentences
from tests.support.documents import W, docx, paragraph
from tests.unit.ingest.reading import chunks

MARKDOWN = """# Site rules

- Cleaners
  - Wear gloves.
  - Sign the sheet
    on the door.
    - in ink
- Guards
  - Lock the gate.
 - Visitors carry a badge.

Each van has:

  * a torch
    * two lamps
  * a rope
"""
HTML = """<h1>Site rules</h1><ul><li>Cleaners<ul><li>Wear gloves.</li><li>Sign the sheet on the door.
<ul><li>in ink</ul></li></ul></li><li>Guards<ul><li><p>Lock the gate.</p></li></ul><li>Visitors carry a badge.</ul>
<p>Each van has:</p><ul><li>a torch<ul><li>two lamps</ul></li><li>a rope</ul>"""
BULLETS = (
    f'<w:numbering {W}><w:abstractNum w:abstractNumId="7">'
    + "".join(f'<w:lvl w:ilvl="{level}"><w:numFmt w:val="bullet"/></w:lvl>' for level in range(4))
    + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>'
).encode()
ITEMS = (
    ("Cleaners", 0), ("Wear gloves.", 1), ("Sign the sheet on the door.", 1), ("in ink", 2), ("Guards", 0),
    ("Lock the gate.", 1), ("Visitors carry a badge.", 0),
)  # fmt: skip
VAN = (("a torch", 1), ("two lamps", 2), ("a rope", 1))
STYLED = f'<w:styles {W}><w:style w:styleId="B"><w:name w:val="List Bullet"/></w:style><w:style w:styleId="B2"><w:name w:val="List Bullet 2"/></w:style></w:styles>'.encode()  # fmt: skip
DOCX = docx(
    paragraph("Site rules", "Heading1"),
    *(paragraph(text, number=level) for text, level in ITEMS),
    paragraph("Each van has:"),
    *(paragraph(text, number=level) for text, level in VAN),
    **{"word_numbering.xml": BULLETS},
)


@pytest.mark.parametrize(("content", "name"), [(MARKDOWN, "a.md"), (HTML, "a.html"), (DOCX, "a.docx")])
def test_nested_items_are_one_unit_with_the_item_above_them(content, name):
    (chunk,) = chunks(content, name)
    said = [unit.text.replace("\n    on", " on") for unit in candidate_sentences(Hit(chunk, 0.9))]
    assert [" ".join(text.split()).replace("- ", "• ").replace("* ", "• ") for text in said] == [
        "Cleaners • Wear gloves. • Sign the sheet on the door. • in ink",
        "Guards • Lock the gate.",
        "Visitors carry a badge.",
        "Each van has: • a torch • two lamps • a rope",
    ]
    assert all(text in chunk.text for text in said)


@pytest.mark.parametrize(("content", "name"), [(MARKDOWN, "a.md"), (HTML, "a.html"), (DOCX, "a.docx")])
def test_a_nested_item_is_indented_by_its_depth(content, name):
    (chunk,) = chunks(content, name)
    assert [line.index(mark) for line in chunk.text.split("\n") for mark in line[:5] if mark in "•-*"] == [
        0, 2, 2, 4, 0, 2, 0, 0, 2, 0,
    ]  # fmt: skip


def test_nested_bullets_of_a_plain_text_are_indented():
    text = (
        "Site rules\n\n  - Guards\n      - Lock the gate.\n      - Write the names.\n  - Cleaners\n\n    - in rooms\n"
    )
    (chunk,) = chunks(text, "a.txt")
    assert chunk.text.split("\n")[2:6] == ["- Guards", "  - Lock the gate.", "  - Write the names.", "- Cleaners"]


def test_a_list_style_of_word_has_a_depth():
    data = docx(paragraph("Guards", "B"), paragraph("Lock the gate.", "B2"), **{"word_styles.xml": STYLED})
    assert chunks(data, "a.docx")[0].text == "Guards\n  Lock the gate."
