"""Citation markers in the text, per style; every style can be parsed back to the same claims."""

from collections.abc import Sequence

from footnotary.domain.document import Labels
from footnotary.domain.identity import SemanticId
from footnotary.profiles.schema import MarkerStyle


def claim_markers(cites: Sequence[SemanticId], numbers: dict[SemanticId, int], style: MarkerStyle) -> str:
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


def source_location(labels: Labels, page: int | None) -> str:
    """A source's location, for people: `Chapter 5, Page 95`, `Indian Penal Code, 1860, Section 420`."""
    if labels.kind == "textbook":
        parts = [f"Chapter {labels.chapter}" if labels.chapter else None, f"Page {page}" if page is not None else None]
    else:
        of = labels.act or labels.court
        unit = {"judgment": "Paragraph", "regulation": "§"}.get(labels.kind, "Section")
        number = labels.section and (f"§ {labels.section}" if unit == "§" else f"{unit} {labels.section}")
        parts = [of, number, f"Page {page}" if page is not None else None]
    return ", ".join(part for part in parts if part)


def full_source_name(labels: Labels, page: int | None, fallback: str) -> str:
    """A source in full: `Demo Mathematics, Class 10, Chapter 5 (Arithmetic Progressions), Page 95`."""
    if labels.kind == "textbook":
        chapter = f"Chapter {labels.chapter}" if labels.chapter else None
        if chapter and labels.chapter_title:
            chapter = f"{chapter} ({labels.chapter_title})"
        grade = f"Class {labels.class_number}" if labels.class_number is not None else None
        parts = [labels.act or labels.subject, grade, chapter, f"Page {page}" if page is not None else None]
        return ", ".join(part for part in parts if part) or fallback
    where = source_location(labels, page)
    titled = f"{where} ({labels.title})" if where and labels.title else where or labels.title
    return titled or fallback
