"""Invented agreements between invented parties, and questions that name them."""

from dataclasses import dataclass

_FIRST = (
    "Northfield",
    "Calder",
    "Brightwater",
    "Osterley",
    "Quillon",
    "Vantor",
    "Merewood",
    "Tamsin",
    "Halvorsen",
    "Ruddock",
)
_SECOND = ("Energy", "Foods", "Robotics", "Media", "Textiles", "Pharma")
_FORM = ("Inc.", "Ltd", "LLC", "Corp.", "Co., Ltd.", "GmbH")
_KINDS = (
    "Software License Agreement", "Distribution Agreement", "Supply Agreement", "Consulting Agreement",
    "Joint Venture Agreement", "Lease", "Non-Disclosure Agreement", "Franchise Agreement", "Services Agreement",
    "Maintenance Contract",
)  # fmt: skip
_LAWS = ("Ohio", "Kerala", "Norway", "Ontario", "Delaware", "Kenya")
ASKED = "what is the governing law?"


@dataclass(frozen=True, slots=True)
class Agreement:
    """A contract between two parties; its file is named after the first one alone, as filings are."""

    number: int
    kind: str
    one: str
    other: str

    @property
    def file(self) -> str:
        return f"{self.one.split()[0]}{self.one.split()[1]}_2019{self.number:02}_EX-10.txt"

    @property
    def law(self) -> str:
        return _LAWS[self.number % len(_LAWS)]

    @property
    def text(self) -> str:
        return (
            f"{self.kind.upper()}\n\nThis {self.kind} (this “Agreement”) is entered into by and between {self.one} and "
            f"{self.other} on {self.number % 28 + 1} March 2019.\n\n"
            f"Payment. {self.one.split()[0]} pays every invoice within {20 + self.number} days.\n\n"
            f"Governing law. This Agreement is governed by the laws of {self.law}.\n\n"
            f"Notices to {self.other} are sent to its registered office.\n"
        )


def invented_agreements() -> list[Agreement]:
    """Sixty, in which every party has the first or the second word of its name in common with others."""
    names = [f"{first} {second}" for second in _SECOND for first in _FIRST]
    return [
        Agreement(
            number,
            _KINDS[number % len(_KINDS)],
            f"{name} {_FORM[number % len(_FORM)]}",
            f"{names[(number + 17) % len(names)]} {_FORM[(number + 1) % len(_FORM)]}",
        )
        for number, name in enumerate(names)
    ]


def questions_on(agreement: Agreement) -> list[str]:
    """The same question in every form in which a document is named by its parties."""
    between = f"{agreement.kind} between {agreement.one} and {agreement.other}"
    return [
        f"Consider the {between}; {ASKED}",
        f"In the {between}, {ASKED}",
        f"Under the {between}, {ASKED}",
        f"According to the {between}, {ASKED}",
        f"{ASKED.capitalize().rstrip('?')} under the {between}?",
        f"{ASKED.capitalize().rstrip('?')} of the {between}?",
        f"Consider the {between}. {ASKED.capitalize()}",
    ]
