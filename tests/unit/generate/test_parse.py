"""A model's reply, read back: slots become ids, a refusal is exact, and nothing odd gets lost on the way."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.draft import Claim
from footnotary.domain.evidence import Evidence
from footnotary.errors import ModelError
from footnotary.generate.chat.reply_parser import ParsedReply, parse_claims, parse_reply, reply_schema
from footnotary.model_server.json_body import strict_json

REFUSALS = ("I don't know based on the book.", "मुझे पुस्तक के आधार पर नहीं पता।")


@pytest.fixture(scope="module")
def evidence(make_evidence: Callable[..., Evidence]) -> Evidence:
    return make_evidence("Whoever cheats.", "Whoever steals.", "Whoever robs.")


def read(reply: str, evidence: Evidence) -> ParsedReply:
    return parse_reply(reply, evidence, REFUSALS)


def structured(evidence: Evidence, *claims: object, answerable: object = True) -> ParsedReply:
    return parse_claims(json.dumps({"answerable": answerable, "claims": list(claims)}), evidence, REFUSALS)


@pytest.mark.parametrize(
    ("reply", "cites"),
    [
        ("Cheating is punished [1].", ("IPC_1_0",)),
        ("Cheating is punished. [1]", ("IPC_1_0",)),
        ("Cheating is punished [1][3].", ("IPC_1_0", "IPC_3_0")),
        ("Cheating is punished [1, 3].", ("IPC_1_0", "IPC_3_0")),
        ("Cheating is punished [Source 2].", ("IPC_2_0",)),
        ("Cheating is punished [2][2].", ("IPC_2_0",)),
        ("Cheating is punished [3][1].", ("IPC_3_0", "IPC_1_0")),
        ("Cheating is punished [IPC_2_0].", ("IPC_2_0",)),
    ],
)
def test_slots_are_read_as_the_ids_behind_them(reply: str, cites: tuple[str, ...], evidence: Evidence):
    assert read(reply, evidence) == ParsedReply((Claim("Cheating is punished.", cites),))


@pytest.mark.parametrize("unknown", ["4", "0", "99", "999999999999999999999", "IPC_421_0", "१", "１"])
def test_an_unknown_slot_or_id_stays_as_written_for_a_check_to_name(unknown: str, evidence: Evidence):
    (claim,) = read(f"Cheating is punished [{unknown}].", evidence).claims
    assert claim.cites == (unknown,)


def test_a_citation_covers_its_own_sentence_only(evidence: Evidence):
    reading = read("Cheating is punished. Stealing is punished too [2]. Robbing is not.", evidence)
    assert [claim.cites for claim in reading.claims] == [(), ("IPC_2_0",), ()]


@pytest.mark.parametrize("token", ["[?]", "[see above]", "[1", "［1］", "[1}", "[[1]]", "[^1]", "[1 3]"])
def test_a_bracket_that_is_no_marker_is_kept_as_malformed(token: str, evidence: Evidence):
    assert read(f"Cheating is punished {token}.", evidence).malformed


@pytest.mark.parametrize(
    "reply",
    [*REFUSALS, f"  {REFUSALS[0]}\n", "I don’t know based on the book.", "I don't  know\nbased on the book."],
)
def test_an_exact_refusal_declines(reply: str, evidence: Evidence):
    assert read(reply, evidence) == ParsedReply(declined=True)


@pytest.mark.parametrize(
    "reply",
    [
        f"{REFUSALS[0]} However, cheating is bad.",
        f"{REFUSALS[0]} However, cheating is punished [1].",
        f"Sorry. {REFUSALS[0]}",
        f'"{REFUSALS[0]}"',
        f"{REFUSALS[0]} {REFUSALS[0]}",
        REFUSALS[0].lower(),
        REFUSALS[0].rstrip("."),
        REFUSALS[0].replace("o", "о"),  # Cyrillic
        REFUSALS[0].replace("know", "kn\u200bow"),
    ],
)
def test_a_refusal_that_is_not_exact_is_a_claim_without_citation(reply: str, evidence: Evidence):
    reading = read(reply, evidence)
    assert not reading.declined
    assert any(not claim.cites for claim in reading.claims)


@pytest.mark.parametrize(
    ("reply", "declines"),
    [
        ("I don't know.", True),
        ("I do not know based on this book.", True),
        (REFUSALS[0].rstrip("."), True),
        (REFUSALS[1].rstrip("।"), True),
        ("I don't know based on the book [1].", False),
        ("I don't know based on the book. However, cheating is bad.", False),
        ("Cheating is punished with a fine.", False),
        ("The book is known.", False),
        ("", False),
    ],
)
def test_a_sentence_close_to_the_refusal_declines_where_that_is_asked_for(reply, declines, evidence: Evidence):
    assert parse_reply(reply, evidence, REFUSALS, lenient=True).declined == declines
    assert not read(reply, evidence).declined


def test_one_marker_at_the_end_of_a_paragraph_is_enough_where_that_is_asked_for(evidence: Evidence):
    reply = "Cheating is punished. Stealing is punished too. [2]\n\nRobbing is punished [3]. So is arson."
    cites = [claim.cites for claim in parse_reply(reply, evidence, REFUSALS, lenient=True).claims]
    assert cites == [("IPC_2_0",), ("IPC_2_0",), ("IPC_3_0",), ()]


def test_a_refusal_with_a_citation_does_not_decline(evidence: Evidence):
    reading = read("I don't know based on the book [1].", evidence)
    assert not reading.declined
    assert reading.claims


words = st.text(st.sampled_from("abcdefghij"), min_size=2, max_size=8)
sentence = st.lists(words, min_size=2, max_size=6).map(lambda parts: " ".join(parts).capitalize() + ".")
slots = st.lists(st.integers(1, 3), min_size=1, max_size=3, unique=True)


@given(said=st.lists(st.tuples(sentence, slots), min_size=1, max_size=5))
def test_what_is_written_in_slots_is_read_back_as_claims(evidence: Evidence, said: list[tuple[str, list[int]]]):
    written = " ".join(text[:-1] + " " + "".join(f"[{slot}]" for slot in cited) + "." for text, cited in said)
    claims = tuple(Claim(text, tuple(f"IPC_{slot}_0" for slot in cited)) for text, cited in said)
    assert read(written, evidence) == ParsedReply(claims)


@given(said=st.lists(st.tuples(sentence, slots), min_size=1, max_size=5))
def test_both_forms_of_a_reply_say_the_same(evidence: Evidence, said: list[tuple[str, list[int]]]):
    written = " ".join(text[:-1] + " " + "".join(f"[{slot}]" for slot in cited) + "." for text, cited in said)
    objects = [{"text": text, "sources": cited} for text, cited in said]
    assert structured(evidence, *objects) == read(written, evidence)


@given(reply=st.text(max_size=400))
def test_any_reply_in_words_can_be_read(evidence: Evidence, reply: str):
    reading = read(reply, evidence)
    assert not reading.declined
    assert all(cited in evidence.ids or cited in reply for claim in reading.claims for cited in claim.cites)


@given(reply=st.text(max_size=400) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_any_reply_that_is_not_the_object_asked_for_is_an_error(evidence: Evidence, reply: str):
    with pytest.raises(ModelError) as caught:
        parse_claims(reply, evidence, REFUSALS)
    assert not caught.value.retryable


def test_every_sentence_of_a_structured_claim_is_a_claim_with_all_its_cites(evidence: Evidence):
    reading = structured(evidence, {"text": "Cheating is punished. Stealing is punished too.", "sources": [1, 2]})
    assert reading.claims == (
        Claim("Cheating is punished.", ("IPC_1_0", "IPC_2_0")),
        Claim("Stealing is punished too.", ("IPC_1_0", "IPC_2_0")),
    )


@pytest.mark.parametrize("joint", ["; ", ", and ", " "])
def test_what_joins_two_sentences_of_a_structured_claim_is_part_of_neither(joint: str, evidence: Evidence):
    said = {"text": f"The tenant pays.{joint}The clerk keeps it.", "sources": [1]}
    reading = parse_claims(json.dumps({"answerable": True, "claims": [said]}), evidence, ())
    assert [claim.text for claim in reading.claims] == ["The tenant pays.", "The clerk keeps it."]


def test_unknown_slots_of_a_structured_claim_stay_as_written(evidence: Evidence):
    (claim,) = structured(evidence, {"text": "Cheating is punished.", "sources": [1, 7, -1, 0]}).claims
    assert claim.cites == ("IPC_1_0", "7", "-1", "0")


def test_a_structured_claim_without_sources_is_a_claim_without_citation(evidence: Evidence):
    assert structured(evidence, {"text": "Cheating is punished.", "sources": []}).claims[0].cites == ()


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_structured_claim_is_kept_for_the_checks(text: str, evidence: Evidence):
    assert len(structured(evidence, {"text": text, "sources": [1]}).claims) == 1


def test_a_structured_reply_declines_by_saying_so(evidence: Evidence):
    assert structured(evidence, answerable=False) == ParsedReply(declined=True)


@pytest.mark.parametrize("answerable", [True, False])
def test_a_structured_reply_declines_by_the_refusal_alone(answerable: bool, evidence: Evidence):
    refusal = {"text": REFUSALS[1], "sources": []}
    assert structured(evidence, refusal, answerable=answerable) == ParsedReply(declined=True)


def test_a_structured_refusal_that_cites_does_not_decline(evidence: Evidence):
    reading = structured(evidence, {"text": REFUSALS[0], "sources": [1]})
    assert not reading.declined
    assert reading.claims == (Claim(REFUSALS[0], ("IPC_1_0",)),)


def test_a_refusal_next_to_claims_does_not_decline(evidence: Evidence):
    claims = {"text": REFUSALS[0], "sources": []}, {"text": "Cheating is punished.", "sources": [1]}
    reading = structured(evidence, *claims)
    assert not reading.declined
    assert reading.claims[0].cites == ()


def test_a_reply_that_says_it_cannot_answer_declines_whatever_it_claims(evidence: Evidence):
    claims = {"text": REFUSALS[0], "sources": []}, {"text": "Cheating is punished.", "sources": [1]}
    assert structured(evidence, *claims, answerable=False) == ParsedReply(declined=True)


def test_a_structured_reply_may_stand_in_a_code_block(evidence: Evidence):
    reply = json.dumps({"answerable": True, "claims": [{"text": "Cheating is punished.", "sources": [1]}]})
    plain = parse_claims(reply, evidence, REFUSALS)
    for written in (f"```json\n{reply}\n```", f"```\n{reply}\n```\n", f"\n{reply} "):
        assert parse_claims(written, evidence, REFUSALS) == plain


def test_a_claim_as_long_as_the_schema_allows_may_be_cut_off(evidence: Evidence):
    reply = json.dumps({"answerable": True, "claims": [{"text": "Cheating is punished.", "sources": [1]}]})
    assert parse_claims(reply, evidence, REFUSALS, max_text=22).claims
    with pytest.raises(ModelError, match="21 characters"):
        parse_claims(reply, evidence, REFUSALS, max_text=21)


def test_answerable_without_claims_is_an_empty_reading(evidence: Evidence):
    assert structured(evidence) == ParsedReply()


CLAIM = '{"text": "Cheating is punished.", "sources": [1]}'


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Cheating is punished [1].",
        "null",
        "[]",
        f"[{CLAIM}]",
        CLAIM,
        "{}",
        '{"claims": []}',
        '{"answerable": true}',
        '{"answerable": "true", "claims": []}',
        '{"answerable": 1, "claims": []}',
        '{"answerable": true, "claims": {}}',
        '{"answerable": true, "claims": null}',
        '{"answerable": true, "claims": ["Cheating is punished."]}',
        '{"answerable": true, "claims": [{"text": "a"}]}',
        '{"answerable": true, "claims": [{"sources": [1]}]}',
        '{"answerable": true, "claims": [{"text": 1, "sources": [1]}]}',
        '{"answerable": true, "claims": [{"text": null, "sources": [1]}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": 1}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": ["1"]}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": [1.0]}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": [true]}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": [null]}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": [NaN]}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": [1e999]}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": [1], "note": "b"}]}',
        '{"answerable": true, "claims": [{"text": "a", "text": "b", "sources": [1]}]}',
        '{"answerable": true, "claims": [], "claims": []}',
        '{"answerable": true, "claims": [], "more": 1}',
        f'{{"answerable": true, "claims": [{CLAIM}]}} Hope this helps!',
        f'Here you are: {{"answerable": true, "claims": [{CLAIM}]}}',
        f'```json\n{{"answerable": true, "claims": [{CLAIM}]}}\n``` Hope this helps!',
        f'```json\n```json\n{{"answerable": true, "claims": [{CLAIM}]}}\n```\n```',
        f'{{"answerable": true, "claims": [{CLAIM}]',
        f'{{"answerable": true, "claims": [{CLAIM},]}}',
        f"{{'answerable': true, 'claims': [{CLAIM}]}}",
        '{"answerable": true, "claims": [{"text": "\\ud800", "sources": [1]}]}',
        "[" * 100_000,
    ],
)
def test_a_structured_reply_out_of_form_is_an_error(reply: str, evidence: Evidence):
    with pytest.raises(ModelError) as caught:
        parse_claims(reply, evidence, REFUSALS)
    assert not caught.value.retryable
    assert "Cheating" not in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("unit", ["[", "]", "[1]", "[1", "a [1]. ", '{"', "\u0964"])
def test_hostile_repetition_is_read_in_one_pass(unit: str, evidence: Evidence):
    read(unit * (100_000 // len(unit)), evidence)


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)
    )
)
def test_strict_json_reads_what_json_says(value: object):
    assert strict_json(json.dumps(value)) == value
    assert strict_json(json.dumps(value, ensure_ascii=False).encode()) == value


def test_the_schema_closes_every_object():
    schema = reply_schema(3, 5, 400)
    assert schema["additionalProperties"] is False
    items = schema["properties"]["claims"]["items"]  # type: ignore[index]
    assert items["additionalProperties"] is False
    assert items["required"] == list(items["properties"])


def test_the_schema_has_only_the_slots_that_exist_and_bounds_every_length():
    claims = reply_schema(2, 5, 400)["properties"]["claims"]  # type: ignore[index]
    cited, text = claims["items"]["properties"]["sources"], claims["items"]["properties"]["text"]
    assert (cited["items"]["enum"], cited["minItems"], cited["maxItems"]) == ([1, 2], 1, 2)
    assert (claims["maxItems"], text["maxLength"]) == (5, 400)
