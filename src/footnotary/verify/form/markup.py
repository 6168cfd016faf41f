"""Markup, URLs and brackets in a claim that its sources do not have: a browser or a reader might follow them."""

from collections.abc import Iterator, Sequence

from footnotary.text.citations.grammar import scan
from footnotary.text.citations.markup import markup_spans
from footnotary.text.normalise import squeeze

_ACTIVE = frozenset({"an HTML tag", "an HTML comment", "an address"})
_SCHEMES = ("data:", "javascript:", "vbscript:", "file:", "blob:", "tel:")
# Names of hosts without "www." or a scheme, as programs that turn text into links know them.
_HOST_ENDS = frozenset(
    "ai app biz click cn co com de dev edu example gov in info invalid io link me net onion online org ru site test "
    "top tv uk us xyz zip".split()
)
_AROUND = ".,;:!?()[]{}<>\"'“”‘’`*_|।"


def foreign_markup(text: str, sources: Sequence[str]) -> list[str]:
    """What could be followed, executed or mistaken for a citation and is in no source as written; in linear time."""
    found = list(dict.fromkeys(_tokens(text)))
    held = squeeze(" ".join(sources)) if found else ""
    return [token for token in found if squeeze(token) not in held]


def _tokens(text: str) -> Iterator[str]:
    for span in markup_spans(text):
        if span.what in _ACTIVE:
            yield text[span.start : span.end]
    if "[" in text or "]" in text:
        read = scan(text)
        yield from (token.span.of(text) for token in (*read.markers, *read.malformed))
    yield from (word.strip(_AROUND) for word in text.split() if is_link(word))


def is_link(word: str) -> bool:
    """Whether a word without white space is a web or mail address, or something else that programs turn into a link."""
    bare = word.strip(_AROUND)
    return ("." in bare or ":" in bare) and _is_address(bare.lower())


def _is_address(word: str) -> bool:
    if word.startswith(_SCHEMES) or "://" in word:
        return True
    if "." not in word:
        return False
    host = word.rpartition("@")[2].partition("/")[0].partition(":")[0]
    name, _, end = host.rpartition(".")
    return bool(name) and end in _HOST_ENDS and host.isascii()
