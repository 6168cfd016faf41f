from footnotary.domain.draft import Claim
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.outcome import Answer
from footnotary.engine import answer_from
from footnotary.profiles.load import load_profile
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

FIRST = chunk_of("Rule_7_0", "The fee for the boat is fifty rupees.")
SECOND = chunk_of("Rule_7_0", "The fee for the boat is ninety rupees.")
OTHER = chunk_of("Rule_8_0", "The boat is painted green.")


def twice() -> Evidence:
    query = evidence_of("What is the fee for the boat?", FIRST).query
    return Evidence(query, (Hit(FIRST, 0.9), Hit(SECOND, 0.8), Hit(OTHER, 0.7)))


def test_of_several_hits_with_one_id_the_first_is_kept():
    evidence = twice()
    assert [hit.chunk.text for hit in evidence.hits] == [FIRST.text, OTHER.text]
    assert (evidence.slot(2), evidence.slot(3)) == ("Rule_8_0", None)
    assert evidence.chunk("Rule_7_0") == FIRST


def test_what_is_quoted_is_what_the_claim_was_checked_against():
    profile = load_profile("default")
    says = Says(Claim(FIRST.text, ("Rule_7_0",)))
    outcome = answer_from(twice(), says, profile, checks_for(profile), lambda _: ("", ""))
    assert isinstance(outcome, Answer), outcome
    assert [citation.quote for citation in outcome.citations] == [FIRST.text]
