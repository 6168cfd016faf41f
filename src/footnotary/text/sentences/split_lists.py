"""Lists and definitions that continue from one chunk into the next."""

import re

from footnotary.domain.chunk import Chunk

# A letter before a full stop may be an initial, and several are an abbreviation, unless they are a number: "iv."
ITEM = re.compile(
    r"\s*(?:\(?[A-Za-z0-9\u0904-\u0939\u0966-\u096f]{1,4}\)"
    r"|(?:[0-9]{1,4}[A-Za-z]?|[A-Za-z]|[ivxl]{2,5}|[IVXL]{2,5}|[\u0904-\u0939\u0966-\u096f]{1,4})\.|[-•*–‣◦▪●])\s"
)
# "2ndly.—", "[Third.—", "Secondly,": an item of a list that counts in words.
ORDINAL = re.compile(
    r"\s*\[?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth"
    r"|[0-9]{1,2}(?:st|nd|rd|th)|पहला|दूसरा|तीसरा|चौथा|पांचवां|पाँचवाँ)(?:ly)?\s?[.,]?\s?[—–-]",
    re.IGNORECASE,
)
LIST_INTRODUCERS = (":", ":-", "—", "–", "--", ",-")
_NEXT_ITEM = (";", ";]", ",", "; or", "; and", ", or", ", and", "या", "और", "तथा")
_QUOTES = frozenset("\"“”‘’'«")
# What continues a definition besides an item: its provisos, its explanations, and the rest of its last sentence.
_GOES_ON = re.compile(r"[a-z]|(?:Provided|Explanation)\b|(?:परंतु|परन्तु|स्पष्टीकरण)(?![\u0900-\u0963])")
# The largest gap between two chunks of one section, in characters.
_MAX_GAP = 4


def list_continues(text: str) -> bool:
    """Whether a text ends between two items of a list: "...; or"."""
    return text.rstrip().endswith(_NEXT_ITEM)


def list_is_open(text: str) -> bool:
    """Whether a text ends before an item of a list: between two of them, or after its introduction."""
    return list_continues(text) or text.rstrip().endswith(LIST_INTRODUCERS)


def defines_term(unit: str) -> bool:
    """Whether a list item begins with the term that it defines."""
    item = ITEM.match(unit) or ORDINAL.match(unit)
    return item is not None and unit[item.end() : item.end() + 3].lstrip()[:1] in _QUOTES


def follows_directly(before: Chunk, after: Chunk) -> bool:
    """Whether one chunk directly follows another in the same document."""
    return before.document_id == after.document_id and 0 <= after.span.start - before.span.end <= _MAX_GAP


def is_split_list(before: Chunk, after: Chunk) -> bool:
    """Whether a list or definition that begins in one chunk continues in the next one.

    Definitions of several terms are no list: each is complete by itself.
    """
    if not follows_directly(before, after) or defines_term(after.text):
        return False
    is_item = ITEM.match(after.text) is not None
    return (list_is_open(before.text) and is_item) or _is_split_definition(before, after, is_item=is_item)


def begins_with_rest(text: str, chunk: Chunk, before: Chunk) -> bool:
    """Whether a text opens its chunk, with or without its list mark, and that continues a list of the chunk before."""
    mark = ITEM.match(chunk.text)
    return 0 <= chunk.text.find(text) <= (mark.end() if mark else 0) and is_split_list(before, chunk)


def may_be_rest(chunk: Chunk) -> bool:
    """Whether a chunk begins like the rest of a list or definition."""
    return ITEM.match(chunk.text) is not None or (chunk.kind == "definition" and bool(_GOES_ON.match(chunk.text)))


def may_continue(chunk: Chunk) -> bool:
    """Whether the next chunk may hold the rest of a list or definition."""
    return list_is_open(chunk.text) or chunk.kind == "definition"


def _is_split_definition(before: Chunk, after: Chunk, *, is_item: bool) -> bool:
    same = before.kind == after.kind == "definition" and before.labels.section == after.labels.section
    return same and (is_item or _GOES_ON.match(after.text) is not None)
