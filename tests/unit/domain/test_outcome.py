"""An answer is one only where every claim is cited and every verdict a pass."""

from dataclasses import replace

import pytest

from footnotary.domain.draft import Claim
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation, join_claims
from footnotary.domain.verdict import Reason, Verdict
from footnotary.testing.builders import chunk_of, evidence_of

SOURCE = chunk_of("IPC_420_0", "Whoever cheats pays a fine. Whoever steals goes to prison.")
CLAIMS = (Claim("Whoever cheats pays a fine.", (SOURCE.id,)), Claim("Whoever steals goes to prison.", (SOURCE.id,)))


def cited(number: int, **more: bool) -> Citation:
    claim = CLAIMS[number].text
    at = SOURCE.text.index(claim)
    span = Span(at, at + len(claim))
    return Citation(SOURCE.id, number, claim, span, None, span, 1, "ipc", "0" * 64, "ipc.txt", 0.9, SOURCE.labels, **more)  # fmt: skip


def answer(*citations: Citation, claims: tuple[Claim, ...] = CLAIMS, verdict: Verdict | None = None) -> Answer:
    evidence = evidence_of("What of cheats and thieves?", SOURCE)
    verdicts = (Verdict.passed("claims_are_cited"), verdict or Verdict.passed("words_overlap"))
    return Answer(evidence.query, claims, citations, evidence, verdicts, 0.9, "test", "legal", "0" * 64)


def test_an_answer_whose_claims_are_cited_and_checked_can_be_made():
    assert answer(cited(0), cited(1)).text == SOURCE.text


@pytest.mark.parametrize(
    "verdict",
    [Verdict.failed("words_overlap", Reason.OVERLAP_LOW, "few"), Verdict.skipped("words_overlap", Reason.OVERLAP_LOW, "down")],
    ids=lambda verdict: verdict.status,
)  # fmt: skip
def test_with_a_verdict_that_is_no_pass_there_is_no_answer(verdict: Verdict):
    with pytest.raises(ValueError, match="must be a pass"):
        answer(cited(0), cited(1), verdict=verdict)


@pytest.mark.parametrize("citations", [(), (cited(0),), (cited(0), replace(cited(1), claim=2))])
def test_a_claim_without_a_citation_makes_no_answer(citations: tuple[Citation, ...]):
    with pytest.raises(ValueError, match="every claim a citation"):
        answer(*citations)


def test_an_answer_needs_claims():
    with pytest.raises(ValueError, match="needs claims"):
        answer(claims=())


def test_not_all_citations_of_a_claim_are_decorative():
    with pytest.raises(ValueError, match="supporting citation"):
        answer(cited(0, decorative=True), cited(1))
    assert answer(cited(0), cited(0, decorative=True), cited(1)).claims == CLAIMS


def test_an_entry_and_a_row_are_apart_from_what_follows_and_sentences_are_not():
    text, spans = join_claims(
        ["Offer day: 16 April [1]", "Fee | 10 [1]", "It is due in May [2].", "“Pay early.”", "Or not."]
    )
    assert text == "Offer day: 16 April [1]\n\nFee | 10 [1]\n\nIt is due in May [2]. “Pay early.” Or not."
    assert [span.of(text) for span in spans][2:4] == ["It is due in May [2].", "“Pay early.”"]
