"""Any answer against any passages: the whole contract, and every claim for itself."""

import pytest

from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason
from footnotary.external.answer_check import CitablePassage, check_answer
from footnotary.profiles.load import load_profile

CHEATING = CitablePassage(
    "IPC_420_0",
    "Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished with "
    "imprisonment for a term which may extend to seven years, and shall also be liable to fine.",
)
THEFT = CitablePassage(
    "IPC_379_0",
    "Whoever commits theft shall be punished with imprisonment of either description for a term which may extend to "
    "three years, or with fine, or with both.",
)


def test_a_cited_and_true_answer_holds_and_each_claim_has_its_decisive_sentence():
    answer = "Whoever commits theft shall be punished with imprisonment which may extend to three years [IPC_379_0]."
    checked = check_answer(answer, [CHEATING, THEFT])
    assert checked.holds, [v for v in checked.verdicts if v.status != "pass"]
    (claim,) = checked.claims
    assert claim.supported
    assert claim.supported_by == ("IPC_379_0",)
    assert claim.decisive.id == "IPC_379_0"
    assert claim.decisive.quote == claim.decisive.span.of(THEFT.text)
    assert claim.span.of(answer) == answer


def test_a_false_figure_breaks_its_claim_and_the_whole():
    checked = check_answer("Theft is punished with imprisonment up to thirty years [2].", [CHEATING, THEFT])
    assert not checked.holds
    (claim,) = checked.claims
    assert claim.cites == ("IPC_379_0",)
    assert not claim.supported
    assert Reason.NUMBER_UNSUPPORTED in claim.reasons


def test_an_uncited_claim_finds_its_passage_and_the_contract_still_does_not_hold():
    checked = check_answer("Whoever commits theft shall be punished with imprisonment.", [CHEATING, THEFT])
    (claim,) = checked.claims
    assert claim.supported
    assert claim.supported_by == ("IPC_379_0",)
    assert not checked.holds
    assert Reason.CLAIM_UNCITED in {verdict.reason for verdict in checked.verdicts}


def test_a_claim_that_cites_the_wrong_passage_is_not_saved_by_the_right_one():
    checked = check_answer([Claim("Whoever commits theft shall be punished.", ("IPC_420_0",))], [CHEATING, THEFT])
    assert not checked.holds
    assert checked.claims[0].decisive.id == "IPC_420_0"


@pytest.mark.parametrize("name", ["default", "legal", "tutor"])
def test_an_exact_refusal_holds_and_claims_nothing(name):
    checked = check_answer(load_profile(name).refusal.en, [THEFT], name)
    assert checked.holds
    assert checked.refused
    assert checked.claims == ()


@pytest.mark.parametrize("answer", ["", "   ", "[", "[IPC_379_0]", "\x00", "?" * 5000])
def test_no_answer_raises_and_nothing_said_does_not_hold(answer):
    assert not check_answer(answer, [THEFT]).holds
    assert not check_answer(answer, []).holds


def test_a_number_that_is_a_passage_s_own_id_means_that_passage():
    first, second = CitablePassage("2", CHEATING.text), CitablePassage("7", THEFT.text)
    checked = check_answer("Whoever cheats shall be liable to fine [2].", [first, second])
    assert checked.claims[0].cites == ("2",)


@pytest.mark.parametrize(
    "name", ["3f2b-11", "550e8400-e29b-41d4-a716-446655440000", "hr/leave policy.pdf#3", "Größe-1", "-"]
)
@pytest.mark.parametrize("marker", ["[{}]", "[SOURCE: {}]"])
def test_an_id_of_another_system_was_read_as_a_part_of_the_claim(name, marker):
    """A UUID in brackets was no citation, and its digits were figures that the source does not have."""
    passages = [CitablePassage("fee", "Tea is free."), CitablePassage(name, THEFT.text)]
    answer = f"Whoever commits theft shall be punished with imprisonment which may extend to {{}} years {marker}."
    checked = check_answer(answer.format("three", name), passages)
    assert checked.holds, [v for v in checked.verdicts if v.status != "pass"]
    (claim,) = checked.claims
    assert (claim.cites, claim.supported) == ((name,), True)
    assert claim.span.of(answer.format("three", name)) == answer.format("three", name)
    assert not check_answer(answer.format("nine", name), passages).holds


@pytest.mark.parametrize("cited", ["3f2b-12", "3F2b-11", "3f2bX11", "3f2b-11, fee"])
def test_only_the_exact_id_of_a_passage_is_a_citation_of_it(cited):
    answer = f"Whoever commits theft shall be punished with imprisonment [{cited}]."
    checked = check_answer(answer, [CitablePassage("3f2b-11", THEFT.text), CitablePassage("fee", "Tea is free.")])
    assert not checked.holds
    assert all("3f2b-11" not in claim.cites for claim in checked.claims)
