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
