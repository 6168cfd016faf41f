"""Brackets in the text of a structured claim: they are text, unless they are a marker of a source that was offered."""

import re
import unicodedata
from collections.abc import Sequence

from footnotary.domain.evidence import Evidence
from footnotary.domain.identity import SemanticId
from footnotary.text.citations.grammar import NOT_A_CITATION, RANGE_OF_NUMBERS, MalformedMarker, Marker
from footnotary.text.citations.markers import escape, scan, unescape
from footnotary.text.normalise import squeeze

# The prompt shows "[0, 1]" of a source as "⟦0, 1⟧", so that it is not read as a slot.
_SHOWN = re.compile(r"⟦([^\[\]⟦⟧\n]{1,80})⟧")
# "(2, 9]" and "[2, 9)": only with the brackets of intervals, and not next to another bracket.
_HALF_OPEN = re.compile(
    r"(?<![\[\]()\\])(?:\((?=[^()\[\]]{0,40}\])|\[(?=[^()\[\]]{0,40}\)))"
    r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?), (-?[0-9]{1,9}(?:\.[0-9]{1,9})?)[\])](?![\[\]()])"
)
_DIRECTION_MARK = re.compile(r"(?:(?<=[^\W\d_])|(?<=[\s.,;:!?])|^)[\u200e\u200f](?=[^\W\d_]|\s|$)")
_SLOT_NAME = re.compile(r"(?P<open>\()?(?<!\[)\b(?P<name>[Ss]ource (?P<slot>\d{1,3}))\b(?(open)\))(?!\])")
_TEXT_FAULTS = (NOT_A_CITATION, RANGE_OF_NUMBERS)
_LONGEST_SLOT = 9
# "[SOURCE: Code_1_0]" and "[Code_1_0]": a document may contain them in order to be cited, but they name no source.
_LIKE_A_NAME = re.compile(r"[:_]")


def slot_names_as_markers(text: str, evidence: Evidence) -> str:
    """`text` with the name that the prompt gives a source, "Source 1" or "(source 1)", as the marker "[1]".

    Names of slots that were not offered stay, and so do those that a source has in its own text.
    """

    def marker(named: re.Match[str]) -> str:
        held = (named["name"].casefold() in hit.chunk.text.casefold() for hit in evidence.hits)
        return named[0] if evidence.slot(int(named["slot"])) is None or any(held) else f"[{named['slot']}]"

    return _SLOT_NAME.sub(marker, text)


def escape_text_brackets(text: str, cites: Sequence[SemanticId], evidence: Evidence) -> tuple[str, list[str]]:
    """`text` with the brackets that are text escaped, and the list of those that are neither text nor a citation.

    A bracket is text if a cited source has it in that form and it does not look like the marker of a source. It is a
    citation if it is the marker of an offered source and no cited source has it. Direction marks between words are
    removed: they have no meaning and must not be in a claim.
    """
    held = squeeze(" ".join(chunk.text for cited in cites if (chunk := evidence.chunk(cited)) is not None))
    text = _DIRECTION_MARK.sub("", text)
    text = _SHOWN.sub(lambda shown: f"[{shown[1]}]" if f"[{squeeze(shown[1])}]" in held else shown[0], unescape(text))
    text = _HALF_OPEN.sub(lambda interval: _escaped_interval(interval, held, evidence), text)
    found = scan(text)
    malformed: list[str] = []
    for token in sorted((*found.markers, *found.malformed), key=lambda token: token.span, reverse=True):
        written = token.span.of(text)
        in_source = squeeze(written) in held
        if in_source and not _looks_like_marker(token, written, evidence):
            text = text[: token.span.start] + escape(written) + text[token.span.end :]
        elif in_source or not _is_offered(token, evidence):
            malformed.append(written)
    return text, malformed[::-1]


def _escaped_interval(interval: re.Match[str], held: str, evidence: Evidence) -> str:
    """A half-open interval of a source as text; one whose ends are both offered sources stays as it is written."""
    is_text = squeeze(interval[0]) in held and not all(_looks_offered(end, evidence) for end in interval.group(1, 2))
    return escape(interval[0]) if is_text else interval[0]


def _is_offered(token: Marker | MalformedMarker, evidence: Evidence) -> bool:
    return isinstance(token, Marker) and all(evidence.named(target) is not None for target in token.targets)


def _looks_like_marker(token: Marker | MalformedMarker, written: str, evidence: Evidence) -> bool:
    """Whether a token looks like the marker of a source, offered or not."""
    if isinstance(token, MalformedMarker):
        return token.why not in _TEXT_FAULTS
    if _LIKE_A_NAME.search(written):
        return True
    return all(_looks_offered(target, evidence) for target in token.targets)


def _looks_offered(target: str, evidence: Evidence) -> bool:
    """Whether a target is an offered source, in digits of another script too, or a look-alike letter."""
    plain = unicodedata.normalize("NFKC", target)
    if plain.isdecimal() and len(plain) <= _LONGEST_SLOT:
        return evidence.slot(int(plain)) is not None
    return len(plain) == 1 or evidence.named(plain) is not None
