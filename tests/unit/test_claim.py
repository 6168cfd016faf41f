"""`verify_claim`: the product's verdict on a claim and the passages it is to stand on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.errors import ProfileError

SOURCE = (
    "Whoever cheats shall be punished with imprisonment for a term which may extend to seven years, and shall also be "
    "liable to fine. A landlord may evict a tenant unless the rent was paid."
)


@pytest.mark.parametrize(
    "claim",
    [
        SOURCE,
        "A landlord may evict a tenant unless the rent was paid.",
        "A landlord may evict  a tenant unless the rent was paid. [Rent_4_0]",
        "According to [Rent_4_0], a landlord may evict a tenant unless the rent was paid.",
    ],
)
def test_a_copied_sentence_is_supported_in_full(claim):
    verdict = verify_claim(claim, SOURCE)
    assert (verdict.supported, verdict.label, verdict.score, verdict.reasons) == (True, "supported", 1.0, ())
    assert verdict.decisive in SOURCE


@pytest.mark.parametrize(
    "claim",
    [
        "A person who cheats shall be punished with imprisonment up to 7 years.",
        "Cheating is punished with imprisonment which may extend to seven years and with a fine.",
    ],
)
def test_a_faithful_paraphrase_is_supported(claim):
    verdict = verify_claim(claim, [SOURCE])
    assert verdict.supported
    assert verdict.label == "supported"
    assert 0.5 <= verdict.score < 1.0
    assert verdict.reasons == ()


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Whoever cheats shall be punished with imprisonment up to seventy years.", Reason.NUMBER_UNSUPPORTED),
        ("Whoever cheats shall be punished with imprisonment up to seven months.", Reason.NUMBER_UNSUPPORTED),
        ("Whoever cheats shall not be punished with imprisonment up to seven years.", Reason.TERM_SUBSTITUTED),
        ("A tenant may evict a landlord unless the rent was paid.", Reason.TERM_SUBSTITUTED),
        ("A landlord may evict a tenant.", Reason.TERM_SUBSTITUTED),
        ("A landlord must evict a tenant unless the rent was paid.", Reason.TERM_SUBSTITUTED),
    ],
)
def test_a_check_that_objects_makes_the_claim_contradicted(claim, reason):
    verdict = verify_claim(claim, [SOURCE])
    assert not verdict.supported
    assert verdict.label == "contradicted"
    assert verdict.score < 0.55
    assert reason in verdict.reasons
    assert len(verdict.details) == len(verdict.reasons)


def test_an_unrelated_passage_is_not_enough_information():
    verdict = verify_claim("The Moon orbits the Earth in 27 days.", [SOURCE])
    assert (verdict.supported, verdict.label) == (False, "not_enough_information")
    assert verdict.reasons == (Reason.OVERLAP_LOW,)


@pytest.mark.parametrize("claim", ["", "   ", "...", "[IPC_420_0]", "[1] [2]"])
def test_an_empty_claim_is_not_supported(claim):
    verdict = verify_claim(claim, SOURCE)
    assert (verdict.supported, verdict.score, verdict.reasons) == (False, 0.0, (Reason.EMPTY_ANSWER,))


@pytest.mark.parametrize("passages", [[], "", ["", "  "], ()])
def test_without_passages_nothing_is_supported(passages):
    verdict = verify_claim("Cheating is a crime.", passages)
    assert (verdict.supported, verdict.label) == (False, "not_enough_information")
    assert verdict.reasons == (Reason.NO_RELEVANT_CONTENT,)


def test_one_false_sentence_spoils_the_claim():
    verdict = verify_claim(f"{SOURCE} Whoever cheats shall not be punished with imprisonment.", SOURCE)
    assert not verdict.supported
    assert verdict.label == "contradicted"


def test_any_of_several_passages_may_support_a_claim():
    verdict = verify_claim("A landlord may evict a tenant unless the rent was paid.", ["The sky is blue.", SOURCE])
    assert verdict.score == 1.0


@pytest.mark.parametrize("profile", ["default", "legal", "compliance", "tutor"])
def test_every_profile_verifies(profile):
    assert verify_claim(SOURCE, SOURCE, profile=profile).supported


def test_an_unknown_profile_is_a_usage_error():
    with pytest.raises(ProfileError):
        verify_claim("x", "x", profile="nowhere")


@given(st.text(max_size=120), st.lists(st.text(max_size=120), max_size=3))
def test_no_input_raises_and_the_score_says_whether_it_is_supported(claim, passages):
    verdict = verify_claim(claim, passages)
    assert 0.0 <= verdict.score <= 1.0
    assert verdict.supported == (verdict.label == "supported") == (verdict.score >= 0.5) == (not verdict.reasons)


def test_a_profile_with_a_higher_threshold_asks_for_more_support(tmp_path):
    strict = tmp_path / "strict.toml"
    strict.write_text('name = "strict"\nextends = "default"\n[verification]\nentailment_threshold = 0.999\n')
    claim = "A person who cheats shall be punished with imprisonment up to 7 years."
    assert verify_claim(claim, SOURCE).supported
    verdict = verify_claim(claim, SOURCE, profile=str(strict))
    assert not verdict.supported
    assert verdict.reasons == (Reason.CLAIM_UNSUPPORTED,)
    assert verdict.score == verify_claim(claim, SOURCE).score
    assert verify_claim(SOURCE, SOURCE, profile=str(strict)).supported


def test_a_claim_longer_than_the_verifier_reads_is_not_supported():
    claim = "A landlord may evict a tenant" + " and the owner of the house next door said so" * 100 + "."
    assert not verify_claim(claim, SOURCE).supported
