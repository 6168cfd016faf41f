"""Puts what a pronoun stands for in its place, where the turn before leaves no doubt."""

import re

from footnotary.domain.conversation import EarlierTurn
from footnotary.domain.identity import Span
from footnotary.gate.follow_up.noun_phrases import (
    ASKED,
    AUXILIARIES,
    BE,
    DETERMINERS,
    PREPOSITIONS,
    is_hindi,
    is_plural,
    noun_phrases,
    question_words,
    stems,
    subject,
)
from footnotary.gate.named_act import law_of, named_law
from footnotary.text.references.provisions import references

_LONGEST_TOPIC = 10
_PERSON = frozenset("he she him her his".split())
_PLURAL = frozenset("they them their these those".split())
_POSSESSIVE = frozenset("its their his her".split())
# "Is it legal to record ...", "how long does it take to ...": it stands for what follows.
_EXPLETIVE = re.compile(
    r"\b(?:(?:is|was|be) it (?:\w+ ){1,3}?(?:to|that|if|whether)|it (?:take|cost)s? (?:\w+ )?to)\b", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"\b(?:this|that|such an?) (?:offence|offense|crime)\b"
    r"|\b(?:it|its|they|them|their|he|she|him|her|his)\b(?!')"
    r"|(?:(?<=\bis )|(?<=\bwas )|(?<=\bare )|(?<=\bdo )|(?<=\bdoes )|(?<=\bcan )|(?<=\bwill )|(?<=\bmust ))"
    r"(?:that|this|these|those)\b(?=(?: \w+)?\W*$| (?:\w+ )?(?:be|have|to|for|in|on|under)\b)"
    r"|\b(?:this|that)\b(?=\s*(?:[?.!]|$|be\b))"
    r"|(?<=\w )one(?=\W*$)",
    re.IGNORECASE,
)
# What a pronoun stands for is said in another clause than its own; who owns something may be said in the same one.
_CLAUSE = re.compile(
    r"[,.;:]|(?<=\w )(?:(?:if|when|while|because|but|and|or|that|who|which|where|unless|until|although|to(?= \w))\b"
    r"|(?:before|after|by|without|for|in) (?=\w+ing\b))",
    re.IGNORECASE,
)
_HINDI_PRONOUN = re.compile(
    r"(?<![\u0900-\u097f])(?:(?:इस|उस|इन|उन)(का|की|के|में|पर|से)|इसे|उसे"
    r"|(?:यह|वह|ये|वे)(?= (?:कब|कितन|कहाँ|कहां|क्या|कैसे|कौन|किस|क्यों)))(?![\u0900-\u097f])"
)
_THIS_PROVISION = re.compile(
    r"\b(?:this|that|the same) (?:section|provision|rule|article|clause|regulation|(?P<law>act|law|code))\b",
    re.IGNORECASE,
)
_BEYOND = re.compile(
    r"\b(?P<how>above|over|below|under|beyond|more than|less than|after|before) (?:that|this)\b(?=\W*$)", re.IGNORECASE
)
_AMOUNT = re.compile(
    r"(?:(?:Rs\.?|₹|£|\$|€) ?)?\d[\d,.]*(?<![.,])(?: (?:lakh|crore|percent|years?|days?|months?|weeks?|hours?))?"
)
_COPULA = re.compile(
    r"(?:explain |describe )what (.+) (?:is|are|means?)$"
    r"|(?:(?:what|who)(?:'s| is| are| was| were)|define|explain|describe) (.+)$",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr|Justice|Prof)\.? )?(?:[A-Z][\w'’-]+ ){1,3}[A-Z][\w'’-]+")
_YES_OR_NO = re.compile(r"(?:yes|no|हाँ|हां|जी हाँ|नहीं|जी नहीं)(?![\w\u0900-\u097f])\s*[,.;:।-]?\s*", re.IGNORECASE)


def without_yes_or_no(answer: str) -> str:
    found = _YES_OR_NO.match(answer)
    return answer[found.end() :] if found else answer


def beyond_amount(text: str, answer: str) -> str:
    """ "Above that" with the only amount of the answer: "above Rs 10,000"."""
    amounts = list(dict.fromkeys(_AMOUNT.findall("" if references(answer) else answer)))
    return _BEYOND.sub(lambda found: f"{found['how']} {amounts[0]}", text) if len(amounts) == 1 else text


def points_back(text: str) -> bool:
    """Whether a question has a pronoun that nothing in the question itself explains."""
    found = _HINDI_PRONOUN.search(text) if is_hindi(text) else next(iter(_places(text)), None)
    if found is None or _EXPLETIVE.search(text):
        return False
    before, named = text[: found.start()], noun_phrases(text)
    if not is_hindi(text) and found.group().casefold() not in _POSSESSIVE:
        behind = {phrase.span.end + 1 for phrase in named}  # "the flat to inspect it", and not "have to inspect it"
        ends = [one.start() for one in _CLAUSE.finditer(before) if one.group() != "to" or one.start() in behind]
        before = before[: ends[-1]] if ends else ""
    return not any(phrase.span.end <= len(before) for phrase in named)


def _places(text: str) -> list[re.Match[str]]:
    """The pronouns of a question; "one" is none behind what may describe it: "a new one"."""
    is_object = re.search(r"\b(?:(?:i|you|we|they|to) \w+|for|of|with) one\W*$", text, re.IGNORECASE)
    return [found for found in _PRONOUN.finditer(text) if found.group().casefold() != "one" or is_object]


def resolve_pronouns(text: str, last: EarlierTurn) -> str | None:
    """The question with its pronouns replaced; None where it has none or what one stands for is in doubt."""
    if (named := _named_provision(text, last)) is not None:
        return named
    if not points_back(text):
        return None
    if is_hindi(text):
        return _hindi(text, last)
    said = beyond_amount(_do_it(text, last), last.answer)
    places = _places(said)
    meant = [(found, topic) for found in places if (topic := antecedent(found.group().casefold(), last)) is not None]
    if len(meant) != len(places) or len({topic for _, topic in meant}) != len(meant):
        return None
    for found, topic in reversed(meant):
        if found.group().casefold() in _POSSESSIVE and re.match(r" \w", said[found.end() :]):
            said = f"{said[: found.start()]}the{said[found.end() :].rstrip(' ?.!')} of {topic}?"
        else:
            said = f"{said[: found.start()]}{topic}{said[found.end() :]}"
    return said


def _named_provision(text: str, last: EarlierTurn) -> str | None:
    """ "That section" and "this act" are those that the question before names."""
    found = _THIS_PROVISION.search(text)
    if found is None or references(text):
        return None
    named, law = references(last.question), law_of(last.question)
    if found["law"]:
        meant = f"the {law}" if law else ""
    else:
        one = len({reference.section for reference, _ in named}) == 1
        meant = Span(named[0][1].start, named[-1][1].end).of(last.question) if one else ""
    return f"{text[: found.start()]}{meant}{text[found.end() :]}" if meant else None


def _do_it(text: str, last: EarlierTurn) -> str:
    """ "Do it" with what the question before asks how to do: "report a lost card"."""
    done = re.match(r"(?:how )?\w+ (?:i|you|we|one|they) (\w.*)", last.question.rstrip(" ?.!"), re.IGNORECASE)
    return re.sub(r"\bdo (?:it|that|this|so)\b", done[1], text, flags=re.IGNORECASE) if done else text


def antecedent(pronoun: str, last: EarlierTurn) -> str | None:
    law = named_law(last.question)
    question = re.sub(rf" under (?:the )?{re.escape(law)}", "", last.question) if law else last.question
    question = question.rstrip(" ?.!")
    if not question_words(question):
        return None
    phrases = noun_phrases(question, last.answer)
    new = [one.whole(question) for one in phrases if one.determiner in ("a", "an")]
    is_it, is_plain = (
        pronoun in ("it", "its"),
        re.match(r"(?:do|does|did|has|have) (?:the|my|your|i|you)\b", question, re.I),
    )
    if pronoun == "one" or (is_it and is_plain and len(new) == 1):  # "does the society have a fund"
        return new[-1] if new else None
    if pronoun in _PERSON and (person := _person(question, last.answer)):
        return person
    asks_who = question.casefold().startswith("who ")
    counts = is_it or (pronoun in _PLURAL and not asks_who)
    about, central = topics(question, last.answer), _answer_subject(question, last.answer)
    if central and is_it and asks_who and not stems(central) & stems(question):
        central = None
    if pronoun in _PERSON and central is None:  # "my room" is nobody
        who = subject(question, last.answer)
        return who.whole(question) if who else None
    if central and (not counts or is_plural(central) == (pronoun in _PLURAL)):
        return central
    fitting = [one for one in about if not counts or is_plural(one) == (pronoun in _PLURAL)] or [
        one.whole(question) for one in phrases if not counts or is_plural(one.of(question)) == (pronoun in _PLURAL)
    ]
    if central and pronoun in _PLURAL and not fitting:
        return central
    return fitting[0] if len(fitting) == 1 and len(fitting[0].split()) <= _LONGEST_TOPIC else None


def _person(question: str, answer: str) -> str | None:
    """ "Who discovered it?" is about whoever the answer names."""
    names = list(dict.fromkeys(_NAME.findall(answer)))
    return names[0] if re.match(r"(?:who|which|whose) ", question, re.IGNORECASE) and len(names) == 1 else None


def _answer_subject(question: str, answer: str) -> str | None:
    """What the answer begins with, if the question has it or asks for it: what both are about."""
    said = without_yes_or_no(answer.strip())
    known = [stems(word) for one in noun_phrases(question, answer) for word in one.of(question).split()]
    words, kept, end = question_words(said), list[set[str]](), 0
    for word in words:
        if not word.is_content and word.key not in PREPOSITIONS | DETERMINERS:
            break
        if word.is_content:
            kept.append(stems(word.key))
            if not any(known[at : at + len(kept)] == kept for at in range(len(known))):
                break
            end = word.span.end
    if end and len(words) > len(kept):
        at = question.casefold().find(said[:end].casefold())
        return question[at : at + end] if at > 0 else _lowered(said[:end])
    if len(words) < 3 or not re.match(r"(?:which|what|who)\b", question, re.IGNORECASE):
        return None
    name = re.match(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*(?= [a-z]+)", said)
    if name and words[0].is_content:
        return name.group()
    verb = next((word.span.start for word in words[1:_LONGEST_TOPIC] if word.key in AUXILIARIES), 0)
    return _lowered(said[:verb].rstrip()) if words[0].key in DETERMINERS and words[1].is_content and verb else None


def topics(question: str, answer: str = "") -> list[str]:
    """What a question may be about, in its own words: one phrase where its form says so, else each that it names."""
    if copula := _COPULA.match(question):
        phrase = copula[1] or copula[2]
        named = [one.whole(phrase) for one in noun_phrases(phrase)]
        joined = any(word.key in PREPOSITIONS for word in question_words(phrase))
        return [phrase, *named[1:]] if joined and len(named) > 1 else [phrase]
    asked = ASKED.fullmatch(question)
    if asked and asked["wh"] and (of := asked["of"].strip()):
        if asked["wh"].casefold().startswith("how"):
            return [f"the {of}"]
        owner = subject(question, answer)
        owned = f"the {of} of {owner.whole(question)}" if owner else f"the {of}"
        return [f"the {of} {asked['rest']}" if asked["aux"] in BE else owned]
    if does := re.match(
        r"how (?:do|can|should|must) (?:i|you|we|one) \S+ (?:(?:for|to|on|about) )?(.+)$", question, re.I
    ):
        return [does[1]]
    about = subject(question, answer)
    if about is None:
        return [phrase.whole(question) for phrase in noun_phrases(question, answer)]
    # "How long is the guarantee on the boiler?" is about all that follows.
    whole = re.match(r"how \w+ (?:is|are|was|were) ", question, re.IGNORECASE)
    return [question[about.start :] if whole else about.whole(question)]


def _lowered(phrase: str) -> str:
    first = question_words(phrase)[0].key
    return f"{phrase[:1].lower()}{phrase[1:]}" if first in DETERMINERS | BE else phrase


def _hindi(text: str, last: EarlierTurn) -> str | None:
    """The topic of a definition, or what the answer begins with, if the question has it or asks of "this"."""
    defined = re.match(r"(.+?) (?:क्या|कौन|कब|कितन[ाीे]) (?:है|हैं|होता है|होती है)$", last.question.rstrip(" ?।"))
    topic = defined[1] if defined and len(defined[1].split()) <= 3 else _answer_subject(last.question, last.answer)
    if topic is None and re.match(r"(?:क्या )?(?:यह|इस|ये)\b", last.question):
        topic = next((word.span.of(last.answer) for word in question_words(last.answer)), None)
    return None if topic is None else _HINDI_PRONOUN.sub(lambda one: f"{topic} {one[1]}" if one[1] else topic, text)
