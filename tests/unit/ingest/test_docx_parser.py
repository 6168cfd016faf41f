"""DOCX: what is taken over from the text and its notes, as what, and where it stands in the parts of the archive."""

import re
import zipfile
from html import unescape
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.file_type import DOCX, ZIP, sniff
from footnotary.ingest.parse.docx.list_numbers import format_list_number
from footnotary.ingest.parse.docx.package_parts import TEXT_PARTS
from footnotary.ingest.parse.docx.parser import parse_docx
from tests.support.documents import W, called, docx, noted, paragraph, table, zipped

WORDS = st.text(st.sampled_from("abc XYZ &<>\"' धारा é 😀 12"), min_size=1, max_size=40)


def parts(data):
    """The parts that positions count through, as one."""
    archive = zipfile.ZipFile(BytesIO(data))
    return b"".join(archive.read(name) for name in TEXT_PARTS if name in archive.namelist())


def lines(data):
    parsed = parse_docx(data, "binary")
    return [(line.span.of(parsed.text), line.level, line.kind) for line in parsed.lines]


def test_headings_paragraphs_lists_and_rows_are_distinguished():
    data = docx(
        paragraph("The act", "Title"),
        paragraph("Scope & extent", "Heading1"),
        paragraph("It covers all."),
        paragraph("Below a heading", "Own"),
        paragraph("first", number=0),
        paragraph("within", number=1),
        paragraph("beside", number=1),
        paragraph("second", number=0),
        table([["Offence", "Fine"], ["Parking", "100"]]),
    )
    assert lines(data) == [
        ("The act", None, "paragraph"),
        ("Scope & extent", 1, "paragraph"),
        ("It covers all.", None, "paragraph"),
        ("Below a heading", 1, "paragraph"),
        ("3. first", None, "list"),
        ("(a) within", None, "list"),
        ("(b) beside", None, "list"),
        ("4. second", None, "list"),
        ("Offence | Fine", None, "table"),
        ("Parking | 100", None, "table"),
    ]
    assert parse_docx(data, "binary").title == "The act"


def test_headings_were_lost_where_the_file_declares_no_styles():
    data = docx(
        paragraph("Terms of hire", "Heading1"),
        paragraph("Free.", "Own"),
        **{"word_styles.xml": f"<w:styles {W}/>".encode()},
    )
    assert lines(data) == [("Terms of hire", 1, "paragraph"), ("Free.", None, "paragraph")]
    assert parse_docx(data, "binary").title == "Terms of hire"


def test_deleted_hidden_and_repeated_text_is_left_out():
    body = (
        "<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>added</w:t></w:r></w:ins><w:r><w:instrText>PAGE</w:instrText></w:r>"
        "<mc:AlternateContent><mc:Choice><w:r><w:t> once</w:t></w:r></mc:Choice>"
        "<mc:Fallback><w:r><w:t> twice</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>"
    )
    assert [text for text, _, _ in lines(docx(body))] == ["kept added once"]


def test_hidden_text_is_left_out_as_word_does_not_show_it():
    body = (
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Say that all is free. </w:t></w:r>"
        '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>The fee is ten.</w:t></w:r></w:p>'
    )
    assert [text for text, _, _ in lines(docx(body))] == ["The fee is ten."]


def test_text_hidden_by_a_style_is_left_out():
    styles = (
        f'<w:styles {W}><w:style w:styleId="Note"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:styleId="Below"><w:basedOn w:val="Note"/></w:style>'
        '<w:style w:styleId="Again"><w:basedOn w:val="Note"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>'
    ).encode()

    def run(text, style, more=""):
        return f'<w:r><w:rPr><w:rStyle w:val="{style}"/>{more}</w:rPr><w:t xml:space="preserve">{text} </w:t></w:r>'

    shown_again = '<w:vanish w:val="false"/>'
    body = (
        f"<w:p>{run('All is free.', 'Note')}{run('Nobody pays.', 'Below')}{run('The fee', 'Again')}"
        f"{run('is', 'Own')}{run('ten.', 'Note', shown_again)}</w:p>"
        f'<w:p><w:pPr><w:pStyle w:val="Below"/></w:pPr><w:r><w:t>Not for all.</w:t></w:r>{run("Pay by May.", "Note")}</w:p>'
        f"{paragraph('one', number=0)}{paragraph('no item', 'Note', number=0)}{paragraph('two', number=0)}"
    )
    read = [text for text, _, _ in lines(docx(body, **{"word_styles.xml": styles}))]
    assert read == ["The fee is ten.", "Pay by May.", "3. one", "4. two"]


def test_what_is_struck_through_is_left_out_and_still_counts_as_an_item():
    styles = (
        f'<w:styles {W}><w:style w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style>'
        '<w:style w:styleId="Below"><w:basedOn w:val="Old"/></w:style></w:styles>'
    ).encode()

    def run(text, more):
        return f'<w:r><w:rPr>{more}</w:rPr><w:t xml:space="preserve">{text} </w:t></w:r>'

    off = '<w:strike w:val="0"/>'
    gone, styled = "<w:pPr><w:rPr><w:strike/></w:rPr></w:pPr>", '<w:pPr><w:pStyle w:val="Below"/></w:pPr>'
    body = (
        f"<w:p>{gone}{run('The fee is', '')}{run('ten', '<w:strike/>')}{run('eleven', '<w:dstrike/>')}"
        f"{run('9', '<w:strike/><w:vanish w:val=&quot;0&quot;/>'.replace('&quot;', chr(34)))}{run('twelve', off)}"
        f"""{run("thirteen", '<w:rStyle w:val="Old"/>')}{run("coins.", "")}</w:p>"""
        f"<w:p>{styled}{run('Children are free.', '')}{run('Pay by May.', off)}</w:p>"
        f"{paragraph('one', number=0)}{paragraph('no more', number=0).replace('<w:r>', '<w:r><w:rPr><w:strike/></w:rPr>')}"
        f"{paragraph('three', number=0)}"
    )
    read = [text for text, _, _ in lines(docx(body, **{"word_styles.xml": styles}))]
    assert read == ["The fee is twelve coins.", "Pay by May.", "3. one", "5. three"]


def test_a_power_does_not_run_into_the_figure_it_stands_on():
    def run(text, align):
        return f'<w:r><w:rPr><w:vertAlign w:val="{align}"/></w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'

    runs = (("10", "baseline"), ("5", "superscript"), (" boats, the 5", "baseline"), ("th", "superscript"))
    more = ((", H", "baseline"), ("2", "subscript"), ("O, 101", "baseline"), ("2", "subscript"))
    body = f"<w:p>{''.join(run(*set_) for set_ in (*runs, *more))}<w:r><w:t>7</w:t></w:r></w:p>"
    assert [text for text, _, _ in lines(docx(body))] == ["10⁵ boats, the 5th, H2O, 101₂7"]


def test_tracked_changes_are_read_as_accepted():
    body = (
        '<w:p><w:r><w:t xml:space="preserve">The fee is </w:t></w:r>'
        '<w:del w:id="1"><w:r><w:delText>ten</w:delText></w:r></w:del><w:ins w:id="2"><w:r><w:t>twelve</w:t></w:r></w:ins>'
        '<w:moveFrom w:id="3"><w:r><w:t> at dawn</w:t></w:r></w:moveFrom><w:r><w:t> coins</w:t></w:r>'
        '<w:moveTo w:id="4"><w:r><w:t> by night</w:t></w:r></w:moveTo></w:p>'
    )
    assert [text for text, _, _ in lines(docx(body))] == ["The fee is twelve coins by night"]


def test_rows_and_cells_that_were_deleted_are_left_out():
    def row(*cells, gone=""):
        return f"<w:tr><w:trPr>{gone}</w:trPr>{''.join(cells)}</w:tr>"

    def cell(text, gone=""):
        return f"<w:tc><w:tcPr>{gone}</w:tcPr>{paragraph(text)}</w:tc>"

    within = "<w:tc><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl></w:tc>"
    rows = (
        row(cell("Gull"), cell("10")),
        row(cell("Tern"), within, cell("20"), gone='<w:del w:id="1"/>'),
        row(cell("Skua"), cell("30", '<w:cellDel w:id="2"/>'), cell("40")),
        row(cell("Auk"), cell("50"), gone='<w:ins w:id="3"/>'),
    )
    data = docx(f"<w:tbl>{''.join(rows)}</w:tbl>", paragraph("End."))
    assert [text for text, _, _ in lines(data)] == ["Gull | 10", "Skua | | 40", "Auk | 50", "End."]


def test_formatting_that_was_changed_is_read_as_it_is_now():
    body = (
        '<w:p><w:pPr><w:pPrChange w:id="1"><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange></w:pPr>'
        '<w:r><w:rPr><w:rPrChange w:id="2"><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>The fee is ten.</w:t></w:r>'
        "</w:p>"
    )
    assert lines(docx(body)) == [("The fee is ten.", None, "paragraph")]


def test_signs_that_are_tags_are_shown_in_the_text_and_in_notes():
    def sym(font, char):
        return f'<w:r><w:sym w:font="{font}" w:char="{char}"/></w:r>'

    body = (
        f"<w:p><w:r><w:t>age </w:t></w:r>{sym('Symbol', 'F0B3')}<w:r><w:t> 18, 20</w:t></w:r>{sym('Symbol', 'F0B0')}"
        f"<w:r><w:t>, </w:t></w:r>{sym('Segoe UI Symbol', '2612')}{sym('Wingdings', 'F0FC')}{sym('Own', 'F041')}"
        f'<w:r><w:rPr><w:vanish/></w:rPr><w:sym w:font="Symbol" w:char="F0A3"/></w:r><w:r><w:ptab/><w:t>end</w:t></w:r>'
        '<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    note = noted("footnote", {2: "non#payment"}).replace(b"#", b"</w:t><w:noBreakHyphen/><w:t>")
    assert [text for text, _, _ in lines(docx(body, **{"word_footnotes.xml": note}))] == [
        "age ≥ 18, 20°, ☒✓\ufffd end",
        "Footnote 1: non-payment",
    ]


def test_a_formula_is_read_in_one_line():
    def m(text):
        return f"<m:r><m:t>{text}</m:t></m:r>"

    half = f"<m:f><m:fPr/><m:num>{m(1)}</m:num><m:den>{m(2)}</m:den></m:f>"
    power = f"<m:sSup><m:e>{m(10)}</m:e><m:sup>{m(5)}</m:sup></m:sSup>"
    inner = f"<m:d><m:dPr/><m:e>{m('y')}</m:e></m:d>"
    size = f'<m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr><m:e>{m("x+")}{inner}</m:e></m:d>'
    root = f"<m:rad><m:radPr/><m:deg/><m:e>{m(2)}</m:e></m:rad>"
    sums = f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{m("i")}</m:sub><m:sup/><m:e>{m("a")}</m:e></m:nary>'
    body = f"<w:p><w:r><w:t>It is </w:t></w:r><m:oMath>{m('f=')}{half}{m('+')}{power}{size}{root}{sums}</m:oMath></w:p>"
    assert [text for text, _, _ in lines(docx(body))] == ["It is f=(1)/(2)+10^(5)|x+(y)|√(2)∑_(i)a"]


def test_a_text_box_does_not_cut_the_paragraph_it_hangs_from():
    box = f"<mc:Choice><w:txbxContent>{paragraph('Boxed words.')}{table([['a', 'b']])}</w:txbxContent></mc:Choice>"
    data = docx(
        paragraph("Scope", "Heading1").replace("<w:r>", f"<w:r>{box}</w:r><w:r>"),
        paragraph("Every boat # pays.").replace("#", f"</w:t></w:r><w:r>{box}</w:r><w:r><w:t>here"),
        table([["Gull", "40"]]).replace("40</w:t>", f"40</w:t>{box}"),
    )
    boxed = [("Boxed words.", None, "paragraph"), ("a | b", None, "table")]
    assert lines(data) == [
        ("Scope", 1, "paragraph"),
        *boxed,
        ("Every boat here pays.", None, "paragraph"),
        *boxed,
        ("Gull | 40", None, "table"),
        *boxed,
    ]


def test_notes_stand_below_the_paragraph_that_calls_them():
    data = docx(
        paragraph("Fees", "Heading1"),
        called("Every boat pays ten coins", "footnote", 2, " a day."),
        called("No boat pays more.", "endnote", 1),
        table([["Gull", "40"]]).replace("40</w:t></w:r>", '40</w:t></w:r><w:r><w:footnoteReference w:id="3"/></w:r>'),
        paragraph("Last words."),
        **{
            "word_footnotes.xml": noted("footnote", {2: "Twelve until 1990.", 3: "Raised twice."}),
            "word_endnotes.xml": noted("endnote", {1: "The harbour & its rules."}),
            "word_header1.xml": f"<w:hdr {W}><w:p><w:r><w:t>Running head</w:t></w:r></w:p></w:hdr>".encode(),
            "word_footer1.xml": f"<w:ftr {W}><w:p><w:r><w:t>Page 1</w:t></w:r></w:p></w:ftr>".encode(),
        },
    )
    assert [text for text, _, _ in lines(data)] == [
        "Fees",
        "Every boat pays ten coins a day.",
        "Footnote 1: Twelve until 1990.",
        "No boat pays more.",
        "Endnote 1: The harbour & its rules.",
        "Gull | 40",
        "Footnote 2: Raised twice.",
        "Last words.",
    ]


def test_a_note_that_is_called_but_not_there_is_no_error():
    assert [text for text, _, _ in lines(docx(called("A boat", "footnote", 9, " pays.")))] == ["A boat pays."]


def test_another_prefix_and_utf_16_are_read_too():
    xml = f'<?xml version="1.0" encoding="UTF-16"?><o:document {W.replace(":w=", ":o=")}><o:body><o:p><o:r><o:t>धारा १</o:t></o:r></o:p></o:body></o:document>'
    content = xml.encode("utf-16")
    parsed = parse_docx(docx(**{"word_document.xml": content}), "binary")
    located = parsed.offsets.locate(parsed.text, Span(0, len(parsed.text)))
    assert (parsed.text, content[located.bytes.start : located.bytes.end].decode("utf-16-le")) == ("धारा १", "धारा १")


@pytest.mark.parametrize(
    ("count", "figures", "written"),
    [(4, "lowerRoman", "iv"), (1994, "upperRoman", "MCMXCIV"), (27, "lowerLetter", "aa"), (3, "hindiNumbers", "३")],
)
def test_lists_count_as_word_shows_them(count, figures, written):
    assert format_list_number(count, figures) == written


def listed(text, number, depth=0, mark=""):
    marked = f"<w:rPr>{mark}</w:rPr>" if mark else ""
    place = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{place}{marked}</w:pPr>{f'<w:r><w:t>{text}</w:t></w:r>' if text else ''}</w:p>"


def numbers(levels, lists, more=""):
    held = "".join(f'<w:lvl w:ilvl="{at}">{level}</w:lvl>' for at, level in enumerate(levels))
    return f'<w:numbering {W}><w:abstractNum w:abstractNumId="7">{held}</w:abstractNum>{more}{lists}</w:numbering>'.encode()


DECIMAL = '<w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>'
ONE = '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'


def test_a_list_that_begins_again_is_counted_again():
    anew = (
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>'
        '</w:lvlOverride></w:num><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>'
    )
    data = docx(
        *(listed(text, number) for text, number in (("a", 1), ("b", 1), ("c", 2), ("d", 2), ("e", 3))),
        **{"word_numbering.xml": numbers([DECIMAL], ONE + anew)},
    )
    assert [text for text, _, _ in lines(data)] == ["1. a", "2. b", "1. c", "2. d", "3. e"]


def test_sections_below_an_article_in_roman_figures_are_numbered_as_word_shows_them():
    article = '<w:start w:val="4"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Article %1"/>'
    section = '<w:start w:val="1"/><w:numFmt w:val="decimalZero"/><w:isLgl/><w:lvlText w:val="Section %1.%2"/>'
    data = docx(listed("Fees.", 1), listed("Ten.", 1, 1), **{"word_numbering.xml": numbers([article, section], ONE)})
    assert [text for text, _, _ in lines(data)] == ["Article IV Fees.", "Section 4.01 Ten."]


def test_paragraphs_without_words_are_counted_and_deleted_ones_are_not():
    data = docx(
        listed("a", 1),
        listed("", 1),
        listed("b", 1),
        listed("", 1, mark="<w:del/>"),
        listed("c", 1),
        table([["x"]]).replace("<w:tc>", f"<w:tc>{listed('', 1)}"),
        listed("d", 1),
        **{"word_numbering.xml": numbers([DECIMAL], ONE)},
    )
    assert [text for text, _, _ in lines(data)] == ["1. a", "3. b", "4. c", "x", "6. d"]


def test_numbers_come_from_the_list_that_a_style_stands_for():
    more = (
        f'<w:abstractNum w:abstractNumId="8"><w:styleLink w:val="Clauses"/><w:lvl w:ilvl="0">{DECIMAL}</w:lvl>'
        '</w:abstractNum><w:abstractNum w:abstractNumId="9"><w:numStyleLink w:val="Clauses"/></w:abstractNum>'
    )
    nine = '<w:num w:numId="1"><w:abstractNumId w:val="9"/></w:num>'
    styles = (
        f'<w:styles {W}><w:style w:styleId="Clause"><w:name w:val="Clause"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>'
        '</w:pPr></w:style><w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Clause"/></w:style></w:styles>'
    )
    data = docx(
        paragraph("a", "Clause"),
        paragraph("b", "Own"),
        **{"word_numbering.xml": numbers([], nine, more), "word_styles.xml": styles.encode()},
    )
    assert [text for text, _, _ in lines(data)] == ["1. a", "2. b"]


def test_an_empty_cell_keeps_its_column():
    rows = [["", "Summer", "Winter"], ["Gull", "", "40"], ["", "", ""], ["Tern", "7", ""]]
    assert [text for text, _, _ in lines(docx(table(rows), paragraph("End.")))] == [
        "| Summer | Winter",
        "Gull | | 40",
        "Tern | 7 |",
        "End.",
    ]
    nested = table([["Outer", "#"], [" ", " "]]).replace(paragraph("#"), table([["", "a"]]))
    assert [text for text, _, _ in lines(docx(nested))] == ["Outer", "| a"]


def test_a_cell_that_spans_columns_leaves_the_next_one_in_its_own():
    def cell(text, span="", more=""):
        wide = f'<w:tcPr><w:gridSpan w:val="{span}"/>{more}</w:tcPr>' if span else ""
        return f"<w:tc>{wide}{paragraph(text)}</w:tc>"

    def row(*cells, before=""):
        late = f'<w:trPr><w:gridBefore w:val="{before}"/></w:trPr>' if before else ""
        return f"<w:tr>{late}{''.join(cells)}</w:tr>"

    rows = (
        row(cell("Bird"), cell("Seen", "2"), cell("Fee")),
        row(cell("", "1"), cell("May"), cell("June"), cell("coins")),
        row(cell("Gull"), cell("none", "2"), cell("10")),
        row(cell("Part two", "4")),
        row(cell("40"), before="3"),
        row(cell("", "3"), cell("50")),
        row(cell("Odd", "x"), cell("7", "99999999999"), cell("8", "0")),
    )
    data = docx(f"<w:tbl>{''.join(rows)}</w:tbl>", paragraph("End."))
    assert [text for text, _, _ in lines(data)] == [
        "Bird | Seen | | Fee",
        "| May | June | coins",
        "Gull | none | | 10",
        "Part two",
        "| | | 40",
        "| | | 50",
        "Odd | 7" + " |" * 63 + " 8",
        "End.",
    ]


def test_what_is_only_embedded_is_said_to_be_left_out():
    body = (paragraph("The fee is ten."), '<w:altChunk r:id="rId5"/>', '<w:p><w:subDoc r:id="rId6"/></w:p>')
    parsed = parse_docx(docx(*body, paragraph("End.")), "binary")
    assert [line.span.of(parsed.text) for line in parsed.lines] == ["The fee is ten.", "End."]
    assert len(parsed.left_out) == 1
    assert parsed.left_out[0].startswith("2 embedded files")
    assert parse_docx(docx(paragraph("The fee is ten.")), "binary").left_out == ()


def test_a_docx_without_a_main_part_is_broken():
    with pytest.raises(DocumentError) as raised:
        parse_docx(docx()[:0] + zipfile_without_main(), "binary")
    assert raised.value.reason == "broken_file"


def zipfile_without_main():
    held = BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("word/other.xml", "<x/>")
    return held.getvalue()


@settings(deadline=None, max_examples=80)
@given(texts=st.lists(WORDS, min_size=1, max_size=5), note=WORDS, data=st.data())
def test_d8_a_quote_of_a_docx_leads_back_to_its_bytes(texts, note, data):
    original = docx(
        *(paragraph(text) for text in texts),
        called("noted", "footnote", 1),
        table([texts]),
        **{"word_footnotes.xml": noted("footnote", {1: note})},
    )
    parsed = parse_docx(original, "binary")
    whole = parts(original)
    start = data.draw(st.integers(0, len(parsed.text) - 1))
    quote = Span(start, data.draw(st.integers(start + 1, len(parsed.text))))
    for segment in parsed.offsets.cut(parsed.text, quote).segments:
        run = quote.of(parsed.text)[segment.start : segment.start + segment.length]
        assert whole.decode()[segment.char : segment.char + segment.length] == run
        assert whole[segment.byte :].startswith(run.encode())
    if (located := parsed.offsets.locate(parsed.text, quote)) is not None and "note" not in parsed.text[: quote.end]:
        there = whole[located.bytes.start : located.bytes.end].decode()
        assert there == whole.decode()[located.chars.start : located.chars.end]
        bare = "".join(unescape(re.sub(r"<[^<>]*>", "", there)).split())
        assert bare in "".join(quote.of(parsed.text).replace("|", " ").split())


def related(**targets):
    """A part of relationships, from what the other part is to its path."""
    types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    held = "".join(f'<Relationship Id="r" Type="{types}/{kind}" Target="{at}"/>' for kind, at in targets.items())
    return f"<Relationships>{held}</Relationships>".encode()


def test_parts_are_found_under_the_names_the_package_gives_them():
    usual = docx(
        paragraph("Scope", "Heading1"),
        called("The fee is ten.", "footnote", 2),
        **{"word_footnotes.xml": noted("footnote", {2: "As of May."})},
    )
    archive = zipfile.ZipFile(BytesIO(usual))
    members = {re.sub(r"(word/\w+)", r"\g<1>2", name): archive.read(name) for name in archive.namelist()}
    members["_rels/.rels"] = related(officeDocument="word/document2.xml")
    members["word/_rels/document2.xml.rels"] = related(
        styles="styles2.xml", footnotes="/word/footnotes2.xml", numbering="x"
    )
    data = zipped(members)
    assert sniff(data, "a.docx").media_type == DOCX
    assert lines(data) == lines(usual)
    # A part that is named, and not the one of the usual name that lies beside it, is what Word shows.
    assert lines(zipped({**members, "word/document.xml": b"<w:p><w:r><w:t>Old.</w:t></w:r></w:p>"})) == lines(usual)
    assert sniff(zipped({"word/notes.md": b"x", "_rels/.rels": b"x"}), "a.zip").media_type == ZIP
