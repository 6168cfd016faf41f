"""The shipped verifiers: reworded claims, verified by the installed weights."""

import pytest

from footnotary import verify_claim
from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason, Verdict
from footnotary.gate.sufficiency import check_sufficiency
from footnotary.models.model_packages import SHIPPED_MODELS, locate_model
from footnotary.profiles.load import load_profile
from footnotary.reader.shipped import open_verifier, reader_for
from footnotary.testing.builders import chunk_of, evidence_of, submission_of
from footnotary.verify.run import checks_for, verify

pytestmark = pytest.mark.trained

DEPOSIT = (
    "The licensee shall refund the security deposit to the resident within twenty-one days after the room is vacated. "
    "If the room was damaged, the licensee may deduct the cost of repair, and shall give the resident a statement of it."
)
GLAND = (
    "The thyroid gland takes up iodine from the blood and makes thyroxin, which regulates how fast the body uses energy. "
    "Where food lacks iodine, the gland swells, and the swelling is called goitre."
)


@pytest.mark.parametrize("size", ["large", "small"])
@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("After a resident moves out, the licensee has twenty-one days to give the deposit back.", DEPOSIT),
        ("The cost of repairs may be taken out of the deposit when the room was damaged.", DEPOSIT),
        ("Goitre is the swelling of the gland where food lacks iodine.", GLAND),
    ],
)
def test_a_faithful_restatement_is_supported(size: str, claim: str, source: str):
    verdict = verify_claim(claim, source, verifier=open_verifier(size) or "lexical")
    assert verdict.supported, verdict
    assert verdict.decisive


@pytest.mark.parametrize("size", ["large", "small"])
@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The resident shall refund the deposit to the licensee within twenty-one days.", DEPOSIT),
        ("The licensee shall refund the security deposit within twelve days after the room is vacated.", DEPOSIT),
        ("The licensee need not give the resident any statement of the deduction.", DEPOSIT),
        ("Thyroxin regulates how fast the heart beats at night in children.", GLAND),
    ],
)
def test_one_changed_fact_is_refused(size: str, claim: str, source: str):
    assert not verify_claim(claim, source, verifier=open_verifier(size) or "lexical").supported


@pytest.mark.parametrize(
    "claim",
    [
        "Energy regulates how fast the thyroid gland makes thyroxin.",
        "Thyroxin makes the thyroid gland take up iodine.",
    ],
)
def test_a_claim_that_no_word_gives_away_is_refused_for_its_meaning(claim: str):
    verdict = verify_claim(claim, GLAND)
    assert not verdict.supported
    assert verdict.reasons


def test_a_claim_in_hindi_is_left_to_words_and_guards():
    source = "नियोजक मजदूरी का संदाय मजदूरी अवधि के अंतिम दिन के पश्चात् सातवें दिन के भीतर करेगा।"
    verifier = open_verifier("small")
    assert verifier is not None
    claim = "मजदूरी का संदाय नियोजक अंतिम दिन के पश्चात् सातवें दिन के भीतर करेगा।"
    assert verify_claim(claim, source, verifier=verifier).score == verify_claim(claim, source, verifier="lexical").score


def test_the_verifier_is_loaded_only_when_a_claim_needs_it(monkeypatch: pytest.MonkeyPatch):
    verifier = open_verifier("small")
    assert verifier is not None
    monkeypatch.setattr(verifier, "support", lambda pairs: pytest.fail("a copied sentence was shown to the model"))
    assert verify_claim(GLAND, GLAND, verifier=verifier).score == 1.0


def drafted(claim: str) -> dict[str, Verdict]:
    chunk = chunk_of("RENT_4_0", DEPOSIT)
    checks = checks_for(load_profile("default"), open_verifier("large"))
    return {v.check: v for v in verify(submission_of("deposit", (chunk,), Claim(claim, (chunk.id,))), checks)}


def test_each_claim_of_a_draft_is_verified_against_what_it_cites():
    verdict = drafted("The licensee gives the deposit back within twenty-one days after the room is vacated.")
    assert verdict["claims_are_entailed"].status == "pass"
    assert str(verdict["claims_are_entailed"].values["verifier"]).startswith("verifier-large@")


def test_a_draft_without_support_is_refused_with_the_sentence_that_decided():
    verdict = drafted("A resident whose deposit is late may lodge a complaint with the room and have it repaired.")
    assert verdict["claims_are_entailed"].reason is Reason.CLAIM_UNSUPPORTED
    assert "The licensee shall refund" in verdict["claims_are_entailed"].detail


@pytest.mark.parametrize(
    ("question", "source"),
    [
        (
            "What made the harbour town prosper?",
            "Dunmore grew rich on the herring trade, which brought ships from every port of the coast.",
        ),
        (
            "Can I bring my dog?",
            "Animals are not admitted to the reading rooms, guide dogs excepted.",
        ),
    ],
)
def test_evidence_in_other_words_than_the_question_suffices_where_the_model_is_sure(question: str, source: str):
    policy = load_profile("default")
    evidence = evidence_of(question, chunk_of("TOWN_1_0", source))
    assert check_sufficiency(evidence, policy).verdict.status == "fail"
    assert check_sufficiency(evidence, policy, reader_for(policy, "profile")).verdict.status == "pass"


def test_the_weights_are_within_their_bounds():
    files = [file for name in SHIPPED_MODELS for file in locate_model(name).iterdir() if file.is_file()]
    sizes = [file.stat().st_size for file in files]
    assert sum(sizes) <= 210_000_000
    assert max(sizes) <= 50_000_000
