"""Drafts made by chance: true sentences, false ones, and every odd way to cite, hide and decorate them."""

import json
import random
import re
from collections.abc import Callable

from harness.independent.worlds import MONTHS, NUMBERS, PARTIES, THINGS, World

LEADS = ("According to the rules, ", "Under the rules, ", "The rules say that ", "In short, ", "As the source says, ")
DIGITS = {
    "two": "2",
    "three": "3",
    "five": "5",
    "seven": "7",
    "ten": "10",
    "twelve": "12",
    "fifteen": "15",
    "thirty": "30",
}
WORDS = {digits: word for word, digits in DIGITS.items()}
# Like and like: a word put in the other's place makes another rule.
OPPOSITES = (
    ("shall", "may"), ("must", "may"), ("may", "shall"), ("at least", "at most"), ("more than", "less than"), ("before", "after"),
    ("within", "after"), ("without", "with"), ("unless", "if"), ("days", "months"), ("months", "days"), ("years", "months"),
    ("rupees", "dollars"), ("Every", "Some"), ("older", "newer"), ("but not", "and also"), ("No ", "Every "), ("is liable", "is not liable"),
    ("shall", "shall not"), ("may", "may not"), ("must", "must not"), ("shall not", "shall"), ("keeps", "loses"), ("granted", "refused"),
    ("sold to", "bought from"), (" and ", " or "), ("भीतर", "बाद"), ("नहीं जाएगा", "जाएगा"), ("रुपये", "डॉलर"), ("बिना", "सहित"),
)  # fmt: skip
FOREIGN = (
    "Everything else is free of charge.", "As is well known, this is never enforced.", "The moon is made of cheese.", "It was repealed in 2019.",
    "बाकी सब मुफ़्त है।", "Visit http://evil.example/?q=1 for more.", "I hope this helps!", "Yes.", "However, the court may say otherwise",
)  # fmt: skip
HIDDEN = (
    "\u200b",
    "\u200d",
    "\u2060",
    "\u202e",
    "\u00ad",
    "\ufeff",
    "\U000e0041",
    "\ufe0f",
    "\u0000",
    "\x1b[31m",
    "\u0301",
)
MARKS = (
    "［{n}］", "[{n}", "{n}]", "[[{n}]]", "[ {n} ]", "[{n}, 99]", "[99]", "[0]", "[-1]", "[{id}]", "[SOURCE: {id}]", "(see {n})", "[^{n}]", "`[{n}]`",
    "<!-- [{n}] -->", "[{n}](http://a.b)", "![{n}](http://a.b/c)", "[{n}a]", "[Source {n}]", "【{n}】", "\\[{n}\\]", "[{n}\u200b]", "[{id}x]", "[{n}; {n}]",
    "[X_1_0]", "[one]", "[{n}.]", "[१]", "<b>[{n}]</b>", "[{n}][{n}]", "[{n}] [99]", "{{{n}}}",
)  # fmt: skip
JOINTS = (" ", " ", " ", " ", "\n", "\n\n", "\n- ", "\n1. ", "; ", ", and ", "... ", " — ", "")

Changed = Callable[[str, random.Random], str]


def draft(world: World, order: list[str], refusal: str, chance: random.Random) -> tuple[str, bool]:
    """A reply to the question about the passages that stand at slots in this order, and whether it is of the JSON form."""
    if chance.random() < 0.03:
        return _refusing(refusal, chance), False
    structured = chance.random() < 0.35
    parts = [_part(world, order, structured, chance) for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4)))]
    if structured:
        return _as_json(parts, chance), True
    marked = [_marked(text, slots, order, chance) for text, slots in parts]
    reply = marked[0]
    for text in marked[1:]:
        reply += (" " if chance.random() < 0.8 else chance.choice(JOINTS)) + text
    if chance.random() < 0.04:
        at = chance.randint(0, len(reply))
        reply = reply[:at] + chance.choice(HIDDEN) + reply[at:]
    return reply, False


def _refusing(refusal: str, chance: random.Random) -> str:
    return chance.choice((
        refusal, f" {refusal}\n", f"{refusal} However, it is free.", f"{refusal} [1]", refusal.upper(), refusal.replace("a", "а"), f"{refusal}\u200b",
    ))  # fmt: skip


def _part(world: World, order: list[str], structured: bool, chance: random.Random) -> tuple[str, list[int]]:
    """A sentence and the slots it cites."""
    cited = chance.choice(order)
    text = chance.choice(world.sentences[cited])
    slots = [order.index(cited) + 1]
    kind = chance.random()
    if kind < 0.38:
        pass
    elif kind < 0.50:
        text = chance.choice(RESTATED)(text, chance)
    elif kind < 0.86:
        text = chance.choice(FALSIFIED)(text, chance)
    elif kind < 0.90:
        text = chance.choice(FOREIGN)
    elif kind < 0.96:  # true, and cited to another passage or to one more
        other = chance.randint(1, len(order) + 1)
        slots = [other] if chance.random() < 0.6 else [*slots, other]
    else:
        slots = []
    if structured and chance.random() < 0.05:
        slots = [*slots, chance.choice((0, -1, 99))]
    return text, slots


def _as_json(parts: list[tuple[str, list[int]]], chance: random.Random) -> str:
    body: dict[str, object] = {
        "answerable": True,
        "claims": [{"text": text, "sources": slots} for text, slots in parts],
    }
    odd = chance.random()
    if odd < 0.02:
        body["answerable"] = False
    elif odd < 0.04:
        body["extra"] = 1
    elif odd < 0.06:
        return json.dumps(body)[: chance.randint(1, 40)]
    elif odd < 0.09:
        body["claims"] = [{"text": f"{parts[0][0]} {chance.choice(FOREIGN)}", "sources": parts[0][1]}]
    elif odd < 0.11:
        body["claims"] = [{"text": f"{parts[0][0]} [1]", "sources": parts[0][1]}]
    return json.dumps(body, ensure_ascii=chance.random() < 0.5)


def _marked(text: str, slots: list[int], order: list[str], chance: random.Random) -> str:
    if not slots:
        return text
    if chance.random() < 0.08:
        number = slots[0] if slots[0] <= len(order) else 1
        marks = chance.choice(MARKS).format(n=number, id=order[number - 1])
    else:
        marks = chance.choice(("".join(f"[{n}]" for n in slots), f"[{', '.join(map(str, slots))}]"))
    place = chance.random()
    if place < 0.75 and text[-1:] in ".।":
        return f"{text[:-1]} {marks}{text[-1]}"
    return f"{text} {marks}" if place < 0.93 else f"{marks} {text}"


def _led(text: str, chance: random.Random) -> str:
    return text if "।" in text else chance.choice(LEADS) + text[0].lower() + text[1:]


def _written_otherwise(text: str, chance: random.Random) -> str:
    return _first(text, DIGITS | WORDS)


def _without_the_addition(text: str, chance: random.Random) -> str:
    head, found, _ = text.partition(", and ")
    return f"{head}." if found else text


def _another_figure(text: str, chance: random.Random) -> str:
    return re.sub(rf"\b(?:{'|'.join(NUMBERS)}|\d+)\b", lambda _: chance.choice(NUMBERS), text, count=1)


def _another_date(text: str, chance: random.Random) -> str:
    return re.sub("|".join(MONTHS), chance.choice(MONTHS), text, count=1)


def _the_opposite(text: str, chance: random.Random) -> str:
    fitting = [(one, other) for one, other in OPPOSITES if one in text]
    return text.replace(*chance.choice(fitting), 1) if fitting else _another_figure(text, chance)


def _roles_exchanged(text: str, chance: random.Random) -> str:
    there = [party for party in PARTIES if re.search(rf"\b{party}\b", text)]
    if len(there) < 2:
        return _another_party(text, chance)
    one, other = chance.sample(there, 2)
    return re.sub(rf"\b({one}|{other})\b", lambda found: other if found[1] == one else one, text)


def _another_party(text: str, chance: random.Random) -> str:
    return re.sub(rf"\b(?:{'|'.join(PARTIES)})\b", chance.choice(PARTIES), text, count=1)


def _another_thing(text: str, chance: random.Random) -> str:
    return re.sub("|".join(THINGS), chance.choice(THINGS), text, count=1)


def _without_its_limit(text: str, chance: random.Random) -> str:
    for limit in (" unless ", " without ", ", but not "):
        head, found, _ = text.partition(limit)
        if found:
            return f"{head}."
    return _the_opposite(text, chance)


def _with_more(text: str, chance: random.Random) -> str:
    more = (
        ", and the fine is doubled",
        " on Sundays only",
        ", as everyone knows",
        " except in summer",
        " and pays 40 rupees",
        " by order of the King",
    )
    return text.rstrip(".।") + chance.choice(more) + "."


def _first(text: str, others: dict[str, str]) -> str:
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(others, key=len, reverse=True))})\b")
    return pattern.sub(lambda found: others[found[0]], text, count=1)


RESTATED: tuple[Changed, ...] = (_led, _led, _written_otherwise, _without_the_addition)
FALSIFIED: tuple[Changed, ...] = (
    _another_figure, _another_figure, _another_date, _the_opposite, _the_opposite, _the_opposite, _roles_exchanged, _another_party,
    _another_thing, _without_its_limit, _with_more,
)  # fmt: skip
