"""The engine's result: an answer in which every claim is cited and verified, or a refusal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from footnotary.domain.chunk import FlagKind
from footnotary.domain.conflict import Conflict
from footnotary.domain.document import Labels, SourceLocation
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import SemanticId, Span
from footnotary.domain.later import LATER
from footnotary.domain.query import Query
from footnotary.domain.validity import ValidityStatus
from footnotary.domain.verdict import Reason, UnsupportedWords, Verdict


@dataclass(frozen=True, slots=True)
class Citation:
    """The source of one claim: a verbatim quote and its position in the original file.

    `chunk_span` is the quote's position in the chunk and `chunk.text[chunk_span] == quote`; `source_span` its position
    in the original file, in characters and in bytes; `answer_span` the claim's position in the answer's text
    without markers, in characters. `standing` says whether the document is in force on the day in question. A
    `decorative` (redundant) citation does not support its claim: without it, and all others like it, the claim is still
    supported. `marks` are the kinds of flags on what is quoted: the source calls it fiction, or it is an instruction.
    """

    id: SemanticId
    claim: int
    quote: str
    chunk_span: Span
    source_span: SourceLocation | None
    answer_span: Span
    page: int | None
    document_id: str
    document_sha256: str
    path: str
    confidence: float
    labels: Labels
    standing: ValidityStatus | None = None
    decorative: bool = False
    marks: tuple[FlagKind, ...] = field(default=(), metadata=LATER)


_SENTENCE_END = re.compile(r"[.!?।॥。:;,…—–-][\"'”’»)\]]*$")


def join_claims(claims: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """The claims as one text, and the span of each: sentences are joined by spaces.

    Lists are separate paragraphs, and so is what follows an entry or a row, which does not end like a sentence.
    """
    text = ""
    spans: list[Span] = []
    for number, claim in enumerate(claims):
        if number:
            before = claims[number - 1]
            is_apart = "\n" in claim or "\n" in before or _SENTENCE_END.search(before) is None
            text += "\n\n" if is_apart else " "
        spans.append(Span(len(text), len(text) + len(claim)))
        text += claim
    return text, tuple(spans)


@dataclass(frozen=True, slots=True)
class RejectedDraft:
    """A model's draft that was not delivered, the verdicts on it, and the words its sources do not support.

    For the audit and the operator only.
    """

    draft: Draft
    verdicts: tuple[Verdict, ...]
    unsupported: tuple[UnsupportedWords, ...] = ()

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """The verdicts for which it was rejected."""
        return tuple(verdict for verdict in self.verdicts if verdict.status != "pass")

    @property
    def reason(self) -> Reason:
        """The first reason in the fixed order, as a refusal reports it."""
        return min((one.reason for one in self.failed if one.reason is not None), key=lambda reason: reason.order)


@dataclass(frozen=True, slots=True)
class Answer:
    """A delivered answer. Every claim has a citation and every verdict is a pass; only the engine creates one.

    `conflicts` are those between its sources and other hits; the answer states both sides of each. `draft` is what the
    generator proposed, for the audit only; so are `readings`, the probabilities that a model on a server gave, by the
    hash of each request. `rejected` is the model's draft in whose place the sources are quoted, if there was one.
    """

    query: Query
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    evidence: Evidence
    verdicts: tuple[Verdict, ...]
    confidence: float
    generator: str
    profile: str
    profile_digest: str
    conflicts: tuple[Conflict, ...] = ()
    draft: Draft | None = field(default=None, repr=False, compare=False)
    readings: tuple[tuple[str, float], ...] = field(default=(), repr=False, compare=False)
    rejected: RejectedDraft | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        cited = {citation.claim for citation in self.citations}
        if not self.claims or cited != set(range(len(self.claims))):
            raise ValueError("an answer needs claims, and every claim a citation")
        if any(
            all(c.decorative for c in self.citations if c.claim == claim)
            for claim in {c.claim for c in self.citations if c.decorative}
        ):
            raise ValueError("every claim needs a supporting citation")
        if any(verdict.status != "pass" for verdict in self.verdicts):
            raise ValueError("every verdict of an answer must be a pass")

    @property
    def text(self) -> str:
        """The answer without markers; `answer_span`s point into it."""
        return join_claims([claim.text for claim in self.claims])[0]

    @property
    def quoted(self) -> bool:
        """Whether it quotes the sources because a model's draft was rejected."""
        return self.rejected is not None

    @property
    def sources(self) -> tuple[Hit, ...]:
        """The cited hits, in order of first citation."""
        order = list(dict.fromkeys(citation.id for citation in self.citations))
        by_id = {hit.chunk.id: hit for hit in self.evidence.hits}
        return tuple(by_id[cited] for cited in order)


@dataclass(frozen=True, slots=True)
class EvidenceGap:
    """What is missing for an answer: the facet of the question, the missing kind of evidence, the nearest passages."""

    facet: str
    missing: str
    nearest: tuple[SemanticId, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Only `message` is delivered, which is exactly the profile's text; `reason` is for programs.

    A refusal lists no source as support: `needed.nearest` only names the nearest passages, and `evidence` is kept for
    inspection. `conflicts` are the sources that disagree. `draft` is the rejected draft, if there is one: for the audit
    only, and never delivered. `beginning` is its verified prefix, if the profile streams claim by claim: an answer of
    its own, for clients that stream. `readings` are as those of an answer. `unsupported` are the words of the draft's
    claims that their sources do not support: for those who may see the draft.
    """

    query: Query
    message: str
    reason: Reason
    verdicts: tuple[Verdict, ...]
    needed: EvidenceGap
    evidence: Evidence
    profile: str
    profile_digest: str
    conflicts: tuple[Conflict, ...] = ()
    draft: Draft | None = field(default=None, repr=False, compare=False)
    beginning: Answer | None = field(default=None, repr=False, compare=False)
    readings: tuple[tuple[str, float], ...] = field(default=(), repr=False, compare=False)
    unsupported: tuple[UnsupportedWords, ...] = field(default=(), repr=False, compare=False, metadata=LATER)


Outcome: TypeAlias = Answer | Refusal
