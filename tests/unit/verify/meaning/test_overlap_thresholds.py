"""The screens: how many of its words a claim shares with its sources, how long it is, and what it may not repeat."""

from collections.abc import Sequence

import pytest

from footnotary import verify_claim
from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import FusionWeights
from footnotary.testing.builders import chunk_of, submission_of
from footnotary.verify.form.citations import citations_support_their_claims
from footnotary.verify.form.leakage import length_is_plausible, prompt_is_not_leaked
from footnotary.verify.meaning.overlap_thresholds import answer_is_grounded, words_overlap

RIVER = chunk_of("Geo_1_0", "The river carries silt to the delta every spring.")
TOWN = chunk_of("Geo_2_0", "The town keeps boats beside the bridge.")
COPIED = Claim("The river carries silt to the delta.", (RIVER.id,))
HALF = Claim("The river carries golden treasure.", (RIVER.id,))
UNRELATED = Claim("Wolves howl at midnight.", (RIVER.id,))
PROMPT = "Answer only from the sources below and put the number of a source behind every sentence."


def screened(check, *claims: Claim, **draft: str) -> Verdict:
    return check(submission_of("What does the river carry?", (RIVER, TOWN), *claims, **draft))


@pytest.mark.parametrize(("claim", "passes"), [(COPIED, True), (HALF, True), (UNRELATED, False)])
def test_a_claim_shares_as_many_words_with_its_source_as_is_asked(claim: Claim, passes: bool):
    verdict = screened(words_overlap(0.5, 0.3), claim)
    assert (verdict.status == "pass") is passes
    assert passes or (verdict.reason, verdict.claims) == (Reason.OVERLAP_LOW, (0,))


def test_of_a_claim_with_several_sources_less_is_asked():
    check = words_overlap(0.8, 0.5)
    assert screened(check, HALF).status == "fail"
    assert screened(check, Claim(HALF.text, (RIVER.id, TOWN.id))).status == "pass"


def test_an_answer_is_grounded_where_enough_of_its_claims_are():
    check = answer_is_grounded(0.8, 0.7)
    assert screened(check, COPIED).status == "pass"
    assert screened(check, COPIED, COPIED, COPIED, UNRELATED).status == "pass"
    found = screened(check, COPIED, UNRELATED)
    assert (found.status, found.reason) == ("fail", Reason.GROUNDING_LOW)
    assert screened(check).status == "fail"


def test_words_spread_over_two_sources_ground_a_claim_in_neither():
    both = Claim("The river carries boats beside the bridge.", (RIVER.id, TOWN.id))
    assert screened(answer_is_grounded(0.9, 0.7), both).status == "fail"


def test_an_answer_much_longer_than_its_sources_was_added_to():
    check = length_is_plausible(1.5)
    assert screened(check, COPIED).status == "pass"
    found = screened(check, *[COPIED] * 5)
    assert (found.status, found.reason) == ("fail", Reason.LENGTH_IMPLAUSIBLE)


def test_eight_words_of_the_prompt_are_not_repeated():
    leaked = Claim("I put the number of a source behind every sentence.", (RIVER.id,))
    found = screened(prompt_is_not_leaked, COPIED, leaked, prompt=PROMPT)
    assert (found.status, found.reason, found.claims) == ("fail", Reason.PROMPT_LEAKED, (1,))
    seven = Claim("The number of a source behind every page.", (RIVER.id,))
    assert screened(prompt_is_not_leaked, seven, prompt=PROMPT).status == "pass"
    assert screened(prompt_is_not_leaked, leaked).status == "pass"


def test_what_a_cited_source_says_is_no_secret_of_the_prompt():
    says_it = chunk_of("Rule_1_0", f"Clerks are told this: {PROMPT}")
    claim = Claim("They put the number of a source behind every sentence.", (says_it.id,))
    assert prompt_is_not_leaked(submission_of("rules", (says_it,), claim, prompt=PROMPT)).status == "pass"


class Sure:
    """A model that gives every claim the same probability."""

    name = "sure"
    fusion_weights = FusionWeights()

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        return [self.chance for _ in pairs]


@pytest.mark.parametrize(("chance", "passes"), [(0.97, True), (0.94, False)])
def test_what_the_model_is_sure_of_need_not_share_words(chance: float, passes: bool):
    reworded = Claim("Sediment reaches its mouth when winter ends.", (RIVER.id,))
    verdict = screened(words_overlap(0.5, 0.3, Sure(chance), 0.95), reworded)
    assert (verdict.status == "pass") is passes


def test_a_single_claim_has_the_same_overlap_threshold():
    said = "Sediment reaches its mouth when winter ends."
    assert verify_claim(said, RIVER.text, verifier=Sure(0.97)).supported
    assert verify_claim(said, RIVER.text, verifier=Sure(0.94)).reasons == (Reason.OVERLAP_LOW,)


def test_a_claim_that_only_a_heading_makes_is_not_supported_by_what_stands_below_it():
    claim = "Employers may dismiss workers without notice."
    hall = chunk_of("Hall_1_0", "The Board meets every month in the main hall.", title=claim)
    verdict = citations_support_their_claims()(submission_of("May employers?", (hall,), Claim(claim, (hall.id,))))
    assert verdict.reason is Reason.CITATION_UNSUPPORTING
    fine = chunk_of("Fine_1_0", "The fine is ten rupees.", title="Theft")
    named = Claim("The fine for theft is ten rupees.", (fine.id,))
    assert citations_support_their_claims()(submission_of("What fine?", (fine,), named)).status == "pass"


@pytest.mark.parametrize(("overlap", "passes"), [(1.0, True), (0.0, False)])
def test_words_in_common_that_count_in_a_score_that_holds_are_not_asked_for_again(overlap: float, passes: bool):
    model = Sure(0.9)
    model.fusion_weights = FusionWeights(overlap=overlap)
    reworded = Claim("Sediment reaches its mouth when winter ends.", (RIVER.id,))
    assert (screened(words_overlap(0.5, 0.3, model, 0.95, 0.55), reworded).status == "pass") is passes
    assert (screened(words_overlap(0.5, 0.3, model, 0.95, 0.99), reworded).status == "pass") is False
