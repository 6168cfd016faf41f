"""Whether a claim says "not" where its source does, and only there."""

from dataclasses import dataclass
from functools import lru_cache

from footnotary.verify.alignment import align
from footnotary.verify.reading import Reading, Word, read

_NOT = frozenset("not never cannot nor need-not नहीं नही न मत ना".split())
_NO = frozenset("no none nobody nothing neither nowhere".split())
_FORBID = frozenset("prohibit forbid forbidden forbad ban bar preclud".split())
_PREPOSITIONAL = frozenset({"without", "बिना", "बगैर"})
_HINDI = frozenset("नहीं नही न मत ना".split())
# How much of a claim the source must say before a missing "not" means anything.
_SHARED = 0.6
# Words that turn a sentence round without a "not": where a source has one, its claim may have a "not" instead.
_TURNING = frozenset(
    "except unless only without exempt outside beyond refus deni lack fail prevent stop avoid free less fewer never"
    " solely exclus until even-if otherwise neither nor hardly rare excus lose void noth prohibit forbid refuse"
    " limit restrict remov ceas refrain abstain dismiss protect".split()
)
# "Only with consent" says what "not without consent" says.
_EXCLUSIVE = frozenset("only unless except solely until need alone".split())
_BE = frozenset("is are was were be been".split())
_MODAL = frozenset("may shall must can could will would should might".split())
_VERBAL = frozenset(
    "may shall must can could will would should might is are was were be been does do did has have".split()
)


@dataclass(frozen=True, slots=True)
class Denial:
    """One "not": the word it strikes first, where that is known, and all the words it may reach."""

    cue: Word
    focus: int | None
    reach: frozenset[int]


@lru_cache(maxsize=128)
def denials(text: str) -> tuple[Denial, ...]:
    """Every "not" of `text`, without those that only bound a number ("not more than") or weigh ("not only")."""
    reading = read(text)
    words = reading.words
    found: list[Denial] = []
    for word in words:
        if word.text in _NOT and not _is_spent(words, word):
            found.append(_after(words, word))
        elif word.text in _NO and not _is_spent(words, word):
            found.append(_subject(words, word))
        elif word.text in _PREPOSITIONAL:
            found.append(_short(words, word))
        elif word.key in _FORBID:
            clause = frozenset(w.place for w in words if w.sentence == word.sentence and w.place != word.place)
            found.append(Denial(word, None, clause))
    return tuple(found)


def _is_spent(words: tuple[Word, ...], cue: Word) -> bool:
    after = words[cue.place + 1] if cue.place + 1 < len(words) else None
    earlier = words[max(cue.place - 25, 0) : cue.place]
    if cue.text == "nor" and any(w.text == "neither" and w.sentence == cue.sentence for w in earlier):
        return True  # one denial of two things
    if after is None:
        return False
    if cue.text == "no" and "," in after.gap:
        return True  # an answer, not a denial
    if cue.text == "not" and len(earlier) > 1 and earlier[-2].text == "or" and earlier[-1].text in _MODAL:
        return True  # "may or may not"
    if cue.text == "no" and (after.text in {"doubt", "matter"} or (after.is_number and "." in after.gap)):
        return True
    before = words[cue.place - 1] if cue.place else None
    if any(w.text == "even-if" and w.clause == cue.clause for w in words[max(cue.place - 8, 0) : cue.place]):
        return True
    return cue.text == "not" and (
        after.text in {"exceed", "exceeding", "otherwise"} or (before is not None and before.text == "or")
    )


def _after(words: tuple[Word, ...], cue: Word) -> Denial:
    if cue.text in _HINDI:
        # In Hindi the "not" stands before or after its verb, at the end of the clause.
        near = [
            w
            for w in words[max(cue.place - 2, 0) : cue.place + 3]
            if w.place != cue.place and w.sentence == cue.sentence
        ]
        return Denial(cue, None, frozenset(w.place for w in near))
    rest = words[cue.place + 1 :]
    if rest and "," in rest[0].gap:  # "shall not, without consent, deduct": the verb comes after the aside
        close = next((w.place for w in rest[1:] if "," in w.gap and w.sentence == cue.sentence), None)
        rest = words[close:] if close is not None else ()
    clause = rest[0].clause if rest else cue.clause
    reach: list[Word] = []
    for word in rest:
        if word.clause != clause or (word.text in _MODAL and any(w.content for w in reach)):
            break  # "goods that do not match shall be replaced": the second verb is not denied
        reach.append(word)
    if not any(w.content for w in reach):  # "visitors cannot": what is denied was said before
        back = [w for w in words[: cue.place] if w.sentence == cue.sentence and w.clause >= cue.clause - 1]
        return Denial(cue, None, frozenset(w.place for w in back))
    content = [w for w in reach if w.content]
    focus = next((w.place for w in content if not w.text.endswith("ly")), content[0].place)
    return Denial(cue, focus, frozenset(w.place for w in reach))


def _subject(words: tuple[Word, ...], cue: Word) -> Denial:
    """ "No court shall enforce": what is denied is the enforcing; "commits no offence": the offence."""
    reach: list[Word] = []
    for word in words[cue.place + 1 :]:
        if word.sentence != cue.sentence or word.text in {"unless", "except", "but", "if"} or ";" in word.gap:
            break
        reach.append(word)
    before = words[cue.place - 1] if cue.place else None
    noun = next((w for w in reach if w.content), None)
    is_object = before is not None and before.clause == cue.clause and "," not in cue.gap
    if before is not None and is_object and (before.content or before.text in _VERBAL):
        # "Commits no offence", "entrusts nothing": the verb stands before, and is denied with its object.
        back = [w.place for w in words[max(cue.place - 3, 0) : cue.place] if w.clause == cue.clause]
        if noun is None:
            back = [w.place for w in words[: cue.place] if w.sentence == cue.sentence]
        focus = noun if cue.text == "no" else None
        return Denial(cue, focus.place if focus else None, frozenset({*(w.place for w in reach), *back}))
    verbs = [w for w in reach if w.text in _VERBAL]
    if any(w.text in {"who", "which", "that", "whose"} for w in reach):
        # "Nobody who has been acquitted may be tried": the verb of the relative clause is not the one denied.
        verbs = [w for w in verbs if w.text in _MODAL] or verbs[-1:]
    verb = next((w for w in reach if verbs and w.place > verbs[0].place and w.content), None)
    focus = verb or noun
    return Denial(cue, focus.place if focus else None, frozenset(w.place for w in reach))


def _short(words: tuple[Word, ...], cue: Word) -> Denial:
    reach = [w for w in words[cue.place + 1 : cue.place + 6] if w.clause == cue.clause]
    return Denial(cue, None, frozenset(w.place for w in reach))


def _signs(reading: Reading, struck: tuple[Denial, ...]) -> dict[int, frozenset[int]]:
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
    return _copied(claim, premise) or _struck(claim, premise) or _turned(claim, premise)


def _copied(claim: str, premise: str) -> str | None:
    """A "not" put into or taken out of a sentence that is otherwise copied; one that only moved is neither."""
    aligned = align(claim, premise)
    if not aligned.near_copy:
        return None
    ours = _striking(denials(claim), {one.place for one, _ in aligned.pairs})
    theirs = _striking(denials(premise), {other.place for _, other in aligned.pairs})
    added: list[tuple[Word, Word | None]] = []
    dropped: list[tuple[Word, Word | None]] = []
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


def _denies(word: Word) -> bool:
    return word.text in _NOT or word.text in _NO or word.text in _PREPOSITIONAL or word.key in _FORBID or word.flipped


def _turns(word: Word) -> bool:
    return (word.text in _TURNING or word.key in _TURNING) and not _denies(word)


def _struck(claim: str, premise: str) -> str | None:
    """A word that both have, denied in one and not in the other."""
    ours, theirs = read(claim), read(premise)
    our_denials, their_denials = denials(claim), denials(premise)
    our_signs, their_signs = _signs(ours, our_denials), _signs(theirs, their_denials)
    exclusive = _has_turning(ours, _EXCLUSIVE)
    struck_there = {theirs.words[d.focus].key for d in their_denials if d.focus is not None}
    flipped_there = {w.key for w in theirs.words if w.flipped}
    struck_here = {d.focus for d in our_denials}
    for word in ours.words:
        if not word.content:
            continue
        signs = [their_signs[w.place] for w in theirs.words if w.content and w.key == word.key]
        if not signs or our_signs[word.place] & frozenset[int]().union(*signs):
            continue
        if not _about_the_same(word, ours, theirs) or not _same_place(word, ours, theirs):
            continue
        if word.place in struck_here or word.flipped:
            if not _has_turning(theirs, _TURNING) or word.flipped or word.key in flipped_there:
                return f'the claim denies "{word.raw}", the source does not'
        elif word.key in flipped_there or (word.key in struck_there and not exclusive):
            return f'the claim says "{word.raw}", the source denies it'
    return None


def _about_the_same(word: Word, ours: Reading, theirs: Reading) -> bool:
    """Whether a sentence of the source that has the word has half of what else the claim's clause says."""
    beside = {w.key for w in ours.words if w.content and w.clause == word.clause} - {word.key}
    return not beside or any(
        2 * len(beside & {w.key for w in sentence}) >= len(beside)
        for sentence in theirs.sentences
        if any(w.key == word.key for w in sentence)
    )


def _same_place(word: Word, ours: Reading, theirs: Reading) -> bool:
    """Whether a word that carries its own "not" on one side is said of the same thing: "unpaid leave", "is unlawful"."""
    others = [w for w in theirs.words if w.key == word.key]
    if not word.flipped and not any(w.flipped for w in others):
        return True
    here = _beside(ours.words, word)
    return any(here & _beside(theirs.words, other) for other in others)


def _beside(words: tuple[Word, ...], word: Word) -> set[str]:
    before = [w for w in words[max(word.place - 4, 0) : word.place] if w.content or w.text in _BE]
    after = [w for w in words[word.place + 1 : word.place + 4] if w.content]
    return {"be" if w.text in _BE else w.key for w in (*before[-2:], *after[:2])}


def _turned(claim: str, premise: str) -> str | None:
    """A claim that denies something where no word of the source does, or the other way round."""
    ours, theirs = read(claim), read(premise)
    shared = [w for w in ours.words if w.content and w.key in theirs.keys]
    if len({w.key for w in shared}) < _SHARED * len(ours.keys):
        return None
    our_denials = [d for d in denials(claim) if d.cue.text not in _PREPOSITIONAL]
    their_denials = [d for d in denials(premise) if d.cue.text not in _PREPOSITIONAL]
    if (
        our_denials
        and not denials(premise)
        and not _has_turning(theirs, _TURNING)
        and not any(w.flipped for w in (*ours.words, *theirs.words))
    ):
        return f'the claim says "{our_denials[0].cue.raw}", the source denies nothing'
    if our_denials or not their_denials or _has_turning(ours, _TURNING) or any(w.flipped for w in ours.words):
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


def _has_turning(reading: Reading, words: frozenset[str] | set[str]) -> bool:
    return any(word.text in words or word.key in words for word in reading.words)
