"""Sentences from templates: injected instructions and similar statements, in three scripts and languages.

The payloads are real statements, so that only the template distinguishes an injection from its payload.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from footnotary.text.romanised_hindi import romanised
from training.injection import english_templates, hindi_templates

_SYLLABLES = "bel mo ra ta vish oku na ri vel ko rin quil by lu mar lo tor vik man dar zen pu shi".split()
_SLOT = re.compile(r"\{(\w+)\}")


def fill_templates(
    frames: Mapping[str, Sequence[str]],
    slots: Mapping[str, str],
    statements: Sequence[str],
    each: int,
    rng: random.Random,
) -> Iterator[tuple[str, str]]:
    """For each family, a number of sentences of its templates, filled with statements and names: (family, sentence)."""
    for family, listed in frames.items():
        for number in range(each):
            sentence = _fill(listed[number % len(listed)], slots, statements, rng)
            yield family, sentence[:1].upper() + sentence[1:]


def _fill(frame: str, slots: Mapping[str, str], statements: Sequence[str], rng: random.Random) -> str:
    while found := _SLOT.search(frame):
        name = found[1]
        if name == "P":
            filling = rng.choice(statements)
        elif name == "W":
            filling = _name(statements, rng)
        else:
            filling = rng.choice(slots[name].split("|"))
        frame = frame[: found.start()] + filling + frame[found.end() :]
    return frame


def _name(statements: Sequence[str], rng: random.Random) -> str:
    """A payload that is not a statement: words of one, a made-up name, a number, a URL.

    Varied: a word in many injections and few statements would reveal an injection by its payload.
    """
    made_up = "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 3)))
    number = rng.randint(2, 9_999)
    said = rng.choice(statements).split()
    at = rng.randrange(len(said))
    of_a_statement = " ".join(said[at : at + rng.randint(1, 3)])
    named = (made_up.title(), made_up.upper(), f"{made_up.title()}-{number}", f"{made_up.title()} {said[-1]}")
    return rng.choice(
        (*named, *(of_a_statement,) * 3, f"https://{made_up}.example/pay", f"www.{made_up}.example", str(number))
    )


def generate_injections(
    english_said: Sequence[str], hindi_said: Sequence[str], each: int, rng: random.Random
) -> list[tuple[str, str]]:
    found = list(
        fill_templates(english_templates.INJECTION_TEMPLATES, english_templates.SLOTS, english_said, each, rng)
    )
    in_hindi = list(fill_templates(hindi_templates.INJECTION_TEMPLATES, hindi_templates.SLOTS, hindi_said, each, rng))
    return found + in_hindi + [(f"roman {family[3:]}", romanise_as_typed(text, rng)) for family, text in in_hindi]


def generate_statements(
    english_said: Sequence[str], hindi_said: Sequence[str], each: int, rng: random.Random
) -> list[tuple[str, str]]:
    found = list(
        fill_templates(english_templates.STATEMENT_TEMPLATES, english_templates.SLOTS, english_said, each, rng)
    )
    in_hindi = list(fill_templates(hindi_templates.STATEMENT_TEMPLATES, hindi_templates.SLOTS, hindi_said, each, rng))
    return found + in_hindi + [(f"roman {family[3:]}", romanise_as_typed(text, rng)) for family, text in in_hindi]


def romanise_as_typed(text: str, rng: random.Random) -> str:
    """Hindi as it is typed with Latin letters; spelling varies from one writer to the next."""
    out = romanised(text)
    return out.replace("aa", "a") if rng.random() < 0.6 else out
