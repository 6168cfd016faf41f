"""Feedback and reviews as evaluation data: rows of claim, passages and label, as `footnotary eval` reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from footnotary.audit.bundle_content import Content
from footnotary.audit.feedback import FeedbackStore, Review, ReviewState
from footnotary.audit.log import AuditLog

FeedbackRow = dict[str, Any]

_BATCH_SIZE = 500


def labelled_rows(log: AuditLog, feedback: FeedbackStore) -> Iterator[FeedbackRow]:
    """A row per claim that a person labelled: answers rated good, and review cases that were kept.

    A bad rating alone labels nothing, it opens a review case; while that is open, good ratings by others label nothing
    either. Answers whose questions are not logged have no rows.
    """
    decided = set[int]()
    for case in _cases(feedback, "kept"):
        decided.add(case.seq)
        content = log.content(case.answer_id) if case.answer_id else None
        if content is not None and case.kind == "rejected_draft":
            yield from _draft_rows(content, supported=bool(case.supported), note=case.note)
        elif content is not None:
            yield from _answer_rows(content, label=int(bool(case.supported)), note=case.note)
    ratings = feedback.feedback()
    disputed = {rated.seq for rated in ratings if rated.rating == "down"}
    disputed -= {case.seq for case in _cases(feedback, "dismissed")}
    for rated in ratings:
        if rated.rating == "up" and rated.answer_id and rated.seq not in decided and rated.seq not in disputed:
            decided.add(rated.seq)
            content = log.content(rated.answer_id)
            if content is not None:
                yield from _answer_rows(content, label=1, note=rated.comment)


def _cases(feedback: FeedbackStore, state: ReviewState) -> Iterator[Review]:
    after = 0
    while cases := feedback.reviews(state, after, _BATCH_SIZE):
        after = cases[-1].id
        yield from cases


def _answer_rows(content: Content, *, label: int, note: str | None) -> Iterator[FeedbackRow]:
    if content["outcome"]["kind"] == "answer":
        for number, claim in enumerate(content["outcome"]["claims"]):
            yield _row(content, number, claim, label, note)


def _draft_rows(content: Content, *, supported: bool, note: str | None) -> Iterator[FeedbackRow]:
    """The claims of a rejected draft: all of them if it was right, else those that failed a check."""
    faulty = {n for verdict in content["outcome"]["verdicts"] if verdict["status"] == "fail" for n in verdict["claims"]}
    for number, claim in enumerate(content["draft"]["claims"]):
        if supported or number in faulty:
            yield _row(content, number, claim, int(supported), note)


def _row(content: Content, number: int, claim: dict[str, Any], label: int, note: str | None) -> FeedbackRow:
    passages = {hit["chunk"]["id"]: hit["chunk"]["text"] for hit in content["evidence"]}
    cited = [passages[one] for one in claim["cites"] if one in passages]
    return {
        "id": f"{content['answer_id']}:{number}",
        "group": content["answer_id"],
        "dataset": "feedback",
        "task": content["profile"]["name"],
        "question": content["query"]["text"],
        "claim": claim["text"],
        "premise": cited or list(passages.values()),
        "label": label,
        "note": note,
    }
