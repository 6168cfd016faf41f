"""The parts of one question, made to stand on their own: "how is it punished" behind "What is cheating".

Rules without a model, on the words of the question alone. Where no rule fits, the part stays as it was written.
"""

import re
from collections.abc import Sequence

from footnotary.domain.identity import Span
from footnotary.gate.named_act import named_law
from footnotary.gate.question_subject import own_subject
from footnotary.gate.question_type import query_type
from footnotary.profiles.schema import Profile
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.references.provisions import references
from footnotary.text.tokens import content_terms, word_spans

_LONGEST = 1000
_LONGEST_TOPIC = 4
_LONGEST_FRAGMENT = 8

_LEAD = re.compile(
    r"(?:(?:and|or|but|also|so|then|now|ok|okay|और|तो|फिर|या)\b,?\s+)*(?:(?:what|how) about\b\s*)?", re.IGNORECASE
)
_ASKS = re.compile(
    r"(?:(?:in|under|for|to|by|at|on|from|with|of) )?(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|"
    r"does|do|did|can|could|may|must|shall|should|will|would|has|have|define|explain|describe|list|state|name|tell|"
    r"give|show)\b",
    re.IGNORECASE,
)
_ASKS_HINDI = re.compile(r"क्या|कौन|कब|कहाँ|कहां|कैसे|कितन|किस|क्यों|बताइए|बताएं|समझाइए")

_PREPOSITIONS = (
    "for", "of", "in", "under", "to", "by", "with", "at", "on", "from", "against", "during", "after", "before",
    "without", "within", "about",
)  # fmt: skip
_LEADING_PREPOSITION = re.compile(rf"(?:{'|'.join(_PREPOSITIONS)})\b\s*", re.IGNORECASE)
_ANY_PREPOSITION = re.compile(rf"\b(?:{'|'.join(_PREPOSITIONS)})\b", re.IGNORECASE)
_POSTPOSITIONS = re.compile(r"(?<=\s)(?:के (?:लिए|अधीन|तहत|अंतर्गत|बारे में)|में|पर|की|का|के|से)(?=\s|$)")
_ARTICLE = re.compile(r"(?:a|an|the)\s+", re.IGNORECASE)
_ARTICLE_BEFORE = re.compile(r"\b(?:a|an|the)\s$", re.IGNORECASE)

_KINDS = (
    "offence|offense|crime|act|section|provision|rule|article|case|term|punishment|penalty|right|law|period|fee|leave|"
    "clause"
)
_THIS_KIND = re.compile(rf"\b(?:this|that|these|those|such an?|such|the same) (?:{_KINDS})s?\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"\b(?:its|their|his|her)\b(?= \w)", re.IGNORECASE)
# "Is it true that ...", "is it an offence to ...": it stands for what follows.
_IT = re.compile(
    r"\b(?:it|they|them|he|she|him)\b(?! (?:true|possible|necessary|lawful|legal|illegal|allowed|permitted|mandatory|"
    r"compulsory|required|an? (?:offence|crime))\b)"
    r"|\b(?:this|that|the same)\b(?=\s*(?:[?.!]|$|(?:is|was|be|applies|apply|means?|includes?|covers?)\b))",
    re.IGNORECASE,
)
_HINDI_POSSESSIVE = re.compile(r"(?<![\u0900-\u097f])(?:इस|उस|इन|उन)(का|की|के|में|पर|से)(?![\u0900-\u097f])")
_HINDI_IT = re.compile(r"(?<![\u0900-\u097f])(?:यह|वह|इसे|उसे|ये|वे)(?![\u0900-\u097f])")


def rewrite_part(part: str, earlier: Sequence[str], profile: Profile) -> str:
    """The part with what it refers back to in its place; `earlier` are the parts before it, in order.

    One that stands on its own is given back as it was written. No word comes from anywhere but the question.
    """
    before = ""
    for one in earlier:
        before = _resolved(one, before, profile)
    return _resolved(part, before, profile)


def _resolved(question: str, before: str, profile: Profile) -> str:
    text = squeeze(nfc(question))
    if not before or not text or len(text) > _LONGEST or len(before) > _LONGEST:
        return question
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    topic = _topic(before, profile)
    pointed = _pointing_back(rest, topic, before)
    if pointed != rest:
        return _under_the_same_law(pointed, before)
    if not own_subject(rest, profile) and not references(rest):
        return _under_the_same_law(_about(rest, topic), before) if topic else question
    if _is_fragment(rest, profile, led=rest != text):
        return _with_its_act(_in_the_frame_of(before, rest, profile), before)
    return _with_its_act(rest if rest != text else question, before)


def _is_fragment(rest: str, profile: Profile, *, led: bool) -> bool:
    """Whether it names something and asks nothing: "for theft?", "a rare book?", "section 421?"."""
    asks = _ASKS.match(rest) or _ASKS_HINDI.search(rest) or query_type(rest, profile.intents) != "general"
    short = len(word_spans(rest)) <= _LONGEST_FRAGMENT
    return not asks and short and (led or rest.endswith("?") or _LEADING_PREPOSITION.match(rest) is not None)


def _topic(before: str, profile: Profile) -> str:
    """What a question is about, in its own words: its subject, or the provision it names."""
    runs = _runs(before, profile)
    if not runs:
        named = references(before)
        return _surface(before, named[0][1], named[-1][1]) if named else ""
    whole = _surface(before, runs[0], runs[-1])
    return whole if len(whole.split()) <= _LONGEST_TOPIC else runs[-1].of(before)


def _surface(text: str, first: Span, last: Span) -> str:
    return text[first.start : last.end]


def _pointing_back(rest: str, topic: str, before: str) -> str:
    """The question with its pronouns replaced by what they stand for."""
    if not topic:
        return rest
    named = references(before)

    def thing(found: re.Match[str]) -> str:
        if not re.search(r"section|provision|rule|article|clause", found.group(), re.IGNORECASE):
            return topic
        return _surface(before, named[0][1], named[-1][1]) if named else found.group()

    said = _THIS_KIND.sub(thing, rest)
    said = _IT.sub(lambda _: topic, said)
    said = _HINDI_POSSESSIVE.sub(lambda found: f"{topic} {found.group(1)}", said)
    said = _HINDI_IT.sub(lambda _: topic, said)
    if _POSSESSIVE.search(said):
        said = f"{_without_mark(_POSSESSIVE.sub('the', said))} of {topic}?"
    return said


def _about(rest: str, topic: str) -> str:
    """A question that names no subject, about the one before: "What is the punishment?"."""
    if re.search("[\u0900-\u097f]", rest):
        return f"{topic} के लिए {rest}"
    return f"{_without_mark(rest)} for {topic}?"


def _in_the_frame_of(before: str, rest: str, profile: Profile) -> str:
    """The question before, about what the fragment names instead."""
    said, frame = _without_mark(rest), _without_mark(before)
    new, old = references(said), references(frame)
    if new and old:
        return _put(frame, Span(old[0][1].start, old[-1][1].end), _surface(said, new[0][1], new[-1][1]))
    preposition = _LEADING_PREPOSITION.match(said)
    named = _POSTPOSITIONS.sub("", said[preposition.end() :] if preposition else said).strip()
    place = _shared_run(frame, said, profile) or _same_case(frame, said, profile)
    if place is None and preposition is None:
        place = _parallel_run(frame, named, profile)
    return f"{frame} {said}?" if place is None else _put(frame, place, named)


def _shared_run(frame: str, said: str, profile: Profile) -> Span | None:
    """Where both name a thing of one kind: "an ordinary book" and "a rare book"."""
    subject = set(own_subject(said, profile))
    for run in reversed(_runs(frame, profile)):
        if subject.intersection(content_terms(run.of(frame))):
            return run
    return None


def _parallel_run(frame: str, named: str, profile: Profile) -> Span | None:
    """What the frame is about and the fragment replaces; where that has an article, something that has one too."""
    runs = _runs(frame, profile)
    if _ARTICLE.match(named):
        runs = [run for run in runs if _ARTICLE_BEFORE.search(frame, 0, run.start)] or runs
    return runs[-1] if runs else None


def _same_case(frame: str, said: str, profile: Profile) -> Span | None:
    """Where the frame has what the fragment's own preposition, or Hindi postposition, goes with."""
    if preposition := _LEADING_PREPOSITION.match(said):
        word = preposition.group().strip().casefold()
        heads = [found for found in _ANY_PREPOSITION.finditer(frame) if found.group().casefold() == word]
        if not heads:
            return None
        start = heads[-1].end()
        following = _ANY_PREPOSITION.search(frame, start)
        return _trimmed(frame, start, following.start() if following else len(frame))
    if case := _POSTPOSITIONS.search(said):
        heads = [found for found in _POSTPOSITIONS.finditer(frame) if found.group() == case.group()]
        runs = [run for run in _runs(frame, profile) if heads and run.end <= heads[0].start()]
        return runs[-1] if runs else None
    return None


def _runs(text: str, profile: Profile) -> list[Span]:
    """The runs of words a question is about: "member keep" and "ordinary book"; the law it asks under is none."""
    subject = set(own_subject(text, profile))
    law = named_law(text)
    until = text.find(law) if law else len(text)
    runs: list[Span] = []
    for span, word in word_spans(text):
        if until <= span.start < until + len(law or "") or not subject.intersection(content_terms(word)):
            continue
        if runs and text[runs[-1].end : span.start].isspace():
            runs[-1] = Span(runs[-1].start, span.end)
        else:
            runs.append(span)
    return runs


def _under_the_same_law(question: str, before: str) -> str:
    law = _law(before)
    if law is None or _law(question) is not None or any(found.act for found, _ in references(question)):
        return question
    return (
        f"{_without_mark(question)} under the {law}?" if not references(question) else _with_its_act(question, before)
    )


def _with_its_act(question: str, before: str) -> str:
    """A section that is named without its act is one of the act spoken of."""
    named, law = references(question), _law(before)
    if not named or law is None or _law(question) is not None or any(found.act for found, _ in named):
        return question
    end = named[-1][1].end
    return f"{question[:end]} of the {law}{question[end:]}"


def _law(text: str) -> str | None:
    return next((found.act for found, _ in references(text) if found.act), None) or named_law(text)


def _put(text: str, place: Span, words: str) -> str:
    """The words in that place; an article of their own takes the place of the one before it."""
    head = text[: place.start]
    if _ARTICLE.match(words):
        head = _ARTICLE_BEFORE.sub("", head)
    return f"{head}{words}{text[place.end :]}?"


def _trimmed(text: str, start: int, end: int) -> Span | None:
    inside = text[start:end]
    article = _ARTICLE.match(inside.lstrip())
    start += len(inside) - len(inside.lstrip()) + (article.end() if article else 0)
    end -= len(inside) - len(inside.rstrip())
    return Span(start, end) if start < end else None


def _without_mark(text: str) -> str:
    return text.rstrip(" ?.!।")
