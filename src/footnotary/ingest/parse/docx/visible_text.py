"""The visible tokens of a Word part: without deleted, moved, struck or hidden text and superseded formatting."""

from collections.abc import Iterator, Mapping

from footnotary.domain.identity import Span
from footnotary.ingest.parse.docx.formulas import FORMULA_TEXT_TAG
from footnotary.ingest.parse.docx.styles import ParagraphStyle
from footnotary.ingest.parse.docx.symbols import SYMBOL_TAGS
from footnotary.ingest.parse.docx.xml import FALSE_VALUES, STRIKE_TAGS, attribute_value, namespace_prefix
from footnotary.ingest.parse.html.scanner import HtmlToken, tokenize_html

_NOT_TEXT_TAGS = frozenset({"del", "movefrom", "fallback", "instrtext", "deltext"})
# A tracked formatting change stores the former formatting, such as hidden or heading, which no longer applies.
_FORMER_FORMATTING_TAGS = frozenset(
    f"{kind}change" for kind in ("ppr", "rpr", "sectpr", "tblpr", "tblprex", "trpr", "tcpr", "numbering")
)
_SKIPPED_TAGS = _NOT_TEXT_TAGS | _FORMER_FORMATTING_TAGS
# The marks of a deleted table row or cell, and the element that is deleted.
_DELETION_MARKS = {("trpr", "del"): "tr", ("tcpr", "celldel"): "tc"}


class VisibleTokens:
    """The visible tokens of spans of `original`; `align` is the vertical alignment of the current run ("superscript").

    `is_bold` says whether the current run is marked as bold.
    Some of the `styles`, by id, hide their text or strike it through.

    A text box is stored in the middle of the paragraph that anchors it: it is skipped, and its span is added to
    `boxes` to be read after the paragraph.
    """

    def __init__(self, original: str, styles: Mapping[str, ParagraphStyle]) -> None:
        self._original = original
        self._prefix = namespace_prefix(original)
        self._hidden_styles = frozenset(name for name, style in styles.items() if style.effectively_hidden(styles))
        self._striking = frozenset(name for name, style in styles.items() if style.effectively_struck(styles))
        self._hidden = self._hidden_paragraph = False
        self._struck = self._struck_paragraph = False
        self.align = ""
        self.is_bold = False
        self.boxes: list[Span] = []

    def tokens(self, part: Span) -> Iterator[tuple[HtmlToken, str]]:
        """Text, and Word's own tags by name, formula tags with their prefix.

        A deletion mark on a paragraph or row is a tag without content. The rest of a row or cell with one is skipped.
        """
        skipping, depth, in_text, box, says = "", 0, False, 0, ""
        for found in tokenize_html(part.of(self._original)):
            token = HtmlToken(found.kind, found.start + part.start, found.end + part.start, found.name)
            tag = token.name.rpartition(":")[2] if token.name else ""
            is_ours = token.name == self._prefix + tag
            if skipping:
                if tag == skipping and not self.is_empty(token):
                    depth += 1 if token.kind == "open" else -1
                    skipping = skipping if depth else ""
                    if not skipping and tag == "txbxcontent":
                        self.boxes.append(Span(box, token.start))
            elif (tag in _SKIPPED_TAGS or tag == "txbxcontent") and token.kind == "open" and not self.is_empty(token):
                skipping, depth, box = tag, 1, token.end
            elif token.kind == "text":
                if in_text and not self._hidden and not self._struck:
                    yield token, ""
            elif token.name == FORMULA_TEXT_TAG or (is_ours and tag == "t"):
                in_text = token.kind == "open" and not self.is_empty(token)
            elif is_ours and tag in ("trpr", "tcpr"):
                says = tag if token.kind == "open" and not self.is_empty(token) else ""
            elif is_ours and (says, tag) in _DELETION_MARKS:
                skipping, depth = _DELETION_MARKS[says, tag], 1
            elif is_ours and tag == "r":
                self._hidden, self._struck, self.align = self._hidden_paragraph, self._struck_paragraph, ""
                self.is_bold = False
            elif is_ours and tag == "rstyle":
                # If both the paragraph's style and the run's hide or strike text, Word shows it normally.
                value = attribute_value(self._original, token, "val")
                self._hidden = self._hidden_paragraph != (value in self._hidden_styles)
                self._struck = self._struck_paragraph != (value in self._striking)
            elif is_ours and tag in STRIKE_TAGS:
                self._struck = attribute_value(self._original, token, "val") not in FALSE_VALUES
            elif is_ours and tag == "b":
                self.is_bold = attribute_value(self._original, token, "val") not in FALSE_VALUES
            elif is_ours and tag == "vertalign":
                self.align = attribute_value(self._original, token, "val")
            elif token.name.startswith("m:"):
                yield token, token.name
            elif is_ours and not ((self._hidden or self._struck) and tag in SYMBOL_TAGS):
                if tag == "vanish":
                    self._hidden = attribute_value(self._original, token, "val") not in FALSE_VALUES
                elif tag in ("p", "pstyle"):
                    value = attribute_value(self._original, token, "val") if tag == "pstyle" else ""
                    self._hidden_paragraph, self._struck_paragraph = (
                        value in self._hidden_styles,
                        value in self._striking,
                    )
                yield token, tag

    def is_empty(self, token: HtmlToken) -> bool:
        return token.kind == "open" and self._original[token.end - 2] == "/"
