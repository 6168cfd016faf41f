"""Characters that Word writes as tags: non-breaking hyphens and symbol-font characters."""

from footnotary.ingest.parse.docx.xml import attribute_value
from footnotary.ingest.parse.html.scanner import HtmlToken

_SYMBOL = dict(
    zip(
        "\x22\x24\x27\x2a\x2d\x40\x5c\x5e\xa2\xa3\xa4\xa5\xa6\xab\xac\xad\xae\xaf\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba"
        "\xbb\xbc\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcc\xcd\xce\xcf\xd0\xd1\xd5\xd6\xd7\xd8\xd9\xda\xdb\xdc\xde\xe5\xf2",
        "∀∃∋∗−≅∴⊥′≤⁄∞ƒ↔←↑→↓°±″≥×∝∂•÷≠≡≈…⊗⊕∅∩∪⊃⊇⊂⊆∈∉∠∇∏√⋅¬∧∨⇔⇐⇒∑∫",
        strict=True,
    )
) | dict(
    zip(
        "ABGDEZHQIKLMNXOPRSTUFCYWabgdezhqiklmnxoprstufcyw",
        "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψω",
        strict=True,
    )
)
_WINGDINGS = dict(zip("\x4a\x6c\x6e\x6f\x71\x9f\xa7\xa8\xdf\xe0\xe8\xfb\xfc\xfd\xfe", "☺●■☐☐•▪☐←→→✗✓☒☑", strict=True))
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}
_UNCHANGED_IN_SYMBOL_FONT = " !#%&()+,./0123456789:;<=>?[]_{|}"
SYMBOL_TAGS = frozenset({"nobreakhyphen", "sym"})
UNKNOWN_SYMBOL = "\ufffd"  # shows readers that there is a symbol here


def decode_symbol(xml: str, token: HtmlToken, tag: str) -> str:
    """The character that a tag of `SIGNS` renders."""
    if tag == "nobreakhyphen":
        return "-"
    try:
        code = int(attribute_value(xml, token, "char"), 16)
        letter = chr(code & 0xFF if 0xF000 <= code <= 0xF0FF else code)
    except (ValueError, OverflowError):
        return UNKNOWN_SYMBOL
    known = _FONTS.get(attribute_value(xml, token, "font").casefold())
    if known is None:  # other fonts show the Unicode character, except in the private-use area
        return UNKNOWN_SYMBOL if 0xE000 <= code <= 0xF8FF or not letter.isprintable() else letter
    return known.get(letter) or (letter if known is _SYMBOL and letter in _UNCHANGED_IN_SYMBOL_FONT else UNKNOWN_SYMBOL)
