"""Builders of evidence, drafts and submissions for tests."""

from dataclasses import replace
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Labels, OffsetMap, Segment
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import Span, sha256_hex
from footnotary.domain.query import Scope
from footnotary.gate.intent import understand
from footnotary.ports import Submission
from footnotary.profiles.load import load_profile
from footnotary.text.language import language_of


def chunk_of(cited: str, text: str, **labels: Any) -> Chunk:
    """A chunk that is a whole document of its own; act and section are read from an id like `IPC_420_0`."""
    parts = cited.split("_")
    own: dict[str, Any] = {"kind": "act", "code": parts[0], "act": parts[0], "language": language_of(text)}
    if len(parts) > 2:
        own["section"] = parts[-2]
    return Chunk(
        id=cited,
        document_id=f"{parts[0]}.txt",
        text=text,
        span=Span(0, len(text)),
        section=(),
        page=None,
        digest=sha256_hex(text),
        labels=replace(Labels(), **(own | labels)),
        kind="paragraph",
        origin=OffsetMap((Segment(0, len(text), 0, 0),)),
    )


def evidence_of(question: str, *chunks: Chunk, score: float = 0.9, profile: str = "legal") -> Evidence:
    """Evidence as retrieval would give it, every hit with the same score."""
    query = understand(question, Scope("test"), load_profile(profile))
    return Evidence(query, tuple(Hit(chunk, score) for chunk in chunks))


def submission_of(question: str, chunks: tuple[Chunk, ...], *claims: Claim, **draft: Any) -> Submission:
    """A draft of `claims` submitted for verification; `draft` are further fields of it."""
    evidence = evidence_of(question, *chunks)
    return Submission(evidence.query, evidence, replace(Draft(claims, "test"), **draft))
