"""Reported speech: quotations with the words that name the speaker."""

import re
from functools import lru_cache

from footnotary.domain.identity import Span

# Quantifiers are bounded, so that hostile input stays linear.
_OPENS = re.compile(r"(?<![^\s(\[:,—–-])[\"“](?=[^\s\"”])")
# What ends a quotation, or shows that none was opened: a blank line, or another opening mark.
_CLOSES = re.compile(rf"(?<=\S)[\"”](?![^\s.,;:!?)\]—–।-])|(?P<unclosed>\n[ \t]*\n|{_OPENS.pattern})")
_SPEAKS = re.compile(
    r"\b(?:say|says|said|saying|tells?|told|claim(?:s|ed)|alleg(?:es?|ed)|argu(?:es?|ed)|repl(?:y|ies|ied)|answer(?:s|ed)"
    r"|shout(?:s|ed)|cri(?:es|ed)|whisper(?:s|ed)|complain(?:s|ed)|insist(?:s|ed)|testif(?:y|ies|ied)|recall(?:s|ed)"
    r"|believ(?:es?|ed)|thinks?|thought|boast(?:s|ed)|exclaim(?:s|ed)|remark(?:s|ed)|wrote|asked)\b"
    r"|(?<![\u0900-\u0963])(?:कहा|कहता|कहती|कहते|बताया|बोला|बोली|बोले|दावा|आरोप|पूछा|सोचा)(?![\u0900-\u0963])",
    re.IGNORECASE,
)
# Quotations of these count as content: the source quotes them for the rule.
_AUTHORITY = re.compile(
    r"\b(?:court|judges?|justice|bench|tribunal|commission|act|section|article|rules?|code|constitution|regulations?"
    r"|law|statute|manual|guide\w*|polic(?:y|ies)|circular|notice|label|sign|instructions?|definition|dictionary)\b"
    r"|(?<![\u0900-\u0963])(?:न्यायालय|न्यायाधीश|अधिकरण|आयोग|अधिनियम|धारा|अनुच्छेद|नियम|संविधान|सूचना)(?![\u0900-\u0963])",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?।]\s|\n")
_LONGEST, _BEFORE, _BEHIND = 3000, 160, 60


@lru_cache(maxsize=64)
def speech_spans(text: str) -> tuple[Span, ...]:
    """Where somebody is quoted as saying something, the marks included; in order, none overlapping another.

    A quotation of a law, a court or an instruction is none, nor one whose marks do not close in its paragraph.
    """
    found: list[Span] = []
    at = 0
    while opened := _OPENS.search(text, at):
        closed = _CLOSES.search(text, opened.end(), opened.end() + _LONGEST)
        if closed is None or closed.group("unclosed"):
            at = closed.start() if closed else opened.end() + _LONGEST
            continue
        at = closed.end()
        before, behind = _named_before(text, opened.start()), _named_behind(text, closed.end())
        if any(_SPEAKS.search(part) and not _AUTHORITY.search(part) for part in (before, behind)):
            found.append(Span(opened.start(), closed.end()))
    return tuple(found)


def _named_before(text: str, at: int) -> str:
    """The beginning of the sentence in which a quotation opens."""
    near = text[max(at - _BEFORE, 0) : at]
    ends = [stop.end() for stop in _STOP.finditer(near)]
    return near[ends[-1] :] if ends else near


def _named_behind(text: str, at: int) -> str:
    """The rest of the sentence after a quotation that a comma, a question or an exclamation ends: '," he said.'"""
    if text[at - 2 : at - 1] not in ",?!" and text[at : at + 1] != ",":
        return ""
    near = text[at : at + _BEHIND]
    stop = _STOP.search(near)
    return near[: stop.start()] if stop else near
