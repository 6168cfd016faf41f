"""Normal forms of a text, in which look-alike and invisible characters compare correctly."""

import re
import unicodedata

_APOSTROPHES = "\u2018\u2019\u02bc\uff07"
_SINGLE = _APOSTROPHES + "\u201a\u201b\u2032\u2039\u203a\u00b4"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_PLAIN_APOSTROPHES = str.maketrans(dict.fromkeys(_APOSTROPHES, "'"))
_PLAIN_QUOTES = str.maketrans(dict.fromkeys(_SINGLE, "'") | dict.fromkeys(_DOUBLE, '"') | dict.fromkeys(_DASHES, "-"))

# Controls but \t, \n and the \r of \r\n; format characters; half of a surrogate pair; selectors, fillers and
# blanks that print nothing although Unicode files them as letters, marks or symbols.
_INVISIBLE = re.compile(
    "\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"
_VIRAMA = 9  # the combining class of all of them


def nfc(text: str) -> str:
    # NFKC would turn "10²" into "102" and invent a fine of 102 rupees; we keep compatibility characters.
    return unicodedata.normalize("NFC", text)


def fold_quotes(text: str) -> str:
    """`text` with typographic quotes, apostrophes and dashes in ASCII, character for character: offsets hold."""
    return text if text.isascii() else text.translate(_PLAIN_QUOTES)


def squeeze(text: str) -> str:
    """`text` with every run of white space as one space, and none at the ends."""
    return " ".join(text.split())


def plain_key(text: str) -> str:
    """The form in which texts are compared word for word: two texts with one key have the same letters."""
    return squeeze(fold_quotes(nfc(text)))


def same_message(one: str, other: str) -> bool:
    """Whether two messages are equal except for the form of apostrophes and white space.

    Case, dashes, look-alike letters and invisible characters all make a difference.
    """
    return _with_plain_apostrophes(one) == _with_plain_apostrophes(other)


def _with_plain_apostrophes(message: str) -> str:
    return squeeze(message if message.isascii() else message.translate(_PLAIN_APOSTROPHES))


def invisible_places(text: str) -> tuple[int, ...]:
    """The positions of invisible characters in `text`, in order.

    Zero-width and bidirectional controls, tags, variation selectors, soft hyphens and other controls count; tab,
    line ends and the joiners that Indic spelling needs do not.
    """
    if text.isascii() and text.isprintable():
        return ()
    return tuple(m.start() for m in _INVISIBLE.finditer(text) if not _is_indic_joiner(text, m.start()))


def without_invisible(text: str) -> str:
    """`text` without the characters at `invisible_places`."""
    parts: list[str] = []
    kept = 0
    for place in invisible_places(text):
        parts.append(text[kept:place])
        kept = place + 1
    return "".join((*parts, text[kept:]))


def _is_indic_joiner(text: str, place: int) -> bool:
    """Whether a joiner is next to a virama: nowhere else does it change a letter."""
    adjacent = text[max(place - 1, 0) : place + 2]
    return text[place] in _JOINERS and any(
        "\u0900" <= c <= "\u0dff" and unicodedata.combining(c) == _VIRAMA for c in adjacent
    )
