"""The text a spreadsheet displays for a value: percentages, decimals, thousands, currencies and units of its format."""

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

_TOKEN = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|[#0?][#0?.,]*|\.[#0?]+|%|.', re.S)
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[0-9A-Fa-f]+)?\]")
_PLAIN_SIGNS = frozenset(" $€£¥₹()-+/:%'")
_SIGNIFICANT_DIGITS = 11  # as many as a cell in the format "General" shows
_MAX_DECIMALS = 30


def displayed(value: object, number_format: str) -> str:
    """The value as its cell shows it; a format that is not understood gives the plain value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d" if value.time() == time() else "%Y-%m-%d %H:%M")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return value.strftime("%H:%M:%S" if value.second else "%H:%M")
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, int | float):
        return _formatted(value, number_format) or _plain(value)
    return str(value)


def _plain(value: float) -> str:
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    short = f"{value:.{_SIGNIFICANT_DIGITS}g}"
    return repr(value) if "e" in short else short


def _formatted(value: float, number_format: str) -> str | None:
    """The value in a format of digits, signs and words; None if the format has anything else."""
    sections = _sections(number_format)
    if not sections or "General" in number_format:
        return None
    at = 1 if value < 0 and len(sections) > 1 else 2 if value == 0 and len(sections) > 2 else 0
    tokens = sections[at]
    digits = [token for token in tokens if token[0] in "#0?."]
    if len(digits) > 1 or any(token.startswith("[") and not _CURRENCY.fullmatch(token) for token in tokens):
        return None
    scale = 100 ** tokens.count("%")
    shown: list[str] = []
    for token in tokens:
        if token[0] in "#0?.":
            number = _number(abs(value), scale, token)
            if number is None:
                return None
            shown.append(number)
        elif token[0] == '"':
            shown.append(token[1:-1])
        elif token[0] == "\\":
            shown.append(token[1])
        elif currency := _CURRENCY.fullmatch(token):
            shown.append(currency[1])
        elif token[0] in "_*":
            shown.append(" ")
        elif token in _PLAIN_SIGNS:
            shown.append(token)
        else:
            return None
    text = " ".join("".join(shown).split())
    if not text or (value and not digits):  # a format of words alone hides the number
        return text or None
    return f"-{text}" if value < 0 and at == 0 else text


def _sections(number_format: str) -> list[list[str]]:
    """The formats for positive, negative and zero values, each as parts; names of colours are left out."""
    sections: list[list[str]] = [[]]
    for part in _TOKEN.findall(number_format):
        if part == ";":
            sections.append([])
        elif part[0] != "[" or not part[1:-1].isalpha():
            sections[-1].append(part)
    return sections[:3] if sections[0] else []


def _number(value: float, scale: int, pattern: str) -> str | None:
    """A number, never negative, in a pattern such as `#,##0.0#`; each comma at its end divides by a thousand."""
    body = pattern.rstrip(",")
    whole, _, fraction = body.partition(".")
    if "," in fraction or len(fraction) > _MAX_DECIMALS:
        return None
    try:
        # From the shortest text of the number: 1.005 is 1.005, not the binary fraction next to it.
        exact = Decimal(repr(value)) * scale / Decimal(1000) ** (len(pattern) - len(body))
        rounded = exact.quantize(Decimal(1).scaleb(-len(fraction)), ROUND_HALF_UP)
    except InvalidOperation:
        return None
    head, _, tail = (f"{rounded:,f}" if "," in whole else f"{rounded:f}").partition(".")
    while len(tail) > fraction.count("0") and tail.endswith("0"):
        tail = tail[:-1]
    head = head.zfill(whole.replace(",", "").count("0"))
    return f"{head}.{tail}" if tail else head
