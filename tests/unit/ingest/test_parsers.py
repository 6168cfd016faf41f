"""Text, Markdown, HTML and JSONL come out as clean lines that lead back."""

import json

import pytest

from footnotary.errors import DocumentError
from footnotary.ingest.file_type import DetectedFormat
from footnotary.ingest.parse.html.parser import parse_html
from footnotary.ingest.parse.jsonl import parse_jsonl
from footnotary.ingest.parse.markdown import parse_markdown
from footnotary.ingest.parse.text import parse_text
from footnotary.ingest.parser_selection import parse


def lines(parsed):
    return [line.span.of(parsed.text) for line in parsed.lines]


def test_cleaning_drops_what_cannot_be_seen_and_keeps_every_other_character():
    parsed = parse_text("A\u200b  10²\tsoft\u00adly \r\nक्\u200dष e\u0301\r\n\r\n\r\n\r\nend".encode(), "utf-8")
    assert parsed.text == "A 10² softly\nक्\u200dष e\u0301\n\nend"


def test_offsets_count_bytes_of_the_encoding_and_a_mark_as_a_character():
    data = "é धारा".encode("utf-16")
    parsed = parse_text(data, "utf-16-le")
    (segment,) = parsed.offsets.segments
    assert (segment.char, segment.byte) == (1, 2)
    assert data[segment.byte :].decode("utf-16-le") == "é धारा"


def test_markdown_loses_its_markup_and_no_word():
    text = (
        "---\ntitle: Notes\n---\n# One **bold** #\n\nA *b* `c_d` [link](http://x) ![img](y) a_1 - a_2, 2 * 3 * 4 \\* <br>\n"
        "> quoted\n\n```python\ncode  here\n```\nTwo\n===\n- item\n1. first\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    parsed = parse_markdown(text.encode(), "utf-8")
    assert lines(parsed) == [
        "One bold",
        "A b c_d link a_1 - a_2, 2 * 3 * 4 *",
        "quoted",
        "code here",
        "Two",
        "- item",
        "1. first",
        "| a | b |",
        "| 1 | 2 |",
    ]
    assert [line.level for line in parsed.lines][:5] == [1, None, None, None, 1]
    assert parsed.title == "Notes"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Write to <help@port.example> or see <https://port.example/a?b=1>.", "Write to help@port.example or see https://port.example/a?b=1."),
        ("| Fee | 10<br>20<br/>30 |", "| Fee | 10 20 30 |"),
        ("<tr><td>10</td><td>20</td></tr>", "10 20"),
        ("a<b>b</b>c <span class='x'>d</span>e", "abc de"),
        ("[Section 5](as amended in 1990) and [six]( /x \"as 'titled'\" ) ![m](y 'z')", "[Section 5](as amended in 1990) and six"),
        ("Fines &lt; &#8377;5&nbsp;k **R&amp;D** [a &gt; b](x) &notit; AT&T;", "Fines < ₹5\u00a0k R&D a > b &notit; AT&T;"),
        ("`&lt;b&gt;` \\&amp; one&#10;two&#x2028;three", "&lt;b&gt; &amp; one two three"),
        ("```The fee is ten.``` ``a_b`` [map](<a b.pdf>)", "The fee is ten. a_b map"),
    ],
)  # fmt: skip
def test_markdown_shows_addresses_and_sets_apart_what_a_reader_sees_apart(written, read):
    parsed = parse_markdown(f"{written}\n\n# Next\n".encode(), "utf-8")
    assert lines(parsed) == [read, "Next"]
    assert parsed.lines[1].level == 1


def test_comments_are_left_out_and_page_marks_turn_the_page():
    parsed = parse_markdown(b"a\n<!-- page 7 -->\nb <!-- no --> c\n<!-- over\nlines --> d\n<!-- open", "utf-8")
    assert [(line.span.of(parsed.text), line.page) for line in parsed.lines] == [
        ("a", None),
        ("b", 7),
        ("c", 7),
        ("d", 7),
        ("<!-- open", 7),
    ]


def test_html_gives_the_main_text_in_lines():
    page = """<!DOCTYPE html><html lang="hi"><head><title>A &amp; B</title><style>p{}</style></head><body>
    <nav><a>menu</a></nav><h2>Head &lt;1&gt;</h2><p>One
    two <b>three</b>&nbsp;four &unknown; 5 < 6</p><ul><li>first<li>second</ul>
    <table><tr><th>k</th><td>v</td></tr></table><script>if (a < b) "</p>"</script><pre>x
    y</pre><!-- gone --><footer>foot</footer></body></html>"""
    parsed = parse_html(page.encode(), "utf-8")
    assert lines(parsed) == [
        "Head <1>",
        "One two three\u00a0four &unknown; 5 < 6",
        "• first",
        "• second",
        "k | v",
        "x",
        "y",
    ]
    assert (parsed.title, parsed.language, parsed.lines[0].level) == ("A & B", "hi", 2)
    assert [line.kind for line in parsed.lines] == [
        "paragraph",
        "paragraph",
        "list",
        "list",
        "table",
        "paragraph",
        "paragraph",
    ]


def test_a_power_does_not_run_into_the_figure_it_stands_on():
    page = (
        "<html><p>10<sup>5</sup> boats, 10<sup>−3</sup> m<sup>2</sup>, 5 years<sup><a>1</a></sup>, the 5<sup>th</sup>, "
        "H<sub>2</sub>O, 101<sub>2</sub>.<sup>3<p>40</p>"
    )
    assert lines(parse_html(page.encode(), "utf-8")) == [
        "10⁵ boats, 10⁻³ m², 5 years¹, the 5th, H2O, 101₂.³",
        "40",
    ]
    written = "10<sup>5</sup> boats, the 5<sup>*th*</sup>"
    assert lines(parse_markdown(written.encode(), "utf-8")) == ["10⁵ boats, the 5th"]


@pytest.mark.parametrize("opened", ["<body>", "<body class=x><div>", "", "<main>"])
def test_a_head_that_is_not_closed_ends_where_the_body_begins(opened):
    page = f"<!doctype html><html><head><meta name=x><title>Port</title>{opened}<p>Ten coins.</p></html>"
    parsed = parse_html(page.encode(), "utf-8")
    assert (lines(parsed), parsed.title) == (["Ten coins."], "Port")


def test_nothing_of_a_head_that_is_closed_is_text():
    page = b"<html><head><noscript><p>Turn it on.</p></noscript></head><p>Ten coins.</p></html>"
    assert lines(parse_html(page, "utf-8")) == ["Ten coins."]


def test_a_heading_in_two_lines_is_one_heading():
    parsed = parse_html(b"<html><h2>Part one<br>Scope</h2><p>All<br>boats.</p>", "utf-8")
    assert [(line.span.of(parsed.text), line.level) for line in parsed.lines] == [
        ("Part one Scope", 2),
        ("All", None),
        ("boats.", None),
    ]


def test_a_page_that_is_all_form_is_read_all_the_same():
    assert lines(parse_html(b"<html><body><form><p>The law.</p></form></body></html>", "utf-8")) == ["The law."]


def test_a_page_wrapped_in_a_form_is_read_and_a_form_within_a_page_is_not():
    wrapped = b"<html><body>Top<form><p>The fee is ten coins.</p><button>Go</button></form>(c) 2026</body></html>"
    assert lines(parse_html(wrapped, "utf-8")) == ["Top", "The fee is ten coins.", "(c) 2026"]
    page = b"<html><body><p>The fee is ten coins.</p><form><p>Search here</p></form></body></html>"
    assert lines(parse_html(page, "utf-8")) == ["The fee is ten coins."]


def test_the_header_of_an_article_is_read_and_that_of_a_page_is_not():
    page = (
        b"<html><body><header>Menu</header><article><header><h1>Fees</h1></header><p>Ten.</p><footer>Of 1990</footer>"
        b"</article><footer>Imprint</footer></body></html>"
    )
    assert lines(parse_html(page, "utf-8")) == ["Fees", "Ten.", "Of 1990"]


def test_a_row_stays_one_line_whatever_stands_in_its_cells():
    page = (
        "<html><table><tr><td><p>Gull</p></td><td><p>40</p><p>coins</p></td></tr>"
        "<tr><td></td><td><div>Tern<br>Skua</div></td><td> 7 </td>"
        "<tr><td> </td><td>only</td></tr></table>"
        f"<table><tr><td><p>Side</p></td><td><p>{'long ' * 150}</p><p>Last.</p></td></tr></table>"
        "<table><tr><td>Outer<table><tr><td>a</td><td>b</td></tr></table></td><td>rest</td></tr></table>"
        "<table><tr><td>c<td>d</table><p>After.</p><p>The end.</p>"
    )
    parsed = parse_html(page.encode(), "utf-8")
    assert [line for line in lines(parsed) if "long" not in line] == [
        "Gull | 40 coins",
        "| Tern Skua | 7",
        "only",
        "Side",
        "Last.",
        "Outer",
        "a | b",
        "rest",
        "c | d",
        "After.",
        "The end.",
    ]
    assert [line.kind for line in parsed.lines][:3] == ["table"] * 3


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<tr><th>Bird<th colspan=2>Seen<th>Fee<tr><td>Gull<td>1<td>2<td>10", "Bird | Seen | | Fee/Gull | 1 | 2 | 10"),
        ("<tr><td colspan='2'>Total</td><td>7</td></tr>", "Total | | 7"),
        ("<tr><td colspan=4>Part two</tr>", "Part two"),
        ('<tr><td rowspan="2">Gull<td>May<td>7<tr><td>June<td>9<tr><td>Tern<td>May<td>1', "Gull | May | 7/| June | 9/Tern | May | 1"),
        ("<tr><td>a<td rowspan=3 colspan=2>b<td>c<tr><td>d<td>e<tr><td>f<td>g<tr><td>h<td>i", "a | b | | c/d | | | e/f | | | g/h | i"),
        ("<tbody><tr><td rowspan=9>a<td>b</tbody><tbody><tr><td>c<td>d</tbody>", "a | b/c | d"),
        ("<tr><td rowspan=2>a<td>b<tr><td><table><tr><td>x<td>y</table><td>c", "a | b/x | y/c"),
        ("<tr><td COLSPAN=0>a<td colspan=x>b<td colspan=99999>c<td>d", "a | b | c" + " |" * 63 + " d"),
    ],
)  # fmt: skip
def test_a_cell_stands_in_its_column_whatever_spans_before_and_above_it(written, read):
    assert lines(parse_html(f"<html><body><table>{written}</table></body></html>".encode(), "utf-8")) == read.split("/")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<p>A fee of <del>ten</del> <ins>twelve</ins> coins.</p><del><p>Gone.</p></del>", ["A fee of twelve coins."]),
        ("<p>A fee of <s>ten</s> <strike>11</strike> twelve coins.</p>", ["A fee of twelve coins."]),
        ("<nav>Menu<p>Fees.</p><nav>More</nav><p>Ten <s>or 11 coins.</p>", ["Menu", "Fees.", "Ten or 11 coins."]),
        ("<nav>Menu<nav/>More</nav><p>Fees.</p><footer/><p>Ten.</p>", ["Fees.", "Ten."]),
        ("<p>Ten&#10;coins&#x2028;a day.</p>", ["Ten coins a day."]),
        ("<p>The owner said <q>all is free</q>.</p>", ["The owner said “all is free”."]),
        ("<p>See the form<svg><text>link</text></svg> of 1990.</p>", ["See the form of 1990."]),
        ("<p>One.</p><!--><p>Two.</p><!---><p>Three.</p><!-- x --><p>Four.</p>", ["One.", "Two.", "Three.", "Four."]),
        ("<p>İzmir</p><SCRIPT>x</SCRIPT><p>Port.</p>", ["İzmir", "Port."]),
        (
            "<p>Half is <math><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation>12</annotation></math>.</p>",
            ["Half is 1 2 ."],
        ),
    ],
)
def test_a_page_is_read_as_it_is_shown(written, read):
    assert lines(parse_html(f"<html><body>{written}</body></html>".encode(), "utf-8")) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("A fee of ~~ten~~ twelve coins.", ["A fee of twelve coins."]),
        ("~~Gone.~~", []),
        ("A fee of ~~**ten** [or](x) `9`~~ <del>11</del> <S class=x>8 <b>or</b> 7</S> twelve.", ["A fee of twelve."]),
        ("**~~Ten~~ Twelve** coins.", ["Twelve coins."]),
        ("About ~~ 10 ~~ coins, ~5 or \\~~6~~, `~~x~~` too.", ["About ~~ 10 ~~ coins, ~5 or ~~6~~, ~~x~~ too."]),
        ("Keep `a~~` and `~~b`, ~~not `c~~ this`.", ["Keep a~~ and ~~b, ~~not c~~ this."]),
        ("Ten <s>or 11 coins, <strong>all</strong>.", ["Ten or 11 coins, all."]),
        ("| Fee | ~~10~~ 12 |", ["| Fee | 12 |"]),
    ],
)
def test_what_is_struck_in_markdown_is_left_out(written, read):
    assert lines(parse_markdown(written.encode(), "utf-8")) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("See <Section 5> and an income <Rs. 500 a day>.", ["See <Section 5> and an income <Rs. 500 a day>."]),
        ("Fee <10 and age >60, or <x+y>.", ["Fee <10 and age >60, or <x+y>."]),
        ("Ten<br/>coins <a href='x' class=y data-z=\"1 2\" hidden>a</a> <b >day</b >.", ["Ten coins a day."]),
        ('<img src="a.png" alt="x y"/><input type=checkbox checked> Paid.', ["Paid."]),
    ],
)
def test_what_is_no_tag_in_markdown_is_text(written, read):
    assert lines(parse_markdown(written.encode(), "utf-8")) == read


def test_unclosed_strikes_are_read_in_linear_time():
    for mark in ("~~a ", "<del>a ", "<s>a", "~~", "~~`a` ", "<a b ", "<a b= "):
        assert parse_markdown(("a " + mark * 20_000).encode(), "utf-8").text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<ol><li>one<li><p>two</p><p>more</p><li>&nbsp;<b>three</b></ol>", ["1. one", "2. two", "more", "3. three"]),
        ('<ol start="3" type=a><li>x<li value=7>y<li>z</ol>', ["c. x", "g. y", "h. z"]),
        ("<ol reversed type='I'><li>x<ol><li>y</ol><li>z</ol>", ["II. x", "1. y", "I. z"]),
        (
            "<ol><li><ol type=i><li>x</ol><li></li><li>y<ul><li>z</ul><li>w</ol><ul><li>v</ul>",
            "1. i. x|3. y|• z|4. w|• v",
        ),
        ('<ol style="list-style-type: lower-roman"><li>x</ol><ol style="list-style: none"><li>y</ol>', "i. x|y"),
        ("<ol><li>(a) x<li><b>b.</b> y<li>1.2. z<li>A. Rao<li>2 coins</ol>", "(a) x|b. y|1.2. z|4. A. Rao|5. 2 coins"),
        ("<ol><li>x<li></ol><p>y</p></ol><li>z", ["1. x", "y", "z"]),
        ("<ol><li><li>x", ["2. x"]),
    ],
)
def test_items_of_ordered_lists_have_the_numbers_a_browser_shows(written, read):
    expected = read.split("|") if isinstance(read, str) else read
    assert lines(parse_html(f"<html><body>{written}".encode(), "utf-8")) == expected


def test_a_greater_sign_within_an_attribute_does_not_close_the_tag():
    assert parse_html(b"<html><p title='a > b' x=\"<p>\">text</p>", "utf-8").text == "text"


def test_a_record_gives_its_title_and_its_text_with_escapes_decoded():
    row = {"id": "A_1_0", "title": "T", "text": 'one\n\n"two"\tthree \\ \u0915', "n": 5, "none": None}
    parsed = parse_jsonl(("\n" + json.dumps(row) + "\n\n").encode(), "utf-8")
    assert parsed.text == 'T\n\none\n\n"two" three \\ \u0915'
    assert parsed.rows[0].fields == {"id": "A_1_0", "title": "T", "n": "5"}
    assert (parsed.rows[0].number, parsed.rows[0].titled) == (2, True)


def test_a_title_after_its_text_is_known_but_has_no_place():
    parsed = parse_jsonl(b'{"text": "words", "title": "T"}', "utf-8")
    assert parsed.text == "T\n\nwords"
    assert [segment.start for segment in parsed.offsets.segments] == [3]


def test_half_a_surrogate_pair_becomes_a_replacement_character():
    assert parse_jsonl(b'{"text": "a \\ud800 b \\ud83d\\ude42"}', "utf-8").text == "a \ufffd b \U0001f642"


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        '{"text": "a",}',
        '{"text": "a"} x',
        "[1]",
        "plain",
        '{"text": 5}',
        '{"title": "only"}',
        '{"text" "a"}',
        '{"text": "a"',
    ],
)
def test_a_bad_line_is_named_with_what_was_seen(bad):
    with pytest.raises(DocumentError) as caught:
        parse_jsonl(f'{{"text": "fine"}}\n{bad}\n'.encode(), "utf-8")
    assert caught.value.reason == "bad_record"
    assert caught.value.message.startswith("line 2:")
    assert bad[:8] in caught.value.message


@pytest.mark.parametrize("empty", ["", " \\n "])
def test_the_text_of_a_record_is_what_says_something(empty):
    assert parse_jsonl(f'{{"text": "{empty}", "content": "Ten coins."}}'.encode(), "utf-8").text == "Ten coins."
    assert parse_jsonl(b'{"content": "Ten coins.", "text": "Twelve."}', "utf-8").text == "Twelve."


def test_a_key_that_stands_twice_in_a_record_is_named():
    with pytest.raises(DocumentError, match="line 2: duplicate key 'text'"):
        parse_jsonl(b'{"text": "One."}\n{"text": "Ten.", "text": "Twelve."}', "utf-8")


def test_a_deeply_nested_record_is_a_bad_line_not_a_crash():
    with pytest.raises(DocumentError, match="line 1"):
        parse_jsonl(b'{"a": ' + b"[" * 100_000, "utf-8")


def test_a_type_without_a_parser_is_named():
    with pytest.raises(DocumentError, match="application/gzip") as caught:
        parse(b"\x1f\x8b", DetectedFormat("application/gzip", None))
    assert caught.value.reason == "unsupported_type"
