"""Puts what a pronoun stands for in its place, where the question before leaves no doubt."""

import re

from footnotary.domain.conversation import EarlierTurn
from footnotary.domain.identity import Span
from footnotary.gate.follow_up.noun_phrases import (
    AUXILIARIES,
    BE,
    PREPOSITIONS,
    WH_WORDS,
    is_hindi,
    noun_phrases,
    question_words,
    with_article,
)
from footnotary.gate.named_act import named_law
from footnotary.text.references.provisions import references

_LONGEST_TOPIC = 10
_PERSON = "he|she|him|her"
# "Is it legal to record ...", "is it true that ...": it stands for what follows.
_EXPLETIVE = re.compile(
    r"\b(?:is|was|be) it (?!\w+ed\b)(?:\w+ ){1,3}?(?:to|that|if|whether|under)\b(?! (?:it|them)\b)", re.IGNORECASE
)
_PRONOUN = re.compile(
    rf"\b(?:it|they|them|{_PERSON})\b(?!')|(?<=\w )there(?=\W*$)"
    r"|(?<=^is )(?:that|this)\b|(?<=^was )(?:that|this)\b|(?<=^does )(?:that|this)\b|(?<=^can )(?:that|this)\b"
    r"|\b(?:this|that|the same)\b(?=\s*(?:[?.!]|$|(?:is|was|be|applies|apply|means?|includes?|covers?)\b))",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(?:its|their|his|her)\b(?= \w)", re.IGNORECASE)
_HINDI_POSSESSIVE = re.compile(r"(?<![\u0900-\u097f])(?:इस|उस|इन|उन)(का|की|के|में|पर|से)(?![\u0900-\u097f])")
_HINDI_IT = re.compile(r"(?<![\u0900-\u097f])(?:इसे|उसे)(?![\u0900-\u097f])")
_PROVISION = re.compile(
    r"\b(?:this|that|the same) (?:section|provision|rule|article|clause|regulation)\b", re.IGNORECASE
)
_THIS_KIND = re.compile(r"\b(?:this|that|such an?) (?:offence|offense|crime)\b", re.IGNORECASE)
# "What is the punishment for it?": what stands before the preposition is asked for, and is not what it stands for.
_LAST_OF_ALL = re.compile(
    r"^(?!if\b|when .*,)\W*(?:\S+ ){1,6}(?:for|of|under|about|on|to|with) (?:it|that|this|them)\b(?: be \S+)?\W*$",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr|Justice|Prof)\.? )?(?:[A-Z][\w'’-]+ ){1,3}[A-Z][\w'’-]+")


def points_back(text: str) -> bool:
    """Whether a question has a pronoun that nothing in the question itself explains."""
    found = _first_pronoun(text)
    if found is None:
        return False
    return _LAST_OF_ALL.search(text) is not None or not any(phrase.end <= found.start for phrase in noun_phrases(text))


def resolve_pronoun(text: str, last: EarlierTurn) -> str | None:
    """The question with its pronoun replaced; None where it has none or what it stands for is in doubt."""
    provision = _PROVISION.search(text)
    named = references(last.question)
    if provision is not None:
        sections = {reference.section for reference, _ in named}
        kind = provision.group().split()[-1]
        if len(sections) != 1 or references(text) or text.casefold().count(kind.casefold()) > 1:
            return None
        of = Span(named[0][1].start, named[-1][1].end)
        return f"{text[: provision.start()]}{of.of(last.question)}{text[provision.end() :]}"
    if not points_back(text):
        return None
    if is_hindi(text):
        return _hindi(text, last)
    found = _first_pronoun(text)
    places = {match.start() for form in (_PRONOUN, _POSSESSIVE, _THIS_KIND) for match in form.finditer(text)}
    if found is None or len(places) != 1:
        return None
    word = found.of(text).casefold()
    topic = _antecedent(word, last)
    if topic is None:
        return None
    if _POSSESSIVE.match(text, found.start):
        rest = text[found.end :].rstrip(" ?.!")
        return f"{text[: found.start]}the{rest} of {topic}?"
    return f"{text[: found.start]}{topic}{text[found.end :]}"


def _first_pronoun(text: str) -> Span | None:
    if is_hindi(text):
        found = _HINDI_POSSESSIVE.search(text) or _HINDI_IT.search(text)
        return Span(*found.span()) if found else None
    if _EXPLETIVE.search(text):
        return None
    places = [found for pattern in (_PRONOUN, _POSSESSIVE, _THIS_KIND) if (found := pattern.search(text))]
    first = min(places, key=lambda found: found.start(), default=None)
    return None if first is None else Span(*first.span())


def _antecedent(pronoun: str, last: EarlierTurn) -> str | None:
    law = named_law(last.question)
    question = re.sub(rf" under (?:the )?{re.escape(law)}", "", last.question) if law else last.question
    question = question.rstrip(" ?.!")
    if not question_words(question):
        return None
    if pronoun == "there":
        return None
    if pronoun in ("he", "she", "him", "her", "his"):
        return _person(question, last.answer)
    topics = _topics(question)
    plural = pronoun in ("they", "them", "their")
    counts = pronoun in ("it", "its") or plural
    fitting = [topic for topic in topics if not counts or _is_plural(topic) == plural]
    names = [topic for topic in fitting if _is_name(topic)]
    fitting = names if len(names) == 1 and len(fitting) > 1 else fitting
    return fitting[0] if len(fitting) == 1 and len(fitting[0].split()) <= _LONGEST_TOPIC else None


def _person(question: str, answer: str) -> str | None:
    """ "Who is the officer?" is about the officer; "Who discovered it?" about whoever the answer names."""
    asked = re.match(r"who (?:is|was) (.+)$", question, re.IGNORECASE)
    if asked and len(asked[1].split()) <= _LONGEST_TOPIC:
        return asked[1]
    names = list(dict.fromkeys(_NAME.findall(answer)))
    return names[0] if question.casefold().startswith("who ") and len(names) == 1 else None


def _topics(question: str) -> list[str]:
    """What a question may be about, in its own words: one phrase where its form says so, else each that it names."""
    lower = question.casefold()
    if copula := re.match(r"(?:what|who)(?:'s| is| are| was| were) (.+)$", question, re.IGNORECASE):
        return _parts_of(copula[1])
    if counted := re.match(rf"how (?:many|much) (.+?) (?:{'|'.join(sorted(AUXILIARIES))}) ", question, re.IGNORECASE):
        return [f"the {counted[1]}"]
    if which := re.match(r"(?:which|what) (.+?) (?:is|are|was|were) (.+)$", question, re.IGNORECASE):
        return [f"the {which[1]} {which[2]}"]
    if owned := re.match(r"(?:which|what) (\S+(?: \S+)?) (?:do|does|did) (.+)$", question, re.IGNORECASE):
        return _owned_by(owned[1], owned[2])
    if does := re.match(r"how (?:do|can|should|must) (?:i|you|we|one) \S+ (?:(?:for|to|on|about) )?(.+)$", lower):
        return [question[does.start(1) :]]
    phrases = noun_phrases(question)
    words = question_words(question)
    if words[0].key in AUXILIARIES | {"how", "when", "where", "why"}:
        first = next((word for word in words if word.key in AUXILIARIES), words[0])
        behind = [phrase for phrase in phrases if phrase.start > first.span.start]
        subject = behind[:1]
        if subject and with_article(question, subject[0]).start <= first.span.end + 1:
            return [_whole(question, subject[0], is_be=first.key in BE and words[0].key == "how")]
    return [with_article(question, phrase).of(question) for phrase in phrases]


def _owned_by(what: str, clause: str) -> list[str]:
    """ "The penalties of section 14", of "What penalties does section 14 provide for?"."""
    words = question_words(clause)
    while words and words[-1].key in PREPOSITIONS:
        words.pop()
    owner = clause[: words[-2].span.end] if len(words) > 1 else ""
    is_pronoun = not any(word.is_content for word in question_words(owner))
    return [f"the {what}" if is_pronoun else f"the {what} of {owner}"] if words else []


def _parts_of(phrase: str) -> list[str]:
    """ "The maximum dose of Paxolin" may be about the dose or about Paxolin."""
    named = [with_article(phrase, one).of(phrase) for one in noun_phrases(phrase)]
    joined = [word for word in question_words(phrase) if word.key in PREPOSITIONS]
    return [phrase] if not joined or len(named) < 2 else [phrase, *named[1:]]


def _whole(question: str, subject: Span, *, is_be: bool) -> str:
    """The subject with its article; of "How long is the guarantee on the boiler?" with what belongs to it."""
    named = with_article(question, subject)
    return question[named.start :] if is_be else named.of(question)


def _is_plural(topic: str) -> bool:
    """Whether the head of a phrase, the last word before a preposition, looks like a plural."""
    head: list[str] = []
    for word in question_words(topic):
        if word.key in PREPOSITIONS or word.key in WH_WORDS:
            break
        if word.is_content:
            head.append(word.key)
    return bool(head) and head[-1].endswith("s") and not head[-1].endswith(("ss", "is", "us"))


def _is_name(topic: str) -> bool:
    return topic[:1].isupper()


def _hindi(text: str, last: EarlierTurn) -> str | None:
    topics = re.match(r"(.+?) (?:क्या|कौन) (?:है|हैं|होता है|होती है)$", last.question.rstrip(" ?।"))
    if topics is None or len(topics[1].split()) > 3:
        return None
    said = _HINDI_POSSESSIVE.sub(lambda found: f"{topics[1]} {found.group(1)}", text)
    return _HINDI_IT.sub(lambda _: topics[1], said)
