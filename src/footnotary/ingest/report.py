"""What became of the files that were to be taken in."""

from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal["added", "replaced", "unchanged", "failed", "skipped"]
Stage = Literal["reading", "embedding", "done"]


@dataclass(frozen=True, slots=True)
class Taken:
    """A document that is in the store now; `duplicate_of` names the document that already had its content.

    `pages_without_text` are the pages, from 1, that show something and gave no text: nothing on them can be cited.
    `left_out` says in words what else the file shows and was not read.
    """

    path: str
    document_id: str
    chunks: int
    duplicate_of: str | None = None
    pages_without_text: tuple[int, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """A file that was not taken in: a short code for programs, the rest for people."""

    path: str
    reason: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class IngestStep:
    """Where an ingest stands: file `number` of `total`, counted from 1, and how many of its chunks are embedded.

    `total` grows when an archive is opened. While a long file is read, the numbers are those of its pages. The last
    step of each file is "done" and says its outcome.
    """

    path: str
    number: int
    total: int
    stage: Stage
    chunks_done: int = 0
    chunks_total: int = 0
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class IngestReport:
    """All files in the order they were met, by what became of them.

    `skipped` are files met in a folder that are no documents; `failed` are those that should have been. `chunks`
    counts the passages that the documents listed have in the store. After an interruption, what is listed is
    safely stored, and the same call goes on where it stopped.
    """

    added: tuple[Taken, ...] = ()
    unchanged: tuple[Taken, ...] = ()
    replaced: tuple[Taken, ...] = ()
    failed: tuple[Left, ...] = ()
    skipped: tuple[Left, ...] = ()
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def chunks(self) -> int:
        entries = (*self.added, *self.replaced, *self.unchanged)
        return sum(entry.chunks for entry in entries if entry.duplicate_of is None)


@dataclass(slots=True)
class Tally:
    """A report in the making."""

    taken: dict[Outcome, list[Taken]] = field(default_factory=dict[Outcome, list[Taken]])
    left: dict[Outcome, list[Left]] = field(default_factory=dict[Outcome, list[Left]])
    interrupted: bool = False

    def take(self, outcome: Outcome, entry: Taken) -> None:
        self.taken.setdefault(outcome, []).append(entry)

    def leave(self, outcome: Outcome, entry: Left) -> None:
        self.left.setdefault(outcome, []).append(entry)

    def report(self, seconds: float) -> IngestReport:
        return IngestReport(
            added=tuple(self.taken.get("added", ())),
            unchanged=tuple(self.taken.get("unchanged", ())),
            replaced=tuple(self.taken.get("replaced", ())),
            failed=tuple(self.left.get("failed", ())),
            skipped=tuple(self.left.get("skipped", ())),
            seconds=seconds,
            interrupted=self.interrupted,
        )
