"""The report of an ingest: the outcome of every file."""

from dataclasses import dataclass, field
from typing import Literal

IngestOutcome = Literal["added", "replaced", "unchanged", "failed", "skipped"]
IngestStage = Literal["reading", "embedding", "done"]


@dataclass(frozen=True, slots=True)
class IngestedDocument:
    """A document that is now in the store; `duplicate_of` is the id of a document that already had its content.

    `pages_without_text` are the pages, from 1, that are not blank but gave no text: nothing on them can be cited.
    `left_out` describes other visible content that was not read. `flagged` are the sentences that instruct the system
    that answers: they are stored, and no answer is drafted from them. `declared` is what the document declares itself
    to be, if not factual: "fiction", "hypothetical" or "superseded".
    """

    path: str
    document_id: str
    chunks: int
    duplicate_of: str | None = None
    pages_without_text: tuple[int, ...] = ()
    left_out: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """A file that was not ingested: a short code for programs, the rest for people."""

    path: str
    reason: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class IngestStep:
    """The progress of an ingest: file `number` of `total`, counted from 1, and how many of its chunks are embedded.

    `total` grows when an archive is opened. While a long file is parsed, the counts are pages. The last step of each
    file is "done" and has its outcome.
    """

    path: str
    number: int
    total: int
    stage: IngestStage
    chunks_done: int = 0
    chunks_total: int = 0
    outcome: IngestOutcome | None = None


@dataclass(frozen=True, slots=True)
class IngestReport:
    """All files in the order they were found, by outcome.

    `skipped` are files found in a folder that are not documents; `failed` are documents that could not be ingested.
    `chunks` is the number of passages of the listed documents in the store. After an interruption, the listed documents
    are safely stored, and the same call resumes where it stopped.
    """

    added: tuple[IngestedDocument, ...] = ()
    unchanged: tuple[IngestedDocument, ...] = ()
    replaced: tuple[IngestedDocument, ...] = ()
    failed: tuple[RejectedFile, ...] = ()
    skipped: tuple[RejectedFile, ...] = ()
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def chunks(self) -> int:
        entries = (*self.added, *self.replaced, *self.unchanged)
        return sum(entry.chunks for entry in entries if entry.duplicate_of is None)


@dataclass(slots=True)
class IngestTally:
    """Collects the outcomes for a report."""

    ingested: dict[IngestOutcome, list[IngestedDocument]] = field(
        default_factory=dict[IngestOutcome, list[IngestedDocument]]
    )
    rejected: dict[IngestOutcome, list[RejectedFile]] = field(default_factory=dict[IngestOutcome, list[RejectedFile]])
    interrupted: bool = False

    def add_ingested(self, outcome: IngestOutcome, entry: IngestedDocument) -> None:
        self.ingested.setdefault(outcome, []).append(entry)

    def add_rejected(self, outcome: IngestOutcome, entry: RejectedFile) -> None:
        self.rejected.setdefault(outcome, []).append(entry)

    def report(self, seconds: float) -> IngestReport:
        return IngestReport(
            added=tuple(self.ingested.get("added", ())),
            unchanged=tuple(self.ingested.get("unchanged", ())),
            replaced=tuple(self.ingested.get("replaced", ())),
            failed=tuple(self.rejected.get("failed", ())),
            skipped=tuple(self.rejected.get("skipped", ())),
            seconds=seconds,
            interrupted=self.interrupted,
        )
