"""Provisions named in a text, "Section 420 IPC" or "§ 164.514(b)", with their acts and clauses."""

import re
from collections.abc import Iterator
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.domain.query import Reference
from footnotary.text.lexemes import lexeme_at, lexemes
from footnotary.text.number_words import number_in_words
from footnotary.text.references.act_names import act_after, act_before
from footnotary.text.references.provision_numbers import (
    ANNOUNCING_WORDS,
    BEFORE_WORDED_NUMBER,
    CLAUSE_PATTERN,
    COUNTED_NOUNS,
    PLURAL_KEYWORDS,
    ListedNumber,
    first_number_at,
    is_keyword,
    listed_numbers,
)

LONGEST_RANGE = 20

# "clause (b) of sub-section (1) of " before the word "section"; searched in a short window only.
_LEADING = re.compile(
    rf"(?:clauses?|sub-?\s?sections?|subsections?|sub-?\s?clauses?|paragraphs?|para|items?)"
    rf"\s?((?:{CLAUSE_PATTERN}|\s|,|and|or|to){{1,20}}?)\s?of\s{{1,2}}",
    re.IGNORECASE,
)
_ONE_CLAUSE = re.compile(CLAUSE_PATTERN)
_WINDOW = 90


@lru_cache(maxsize=64)
def references(text: str) -> tuple[tuple[Reference, Span], ...]:
    """Every provision named in `text`, in order, with its position.

    Numbers are normalised: `120-B` and `120 B` are "120B", `४२०` is "420". A list shares its act, a range of at most
    `LONGEST_RANGE` plain numbers is given in full and a longer one by its ends. `clause` is as written without
    spaces, outermost first: "(1)(b)". Chapters, pages and paragraphs are no provisions.
    """
    found: list[tuple[Reference, Span]] = []
    lex = lexemes(text)
    i = 0
    while i < len(lex):
        may_name = lex[i].kind == "number" or lex[i].key in ANNOUNCING_WORDS
        first = first_number_at(lex, i) if may_name else None
        if first is None:
            i += 1
            continue
        several = lex[i].key in PLURAL_KEYWORDS or lexeme_at(lex, i + 1).text == "§"
        numbers, i_after = listed_numbers(text, lex, first, several)
        act, end = act_after(text, lex, i_after)
        start = lex[i].start
        if act is None:
            act, start = act_before(text, lex, i)
        leading = _leading_clauses(text, lex[i].start) if is_keyword(lex, i) else []
        found.extend(_spread(numbers, act, leading, start, end))
        i = max(i_after, i + 1)
    return tuple(found)


@lru_cache(maxsize=64)
def worded_references(text: str) -> tuple[tuple[str, Span], ...]:
    """Provisions whose number is written in words, "section twelve": the number, and its position.

    "One" is left out, because it follows rules and articles as a pronoun.
    """
    lex = lexemes(text)
    found: list[tuple[str, Span]] = []
    for i, lexeme in enumerate(lex):
        if lexeme.key not in BEFORE_WORDED_NUMBER or not is_keyword(lex, i):
            continue
        j = i + 2 if lexeme_at(lex, i + 1).text == "." else i + 1
        number = number_in_words(lex, j)
        if number is None or number.ordinal or number.value < 2 or number.value.denominator != 1:
            continue
        if lexeme_at(lex, number.end).key not in COUNTED_NOUNS:
            found.append((str(int(number.value)), Span(lexeme.start, lex[number.end - 1].end)))
    return tuple(found)


def _leading_clauses(text: str, start: int) -> list[str]:
    """The clauses of "clauses (a) and (b) of sub-section (1) of " before `start`, as "(1)(a)" and "(1)(b)"."""
    window = text[max(0, start - _WINDOW) : start]
    found = list(_LEADING.finditer(window))
    inner: list[str] = [""]
    end = len(window)
    for match in reversed(found):
        between = window[match.end() : end].strip().lower()
        if between not in ("", "the"):
            break
        own = _ONE_CLAUSE.findall(match[1])
        inner = [before + clause for before in inner for clause in own]
        end = match.start()
    return [clause for clause in inner if clause]


def _spread(
    numbers: list[ListedNumber], act: str | None, leading: list[str], start: int, end: int
) -> Iterator[tuple[Reference, Span]]:
    for place, listed in enumerate(numbers):
        span = Span(
            min(start, listed.span.start) if place == 0 else listed.span.start,
            max(end, listed.span.end) if place == len(numbers) - 1 else listed.span.end,
        )
        before = numbers[place - 1] if place else None
        if listed.to and before and _is_short_number(before.section) and _is_short_number(listed.section):
            low, high = int(before.section), int(listed.section)
            if 0 < high - low <= LONGEST_RANGE:
                for between in range(low + 1, high):
                    yield Reference(str(between), act), span
        if place == 0 and leading:
            for clause in leading:
                yield Reference(listed.section, act, (listed.clause or "") + clause), span
        else:
            yield Reference(listed.section, act, listed.clause), span


def _is_short_number(section: str) -> bool:
    return section.isdecimal() and len(section) <= 9
