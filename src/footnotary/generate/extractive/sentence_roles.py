"""The role of a sentence in a provision: the rule itself, or an illustration, explanation, exception or note."""

import re
from typing import Literal

from footnotary.domain.document import DocumentKind
from footnotary.text.tokens import words

Role = Literal["rule", "illustration", "explanation", "exception", "note"]

_PART_HEADINGS: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("illustration", re.compile(r"\s*\(?(?:Illustrations?\b|(?:दृष्टांत|दृष्टान्त)(?![\u0900-\u0963]))")),
    ("explanation", re.compile(r"\s*\(?(?:Explanations?\b|(?:स्पष्टीकरण|व्याख्या)(?![\u0900-\u0963]))")),
    ("exception", re.compile(r"\s*\(?(?:Exceptions?\b|अपवाद(?![\u0900-\u0963]))")),
)
# A new subsection ends the explanation of the one before it.
_SUBSECTION = re.compile(r"\s*\([0-9\u0966-\u096f]{1,3}[A-Z]?\)\s")
_PROVISO = re.compile(r"\s*(?:Provided\b|(?:परंतु|परन्तु)(?: यह)?(?![\u0900-\u0963]))")
# The same in any kind of document, where "Provided" alone may begin another sentence.
_PROVISO_CLAUSE = re.compile(
    r"\s*(?:Provided,?(?: (?:further|also|however),?)? that\b|(?:परंतु|परन्तु) यह(?![\u0900-\u0963]))"
)
# What editors write about the text: "Subs. by Act 26 of 1955", "[Repealed.]", "Omitted by the A. O. 1950."
_NOTE = re.compile(
    r"\s*(?:[0-9]{1,2}[.)]?\s+)?[\[(]?"
    r"(?:(?:Subs|Ins|Rep|Added|Omitted|Repealed|Substituted|Inserted)\b\.?,?\s*(?:by|with|w\.|ibid|\]|$)"
    r"|The (?:words?|figures?|brackets|original|expression)\b.{0,200}?"
    r"\b(?:(?:subs|ins|rep)\.|omitted by (?:Act|the A|s\.)))",
    re.IGNORECASE,
)
# The people in illustrations are called A, B and Z, or क, ख and य; "Part B" and "खंड (क)" are not people.
_LABELLED = "".join(
    f"(?<!{noun} )"
    for noun in "Part Class Schedule Form Group Table Category Appendix Chapter CHAPTER Article Order Annex".split()
)
_LETTER = re.compile(rf"(?<![-\w.(])(?<!\. ){_LABELLED}[B-HJ-Z](?![-\w)])(?!\.(?!\s*$))")
# "(2) A person who" begins a subsection, "(a) A finds" an illustration.
_LETTER_A = re.compile(rf"(?<![-\w.(])(?<!^)(?<!\d\) )(?<!\d[A-Z]\) ){_LABELLED}A(?![-\w.)])(?! [A-Z])")
_A_ACTS = re.compile(
    r"\s*(?:\([a-z0-9]{1,3}\)\s*)?A(?:,|['’]s\b| (?:is|was|has|had|does|may|cannot|commits|knows|with|without)\b)"
)
_HINDI_LETTER = re.compile(r"(?<![\u0900-\u097f(\d])(?<!\d )([कखगघयर])(?![\u0900-\u097f)])")


def section_part_of(unit: str, part: Role) -> Role:
    """The part of the provision that `unit` begins, or else the current `part`."""
    for role, pattern in _PART_HEADINGS:
        if pattern.match(unit):
            return role
    return "rule" if _SUBSECTION.match(unit) else part


def is_part_heading(unit: str) -> bool:
    """Whether a unit is the bare word above what follows: "Illustrations", "Explanation 2"."""
    return any(pattern.match(unit) for _, pattern in _PART_HEADINGS) and len(words(unit)) <= 2


def is_proviso(unit: str) -> bool:
    """Whether a sentence limits the one before it: "Provided that no fine is due ..."."""
    return _PROVISO_CLAUSE.match(unit) is not None


def role_of(unit: str, part: Role, kind: DocumentKind) -> Role:
    """The role of a unit, given the part it is in; a passage may begin in the middle of illustrations."""
    if kind not in ("act", "regulation"):
        return "rule"
    if _NOTE.match(unit):
        return "note"
    if part == "rule" and kind == "act" and names_people_by_letters(unit):
        return "illustration"
    return "exception" if part == "rule" and _PROVISO.match(unit) else part


def names_people_by_letters(unit: str) -> bool:
    """Whether a sentence is about people called A or Z: only illustrations name people so."""
    return bool(
        _LETTER.search(unit)
        or _LETTER_A.search(unit)
        or _A_ACTS.match(unit)
        or len(set(_HINDI_LETTER.findall(unit))) > 1
    )
