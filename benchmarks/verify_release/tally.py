"""The result of one batch of a harness."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """How many attempts were made and how many broke the promise; `notes` describe the first failures.

    `skipped` is the reason why nothing could run here, `broken` is set if the harness itself crashed, `seen` counts other
    events of interest, `cpu_s` is the processor time including child processes.
    """

    attempts: int = 0
    failed: int = 0
    notes: list[str] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    skipped: str = ""
    cpu_s: float = 0.0
    broken: bool = False

    def fault(self, note: str) -> None:
        self.failed += 1
        if len(self.notes) < 5:
            self.notes.append(note[:2000])

    def count(self, name: str, by: int = 1) -> None:
        self.seen[name] = self.seen.get(name, 0) + by

    def add(self, other: "Tally") -> None:
        self.attempts += other.attempts
        self.failed += other.failed
        self.notes = [*self.notes, *other.notes][:5]
        for name, by in other.seen.items():
            self.count(name, by)
        self.skipped = self.skipped or other.skipped
        self.cpu_s += other.cpu_s
        self.broken = self.broken or other.broken
