"""When a label answers to a filter or a reference: one rule, which every store applies in its own query language.

A passage's labels become *facets*, plain keys such as `section = "120b"`. Filters become, per facet, the keys that
will do. SQL asks for them with IN, a term index with a term each, a dictionary with `in`.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import slug
from footnotary.domain.query import Filters, Reference

FACETS = ("document", "work", "section", "chapter", "class", "subject", "language")

# "Section 5 of the said Act" names no act, and a law called just "Rules" is not meant by every "… Rules".
_GENERIC = frozenset("a act acts code codes law laws of regulation regulations rule rules said such this".split())
_SMALL = frozenset(("a", "an", "and", "for", "in", "of", "on", "to"))
_SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class Work:
    """An act or book as passages are labelled with it; a missing part is empty."""

    code: str
    act: str
    year: str

    @property
    def key(self) -> str:
        return _SEPARATOR.join((self.code, self.act, self.year))

    @staticmethod
    def from_key(key: str) -> "Work":
        code, act, year = key.split(_SEPARATOR)
        return Work(code, act, year)


def fold(text: str) -> str:
    """`text` as labels are compared: blind to case, to the amount of white space and to Unicode composition."""
    return unicodedata.normalize("NFC", " ".join(text.casefold().split()))


def section_key(section: str) -> str:
    """`section` as sections are compared: 120-B, 120B and 120b are one, and so are 420 and ४२०; 42 is not 420."""
    digits = "".join(str(unicodedata.digit(char)) if char.isdecimal() else char for char in section)
    return slug(digits).casefold() if any(char.isalnum() for char in digits) else ""


def facets(chunk: Chunk) -> dict[str, str]:
    """The keys of a passage, one for each of `FACETS`; a label it does not have is the empty key."""
    labels = chunk.labels
    return {
        "document": fold(chunk.document_id),
        "work": Work(fold(labels.code or ""), fold(labels.act or ""), fold(labels.year or "")).key,
        "section": section_key(labels.section or ""),
        "chapter": fold(labels.chapter or ""),
        "class": "" if labels.class_number is None else str(labels.class_number),
        "subject": fold(labels.subject or ""),
        "language": fold(labels.language),
    }


def wanted(filters: Filters, works: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Per facet the keys that will do, facets not asked about left out; `works` are the work keys there are."""
    asked: dict[str, tuple[str, ...]] = {}
    if filters.act is not None:
        asked["work"] = works_named(filters.act, works)
    if filters.section is not None:
        asked["section"] = (section_key(filters.section),)
    if filters.class_number is not None:
        asked["class"] = (str(filters.class_number),)
    for facet, text in (
        ("document", filters.document),
        ("chapter", filters.chapter),
        ("subject", filters.subject),
        ("language", filters.language),
    ):
        if text is not None:
            asked[facet] = (fold(text),)
    return asked


def provision(reference: Reference, filters: Filters, works: Iterable[str]) -> dict[str, tuple[str, ...]] | None:
    """As `wanted`, for the chunks of one provision within the filters; None if nothing can be both."""
    known = tuple(works)
    asked = wanted(filters, known)
    section = section_key(reference.section)
    if not section or asked.get("section", (section,)) != (section,):
        return None
    asked["section"] = (section,)
    if reference.act is not None:
        asked["work"] = works_named(reference.act, asked.get("work", known))
    return asked


def passes(keys: Mapping[str, str], asked: Mapping[str, Sequence[str]]) -> bool:
    return all(keys[facet] in allowed for facet, allowed in asked.items())


def works_named(asked: str, works: Iterable[str]) -> tuple[str, ...]:
    """Those of the work keys that `asked` may mean, in order."""
    return tuple(sorted(key for key in works if names_work(asked, Work.from_key(key))))


def names_work(asked: str, work: Work) -> bool:
    """Whether `asked` may mean this work: its code, its initials, its name or a part of it, or more than its name.

    "IPC", "I.P.C.", "Penal Code" and "the Indian Penal Code (Act 45 of 1860)" all name the Indian Penal Code, 1860.
    Years that differ tell two works of one name apart.
    """
    if not work.code and not work.act:
        return False
    said, years = _name(asked)
    name, known_years = _name(work.act)
    known_years |= _name(work.year)[1]
    if years and known_years and not years & known_years:
        return False
    if _GENERIC.issuperset(said):
        return True
    code = "".join(_words(work.code))
    if "".join(said) == code or "".join(_words(asked)) == code or (name and "".join(said) in _initials(name)):
        return True
    if code and code in _initials(said):
        return True
    return _contains(name, said) or (not _GENERIC.issuperset(name) and _contains(said, name))


def clause_first(clause: str | None, text: str) -> int:
    """A sort key that puts a passage opening with the clause asked for ahead of its section's others."""
    opening = text.lstrip()[:24].casefold()
    return 0 if clause and opening.startswith(f"({clause.strip('() ').casefold()})") else 1


def _words(text: str) -> list[str]:
    spaced = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in unicodedata.normalize("NFKC", text))
    return [word for word in spaced.casefold().split() if word != "the"]


def _name(text: str) -> tuple[list[str], set[str]]:
    """The words of a title and, apart from them, the years in it."""
    words = _words(text)
    years = {word for word in words if len(word) == 4 and word.isdecimal()}
    return [word for word in words if word not in years], years


def _initials(words: Sequence[str]) -> set[str]:
    """Both ways of abbreviating: every word, and without the small ones. One word has no initials."""
    both = ("".join(w[0] for w in words), "".join(w[0] for w in words if w not in _SMALL))
    return {letters for letters in both if len(letters) > 1}


def _contains(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether `run` stands in `words` as it is, in one piece."""
    return bool(run) and any(list(words[i : i + len(run)]) == list(run) for i in range(len(words) - len(run) + 1))
