"""Whether a claim states what its source only asks, supposes, announces, reports or lets somebody say."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from footnotary.domain.identity import Span
from footnotary.text.sentences.reported_speech import speech_spans
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.verify.wording.alignment import align
from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text

# With one of these the claim leaves open what the source leaves open, each in its own words.
_LEFT_OPEN = frozenset(
    "if whether unless when where once say says said tell told wrote according view opinion suppose asks asked"
    " question".split()
)
_HEDGES = frozenset("would could might may".split())
_SUPPOSES = frozenset("suppose supposing imagine assume assuming".split())
_INVERTED = frozenset("had were".split())
_CONDITIONAL = frozenset("would could might".split())
_CONDITIONS = frozenset("if whether".split())
# What is only held to be so. "Is said to" defines: "a person is said to abet".
_HOLDS = frozenset(
    "claim claims claimed allege alleges alleged believe believes believed think thinks thought argue argues argued"
    " suspect suspects suspected contend contends contended insist insists insisted fear fears feared hope hopes hoped"
    " speculate speculates speculated guess guesses guessed rumoured rumored imagined".split()
)
# What is only meant to happen. "Designed to" and "seeks to" tell what a thing does.
_MEANS = frozenset(
    "plan plans planned intend intends intended want wants wanted hope hopes hoped try tries tried attempt attempts"
    " attempted meant propose proposes proposed wish wishes wished promise promises promised expect expects expected"
    " likely".split()
)
_NOW = frozenset("is are has have".split())
_THEN = frozenset("was were had".split())
_ENDED = frozenset("until till formerly previously former".split())
_PERHAPS = frozenset(
    "allegedly reportedly supposedly purportedly possibly perhaps probably apparently presumably maybe".split()
)
_NOT_SO = frozenset("myth myths misconception misconceptions fallacy superstition rumour rumours rumor hoax".split())
_LEAVES_OPEN = _LEFT_OPEN | _HOLDS | _PERHAPS | _NOT_SO
_UNNAMED = frozenset("critics some opponents others many people rumours legend skeptics sceptics supporters".split())
_SAYS = frozenset("say says said".split())
_AFFIRMS = re.compile(
    r"\W*(?:yes|correct|true|right|indeed|certainly|absolutely|of course|sure|हाँ|हां|जी"
    r"|(?:it|they|he|she|you|we|i|this|that|these|there) (?:is|are|was|were|can|may|do|does|did|must|will|has|have"
    r"|should)\b(?! not|n['’]t))",
    re.IGNORECASE,
)
# What a verb is after "had", where it is not what it was before: "had the dam broken" supposes that it broke.
_AFTER_HAD: dict[str, str] = dict(
    zip(
        "broke fell rose took went drove ate froze flew threw blew sank saw spoke grew did ran came became".split(),
        "broken fallen risen taken gone driven eaten frozen flown thrown blown sunk seen spoken grown done run come"
        " become".split(),
        strict=True,
    )
)
_HAD = re.compile(r"\W*had\b", re.IGNORECASE)
_QUESTION = re.compile(r"\?[\"”’')\]]{0,3}$")
_FEWEST, _MOST = 2, 400


@lru_cache(maxsize=512)
def hedged_in_source(claim: str, whole: str) -> str | None:
    """How the source holds what the claim states, where every sentence that has all of it leaves it open."""
    ours = analyze_text(claim)
    if len(ours.keys) < _FEWEST or _QUESTION.search(claim.rstrip()) or not _LEAVES_OPEN.isdisjoint(ours.texts):
        return None
    parts = _parts(whole)
    held: str | None = None
    for place, (span, keys) in enumerate(parts):
        sentence = span.of(whole)
        if not ours.keys <= keys:
            if _HAD.match(sentence) and _framed(_after_had(claim), sentence) == "supposes":
                held = "supposes"
            continue
        following = parts[place + 1][0].of(whole) if place + 1 < len(parts) else ""
        held = _spoken(ours.keys, span, whole) or _asked(sentence, following) or _framed(claim, sentence)
        if held is None:
            return None
    return f"the source only {held} what the claim states" if held else None


@lru_cache(maxsize=64)
def _parts(whole: str) -> tuple[tuple[Span, frozenset[str]], ...]:
    """The sentences of a passage and what each is about; remembered, because the claims of an answer share sources."""
    return tuple((span, analyze_text(span.of(whole)).keys) for span in sentence_spans(whole)[:_MOST])


def _after_had(claim: str) -> str:
    return re.sub(r"[A-Za-z]+", lambda word: _AFTER_HAD.get(word[0], word[0]), claim)


def _spoken(keys: frozenset[str], sentence: Span, whole: str) -> str | None:
    for speech in speech_spans(whole):
        start, end = max(speech.start, sentence.start), min(speech.end, sentence.end)
        if start < end and keys <= analyze_text(whole[start:end]).keys:
            return "quotes somebody for"
    return None


def _asked(sentence: str, following: str) -> str | None:
    return "asks" if _QUESTION.search(sentence.rstrip()) and not _AFFIRMS.match(following) else None


def _framed(claim: str, sentence: str) -> str | None:
    aligned = align(claim, sentence)
    if aligned.likeness < 1 or not aligned.pairs or not _HEDGES.isdisjoint(analyze_text(claim).texts):
        return None
    words, shared = aligned.sentence, [source for _, source in aligned.pairs]
    first, last = shared[0].place, shared[-1].place
    if _is_supposed(words, first, last) or _is_contrary(words, first, last):
        return "supposes"
    if _is_meant(words, shared) or _is_to_come(aligned.pairs, words):
        return "announces"
    if _is_over(analyze_text(claim).words, words):
        return "tells as past"
    before = [word for word in words if word.place < first]
    return "reports" if _is_reported(before) or _is_held(words, first, last) or _is_its_own(words, shared) else None


def _is_supposed(words: Sequence[AnalyzedWord], first: int, last: int) -> bool:
    """Whether the claim is the condition itself, or the picture that a "suppose" paints."""
    if words[0].text in _SUPPOSES and words[0].place < first:
        return True
    inverted = words[0].text in _INVERTED and any(word.text in _CONDITIONAL for word in words)
    for at, word in enumerate(words):
        if word.place > first or not (word.text in _CONDITIONS or (at == 0 and inverted)):
            continue
        if word.place == first or any(w.content for w in words if word.place < w.place < first):
            continue  # "if you want a hardy breed" does not suppose that it is a hardy breed
        end = next((w.place for w in words[at + 2 :] if "," in w.gap or ";" in w.gap), None) if at <= 1 else None
        # A condition that stands last goes on to the end of the sentence.
        if end is None or last < end:
            return True
    return False


def _is_contrary(words: Sequence[AnalyzedWord], first: int, last: int) -> bool:
    """ "The village would have been flooded": it was not."""
    inner = [word for word in words if first < word.place < last]
    return any(one.text in _CONDITIONAL and other.text == "have" for one, other in pairwise(inner))


def _is_meant(words: Sequence[AnalyzedWord], shared: Sequence[AnalyzedWord]) -> bool:
    """ "The council plans to build": between what the claim has, and left out by it."""
    inner = [word for word in words if shared[0].place < word.place < shared[-1].place]
    kept = {word.place for word in shared}
    return any(one.text in _MEANS and one.place not in kept and other.text == "to" for one, other in pairwise(inner))


def _is_to_come(pairs: Sequence[tuple[AnalyzedWord, AnalyzedWord]], words: Sequence[AnalyzedWord]) -> bool:
    """ "The bridge opened" for "the bridge will open"."""
    ahead = {other.place for one, other in pairwise(words) if one.text == "will"}
    return any(
        source.place in ahead and said.raw.lower().endswith("ed") and not source.raw.lower().endswith("ed")
        for said, source in pairs
    )


def _is_over(claim: Sequence[AnalyzedWord], words: Sequence[AnalyzedWord]) -> bool:
    """ "Is the director" for "was the director until 2019"."""
    ours, theirs = {word.text for word in claim}, {word.text for word in words}
    past = bool(theirs & _THEN) and not theirs & _NOW
    return past and bool(ours & _NOW) and not ours & _THEN and bool(theirs & _ENDED) and not ours & _ENDED


def _is_reported(before: Sequence[AnalyzedWord]) -> bool:
    """ "The company claims that", "it is believed that", "critics say", "a common myth:"."""
    texts = [word.text for word in before]
    if _NOT_SO & set(texts):
        return True
    while texts and (texts[-1] == "that" or before[len(texts) - 1].is_determiner):
        texts.pop()
    if not texts:
        return False
    return texts[-1] in _HOLDS or (texts[-1] in _SAYS and bool(_UNNAMED & set(texts)))


def _is_held(words: Sequence[AnalyzedWord], first: int, last: int) -> bool:
    """ "Is believed to be", "was allegedly": the word stands between what the claim has, or right before it."""
    if any(word.text in _PERHAPS and first - 1 <= word.place <= last for word in words):
        return True
    inner = [word for word in words if first < word.place < last]
    threes = zip(inner, inner[1:], inner[2:], strict=False)
    return any(
        one.text in {"is", "are", "was", "were"} and two.text in _HOLDS and three.text == "to"
        for one, two, three in threes
    )


def _is_its_own(words: Sequence[AnalyzedWord], shared: Sequence[AnalyzedWord]) -> bool:
    """ "The company's paint is safe" for "The company claims that its paint is safe"."""
    if len(shared) < _FEWEST:
        return False
    between = [word for word in words if shared[0].place < word.place < shared[1].place]
    held = [word.text in _HOLDS for word in between]
    return held[:1] == [True] and all(word.text == "that" or word.is_determiner for word in between[1:])
