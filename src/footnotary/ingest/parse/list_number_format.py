"""Writes the number of a list item in a number format: decimal, letters, Roman or Devanagari."""

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN_SMALL = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_DEVANAGARI = str.maketrans("0123456789", "०१२३४५६७८९")


def format_list_number(count: int, figures: str) -> str:
    """A count in a list's number format: `format_list_number(4, "lowerRoman") == "iv"`."""
    if figures in ("lowerLetter", "upperLetter") and count > 0:
        letter = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 20)
        return letter.upper() if figures == "upperLetter" else letter
    if figures in ("lowerRoman", "upperRoman") and 0 < count < 4000:
        written = ""
        for value, sign in (*_ROMAN, *_ROMAN_SMALL):
            times, count = divmod(count, value)
            written += sign * times
        return written.upper() if figures == "upperRoman" else written
    if figures == "decimalZero":
        return f"{count:02}"
    if figures == "hindiNumbers":
        return str(count).translate(_DEVANAGARI)
    return str(count)
