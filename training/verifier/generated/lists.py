"""Claims from enumerated provisions: the opening words with one of the items, right, corrupted or taken from another list."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from training.verifier.generated import logic, numbers, roles
from training.verifier.generated.paraphrase import paraphrase

# The opening must carry its own modal verb and must not leave a condition or relative clause open.
_OPENING = re.compile(r"\b(?:shall|may|must|shall not|may not)\b[^.;:]{0,90}—$")
_OPEN_ENDED = re.compile(
    r"\b(?:if|unless|where|when|who|which|whether|namely|following|except|means|includes|purposes?|respect|being|either|all or any of)\b[^,]{0,40}—$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\(\s?[a-z]{1,4}\s?\)\s*")
_EDITS = (
    numbers.change_figure,
    logic.negate,
    logic.opposite,
    logic.sibling,
    roles.swap_actors,
    logic.change_modality,
    logic.change_comparator,
)


@dataclass(frozen=True, slots=True)
class Enumeration:
    """An opening and its items in one section."""

    opening: str
    items: tuple[str, ...]
    alternative: bool

    @property
    def text(self) -> str:
        """The provision as a passage."""
        return (
            f"{self.opening} "
            + " ".join(f"({'abcdefghijklmnopqrstuvwxyz'[i % 26]}) {item};" for i, item in enumerate(self.items)).rstrip(
                ";"
            )
            + "."
        )

    def claim(self, item: str) -> str:
        """The opening completed by one item."""
        opening = re.sub(r"[,:\s]*—$", "", self.opening)
        return f"{opening} {item}."


def enumerations(text: str) -> Iterator[Enumeration]:
    """The usable lists of one section's text."""
    flat = re.sub(r"\^\d+\s*|[\[\]*]", "", re.split(r"\n#+ ", text)[0]).replace("---", "—").replace("--", "—")
    blocks = [re.sub(r"\s+", " ", b).strip() for b in re.split(r"\n\s*\n", flat)]
    for k, block in enumerate(blocks):
        opening = re.sub(r"^(?:\(\s?\w{1,4}\s?\)\s*)+", "", block)
        if (
            not _OPENING.search(opening)
            or _OPEN_ENDED.search(opening)
            or re.search(r"\b(?:if|unless|when|who)\b", opening[-100:])
            or not 5 <= len(opening.split()) <= 40
            or not opening[0].isupper()
        ):
            continue
        raw = []
        for following in blocks[k + 1 :]:
            if not _ITEM.match(following):
                break
            raw.append(_ITEM.sub("", following))
        alternative = any(re.search(r";? or$", r.rstrip(";,")) for r in raw)
        items = [re.sub(r"[;,.]?\s*(?:and|or)?\s*$", "", r).strip(" ;,.") for r in raw]
        plain = all(3 <= len(i.split()) <= 35 and i[0].islower() and not re.search(r"[:—;]|\.\s", i) for i in items)
        if (
            2 <= len(items) <= 10
            and plain
            and not (alternative and re.search(r"\b(?:shall|must)\b[^.;:]{0,90}—$", opening))
        ):
            yield Enumeration(opening, tuple(items), alternative)


def list_rows(lists: list[tuple[str, Enumeration]], rng: Random) -> Iterator[dict[str, object]]:
    """Rows about enumerations given with their group, in the order of the acts."""
    for k, (group, here) in enumerate(lists):
        base: dict[str, object] = {"premise": here.text, "source": "in_acts", "group": group}
        item = rng.choice(here.items)
        true = here.claim(item)
        reworded = paraphrase(true, rng, narrowing=False) if rng.random() < 0.6 else None
        yield base | {"claim": reworded[0] if reworded else true, "label": 1, "kind": "list_item"}
        near = [x for g, x in lists[max(0, k - 4) : k + 5] if g == group and x.opening != here.opening]
        wrong = None
        if near and rng.random() < 0.5:
            words = set(re.findall(r"[a-z]{4,}", here.text.lower()))
            other = rng.choice(rng.choice(near).items)
            if len(set(re.findall(r"[a-z]{4,}", other.lower())) - words) >= 3:
                wrong = here.claim(other)
        if wrong is None:
            for edit in rng.sample(_EDITS, len(_EDITS)):
                wrong = edit(true, rng, here.text)
                if wrong:
                    break
        if wrong:
            again = paraphrase(wrong, rng, narrowing=False) if rng.random() < 0.6 else None
            yield base | {"claim": again[0] if again else wrong, "label": 0, "kind": "list_item"}
