"""When a label matches a filter or a reference: one rule, which every store applies in its own query language.

A passage's labels become *facets*, plain keys such as `section = "120b"`. Filters become, per facet, the allowed keys.
SQL asks for them with IN, a term index with a term each, a dictionary with `in`.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import slug
from footnotary.domain.query import Filters, Reference
from footnotary.text.references.provision_numbers import provision_key

FACETS = ("document", "work", "section", "chapter", "class", "subject", "language")

# "Section 5 of the said Act" names no act, and a law called just "Rules" is not meant by every "… Rules".
_GENERIC_WORDS = frozenset("a act acts code codes law laws of regulation regulations rule rules said such this".split())
_SMALL_WORDS = frozenset(("a", "an", "and", "for", "in", "of", "on", "to"))
_SEPARATOR = "\n"
_MAX_TITLE_WORDS = 64  # words; longer input is not a title, but untrusted input may be any length


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


@lru_cache(maxsize=4096)
def fold_label(text: str) -> str:
    """`text` normalized for comparing labels: ignores case, the amount of white space and Unicode composition.

    Cached, as section keys are: the passages of a document have most labels in common.
    """
    return unicodedata.normalize("NFC", " ".join(text.casefold().split()))


@lru_cache(maxsize=4096)
def section_key(section: str) -> str:
    """`section` normalized for comparison: 120-B, 120B and 120b are one, and so are 376A and ३७६क; 42 is not 420."""
    plain = provision_key(section)
    return slug(plain).casefold() if any(char.isalnum() for char in plain) else ""


def facet_keys(chunk: Chunk) -> dict[str, str]:
    """The keys of a passage, one for each of `FACETS`; a label it does not have is the empty key."""
    labels = chunk.labels
    return {
        "document": fold_label(chunk.document_id),
        "work": Work(fold_label(labels.code or ""), fold_label(labels.act or ""), fold_label(labels.year or "")).key,
        "section": section_key(labels.section or ""),
        "chapter": fold_label(labels.chapter or ""),
        "class": "" if labels.class_number is None else str(labels.class_number),
        "subject": fold_label(labels.subject or ""),
        "language": fold_label(labels.language),
    }


def allowed_facet_keys(filters: Filters, works: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Per facet the allowed keys, without facets that are not filtered; `works` are the work keys in the project."""
    asked: dict[str, tuple[str, ...]] = {}
    if filters.act is not None:
        asked["work"] = matching_works(filters.act, works)
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
            asked[facet] = (fold_label(text),)
    return asked


def provision_facet_keys(
    reference: Reference, filters: Filters, works: Iterable[str]
) -> dict[str, tuple[str, ...]] | None:
    """As `allowed_facet_keys`, for the chunks of one provision within the filters; None if nothing can match both."""
    known = tuple(works)
    asked = allowed_facet_keys(filters, known)
    section = section_key(reference.section)
    if not section or asked.get("section", (section,)) != (section,):
        return None
    asked["section"] = (section,)
    if reference.act is not None:
        asked["work"] = matching_works(reference.act, asked.get("work", known))
    return asked


def excluded_document_keys(filters: Filters) -> tuple[str, ...]:
    """The keys of the excluded documents, in order."""
    return tuple(sorted(map(fold_label, filters.without)))


def matches_facets(keys: Mapping[str, str], asked: Mapping[str, Sequence[str]], without: Sequence[str] = ()) -> bool:
    return keys["document"] not in without and all(keys[facet] in allowed for facet, allowed in asked.items())


def matching_works(asked: str, works: Iterable[str]) -> tuple[str, ...]:
    """The work keys that `asked` may mean, in order.

    A work is named by its code, its initials, its name or a part of it, or more than its name: "IPC", "I.P.C.", "Penal
    Code" and "the Indian Penal Code (Act 45 of 1860)" all mean the Indian Penal Code, 1860. Years distinguish works of
    the same name.
    """
    title = _parse_title(asked)
    return tuple(sorted(key for key in works if _title_matches(title, *_parse_work_key(key))))


def clause_sort_key(clause: str | None, text: str) -> int:
    """A sort key that puts a passage that opens with the requested clause before its section's others.

    For "(2)(b)" that is one that opens with sub-section (2) or with clause (b), which may continue the passage before.
    """
    opening = text.lstrip()[:24].casefold()
    parts = (clause or "").casefold().replace("(", " ").replace(")", " ").split()
    return 0 if any(opening.startswith(f"({part})") for part in parts) else 1


@dataclass(frozen=True, slots=True)
class _WorkTitle:
    """A parsed name: its words, the years in it, all of it joined, and its initials."""

    words: tuple[str, ...]
    years: frozenset[str]
    joined: str
    initials: frozenset[str]


def _parse_title(text: str) -> _WorkTitle:
    spaced = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in unicodedata.normalize("NFKC", text))
    every = [word for word in spaced.casefold().split() if word != "the"][:_MAX_TITLE_WORDS]
    years = frozenset(word for word in every if len(word) == 4 and word.isdecimal())
    words = tuple(word for word in every if word not in years)
    both = ("".join(w[0] for w in words), "".join(w[0] for w in words if w not in _SMALL_WORDS))
    return _WorkTitle(words, years, "".join(every), frozenset(letters for letters in both if len(letters) > 1))


@lru_cache(10_000)
def _parse_work_key(key: str) -> tuple[_WorkTitle, str]:
    """The title of a work, including its year, and its code, joined."""
    work = Work.from_key(key)
    title = _parse_title(work.act)
    return replace(title, years=title.years | _parse_title(work.year).years), _parse_title(work.code).joined


def _title_matches(asked: _WorkTitle, title: _WorkTitle, code: str) -> bool:
    if not code and not title.joined:
        return False
    if asked.years and title.years and not asked.years & title.years:
        return False
    if _GENERIC_WORDS.issuperset(asked.words):
        return True
    shortened = "".join(asked.words)
    if shortened in title.initials or (code and (code in (shortened, asked.joined) or code in asked.initials)):
        return True
    return _contains(title.words, asked.words) or (
        not _GENERIC_WORDS.issuperset(title.words) and _contains(asked.words, title.words)
    )


def _contains(words: tuple[str, ...], run: tuple[str, ...]) -> bool:
    """Whether `run` is a contiguous part of `words`."""
    return any(words[i : i + len(run)] == run for i in range(len(words) - len(run) + 1))
