"""Cuts a hit into what an answer may be made of: whole sentences, and lists kept whole."""

import re
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.text.sentences import sentence_spans
from footnotary.text.tokens import words

_ITEM = re.compile(r"\s*(?:\(?[A-Za-z0-9]{1,4}[).]|[-•*–])\s")
_LEANS = re.compile(
    r"(?:he|she|it|they|this|that|these|those|such|his|her|its|their|here|there|then|so|thus|hence|therefore|"
    r"however|but|and|or|also|otherwise|in that case|यह|ये|वह|वे|इस|इसे|इसका|इसकी|इसके|उस|उसे|अतः|इसलिए|इन)\b",
    re.IGNORECASE,
)
_LONGEST_LIST = 1600


@dataclass(frozen=True, slots=True)
class Passage:
    """One unit of a hit: `text` stands in the chunk letter for letter, and `position` counts units from 0.

    `before` is the unit that precedes it. `leans_back` says that it begins with a word that points at what came before.
    """

    hit: Hit
    text: str
    position: int
    before: str = ""

    @property
    def leans_back(self) -> bool:
        return _LEANS.match(self.text) is not None

    @property
    def is_question(self) -> bool:
        return self.text.rstrip().endswith("?")

    @property
    def title(self) -> str:
        """What the section, or the block within it, is headed; "Definition: Sequence" is headed "Sequence"."""
        chunk = self.hit.chunk
        own = chunk.labels.title or ""
        if chunk.kind == "paragraph" or not chunk.section:
            return own
        heading = chunk.section[-1]
        return heading.partition(":")[2].strip() or heading


def passages_of(hit: Hit) -> tuple[Passage, ...]:
    """The units of a hit in reading order: no headings, a list together with the sentence that introduces it."""
    text = hit.chunk.text
    joined: list[Span] = []
    for span in sentence_spans(text):
        if _is_heading(span.of(text), hit):
            continue
        if joined and _continues(joined[-1].of(text), span.of(text)) and span.end - joined[-1].start <= _LONGEST_LIST:
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    units = [_without_enumerator(span, text) for span in joined]
    texts = [span.of(text) for span in units]
    return tuple(Passage(hit, own, n, texts[n - 1] if n else "") for n, own in enumerate(texts))


def _without_enumerator(span: Span, text: str) -> Span:
    """A single item reads better without its "(a)"; a list keeps them."""
    match = _ITEM.match(span.of(text))
    return Span(span.start + match.end(), span.end) if match and "\n" not in span.of(text).strip() else span


def _continues(before: str, unit: str) -> bool:
    """A list item goes with what introduces it, and with the items before it."""
    if _ITEM.match(unit) is None:
        return False
    last = before.rstrip()
    return last.endswith((":", ":-", "—", "–", ";", ",", "; or", "; and", ", or", ", and"))


def _is_heading(unit: str, hit: Hit) -> bool:
    """A section's title line: nearly all its words are the title's."""
    said = words(unit)
    titles = [title for title in (hit.chunk.labels.title, *hit.chunk.section) if title]
    if unit.rstrip().endswith((".", "।")) and len(said) > 14:
        return False
    if unit.lstrip().startswith("#"):
        return True
    for title in titles:
        named = set(words(title)) | {"section", "article", "chapter", (hit.chunk.labels.section or "").casefold()}
        if said and len(said) <= len(words(title)) + 3 and sum(word in named for word in said) >= 0.85 * len(said):
            return True
    return False
