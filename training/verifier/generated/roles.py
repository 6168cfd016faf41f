"""Corruptions of who does what to whom, in sentences that were found: actors, names and both sides of a relation exchanged."""

# ruff: noqa: ARG001 - all edits take the same arguments, whether they need them or not

import re
from itertools import pairwise
from random import Random

from training.verifier.generated.word_lists import ACTOR

NAME = re.compile(r"\b[A-Z][a-zA-Z'’.-]*[a-zA-Z](?: (?:of |the |de |van |von |bin |al-)?[A-Z][a-zA-Z'’.-]*[a-zA-Z])*\b")
_NOT_NAMES = set(
    "The A An This That These Those It He She They We I You In On At By For From With As And But Or If When While Where After Before During Since "
    "There Here His Her Their Its Our My No Not Any Every Each All Some Most Many Such Both Another Other One Two Three Four Five Once However Although "
    "Because So Then Also According Under Provided Nothing Notwithstanding Subject Save Upon Until Unless Whenever Whoever What Which Who How Why Is Are "
    "Was Were Has Have Had Do Does Did Can May Will Shall Must Let To Of Section Act Article Rule Explanation Despite Between Among Following Later Earlier "
    "January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday "
    "Mr Mrs Dr Ms Sir Today Yesterday Now Well Yes Oh Okay Regulation Chapter Part Schedule Official Gazette Act Code Rules People Children Scientists".split()
)
_VERB = re.compile(
    r"\b(?:shall|may|must|will|would|can|could|should|is|are|was|were|has|have|had|fails?|gives?|gave|tells?|told|said|says|asks?|beat|won|led|wrote|made|took|sent|paid|pays?|"
    r"wants?|helps?|loves?|sees?|saw|kills?|eats?|ate|taught|bought|sold|sued|met|hit|left|found|\w{3,}ed|causes|contains|makes|produces)\b"
)
_SYMMETRIC = re.compile(
    r"\b(?:marr\w+|met|meet\w*|divorc\w+|between|together|jointly|versus|vs|against|agree\w*|collaborat\w+|co-\w+|same|similar|equal|siblings?|brother|sister|friends?|play(?:s|ed)? with|mutual\w*|each other|alongside|with|border\w*|adjacent|near|than|like|as well as|being|both|either|other)\b",
    re.IGNORECASE,
)
_DEMONYM = re.compile(
    r"^(?:American|British|English|French|German|Italian|Spanish|Indian|Chinese|Japanese|Canadian|Australian|Swiss|Irish|Scottish|Welsh|Russian|Korean|South Korean|European|African|Asian|Dutch|Swedish|Polish|Greek|Roman|Latin|Jewish|Christian|Muslim|Catholic|Members?|New|North|South|East|West|State|Chairperson|Central|Schedule|First Schedule|Parliament)$"
)
_RELATION = re.compile(
    r" (causes?|caused|produces?|produced|contains?|contained|creates?|created|makes|helps|affects?|influences|eats?|feeds? on|feed upon|depends? on|relies on|rely on|surrounds?|protects?|"
    r"leads? to|led to|results? in|resulted in|is part of|are part of|is made of|are made of|is composed of|are composed of|is a type of|are a type of|is a form of|are a form of|consists? of|comes? from|came from|"
    r"is caused by|are caused by|was caused by|is produced by|are produced by|is located in|is contained in|are found in|is found in|controls|regulates?|transmits?|transports|"
    r"attacks|absorbs?|releases|converts?|develops? from|evolved from|is derived from|are derived from|precedes?|preceded|follows?|followed|replaces?|replaced|"
    r"defeated|founded|acquired|directed|wrote|composed|designed|invented|discovered|taught|inspired|killed|built|owns|owned|supports|supported|"
    r"is older than|is larger than|is smaller than|is faster than|was followed by|is followed by|was founded by|was written by|was directed by|was discovered by|is owned by|"
    r"is the capital of|is the author of|is the father of|is the mother of|is the son of|is the daughter of|is a subsidiary of|belongs to|is a part of|stimulates?|inhibits?|triggers?|prevents?|reduces?|increases?|determines?|"
    r"(?:is|are|was|were) (?:much |far |slightly )?(?:[a-z]+er|more [a-z]+|less [a-z]+) than) "
)
_END = r"((?:the |an? |about |around |nearly |over |Rs\. ?|\$|£|€)?(?:[A-Z][\w-]+(?: [A-Z][\w-]+)?|\d+(?:[.,]\d+)*%?|(?!time\b)[a-z]{4,}(?: [a-z]{4,})?))"
_DIRECTION = re.compile(
    rf"\b(from ){_END} to {_END}(?= (?:in|on|at|by|for|within|during|after|since|and|when|because|with)\b|[,.;])"
)
_REVERSIBLE = re.compile(r"^(If|Because|After|Before|Since) ([^,;]{12,120}), ([^;]{12,160})\.$")


def _lower_first(text: str) -> str:
    return text if re.match(r"[A-Z][A-Z]|I\b", text) or NAMEISH.match(text) else text[0].lower() + text[1:]


NAMEISH = re.compile(
    r"(?!(?:The|A|An|This|These|Those|Any|Every|Each|Such|Most|Many|Some|All|It|He|She|They|His|Her|Its|Their|In|Our|That|Both|One|Two)\b)[A-Z]"
)


def _sentence_case(text: str) -> str:
    return text[0].upper() + text[1:]


def _exchange(text: str, first: re.Match[str], second: re.Match[str]) -> str:
    one, two = first.group(), second.group()
    if first.start() == 0 or text[max(0, first.start() - 2) : first.start()] in ("“", '"'):
        two = _sentence_case(two)
        one = re.sub(r"^(The|A|An|Any|Every|Each|Such|That|His|Her)\b", lambda m: m.group().lower(), one)
    return text[: first.start()] + two + text[first.end() : second.start()] + one + text[second.end() :]


def _head(phrase: str) -> str:
    return re.sub(r"^(?:the|an?|any|every|each|such|that|his|her) ", "", phrase.lower())


def swap_actors(text: str, rng: Random, premise: str) -> str | None:
    """Two actors on the two sides of a verb exchanged."""
    found = list(ACTOR.finditer(text))
    pairs = []
    for i, first in enumerate(found):
        for second in found[i + 1 : i + 3]:
            between = text[first.end() : second.start()]
            if _head(first.group()) == _head(second.group()) or len(between) > 140 or len(between) < 5:
                continue
            if _head(first.group())[:9] == _head(second.group())[:9]:
                continue
            if _head(first.group()) in _head(second.group()) or _head(second.group()) in _head(first.group()):
                continue
            if (
                not _VERB.search(between)
                or _SYMMETRIC.search(between)
                or re.match(r"(?:,| and| or) (?:the|an?|any)", between)
            ):
                continue
            if any(len(re.findall(rf"\b{re.escape(_head(m.group()))}\b", text.lower())) > 1 for m in (first, second)):
                continue
            pairs.append((first, second))
    if not pairs:
        return None
    return _exchange(text, *rng.choice(pairs))


def names_in(text: str) -> list[re.Match[str]]:
    """Name-like runs of capitalised words, without sentence openers that are not names."""
    found = []
    for m in NAME.finditer(text):
        words = m.group().split()
        if words[0] in _NOT_NAMES or (
            m.start() == 0
            and len(words) == 1
            and not re.match(r"(?:'s|’s)?,? (?:is|was|has|had|\w+ed|\w+s)\b", text[m.end() :])
        ):
            continue
        found.append(m)
    return found


def swap_names(text: str, rng: Random, premise: str) -> str | None:
    """Two names on the two sides of a verb exchanged."""
    found = names_in(text)
    pairs = []
    for first, second in pairwise(found):
        between = text[first.end() : second.start()]
        if (
            first.group() == second.group()
            or not _VERB.search(between)
            or _SYMMETRIC.search(between)
            or len(between) > 90
        ):
            continue
        if (
            "(" in between
            or _DEMONYM.search(first.group())
            or _DEMONYM.search(second.group())
            or first.group().endswith(("'s", "’s"))
        ):
            continue
        if first.group() in second.group() or second.group() in first.group() or re.match(r"'s|’s", between):
            continue
        if text.count(first.group()) > 1 or text.count(second.group()) > 1:
            continue
        pairs.append((first, second))
    return _exchange(text, *rng.choice(pairs)) if pairs else None


def other_name(text: str, rng: Random, premise: str) -> str | None:
    """A name replaced by another name of the passage, of like length."""
    found = [m for m in names_in(text) if not re.match(r"'s|’s", text[m.end() :])]
    if not found:
        return None
    m = rng.choice(found)
    count = len(m.group().split())
    others = sorted({n.group() for n in names_in(premise)} - {n.group() for n in found})
    others = [
        o
        for o in others
        if len(o) > 3
        and abs(len(o.split()) - count) <= 1
        and o not in text
        and m.group() not in o
        and not set(o.split()) & set(m.group().split())
    ]
    if not others:
        return None
    return text[: m.start()] + rng.choice(others) + text[m.end() :]


def other_actor(text: str, rng: Random, premise: str) -> str | None:
    """An actor replaced by another actor of the passage."""
    found = list(ACTOR.finditer(text))
    if not found:
        return None
    m = rng.choice(found)
    heads = {_head(n.group()) for n in found}
    others = [
        n.group()
        for n in ACTOR.finditer(premise)
        if _head(n.group()) not in heads
        and not any(_head(n.group())[:9] == h[:9] or _head(n.group()) in h or h in _head(n.group()) for h in heads)
    ]
    if not others:
        return None
    new = rng.choice(others)
    new = _sentence_case(new) if m.start() == 0 else re.sub(r"^[A-Z](?=[a-z]* )", lambda x: x.group().lower(), new)
    return text[: m.start()] + new + text[m.end() :]


def reverse_relation(text: str, rng: Random, premise: str) -> str | None:
    """Cause and effect, part and whole, eater and eaten exchanged around the verb of a short sentence."""
    body = text.rstrip(".")
    found = list(_RELATION.finditer(body))
    if (
        len(found) != 1
        or re.search(r"[\"“”]|\b(?:has|have|had|said|told|were being|shall|must|should|To)\b", body)
        or re.search(r"[,;:()]| that | which | who | not | and | or | can | may | will | to ", body)
    ):
        return None
    m = found[0]
    left, right = body[: m.start()], body[m.end() :]
    if not (1 <= len(left.split()) <= 8 and 1 <= len(right.split()) <= 10) or re.match(
        r"(?:it|he|she|they|this|these|that|there|who|what|which|its|their|other|[a-z]+ly|altogether|today|in|on|at|by)\b",
        left,
        re.IGNORECASE,
    ):
        return None
    if re.match(r"(?:it|him|her|them|this|these|its|their|his|by|of|to)\b|[a-z]+ing\b", right) or re.search(
        r"\b(?:in|for|by|at|with|from|when|during|than|using|known|once|except|as|toward)\b", right
    ):
        return None
    verb = m.group(1)
    plural_left, plural_right = _plural(left), _plural(right)
    if plural_left != plural_right:
        verb = _agree(verb, plural_right)
    return f"{_sentence_case(right)} {verb} {_lower_first(left)}."


def _plural(phrase: str) -> bool:
    head = re.split(r" (?:of|in|on|from|for) ", phrase)[0].split()[-1]
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))


def _agree(verb: str, plural: bool) -> str:
    first, _, rest = verb.partition(" ")
    swaps = {"is": "are", "was": "were"} if plural else {"are": "is", "were": "was"}
    if first in swaps:
        first = swaps[first]
    elif plural and first.endswith("s"):
        first = first[:-1]
    elif not plural and not first.endswith(("s", "d", "t", "e d")) and first not in ("wrote", "led", "built"):
        first += "s"
    return f"{first} {rest}".strip()


def reverse_direction(text: str, rng: Random, premise: str) -> str | None:
    """From A to B turned into from B to A."""
    found = [m for m in _DIRECTION.finditer(text) if m.group(2) != m.group(3)]
    if not found:
        return None
    m = rng.choice(found)
    if re.search(r"\b(?:section|article|paragraph|clause)s?\b|\d{4} to \d{4}", m.group()) or text[: m.start()].endswith(
        ", "
    ):
        return None
    return f"{text[: m.start()]}{m.group(1)}{m.group(3)} to {m.group(2)}{text[m.end() :]}"


def reverse_condition(text: str, rng: Random, premise: str) -> str | None:
    """If A then B turned into if B then A; what came first made to come second."""
    m = _REVERSIBLE.match(text)
    if not m:
        return None
    word, left, right = m.groups()
    if (
        re.match(r"(?:it|he|she|they|this|that|the same|then|such|so)\b", right)
        or re.match(r"(?:shall|may|then|so|in|not|applicable|any|of)\b", left)
        or re.search(r"ing\b", left[:16])
    ):
        return None
    if (
        not _VERB.search(left)
        or not _VERB.search(right)
        or re.search(r"\bshall\b", right)
        or (word == "Since" and re.match(r"\d|the \d|\w+ \d", left))
    ):
        return None
    return f"{word} {_lower_first(right)}, {_lower_first(left)}."
