"""Splits a hit into the units of an extractive answer: whole sentences, and lists kept whole."""

import re

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.generate.extractive.candidates import ORDINAL, CandidateSentence, defines_term
from footnotary.generate.extractive.sentence_roles import Role, is_part_heading, role_of, section_part_of
from footnotary.text.sentences.negated_lists import (
    asks_true_or_false,
    introduces_list,
    is_item_below,
    item_mark,
    negates_list,
)
from footnotary.text.sentences.reported_speech import speech_spans
from footnotary.text.sentences.split_lists import ITEM, LIST_INTRODUCERS, list_continues
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import words

# "… at the ward office. [SOURCE: Code_1_0]": not part of the sentence, and it would look like a citation.
_TRAILING_MARKER = re.compile(r"(?<=[.!?।])\s*(?:\[[^\[\]\n]{0,80}[:_][^\[\]\n]{0,80}\]\s*)+$")
# A short line alone above a paragraph: a heading that the document does not mark as one.
_BARE_LINE = re.compile(r"[^\W\d_][^\W\d_'’&-]*(?: [^\W\d_][^\W\d_'’&-]*){0,7}")
_MAX_LIST_CHARS = 6000  # more than a chunk with a list has: a list is kept whole
_NUMBERED_TITLE = re.compile(r"(?:[§#]\s?)?\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s+[^\W\d_][\w'’&-]*(?: [\w'’&-]+){0,2}\.")
_RUN_IN_HEADING = (".—", ".–", ".--", ".-")
_MAX_HEADING_WORDS = 30


def candidate_sentences(hit: Hit) -> tuple[CandidateSentence, ...]:
    """The units of a hit in reading order: no headings, a list together with the sentence that introduces it.

    The title that begins a numbered line is a heading too. Quoted speech stays with the words that name the speaker.
    """
    text = hit.chunk.text
    spoken = speech_spans(text)
    joined: list[Span] = []
    introduced: list[bool] = []
    roles: list[Role] = []
    headings: list[Span | None] = []
    part: Role = "rule"
    above: Span | None = None
    for whole in sentence_spans(text):
        span = _without_trailing_marker(whole, text)
        unit = span.of(text)
        part = section_part_of(unit, part)
        if _is_heading(unit, hit) or _is_bare_heading(span, text) or _is_run_in_title(span, text):
            above = span
            continue
        if not words(unit) or is_part_heading(unit):
            continue
        role = role_of(unit, part, hit.chunk.labels.kind)
        goes_on = joined and (
            _continues(joined[-1].of(text), unit, introduced[-1])
            or (introduced[-1] and role == roles[-1] and _is_negated_item(joined[-1].of(text), unit))
            or (introduced[-1] and _is_within_item(joined[-1], span, text))
            or any(speech.start < span.start < speech.end for speech in spoken)
        )
        if goes_on and span.end - joined[-1].start <= _MAX_LIST_CHARS:
            joined[-1] = Span(joined[-1].start, span.end)
            introduced[-1] = True
        else:
            joined.append(span)
            introduced.append(False)
            roles.append(role)
            headings.append(above)
        above = None
    texts = [_without_enumerator(span, text).of(text) for span in joined]
    return tuple(
        CandidateSentence(hit, own, n, joined[n], texts[n - 1] if n else "", roles[n], headings[n], after)
        for n, (own, after) in enumerate(zip(texts, [*texts[1:], ""], strict=True))
    )


def _without_trailing_marker(span: Span, text: str) -> Span:
    found = _TRAILING_MARKER.search(span.of(text))
    return span if found is None else Span(span.start, span.start + found.start())


def _without_enumerator(span: Span, text: str) -> Span:
    """A single item reads better without its "(a)"; a list keeps them."""
    unit = span.of(text)
    match = ITEM.match(unit)
    if match is None or any(ITEM.match(line) for line in unit[match.end() :].split("\n")[1:]):
        return span
    return Span(span.start + match.end(), span.end)


def _continues(before: str, unit: str, in_list: bool) -> bool:
    """Whether `unit` continues `before`: a list item its introduction or the items before it, a text its own mark.

    Items that each define a term, and items without an introduction, are separate.
    """
    last = before.rstrip()
    line = last[last.rfind("\n") + 1 :]
    if line and (mark := ORDINAL.match(line)) and mark.end() == len(line):
        return True
    if "=" in unit and (last.endswith(":") or last[-1:].isalpha()):
        return True  # "... is given by", and the formula below it
    if not (ITEM.match(unit) or ORDINAL.match(unit)) or defines_term(unit):
        return False
    return (
        last.endswith(LIST_INTRODUCERS)
        or asks_true_or_false(line)
        or (in_list and (list_continues(last) or (item_mark(line) != "" and item_mark(line) == item_mark(unit))))
    )


def _is_within_item(before: Span, span: Span, text: str) -> bool:
    """Whether a sentence is in the same line as the list item before it, which begins that line."""
    line = text[text.rfind("\n", 0, before.end) + 1 : before.end]
    return "\n" not in text[before.end : span.start] and ITEM.match(line) is not None


def _is_negated_item(before: str, unit: str) -> bool:
    """Whether an item belongs to a negated list: alone it would say the opposite."""
    lead = next(filter(introduces_list, before.split("\n")), "")
    return ITEM.match(unit) is not None and negates_list(lead) and is_item_below(lead, unit)


def _is_bare_heading(span: Span, text: str) -> bool:
    """Whether a few words without a stop are a paragraph of their own above another one."""
    alone = not text[: span.start].strip(" \t") or text[: span.start].rstrip(" \t").endswith("\n\n")
    return (
        alone
        and text.startswith("\n\n", span.end)
        and bool(text[span.end :].strip())
        and _BARE_LINE.fullmatch(span.of(text)) is not None
    )


def _is_run_in_title(span: Span, text: str) -> bool:
    """Whether it is the title in a numbered line: "3. Deposit. A deposit of …"."""
    return (
        _NUMBERED_TITLE.fullmatch(span.of(text)) is not None
        and (not text[: span.start].strip(" \t") or text[: span.start].rstrip(" \t").endswith("\n"))
        and text[span.end :].lstrip(" \t")[:1].isupper()
    )


def _is_heading(unit: str, hit: Hit) -> bool:
    """Whether a unit is a title line: nearly all its words are the title's, or it precedes a statute's dash."""
    said = words(unit)
    bare = unit.rstrip()
    if bare.endswith(_RUN_IN_HEADING) and len(said) <= _MAX_HEADING_WORDS and not ORDINAL.match(unit):
        return True
    titles = [title for title in (hit.chunk.labels.title, *hit.chunk.section) if title]
    if bare.endswith((".", "।")) and len(said) > 14:
        return False
    if unit.lstrip().startswith("#"):
        return True
    for title in titles:
        named = set(words(title)) | {"section", "article", "chapter", (hit.chunk.labels.section or "").casefold()}
        if said and len(said) <= len(words(title)) + 3 and sum(word in named for word in said) >= 0.85 * len(said):
            return True
    return False
