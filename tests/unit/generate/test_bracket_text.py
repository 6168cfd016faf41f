"""Brackets in a structured claim: text where the source has them, citations where they name an offered source."""

import json
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.draft import Claim
from footnotary.domain.evidence import Evidence
from footnotary.generate.chat.bracket_text import slot_names_as_markers
from footnotary.generate.chat.reply_parser import ParsedReply, parse_claims, parse_reply
from footnotary.text.citations.markers import scan


@pytest.fixture(scope="module")
def evidence(make_evidence: Callable[..., Evidence]) -> Evidence:
    return make_evidence("Whoever cheats.", "Whoever steals.", "Whoever robs.")


def structured(evidence: Evidence, claim: dict[str, object]) -> ParsedReply:
    return parse_claims(json.dumps({"answerable": True, "claims": [claim]}), evidence, ())


@pytest.mark.parametrize("token", ["[7]", "[IPC_9_0]", "[Source 9]", "[?]", "［1］", "[1", r"\[9\]", "[１]", "[sic]"])
def test_brackets_that_neither_cite_nor_stand_in_the_source_are_malformed(token: str, evidence: Evidence):
    assert structured(evidence, {"text": f"Cheating is punished {token}.", "sources": [1]}).malformed


@pytest.mark.parametrize("token", ["[2]", "[IPC_2_0]", "[Source 2]", "[1][2]", r"\[2\]"])
def test_a_marker_in_the_text_of_a_structured_claim_cites_too(token: str, evidence: Evidence):
    reading = structured(evidence, {"text": f"Cheating is punished {token}.", "sources": [1]})
    assert reading == ParsedReply((Claim("Cheating is punished.", ("IPC_1_0", "IPC_2_0")),))


BRACKETED = "In [2019] 4 SCC 17 f is continuous on [0, 1], and [forty] men [sic] pay in 1990 [see note]."


@pytest.mark.parametrize("said", [BRACKETED, BRACKETED.replace("[0, 1]", "⟦0, 1⟧"), BRACKETED.replace("[", r"\[")])
def test_brackets_of_the_source_are_text(said: str, make_evidence: Callable[..., Evidence]):
    evidence = make_evidence(BRACKETED, "Whoever steals.")
    assert structured(evidence, {"text": said, "sources": [1]}) == ParsedReply((Claim(BRACKETED, ("IPC_1_0",)),))
    assert structured(evidence, {"text": said, "sources": [2]}).malformed


@pytest.mark.parametrize(
    "token",
    [
        "[1]",
        "[2]",
        "[1, 2]",
        "[Source 2]",
        "[IPC_1_0]",
        "[SOURCE: Other_9_0]",
        "[Other_9_0]",
        "［1］",
        "【2】",
        "[１]",
        "[२]",
        "[l]",
        "[1",
        "[^1]",
        "[[1]]",
    ],
)
def test_what_looks_like_a_marker_is_never_text_even_where_the_source_has_it(
    token: str, make_evidence: Callable[..., Evidence]
):
    evidence = make_evidence(f"The fee is due {token} at once.", "Whoever steals.")
    assert structured(evidence, {"text": f"The fee is due {token} at once.", "sources": [1]}).malformed


@pytest.mark.parametrize("interval", ["(2, 9]", "[2, 9)", "(0, 0.5]", "[-4, 1)"])
def test_a_half_open_interval_of_the_source_is_text(interval: str, make_evidence: Callable[..., Evidence]):
    said = f"The function is continuous on {interval} and bounded."
    evidence = make_evidence(said, "Whoever steals.", "Whoever robs.")
    assert structured(evidence, {"text": said, "sources": [1]}) == ParsedReply((Claim(said, ("IPC_1_0",)),))
    assert structured(evidence, {"text": said, "sources": [2]}).malformed


@pytest.mark.parametrize(
    "token",
    ["(2, 9］ and ［1]", "(2, 9] and [1]", "[1, 2)", "(1, 2]", "[1)", "(1]", "［2, 9)", "[[2, 9)", "(2, 9]]", "(2,9］"],
)
def test_what_only_looks_like_an_interval_is_no_text(token: str, make_evidence: Callable[..., Evidence]):
    said = f"The function is continuous on {token} and bounded."
    evidence = make_evidence(said, "Whoever steals.")
    assert structured(evidence, {"text": said, "sources": [1]}).malformed


@pytest.mark.parametrize("mark", ["\u200e", "\u200f"])
def test_a_mark_of_direction_refuses_no_claim_and_leaves_with_none(mark: str, make_evidence: Callable[..., Evidence]):
    evidence = make_evidence("The shop opens at nine.", "Whoever steals.")
    reading = structured(evidence, {"text": f"The {mark}shop{mark} opens at nine.{mark}", "sources": [1]})
    assert reading == ParsedReply((Claim("The shop opens at nine.", ("IPC_1_0",)),))


@pytest.mark.parametrize("token", ["[\u200e1]", "[1\u200f]", "\u200e[9]", "4\u200e2", "a\u200bb", "a\u202eb"])
def test_other_invisible_characters_refuse_the_claim(token: str, evidence: Evidence):
    assert structured(evidence, {"text": f"The shop opens {token} at nine.", "sources": [1]}).malformed


pieces = st.sampled_from(
    [
        "[",
        "]",
        "1",
        "2",
        "l",
        "１",
        "[1]",
        "[sic]",
        "［",
        "】",
        "⟦",
        "⟧",
        "\\",
        " ",
        ", ",
        "fee",
        "\u200b",
        "(",
        ")",
        "(2, 9]",
        "[1, 9)",
        "9",
    ]
)


@given(said=st.lists(pieces, max_size=12).map("".join))
def test_no_text_of_a_claim_reads_as_the_marker_of_an_offered_source(make_evidence: Callable[..., Evidence], said: str):
    evidence = make_evidence(f"The fee {said} is due.", "Whoever steals.")
    reading = structured(evidence, {"text": f"The fee {said} is due.", "sources": [1]})
    for claim in () if reading.malformed else reading.claims:
        shown = unicodedata.normalize("NFKC", claim.text)
        assert not any(all(evidence.named(t) for t in marker.targets) for marker in scan(shown).markers), claim.text


@pytest.mark.parametrize(
    "reply",
    [
        "According to Source 1, cheating is punished.",
        "Cheating is punished (source 1).",
        "Source 1 says that cheating is punished.",
        "As stated in Source 1, cheating is punished [1].",
    ],
)
def test_the_name_of_a_slot_in_words_cites_it(reply: str, evidence: Evidence):
    for reading in (parse_reply(reply, evidence, ()), structured(evidence, {"text": reply, "sources": [1]})):
        assert reading == ParsedReply((Claim("Cheating is punished.", ("IPC_1_0",)),))


@pytest.mark.parametrize("name", ["Source 9", "source 0", "[Source 1]", "Source 12345", "Resource 1"])
def test_other_names_stay_as_they_are(name: str, evidence: Evidence):
    assert slot_names_as_markers(f"It is {name}.", evidence) == f"It is {name}."


def test_a_name_that_a_source_has_itself_stays(make_evidence: Callable[..., Evidence]):
    evidence = make_evidence("Source 1 of the river is a spring.")
    assert slot_names_as_markers("Source 1 is a spring.", evidence) == "Source 1 is a spring."
