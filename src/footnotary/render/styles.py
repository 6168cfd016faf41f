"""The answer as text in a profile's style, and back again."""

from dataclasses import dataclass

from footnotary.domain.draft import Claim
from footnotary.domain.identity import SemanticId
from footnotary.domain.outcome import Answer, Citation
from footnotary.profiles.schema import MarkerStyle
from footnotary.render.markers import full_source, markers, place
from footnotary.text.markers import cited_units, escape, unescape

_ENDS = ".!?।॥。:;"
_HEADINGS = {"en": "Sources", "hi": "स्रोत"}


@dataclass(frozen=True, slots=True)
class Rendered:
    """The answer's text with markers, and the list of its sources, one line each."""

    body: str
    sources: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n\n".join(part for part in (self.body, "\n".join(self.sources)) if part)


def numbering(answer: Answer) -> dict[SemanticId, int]:
    """The number of each cited source: its slot in the evidence, so that it is the same in every style."""
    cited = {citation.id for citation in answer.citations}
    return {hit.chunk.id: n for n, hit in enumerate(answer.evidence.hits, 1) if hit.chunk.id in cited}


def render(answer: Answer, style: MarkerStyle) -> Rendered:
    """Every claim with its markers, in order, one sentence after another; lists keep their lines.

    The source's own brackets are escaped (`\\[`), so that whatever looks like a marker is one.
    """
    numbers = numbering(answer)
    if style == "simple":
        where = {citation.id: place(citation.labels, citation.page) or citation.id for citation in answer.citations}
        body = _joined([_with(claim, " ".join(f"({where[c]})" for c in claim.cites)) for claim in answer.claims])
        return Rendered(body, ())
    body = _joined([_with(claim, markers(claim.cites, numbers, style)) for claim in answer.claims])
    return Rendered(body, _sources(answer, numbers, style))


def stripped(answer: Answer) -> str:
    """The answer without markers, for those who show citations elsewhere."""
    return _joined([claim.text for claim in answer.claims])


def read_back(body: str, numbers: dict[int, SemanticId], style: MarkerStyle) -> tuple[Claim, ...]:
    """The claims that `render` wrote, read again; `simple` names places, not ids, and cannot be read."""
    claims: list[Claim] = []
    for unit in cited_units(body, footnotes=style == "footnote"):
        cites = tuple(numbers.get(int(t), t) if t.isdigit() else t for t in unit.targets)
        claims.append(Claim(unescape(unit.text), cites))
    return tuple(claims)


def _with(claim: Claim, marks: str) -> str:
    """The markers stand before the final stop, where they belong to the sentence."""
    text = escape(claim.text.rstrip())
    if text and text[-1] in _ENDS and "\n" not in text:
        return f"{text[:-1]} {marks}{text[-1]}"
    return f"{text} {marks}"


def _joined(claims: list[str]) -> str:
    """Sentences run on; a claim that holds a list stands on lines of its own."""
    parts: list[str] = []
    for claim in claims:
        if parts:
            parts.append("\n\n" if "\n" in claim or "\n" in parts[-1] else " ")
        parts.append(claim)
    return "".join(parts)


def _sources(answer: Answer, numbers: dict[SemanticId, int], style: MarkerStyle) -> tuple[str, ...]:
    first: dict[SemanticId, Citation] = {}
    for citation in answer.citations:
        first.setdefault(citation.id, citation)
    in_order = sorted(first.values(), key=lambda citation: numbers[citation.id])
    named = [(c, full_source(c.labels, c.page, c.document_id)) for c in in_order]
    match style:
        case "source_number" | "full":
            heading = f"**{_HEADINGS[answer.query.language]}:**"
            return (heading, *(f"- Source {numbers[c.id]}: {name}" for c, name in named))
        case "footnote":
            return tuple(f"[^{numbers[c.id]}]: {name}" for c, name in named)
        case "number":
            return tuple(f"[{numbers[c.id]}] {name} ({c.id})" for c, name in named)
        case _:
            return ()
