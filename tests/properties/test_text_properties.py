"""Promises of the text functions that hold for every text, hunted with text made to break them."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.identity import is_semantic_id
from footnotary.text.citations.markers import cited_units, escape, scan, strip, targets, unescape
from footnotary.text.normalise import fold_quotes, invisible_places, plain_key, same_message, without_invisible
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import content_terms, word_places, words

FRAGMENTS = [
    "[", "]", "\\", "`", "```\n", "<", "<!--", "-->", "<a ", ">", "(", ")", "![", "](", "[A_1_0]", "[SOURCE: a, b]",
    "[1, 2]", "[Source 1 and 2]", "[^1]", "[^1]: x\n", "［", "】", "\u200b", "\u200d", "\u202e", "https://", "www.",
    " ", "  ", "\n", "\n\n", "\r\n", "\t", "\x1c", "\u2028", ".", "...", "…", ".—", "?", "!", "।", "॥", "。", ";",
    ":", ",", "-", "- ", "• ", "1. ", "(a) ", "Sec. ", "e.g. ", "A. ", "v. ", "No. ", "Dr. ", "etc. ", "3.14",
    "1,00,000", "The ", "the", "cheating", "धारा", "क्या", "क़", "क़", "'", "’s", '"', "”", "See ", "According to ",
    "under ", "#", "|", "---", "é", "e\u0301", "\u00ad", "\ud800", "ß",
]  # fmt: skip
texts = st.lists(st.sampled_from(FRAGMENTS) | st.characters(), max_size=40).map("".join)
ids = st.from_regex(r"[A-Z][A-Za-z]{0,6}_[0-9]{1,3}_[0-9]", fullmatch=True)


@given(texts)
def test_sentences_hold_every_visible_character_once_in_order_and_trimmed(text: str):
    spans = sentence_spans(text)
    reached = 0
    for span in spans:
        assert text[reached : span.start].strip() == ""
        assert span.of(text) == span.of(text).strip() != ""
        reached = span.end
    assert text[reached:].strip() == ""


@given(texts)
def test_words_stand_at_their_places(text: str):
    places = word_places(text)
    assert [word for _, _, word in places] == words(text)
    assert all(end <= start for (_, end, _), (start, _, _) in pairwise(places))
    assert all(word in words(text[start:end]) for start, end, word in places)


@given(texts, texts)
def test_words_of_two_texts_apart_are_the_words_of_both(one: str, other: str):
    assert words(f"{one} \n {other}") == words(one) + words(other)
    assert content_terms(f"{one} \n {other}") == content_terms(one) + content_terms(other)


@given(texts)
def test_folded_words_fold_to_themselves(text: str):
    for word in words(text):
        assert words(word)[:1] == [word] or "'" in word


@given(texts)
def test_escaping_is_undone_and_leaves_nothing_to_read(text: str):
    assert unescape(escape(text)) == text
    found = scan(escape(text))
    assert found.markers == ()
    assert all(invisible_places(token.text) for token in found.malformed)


@given(texts, st.booleans())
def test_a_scan_never_fails_and_its_spans_never_overlap(text: str, footnotes: bool):
    found = scan(text, footnotes=footnotes)
    tokens = sorted((*found.markers, *found.malformed), key=lambda token: token.span)
    assert all(a.span.end <= b.span.start for a, b in pairwise(tokens))
    assert all(token.span.of(text) == token.text for token in found.malformed)


@given(texts)
def test_a_marker_cut_out_by_its_span_is_the_same_marker(text: str):
    for marker in scan(text).markers:
        again = scan(marker.span.of(text))
        assert again.malformed == ()
        assert [(m.style, m.targets) for m in again.markers] == [(marker.style, marker.targets)]


@given(texts)
def test_no_bracket_is_ignored(text: str):
    found = scan(text)
    covered = {at for token in (*found.markers, *found.malformed) for at in range(token.span.start, token.span.end)}
    for place, char in enumerate(text):
        escaped = (place - len(text[:place].rstrip("\\"))) % 2 == 1
        assert char not in "[]［】" or escaped or place in covered


@given(texts)
def test_units_cite_what_the_text_cites(text: str):
    units = cited_units(text)
    cited = {target for unit in units for target in unit.targets}
    assert cited <= set(targets(text))
    assert cited == set(targets(text)) or not units
    assert all(unit.raw == unit.span.of(text) and unit.text for unit in units)


@given(
    st.lists(st.tuples(st.sampled_from(["Cheating is illegal", "It is [sic] so", "No", "A `b` < c"]), ids), min_size=1)
)
def test_claims_with_a_marker_after_the_full_stop_are_read_back(claims: list[tuple[str, str]]):
    rendered = " ".join(f"{escape(text)}. [{cited}]" for text, cited in claims)
    assert scan(rendered).malformed == ()
    assert [(unit.text, unit.targets) for unit in cited_units(rendered)] == [(f"{t}.", (i,)) for t, i in claims]
    assert strip(rendered) == " ".join(f"{text}." for text, _ in claims)


@given(ids)
def test_every_id_makes_a_marker(cited: str):
    assert is_semantic_id(cited)
    assert targets(f"A claim [{cited}].") == (cited,)


@given(texts)
def test_normal_forms_are_stable(text: str):
    assert plain_key(plain_key(text)) == plain_key(text)
    assert len(fold_quotes(text)) == len(text)
    assert same_message(text, f" {text}\n")
    cleaned = without_invisible(text)
    assert len(cleaned) + len(invisible_places(text)) == len(text)
