"""The numbers and bullets of list items, which browsers show but the page does not contain."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from footnotary.ingest.parse.html.scanner import HtmlToken
from footnotary.ingest.parse.list_number_format import format_list_number

LIST_TAGS = frozenset({"ol", "ul"})
_FORMATS_BY_TYPE = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_FORMATS_BY_STYLE = {
    "decimal": "decimal",
    "decimal-leading-zero": "decimalZero",
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "devanagari": "hindiNumbers",
    **dict.fromkeys(("disc", "circle", "square"), "bullet"),
    "none": "",
}
_ATTRIBUTE = re.compile(
    r"\s(start|value|type|reversed|style)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?(?=[\s/>])", re.I
)
_STYLE = re.compile(r"\blist-style(?:-type)?\s*:([^;]*)", re.I)
_INTEGER = re.compile(r"\s*([+-]?[0-9]{1,6})(?![0-9])")
BULLET = "• "
# Pages that write the marks themselves hide the browser's, mostly in CSS we do not read: "(a)", "1.", "iv)", "–".
_OWN_MARK = re.compile(
    r"\s*(?:[-•*–—◦▪●·](?:\s|$)|[(\[](?:\d{1,4}|[ivxlcIVXLC]{1,6}|[a-zA-Z])[)\]]|(?:\d{1,4}(?:\.\d{1,4})*|[ivxlc]{1,6}|[a-z])[.)](?:\s|$))"
)


@dataclass(slots=True)
class _HtmlList:
    figures: str
    start: int | None = None
    step: int = 1
    items: list[tuple[int, int | None, str]] = field(default_factory=list[tuple[int, int | None, str]])


def list_item_numbers(page: str, tokens: Iterable[HtmlToken]) -> Mapping[int, str]:
    """The number or bullet of each list item, with a trailing blank, by the offset of the item's tag."""
    numbers: dict[int, str] = {}
    open_lists: list[_HtmlList] = []
    for token in tokens:
        if token.name in LIST_TAGS and token.kind == "open":
            open_lists.append(_open_list(page, token))
        elif token.name in LIST_TAGS and open_lists:
            numbers |= _numbers_of_items(open_lists.pop())
        elif token.name == "li" and token.kind == "open" and open_lists:
            said = _attributes(page, token)
            open_lists[-1].items.append(
                (token.start, _integer_attribute(said, "value"), _number_format(said, open_lists[-1].figures))
            )
    for left_open in open_lists:
        numbers |= _numbers_of_items(left_open)
    return numbers


def has_own_mark(text: str) -> bool:
    """Whether the text of an item already begins with a number or bullet."""
    return _OWN_MARK.match(text) is not None


def _open_list(page: str, token: HtmlToken) -> _HtmlList:
    said = _attributes(page, token)
    figures = _number_format(said, "decimal" if token.name == "ol" else "bullet")
    return _HtmlList(figures, _integer_attribute(said, "start"), -1 if "reversed" in said else 1)


def _numbers_of_items(held: _HtmlList) -> Mapping[int, str]:
    count = held.start if held.start is not None else len(held.items) if held.step < 0 else 1
    numbers: dict[int, str] = {}
    for at, value, figures in held.items:
        count = count if value is None else value
        if figures:
            numbers[at] = BULLET if figures == "bullet" else f"{format_list_number(count, figures)}. "
        count += held.step
    return numbers


def _attributes(page: str, token: HtmlToken) -> Mapping[str, str]:
    found = _ATTRIBUTE.finditer(page[token.start : token.end][:2000])
    return {name.lower(): double or single or bare or "" for name, double, single, bare in (f.groups() for f in found)}


def _number_format(said: Mapping[str, str], above: str) -> str:
    """The number format of a list, "bullet" for bullets; "" if it shows none."""
    style = _STYLE.search(said.get("style", ""))
    named = [_FORMATS_BY_STYLE[word] for word in style[1].lower().split() if word in _FORMATS_BY_STYLE] if style else []
    return named[-1] if named else _FORMATS_BY_TYPE.get(said.get("type", ""), above)


def _integer_attribute(said: Mapping[str, str], name: str) -> int | None:
    found = _INTEGER.match(said.get(name, ""))
    return int(found[1]) if found else None
