"""Corruptions of the logic of a sentence: negation, modality, quantifiers, and/or, comparators, opposites and siblings."""

# ruff: noqa: ARG001 - all edits take the same arguments, whether they need them or not

import re
from random import Random

from training.verifier.generated.word_lists import OPPOSITES, SIBLINGS

_AUX = re.compile(
    r"\b(shall|may|must|should|can|could|will|would|is|are|was|were|has|have|had|does|do|did)\b(?! not\b|n't)"
)
_KEEP_NOT = re.compile(
    r"\b(?:not (?:only|later|exceeding|exceed|less|more|being|merely|earlier|fewer|to exceed|below|above|applicable|just|at all)|or not|whether|if not|unless|until|than not)\b"
)
_NEVER = {
    "shall": "shall not",
    "may": "may not",
    "must": "must not",
    "should": "should not",
    "can": "cannot",
    "could": "could not",
}
_MODAL = {
    "shall": ["may", "should", "can", "need not"],
    "must": ["may", "should", "can", "need not"],
    "may": ["shall", "must", "will", "is bound to"],
    "should": ["must", "may", "shall"],
    "can": ["must", "cannot", "shall"],
    "will": ["might", "may", "will never"],
    "would": ["might", "would never"],
    "could": ["must", "could not"],
    "is required to": ["is permitted to", "may"],
    "is permitted to": ["is required to", "must"],
    "may not": ["need not", "must"],
    "shall not": ["may", "need not"],
    "must not": ["may", "need not"],
    "is entitled to": ["is obliged to", "is not entitled to"],
    "has to": ["may", "does not have to"],
    "is allowed to": ["is obliged to", "has to"],
    "are required to": ["are permitted to", "may"],
    "cannot": ["can", "must"],
}
_QUANTIFIERS = [
    (r"\b[Aa]ll(?= (?:the |such |other |persons|members|\w+s\b))", ["only some of", "none of", "not all of"]),
    (r"\b[Aa]ll of the\b", ["only some of the", "none of the"]),
    (r"\b[Ss]ome(?= (?:of|people|\w+s\b))", ["all", "no"]),
    (r"\b[Ss]ome of\b", ["all of", "none of"]),
    (r"\b[Mm]ost(?= (?:of|people|\w+s\b))", ["all", "few", "hardly any"]),
    (r"\b[Mm]any(?= (?:of|people|\w+s\b))", ["all", "very few", "no"]),
    (r"\b[Ff]ew(?= \w+s\b)", ["many", "all"]),
    (r"\b[Ee]very(?= \w+)", ["no", "not every"]),
    (r"\b[Ee]ach of\b", ["none of", "only one of"]),
    (r"\b[Ee]ach(?= (?!of|other|and)\w+)", ["no", "only one"]),
    (
        r"\b[Nn]o(?= (?:person|suit|officer|member|company|court|one|such|order|appeal|other|student|child|evidence|\w+ion)\b)",
        ["any", "every"],
    ),
    (r"\bonly(?= (?:under|by|in|to|on|for|from|at)\b)", ["except"]),
    (r"\bonly with\b", ["only without"]),
    (r"\bonly (?:if|where|when)\b", ["even where it is not the case that", "unless"]),
    (r"\b[Bb]oth\b", ["neither of", "only one of"]),
    (r"\b[Aa]t least one\b", ["all", "none"]),
    (r"\b[Ss]everal\b", ["all", "no"]),
    (r"\b[Nn]one of\b", ["all of", "some of"]),
    (r"\balways\b", ["sometimes", "never"]),
    (r"\b[Nn]ever\b", ["always", "sometimes"]),
    (r"\bsometimes\b", ["always", "never"]),
    (r"\boften\b", ["always", "never"]),
    (r"\busually\b", ["always", "never"]),
    (r"\b[Ee]ither\b", ["both"]),
    (r"\b[Aa]ny of\b", ["all of", "none of"]),
    (r"\ba majority of\b", ["all", "a minority of"]),
    (r"\bthe whole of\b", ["a part of"]),
]
_COMPARATORS = [
    ("at least", "at most"),
    ("at the least", "at the most"),
    ("not less than", "not more than"),
    ("not exceeding", "exceeding"),
    ("exceeding", "not exceeding"),
    ("not more than", "not less than"),
    ("more than", "less than"),
    ("less than", "more than"),
    ("greater than", "less than"),
    ("fewer than", "more than"),
    ("before", "after"),
    ("after", "before"),
    ("within", "after"),
    ("prior to", "subsequent to"),
    ("not later than", "not earlier than"),
    ("up to", "at least"),
    ("a minimum of", "a maximum of"),
    ("a maximum of", "a minimum of"),
    ("minimum", "maximum"),
    ("maximum", "minimum"),
    ("no more than", "no less than"),
    ("may extend to", "shall not be less than"),
    ("over", "under"),
    ("until", "after"),
    ("above", "below"),
    ("below", "above"),
    ("since", "until"),
    ("does not exceed", "exceeds"),
    ("exceeds", "does not exceed"),
    ("no later than", "no earlier than"),
    ("earlier than", "later than"),
    ("during", "after"),
    ("with effect from", "until"),
]
_COMPARE = dict(_COMPARATORS)
_COMPARE_RE = re.compile(rf"\b({'|'.join(sorted(map(re.escape, _COMPARE), key=len, reverse=True))})\b")
_OPPOSITE: dict[str, list[str]] = {}
for _a, _b in OPPOSITES:
    _OPPOSITE.setdefault(_a, []).append(_b)
    _OPPOSITE.setdefault(_b, []).append(_a)
for _w in (
    "left",
    "right",
    "day",
    "base",
    "whole",
    "present",
    "open",
    "late",
    "state",
    "lead",
    "lower",
    "fall",
    "principal",
    "dead",
):
    _OPPOSITE.pop(_w, None)
_SIBLING: dict[str, list[str]] = {}
for _group in SIBLINGS:
    for _word in _group:
        _SIBLING.setdefault(_word, []).extend(w for w in _group if w != _word)
for _w in (
    "lead",
    "play",
    "book",
    "state",
    "leaves",
    "day",
    "days",
    "month",
    "year",
    "months",
    "years",
    "weeks",
    "minutes",
    "hours",
    "week",
    "force",
    "may",
):
    _SIBLING.pop(_w, None)
_WORD = re.compile(
    r"[A-Za-z][A-Za-z-]*(?: (?:Court|Government|Minister|Judge|Legislature|dioxide|gas|exchange|Lanka))?"
)


def _cased(new: str, old: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


def negate(text: str, rng: Random, premise: str) -> str | None:
    """Negation added to the main verb, or an existing one taken away."""
    nots = [
        m
        for m in re.finditer(r" not\b|n't\b|\bcannot\b", text)
        if not _KEEP_NOT.search(text[max(0, m.start() - 12) : m.end() + 12])
    ]
    if nots and rng.random() < 0.75:
        m = rng.choice(nots)
        if m.group() == "cannot":
            return text[: m.start()] + "can" + text[m.end() :]
        if m.group() == "n't":
            stem = text[: m.start()]
            if re.search(r"\b(?:ca|wo|sha)$", stem):
                return None
            return stem + text[m.end() :]
        return text[: m.start()] + text[m.end() :]
    if (
        re.match(
            r"No (?:person|suit|officer|member|company|court|order|appeal|one|\w+) (?:shall|may|will|can|has|is|was)\b",
            text,
        )
        and rng.random() < 0.8
    ):
        new = rng.choice(["Any", "Every", "A"])
        out = new + text[2:]
        return out if new != "Any" or " one " not in text[:8] else None
    if re.search(r"\bwithout\b", text) and rng.random() < 0.5:
        return (
            re.sub(r"\bwithout\b(?: any)?", "with", text, count=1)
            if not re.search(r"without (?:prejudice|\w+ing)", text)
            else None
        )
    found = [
        m
        for m in _AUX.finditer(text)
        if not re.match(r" (?:be(?:en)? )?(?:no|nothing|neither|never)\b", text[m.end() :])
    ]
    found = [
        m
        for m in found
        if m.group() not in ("do", "does", "did")
        and not re.search(r"\b(?:as|than|such as|what|that) (?:he |it |they )?$", text[: m.start()])
    ]
    found = [
        m
        for m in found
        if not (m.group() == "may" and re.match(r" be,? (?:necessary|prescribed|specified)|,", text[m.end() :]))
    ]
    if not found or text.startswith("No "):
        return None
    m = found[0] if rng.random() < 0.7 else rng.choice(found)
    word = m.group()
    if word in ("has", "have", "had") and not re.match(r" (?:been|\w+ed|to)\b", text[m.end() :]):
        return None
    new = _NEVER.get(word, f"{word} not")
    if rng.random() < 0.2:
        new = (
            rng.choice([f"{word} never", f"{word} in no case"])
            if word in ("shall", "may", "can", "will", "must")
            else f"{word} never"
        )
    elif word in ("is", "are", "was", "were", "does", "has", "have", "could", "would") and rng.random() < 0.3:
        new = f"{word}n't"
    elif word == "shall" and rng.random() < 0.2:
        new = "need not"
    return text[: m.start()] + new + text[m.end() :]


def fails_to(text: str, rng: Random, premise: str) -> str | None:
    """ "who does X" turned into "who fails to do X", or a plain past or present verb denied."""
    m = re.search(r"\b(fails to|failed to|refuses to|refused to|neglects to)\b", text)
    if m:
        return text[: m.start()] + {"s": "chooses to", "d": "managed to"}[m.group().split()[0][-1]] + text[m.end() :]
    m = re.search(
        r"(?<!not )\b(helps?|seems?|tends?|wants?|intends?|decided|agreed|continue[ds]?|began|started|managed|likes?|liked|wanted|tried) to\b",
        text,
    )
    if m:
        new = "failed" if m.group(1).endswith(("d", "n")) else "fails" if m.group(1).endswith("s") else "fail"
        return text[: m.start()] + f"{new} to" + text[m.end() :]
    return None


def change_modality(text: str, rng: Random, premise: str) -> str | None:
    """Duty for permission, certainty for possibility, and the reverse."""
    keys = "|".join(sorted(map(re.escape, _MODAL), key=len, reverse=True))
    found = [
        m
        for m in re.finditer(rf"\b({keys})\b(?! not\b)", text)
        if not re.match(r" be,? (?:necessary|prescribed|specified)|,? have\b", text[m.end() :])
    ]
    found = [
        m
        for m in found
        if not (
            m.group() == "may"
            and (re.search(r"\bas (?:\w+ ){0,3}$", text[: m.start()]) or re.match(r" extend", text[m.end() :]))
        )
    ]
    if not found:
        return None
    m = found[0] if rng.random() < 0.7 else rng.choice(found)
    new = rng.choice(_MODAL[m.group()])
    if new == "is bound to" and re.match(r" be\b.*\bany\b|,", text[m.end() :]):
        new = "must"
    if re.search(r"\b[Nn]o \w+ $|\b[Nn]othing ", text[: m.start()]) and ("not" in new or new == "may"):
        new = "must" if m.group() != "must" else "need"
        return None
    return text[: m.start()] + new + text[m.end() :]


def change_quantifier(text: str, rng: Random, premise: str) -> str | None:
    """Another quantity word, never a weaker one that the passage would still support."""
    options = [(m, new) for pattern, news in _QUANTIFIERS for m in re.finditer(pattern, text) for new in news]
    options = [
        (m, new)
        for m, new in options
        if not re.search(r"\b(?:not|at|or|in|If|if|after|above|once and for|than|no|n't) $", text[: m.start()])
    ]
    if not options:
        return None
    m, new = rng.choice(options)
    tail = text[m.end() :]
    if (
        new.endswith(" of")
        and m.group().lower() in ("all", "both")
        and not re.match(r" (?:the|such|these|those|its|his|their)\b", tail)
    ):
        new += " the" if not re.match(r" of", tail) else ""
        if re.match(r" of", tail):
            new = new[:-3]
    if m.group().lower() in ("some", "most", "many") and tail.startswith(" of") and new == "no":
        new = "none"
    if new.startswith(("no", "only some")) and re.search(r" not | no |n't |\bnever\b|\bwithout\b", text):
        return None
    return text[: m.start()] + _cased(new, m.group()) + tail


def swap_and_or(text: str, rng: Random, premise: str) -> str | None:
    """A conjunction turned into a disjunction or back, between short like items."""
    found = [
        m
        for m in re.finditer(r" (and|or) (?=[\w“\"'-]+)", text)
        if not re.search(
            r"\bboth\b|\beither\b|\bbetween\b|\bneither\b|\bwhether\b|\bone$|\btwo$|\bmore$|\bless$",
            text[max(0, m.start() - 40) : m.start()],
        )
    ]
    found = [
        m
        for m in found
        if not re.match(r"(?:more|less|both|not|otherwise|other|then|so|on|upwards|over|by|about)\b", text[m.end() :])
    ]
    if text.startswith("No ") or re.search(r" not | without | independent | free ", text):
        return None
    found = [
        m
        for m in found
        if m.group(1) == "and" or re.search(r"\b(?:shall|must|is|are|was|were|with|has|have|will)\b", text)
    ]
    if not found:
        return None
    m = rng.choice(found)
    if m.group(1) == "or" and re.search(r"\b(?:any|may|if|no|every|who|where|can)\b", text, re.IGNORECASE):
        return None
    return text[: m.start(1)] + ("or" if m.group(1) == "and" else "and") + text[m.end(1) :]


def change_comparator(text: str, rng: Random, premise: str) -> str | None:
    """At least for at most, before for after, within for after."""
    found = list(_COMPARE_RE.finditer(text))
    found = [
        m
        for m in found
        if m.group() not in ("over", "under", "above", "below", "since", "during", "until", "up to", "within")
        or re.match(
            r" (?:the age|\w+ hundred|\d|a period|one|two|three|four|five|six|seven|ten|thirty|sixty|twenty)",
            text[m.end() :],
        )
    ]
    found = [
        m
        for m in found
        if not (
            m.group() in ("before", "after")
            and re.match(
                r" (?:the [A-Z]|the courts|each House|the (?:Court|Magistrate|Tribunal|High|Board)|him|it|a (?:Court|Magistrate)|any|hearing|giving|such|consult|the words|that)",
                text[m.end() :],
            )
        )
    ]
    if not found:
        return None
    m = rng.choice(found)
    return text[: m.start()] + _COMPARE[m.group()] + text[m.end() :]


def _exchange(text: str, rng: Random, table: dict[str, list[str]], premise: str) -> str | None:
    found = [m for m in _WORD.finditer(text) if m.group() in table or m.group().split()[0] in table]
    options: list[tuple[int, int, str]] = []
    for m in found:
        word = m.group() if m.group() in table else m.group().split()[0]
        options.extend((m.start(), m.start() + len(word), new) for new in table[word])
    rng.shuffle(options)
    for start, end, new in options:
        before, after = text[:start], text[end:]
        if re.match(r"[’'-]", after) or before.endswith("-") or re.search(rf"\b{re.escape(new)}\b", text):
            continue
        if re.search(r"\b[Aa] $", before) and new[0] in "aeiou":
            before = before[:-1] + "n "
        elif re.search(r"\b[Aa]n $", before) and new[0] not in "aeiou":
            before = before[:-2] + " "
        if text[start:end] in ("more", "most", "less") and re.match(r" (?:than|or|of)", after):
            continue
        return before + new + after
    return None


def opposite(text: str, rng: Random, premise: str) -> str | None:
    """A word of the sentence replaced by its opposite."""
    return _exchange(text, rng, _OPPOSITE, premise)


def sibling(text: str, rng: Random, premise: str) -> str | None:
    """A thing of the sentence replaced by another of its kind."""
    return _exchange(text, rng, _SIBLING, premise)
