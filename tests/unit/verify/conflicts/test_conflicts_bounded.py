"""Comparing sources costs no more than reading them, and where there is too much to compare nothing passes."""

import pytest

from footnotary.domain.document import Labels
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason
from footnotary.external.passages import make_evidence, make_hit
from footnotary.gate.intent import understand
from footnotary.ports import Submission
from footnotary.profiles.load import load_profile
from footnotary.verify.conflicts import agreement, aligned_passages
from footnotary.verify.conflicts.agreement import conflicts_of, sources_agree, with_both_sides

PROFILE = load_profile("default")


def tariff(number):
    return f"Item {number}: the person who holds licence {number} must pay {number} rupees within {number} days."


def fee(number):
    return f"The person who holds a licence must pay {number} rupees."


def submitted(row, passages, sentences, claims, extractive=False):
    """Passages whose sentences differ in their figures only, and claims that each quote one of them."""
    query = understand("What must the person pay?", Scope("p"), PROFILE)
    texts = [[row(100 + passage * sentences + n) for n in range(sentences)] for passage in range(passages)]
    hits = [make_hit(f"D{n}", " ".join(text), 1.0, Labels()) for n, text in enumerate(texts)]
    stated = (Claim(texts[n % passages][n // passages], (f"D{n % passages}",)) for n in range(claims))
    return Submission(query, make_evidence(query, hits), Draft(tuple(stated), "given", extractive=extractive))


@pytest.fixture
def read_sentences(monkeypatch):
    read = []

    def rule_in(sentence):
        read.append(sentence)
        return own(sentence)

    own = aligned_passages.rule_in
    monkeypatch.setattr(aligned_passages, "rule_in", rule_in)
    return read


def test_each_sentence_is_read_once_whatever_the_number_of_claims(read_sentences):
    submission = submitted(tariff, passages=15, sentences=40, claims=30)
    assert sources_agree("refuse")(submission).status == "pass"
    assert len(read_sentences) == len(set(read_sentences)) == 15 * 40


def test_each_pair_of_sentences_is_compared_once(monkeypatch):
    compared = []
    own = aligned_passages.disagreement
    monkeypatch.setattr(aligned_passages, "disagreement", lambda a, b: compared.append((a.text, b.text)) or own(a, b))
    submission = submitted(fee, passages=3, sentences=4, claims=3)
    reworded = tuple(Claim(f"{claim.text} This is so.", claim.cites) for claim in submission.draft.claims)
    draft = Draft((*submission.draft.claims, *reworded), "given")
    search = agreement._search(Submission(submission.query, submission.evidence, draft))
    assert {found.claim for found in search.found} == set(range(6))
    assert len(compared) == len(set(compared))


@pytest.mark.parametrize("policy", ["refuse", "state_both"])
@pytest.mark.parametrize(
    ("limit", "row"),
    [
        ("_MOST_COMPARISONS", tariff),
        ("_MOST_READ_CHARS", tariff),
        ("_MOST_CONFLICTS", fee),
    ],
)
def test_where_there_is_too_much_to_compare_the_check_fails(monkeypatch, policy, limit, row):
    monkeypatch.setattr(agreement if limit == "_MOST_CONFLICTS" else aligned_passages, limit, 10)
    submission = submitted(row, passages=4, sentences=5, claims=8, extractive=True)
    verdict = sources_agree(policy)(submission)
    assert verdict.status == "fail"
    assert verdict.reason is Reason.LENGTH_IMPLAUSIBLE
    assert "more than 10" in verdict.detail
    assert verdict.claims
    assert with_both_sides(submission) is submission


def test_a_submission_that_would_hold_up_a_server_fails(read_sentences):
    submission = submitted(tariff, passages=50, sentences=120, claims=60)
    verdict = sources_agree("refuse")(submission)
    assert (verdict.status, verdict.reason) == ("fail", Reason.LENGTH_IMPLAUSIBLE)
    assert "not all sources were compared" in verdict.detail
    assert len(read_sentences) == len(set(read_sentences))


def test_no_sentence_of_a_long_quote_is_passed_over():
    """One that is stated behind forty others contradicts as much as the first."""
    kept = " ".join(f"The {word}th register is kept by the clerk." for word in map(chr, range(0x3B1, 0x3B1 + 41)))
    query = understand("What must the person pay?", Scope("p"), PROFILE)
    long = f"{kept} {fee(500)}"
    hits = [make_hit("D0", long, 1.0, Labels()), make_hit("D1", fee(900), 1.0, Labels())]
    submission = Submission(query, make_evidence(query, hits), Draft((Claim(long, ("D0",)),), "given"))
    verdict = sources_agree("refuse")(submission)
    assert (verdict.status, verdict.reason) == ("fail", Reason.LENGTH_IMPLAUSIBLE)


def test_the_largest_answers_are_compared_in_full():
    submission = submitted(tariff, passages=10, sentences=50, claims=60)
    assert sources_agree("refuse")(submission).status == "pass"


def test_conflicts_found_before_the_end_are_still_reported(monkeypatch):
    monkeypatch.setattr(agreement, "_MOST_CONFLICTS", 2)
    submission = submitted(fee, passages=4, sentences=5, claims=8)
    assert len(conflicts_of(submission, (sources_agree("refuse")(submission),))) == 3
