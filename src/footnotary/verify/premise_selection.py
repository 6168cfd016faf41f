"""Narrows the passages a claim cites to the sentences that can support it."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby

from footnotary.domain.identity import Span
from footnotary.text.normalise import plain_key
from footnotary.text.sentences.negated_lists import LIST_MARK, introduces_list, is_item_below, negates_list
from footnotary.text.sentences.reported_speech import speech_spans
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import terms_of

_SHORT = 2
_MOST_TRIED = 100
_MOST = 4
# A further sentence is taken only if it adds at least this share of the claim's content words.
_WORTH = 0.08
_MARKS = " .,;:"


@dataclass(frozen=True, slots=True)
class Premise:
    """The sentences that a claim is compared with.

    `sentences` stand in the order of the passages and `text` is those joined by spaces. `verbatim` says that the claim
    is one or more whole consecutive sentences of one passage, but for white space and the form of quotes. `best` is the
    passage, by number, and the run of its sentences that supports the claim best: `passages[i][span]` is a quote.
    `denied` says that the claim copies an item of a negated list, and `spoken` that it copies what a passage quotes
    somebody as saying.
    """

    text: str
    sentences: tuple[str, ...]
    verbatim: bool
    best: tuple[int, Span]
    denied: bool = False
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class _PremiseSentence:
    """A sentence of a passage; `key` is the form that is compared, and `mark` the length of its list marker in it."""

    passage: int
    place: int
    span: Span
    terms: frozenset[str]
    key: str
    mark: int


def premise_for(claim: str, passages: Sequence[str]) -> Premise:
    """The sentences of `passages` to compare `claim` with; never empty if a passage has words."""
    return _premise(claim, tuple(passages))


# Cached: checks and quotes ask for the same claim and citations.
@lru_cache(maxsize=512)
def _premise(claim: str, passages: tuple[str, ...]) -> Premise:
    sentences = [
        _PremiseSentence(number, place, *parts)
        for number, passage in enumerate(passages)
        for place, parts in enumerate(_parts(passage))
    ]
    if not sentences:
        return Premise("", (), False, (0, Span(0, 0)))
    spoken = _is_spoken(claim, passages)
    copied = _verbatim(claim, [s for s in sentences if not _within_speech(s, passages)] if spoken else sentences)
    if copied is not None:
        passage, span = copied[0].passage, Span(copied[0].span.start, copied[-1].span.end)
        texts = tuple(s.span.of(passages[passage]) for s in copied)
        return Premise(" ".join(texts), texts, True, (passage, span))
    chosen = _chosen(terms_of(claim), sentences)
    texts = tuple(s.span.of(passages[s.passage]) for s in chosen)
    denied = _is_denied_item(claim, sentences)
    return Premise(" ".join(texts), texts, False, _best(terms_of(claim), chosen), denied, spoken)


# As many as an answer with many claims cites: with fewer, every claim would split every passage again.
@lru_cache(maxsize=512)
def _parts(passage: str) -> tuple[tuple[Span, frozenset[str], str, int], ...]:
    """The sentences of a passage. Cached, because the claims of an answer share their few sources."""
    found: list[tuple[Span, frozenset[str], str, int]] = []
    for span in sentence_spans(passage):
        key = plain_key(span.of(passage))
        item = LIST_MARK.match(key)
        found.append((span, terms_of(span.of(passage)), key, item.end() if item else 0))
    return tuple(found)


def _runs(sentences: list[_PremiseSentence]) -> Iterator[list[_PremiseSentence]]:
    return (list(group) for _, group in groupby(sentences, key=lambda s: s.passage))


def _is_denied_item(claim: str, sentences: list[_PremiseSentence]) -> bool:
    """Whether a claim copies an item of a negated list, except for its letter and final punctuation."""
    wanted = plain_key(claim).casefold().rstrip(_MARKS)
    for run in _runs(sentences):
        for place, sentence in enumerate(run):
            said = sentence.key.casefold().rstrip(_MARKS)
            if sentence.mark and wanted in (said, said[sentence.mark :]):
                return _is_denied(place, run)
    return False


def _verbatim(claim: str, sentences: list[_PremiseSentence]) -> list[_PremiseSentence] | None:
    """The sentences that a claim copies; never items of negated lists."""
    wanted = plain_key(claim)
    if not wanted:
        return None
    for run in _runs(sentences):
        # Sentences need no space between them: "Secondly.—If ..." is a heading and what follows it.
        parts = [s.key if n == 0 or s.span.start == run[n - 1].span.end else f" {s.key}" for n, s in enumerate(run)]
        text = "".join(parts)
        if wanted not in text:
            continue
        ends = list(accumulate(len(part) for part in parts))
        starts = {end - len(s.key): n for n, (end, s) in enumerate(zip(ends, run, strict=True))}
        # An item is copied whole without its "(a)".
        starts |= {at + run[n].mark: n for at, n in starts.items() if run[n].mark}
        last = {end: n for n, end in enumerate(ends)}
        at = -1
        for _ in range(_MOST_TRIED):
            at = text.find(wanted, at + 1)
            if at in starts and at + len(wanted) in last and not _is_denied(starts[at], run):
                return run[starts[at] : last[at + len(wanted)] + 1]
    return None


def _is_spoken(claim: str, passages: Sequence[str]) -> bool:
    """Whether a claim copies quoted words without naming the speaker."""
    wanted = plain_key(claim).strip('" ')
    return bool(wanted) and any(wanted in plain_key(span.of(text)) for text in passages for span in speech_spans(text))


def _within_speech(sentence: _PremiseSentence, passages: Sequence[str]) -> bool:
    """Whether a sentence begins inside a quotation, and so does not name the speaker."""
    speech = speech_spans(passages[sentence.passage])
    return any(span.start <= sentence.span.start < span.end and sentence.span.end <= span.end for span in speech)


def _is_denied(place: int, run: list[_PremiseSentence]) -> bool:
    """Whether a sentence is an item of a negated list: alone it says the opposite."""
    lead = next((at for at in range(place - 1, -1, -1) if introduces_list(run[at].key)), None)
    if lead is None or not run[place].mark or not run[lead + 1].mark or not negates_list(run[lead].key):
        return False
    # "(3)" ends the list that "(2)" introduces.
    return all(is_item_below(run[lead].key, s.key) for s in run[lead + 1 : place + 1] if s.mark)


def _chosen(wanted: frozenset[str], sentences: list[_PremiseSentence]) -> list[_PremiseSentence]:
    if len(sentences) <= _SHORT:
        return sentences
    spread = Counter(term for s in sentences for term in s.terms & wanted)
    weight = {term: math.log(1 + len(sentences) / spread[term]) for term in wanted if spread[term]}
    total = math.fsum(weight.values())
    taken: set[int] = set()
    covered: set[str] = set()
    while len(taken) < _MOST:
        asked = weight.keys() - covered
        # `fsum`, because sets have no order, and a plain sum would differ in its last bit from run to run.
        gains = {
            i: math.fsum(weight[term] for term in s.terms & asked) for i, s in enumerate(sentences) if i not in taken
        }
        best = max(gains, key=lambda i: (gains[i], -i), default=None)
        if best is None or (taken and gains[best] <= _WORTH * total):
            break
        taken.add(best)
        covered |= sentences[best].terms
    leads = {_lead_in(i, sentences) for i in taken}
    return [sentence for i, sentence in enumerate(sentences) if i in taken or i in leads]


def _lead_in(item: int, sentences: list[_PremiseSentence]) -> int | None:
    """The sentence that introduces the list of `item`; if there is none, the nearest sentence that is no item."""
    if not sentences[item].mark:
        return None
    before = [n for n in range(item - 1, -1, -1) if sentences[n].passage == sentences[item].passage]
    announcing = (n for n in before if introduces_list(sentences[n].key) and sentences[n + 1].mark)
    return next(announcing, next((n for n in before if not sentences[n].mark), None))


def _best(wanted: frozenset[str], chosen: list[_PremiseSentence]) -> tuple[int, Span]:
    """The run of neighbouring chosen sentences, in one passage, that covers most of the claim's content words."""
    # In a run, the place of a sentence and its place among the chosen ones grow together.
    grouped = groupby(enumerate(chosen), key=lambda each: (each[1].passage, each[1].place - each[0]))
    runs = [[sentence for _, sentence in group] for _, group in grouped]
    shared = [len(wanted & frozenset[str]().union(*(s.terms for s in run))) for run in runs]
    run = runs[shared.index(max(shared))]
    return run[0].passage, Span(run[0].span.start, run[-1].span.end)
