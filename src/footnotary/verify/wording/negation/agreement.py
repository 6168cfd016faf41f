"""Whether a claim says "not" where its source does, and only there."""

from footnotary.verify.wording.alignment import align
from footnotary.verify.wording.negation.scope import (
    PREPOSITIONAL,
    Denial,
    denials,
    denies,
    is_bound_only,
    merges_double_negation,
)
from footnotary.verify.wording.parsed_text import MAX_WORDS, AnalyzedText, AnalyzedWord, analyze_text

# How much of a claim the source must say before a missing "not" means anything.
_SHARED = 0.6
# Words that turn a sentence round without a "not": where a source has one, its claim may have a "not" instead.
_TURNING = frozenset(
    "except unless only without exempt outside beyond refus deni lack fail prevent stop avoid free less"
    " fewer never solely exclus until even-if otherwise neither nor hardly rare excus lose void noth"
    " prohibit forbid refuse limit restrict remov ceas refrain abstain dismiss protect".split()
)
# "Only with consent" says what "not without consent" says.
_EXCLUSIVE = frozenset("only unless except solely until need alone free exempt excus reliev immun".split())
# What is denied with these is the act after them, whatever the source calls the right to it.
_STANDING = frozenset("right power permit oblig duti entitl".split())
_EMBRACING = frozenset("include appli cover extend mean constitut amount".split())
_BE = frozenset("is are was were be been".split())


def _signs(reading: AnalyzedText, struck: tuple[Denial, ...]) -> dict[int, frozenset[int]]:
    """For every content word whether it is said (0), denied (1), or may be either."""
    signs: dict[int, frozenset[int]] = {}
    for word in reading.words:
        if not word.content:
            continue
        hits = sum(denial.focus == word.place for denial in struck) + word.flipped
        reached = any(word.place in denial.reach and denial.focus != word.place for denial in struck)
        signs[word.place] = frozenset({0, 1}) if reached else frozenset({hits % 2})
    return signs


def negation_disagrees(claim: str, premise: str) -> str | None:
    """What the claim denies that the source says, or says that the source denies."""
    if len(analyze_text(claim).words) >= MAX_WORDS:
        return f"the claim has {MAX_WORDS} words or more and cannot be checked as one statement"
    if not (_denies_something(claim) or _denies_something(premise)):
        return None
    return _copied(claim, premise) or _struck(claim, premise) or _turned(claim, premise)


def _denies_something(text: str) -> bool:
    """Whether the text denies anything, by a "not" or by a word that carries its own."""
    return bool(denials(text)) or any(word.flipped for word in analyze_text(text).words)


def _copied(claim: str, premise: str) -> str | None:
    """A "not" put into or taken out of a sentence that is otherwise copied; one that only moved is neither."""
    aligned = align(claim, premise)
    if not aligned.near_copy:
        return None
    ours = _striking(denials(claim), {one.place for one, _ in aligned.pairs})
    theirs = _striking(denials(premise), {other.place for _, other in aligned.pairs})
    added: list[tuple[AnalyzedWord, AnalyzedWord | None]] = []
    dropped: list[tuple[AnalyzedWord, AnalyzedWord | None]] = []
    left_at_end = 0
    for parting in aligned.partings:
        beside = parting.right or parting.left
        reworded = any(w.content for w in parting.claim) and any(w.content for w in parting.source)
        lost = [(w, beside) for w in parting.source if w.place in theirs and not (w.content and reworded)]
        if parting.right is None and not parting.claim:
            left_at_end = len(lost)
            continue
        if any(_turns(word) for word in (*parting.claim, *parting.source)):
            return None
        added += [(w, beside) for w in parting.claim if w.place in ours and not (w.content and reworded)]
        dropped += lost
    for one, other in aligned.pairs:
        if one.flipped != other.flipped:
            (added if one.flipped else dropped).append((one, None))
    sentence = {w.place for w in aligned.sentence}
    in_all = len(denials(claim)) - sum(d.cue.place in sentence for d in denials(premise))
    in_all += sum(one.flipped != other.flipped for one, other in aligned.pairs)
    change = len(added) - len(dropped)
    # What the claim leaves out at the end may hold a "not" that the claim has elsewhere.
    if change % 2 == 0 or (change - left_at_end) % 2 == 0 or (in_all % 2 == 0 and not left_at_end):
        return None
    word, beside = (added or dropped)[0]
    where = f' before "{beside.raw}"' if beside else ""
    return f'the claim adds "{word.raw}"{where}' if added else f'the claim leaves out "{word.raw}"{where}'


def _striking(struck: tuple[Denial, ...], shared: set[int]) -> set[int]:
    """Where the denials stand that strike a shared word; the others came or went with what they strike."""
    return {d.cue.place for d in struck if d.focus in shared or (d.focus is None and d.reach & shared)}


def _turns(word: AnalyzedWord) -> bool:
    return (word.text in _TURNING or word.key in _TURNING) and not denies(word)


def _struck(claim: str, premise: str) -> str | None:
    """A word that both have, denied in one and not in the other."""
    ours, theirs = analyze_text(claim), analyze_text(premise)
    our_denials, their_denials = denials(claim), denials(premise)
    our_signs, their_signs = _signs(ours, our_denials), _signs(theirs, their_denials)
    if "than" in ours.texts and is_bound_only(ours.words) != is_bound_only(theirs.words):
        return None  # "not longer than" for "no longer than"
    exclusive = ours.has_any(_EXCLUSIVE) or merges_double_negation(ours.words, theirs.words)
    struck_there = {theirs.words[d.focus].key for d in their_denials if d.focus is not None}
    flipped_there = {w.key for w in theirs.words if w.flipped}
    struck_here = {d.focus for d in our_denials}
    signs_there: dict[str, frozenset[int]] = {}
    for word in theirs.words:
        if word.content:
            signs_there[word.key] = signs_there.get(word.key, frozenset()) | their_signs[word.place]
    for word in ours.words:
        signs = signs_there.get(word.key) if word.content else None
        if not signs or our_signs[word.place] & signs:
            continue
        if not _about_the_same(word, ours, theirs) or not _same_place(word, ours, theirs):
            continue
        if word.place in struck_here and _left_out(ours, theirs, their_denials):
            continue
        if word.place in struck_here or word.flipped:
            if not theirs.has_any(_TURNING) or word.flipped or word.key in flipped_there:
                return f'the claim denies "{word.raw}", the source does not'
        elif word.key in flipped_there or (word.key in struck_there and not exclusive):
            return f'the claim says "{word.raw}", the source denies it'
    return None


def _left_out(ours: AnalyzedText, theirs: AnalyzedText, struck: tuple[Denial, ...]) -> bool:
    """Whether the source says of the same that it is "not included": that denies it the name."""
    for denial in struck:
        if denial.focus is None or theirs.words[denial.focus].key not in _EMBRACING:
            continue
        rest = theirs.words[denial.cue.place :]
        if 2 * len(ours.keys & {w.key for w in rest if w.sentence == denial.cue.sentence}) >= len(ours.keys):
            return True
    return False


def _about_the_same(word: AnalyzedWord, ours: AnalyzedText, theirs: AnalyzedText) -> bool:
    """Whether a sentence of the source that has the word has half of what else the claim's clause says."""
    beside = {w.key for w in ours.words if w.content and w.clause == word.clause} - {word.key}
    return not beside or any(
        2 * len(beside & {w.key for w in sentence}) >= len(beside)
        for sentence in theirs.sentences
        if any(w.key == word.key for w in sentence)
    )


def _same_place(word: AnalyzedWord, ours: AnalyzedText, theirs: AnalyzedText) -> bool:
    """Whether a word that carries its own "not" on one side is said of the same: "unpaid leave", "is unlawful"."""
    others = [w for w in theirs.words if w.key == word.key]
    if not word.flipped and not any(w.flipped for w in others):
        return True
    here = _beside(ours.words, word)
    return any(here & _beside(theirs.words, other) for other in others)


def _beside(words: tuple[AnalyzedWord, ...], word: AnalyzedWord) -> set[str]:
    before = [w for w in words[max(word.place - 4, 0) : word.place] if w.content or w.text in _BE]
    after = [w for w in words[word.place + 1 : word.place + 4] if w.content]
    return {"be" if w.text in _BE else w.key for w in (*before[-2:], *after[:2])}


def _turned(claim: str, premise: str) -> str | None:
    """A claim that denies something where no word of the source does, or the other way round."""
    ours, theirs = analyze_text(claim), analyze_text(premise)
    shared = [w for w in ours.words if w.content and w.key in theirs.keys]
    if len({w.key for w in shared}) < _SHARED * len(ours.keys):
        return None
    if "than" in ours.texts and is_bound_only(ours.words) != is_bound_only(theirs.words):
        return None
    # What the source does not speak of, it may well imply: "final" that a thing "cannot be reopened".
    our_denials = [
        d
        for d in denials(claim)
        if d.cue.text not in PREPOSITIONAL and (d.focus is None or ours.words[d.focus].key in theirs.keys | _STANDING)
    ]
    their_denials = [d for d in denials(premise) if d.cue.text not in PREPOSITIONAL]
    if (
        our_denials
        and not denials(premise)
        and (not theirs.has_any(_TURNING) or _contrary(ours, theirs))
        and not any(w.flipped for w in (*ours.words, *theirs.words))
    ):
        return f'the claim says "{our_denials[0].cue.raw}", the source denies nothing'
    if our_denials or not their_denials or ours.has_any(_TURNING) or any(w.flipped for w in ours.words):
        return None
    if merges_double_negation(ours.words, theirs.words) or _bounds_time(ours, theirs):
        return None
    if denials(claim):
        return None
    for denial in their_denials:
        reach = {theirs.words[place].key for place in denial.reach if theirs.words[place].content}
        outside = {w.key for w in theirs.words if w.content and w.place not in denial.reach}
        held = [w for w in shared if w.key in reach]
        if (
            held
            and len(held) >= 0.6 * len(shared)
            and len({w.key for w in held}) >= 0.3 * len(reach)
            and not reach & {w.key for w in shared} <= outside
        ):
            return f'the source says "{denial.cue.raw}", the claim denies nothing'
    return None


def _bounds_time(ours: AnalyzedText, theirs: AnalyzedText) -> bool:
    """ "Must be brought within twelve years" for "no suit after twelve years"."""
    beyond = any(w.text in {"after", "beyond"} for w in theirs.words)
    return beyond and any(w.text in {"within", "up-to"} for w in ours.words)


def _contrary(ours: AnalyzedText, theirs: AnalyzedText) -> bool:
    """ "Liable until notice" and "not liable before notice": the "until" accounts for no "not" of the claim."""
    turning = {w.text for w in theirs.words if w.text in _TURNING or w.key in _TURNING}
    return turning == {"until"} and any(w.text in {"before", "until"} for w in ours.words)
