"""The units of an extractive answer: sentences and lists of a hit, and what each of them can be used for."""

import re
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.generate.extractive.sentence_roles import Role, is_proviso
from footnotary.text.sentences.negated_lists import introduces_list
from footnotary.text.sentences.split_lists import ITEM, defines_term
from footnotary.text.tokens import words

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
_BETWEEN_CELLS = re.compile(r"(?<=\s)\|(?=\s)")  # around an empty cell, two share the space: "a | | b"
_LABELLED_CELL = re.compile(r"(?:[^|:]|:(?=\S)){1,120}: \S|\([^()|]*\)$")  # or a unit: "(in millions)"
_SENTENCE_END = re.compile(r"[.!?;।॥。…][\"'”’»)\]*_]{0,4}\s*$")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+\.\S+")
_FEWEST_WORDS = 4


def cells_of(row: str) -> list[str]:
    """The cells of a row, without the bars of Markdown around it; an empty cell is an empty string."""
    return [cell.strip("| ") for cell in _BETWEEN_CELLS.split(row)]


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
    def text_span(self) -> Span:
        """The place of its text, without the mark of a list item."""
        return Span(self.span.end - len(self.text), self.span.end)

    @property
    def is_item(self) -> bool:
        """Whether it begins with a list marker, alone or as a whole list."""
        return ITEM.match(self.span.of(self.hit.chunk.text)) is not None

    @property
    def is_definition(self) -> bool:
        """Whether it is a list item that defines a term: it can be read without the other items."""
        return defines_term(self.span.of(self.hit.chunk.text))

    @property
    def is_list(self) -> bool:
        """Whether it is a list with its introduction."""
        first, *items = self.text.split("\n")
        return introduces_list(first) and any(ITEM.match(line) for line in items)

    @property
    def has_nested_items(self) -> bool:
        """Whether it is a list item with the items nested in it, which are indented."""
        return self.is_item and any(ITEM.match(line) for line in self.text.split("\n") if line.startswith(" "))

    @property
    def is_row(self) -> bool:
        return _ROW.search(self.text) is not None

    @property
    def cells(self) -> list[str]:
        return cells_of(self.text)

    @property
    def is_labelled_row(self) -> bool:
        """Whether it is a row whose values come with the headings of their columns, so that it needs no header."""
        values = self.cells[1:]
        return self.is_row and bool(values) and all(_LABELLED_CELL.match(value) for value in values if value)

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
