"""Citation markers in the text, per style; every style can be parsed back to the same claims."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from footnotary.domain.document import Labels
from footnotary.domain.identity import SemanticId
from footnotary.domain.outcome import Answer, Citation
from footnotary.profiles.schema import MarkerStyle
from footnotary.text.headings import is_numbered_heading
from footnotary.text.normalise import plain_key

_UNIT = re.compile(r"[^\W\d_]{3,} ")
# The document, the passage, and the page.
CitationKey: TypeAlias = tuple[str, SemanticId, int | None]


def claim_markers(cites: Sequence[SemanticId], numbers: Mapping[SemanticId, int], style: MarkerStyle) -> str:
    """The markers of one claim; numbered styles group them (`[1, 3]`), the others write one after the other."""
    numbered = [str(numbers[cited]) for cited in cites]
    match style:
        case "semantic_id":
            return "".join(f"[{cited}]" for cited in cites)
        case "source_id":
            return " ".join(f"[SOURCE: {cited}]" for cited in cites)
        case "source_number" | "full":
            return " ".join(f"[Source {number}]" for number in numbered)
        case "number" | "simple":
            return f"[{', '.join(numbered)}]"
        case "footnote":
            return "".join(f"[^{number}]" for number in numbered)


_LONGEST_HEADING = 120


def document_name(labels: Labels, document_id: str, section: Sequence[str] = ()) -> str:
    """A plain document's title, or else its file name without extension: the same for each of its passages.

    For passages ingested by a version that did not store the title, it is the heading above all others.
    """
    if labels.document_title:
        return _short(labels.document_title)
    if len(section) > 1 and not is_numbered_heading(section[0]):
        return _short(section[0])
    name = document_id.replace("\\", "/").rsplit("/", 1)[-1]
    stem = name.rsplit(".", 1)[0]
    return stem or name


def source_location(labels: Labels, page: int | None) -> str:
    """A source's location, for people: `Chapter 5, Page 95`, `Indian Penal Code, 1860, Section 420`."""
    if labels.kind == "textbook":
        parts = [f"Chapter {labels.chapter}" if labels.chapter else None, f"Page {page}" if page is not None else None]
    else:
        of = labels.act or labels.court
        unit = {"judgment": "Paragraph", "regulation": "§"}.get(labels.kind, "Section")
        names_unit = labels.section and _UNIT.match(labels.section)  # "Article 5"
        number = labels.section if names_unit else labels.section and f"{unit} {labels.section}"
        parts = [of, number, f"Page {page}" if page is not None else None]
    return ", ".join(part for part in parts if part)


def full_source_name(labels: Labels, page: int | None, document_id: str, section: Sequence[str] = ()) -> str:
    """A source in full: `Demo Mathematics, Class 10, Chapter 5 (Arithmetic Progressions), Page 95`.

    A document without structure is named by its title or file name, with heading and page:
    `Employee Handbook, 1. Paid leave, page 3`. `section` are the headings above the passage.
    """
    if labels.kind == "textbook":
        chapter = f"Chapter {labels.chapter}" if labels.chapter else None
        if chapter and labels.chapter_title:
            chapter = f"{chapter} ({labels.chapter_title})"
        grade = f"Class {labels.class_number}" if labels.class_number is not None else None
        parts = [labels.act or labels.subject, grade, chapter, f"Page {page}" if page is not None else None]
        return ", ".join(part for part in parts if part) or document_id
    if labels.act or labels.court or labels.section:
        where = source_location(labels, page)
        if not (labels.act or labels.court):  # a contract's clause: its number alone does not say of what
            where = f"{document_name(labels, document_id, section)}, {where}"
        # "1. Rent" after "Section 1" would give the number twice.
        title = re.sub(rf"^{re.escape(labels.section or '')}[.):]\s+", "", labels.title or "")
        return f"{where} ({title})" if title else where
    document = document_name(labels, document_id, section)
    heading = _short(labels.title) if labels.title else ""
    if plain_key(heading).casefold() == plain_key(document).casefold():
        document, heading = document if labels.document_title else heading, ""
    return ", ".join(part for part in (document, heading, f"page {page}" if page is not None else "") if part)


def source_names(answer: Answer) -> dict[SemanticId, str]:
    """The name of each cited source, in order of first citation; two documents of one name get distinct names."""
    names = citation_names([answer])
    first: dict[SemanticId, Citation] = {}
    for citation in answer.citations:
        first.setdefault(citation.id, citation)
    return {cited: names[citation_key(citation)] for cited, citation in first.items()}


def citation_key(citation: Citation) -> CitationKey:
    """What a citation's name depends on."""
    return citation.document_id, citation.id, citation.page


def citation_names(answers: Iterable[Answer]) -> dict[CitationKey, str]:
    """The name of the source of each citation of these answers; two documents of one name get distinct names."""
    names: dict[CitationKey, str] = {}
    for answer in answers:
        sections = {hit.chunk.id: hit.chunk.section for hit in answer.evidence.hits}
        for cited in answer.citations:
            section = sections.get(cited.id, ())
            names[citation_key(cited)] = full_source_name(cited.labels, cited.page, cited.document_id, section)
    documents: dict[str, set[str]] = {}
    for (document, _, _), name in names.items():
        documents.setdefault(name, set()).add(document)
    return {key: f"{name}, {key[0]}" if len(documents[name]) > 1 else name for key, name in names.items()}


def _short(heading: str) -> str:
    return heading if len(heading) <= _LONGEST_HEADING else f"{heading[:_LONGEST_HEADING].rsplit(' ', 1)[0]} …"
