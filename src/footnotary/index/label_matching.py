"""When a label matches a filter or a reference: one rule, which every store applies in its own query language.

A passage's labels become *facets*, plain keys such as `section = "120b"`. Filters become, per facet, the allowed keys.
SQL asks for them with IN, a term index with a term each, a dictionary with `in`.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import slug
from footnotary.domain.query import Filters, Reference
from footnotary.domain.work import Work
from footnotary.text.references.provision_numbers import provision_key

FACETS = ("document", "work", "section", "chapter", "class", "subject", "language")

_SEPARATOR = "\n"


def work_key(code: str | None, act: str | None, year: str | None) -> str:
    return _SEPARATOR.join(fold_label(part or "") for part in (code, act, year))


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
        "work": work_key(labels.code, labels.act, labels.year),
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
    """The work keys that `asked` may mean, in order."""
    return tuple(sorted(key for key in works if Work(*key.split(_SEPARATOR)).is_meant_by(asked)))


def clause_sort_key(clause: str | None, text: str) -> int:
    """A sort key that puts a passage that opens with the requested clause before its section's others.

    For "(2)(b)" that is one that opens with sub-section (2) or with clause (b), which may continue the passage before.
    """
    opening = text.lstrip()[:24].casefold()
    parts = (clause or "").casefold().replace("(", " ").replace(")", " ").split()
    return 0 if any(opening.startswith(f"({part})") for part in parts) else 1
