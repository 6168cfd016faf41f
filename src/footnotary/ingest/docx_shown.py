"""The visible tokens of a Word part: without deleted, moved, struck or hidden text and superseded formatting."""

from collections.abc import Iterator, Mapping

from footnotary.domain.identity import Span
from footnotary.ingest.docx_formulas import TEXT
from footnotary.ingest.docx_signs import SIGNS
from footnotary.ingest.docx_styles import Style
from footnotary.ingest.docx_xml import OFF, STRUCK, attribute, prefix_of
from footnotary.ingest.html_scan import Token, scan

_NOT_TEXT = frozenset({"del", "movefrom", "fallback", "instrtext", "deltext"})
# A tracked formatting change stores the former formatting, such as hidden or heading, which no longer applies.
_BEFORE = frozenset(
    f"{kind}change" for kind in ("ppr", "rpr", "sectpr", "tblpr", "tblprex", "trpr", "tcpr", "numbering")
)
_SKIPPED = _NOT_TEXT | _BEFORE
# The marks of a deleted table row or cell, and the element that is deleted.
_DELETED = {("trpr", "del"): "tr", ("tcpr", "celldel"): "tc"}


class Shown:
    """The visible tokens of spans of `original`; `align` is the vertical alignment of the current run ("superscript").

    Some of the `styles`, by id, hide their text or strike it through.

    A text box is stored in the middle of the paragraph that anchors it: it is skipped, and its span is added to
    `boxes` to be read after the paragraph.
    """

    def __init__(self, original: str, styles: Mapping[str, Style]) -> None:
        self._original = original
        self._prefix = prefix_of(original)
        self._hiding = frozenset(name for name, style in styles.items() if style.hides_among(styles))
        self._striking = frozenset(name for name, style in styles.items() if style.strikes_among(styles))
        self._hidden = self._hidden_paragraph = False
        self._struck = self._struck_paragraph = False
        self.align = ""
        self.boxes: list[Span] = []

    def tokens(self, part: Span) -> Iterator[tuple[Token, str]]:
        """Text, and Word's own tags by name, formula tags with their prefix.

        A deletion mark on a paragraph or row is a tag without content. The rest of a row or cell with one is skipped.
        """
        skipping, depth, in_text, box, says = "", 0, False, 0, ""
        for found in scan(part.of(self._original)):
            token = Token(found.kind, found.start + part.start, found.end + part.start, found.name)
            tag = token.name.rpartition(":")[2] if token.name else ""
            is_ours = token.name == self._prefix + tag
            if skipping:
                if tag == skipping and not self.is_empty(token):
                    depth += 1 if token.kind == "open" else -1
                    skipping = skipping if depth else ""
                    if not skipping and tag == "txbxcontent":
                        self.boxes.append(Span(box, token.start))
            elif (tag in _SKIPPED or tag == "txbxcontent") and token.kind == "open" and not self.is_empty(token):
                skipping, depth, box = tag, 1, token.end
            elif token.kind == "text":
                if in_text and not self._hidden and not self._struck:
                    yield token, ""
            elif token.name == TEXT or (is_ours and tag == "t"):
                in_text = token.kind == "open" and not self.is_empty(token)
            elif is_ours and tag in ("trpr", "tcpr"):
                says = tag if token.kind == "open" and not self.is_empty(token) else ""
            elif is_ours and (says, tag) in _DELETED:
                skipping, depth = _DELETED[says, tag], 1
            elif is_ours and tag == "r":
                self._hidden, self._struck, self.align = self._hidden_paragraph, self._struck_paragraph, ""
            elif is_ours and tag == "rstyle":
                # If both the paragraph's style and the run's hide or strike text, Word shows it normally.
                value = attribute(self._original, token, "val")
                self._hidden = self._hidden_paragraph != (value in self._hiding)
                self._struck = self._struck_paragraph != (value in self._striking)
            elif is_ours and tag in STRUCK:
                self._struck = attribute(self._original, token, "val") not in OFF
            elif is_ours and tag == "vertalign":
                self.align = attribute(self._original, token, "val")
            elif token.name.startswith("m:"):
                yield token, token.name
            elif is_ours and not ((self._hidden or self._struck) and tag in SIGNS):
                if tag == "vanish":
                    self._hidden = attribute(self._original, token, "val") not in OFF
                elif tag in ("p", "pstyle"):
                    value = attribute(self._original, token, "val") if tag == "pstyle" else ""
                    self._hidden_paragraph, self._struck_paragraph = value in self._hiding, value in self._striking
                yield token, tag

    def is_empty(self, token: Token) -> bool:
        return token.kind == "open" and self._original[token.end - 2] == "/"
