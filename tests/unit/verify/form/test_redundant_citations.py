"""The ablation witness: citations that carry a claim, and those for which nothing changes when they go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.draft import Claim
from footnotary.domain.outcome import Answer
from footnotary.domain.verdict import Reason, Verdict
from footnotary.engine import answer_from
from footnotary.errors import BackendError
from footnotary.profiles.load import load_profile
from footnotary.render.outcome_record import outcome_record
from footnotary.testing.builders import chunk_of, evidence_of, submission_of
from footnotary.testing.scripted_models import Says
from footnotary.verify.redundant_citations import redundant_citations
from footnotary.verify.run import acceptable, checks_for, verify

CHECKS = checks_for(load_profile("legal"))
QUESTION = "What is the punishment for cheating?"
RULE = chunk_of("IPC_417_0", "Whoever cheats shall be punished with imprisonment for a term of one year.")
SAME = chunk_of("BNS_318_0", "A person who cheats is punished with imprisonment for one year.")
LOOSE = chunk_of("IPC_415_0", "Whoever deceives any person and induces him to deliver property is said to cheat.")
FEE = chunk_of("Fees_1_0", "The fee for a duplicate certificate of registration is Rs. 500.")
DAYS = chunk_of("Fees_2_0", "A duplicate certificate of registration is issued within 30 days.")
FORM = chunk_of("Fees_3_0", "A duplicate certificate of registration is asked for in Form B.")
CHUNKS = (RULE, SAME, LOOSE, FEE, DAYS, FORM)


def decorative(claim, *cites):
    found = redundant_citations(submission_of(QUESTION, CHUNKS, Claim(claim, tuple(cites))), CHECKS)
    assert all(number == 0 for number, _ in found)
    return {cited for _, cited in found}


PARAPHRASE = "A person who cheats shall be punished with imprisonment of 1 year."


def test_a_citation_next_to_the_sentence_itself_is_decorative():
    assert decorative(RULE.text, "IPC_417_0", "IPC_415_0") == {"IPC_415_0"}
    assert decorative(RULE.text, "IPC_415_0", "IPC_417_0") == {"IPC_415_0"}


def test_a_paraphrase_needs_the_source_that_says_it_and_no_other():
    assert decorative(PARAPHRASE, "IPC_415_0", "IPC_417_0") == {"IPC_415_0"}


def test_of_two_that_each_suffice_the_stronger_stays():
    assert decorative(SAME.text, "IPC_417_0", "BNS_318_0") == {"IPC_417_0"}


def test_of_two_equals_the_one_cited_first_stays():
    twin = chunk_of("Twin_1_0", RULE.text)
    s = submission_of(QUESTION, (RULE, twin), Claim(RULE.text, ("Twin_1_0", "IPC_417_0")))
    assert redundant_citations(s, CHECKS) == {(0, "IPC_417_0")}


def test_a_claim_that_takes_from_two_sources_needs_both():
    joined = "The fee for a duplicate certificate of registration is Rs. 500 and it is issued within 30 days."
    assert decorative(joined, "Fees_1_0", "Fees_2_0") == set()
    assert decorative(joined, "Fees_1_0", "Fees_3_0", "Fees_2_0") == {"Fees_3_0"}


@pytest.mark.parametrize("cites", [("IPC_417_0",), ("IPC_417_0", "IPC_417_0"), ("IPC_415_0",), ()])
def test_a_single_citation_is_never_decorative(cites):
    assert decorative(PARAPHRASE, *cites) == set()


@given(st.lists(st.sampled_from([chunk.id for chunk in CHUNKS]), max_size=5), st.sampled_from([*CHUNKS]))
def test_every_claim_keeps_a_witness_and_holds_without_all_that_are_decorative(cites, said):
    s = submission_of(QUESTION, CHUNKS, Claim(said.text, tuple(cites)))
    out = {cited for _, cited in redundant_citations(s, CHECKS)}
    assert out <= set(cites)
    assert not cites or out < set(cites)
    consistency = [(name, check) for name, check in CHECKS if name.endswith(("_agree", "_supported", "words_overlap"))]
    if out and acceptable(verify(s, consistency)):
        rest = Claim(said.text, tuple(cited for cited in cites if cited not in out))
        assert acceptable(verify(submission_of(QUESTION, CHUNKS, rest), consistency))


def test_a_verifier_that_cannot_run_flags_no_citation_as_redundant():
    def fails(_):
        raise BackendError("the model is gone", hint="bring it back")

    s = submission_of(QUESTION, CHUNKS, Claim(PARAPHRASE, ("IPC_415_0", "IPC_417_0")))
    assert redundant_citations(s, (*CHECKS, ("claims_are_entailed", fails))) == frozenset()


def test_the_verifier_decides_too_which_citation_is_redundant():
    def only_both(s):
        return (
            Verdict.passed("claims_are_entailed")
            if all(len(claim.cites) == 2 for claim in s.draft.claims)
            else Verdict.failed("claims_are_entailed", Reason.CLAIM_UNSUPPORTED, "not by one alone")
        )

    s = submission_of(QUESTION, CHUNKS, Claim(PARAPHRASE, ("IPC_415_0", "IPC_417_0")))
    assert redundant_citations(s, (*CHECKS, ("claims_are_entailed", only_both))) == frozenset()


def test_the_answer_and_its_record_say_which_citations_are_decorative():
    says = Says(
        Claim(RULE.text, ("IPC_415_0", "IPC_417_0")),
        Claim("Whoever deceives any person and induces him to deliver property is said to cheat.", ("IPC_415_0",)),
    )
    evidence = evidence_of(QUESTION, RULE, LOOSE)
    outcome = answer_from(evidence, says, load_profile("legal"), CHECKS, lambda _: ("0" * 64, "x.txt"))
    assert isinstance(outcome, Answer), [v for v in outcome.verdicts if v.status != "pass"]
    details = outcome_record(outcome, "semantic_id")["citation_details"]
    assert [(d["claim"], d["id"], d["decorative"]) for d in details] == [
        (0, "IPC_415_0", True),
        (0, "IPC_417_0", False),
        (1, "IPC_415_0", False),
    ]
