"""Renders an answer as text in a profile's citation style."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from footnotary.domain.draft import Claim
from footnotary.domain.identity import SemanticId, Span
from footnotary.domain.outcome import Answer, Citation, join_claims
from footnotary.profiles.schema import MarkerStyle
from footnotary.render.citation_styles import claim_markers, source_location, source_names
from footnotary.text.citations.markers import escape, marker_is_part_of_text
from footnotary.text.sentences.reported_speech import speech_spans
from footnotary.text.sentences.splitter import sentence_spans

_SENTENCE_END = re.compile(r"[.!?।॥。:;]$")
# The end of a list item that continues in the next: "...; or".
_LIST_ITEM_END = re.compile(r"(?:[;,] (?:and|or)|[.!?।॥。:;,])$")
_EMPTY_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_HEADINGS = {"en": "Sources", "hi": "स्रोत"}


@dataclass(frozen=True, slots=True)
class RenderedAnswer:
    """The answer's text with markers, the list of its sources, one line each, and the span of each claim in `body`."""

    body: str
    sources: tuple[str, ...]
    claims: tuple[Span, ...] = ()

    @property
    def text(self) -> str:
        return "\n\n".join(part for part in (self.body, "\n".join(self.sources)) if part)


def source_numbers(answer: Answer) -> dict[SemanticId, int]:
    """The number of each cited source, the same in every style: 1, 2, 3 in the order of their first citation."""
    return {cited: n for n, cited in enumerate(dict.fromkeys(citation.id for citation in answer.citations), 1)}


def slot_numbers(answer: Answer) -> dict[SemanticId, int]:
    """The slot of each cited source in the evidence, for interfaces whose callers number the passages themselves."""
    cited = {citation.id for citation in answer.citations}
    return {hit.chunk.id: n for n, hit in enumerate(answer.evidence.hits, 1) if hit.chunk.id in cited}


def render(answer: Answer, style: MarkerStyle, numbers: Mapping[SemanticId, int] | None = None) -> RenderedAnswer:
    """Every claim with its markers, in order, one sentence after another; lists keep their lines, without
    empty ones.

    In a claim of several sentences or lines each has its markers, so that no sentence of the text is without. The
    source's own brackets are escaped (`\\[`), so that everything that looks like a marker is one. `numbers` are those
    of the sources, if not 1, 2, 3 in the order of citation.
    """
    numbers = source_numbers(answer) if numbers is None else numbers
    names = source_names(answer)
    if style == "simple":
        where = {c.id: _short_location(c) or names[c.id] for c in answer.citations}
        body, spans = join_claims(
            [_claim_with_markers(claim, " ".join(f"({where[c]})" for c in claim.cites)) for claim in answer.claims]
        )
        return RenderedAnswer(body, (), spans)
    body, spans = join_claims(
        [_claim_with_markers(claim, claim_markers(claim.cites, numbers, style)) for claim in answer.claims]
    )
    return RenderedAnswer(body, _sources(answer, numbers, names, style), spans)


def text_without_markers(answer: Answer) -> str:
    """The answer without markers, for clients that show citations elsewhere; every `answer_span` points into it."""
    return answer.text


def _claim_with_markers(claim: Claim, marks: str) -> str:
    """The markers are before the final full stop of each sentence, where they belong to it."""
    text = claim.text.rstrip()
    end = _LIST_ITEM_END if "\n" in text else _SENTENCE_END
    lines: list[str] = []
    written = 0
    for span in sentence_spans(text) if "\n" in text else _sentences_of_line(text):
        lines += (text[written : span.start], _sentence_with_markers(span.of(text), marks, end))
        written = span.end
    # An empty line would split the claim in two.
    return _EMPTY_LINES.sub("\n", "".join(lines))


def _sentences_of_line(text: str) -> list[Span]:
    """The sentences of a line, with a space between them; what somebody is quoted as saying is part of one."""
    spoken = speech_spans(text)
    found = [Span(0, 0)]
    for span in sentence_spans(text):
        within = any(speech.start < span.start < speech.end for speech in spoken)
        if found[-1].end == 0 or within or not text[span.start - 1].isspace():
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return [*found[:-1], Span(found[-1].start, len(text))]


def _sentence_with_markers(sentence: str, marks: str, end: re.Pattern[str]) -> str:
    stop = end.search(sentence)
    bare = sentence[: stop.start()] if stop else sentence
    # "... the house they live in [IPC_1_0]." would be read as "... in IPC_1_0".
    if stop is None or marker_is_part_of_text(bare):
        return f"{escape(sentence)} {marks}"
    return f"{escape(bare)} {marks}{stop.group()}"


def _short_location(citation: Citation) -> str:
    """The place in a book or an act; empty for a document that a page number alone would not name."""
    labels = citation.labels
    if labels.kind == "textbook" or labels.act or labels.court or labels.section:
        return source_location(labels, citation.page)
    return ""


def _sources(
    answer: Answer, numbers: Mapping[SemanticId, int], names: Mapping[SemanticId, str], style: MarkerStyle
) -> tuple[str, ...]:
    first: dict[SemanticId, Citation] = {}
    for citation in answer.citations:
        first.setdefault(citation.id, citation)
    in_order = sorted(first.values(), key=lambda citation: numbers[citation.id])
    named = [(c, names[c.id]) for c in in_order]
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
