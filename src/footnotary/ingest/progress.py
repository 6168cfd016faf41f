"""Progress of an ingest, reported step by step to the caller."""

from collections.abc import Callable
from dataclasses import dataclass

from footnotary.ingest.prefetch import FilePrefetcher
from footnotary.ingest.report import IngestOutcome, IngestStage, IngestStep

IngestProgressCallback = Callable[[IngestStep], None]


@dataclass(frozen=True, slots=True)
class FileProgressReporter:
    """Reports the progress of one file."""

    progress: IngestProgressCallback | None
    path: str
    number: int
    files: FilePrefetcher

    def __call__(self, stage: IngestStage, done: int = 0, of: int = 0, outcome: IngestOutcome | None = None) -> None:
        if self.progress:
            self.progress(IngestStep(self.path, self.number, self.files.total, stage, done, of, outcome))
