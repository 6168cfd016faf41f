"""State amendments printed within a central act: which lines they occupy, and which State made them."""

import re
from collections.abc import Mapping, Sequence

from footnotary.ingest.structure.acts.headings import SectionHeading, parse_division, section_sort_key
from footnotary.ingest.structure.outline import NOTES_HEADING, word_count

_HEAD = re.compile(r"\[?state\s+amendments?\]?[\s.:—–-]*", re.I)
_END = re.compile(r"\[(?:vide|ins\.|subs\.|added|see|w\.e\.f)\b.*\][.\s]*", re.I | re.S)
_STATES = frozenset(
    """andhra arunachal assam bihar bombay chandigarh chhattisgarh dadra daman delhi goa gujarat haryana himachal jammu
    jharkhand karnataka kerala ladakh lakshadweep madhya madras maharashtra manipur meghalaya mizoram mysore nagaland
    orissa odisha pondicherry puducherry punjab rajasthan sikkim tamil telangana tripura uttar uttarakhand uttaranchal
    west andaman union""".split()
)
STATE_AMENDMENT = "State amendment"
_MAX_STATE_NAME_WORDS = 9  # words: "Union territories of Jammu and Kashmir and Ladakh"


def is_amendments_heading(text: str) -> bool:
    """Whether a line announces State amendments."""
    return bool(_HEAD.fullmatch(text))


def parse_state_name(text: str) -> str | None:
    """The State whose amendment a line announces: "Uttar Pradesh", "Kerala.—"."""
    name = text.strip(" .:—–-[]")
    words = name.casefold().split()
    if not words or len(words) > _MAX_STATE_NAME_WORDS or words[0] not in _STATES or not name[:1].isupper():
        return None
    small = ("and", "of", "the", "&")
    return name if all(word[:1].isupper() or word[:1] == "(" or word in small for word in name.split()) else None


def find_state_amendment_lines(
    texts: Sequence[str], headings: Mapping[int, SectionHeading], listed: Mapping[str, str]
) -> frozenset[int]:
    """The lines from each such announcement to the next section or division of the act itself.

    A section inserted by a State is not in the act's list of sections; without a list, it has the same whole number as
    the section it follows, and does not come after the note that ends an amendment.
    """
    taken: set[int] = set()
    within = False
    parent = section_sort_key("0")
    for at, text in enumerate(texts):
        heading = headings.get(at)
        if is_amendments_heading(text):
            within = True
        elif within and (
            text == NOTES_HEADING or (parse_division(text, False) and not _introduces_text(texts[at - 1]))
        ):
            within = False
        elif within and heading:
            key = section_sort_key(heading.number)
            ended = bool(_END.fullmatch(texts[at - 1]))
            if listed:
                within = not (heading.number in listed and key > parent)
            else:
                within = not (key[0][0] > parent[0][0] or (ended and key > parent))
        if within:
            taken.add(at)
        elif heading:
            parent = section_sort_key(heading.number)
    return frozenset(taken)


def _introduces_text(text: str) -> bool:
    return word_count(text) > 2 and text.rstrip().endswith((":", ":-", ":—", ":–", ": —", ": -", "namely"))


def find_state_amendment_starts(texts: Sequence[str]) -> list[tuple[int, str | None]]:
    """Where each State's amendments begin in a section that ends with them, and the State's name; empty if none."""
    first = next((at for at, text in enumerate(texts) if is_amendments_heading(text)), None)
    if first is None:
        return []
    named = [(at, state) for at in range(first + 1, len(texts)) if (state := parse_state_name(texts[at]))]
    follows = bool(named) and named[0][0] == first + 1
    return [(first, named[0][1]), *named[1:]] if follows else [(first, None), *named]
