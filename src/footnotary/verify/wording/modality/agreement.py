"""Whether a claim permits, obliges, advises or forbids as its source does."""

from footnotary.verify.wording.alignment import align
from footnotary.verify.wording.modality.modal_verbs import FORCE, NEGATED, Modal, modals
from footnotary.verify.wording.negation.scope import is_bound_only, merges_double_negation
from footnotary.verify.wording.parsed_text import AnalyzedText, AnalyzedWord, analyze_text

_EXCLUSIVE = frozenset("only solely unless except until".split())
_BEYOND = frozenset("beyond outside except unless without otherwise until other".split())
# "Shall be entitled to vote" obliges others; he who is entitled may.
_ENABLING = frozenset("entitl right permit allow power elig liberti".split())
_BOUNDS = frozenset("up-to at-least within maximum minimum".split())
_REFUSING = frozenset("refuse deni reject prohibit declin".split())
_OPEN_TERM = frozenset({"up-to", "maximum"})
_PLAIN = frozenset("may shall must need-not cannot".split())
_PENALTY = frozenset("punish imprison fine face liabl get lead carri attract result receiv extend liable".split())
_AT_ODDS: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        ("may", "must"), ("may", "must not"), ("must", "should"), ("must", "must not"), ("must", "need not"),
        ("should", "must not"), ("must not", "need not"), ("may", "should"), ("need not", "should"),
    )
)  # fmt: skip


def modality_disagrees(claim: str, premise: str) -> str | None:
    """What the claim makes a duty, a choice or a ban that the source does not."""
    return _copied(claim, premise) or _same_act(claim, premise)


def _copied(claim: str, premise: str) -> str | None:
    aligned = align(claim, premise)
    if not aligned.near_copy:
        return None
    limits = analyze_text(claim).texts & _EXCLUSIVE
    if limits and not limits & {w.text for w in aligned.sentence}:
        return None  # "may in no other" is "shall only in these"
    for parting in aligned.partings:
        ours = [w for w in parting.claim if w.text in FORCE]
        theirs = [w for w in parting.source if w.text in FORCE]
        if len(ours) == 1 and len(theirs) == 1 and not any(w.content for w in (*parting.claim, *parting.source)):
            one, other = _modal_at(claim, ours[0]), _modal_at(premise, theirs[0])
            if one is None or other is None or frozenset((one.force, other.force)) not in _AT_ODDS:
                continue
            if _bounds_a_penalty(one, other, (*analyze_text(claim).words, *aligned.sentence)):
                continue
            if _shuts_out(one, analyze_text(claim).words, aligned.sentence) or _enabled(one, other):
                continue
            if one.act == other.act or "must not" not in {one.force, other.force}:
                return f'the claim says "{ours[0].raw}", the source "{theirs[0].raw}"'
    return None


def _bounds_a_penalty(one: Modal, other: Modal, words: tuple[AnalyzedWord, ...]) -> bool:
    """Whether "can be jailed for up to seven years" renders "shall be punished with up to seven years"."""
    if one.force != "may" or one.act not in _PENALTY or (one.act == other.act and one.word.text == "may"):
        return False
    return any(w.text in _OPEN_TERM or w.text == "or" for w in words)


def _modal_at(text: str, word: AnalyzedWord) -> Modal | None:
    return next((modal for modal in modals(text) if modal.word.place == word.place), None)


def _same_act(claim: str, premise: str) -> str | None:
    ours, theirs = modals(claim), modals(premise)
    if not ours or not theirs:
        return None
    claim_words, source_words = analyze_text(claim).words, analyze_text(premise).words
    covering = _covering(analyze_text(claim).keys, analyze_text(premise))
    limits = analyze_text(claim).texts & _EXCLUSIVE
    for modal in ours:
        if _said_so(modal, claim_words, theirs, source_words):
            continue
        same = [other for other in theirs if other.act is not None and other.act == modal.act]
        same = [other for other in same if other.word.sentence in covering]
        if not same:
            same = _in_nearest_clause(modal, claim_words, theirs, source_words)
        if not same or any(frozenset((modal.force, other.force)) not in _AT_ODDS for other in same):
            continue
        forces = {modal.force, same[0].force}
        if forces == {"may", "must not"} and (limits or _shuts_out(modal, claim_words, source_words)):
            continue  # "may only with consent" is "may not without consent"
        if "must not" in forces and is_bound_only(claim_words) != is_bound_only(source_words):
            continue  # "must not be kept longer than needed" is "shall be kept no longer than needed"
        if modal.force == "must" and same[0].act != modal.act and _timed(claim_words) and _timed(source_words):
            continue  # "objections must be made within 60 days" for "may object within 60 days"
        if forces == {"must", "must not"} and merges_double_negation(claim_words, source_words):
            continue  # "must have a licence to sell" is "may not sell without a licence"
        if modal.force == "may" and _exists(modal, claim_words):
            continue  # "there may be at most eight members"
        if forces == {"may", "must"} and limits:
            continue  # "may only in these" is "shall only in these"
        if modal.force == "may" and modal.act in _PENALTY and _open(modal, same[0], claim_words, source_words):
            continue  # "can be jailed for up to seven years" is what "shall be punished with up to" comes to
        return f'the claim says "{modal.word.raw}" ({modal.force}), the source "{same[0].word.raw}" ({same[0].force})'
    return None


def _open(modal: Modal, other: Modal, claim: tuple[AnalyzedWord, ...], source: tuple[AnalyzedWord, ...]) -> bool:
    """Whether the penalty is one of several, or only bounded."""
    several = modal.word.text != "may" and any(w.text == "or" and w.sentence == other.word.sentence for w in source)
    return several or any(w.text in _OPEN_TERM or w.text == "or" for w in claim)


def _timed(words: tuple[AnalyzedWord, ...]) -> bool:
    return any(w.text == "within" for w in words)


def _shuts_out(modal: Modal, claim: tuple[AnalyzedWord, ...], source: tuple[AnalyzedWord, ...]) -> bool:
    """Whether "not beyond what the contract permits" renders "only as the contract permits"."""
    return (
        modal.force == "must not"
        and any(w.text in _EXCLUSIVE for w in source)
        and any(w.text in _BEYOND for w in claim[modal.word.place :])
    )


def _enabled(one: Modal, other: Modal) -> bool:
    """Whether "may vote" renders "shall be entitled to vote"."""
    return one.force == "may" and other.force == "must" and other.act in _ENABLING and one.act != other.act


def _exists(modal: Modal, claim: tuple[AnalyzedWord, ...]) -> bool:
    return (
        modal.word.place > 0 and claim[modal.word.place - 1].text == "there" and any(w.text in _BOUNDS for w in claim)
    )


def _said_so(
    modal: Modal, claim: tuple[AnalyzedWord, ...], theirs: tuple[Modal, ...], source: tuple[AnalyzedWord, ...]
) -> bool:
    """Whether the act stands in the reach of a modal of the same force, or of a right for a permission."""
    act = next((w for w in claim[modal.word.place + 1 :] if w.content and w.key == modal.act), None)
    if act is None:
        return False
    known = any(other.act == modal.act for other in theirs)
    for other in theirs:
        end = next((m.word.place for m in theirs if m.word.place > other.word.place), len(source))
        reach = [w for w in source[other.word.place + 1 : end] if w.sentence == other.word.sentence]
        enables = other.force == "must" and other.act in _ENABLING
        if known and not enables:
            continue
        for word in reach:
            if word.key != act.key:
                continue
            force = NEGATED[other.force] if word.flipped != act.flipped else other.force
            if force == modal.force or (enables and modal.force == "may"):
                return True
    return False


def _covering(keys: frozenset[str], premise: AnalyzedText) -> frozenset[int]:
    """The sentences that have most of what the claim has."""
    shared = {s[0].sentence: len(keys & {w.key for w in s}) for s in premise.sentences}
    return frozenset(number for number, count in shared.items() if count == max(shared.values()))


def _in_nearest_clause(
    modal: Modal, claim: tuple[AnalyzedWord, ...], theirs: tuple[Modal, ...], source: tuple[AnalyzedWord, ...]
) -> list[Modal]:
    """The modal of the source's clause that says most of what the claim's clause says, if it says most of it."""
    keys = {w.key for w in claim if w.content and w.clause == modal.word.clause}
    theirs = tuple(other for other in theirs if other.word.text in _PLAIN)
    if len(keys) < 2 or modal.word.text not in _PLAIN or not theirs or modal.act in _REFUSING:
        return []
    scored: list[tuple[float, Modal]] = []
    for other in theirs:
        clause = {w.key for w in source if w.content and w.clause == other.word.clause}
        scored.append((len(keys & clause) / len(keys), other))
    score, best = max(scored, key=lambda entry: entry[0])
    return [best] if score >= 0.6 and sum(s == score for s, _ in scored) == 1 else []
