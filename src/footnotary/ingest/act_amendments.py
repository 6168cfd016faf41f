"""State amendments printed within a central act: which lines they occupy, and which State made them."""

import re
from collections.abc import Mapping, Sequence

from footnotary.ingest.act_headings import SectionHeading, division, number_key
from footnotary.ingest.outline import NOTES, word_count

_HEAD = re.compile(r"\[?state\s+amendments?\]?[\s.:—–-]*", re.I)
_END = re.compile(r"\[(?:vide|ins\.|subs\.|added|see|w\.e\.f)\b.*\][.\s]*", re.I | re.S)
_STATES = frozenset(
    """andhra arunachal assam bihar bombay chandigarh chhattisgarh dadra daman delhi goa gujarat haryana himachal jammu
    jharkhand karnataka kerala ladakh lakshadweep madhya madras maharashtra manipur meghalaya mizoram mysore nagaland
    orissa odisha pondicherry puducherry punjab rajasthan sikkim tamil telangana tripura uttar uttarakhand uttaranchal
    west andaman union""".split()
)
AMENDMENT = "State amendment"
_LONGEST_STATE = 9  # words: "Union territories of Jammu and Kashmir and Ladakh"


def opens_amendments(text: str) -> bool:
    """Whether a line announces State amendments."""
    return bool(_HEAD.fullmatch(text))


def state_named(text: str) -> str | None:
    """The State whose amendment a line announces: "Uttar Pradesh", "Kerala.—"."""
    name = text.strip(" .:—–-[]")
    words = name.casefold().split()
    if not words or len(words) > _LONGEST_STATE or words[0] not in _STATES or not name[:1].isupper():
        return None
    small = ("and", "of", "the", "&")
    return name if all(word[:1].isupper() or word[:1] == "(" or word in small for word in name.split()) else None


def amended_by_states(
    texts: Sequence[str], headings: Mapping[int, SectionHeading], listed: Mapping[str, str]
) -> frozenset[int]:
    """The lines from each such announcement to the next section or division of the act itself.

    A section inserted by a State is not in the act's list of sections; without a list, it has the same whole number as
    the section it follows, and does not come after the note that ends an amendment.
    """
    taken: set[int] = set()
    within = False
    parent = number_key("0")
    for at, text in enumerate(texts):
        heading = headings.get(at)
        if opens_amendments(text):
            within = True
        elif within and (text == NOTES or (division(text, False) and not _announces(texts[at - 1]))):
            within = False
        elif within and heading:
            key = number_key(heading.number)
            ended = bool(_END.fullmatch(texts[at - 1]))
            if listed:
                within = not (heading.number in listed and key > parent)
            else:
                within = not (key[0][0] > parent[0][0] or (ended and key > parent))
        if within:
            taken.add(at)
        elif heading:
            parent = number_key(heading.number)
    return frozenset(taken)


def _announces(text: str) -> bool:
    return word_count(text) > 2 and text.rstrip().endswith((":", ":-", ":—", ":–", ": —", ": -", "namely"))


def states_apart(texts: Sequence[str]) -> list[tuple[int, str | None]]:
    """Where each State's amendments begin in a section that ends with them, and the State's name; empty if none."""
    first = next((at for at, text in enumerate(texts) if opens_amendments(text)), None)
    if first is None:
        return []
    named = [(at, state) for at in range(first + 1, len(texts)) if (state := state_named(texts[at]))]
    follows = bool(named) and named[0][0] == first + 1
    return [(first, named[0][1]), *named[1:]] if follows else [(first, None), *named]
