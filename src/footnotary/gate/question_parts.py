"""The parts of a question: "What is the fee and who pays it?" has two, "the terms and conditions" have one.

A question is split only where its grammar requires it; in doubt it stays whole.
"""

import re
from collections.abc import Callable
from itertools import pairwise

from footnotary.text.stopwords import STOP_WORDS

# Whether the documents write these words next to one another.
Written = Callable[[str], bool]

_WH = "what|who|whom|whose|which|when|where|why|how"
_AUX = (
    "is|are|was|were|am|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had|isn't|aren't|"
    "doesn't|don't|can't|won't"
)
_ORDER = "define|explain|describe|list|state|name|tell|give|show|compare|summarise|summarize|find"
_PREPOSITION = "in|under|for|to|by|at|on|from|with|of|within|against|during|after|before|without|about|between"
_DETERMINER = "the|a|an|my|our|your|his|her|its|their|this|that|these|those|any|each|every|no"

# A question by its form: "when is", "how long does", "who signs"; "when the lease ends" is not a question.
_ASKS = re.compile(
    rf"(?:(?:and|or|but|also|so|then)\s+)?(?:(?:{_PREPOSITION})\s+)?(?:"
    rf"(?:what|which|who|whom|whose)(?:'s)?\s+\w|(?:when|where|why|how)(?:'s\s+\w|\s+(?:{_AUX})\b)"
    rf"|how\s+(?:much|many|to|about)\b|how\s+\w+(?:\s+\w+){{0,4}}?\s+(?:{_AUX})\b"
    rf"|(?:{_AUX})\s+\w|(?:{_ORDER})\s+\w)",
    re.IGNORECASE,
)
# "... and is there a fee"; after "is parking free" also "and is the garage open", but not after "who sings".
_INVERTED = re.compile(rf"(?:{_AUX})\s+(?:it|they|he|she|i|you|we|there|someone|anyone)\b", re.IGNORECASE)
_AUX_FIRST = re.compile(rf"(?:{_AUX})\b", re.IGNORECASE)
_YES_OR_NO = re.compile(rf"(?:{_AUX})\s+(?!be\b|not\b|have\b|been\b)\w", re.IGNORECASE)
_INDIRECT = re.compile(rf"(?:{_WH})\s+\w", re.IGNORECASE)
_ORDERED = re.compile(rf"(?:please\s+)?(?:{_ORDER})\s+(?:me\s+|us\s+)?(?:{_WH})\b", re.IGNORECASE)
_WH_WORD = re.compile(rf"(?:(?:{_PREPOSITION})\s+)?({_WH})\b", re.IGNORECASE)
_HINDI = re.compile("[\u0900-\u097f]")
_ASKS_HINDI = re.compile(
    r"(?<![\u0900-\u097f])(?:क्या|कौन|कब|कहाँ|कहां|कैसे|कितन[ाेी]|किस(?:े|का|की|के|ने|को|में|पर|से)?|किन|क्यों|बताइए|बताएं|समझाइए|"
    r"दीजिए|लिखिए)(?![\u0900-\u097f])"
)

_SENTENCE_END = re.compile(r"(?<=[?!.;।])\s+")
_CLAUSE_END = re.compile(r",?\s+and\s+|,\s+|\s+और\s+", re.IGNORECASE)
_BREAK = re.compile(rf"{_SENTENCE_END.pattern}|{_CLAUSE_END.pattern}", re.IGNORECASE)
# "Do you share my data? If yes, with whom?" is one question.
_IF_SO = re.compile(r"(?:and\s+)?if (?:yes|so|no|not)\b", re.IGNORECASE)
# "When and where must notice be given?" asks two things about the same event; so does "who signs, and when?".
_TWICE = re.compile(rf"({_WH})\s+and\s+({_WH})\s+(.+)", re.IGNORECASE | re.DOTALL)
_ALONE = re.compile(
    r"(?:(?:by|to|for|from|at|with|until|since)\s+)?(?:when|where|why|how|whom|how (?:often|long|much|many|soon))",
    re.IGNORECASE,
)
_ASKED_OF = re.compile(rf"(?P<wh>(?:(?:{_PREPOSITION})\s+)?(?:{_WH}))\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_LED_BY_AUX = re.compile(rf"(?P<aux>{_AUX})\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_NOUN_PHRASE = re.compile(rf"(?:{_DETERMINER}|i|you|we|they|he|she|it|there)\b", re.IGNORECASE)

_CONJUNCT = rf"(?!(?:{_PREPOSITION}|and)\b)[^\W\d_]+(?:-[^\W\d_]+)*"
_JOINED = re.compile(
    rf"(?P<head>(?:what|who|how (?:much|many|high|long)) (?:is|are|was|were)(?: (?:{_DETERMINER}))?"
    rf"(?: {_CONJUNCT}){{1,4}} (?:for|of|on|about|against)|what (?:do|does) .{{1,40}} say (?:on|about)"
    rf"|(?:what|who) (?:is|are|was|were)|define|explain|describe)\s+"
    rf"(?P<all>(?:{_CONJUNCT}\s+){{0,3}}{_CONJUNCT}(?:,\s+(?:{_CONJUNCT}\s+){{0,3}}{_CONJUNCT})*,?\s+and\s+"
    rf"(?:{_CONJUNCT}\s+){{0,3}}{_CONJUNCT})"
    rf"(?P<tail>\s+(?:{_PREPOSITION}|according)(?:\s+[\w'’-]+){{1,5}})?(?P<mark>[?.!]*)",
    re.IGNORECASE,
)
_LONGEST = 3
# Longer texts are not plain questions and are not split.
LONGEST_QUESTION = 1000
_MOST_BREAKS = 30
_FUNCTION_WORDS = frozenset(f"{_WH}|{_AUX}|{_PREPOSITION}|and|or|not|if|that|than|as|both|all".split("|"))


def opens_question(text: str) -> bool:
    """Whether a text begins like a question, by its form."""
    if _HINDI.search(text):
        return _ASKS_HINDI.search(text) is not None
    return _ASKS.match(text) is not None


def question_parts(text: str, written: Written | None = None) -> list[str]:
    """The parts of a question, each completed with the words it shares; a pronoun may still refer to an earlier part.

    "Theft and cheating" are two things to ask about, unless the documents write them so, as they do "search and
    seizure"; without `written` such a question is not split.
    """
    if len(text) > LONGEST_QUESTION:
        return [text]
    parts = [part for one in _sentences(text) for clause in _clauses(one) for part in _asked_twice(clause)]
    parts = parts if written is None else [part for one in parts for part in _conjuncts(one, written)]
    return [text] if len(parts) == 1 else [f"{part[0].upper()}{part[1:]}" for part in parts]


def _sentences(text: str) -> list[str]:
    """The text split where one question follows another; a statement stays with the sentence before it."""
    parts, asks = list[str](), False
    for sentence in _SENTENCE_END.split(text):
        asks_too = bool(_asking_end(sentence))
        if not parts or (asks and asks_too and not _IF_SO.match(sentence)):
            parts.append(sentence)
        else:
            parts[-1] = f"{parts[-1]} {sentence}"
        asks = asks or asks_too
    return [_closed(part) for part in parts] if len(parts) > 1 else [text]


def _clauses(text: str) -> list[str]:
    """A sentence split where a second question begins."""
    parts, start = list[str](), 0
    ends = list(_CLAUSE_END.finditer(text))
    for place, found in enumerate(ends if len(ends) <= _MOST_BREAKS else ()):
        before, after = text[start : found.start()], text[found.end() :]
        asking = _asking_end(before)
        if not asking or not _starts_question(asking, after):
            continue
        # A comma alone splits only a list of questions: ", which is hardware-based" continues the one before.
        if found.group().strip() == "," and (
            _WH_WORD.match(after) is None
            or re.match(r"which|whom|whose", after, re.IGNORECASE)
            or not any(
                end.group().strip() != "," and _starts_question("", text[end.end() :]) for end in ends[place + 1 :]
            )
        ):
            continue
        alone = after.rstrip(" ?.!")
        if _ALONE.fullmatch(alone):
            same = _asked_of_same(asking, alone)
            return [*parts, text[start:]] if same is None else [*parts, _closed(before), before[: -len(asking)] + same]
        parts.append(_closed(before))
        start = found.end()
    return [*parts, text[start:]]


def _asking_end(text: str) -> str:
    """The text from where it begins to ask: "If it breaks, who pays" asks at "who"; empty if it does not ask."""
    if opens_question(text):
        return text
    rests = (text[place.end() :] for place in _BREAK.finditer(text))
    # After a comma, "is" and similar words continue the clause; at the start of a sentence they begin a question.
    return next((rest for rest in rests if opens_question(rest) and not (_AUX_FIRST.match(rest) and "," in text)), "")


def _starts_question(before: str, after: str) -> bool:
    """Whether a separate question follows; "who lies" after "a member who steals" continues that clause."""
    if _HINDI.search(after):
        last = before.split()[-1:]
        return bool(last) and not _ASKS_HINDI.match(last[0]) and _ASKS_HINDI.search(after) is not None
    if re.search(rf"\b(?:{_WH})$", before, re.IGNORECASE):  # "who decides when and where it is held"
        return False
    if re.fullmatch(r"(?:which|what|whose)\s+\w+", before, re.IGNORECASE):  # "which year and which place"
        return False
    if _AUX_FIRST.match(after):
        return (_YES_OR_NO if _YES_OR_NO.match(before) else _INVERTED).match(after) is not None
    if re.match(rf"(?:{_ORDER})\b", after, re.IGNORECASE):
        return re.match(rf"(?:{_ORDER})\b", before, re.IGNORECASE) is not None
    if _ORDERED.match(before) and _INDIRECT.match(after):
        return True
    asked = _WH_WORD.match(after)
    if asked is None or re.search(rf"\s{asked.group(1)}\b", before, re.IGNORECASE):
        return False
    return _ASKS.match(after) is not None or _ALONE.fullmatch(after.rstrip(" ?.!")) is not None


def _asked_twice(clause: str) -> list[str]:
    """ "When and where is it held?" as two questions."""
    twice = _TWICE.fullmatch(clause)
    if twice is None or twice.group(1).casefold() == twice.group(2).casefold():
        return [clause]
    first, second, rest = twice.groups()
    return [f"{first} {rest}", f"{second} {rest}"]


def _asked_of_same(before: str, asked: str) -> str | None:
    """ "when" after "who must sign the form", completed as its own question: "when must someone sign the form?"."""
    found = _ASKED_OF.match(before.rstrip(" ?,.!"))
    if found is None:
        return None
    wh, rest = found["wh"].casefold(), found["rest"]
    led = _LED_BY_AUX.match(rest)
    if led is None:
        counted = re.fullmatch(rf"(?:much|many)\s+(.+?)\s+({_AUX})\s+(.+)", rest, re.IGNORECASE)
        if wh == "how" and counted:
            return f"{asked} {counted[2]} {counted[1]} {counted[3]}?"
        verb, _, objects = rest.partition(" ")
        if wh != "who" or not verb.endswith("s"):
            return None
        return f"{asked} does someone {_infinitive(verb)}{f' {objects}' if objects else ''}?"
    if wh not in ("who", "what") or _NOUN_PHRASE.match(led["rest"]):
        return f"{asked} {rest}?"
    someone = "someone" if wh == "who" else "it"
    return f"{asked} {led['aux']} {someone} {led['rest']}?"


def _infinitive(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("shes", "ches", "sses", "xes", "zes", "oes")) else verb[:-1]


def _conjuncts(part: str, written: Written) -> list[str]:
    """ "What is the punishment for theft and cheating?" as two questions, if both are short plain noun phrases."""
    found = _JOINED.fullmatch(part)
    if found is None or len(re.findall(r"\band\b", part, re.IGNORECASE)) != 1:
        return [part]
    things = [thing.strip() for thing in re.split(r",?\s+and\s+|,\s+", found["all"])]
    if not all(_is_plain(thing) for thing in things) or len({_has_determiner(thing) for thing in things}) > 1:
        return [part]
    bare = [re.sub(rf"^(?:{_DETERMINER})\s+", "", thing, flags=re.IGNORECASE) for thing in things]
    if any(written(f"{one} and {other}") for one, other in (*pairwise(bare), *pairwise(bare[::-1]))):
        return [part]
    last = bare[-1].split()
    for number, thing in enumerate(bare[:-1]):  # "annual and sick leave"
        if len(thing.split()) < len(last):
            if not written(f"{thing} {last[-1]}"):
                return [part]
            things[number] = f"{things[number]} {last[-1]}"
    return [f"{found['head']} {thing}{found['tail'] or ''}{found['mark']}" for thing in things]


def _is_plain(thing: str) -> bool:
    """At most three words, none of them a function word or part of a name."""
    own = thing.split()
    own = own[1:] if _has_determiner(thing) else own
    return 0 < len(own) <= _LONGEST and all(
        (word.islower() or (word.isupper() and len(word) > 1))
        and word.casefold() not in _FUNCTION_WORDS
        and word not in STOP_WORDS
        for word in own
    )


def _has_determiner(thing: str) -> bool:
    return re.match(rf"(?:{_DETERMINER})\s", thing, re.IGNORECASE) is not None


def _closed(part: str) -> str:
    """A part of a longer sentence, with a question mark."""
    bare = part.strip().rstrip(",;")
    mark = "." if re.match(rf"(?:{_ORDER})\b", bare, re.IGNORECASE) else "?"
    return bare if bare.endswith(("?", ".", "!", "।")) else f"{bare}{mark}"
