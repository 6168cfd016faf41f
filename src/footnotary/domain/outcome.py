"""What leaves the engine: an answer in which every claim is cited and verified, or a refusal."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from footnotary.domain.conflict import Conflict
from footnotary.domain.document import Labels, Located
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import SemanticId, Span
from footnotary.domain.query import Query
from footnotary.domain.validity import Standing
from footnotary.domain.verdict import Reason, Verdict


@dataclass(frozen=True, slots=True)
class Citation:
    """Where one claim comes from: a verbatim quote and the way back to the original file.

    `chunk_span` is the quote's place in the chunk and `chunk.text[chunk_span] == quote`; `source_span` its place
    in the original file, in characters and in bytes; `answer_span` the claim's place in the answer's text
    without markers, in characters. `standing` is how the document stands on the day asked about. A `decorative`
    citation can be left out, with all others of its claim that are, and the claim still holds.
    """

    id: SemanticId
    claim: int
    quote: str
    chunk_span: Span
    source_span: Located | None
    answer_span: Span
    page: int | None
    document_id: str
    document_sha256: str
    path: str
    confidence: float
    labels: Labels
    standing: Standing | None = None
    decorative: bool = False


def joined(claims: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """One text of several claims, and where each stands in it: sentences run on, a list stands on lines of its own."""
    text = ""
    spans: list[Span] = []
    for number, claim in enumerate(claims):
        if number:
            text += "\n\n" if "\n" in claim or "\n" in claims[number - 1] else " "
        spans.append(Span(len(text), len(text) + len(claim)))
        text += claim
    return text, tuple(spans)


@dataclass(frozen=True, slots=True)
class Answer:
    """A delivered answer. Every claim has a citation and every verdict is a pass; only the engine makes one.

    `conflicts` are those between its sources and others that were found; the answer states both sides of each. `draft`
    is what the generator proposed, for the audit alone.
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

    def __post_init__(self) -> None:
        cited = {citation.claim for citation in self.citations}
        if not self.claims or cited != set(range(len(self.claims))):
            raise ValueError("an answer needs claims, and every claim a citation")
        if any(
            all(c.decorative for c in self.citations if c.claim == claim)
            for claim in {c.claim for c in self.citations if c.decorative}
        ):
            raise ValueError("a claim keeps a citation that is not decorative")
        if any(verdict.status != "pass" for verdict in self.verdicts):
            raise ValueError("an answer with a verdict that is not a pass is no answer")

    @property
    def text(self) -> str:
        """The answer without markers; `answer_span`s point into it."""
        return joined([claim.text for claim in self.claims])[0]

    @property
    def sources(self) -> tuple[Hit, ...]:
        """The hits that are cited, in order of first citation."""
        order = list(dict.fromkeys(citation.id for citation in self.citations))
        by_id = {hit.chunk.id: hit for hit in self.evidence.hits}
        return tuple(by_id[cited] for cited in order)


@dataclass(frozen=True, slots=True)
class Needed:
    """What would be needed for an answer: the facet asked for, the kind of evidence missing, what came nearest."""

    facet: str
    missing: str
    nearest: tuple[SemanticId, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing is delivered but `message`, which is exactly the profile's text; `reason` is for programs.

    A refusal lists no source as if it supported anything: `needed.nearest` only says where the search came
    closest, and `evidence` is kept for whoever wants to look further. `conflicts` are the sources found to disagree.
    `draft` is what was rejected, if it came to one: for the audit alone, and never part of what is delivered.
    `beginning` is how far it was good, where the profile releases claim by claim: an answer by itself, for those who
    read it as a stream.
    """

    query: Query
    message: str
    reason: Reason
    verdicts: tuple[Verdict, ...]
    needed: Needed
    evidence: Evidence
    profile: str
    profile_digest: str
    conflicts: tuple[Conflict, ...] = ()
    draft: Draft | None = field(default=None, repr=False, compare=False)
    beginning: Answer | None = field(default=None, repr=False, compare=False)


Outcome: TypeAlias = Answer | Refusal
