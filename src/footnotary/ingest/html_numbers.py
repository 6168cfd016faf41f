"""List item numbers, which browsers show but the page does not contain."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from footnotary.ingest.docx_numbers import shown
from footnotary.ingest.html_scan import Token

_LISTS = frozenset({"ol", "ul", "menu"})
_FIGURES = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_STYLES = {
    "decimal": "decimal",
    "decimal-leading-zero": "decimalZero",
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "devanagari": "hindiNumbers",
    **dict.fromkeys(("none", "disc", "circle", "square"), ""),
}
_ATTRIBUTE = re.compile(
    r"\s(start|value|type|reversed|style)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?(?=[\s/>])", re.I
)
_STYLE = re.compile(r"\blist-style(?:-type)?\s*:([^;]*)", re.I)
_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,6})(?![0-9])")
# Pages that write the numbers themselves hide the browser's, mostly in CSS we do not read: "(a)", "1.", "iv)".
_OWN = re.compile(
    r"\s*(?:[(\[](?:\d{1,4}|[ivxlcIVXLC]{1,6}|[a-zA-Z])[)\]]|(?:\d{1,4}(?:\.\d{1,4})*|[ivxlc]{1,6}|[a-z])[.)](?:\s|$))"
)


@dataclass(slots=True)
class _List:
    is_ordered: bool
    figures: str = ""
    start: int | None = None
    step: int = 1
    items: list[tuple[int, int | None, str]] = field(default_factory=list[tuple[int, int | None, str]])


def numbers_of(page: str, tokens: Iterable[Token]) -> Mapping[int, str]:
    """The number of each item of an ordered list, with a trailing blank, by the offset of the item's tag."""
    numbers: dict[int, str] = {}
    open_lists: list[_List] = []
    for token in tokens:
        if token.name in _LISTS and token.kind == "open":
            open_lists.append(_opened(page, token))
        elif token.name in _LISTS and open_lists:
            numbers |= _counted(open_lists.pop())
        elif token.name == "li" and token.kind == "open" and open_lists and open_lists[-1].is_ordered:
            said = _attributes(page, token)
            open_lists[-1].items.append((token.start, _whole(said, "value"), _figures(said, open_lists[-1].figures)))
    for left_open in open_lists:
        numbers |= _counted(left_open)
    return numbers


def writes_its_own(text: str) -> bool:
    """Whether the text of an item already begins with a number."""
    return _OWN.match(text) is not None


def _opened(page: str, token: Token) -> _List:
    if token.name != "ol":
        return _List(is_ordered=False)
    said = _attributes(page, token)
    return _List(True, _figures(said, "decimal"), _whole(said, "start"), -1 if "reversed" in said else 1)


def _counted(held: _List) -> Mapping[int, str]:
    count = held.start if held.start is not None else len(held.items) if held.step < 0 else 1
    numbers: dict[int, str] = {}
    for at, value, figures in held.items:
        count = count if value is None else value
        if figures:
            numbers[at] = f"{shown(count, figures)}. "
        count += held.step
    return numbers


def _attributes(page: str, token: Token) -> Mapping[str, str]:
    found = _ATTRIBUTE.finditer(page[token.start : token.end][:2000])
    return {name.lower(): double or single or bare or "" for name, double, single, bare in (f.groups() for f in found)}


def _figures(said: Mapping[str, str], above: str) -> str:
    """The number format of a list; "" if it shows no numbers."""
    style = _STYLE.search(said.get("style", ""))
    named = [_STYLES[word] for word in style[1].lower().split() if word in _STYLES] if style else []
    return named[-1] if named else _FIGURES.get(said.get("type", ""), above)


def _whole(said: Mapping[str, str], name: str) -> int | None:
    found = _WHOLE.match(said.get(name, ""))
    return int(found[1]) if found else None
