"""Small words on which all turns in a sentence that is otherwise copied: "nearly all", "only members", "twice"."""

from collections.abc import Sequence

from footnotary.verify.wording.alignment import Alignment, DiffSegment, align
from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text

_NEARLY = frozenset("nearly almost virtually practically".split())
_WHOLE = frozenset("all every each none no nobody everyone everybody half".split())
_TIMES = frozenset("twice thrice triple half quarter".split())
_ONLY = frozenset({"only"})


def changed_function_word(claim: str, premise: str) -> str | None:
    """What a claim that has the same words for all the rest, in the same order, leaves out, moves or exchanges."""
    aligned = align(claim, premise)
    for parting in aligned.partings if aligned.near_copy else ():
        ours, theirs = _among(parting.claim, _TIMES), _among(parting.source, _TIMES)
        if len(parting.claim) == len(parting.source) == 1 and ours and theirs and ours != theirs:
            return f'the claim says "{ours[0]}", the source "{theirs[0]}"'
    if aligned.likeness < 1 or not aligned.sentence:
        return None
    found = next((parting for parting in aligned.partings if _is_rounded(parting)), None)
    if found is not None:
        return f'the claim leaves out "{" ".join(w.raw for w in found.source)}"'
    return 'the claim says "only" of another word than the source does' if _only_moved(claim, aligned) else None


def _is_rounded(parting: DiffSegment) -> bool:
    """ "All members" for "nearly all members"."""
    right = parting.right
    if right is None or parting.claim or not parting.source:
        return False
    return all(word.text in _NEARLY for word in parting.source) and (right.text in _WHOLE or right.is_number)


def _among(words: Sequence[AnalyzedWord], wanted: frozenset[str]) -> list[str]:
    return [word.text for word in words if word.text in wanted]


def _only_moved(claim: str, aligned: Alignment) -> bool:
    """ "Members may only vote" for "only members may vote": at the head it is said of who acts."""
    ours = analyze_text(claim).words
    if len(_among(ours, _ONLY)) != 1 or len(_among(aligned.sentence, _ONLY)) != 1:
        return False
    shared = sum(word.content for _, word in aligned.pairs)
    if shared < sum(word.content for word in aligned.sentence):
        return False
    return (ours[0].text in _ONLY) != (aligned.sentence[0].text in _ONLY)
