"""What a model reads with a claim or question: whole passages if they are short, else their most relevant parts."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.identity import Span
from footnotary.models.onnx_session import single_line
from footnotary.ports import PassageText
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import terms_of

# A sentence whose words are already covered still counts this much of a new one: claims often merge sentences.
_AGAIN = 0.25
# A heading or opening of this many words says what the passage is about, and costs little.
_OPENING = 16
# Headings stay in the window, but never take more than this share of it.
_MOST_HEADINGS = 0.4
# Between headings and text, as the reader learned it.
_HEADINGS_END = "|"


@dataclass(frozen=True, slots=True)
class EvidenceWindow:
    """The text read of passages, as one line, and the position of each of their sentences in it.

    `sentences` has one entry per sentence of the passages' texts, as `sentence_spans` splits them; None if left out.
    """

    text: str
    sentences: tuple[Span | None, ...]


@dataclass(frozen=True, slots=True)
class _WindowSentence:
    passage: int
    text: str
    terms: frozenset[str]
    size: int


def window_of(asked: str, passages: Sequence[PassageText], words: int) -> EvidenceWindow:
    """About `words` words of `passages`, in order: the sentences that share most with the query, and their neighbours.

    The headings of a passage precede its text. Passages that fit are read whole.
    """
    headings = _shown_headings([passage.headings for passage in passages], words)
    room = words - sum(len(heading.split()) for heading in headings)
    sentences = _sentences([passage.text for passage in passages])
    taken = _selected_sentences(terms_of(asked), sentences, room)
    line = ""
    spans: list[Span | None] = []
    shown: set[int] = set()
    for place, sentence in enumerate(sentences):
        if place not in taken:
            spans.append(None)
            continue
        if sentence.passage not in shown:
            if heading := single_line(headings[sentence.passage]):
                line = _appended(line, f"{heading} {_HEADINGS_END}")
            shown.add(sentence.passage)
        line = _appended(line, sentence.text)
        spans.append(Span(len(line) - len(single_line(sentence.text)), len(line)))
    return EvidenceWindow(line, tuple(spans))


def window_for(claim: str, passages: Sequence[str], words: int) -> str:
    """The same of passages without headings, with a line for every run of neighbouring sentences."""
    if sum(len(passage.split()) for passage in passages) <= words:
        return "\n".join(passage.strip() for passage in passages)
    sentences = _sentences(passages)
    taken = _selected_sentences(terms_of(claim), sentences, words)
    lines: list[str] = []
    for i in sorted(taken):
        if i - 1 in taken and sentences[i - 1].passage == sentences[i].passage:
            lines[-1] += f" {sentences[i].text}"
        else:
            lines.append(sentences[i].text)
    return "\n".join(lines)


def _sentences(passages: Sequence[str]) -> list[_WindowSentence]:
    return [
        _WindowSentence(number, text, terms_of(text), len(text.split()))
        for number, passage in enumerate(passages)
        for text in (span.of(passage) for span in sentence_spans(passage))
    ]


def _shown_headings(headings: Sequence[str], words: int) -> list[str]:
    """The headings as read; if they are too long for the window, the end of each, which is closest to the text."""
    each = max(1, int(words * _MOST_HEADINGS) // max(len(headings), 1))
    if sum(len(heading.split()) for heading in headings) <= words * _MOST_HEADINGS:
        return list(headings)
    return [" ".join(heading.split()[-each:]) for heading in headings]


def _appended(line: str, text: str) -> str:
    return f"{line} {single_line(text)}".strip()


def _selected_sentences(wanted: frozenset[str], sentences: list[_WindowSentence], words: int) -> set[int]:
    """The sentences to read, by number: all if they fit."""
    if sum(s.size for s in sentences) <= words:
        return set(range(len(sentences)))
    spread = Counter(term for s in sentences for term in s.terms & wanted)
    weight = {term: math.log(1 + len(sentences) / count) for term, count in spread.items()}
    full = [math.fsum(weight[term] for term in s.terms & wanted) for s in sentences]
    left = words
    taken: set[int] = set()
    covered: set[str] = set()

    def take(i: int) -> None:
        nonlocal left
        if 0 <= i < len(sentences) and i not in taken and (sentences[i].size <= left or not taken):
            taken.add(i)
            left -= sentences[i].size

    open_to = [i for i, score in enumerate(full) if score > 0]
    if not open_to:
        for i in range(len(sentences)):
            take(i)
        return taken
    while open_to and left > 0:
        gains = {i: math.fsum(weight[t] for t in (sentences[i].terms & wanted) - covered) for i in open_to}
        best = max(open_to, key=lambda i: (gains[i] + _AGAIN * full[i], -i))
        open_to.remove(best)
        take(best)
        covered |= sentences[best].terms
        for adjacent in (best - 1, best + 1):
            if 0 <= adjacent < len(sentences) and sentences[adjacent].passage == sentences[best].passage:
                take(adjacent)
    if sentences[0].size <= _OPENING:
        take(0)
    return taken
