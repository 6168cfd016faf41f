"""Every number, unit, bound and provision in our own sentences is corrupted in turn; the guards must notice."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files

from footnotary.text.numbers.quantities import number_mentions
from footnotary.text.references.provisions import references
from footnotary.text.sentences.splitter import sentences
from footnotary.verify.exact.bounds import comparators_disagree
from footnotary.verify.exact.dates import dates_disagree
from footnotary.verify.exact.numbers import numbers_disagree
from footnotary.verify.exact.provisions import sections_disagree

REQUIRED = 0.95
OWN = (
    "Whoever cheats shall be punished with imprisonment for a term which may extend to seven years, and with a fine.",
    "The employer shall pay the wages within 30 days and not less than Rs. 200 per day.",
    "A breach affecting 500 or more individuals is reported no later than 60 days after its discovery.",
    "Not more than 50 per cent of the wages may be deducted under section 12.",
    "The court may impose a fine of up to 10,000 rupees or imprisonment of at least six months.",
)
SMALL = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty fifty sixty".split()
UNITS = {
    "years": "months", "year": "month", "months": "years", "days": "weeks", "hours": "days", "rupees": "dollars",
    "per cent": "percentage points", "percent": "percentage points", "Rs.": "$", "$": "₹",
}  # fmt: skip
BOUNDS = {
    "may extend to": "shall be", "up to": "at least", "at most": "at least", "at least": "at most",
    "not more than": "not less than", "not less than": "not more than", "within": "after", "or more": "or less",
    "no later than": "no earlier than", "more than": "less than", "less than": "more than",
}  # fmt: skip
NUMBER = re.compile(rf"\b(?:{'|'.join(SMALL)})\b|\d[\d,]*", re.IGNORECASE)


def sources() -> list[str]:
    corpus = files("footnotary") / "demo_corpus"
    texts = (
        [f.read_text(encoding="utf-8") for f in corpus.iterdir() if f.name.endswith(".txt")] if corpus.is_dir() else []
    )
    found = [sentence for text in sorted(texts) for sentence in sentences(text)]
    return [*OWN, *(s for s in found if 20 < len(s) < 600)]


def corrupted(sentence: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    for figure in number_mentions(sentence):
        said, start, end = figure.span.of(sentence), figure.span.start, figure.span.end
        if figure.kind == "ordinal" or figure.high is not None:
            continue
        if number := NUMBER.search(said):
            others = [w for w in SMALL if w != number[0].lower()]
            digits = number[0].replace(",", "")
            new = str(int(digits) * 10 + 7) if digits.isdecimal() else chance.choice(others)
            yield "number", sentence[:start] + said[: number.start()] + new + said[number.end() :] + sentence[end:]
        for unit, other in UNITS.items():
            if unit in said:
                yield "unit", sentence[:start] + said.replace(unit, other, 1) + sentence[end:]
                break
        for bound, other in BOUNDS.items():
            at = sentence.find(bound, max(0, start - len(bound) - 2), end + len(bound) + 1)
            negated = at > 3 and sentence[at - 4 : at] in ("not ", " no ")
            if at >= 0 and not negated and (at + len(bound) + 2 >= start):
                yield "bound", sentence[:at] + other + sentence[at + len(bound) :]
                break
    for _, span in references(sentence):
        if number := re.search(r"\d+", span.of(sentence)):
            at = span.start + number.start()
            yield "provision", sentence[:at] + str(int(number[0]) + 1000) + sentence[at + len(number[0]) :]


def alarm(claim: str, premise: str) -> str | None:
    return (
        numbers_disagree(claim, premise)
        or comparators_disagree(claim, premise)
        or dates_disagree(claim, premise)
        or sections_disagree(claim, premise, frozenset())
    )


def test_no_sentence_disagrees_with_itself() -> None:
    assert [(s, found) for s in sources() if (found := alarm(s, s)) is not None] == []


def test_corrupted_figures_are_noticed() -> None:
    chance = random.Random(20)
    tried: Counter[str] = Counter()
    missed: list[tuple[str, str]] = []
    for sentence in sources():
        for kind, claim in corrupted(sentence, chance):
            tried[kind] += 1
            if alarm(claim, sentence) is None:
                missed.append((kind, claim))
    lost = Counter(kind for kind, _ in missed)
    print(*(f"{kind}: {n - lost[kind]} of {n} noticed" for kind, n in tried.items()), sep="\n")
    assert set(tried) == {"number", "unit", "bound", "provision"}
    for kind, n in tried.items():
        assert (n - lost[kind]) / n >= REQUIRED, [claim for k, claim in missed if k == kind]
