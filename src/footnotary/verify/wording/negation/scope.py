"""Every "not" of a text, what it strikes and how far it reaches."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text

_NOT = frozenset("not never cannot nor need-not नहीं नही न मत ना".split())
_NO = frozenset("no none nobody nothing neither nowhere".split())
_FORBID = frozenset("prohibit forbid forbidden forbad ban bar preclud".split())
_HINDI = frozenset("नहीं नही न मत ना".split())
_MODAL = frozenset("may shall must can could will would should might".split())
_VERBAL = _MODAL | frozenset("is are was were be been does do did has have".split())
PREPOSITIONAL = frozenset({"without", "बिना", "बगैर"})
_CUES = _NOT | _NO | PREPOSITIONAL | _FORBID
_BOUNDS = frozenset("up-to at-least within maximum minimum".split())
_BEYOND = frozenset("longer more later less fewer earlier sooner shorter higher lower".split())
_LACKING = frozenset("without unless until except".split())
_NO_ADVERBS = frozenset("apply supply reply comply rely imply multiply fly family".split())
_BODY = 8
_DUTY = frozenset("must shall need require requires required needs only".split())
_PRONOUNS = frozenset("it they he she else".split())


@dataclass(frozen=True, slots=True)
class Denial:
    """One "not": the word it strikes first, where that is known, and all the words it may reach."""

    cue: AnalyzedWord
    focus: int | None
    reach: frozenset[int]


@lru_cache(maxsize=128)
def denials(text: str) -> tuple[Denial, ...]:
    """Every "not" of `text`, without those that only bound a number ("not more than") or weigh ("not only")."""
    reading = analyze_text(text)
    if not reading.has_any(_CUES):
        return ()
    words = reading.words
    found: list[Denial] = []
    for word in words:
        if word.text in _NOT and not _is_spent(words, word):
            found.append(_after(words, word))
        elif word.text in _NO and not _is_spent(words, word):
            found.append(_subject(words, word))
        elif word.text in PREPOSITIONAL:
            found.append(_short(words, word))
        elif word.key in _FORBID:
            clause = frozenset(w.place for w in words if w.sentence == word.sentence and w.place != word.place)
            found.append(Denial(word, None, clause))
    return tuple(found)


def _is_spent(words: tuple[AnalyzedWord, ...], cue: AnalyzedWord) -> bool:
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


def _after(words: tuple[AnalyzedWord, ...], cue: AnalyzedWord) -> Denial:
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
    reach: list[AnalyzedWord] = []
    for word in rest:
        if word.clause != clause or (word.text in _MODAL and any(w.content for w in reach)):
            break  # "goods that do not match shall be replaced": the second verb is not denied
        reach.append(word)
    if not any(w.content for w in reach):  # "visitors cannot": what is denied was said before
        back = [w for w in words[: cue.place] if w.sentence == cue.sentence and w.clause >= cue.clause - 1]
        return Denial(cue, None, frozenset(w.place for w in back))
    content = [w for w in reach if w.content]
    focus = next((w.place for w in content if not w.text.endswith("ly") or w.text in _NO_ADVERBS), content[0].place)
    return Denial(cue, focus, frozenset(w.place for w in reach))


def _subject(words: tuple[AnalyzedWord, ...], cue: AnalyzedWord) -> Denial:
    """ "No court shall enforce": what is denied is the enforcing; "commits no offence": the offence."""
    reach: list[AnalyzedWord] = []
    for word in words[cue.place + 1 :]:
        if word.sentence != cue.sentence or word.text in {"unless", "except", "but", "if"} or ";" in word.gap:
            break
        if any(w.text in _VERBAL for w in reach) and _joins_statement(words, word):
            break  # "no tenant shall enter, and the fee is due": the fee is not denied
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
    relative = next((w.place for w in reach if w.text in {"who", "which", "that", "whose"}), None)
    if relative is not None and verbs and relative < verbs[0].place:
        # "Nobody who has been acquitted may be tried": the verb of the relative clause is not the one denied.
        verbs = [w for w in verbs if w.text in _MODAL] or verbs[-1:]
    verb = next((w for w in reach if verbs and w.place > verbs[0].place and w.content), None)
    focus = verb or noun
    return Denial(cue, focus.place if focus else None, frozenset(w.place for w in reach))


def _joins_statement(words: tuple[AnalyzedWord, ...], joint: AnalyzedWord) -> bool:
    """Whether a statement with a subject and a verb of its own is joined here: ", and the fee is due"."""
    after = words[joint.place + 1 : joint.place + 1 + _BODY]
    if joint.text != "and" or "," not in joint.gap or not after or not after[0].is_determiner:
        return False
    end = next((i for i, w in enumerate(after) if "," in w.gap or w.sentence != joint.sentence), len(after))
    return any(w.text in _VERBAL for w in after[1:end])


def _short(words: tuple[AnalyzedWord, ...], cue: AnalyzedWord) -> Denial:
    reach = [w for w in words[cue.place + 1 : cue.place + 6] if w.clause == cue.clause]
    return Denial(cue, None, frozenset(w.place for w in reach))


def is_bound_only(words: Sequence[AnalyzedWord]) -> bool:
    """Whether a text sets a bound ("no longer than", read as one word) and denies nothing beyond it."""
    if not any(w.text in _BOUNDS for w in words):
        return False
    return not any(one.text in _BEYOND and other.text == "than" for one, other in pairwise(words))


def merges_double_negation(claim: Sequence[AnalyzedWord], source: Sequence[AnalyzedWord]) -> bool:
    """Whether the claim makes one duty of the two "nots" of its source: "must have a licence to sell" of "may not sell
    without a licence", "must be used or it lapses" of "lapses if it is not used"."""
    theirs = {w.text for w in source}
    if "if" not in theirs and _LACKING.isdisjoint(theirs):
        return False
    ours = {w.text for w in claim}
    if any(denies(w) for w in claim):
        return False
    lacking = [i for i, w in enumerate(source) if w.text in _LACKING and w.text not in ours]
    otherwise = "otherwise" in ours or any(
        w.text == "or" and i + 1 < len(claim) and claim[i + 1].text in _PRONOUNS for i, w in enumerate(claim)
    )
    return (bool(ours & _DUTY) and any(_required(claim, source, i) for i in lacking)) or (otherwise and "if" in theirs)


def _required(claim: Sequence[AnalyzedWord], source: Sequence[AnalyzedWord], at: int) -> bool:
    """Whether the claim has what may not be lacking."""
    body = {w.key for w in source[at + 1 : at + 1 + _BODY] if w.content and w.sentence == source[at].sentence}
    return 3 * len(body & {w.key for w in claim}) >= len(body)


def denies(word: AnalyzedWord) -> bool:
    """Whether the word by itself can make a denial: "not", "no", "without", "prohibited", "unlawful"."""
    spoken = word.text in _NOT or word.text in _NO or word.text in PREPOSITIONAL
    return spoken or word.key in _FORBID or word.flipped
