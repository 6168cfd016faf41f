"""Splits a hit into the units of an extractive answer: whole sentences, and lists kept whole."""

import re
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.generate.extractive.sentence_roles import Role, is_part_heading, is_proviso, role_of, section_part_of
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

# "2ndly.—", "[Third.—", "Secondly,": an item of a list that counts in words.
_ORDINAL = re.compile(
    r"\s*\[?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth"
    r"|[0-9]{1,2}(?:st|nd|rd|th)|पहला|दूसरा|तीसरा|चौथा|पांचवां|पाँचवाँ)(?:ly)?\s?[.,]?\s?[—–-]",
    re.IGNORECASE,
)
_REFERS_BACK = re.compile(
    r"(?:he|she|it|they|this(?! (?:act|section|chapter|part|rule|article|agreement|policy|document)\b)|"
    r"that|these|those|such|his|her|its|their|here|"
    r"there(?! (?:is|are|was|were|shall|will|must|may|can)\b)|then|"
    r"however|but|and|or|also|otherwise|in that case|यह|ये|वह|वे|इस|इसे|इसका|इसकी|इसके|उस|उसे|इन|परंतु|परन्तु|किंतु|किन्तु)\b"
    r"(?![\u0900-\u0963])",
    re.IGNORECASE,
)
# "who is empowered to ..." continues a sentence that was split before it.
_CONTINUES_CLAUSE = re.compile(r"(?:who|whom|whose|which)\b")
# A conclusion can be read without its premises.
_CONCLUDES = re.compile(r"(?:so|thus|hence|therefore|अतः|इसलिए)\b", re.IGNORECASE)
_HINDI_TASK = re.compile(r"बताइए|बताइये|लिखिए|(?:कीजिए|दीजिए|समझाइए)\W{0,4}$")
_HINDI = re.compile("[\u0904-\u0939]")
_HINDI_VERB = re.compile(
    "(?<![\u0900-\u0963])(?:है|हैं|हो|हों|हुआ|हुई|हुए|था|थी|थे|थीं|करे|करें|करो|दें|लें|जाए|जाएं|जाएँ|जाये|सके|सकें|चाहिए)(?![\u0900-\u0963])"
    "|[\u0904-\u0963]ग[ाीे](?![\u0900-\u0963])|(?:इए|िए|िये)(?![\u0900-\u0963])"
)
_ROW = re.compile(r"^\||\S \| \S")
_LABELLED_CELL = re.compile(r"(?:[^|:]|:(?=\S)){1,120}: \S|\([^()|]*\)$")  # or a unit: "(in millions)"
_SENTENCE_END = re.compile(r"[.!?;।॥。…][\"'”’»)\]*_]{0,4}\s*$")
# "… at the ward office. [SOURCE: Code_1_0]": not part of the sentence, and it would look like a citation.
_TRAILING_MARKER = re.compile(r"(?<=[.!?।])\s*(?:\[[^\[\]\n]{0,80}[:_][^\[\]\n]{0,80}\]\s*)+$")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+\.\S+")
_FEWEST_WORDS = 4
# A short line alone above a paragraph: a heading that the document does not mark as one.
_BARE_LINE = re.compile(r"[^\W\d_][^\W\d_'’&-]*(?: [^\W\d_][^\W\d_'’&-]*){0,7}")
_QUOTES = frozenset("\"“”‘’'«")
_MAX_LIST_CHARS = 6000  # more than a chunk with a list has: a list is kept whole
_NUMBERED_TITLE = re.compile(r"(?:[§#]\s?)?\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s+[^\W\d_][\w'’&-]*(?: [\w'’&-]+){0,2}\.")
_RUN_IN_HEADING = (".—", ".–", ".--", ".-")
_MAX_HEADING_WORDS = 30


@dataclass(frozen=True, slots=True)
class CandidateSentence:
    """One unit of a hit: `text` is verbatim from the chunk, and `position` counts units from 0.

    `span` is its place in the chunk, with the mark of a list item that `text` leaves out; `heading` the place of the
    heading right above it. `before` and `after` are the units next to it. `role` says whether it is the rule itself or
    explains, illustrates or limits it.
    """

    hit: Hit
    text: str
    position: int
    span: Span
    before: str = ""
    role: Role = "rule"
    heading: Span | None = None
    after: str = ""

    @property
    def is_item(self) -> bool:
        """Whether it begins with a list marker, alone or as a whole list."""
        return ITEM.match(self.span.of(self.hit.chunk.text)) is not None

    @property
    def is_definition(self) -> bool:
        """Whether it is a list item that defines a term: it can be read without the other items."""
        return _defines(self.span.of(self.hit.chunk.text))

    @property
    def is_list(self) -> bool:
        """Whether it is a list with its introduction."""
        first, *items = self.text.split("\n")
        return introduces_list(first) and any(ITEM.match(line) for line in items)

    @property
    def is_row(self) -> bool:
        return _ROW.search(self.text) is not None

    @property
    def is_labelled_row(self) -> bool:
        """Whether it is a row whose values come with the headings of their columns, so that it needs no header."""
        cells = [cell.strip() for cell in self.text.split(" | ")[1:]]
        return self.is_row and any(cells) and all(_LABELLED_CELL.match(cell) for cell in cells if cell.strip("| "))

    @property
    def is_sentence(self) -> bool:
        """Whether it ends like a sentence; rows, captions and entries do not."""
        return _SENTENCE_END.search(self.text) is not None

    @property
    def is_link(self) -> bool:
        """Whether it is little more than a URL."""
        return _ADDRESS.search(self.text) is not None and len(words(_ADDRESS.sub(" ", self.text))) < _FEWEST_WORDS

    @property
    def refers_back(self) -> bool:
        return _REFERS_BACK.match(self.text) is not None or _CONTINUES_CLAUSE.match(self.text) is not None

    @property
    def concludes(self) -> bool:
        return _CONCLUDES.match(self.text) is not None

    @property
    def is_incomplete(self) -> bool:
        """Whether it announces something that it does not contain: "The sum is given by:".

        A rule that ends with a colon because a proviso follows is complete.
        """
        return not is_proviso(self.after) and self.text.rstrip().endswith((":", ":—", ":-", ":–", " by", " namely"))

    @property
    def is_question(self) -> bool:
        return self.text.rstrip().endswith("?") or _HINDI_TASK.search(self.text) is not None

    @property
    def is_fragment(self) -> bool:
        """Whether it is Hindi without a verb: a marginal note, a running header, a truncated line."""
        return _HINDI.search(self.text) is not None and _HINDI_VERB.search(self.text) is None

    @property
    def title(self) -> str:
        """The heading of the section, or of the block within it; "Definition: Sequence" gives "Sequence"."""
        chunk = self.hit.chunk
        own = chunk.labels.title or ""
        if chunk.kind == "paragraph" or not chunk.section:
            return own
        heading = chunk.section[-1]
        return heading.partition(":")[2].strip() or heading


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
    if line and (mark := _ORDINAL.match(line)) and mark.end() == len(line):
        return True
    if "=" in unit and (last.endswith(":") or last[-1:].isalpha()):
        return True  # "... is given by", and the formula below it
    if not (ITEM.match(unit) or _ORDINAL.match(unit)) or _defines(unit):
        return False
    return (
        last.endswith(LIST_INTRODUCERS)
        or asks_true_or_false(line)
        or (in_list and (list_continues(last) or (item_mark(line) != "" and item_mark(line) == item_mark(unit))))
    )


def _defines(unit: str) -> bool:
    """Whether a list item begins with the term that it defines."""
    item = ITEM.match(unit) or _ORDINAL.match(unit)
    return item is not None and unit[item.end() : item.end() + 3].lstrip()[:1] in _QUOTES


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
    if bare.endswith(_RUN_IN_HEADING) and len(said) <= _MAX_HEADING_WORDS and not _ORDINAL.match(unit):
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
