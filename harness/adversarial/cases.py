"""Reads the case files: sources of our own, each with faithful restatements and single-fact corruptions."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Case:
    source: str
    restatements: list[str] = field(default_factory=list)
    corruptions: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CaseClaim:
    """One claim of a case file with its source."""

    source: str
    claim: str
    faithful: bool
    kind: str


def cases(name: str = "language_cases.txt") -> list[Case]:
    found: list[Case] = []
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "=":
            found.append(Case(rest.strip()))
        elif mark == "+":
            found[-1].restatements.append(rest.strip())
        elif mark[:1] == "-":
            kind, _, edit = rest.partition(": ")
            found[-1].corruptions.append((kind, _edited(found[-1], mark[1:], edit)))
    return found


def case_files() -> dict[str, list[CaseClaim]]:
    """Every case file by name, claim by claim."""
    names = sorted(path.name for path in Path(__file__).parent.glob("*_cases*.txt"))
    return {
        name: [
            CaseClaim(case.source, claim, faithful, kind)
            for case in cases(name)
            for faithful, claims in ((True, [("faithful", r) for r in case.restatements]), (False, case.corruptions))
            for kind, claim in claims
        ]
        for name in names
    }


def _edited(case: Case, number: str, edit: str) -> str:
    if edit.startswith("> "):
        return edit[2:].strip()
    old, _, new = edit.partition(" => ")
    text = case.restatements[int(number) - 1] if number else case.source
    if old not in text:
        raise ValueError(f"{old!r} is not in {text!r}")
    if old[0] in ", " and new[:1].isalnum():
        new = f" {new}"
    changed = " ".join(text.replace(old, new, 1).split()).replace(" ,", ",").replace(" .", ".")
    return changed[:1].upper() + changed[1:]
