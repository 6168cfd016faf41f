"""Passages that say of themselves that they are no fact: a work of fiction, a hypothetical case, or superseded.

Recognised by form, and conservatively: a sentence whose subject is the text itself. What a text says about another one
("The circular of 1999 is superseded") declares nothing.
"""

import re
from collections.abc import Sequence

from footnotary.domain.chunk import Chunk, Flag, FlagKind
from footnotary.domain.identity import Span
from footnotary.text.sentences.splitter import sentence_spans

_WHOLE = (
    r"(?:document|book|novel|story|play|text|article|page|report|circular|notice|policy|version|edition|order|manual"
    r"|memorandum|memo|guideline|handbook|release|draft)"
)
_PART = r"(?:example|case|scenario|illustration|passage|chapter|section|account|dialogue|paragraph|exercise|problem)"
_ADVERBS = r"(?:purely |entirely |wholly |completely |now |also |a |an )*"
_FICTION = r"(?:works? of fiction|fiction|fictional|fictitious|satire|parody)"
_NOT_REAL = r"(?:hypothetical|imaginary|invented|made up)"
_PAST = r"(?:superseded|withdrawn|cancelled|rescinded|revoked|obsolete|out of date|no longer (?:valid|in force))"
_BE = r"(?:is|are|was|were|has been|have been|stands)"
_DECLARES: tuple[tuple[FlagKind, re.Pattern[str]], ...] = (
    ("fiction", re.compile(rf"^this (?:(?P<whole>{_WHOLE})|{_PART}) {_BE} {_ADVERBS}{_FICTION}\b", re.IGNORECASE)),
    ("fiction", re.compile(rf"^(?P<whole>this is {_ADVERBS}works? of fiction)\b", re.IGNORECASE)),
    (
        "hypothetical",
        re.compile(
            rf"^(?:this|these|the following) {_PART}s? {_BE} {_ADVERBS}(?:{_NOT_REAL}|{_FICTION})\b", re.IGNORECASE
        ),
    ),
    ("superseded", re.compile(rf"^this (?P<whole>{_WHOLE}) {_BE} {_ADVERBS}{_PAST}\b", re.IGNORECASE)),
)


def declared_flags(chunks: Sequence[Chunk]) -> list[tuple[Flag, ...]]:
    """For each passage of one document what it says of itself, over its whole text.

    What the first passage says of the document holds for all of them.
    """
    found = [_declared(chunk.text) for chunk in chunks]
    of_document: list[FlagKind] = [kind for kind, is_whole in found[0] if is_whole] if found else []
    flags: list[tuple[Flag, ...]] = []
    for chunk, declared in zip(chunks, found, strict=True):
        kinds: dict[FlagKind, None] = dict.fromkeys((*of_document, *(kind for kind, _ in declared)))
        flags.append(tuple(Flag(kind, Span(0, len(chunk.text))) for kind in kinds if chunk.text))
    return flags


def _declared(text: str) -> list[tuple[FlagKind, bool]]:
    declared: list[tuple[FlagKind, bool]] = []
    for span in sentence_spans(text):
        sentence = span.of(text).lstrip(" \t\"'“‘(*_#>")
        for kind, pattern in _DECLARES:
            if match := pattern.match(sentence):
                declared.append((kind, "whole" in pattern.groupindex and match["whole"] is not None))
                break
    return declared
