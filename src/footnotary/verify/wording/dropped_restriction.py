"""Whether a claim says of all what its source says of some: "Children travel free" for "Children under twelve …"."""

from collections.abc import Sequence

from footnotary.verify.wording.alignment import DiffSegment, align
from footnotary.verify.wording.parsed_text import AnalyzedWord

_OF_ANY = frozenset("a an any all each every no whoever whosoever".split())
_MANY = frozenset("children people persons men women".split())
# What a subject is narrowed by; a participle does it too: "employing twenty workers", "convicted twice".
_NARROWS = frozenset("who whom whose which that under over above below aged with without".split())
_PLACES = frozenset("in on outside within".split())
_PARTICIPLES = ("ing", "ed")
_IRREGULAR = frozenset("bought sold born made held kept built found taken given left lost paid".split())
# What is said of a thing as it stands may hold at times, or for some, alone: "closed on Sundays", "free for children".
_STATES = frozenset(
    "closed open free prohibited allowed permitted forbidden banned compulsory mandatory optional exempt taxable legal"
    " illegal lawful unlawful required".split()
)
_LIMITS = frozenset("on in during at for until before after between within without with".split())
_UNLIMITED = frozenset("all every each any everyone everybody anyone anybody always".split())
_LONGEST_PLACE = 6
_FARTHEST = 3  # words of a subject before what narrows it
_VERBS = frozenset(
    "is are was were be been has have had do does did shall must may can will should would could might need".split()
)


def dropped_restriction(claim: str, premise: str) -> str | None:
    """What the claim leaves out of the subject of a rule for anybody, where it says nothing else than the rule."""
    aligned = align(claim, premise)
    if aligned.likeness < 1 or not aligned.sentence or not aligned.pairs:
        return None
    if any(parting.claim for parting in aligned.partings) or sum(w.content for w, _ in aligned.pairs) < 2:
        return None
    general = _is_general(aligned.sentence)
    found = next((p for p in aligned.partings if general and _restricts(p, aligned.sentence)), None)
    found = found or _limit(aligned.partings[-1:], aligned.pairs[-1][1])
    return f'the claim leaves out "{" ".join(w.raw for w in found.source)}"' if found else None


def _is_general(sentence: tuple[AnalyzedWord, ...]) -> bool:
    """Whether it is a rule for anybody of a kind: "every factory", "a tenant", "drivers", not "the Board"."""
    first = sentence[0]
    return first.text in _OF_ANY or first.raw.lower() in _MANY or (first.content and first.raw.endswith("s"))


def _restricts(parting: DiffSegment, sentence: tuple[AnalyzedWord, ...]) -> bool:
    if parting.left is None or parting.right is None or len(parting.source) < 2:
        return False
    first = parting.source[0]
    before = [word for word in sentence if word.place < first.place]
    if len(before) > _FARTHEST or any(word.text in _VERBS for word in before):
        return False
    participle = first.raw.lower().endswith(_PARTICIPLES) or first.text in _IRREGULAR
    return first.text in _NARROWS or participle or _is_place(parting.source)


def _is_place(left_out: Sequence[AnalyzedWord]) -> bool:
    """Whether the words say where, or in what state, somebody has to be: "in Delhi", "on probation"."""
    if left_out[0].text not in _PLACES or len(left_out) > _LONGEST_PLACE:
        return False
    return not any("," in word.gap or word.text in _VERBS for word in left_out)


def _limit(last: Sequence[DiffSegment], state: AnalyzedWord) -> DiffSegment | None:
    """What stands behind a state with which the claim ends, where it says when or for whom."""
    for parting in last:
        if parting.right is None and parting.source and state.text in _STATES and parting.source[0].text in _LIMITS:
            told = any(word.content or word.is_number for word in parting.source)
            return parting if told and not _UNLIMITED & {word.text for word in parting.source} else None
    return None
