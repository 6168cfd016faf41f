"""Corruptions by clause: conditions and restrictions dropped or invented, details added, parts of two sentences joined."""

# ruff: noqa: ARG001 - all edits take the same arguments, whether they need them or not

import re
from random import Random

from training.verifier.generated.word_lists import CONDITIONS, DETAILS, OPEN_CONDITIONS, OPEN_DETAILS, SAID_TAILS

_TAIL_EXCEPTION = re.compile(
    r",? (?:unless|except|other than|save (?:as|in|with)|only if|provided that|only with|only where|only when|only after|without the (?:previous |prior )?(?:consent|approval|permission|sanction)|if) [^;]{8,160}(?=\.$)"
)
_HEAD_EXCEPTION = re.compile(
    r"^(?:If|Unless|Except|Where|When|In the case of|In case|In the event) [^,;]{8,160}, (?=(?:the|a|an|any|no|every|each|it shall|such|he|she|they|it|there)\b)"
)
_MID_EXCEPTION = re.compile(
    r", (?:if|unless|except|subject to such|with the (?:previous|prior) (?:approval|consent|sanction)|after consult\w+|on the (?:recommendation|advice|application)|on payment|only if|not being|other than)[^,;]{4,110},(?= )"
)
_WHO = re.compile(
    r"^((?:Any|Every|No|A|An|All|Each)\b(?: [\w-]+){1,4}?) (?:who|whose) ((?:is|are|was|has|have|[a-z]+s|[a-z]+ed)\b (?:(?!\b(?:shall|may|must)\b)[^;]){6,140}?),? ((?:shall|may|must) )"
)
_PARTICIPLE = re.compile(
    r"^((?:Any|Every|No|A|An|All)\b [\w-]+) ((?:aggrieved|holding|acting|registered|convicted|employed|engaged|residing|owning|suffering|sentenced|detained|living) "
    r"(?!under (?:this|sub-section|section))(?:(?!\b(?:shall|may|must)\b)[^,;]){6,120}?),? ((?:shall|may|must) )"
)
_SUBJECT = re.compile(
    r"^((?:The|A|An|Any|Every|Each|No|All|[A-Z][\w-]+)(?: [\w'’-]+){0,7}?) ((?:shall|may|must|will|can|is|are|was|were|has|have|had) (?!not to\b).{12,})$"
)

_NO_SUBJECT = re.compile(
    r"(?:Provided|Where|When|If|Just|But|And|So|In|On|At|For|As|After|Before|While|Although|Because|However|Then|Also|Not|No|Nothing|Notwithstanding|Subject|Such|Only|Even|What|Who|How|Since|During|To|With|Here|Now|Yes|Most|Some|Those|These|The (?:film|book|album|series|song|band|show|novel|game|group|team|company|city|man|woman|actor|said|same|former|latter))\b"
)
_VERBAL = re.compile(r"\b(?:that|which|who|is|was|said|are|[a-z]+ed|where|when|if)\b")
_LEGAL = re.compile(r"\b(?:shall|Act|section|Court|Government|Board|authority|notice|order)\b")


def drop_condition(text: str, rng: Random, premise: str) -> str | None:
    """A condition or exception taken away, so that the rule holds without it."""
    options = [m for m in (_TAIL_EXCEPTION.search(text), _HEAD_EXCEPTION.match(text), _MID_EXCEPTION.search(text)) if m]
    options = [
        m
        for m in options
        if not re.search(
            r"\b(?:determine|whether|see|know|ask|check|as|even|to|find out|wonder|decide|sure|unclear|unknown|question) ?$",
            text[: m.start()],
        )
    ]
    options = [
        m
        for m in options
        if re.match(r",? ?(?:if|unless|where|when|provided|in )", m.group(), re.IGNORECASE)
        or not re.search(r"\b(?:shall|may|must)\b", m.group())
    ]
    options = [
        m
        for m in options
        if not re.search(
            r"if any\b|if it thinks|if necessary|if so required|as if|even if|if he thinks|if possible", m.group()
        )
    ]
    if not options:
        return None
    m = rng.choice(options)
    out = text[: m.start()] + text[m.end() :]
    out = out[0].upper() + out[1:]
    gone = set(re.findall(r"\w{4,}", m.group()))
    if (
        not re.search(r"\b(?:shall|may|must|is|are|was|were|can|will|should|has|have|does|do)\b", out)
        or "otwithstanding" in text
    ):
        return None
    if re.search(r"\b(?:and|or|to|be|of|by|in|the|that|but|only|is)\.$", out) or "otherwise provided" in m.group():
        return None
    if len(out.split()) < 6 or re.match(r"(?:He|She|They|It|Such) ", out) or len(gone) < 2:
        return None
    return out


def overgeneralise(text: str, rng: Random, premise: str) -> str | None:
    """Overgeneralises: words that restrict the subject are dropped."""
    m = _WHO.match(text) or _PARTICIPLE.match(text)
    if not m or text.startswith("Whoever") or len(text[m.end() :].split()) < 3:
        return None
    return f"{m.group(1)} {m.group(3)}{text[m.end() :]}"


def invent_condition(text: str, rng: Random, premise: str) -> str | None:
    """An exception or condition the passage does not state."""
    pool = CONDITIONS if _LEGAL.search(text) else OPEN_CONDITIONS
    choices = [c for c in pool if c.split()[-1] not in premise]
    if (
        not choices
        or not re.search(r"\b(?:shall|may|must|is|are|can|will|was|were)\b", text)
        or re.search(r"\b(?:if|unless|except|only)\b", text, re.IGNORECASE)
    ):
        return None
    return text.rstrip(".") + ("," if rng.random() < 0.2 else "") + f" {rng.choice(choices)}."


def add_detail(text: str, rng: Random, premise: str) -> str | None:
    """A time, place, manner or source that the passage does not give."""
    lower = premise.lower()
    pool = DETAILS if _LEGAL.search(text) else OPEN_DETAILS
    choices = [d for d in pool if not any(w in lower for w in re.findall(r"\w{5,}|\d+", d.lower()))]
    if not choices or not text.endswith(".") or text.endswith(('"', "”")):
        return None
    return f"{text[:-1]} {rng.choice(choices)}."


def add_statement(text: str, rng: Random, premise: str) -> str | None:
    """A plausible second statement that the passage does not make."""
    choices = [t for t in SAID_TAILS if not any(w in premise for w in re.findall(r"\w{7,}", t))]
    if not choices or not text.endswith("."):
        return None
    return f"{text[:-1]}, {rng.choice(choices)}."


def join_subject(text: str, rng: Random, premise_sentences: list[str]) -> str | None:
    """The subject of one sentence with the predicate of another: true words, a false statement."""
    mine = _SUBJECT.match(text)
    if not mine:
        return None
    options = []
    for other in premise_sentences:
        m = _SUBJECT.match(other)
        if not m or other == text:
            continue
        one, two = mine.group(1), m.group(1)
        if re.match(r"(?:A|An|Any|Every) person\b|(?:He|She|They)\b", two) or one.endswith(" person"):
            continue
        if any(_NO_SUBJECT.match(s) for s in (one, two)) or _VERBAL.search(f"{one} {two}"):
            continue
        if (
            set(one.lower().split()[1:]) & set(two.lower().split()[1:])
            or re.match(r"(?:There|It|He|She|They|This|These|That|Nothing|What|We|You|I|Such)\b", one + "|")
            or " " not in one + " "
        ):
            continue
        if re.match(r"(?:There|It|This|That|What|These|Nothing|We|You|I)\b", two) or (
            _plural(one) != _plural(two) and not re.match(r"(?:shall|may|must|will|can|had)\b", m.group(2))
        ):
            continue
        options.append(f"{one} {m.group(2)}")
    return rng.choice(options) if options else None


def _plural(subject: str) -> bool:
    last = re.split(r" (?:of|in|for|to|under) ", subject)[0].split()[-1]
    return subject.startswith("All") or (last.endswith("s") and not last.endswith(("ss", "us", "is")))
