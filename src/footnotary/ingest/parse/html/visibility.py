"""Which elements of a page a reader does not see, and which of them hold its main text."""

import re
from collections.abc import Iterable, Mapping, Sequence

from footnotary.domain.identity import Span
from footnotary.ingest.parse.html.scanner import HtmlToken

_ATTRIBUTE = re.compile(r"\s([A-Za-z][\w:-]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_HIDING_STYLE = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:font-size|opacity)\s*:\s*0(?:px|pt|em|%)?\s*(?=;|!|$|\}))",
    re.I,
)
_NESTED_RULES = re.compile(r"@[\w-]+[^{;]{0,500}\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")  # those for print and small screens
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{0,5000})\}")
_SIMPLE_SELECTOR = re.compile(r"\s*(?:\w+)?([.#])([\w-]+)\s*")
_CHROME_ROLES = frozenset("alertdialog banner complementary contentinfo dialog navigation search".split())
_MAX_TAG_CHARS = 4_000
VOID_TAGS = frozenset("area base br col embed hr img input link meta param source track wbr".split())


def hidden_elements(page: str, tokens: Sequence[HtmlToken], *, by_style_sheet: bool) -> frozenset[int]:
    """The offsets of elements that are not shown: by attribute, by style, or by a rule of the page's own style sheet.

    Navigation, banners and dialogs are among them where the page gives them these roles. Rules count if they name one
    class or id.
    """
    classes, ids = _hiding_rules(page, tokens) if by_style_sheet else (frozenset[str](), frozenset[str]())
    return frozenset(
        token.start
        for token in tokens
        if token.kind == "open" and token.name not in VOID_TAGS and _is_hidden(_attributes(page, token), classes, ids)
    )


def main_element(page: str, tokens: Sequence[HtmlToken]) -> Span | None:
    """The element that the page marks as its main text; None unless there is exactly one, and it is closed."""
    found = [token for token in tokens if token.kind == "open" and _is_main(page, token)]
    if len(found) != 1:
        return None
    depth = 0
    for token in tokens:
        if token.start >= found[0].start and token.name == found[0].name:
            depth += 1 if token.kind == "open" else -1
            if depth == 0:
                return Span(found[0].start, token.end)
    return None


def _is_main(page: str, token: HtmlToken) -> bool:
    if token.name == "main":
        return True
    return "role" in page[token.start : token.end] and _attributes(page, token).get("role", "").lower() == "main"


def _is_hidden(attributes: Mapping[str, str], classes: frozenset[str], ids: frozenset[str]) -> bool:
    if not attributes:
        return False
    return (
        ("hidden" in attributes and attributes["hidden"].lower() != "until-found")
        or attributes.get("aria-hidden", "").lower() == "true"
        or attributes.get("role", "").lower() in _CHROME_ROLES
        or _HIDING_STYLE.search(attributes.get("style", "")) is not None
        or attributes.get("id", "") in ids
        or not classes.isdisjoint(attributes.get("class", "").split())
    )


def _attributes(page: str, token: HtmlToken) -> dict[str, str]:
    found = _ATTRIBUTE.finditer(page, token.start, min(token.end, token.start + _MAX_TAG_CHARS))
    return {name.lower(): double or single or bare or "" for name, double, single, bare in (f.groups() for f in found)}


def _hiding_rules(page: str, tokens: Iterable[HtmlToken]) -> tuple[frozenset[str], frozenset[str]]:
    """The classes and ids that the style sheets within the page hide."""
    classes: set[str] = set()
    ids: set[str] = set()
    in_style = False
    for token in tokens:
        if token.name == "style":
            in_style = token.kind == "open"
        elif in_style and token.kind == "text":
            for selectors, body in _RULE.findall(_NESTED_RULES.sub(" ", page[token.start : token.end])):
                if _HIDING_STYLE.search(body):
                    for found in map(_SIMPLE_SELECTOR.fullmatch, selectors.split(",")):
                        if found:
                            (classes if found[1] == "." else ids).add(found[2])
    return frozenset(classes), frozenset(ids)
