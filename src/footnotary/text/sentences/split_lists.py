"""Lists that continue from one chunk into the next."""

import re

from footnotary.domain.chunk import Chunk

ITEM = re.compile(r"\s*(?:\(?[A-Za-z0-9\u0904-\u0939\u0966-\u096f]{1,4}[).]|[-•*–])\s")
LIST_INTRODUCERS = (":", ":-", "—", "–", "--", ",-")
_NEXT_ITEM = (";", ";]", ",", "; or", "; and", ", or", ", and", "या", "और", "तथा")
# The largest gap between two chunks of one section, in characters.
_MAX_GAP = 4


def list_continues(text: str) -> bool:
    """Whether a text ends between two items of a list: "...; or"."""
    return text.rstrip().endswith(_NEXT_ITEM)


def follows_directly(before: Chunk, after: Chunk) -> bool:
    """Whether one chunk directly follows another in the same document."""
    return before.document_id == after.document_id and 0 <= after.span.start - before.span.end <= _MAX_GAP


def is_split_list(before: Chunk, after: Chunk) -> bool:
    """Whether a list that begins in one chunk continues in the next one."""
    open_end = list_continues(before.text) or before.text.rstrip().endswith(LIST_INTRODUCERS)
    return open_end and follows_directly(before, after) and ITEM.match(after.text) is not None
