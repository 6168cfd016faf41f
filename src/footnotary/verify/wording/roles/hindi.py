"""Who may or must do what to whom, in Hindi: the verb stands last, and small words behind nouns tell their parts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.text.numbers.quantities import number_mentions
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import content_terms, words
from footnotary.verify.wording.modality.modal_verbs import Force

_MAY = re.compile("सक(?:ता|ती|ते|ेगा|ेगी|ेंगे|े|ें)")
_ADVICE = frozenset({"चाहिए", "चाहिये"})
# करेगा, देगा, लौटाएगा, जाएंगे: what a statute says will be done must be done.
_FUTURE = re.compile("[\u0904-\u094f]*[ेएोंँ]ग[ाीे]")
_DENIALS = frozenset({"नहीं", "न", "मत"})
_BEHIND = frozenset("को का की के ने से में पर तक द्वारा".split())
_BEFORE = frozenset("पहले पूर्व".split())
_AFTER = frozenset("बाद पश्चात पश्चात् उपरांत उपरान्त".split())
_DEVANAGARI = re.compile("[\u0904-\u0939]")
# The source's sentence must say most of what the claim says, for the two to be held against each other.
_MOST = 0.6
_NEARLY_ALL = 0.7
_AT_ODDS = frozenset({frozenset({"may", "must"}), frozenset({"must", "should"}), frozenset({"may", "should"})})


@dataclass(frozen=True, slots=True)
class _HindiSentence:
    """A sentence of Hindi: what it is about, what its verb demands, whether it denies, and who it is done to.

    `before` and `after` are what it names something earlier or later than: "जाँच से पहले", "जाँच के बाद".
    """

    terms: frozenset[str]
    forces: tuple[Force, ...]
    denies: bool
    subject: str | None
    objects: frozenset[str]
    bare: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]


def hindi_modality_disagrees(claim: str, premise: str) -> str | None:
    """What the claim makes a duty that the source leaves open, or the other way round: सकेगा is not करेगा."""
    for said, source in _pairs(claim, premise, _MOST):
        if not said.forces or not source.forces or said.denies or source.denies:
            continue
        ours, theirs = said.forces[-1], source.forces[-1]
        # "... हो सकेगा" within a sentence that ends in "दंडित किया जाएगा" bounds the penalty.
        if ours not in source.forces and frozenset({ours, theirs}) in _AT_ODDS:
            return f'the claim says it in the sense of "{ours}", the source of "{theirs}"'
    return None


def hindi_roles_disagree(claim: str, premise: str) -> str | None:
    """Who in the claim does what, in the source, another does, or has done to him (को)."""
    for said, source in _pairs(claim, premise, _MOST):
        for other in source.objects & said.bare:
            if own := sorted(said.objects & source.bare):
                return f'in the claim "{own[0]}" has it done to him, in the source "{other}"'
    for said, source in _pairs(claim, premise, _NEARLY_ALL):
        replaced = said.subject and source.subject and said.subject not in source.terms
        if replaced and source.subject not in said.terms:
            return f'the claim says it of "{said.subject}", the source of "{source.subject}"'
    return None


def hindi_times_disagree(claim: str, premise: str) -> str | None:
    """What the claim puts after something (के बाद) that the source puts before it (से पहले), or the other way round."""
    for said, source in _pairs(claim, premise, _MOST):
        if said.denies or source.denies:
            continue  # "पहले नहीं" may well be "के बाद ही"
        turned = (said.before & source.after - source.before) | (said.after & source.before - source.after)
        if turned:
            return f'the claim and the source put it on different sides of "{min(turned)}"'
    return None


def _pairs(claim: str, premise: str, share: float) -> list[tuple[_HindiSentence, _HindiSentence]]:
    """Each sentence of the claim with the one sentence of the source that says most of it."""
    if not _DEVANAGARI.search(claim) or not _DEVANAGARI.search(premise):
        return []
    sources = _read(premise)
    paired: list[tuple[_HindiSentence, _HindiSentence]] = []
    for said in _read(claim):
        shared = [len(said.terms & source.terms) for source in sources]
        best = max(shared, default=0)
        if best and best >= share * len(said.terms) and shared.count(best) == 1:
            paired.append((said, sources[shared.index(best)]))
    return paired


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[_HindiSentence, ...]:
    return tuple(_sentence(words(sentence)) for sentence in sentences(text) if _DEVANAGARI.search(sentence))


def _sentence(said: Sequence[str]) -> _HindiSentence:
    forces: list[Force | None] = [_force(word) for word in said]
    behind = [*said[1:], ""]
    terms = {word: found[0] for word in said if (found := content_terms(word))}
    # A verb in the future is no noun that could be done to.
    nouns = [(terms[w], after) for w, after in zip(said, behind, strict=True) if w in terms and not _force(w)]
    subject = nouns[0] if nouns and not number_mentions(said[0]) else None
    return _HindiSentence(
        frozenset(terms.values()),
        tuple(force for force in forces if force is not None),
        not _DENIALS.isdisjoint(said),
        subject[0] if subject and subject[1] not in _BEHIND - {"ने"} else None,
        frozenset(noun for noun, after in nouns if after == "को"),
        frozenset(noun for noun, after in nouns if after not in _BEHIND - {"ने"}),
        _beside(said, terms, "से", _BEFORE) | _beside(said, terms, "के", _BEFORE),
        _beside(said, terms, "के", _AFTER),
    )


def _beside(said: Sequence[str], terms: Mapping[str, str], joint: str, side: frozenset[str]) -> frozenset[str]:
    """The nouns that stand with `joint` before a word of `side`."""
    threes = zip(said, said[1:], said[2:], strict=False)
    return frozenset(terms[one] for one, two, three in threes if one in terms and two == joint and three in side)


def _force(word: str) -> Force | None:
    if _MAY.fullmatch(word):
        return "may"
    if word in _ADVICE:
        return "should"
    return "must" if _FUTURE.fullmatch(word) else None
