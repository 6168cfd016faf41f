"""Word formulas on one line: one half as (1)/(2), so that digits do not run together."""

import re

from footnotary.ingest.parse.html.scanner import HtmlToken

FORMULA_TEXT_TAG = "m:t"
_OPENED = {"m:num": "(", "m:den": "/(", "m:sup": "^(", "m:sub": "_(", "m:deg": "[", "m:rad": "√(", "m:mr": " "}
_CLOSED = {"m:num": ")", "m:den": ")", "m:sup": ")", "m:sub": ")", "m:deg": "]", "m:rad": ")", "m:mr": ";"}
_SIGN = re.compile(r"<m:(begChr|endChr|chr)\s[^<>]{0,100}?val\s*=\s*\"([^\"<>]{0,10})\"")
_HEAD_CHARS = 600


class WordFormulas:
    """The signs around the letters of a formula, tag by tag."""

    def __init__(self, original: str) -> None:
        self._original = original
        self._ends: list[str] = []

    def sign(self, token: HtmlToken, is_empty: bool) -> str:
        """The sign that a formula tag renders; "" for most."""
        if is_empty:
            return ""
        if token.name == "m:d":
            if token.kind == "close":
                return self._ends.pop() if self._ends else ""
            said = self._declared_signs(token)
            self._ends.append(said.get("endChr", ")"))
            return said.get("begChr", "(")
        if token.name == "m:nary" and token.kind == "open":
            return self._declared_signs(token).get("chr", "∫")
        return (_OPENED if token.kind == "open" else _CLOSED).get(token.name, "")

    def _declared_signs(self, token: HtmlToken) -> dict[str, str]:
        """The signs that a tag declares before its first child element."""
        head = self._original[token.end : token.end + _HEAD_CHARS]
        return {found[1]: found[2] for found in _SIGN.finditer(re.split(r"<m:(?:e|sub|sup)\b", head, maxsplit=1)[0])}
