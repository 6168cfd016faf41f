"""Numbers that label things, "Chapter 5" or "Class 10", and so are not amounts."""

from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.lexemes import lexeme_at, lexemes
from footnotary.text.references.provision_numbers import COUNTED_NOUNS, ascii_digits

_LABELS = frozenset(
    "chapter chapters page pages part parts title schedule form class standard exercise example theorem figure fig"
    " table no nos number item paragraph paragraphs para step explanation illustration clause subpart unit question"
    " order appendix annexure lesson slot source passage id अध्याय पृष्ठ कक्षा भाग अनुसूची उदाहरण प्रश्न".split()
)
_SINGULAR = {"chapters": "chapter", "pages": "page", "parts": "part", "paragraphs": "paragraph", "nos": "no"} | {
    "fig": "figure", "para": "paragraph",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NumberedItem:
    """A thing named by its number, "Chapter 5" or "Class 10": a label, not an amount."""

    noun: str
    number: str
    span: Span


@lru_cache(maxsize=64)
def numbered_items(text: str) -> tuple[NumberedItem, ...]:
    """The numbers in `text` that label chapters, pages, classes, examples and the like."""
    lex = lexemes(text)
    found: list[NumberedItem] = []
    for i, lexeme in enumerate(lex):
        if lexeme.key not in _LABELS:
            continue
        j = i + 2 if lexeme_at(lex, i + 1).text == "." else i + 1
        while lexeme_at(lex, j).kind == "number":
            if lexeme.key in ("no", "part", "number") and lexeme_at(lex, j + 1).key in COUNTED_NOUNS:
                break
            noun, span = _SINGULAR.get(lexeme.key, lexeme.key), Span(lex[j].start, lex[j].end)
            found.append(NumberedItem(noun, ascii_digits(lex[j].text), span))
            listed = lexeme_at(lex, j + 1).key in ("and", "or", "to", "-", "–") and lexeme.key.endswith("s")
            j = j + 2 if listed else len(lex)
    return tuple(found)
