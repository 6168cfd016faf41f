"""All checks run and are reported, and a draft that no answer resembles is refused unread."""

from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason
from footnotary.profiles.load import load_profile
from footnotary.testing.builders import chunk_of, submission_of
from footnotary.verify.claim_checks import CONSISTENCY_CHECKS
from footnotary.verify.run import MAX_CLAIMS, acceptable, checks_for, verify

CHUNK = chunk_of("IPC_379_0", "Theft may be punished with imprisonment up to three years, or fine, or both.")
CHECKS = checks_for(load_profile("legal"))


def claims(*texts: str) -> tuple[Claim, ...]:
    return tuple(Claim(text, (CHUNK.id,)) for text in texts)


def test_more_different_claims_than_any_answer_has_are_refused_unread():
    drafted = claims(*(f"Theft may be punished with {n} years." for n in range(MAX_CLAIMS + 1)))
    (verdict,) = verify(submission_of("theft", (CHUNK,), *drafted), CHECKS)
    assert verdict.reason is Reason.LENGTH_IMPLAUSIBLE


def test_a_claim_that_is_repeated_counts_once():
    guards = [(name, check) for name, check in CHECKS if name in CONSISTENCY_CHECKS]
    drafted = claims(CHUNK.text) * (MAX_CLAIMS + 1)
    assert acceptable(verify(submission_of("theft", (CHUNK,), *drafted), guards))


def test_every_check_names_the_first_claim_it_objects_to():
    drafted = claims(
        CHUNK.text,
        "Theft may be punished with imprisonment up to nine years, or fine, or both.",
        "Theft may be punished with imprisonment up to eight years, or fine, or both.",
        "Theft must be punished with imprisonment up to three years, or fine, or both.",
    )
    verdicts = {v.check: v for v in verify(submission_of("theft", (CHUNK,), *drafted), CHECKS)}
    assert verdicts["numbers_are_supported"].claims == (1,)
    assert verdicts["terms_are_not_substituted"].claims == (3,)
    assert set(verdicts) == {name for name, _ in CHECKS}
