"""Makes questions that a passage answers, and near ones that it does not, without any model."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from footnotary.text.tokens import STOP_WORDS

_SUBJECT = re.compile(
    r"^(?P<subject>(?:[A-Z][\w'’-]*)(?: [\w'’-]+){0,8}?) (?P<aux>shall|may|must|can|will|is|are|was|were|has|have|had) "
    r"(?P<rest>[a-z].{10,})$"
)
_PERSON = re.compile(
    r"(?i)\b(person|officer|government|court|authority|board|employer|employee|minister|president|director|member|"
    r"commissioner|magistrate|tribunal|committee|council|owner|doctor|teacher|student|king|queen|singer|actor|he|she|they|"
    r"company|commission|chairman|controller|registrar|inspector|worker|people)s?\b"
)
_WHEN = re.compile(r" (?:in|on|since|during|by) (?:[A-Z][a-z]+ (?:\d{1,2}, )?)?(?:1[5-9]|20)\d\d\b")
_TIME = re.compile(r" within (?:a period of )?[\w-]+ (?:days|months|years|hours|weeks)\b")
_AMOUNT = re.compile(
    r" (?:not exceeding|not less than|which may extend to|of up to|exceeding) (?:[\w,-]+ ){1,3}(?:rupees|years|months|percent|dollars)\b"
)
_NUMBER = re.compile(r"^(?:\([0-9a-zA-Z]{1,4}\) ?|\d{1,3}\. )+")
_PRONOUN = re.compile(r"(?i)^(it|this|that|these|those|he|she|they|there|such|its|his|her|their|here|what|which|who)\b")
_TITLE = (
    (
        re.compile(r"(?i)^(?:punishment|penalty|penalties) (?:for|of|on) (.+)$"),
        (
            "What is the punishment for {0}?",
            "How is {0} punished?",
            "What penalty applies to {0}?",
            "Which punishment does one face for {0}?",
        ),
    ),
    (
        re.compile(r"(?i)^powers? of (.+?) to (.+)$"),
        (
            "What power does the {0} have to {1}?",
            "Can the {0} {1}?",
            "Who has the power to {1}?",
            "When may the {0} {1}?",
        ),
    ),
    (
        re.compile(r"(?i)^powers? to (.+)$"),
        ("Who may {0}?", "Is there a power to {0}?", "Under what conditions can one {0}?"),
    ),
    (re.compile(r"(?i)^dut(?:y|ies) of (.+)$"), ("What are the duties of {0}?", "What must {0} do?")),
    (re.compile(r"(?i)^procedure (?:for|of|in) (.+)$"), ("What is the procedure for {0}?", "How is {0} done?")),
    (
        re.compile(r"(?i)^(?:establishment|constitution|incorporation) of (.+)$"),
        ("How is the {0} established?", "Who constitutes the {0}?"),
    ),
    (re.compile(r"(?i)^appointment of (.+)$"), ("Who appoints the {0}?", "How is the {0} appointed?")),
    (re.compile(r"(?i)^functions of (.+)$"), ("What are the functions of {0}?", "What does the {0} do?")),
)
_GENERAL = (
    "What does the law say about {0}?",
    "What is provided on {0}?",
    "{1}?",
    "What are the rules on {0}?",
    "Tell me about {0}.",
    "What about {0}?",
    "{1}",
    "Explain {0}.",
)
_NO_TITLE = re.compile(r"(?i)^(?:definitions?|short title|interpretation|repeal|omitted|\[|savings?|commencement)")


def from_sentence(sentence: str, draw: random.Random) -> str | None:
    """A question that this sentence answers, or None where no rule fits."""
    sentence = _NUMBER.sub("", " ".join(sentence.split()))
    found = _SUBJECT.match(sentence.rstrip(".;:"))
    if found is None or len(sentence.split()) > 60:
        return None
    subject, aux, rest = found["subject"], found["aux"], found["rest"]
    if _PRONOUN.match(subject):
        return None
    inner = (
        subject
        if subject.isupper() or (len(subject.split()) > 1 and subject.split()[1][0].isupper())
        else as_inner_clause(subject)
    )
    options: list[str] = []
    for pattern, lead in ((_WHEN, "When"), (_TIME, "Within what time"), (_AMOUNT, "Up to what amount")):
        if (hit := pattern.search(f" {rest}")) is not None:
            without = f" {rest}".replace(hit.group(), "", 1).strip()
            options += [f"{lead} {aux} {inner} {_clause(without)}?"] * 3
    wh = "Who" if _PERSON.search(subject) else "What"
    if aux in ("is", "are", "was", "were"):
        options.append(f"What {aux} {inner}?")
    options += [
        f"{wh} {aux} {_clause(rest)}?",
        f"What {aux} {inner} {_verb(rest)}?"
        if aux in ("shall", "may", "must", "can")
        else f"{wh} {aux} {_clause(rest)}?",
    ]
    return draw.choice(options)


def from_title(title: str, act: str, draw: random.Random) -> str | None:
    """A question that the section with this title answers."""
    title = re.sub(r"\s+", " ", title).strip(" .[]—-")
    if not 2 <= len(title.split()) <= 14 or _NO_TITLE.match(title):
        return None
    question = ""
    for pattern, templates in _TITLE:
        if (hit := pattern.match(title)) is not None and draw.random() < 0.8:
            question = draw.choice(templates).format(*(as_inner_clause(part) for part in hit.groups()))
            break
    if not question:
        question = draw.choice(_GENERAL).format(as_inner_clause(title), title)
    if draw.random() < 0.15:
        question = f"{question.rstrip('?.')} under the {act.removeprefix('The ')}?"
    return question


def near_miss_question(question: str, passage: str, words: Sequence[str], draw: random.Random) -> str | None:
    """The question with one decisive word changed, so that the passage no longer answers it."""
    own = set(re.findall(r"[a-z]{4,}", passage.lower()))
    parts = question.split(" ")
    places = [
        i
        for i, word in enumerate(parts)
        if i and (bare := word.strip("?,.").lower()) in own and bare not in STOP_WORDS and len(bare) > 3
    ]
    if not places:
        return None
    i = draw.choice(places)
    bare = parts[i].strip("?,.").lower()
    if (turned := _OPPOSITE.get(bare)) is None:
        like = [
            w
            for w in draw.sample(list(words), min(400, len(words)))
            if w[-3:] == bare[-3:] and w not in own and w[:4] != bare[:4]
        ]
        if not like:
            return None
        turned = like[0]
    parts[i] = parts[i].replace(parts[i].strip("?,."), turned)
    return " ".join(parts)


_PAIRS = (
    "old new", "first last", "highest lowest", "largest smallest", "more less", "increase decrease", "increased decreased",
    "before after", "north south", "eastern western", "male female", "public private", "central state", "employer employee",
    "buyer seller", "husband wife", "father mother", "winter summer", "early late", "major minor", "maximum minimum",
    "national international", "internal external", "appointed dismissed", "grant refuse", "import export", "lawful unlawful",
    "temporary permanent", "written oral", "civil criminal", "landlord tenant", "plaintiff defendant", "long short",
    "begin end", "began ended", "won lost", "born died", "high low", "rich poor", "modern ancient", "upper lower",
    "positive negative", "formation dissolution", "appointment removal", "commencement expiry", "borrower lender",
)  # fmt: skip
_OPPOSITE = {a: b for pair in _PAIRS for a, b in (tuple(pair.split()), tuple(reversed(pair.split())))}


def as_inner_clause(text: str) -> str:
    """The text as it is inside a sentence."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[:2] in ("A ", "a ") else text


def _clause(text: str) -> str:
    """The text up to its first break after a few words."""
    words = re.split(r"[,;:(—]| which | that | unless | provided ", text)[0].split()
    return " ".join(words[:18]).rstrip(" .")


def _verb(text: str) -> str:
    return "do" if not text.startswith("be ") else " ".join(text.split()[:3]).rstrip(",.;")
