"""Whether a claim keeps the exceptions and conditions of its source, and keeps them the right way round."""

from collections.abc import Iterable

from footnotary.verify.wording.alignment import align
from footnotary.verify.wording.conditions.provisos import provisos
from footnotary.verify.wording.dropped_restriction import dropped_restriction
from footnotary.verify.wording.negation.scope import denials, merges_double_negation
from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text

_CONDITION = frozenset("if where when यदि अगर".split())
# Words with which a claim may keep an exception or a condition in its own way.
_KEEPING = frozenset(
    "except unless only but without exclude though although until otherwise save subject not solely while"
    " even-if beside need".split()
)
_KEEPING_CONDITION = (
    _KEEPING | _CONDITION | frozenset("once after on upon who whose which that such in by any for".split())
)
# How much of the rule a claim must state before a missing exception counts as dropped.
_STATED, _STATED_CONDITION, _OF_CLAIM, _KEPT = 0.6, 0.75, 0.6, 0.34

_KEEPING_KEYS = frozenset("except exempt exclud include".split())
_DENYING = frozenset("not no never cannot".split())
_TURNING = frozenset("exempt exempted only excused free".split())

# What leads in a phrase, the most telling first.
_LEADS = (
    "even-if", "even", "unless", "except", "without", "including", "only", "before", "after", "until", "outside",
    "beyond", "within", "if", "when", "where", "with",
)  # fmt: skip
_ALL_LEADS = frozenset(_LEADS)
_COPIED = 0.9
_CUT = frozenset("unless except if".split())
_PASSED = frozenset("and also or".split())
_OVERRIDING = frozenset("even-if whatever regardless ever never always".split())
_OVERRIDDEN = frozenset("if unless except where when only knowing knowingly with otherwise provided".split())
_OPEN = _OVERRIDING | frozenset("notwithstanding whether irrespective although though".split())
_IN_TIME = frozenset("before after until".split())
_OPPOSED: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        ("unless", "if"), ("unless", "when"), ("unless", "where"), ("unless", "even-if"), ("except", "including"),
        ("except", "even-if"), ("with", "without"), ("before", "after"), ("until", "after"), ("within", "outside"),
        ("within", "beyond"), ("only", "even-if"), ("if", "even-if"), ("where", "even-if"), ("without", "even"),
        ("without", "only"), ("except", "if"), ("except", "with"), ("without", "after"), ("unless", "with"),
        ("except", "even"), ("when", "before"), ("unless", "even"), ("only", "even"), ("unless", "once"),
        ("after", "when"),
    )
)  # fmt: skip


def exceptions_dropped(claim: str, premise: str) -> str | None:
    """The exception or condition that the claim leaves out or turns round."""
    return (
        _overridden(claim, premise)
        or dropped_restriction(claim, premise)
        or _cut_off(claim, premise)
        or _asserted(claim, premise)
        or _exchanged(claim, premise)
        or _inverted(claim, premise)
        or _overturned(claim, premise)
        or _dropped(claim, premise)
    )


def _cut_off(claim: str, premise: str) -> str | None:
    """A sentence copied up to its "unless", and no further."""
    aligned = align(claim, premise)
    if not aligned.near_copy or aligned.likeness < _COPIED or not aligned.partings:
        return None
    last = aligned.partings[-1]
    lead = next((w for w in last.source if w.text not in _PASSED), None)
    if last.right is not None or last.claim or lead is None or lead.text not in _CUT:
        return None
    if any(";" in w.gap for w in last.source if w.place <= lead.place):
        return None  # a rule of its own follows
    body = {w.key for w in last.source if w.content}
    if not body or body <= analyze_text(claim).keys:
        return None
    return f'the claim leaves out what the source says after "{lead.raw}"'


def _overridden(claim: str, premise: str) -> str | None:
    """A claim that holds "whatever", "even if", "in every case", where the source sets a condition or an exception."""
    if _OVERRIDING.isdisjoint(analyze_text(claim).texts):
        return None
    ours, sentence = analyze_text(claim).words, align(claim, premise).sentence
    theirs = {w.text for w in sentence}
    said = next((w for w in ours if w.text in _OVERRIDING and not (w.text == "whatever" and w.place == 0)), None)
    if said is None or theirs & _OPEN or not theirs & _OVERRIDDEN:
        return None
    keys = analyze_text(claim).keys
    if 2 * len(keys & {w.key for w in sentence}) < len(keys):
        return None
    return f'the claim says "{said.raw}", the source sets a condition'


def _asserted(claim: str, premise: str) -> str | None:
    """A claim that says of the excepted what the source says of all others."""
    ours = analyze_text(claim)
    texts, keys = ours.texts, ours.keys
    if texts & _KEEPING or keys & _KEEPING_KEYS or _count(claim) or any(w.flipped for w in ours.words):
        return None
    sentence = {w.place for w in align(claim, premise).sentence}
    for proviso in provisos(premise):
        if proviso.marker.text != "except" or proviso.marker.place not in sentence or _count(premise, sentence):
            continue
        excepted = keys & proviso.body
        if len(excepted) >= 2 and excepted | proviso.rule >= keys and len(keys & proviso.rule) >= 2:
            return f'the claim says of "{" ".join(sorted(excepted))}" what the source excepts it from'
    return None


def _exchanged(claim: str, premise: str) -> str | None:
    """In a sentence that is otherwise copied, "unless" where the source has "if", "after" where it has "before"."""
    aligned = align(claim, premise)
    if not aligned.near_copy:
        return None
    moved = _count(claim) % 2 != _count(premise, {w.place for w in aligned.sentence}) % 2
    for parting in aligned.partings:
        if (parting.left is None and parting.right is None) or any(
            d.text in _DENYING for d in (*parting.claim, *parting.source)
        ):
            continue
        one, other = _leading(parting.claim), _leading(parting.source)
        if one and other and frozenset((one, other)) in _OPPOSED and (not moved or {one, other} & _IN_TIME):
            return f'the claim says "{one}", the source "{other}"'
    return None


def _leading(words: Iterable[AnalyzedWord]) -> str | None:
    texts = {word.text for word in words}
    if "only" in texts and texts & _IN_TIME:
        texts.discard("only")  # "only after": the time tells
    return next((lead for lead in _LEADS if lead in texts), None)


def _overturned(claim: str, premise: str) -> str | None:
    """The exception kept, and the rule turned round: "allowed unless authorised" for "none except authorised"."""
    if not provisos(claim) or not provisos(premise):
        return None
    if any(w.text in _TURNING or w.flipped for w in (*analyze_text(claim).words, *analyze_text(premise).words)):
        return None
    if merges_double_negation(analyze_text(claim).words, analyze_text(premise).words):
        return None
    sentence = {w.place for w in align(claim, premise).sentence}
    for ours in provisos(claim):
        for theirs in provisos(premise):
            if ours.is_condition or theirs.is_condition or theirs.marker.place not in sentence:
                continue
            turned = _count(claim, None, ours.places) % 2 != _count(premise, sentence, theirs.places) % 2
            if turned and ours.body & theirs.body and len(ours.rule & theirs.rule) >= _OF_CLAIM * len(ours.rule):
                return f'the claim turns the rule before "{ours.marker.raw}" round'
    return None


def _dropped(claim: str, premise: str) -> str | None:
    if not provisos(premise):
        return None
    ours = analyze_text(claim)
    claimed = ours.keys
    shared = {s[0].sentence: len({w.key for w in s} & claimed) for s in analyze_text(premise).sentences}
    texts = ours.texts | claimed
    limited = {proviso.marker.sentence for proviso in provisos(premise)}
    for proviso in provisos(premise):
        here = shared[proviso.marker.sentence]
        if any(count > here or (count == here and number not in limited) for number, count in shared.items()):
            continue  # another sentence says it, without the exception
        keeping = _KEEPING_CONDITION if proviso.is_condition and proviso.marker.text != "only" else _KEEPING
        if (texts - proviso.spoken) & keeping:
            continue
        stated = len(proviso.rule & claimed) / len(proviso.rule)
        needed = _STATED_CONDITION if proviso.is_condition else _STATED
        if stated < needed or len(proviso.rule & claimed) < _OF_CLAIM * len(claimed):
            continue
        if len(proviso.body & claimed) < _KEPT * len(proviso.body):
            return f'the claim leaves out what the source says after "{proviso.marker.raw}"'
    return None


def _lead(words: tuple[AnalyzedWord, ...], word: AnalyzedWord) -> str | None:
    """The word that leads in the phrase of which `word` is the first content word."""
    leading: list[AnalyzedWord] = []
    for before in reversed(words[max(word.place - 6, 0) : word.place]):
        if before.content or before.sentence != word.sentence:
            break
        leading.append(before)
    return _leading(leading)


def _inverted(claim: str, premise: str) -> str | None:
    if _ALL_LEADS.isdisjoint(analyze_text(claim).texts) or _ALL_LEADS.isdisjoint(analyze_text(premise).texts):
        return None
    ours, theirs = analyze_text(claim).words, analyze_text(premise).words
    source: dict[tuple[str, ...], set[str]] = {}
    for lead, phrase, _ in _led(theirs):
        source.setdefault(phrase, set()).add(lead)
    sentence = {w.place for w in align(claim, premise).sentence}
    moved = _count(claim) % 2 != _count(premise, sentence) % 2
    if any(w.key in _KEEPING_KEYS for w in ours):
        return None  # "those with an allergy are excepted"
    for lead, phrase, word in _led(ours):
        leads = source.get(phrase)
        if leads and all(frozenset((lead, other)) in _OPPOSED for other in leads):
            other = min(leads)
            if moved and not {lead, other} & _IN_TIME:
                continue  # "if he does not object" is "unless he objects"
            return f'the claim says "{lead} {word.raw}", the source "{other} {word.raw}"'
    return None


def _led(words: tuple[AnalyzedWord, ...]) -> list[tuple[str, tuple[str, ...], AnalyzedWord]]:
    """Every phrase that something leads in: the lead, the phrase's first two concepts and its first word."""
    found: list[tuple[str, tuple[str, ...], AnalyzedWord]] = []
    for word in words:
        lead = _lead(words, word) if word.content else None
        if lead is not None:
            following = (
                w.key for w in words[word.place + 1 : word.place + 5] if w.content and w.sentence == word.sentence
            )
            found.append((lead, (word.key, next(following, "")), word))
    return found


def _count(text: str, within: set[int] | None = None, without: frozenset[int] = frozenset()) -> int:
    """How many things the text denies, at these places and not at those."""
    cues = [denial.cue for denial in denials(text) if denial.cue.text != "without"]
    return sum((within is None or cue.place in within) and cue.place not in without for cue in cues)
