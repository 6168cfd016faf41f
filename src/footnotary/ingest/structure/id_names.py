"""Id parts made from titles: "Minimum Wages Act, 1948" gives `MinimumWagesAct`."""

import re
import unicodedata
from pathlib import PurePath
from urllib.parse import unquote

from footnotary.domain.document import Labels
from footnotary.domain.identity import slug

_MAX_NAME_CHARS = 60
_YEAR_AT_END = re.compile(r"[\s,(]*(?:1[6-9]|20)\d\d\)?[\s.]*$")
_ESCAPED_LETTER = re.compile(r"#U([0-9a-fA-F]{4})(?![0-9a-fA-F])")
_LETTERS = re.compile(r"[^\W\d_]+")
_FIGURES = re.compile(r"\d+")
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


def document_code(labels: Labels, book: str | None, name: str, own_title: str | None = None) -> str:
    """The prefix of a document's ids: its CODE, or its act, court or book, or the file name.

    A file name that nobody can read ("x.md", "0001193125-22-1.html", a digest) is replaced by the document's own title.
    """
    if labels.code:
        return to_id_part(labels.code)
    for title in (labels.act, labels.court, book):
        if title:
            return code_from_title(title)
    stem = _unescaped(PurePath(name).stem)
    if own_title and not _is_readable(stem) and _is_readable(own_title):
        return camel_case_id_part(own_title.title() if own_title.isupper() else own_title)
    return camel_case_id_part(stem)


def _unescaped(stem: str) -> str:
    """A file name with its letters in place of "%E0%A4%95" or "#U0915", as downloads and archives write them."""
    stem = _ESCAPED_LETTER.sub(lambda found: chr(int(found[1], 16)), stem)
    letters = unquote(stem, errors="replace")
    return stem if "\ufffd" in letters else letters


def _is_readable(name: str) -> bool:
    """Whether a name has a word: three letters together, without figures among them as in a digest."""
    words = re.split(r"[\W_]+", name)
    return any(
        (len(longest) >= 3 if word.isalpha() else len(longest) >= 4 and len(_FIGURES.findall(word)) <= 2)
        for word in words
        for longest in [max(_LETTERS.findall(word), key=len, default="")]
    )
