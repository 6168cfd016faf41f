"""What one stretch of a harness found."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """How often something was tried and how often the promise was not kept; `notes` name the first faults.

    `skipped` says why nothing could be tried here, `broken` that the harness itself failed; `seen` counts what else is
    worth knowing; `cpu_s` is what it cost, its children included.
    """

    tried: int = 0
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
        self.tried += other.tried
        self.failed += other.failed
        self.notes = [*self.notes, *other.notes][:5]
        for name, by in other.seen.items():
            self.count(name, by)
        self.skipped = self.skipped or other.skipped
        self.cpu_s += other.cpu_s
        self.broken = self.broken or other.broken
