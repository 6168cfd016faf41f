"""What states nothing is left out of a model's draft; what could change the meaning of the rest is not."""

import pytest

from footnotary.audit.canonical_json import to_plain
from footnotary.domain.draft import Claim, Draft
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.fake_reader import FakeReader
from footnotary.verify.idle_sentences import leave_out_idle

FINE = chunk_of("LIB_3_0", "A reader may borrow five books. The fine for a book returned late is two rupees a day.")
LEASE = chunk_of("LEASE_4_0", "The tenant shall pay the landlord a deposit before the lease begins.")
EVIDENCE = evidence_of("What is the fine for a late book?", FINE, LEASE)
CLAIM = Claim("The fine for a book returned late is two rupees a day.", ("LIB_3_0",))


def settled(*claims: Claim | str, by: FakeReader | None = None, extractive: bool = False) -> Draft:
    said = tuple(claim if isinstance(claim, Claim) else Claim(claim) for claim in claims)
    return leave_out_idle(Draft(said, "chat:test", extractive=extractive), EVIDENCE, by, 0.55)


@pytest.mark.parametrize(
    "idle",
    [
        "Sure!",
        "I hope this helps.",
        "Let me know about anything else.",
        "Based on the sources provided:",
        "In summary:",
        "Here is the fine for a late book:",
    ],
)
def test_what_says_nothing_is_left_out_wherever_it_stands_and_recorded(idle: str):
    for claims in ((idle, CLAIM), (CLAIM, idle), (CLAIM, idle, CLAIM)):
        found = settled(*claims)
        assert all(claim == CLAIM for claim in found.claims)
        assert found.left_out == (idle,)


@pytest.mark.parametrize(
    "sentence",
    [
        "Readers above sixty pay nothing.",
        "But only sometimes.",
        "However, this is not so.",
        "I doubt that any of this is right!",
        "None of the above applies!",
        "I found that the fine was abolished!",
        "If so.",
        "Please consult a lawyer.",
        "There are 3 sources.",
        "No.",
        "Is the fine due?",
        "The following pay no fine for a late book:",
        "Readers pay the fine for a late book:",
    ],
)
def test_what_could_change_the_rest_stays_and_is_refused_as_uncited(sentence: str):
    for claims in ((CLAIM, sentence), (sentence, CLAIM)):
        assert Claim(sentence) in settled(*claims, by=FakeReader({"fine": 0.1})).claims


@pytest.mark.parametrize("idle", ["I hope this helps.", "Sure!", "See the source.", "Sources:"])
def test_it_is_left_out_with_a_citation_too(idle: str):
    found = settled(CLAIM, Claim(idle, ("LIB_3_0",)))
    assert found.claims == (CLAIM,)
    assert found.left_out == (idle,)


def test_what_only_points_at_a_source_cites_it_for_the_sentence_before():
    pointer = Claim("(Source:)", ("LIB_3_0",))
    assert settled(Claim(CLAIM.text), pointer).claims == (CLAIM,)
    other = Claim("The tenant shall pay a deposit.", ("LEASE_4_0",))
    assert settled(other, pointer).claims == (other,), "one that cites keeps its own citations"


def test_a_last_sentence_that_only_says_it_again_is_left_out_where_a_model_reads_it():
    again = "In summary, the fine for a late book is two rupees a day."
    assert settled(CLAIM, again, by=FakeReader({"fine": 0.9})).left_out == (again,)
    assert settled(CLAIM, again, by=FakeReader({"fine": 0.2})).left_out == ()
    assert settled(CLAIM, again).left_out == ()
    assert settled(again, CLAIM, by=FakeReader({"fine": 0.9})).left_out == (), "what follows may rest on it"


def test_a_last_sentence_with_another_figure_stays_however_sure_a_model_is():
    other = "In summary, the fine for a late book is nine rupees a day."
    assert settled(CLAIM, other, by=FakeReader({"fine": 0.99})).left_out == ()


def test_a_citation_that_has_nothing_to_do_with_the_claim_is_left_out_where_another_one_has():
    found = settled(Claim(CLAIM.text, ("LIB_3_0", "LEASE_4_0")))
    assert found.claims == (CLAIM,)
    assert found.left_out == ("[LEASE_4_0]",)


@pytest.mark.parametrize("cites", [("LEASE_4_0",), ("LIB_3_0", "LIB_9_9"), ()])
def test_a_claim_is_never_left_without_what_it_cites(cites: tuple[str, ...]):
    claim = Claim(CLAIM.text, cites)
    assert settled(claim).claims == (claim,)


def test_extractive_drafts_and_drafts_without_citations_stay_as_they_are():
    assert settled("Sure!", "I hope this helps.").claims == (Claim("Sure!"), Claim("I hope this helps."))
    assert settled(CLAIM, "Sure!", extractive=True).left_out == ()


def test_a_record_has_the_field_only_where_something_was_left_out():
    assert "left_out" not in to_plain(settled(CLAIM))
    assert to_plain(settled(CLAIM, "Sure!"))["left_out"] == ["Sure!"]
