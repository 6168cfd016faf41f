"""Whether a claim says of all what its source says of some: "Children travel free" for "Children under twelve …"."""

from footnotary.verify.alignment import Parting, align
from footnotary.verify.reading import Word

_OF_ANY = frozenset("a an any all each every no whoever whosoever".split())
_MANY = frozenset("children people persons men women".split())
# What a subject is narrowed by; a participle does it too: "employing twenty workers", "convicted twice".
_NARROWS = frozenset("who whom whose which that under over above below aged with without".split())
_PARTICIPLES = ("ing", "ed")
_FARTHEST = 3  # words of a subject before what narrows it
_VERBS = frozenset(
    "is are was were be been has have had do does did shall must may can will should would could might need".split()
)


def narrowed(claim: str, premise: str) -> str | None:
    """What the claim leaves out of the subject of a rule for anybody, where it says nothing else than the rule."""
    aligned = align(claim, premise)
    if aligned.likeness < 1 or not aligned.sentence or not _is_general(aligned.sentence):
        return None
    if any(parting.claim for parting in aligned.partings) or sum(w.content for w, _ in aligned.pairs) < 2:
        return None
    found = next((parting for parting in aligned.partings if _narrows(parting, aligned.sentence)), None)
    return f'the claim leaves out "{" ".join(w.raw for w in found.source)}"' if found else None


def _is_general(sentence: tuple[Word, ...]) -> bool:
    """Whether it is a rule for anybody of a kind: "every factory", "a tenant", "drivers", not "the Board"."""
    first = sentence[0]
    return first.text in _OF_ANY or first.raw.lower() in _MANY or (first.content and first.raw.endswith("s"))


def _narrows(parting: Parting, sentence: tuple[Word, ...]) -> bool:
    if parting.left is None or parting.right is None or len(parting.source) < 2:
        return False
    first = parting.source[0]
    before = [word for word in sentence if word.place < first.place]
    if len(before) > _FARTHEST or any(word.text in _VERBS for word in before):
        return False
    return first.text in _NARROWS or first.raw.lower().endswith(_PARTICIPLES)
