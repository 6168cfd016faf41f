"""Sentences made of frames: orders to whoever answers, statements like them, in three ways of writing.

What is to be said is taken from real statements, so that only the frame tells an order from what it wants said.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from training.orders import english, hindi

_SYLLABLES = "bel mo ra ta vish oku na ri vel ko rin quil by lu mar lo tor vik man dar zen pu shi".split()
_SLOT = re.compile(r"\{(\w+)\}")
_VOWELS = dict(zip("ािीुूृेैोौॅॉ", ["aa", "i", "i", "u", "u", "ri", "e", "ai", "o", "au", "a", "o"], strict=True))
_ALONE = dict(zip("अआइईउऊऋएऐओऔऑ", ["a", "aa", "i", "ee", "u", "oo", "ri", "e", "ai", "o", "au", "o"], strict=True))
_CONSONANTS = dict(
    zip(
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
        "k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh m y r l v sh sh s h".split(),
        strict=True,
    )
)
# As people write them, not letter by letter.
_USUAL = dict(
    pair.split("=")
    for pair in (
        "में=mein है=hai हैं=hain नहीं=nahi को=ko कि=ki और=aur तुम=tum आप=aap मत=mat बस=bas करो=karo करें=karein करना=karna"
        " जवाब=jawab उत्तर=answer सवाल=question प्रश्न=question निर्देश=instructions नियम=rules सिर्फ़=sirf केवल=sirf पहले=pehle"
        " ऊपर=upar पुराने=purane पिछले=pichle लिखो=likho लिखना=likhna बताओ=batao बताना=batana बोलो=bolo बोलना=bolna कहो=kaho"
        " कहना=kehna उपयोगकर्ता=user पाठक=reader एआई=AI चैटबॉट=chatbot भाषा=language मॉडल=model सहायक=assistant सारांश=summary"
        " कृपया=please दस्तावेज़=document यह=yeh वह=woh भी=bhi जो=jo अब=ab से=se के=ke का=ka की=ki दो=do देना=dena कोई=koi"
        " तारीफ़=tareef कीजिए=kijiye दीजिए=dijiye लिखिए=likhiye बताइए=bataiye कहिए=kahiye बोलिए=boliye हो=ho तो=to अगर=agar"
        " यदि=agar आदेश=orders लिखें=likhein बताएँ=batayein कहें=kahein नियमों=rules निर्देशों=instructions लोगों=logon पूछे=pooche"
    ).split()
)


def made(
    frames: Mapping[str, Sequence[str]],
    slots: Mapping[str, str],
    statements: Sequence[str],
    each: int,
    rng: random.Random,
) -> Iterator[tuple[str, str]]:
    """For each family, so many sentences of its frames, with statements and names put in: (family, sentence)."""
    for family, listed in frames.items():
        for number in range(each):
            sentence = _filled(listed[number % len(listed)], slots, statements, rng)
            yield family, sentence[:1].upper() + sentence[1:]


def _filled(frame: str, slots: Mapping[str, str], statements: Sequence[str], rng: random.Random) -> str:
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
    """What is to be said where it is no statement: words of one, a made-up name, a number, an address.

    Never the same few: a word that stands in many orders and few statements would tell an order by what it wants said.
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


def orders(
    english_said: Sequence[str], hindi_said: Sequence[str], each: int, rng: random.Random
) -> list[tuple[str, str]]:
    found = list(made(english.ORDERS, english.SLOTS, english_said, each, rng))
    in_hindi = list(made(hindi.ORDERS, hindi.SLOTS, hindi_said, each, rng))
    return found + in_hindi + [(f"roman {family[3:]}", romanised(text, rng)) for family, text in in_hindi]


def statements(
    english_said: Sequence[str], hindi_said: Sequence[str], each: int, rng: random.Random
) -> list[tuple[str, str]]:
    found = list(made(english.STATEMENTS, english.SLOTS, english_said, each, rng))
    in_hindi = list(made(hindi.STATEMENTS, hindi.SLOTS, hindi_said, each, rng))
    return found + in_hindi + [(f"roman {family[3:]}", romanised(text, rng)) for family, text in in_hindi]


def romanised(text: str, rng: random.Random) -> str:
    """Hindi as it is typed with Latin letters; spelling varies from one writer to the next."""
    return " ".join(_roman(word, rng) for word in text.replace("।", ".").split())


def _roman(word: str, rng: random.Random) -> str:
    core = word.rstrip(".,;:?!")
    if core in _USUAL:
        return _USUAL[core] + word[len(core) :]
    out, letters = "", [letter for letter in word if letter != "\u093c"]
    for at, letter in enumerate(letters):
        after = letters[at + 1] if at + 1 < len(letters) else ""
        if letter in _CONSONANTS:
            out += _CONSONANTS[letter]
            # No vowel sign, no joint, and not the last letter: the short a is spoken.
            if after not in _VOWELS and after != "\u094d" and (after in _CONSONANTS or after in "ंँ") and after:
                out += "a"
        elif letter in "ंँ":
            out += "n"
        elif letter != "\u094d":
            out += _VOWELS.get(letter) or _ALONE.get(letter) or letter
    return out.replace("aa", "a") if rng.random() < 0.6 else out
