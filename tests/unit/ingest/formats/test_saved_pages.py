"""Pages saved from a browser: hidden text is left out, the main text is found, positions stay those of the file."""

import pytest

from footnotary.ingest.parse.html.parser import parse_html

SHOWN = "<p>The ferry leaves at nine from the northern pier of the harbour.</p>"


def text_of(body: str, head: str = "") -> str:
    return parse_html(
        f"<!doctype html><html><head><title>T</title>{head}</head><body>{body}</body></html>".encode(), "utf-8"
    ).text


@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>secret</div>", "<div hidden=''>secret <div>secret</div> secret</div>", '<p style="color:red; display: none">secret</p>',
        "<p style='visibility:hidden'>secret</p>", '<span aria-hidden="true">secret</span>', "<p style='font-size:0'>secret</p>", "<p style='opacity: 0;'>secret</p>",
        "<template><p>secret</p></template>", "<script>secret</script>", "<noscript>secret</noscript>", "<div role='navigation'>secret</div>",
        "<div role=dialog>secret</div>", "<p hidden>secret", "<section hidden><h2>secret</h2><p>secret</p></section>", "<nav>secret</nav>", "<footer>secret</footer>",
    ],
)  # fmt: skip
def test_what_a_page_hides_is_left_out(hidden):
    assert text_of(f"{SHOWN}{hidden}{SHOWN}").replace("\n", "") == text_of(SHOWN + SHOWN).replace("\n", "")


@pytest.mark.parametrize(
    "shown",
    [
        "<p class='hidden gem'>secret</p>", "<p data-hidden='no' title=' hidden '>secret</p>", "<p style='opacity:0.9;font-size:0.9em'>secret</p>",
        "<div hidden='until-found'>secret</div>", "<p aria-hidden='false'>secret</p>", "<input hidden>secret", "<p style='display:block'>secret</p>",
    ],
)  # fmt: skip
def test_what_only_looks_hidden_is_read(shown):
    assert "secret" in text_of(SHOWN + shown)


def test_the_pages_own_style_sheet_hides():
    style = "<style>@media print { .page { display:none } } .modal, div#offer { display: none } .x .page { display:none }</style>"
    text = text_of(f"<div class='a modal'>secret</div><div id=offer>secret</div><div class=page>{SHOWN}</div>", style)
    assert text == "The ferry leaves at nine from the northern pier of the harbour."


def test_text_that_a_script_shows_is_not_lost():
    assert "ferry" in text_of(f"<p>Loading</p><div class=app>{SHOWN * 5}</div>", "<style>.app{display:none}</style>")


def test_only_the_main_text_is_read_where_the_page_marks_it():
    around = "<div class=menu><a href=/>Home</a><a href=/a>Offers</a></div>"
    for opened, closed in (("<main>", "</main>"), ("<div role=main><div>", "</div></div>")):
        assert text_of(f"{around}{opened}<h1>Ferries</h1>{SHOWN}{closed}<div>All rights reserved</div>").split(
            "\n\n"
        ) == ["Ferries", SHOWN[3:-4]]


def test_a_main_element_with_hardly_anything_in_it_does_not_hide_the_rest():
    assert "ferry" in text_of(f"<main>Ad</main>{SHOWN * 3}")


def test_positions_are_those_of_the_file():
    data = f"<html><body><div hidden>é secret</div><main>{SHOWN}</main></body></html>".encode()
    parsed = parse_html(data, "utf-8")
    for segment in parsed.offsets.segments:
        run = parsed.text[segment.start : segment.start + segment.length]
        assert data.decode()[segment.char : segment.char + segment.length] == run
        assert data[segment.byte : segment.byte + len(run.encode())].decode() == run


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("<dt>Offer day<dd>16 April 2025", "Offer day: 16 April 2025"),
        ("<dt>Offer <b>day</b></dt>\n <dd>16 April 2025</dd>", "Offer day: 16 April 2025"),
        ("<dt>When is offer day?</dt><dd>On 16 April.</dd>", "When is offer day? On 16 April."),
        ("<dt>Offer day</dt><dd>16 April</dd><dd>for all</dd>", "Offer day: 16 April\nfor all"),
        ("<dt>Offer day</dt><dd><p>16 April</p></dd>", "Offer day\n\n16 April"),
    ],
)
def test_a_term_and_what_is_said_of_it_are_one_entry(entry, line):
    page = f"<html><body><p>Dates</p><dl>{entry}</dl></body></html>"
    assert parse_html(page.encode(), "utf-8").text == f"Dates\n\n{line}"
