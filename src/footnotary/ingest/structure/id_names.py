"""Id parts made from titles: "Minimum Wages Act, 1948" gives `MinimumWagesAct`."""

import re
import unicodedata
from pathlib import PurePath

from footnotary.domain.document import Labels
from footnotary.domain.identity import slug

_MAX_NAME_CHARS = 60
_YEAR_AT_END = re.compile(r"[\s,(]*(?:1[6-9]|20)\d\d\)?[\s.]*$")
_ABBREVIATION = re.compile(r"\(([A-Z][A-Za-z]{0,7}[A-Z])\)")


def camel_case_id_part(title: str) -> str:
    """The words of a title in CamelCase; truncated between words if too long."""
    words = "".join(char if unicodedata.category(char)[0] in "LNM" else " " for char in title).split()
    joined = ""
    for word in words:
        if joined and len(joined) + len(word) > _MAX_NAME_CHARS:
            break
        joined += word[:1].upper() + word[1:]
    return to_id_part(joined[: _MAX_NAME_CHARS + 20]) if joined else "text"


def to_id_part(name: str) -> str:
    """`name` as a valid part of an id, never starting with a combining mark."""
    part = slug(name)
    while part and unicodedata.category(part[0]).startswith("M"):
        part = part[1:]
    return part or "x"


def code_from_title(title: str) -> str:
    """The code of an act, court or book: the abbreviation in brackets in its name, or its words without the year."""
    if found := _ABBREVIATION.search(title):
        return found[1]
    name = _YEAR_AT_END.sub("", title.strip())
    return camel_case_id_part(re.sub(r"^(?:The|THE)\s+", "", name) or title)


def document_code(labels: Labels, book: str | None, name: str) -> str:
    """The prefix of a document's ids: its CODE, or its act, court or book, or the file name."""
    if labels.code:
        return to_id_part(labels.code)
    for title in (labels.act, labels.court, book):
        if title:
            return code_from_title(title)
    return camel_case_id_part(PurePath(name).stem)
