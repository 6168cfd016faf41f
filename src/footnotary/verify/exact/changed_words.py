"""Check for claims that no model has read: a claim that copies its source replaces no word of it.

It compares words without their meaning, so it also refuses a restatement that uses a synonym.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from operator import attrgetter
from typing import Literal

from footnotary.text.dates.mentions import dates
from footnotary.text.number_words import NUMBER_WORDS
from footnotary.text.numbers.quantities import number_mentions
from footnotary.text.numbers.units import UNITS
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.stopwords import NEGATIONS, STOP_WORDS
from footnotary.text.tokens import stem, word_places
from footnotary.verify.exact.mismatch import Mismatch

# From this share and this number of common words on, a claim is a copy, and a difference is a changed word.
_COPIED = 0.6
_FEWEST_COPIED, _FEW_COPIED, _FEW_SHARE = 3, 4, 0.75
_MOST_CHANGED = 3
_TWICE = 1.5
# The subject of a claim is in its first words.
_SUBJECT = 3
_SHORT = 2
# Alignment is quadratic; longer claims state more than one fact.
MAX_CLAIM_WORDS, _MAX_SOURCE_WORDS, _MAX_SENTENCES = 250, 700, 6
# Function words that change the meaning, by what they mean; all other stop words may change freely.
_LOGICAL = {
    **dict.fromkeys(NEGATIONS, "not"),
    **dict.fromkeys("may might can could सकता सकती सकते सकेगा सकेगी सकेंगे".split(), "may"),
    **dict.fromkeys("must shall will होगा होगी होंगे चाहिए".split(), "must"),
    **dict.fromkeys("unless except save only solely केवल सिर्फ सिवाय".split(), "unless"),
    **dict.fromkeys("all every each always सभी सब हर प्रत्येक".split(), "all"),
    **dict.fromkeys("some few several many most sometimes often कुछ कई".split(), "some"),
    **dict.fromkeys("or या अथवा".split(), "or"),
    **dict.fromkeys("and both और तथा एवं".split(), "and"),
    **dict.fromkeys("less fewer below under कम".split(), "less"),
    **dict.fromkeys("more above over exceed exceeding exceeds अधिक".split(), "more"),
    **dict.fromkeys("before until पहले".split(), "before"),
    **dict.fromkeys("after since बाद".split(), "after"),
}
# "Anyone who" for "whoever" changes nothing.
_ANYBODY = frozenset("anybody anyone everybody everyone person persons people somebody someone whoever".split())
_NUMBER = "#"
# A capital that does not open a sentence, a quotation or an item; initials are left to the reader.
_NAME = re.compile(r"(?<=[\w,;] )([A-Z][a-z]{2,})\b")
# "Chinese" names what "China" does.
_BEGINNING = 4
# Units belong to figures, which are compared as amounts.
_FREE = STOP_WORDS | _ANYBODY | frozenset(UNITS) | {"am", "pm"}
# "The employer keeps a register" means the same as "every employer shall keep a register"; lists may have commas.
_UNSAID = frozenset({"must", "all", "and"})
_MODALS = frozenset({"may", "must"})
_KEPT_AT_ENDS = frozenset({"unless"})
_KEPT_INSIDE = frozenset({"not", "unless", "or"})


@dataclass(frozen=True, slots=True)
class _ComparedWord:
    text: str
    key: str
    kind: Literal["content", "logical", "free"]
    sentence: int


def words_changed(claim: str, premise: str) -> Mismatch | None:
    """The words that a claim, otherwise a copy of the premise, replaces, adds or leaves out; None if it is no copy."""
    ours = _comparison_keys(claim)
    if len(ours) > MAX_CLAIM_WORDS:
        sentence = f"the claim has more than {MAX_CLAIM_WORDS} words and cannot be checked as one statement"
        return Mismatch(sentence=sentence)
    copied: list[tuple[int, int]] = []
    theirs: Sequence[_ComparedWord] = ()
    source = _comparison_keys(premise)
    for part in _parts(ours, source[:_MAX_SOURCE_WORDS]):
        pairs = _longest_common_subsequence([word.key for word in ours], [word.key for word in part])
        if (len(pairs), -len(part)) > (len(copied), -len(theirs)):
            copied, theirs = pairs, part
    share = _COPIED if len(copied) >= _FEW_COPIED else _FEW_SHARE
    if len(copied) < max(_FEWEST_COPIED, share * len(ours)):
        return None
    return next(_changes(ours, theirs, copied, {word.key for word in source}), None)


def _parts(ours: Sequence[_ComparedWord], theirs: Sequence[_ComparedWord]) -> Iterator[Sequence[_ComparedWord]]:
    """The texts a claim may copy: each sentence, each two in order, and one twice if the claim is that long."""
    sentences = [tuple(group) for _, group in groupby(theirs, key=attrgetter("sentence"))][:_MAX_SENTENCES]
    yield from sentences
    yield from (one + other for one, other in combinations(sentences, 2))
    yield from (one + one for one in sentences if len(ours) > _TWICE * len(one))


def _changes(
    ours: Sequence[_ComparedWord], theirs: Sequence[_ComparedWord], pairs: Sequence[tuple[int, int]], anywhere: set[str]
) -> Iterator[Mismatch]:
    keys_here, keys_there = {word.key for word in ours}, {word.key for word in theirs}
    i = j = 0
    for at_claim, at_source in (*pairs, (len(ours), len(theirs))):
        said, left = ours[i:at_claim], theirs[j:at_source]
        at_start, at_end, in_subject = i == 0, at_claim == len(ours), i < _SUBJECT
        if said and at_start:
            left = left[-len(said) - 2 :]
        elif said and at_end:
            left = left[: len(said) + 2]
        i, j = at_claim + 1, at_source + 1
        if not said:
            if lost := _logic(left) & (_KEPT_AT_ENDS if at_start or at_end else _KEPT_INSIDE):
                word = next(word.text for word in left if word.key in lost)
                yield Mismatch(source_says=word, sentence=f'the claim leaves out "{word}"')
        elif at_end and not left and _new_words(said, anywhere):
            yield Mismatch(_phrase(said), sentence=f'the claim adds "{_phrase(said)}"')
        elif max(len(said), len(left)) > _MOST_CHANGED:
            if in_subject and not at_end and _about_something_else(said, left, anywhere):
                yield Mismatch(_phrase(said))
        elif _function_words_differ(_logic(said), _logic(left)) or _words_replaced(said, left, keys_here, keys_there):
            yield Mismatch(_phrase(said), _phrase(left))


def _about_something_else(said: Sequence[_ComparedWord], left: Sequence[_ComparedWord], anywhere: set[str]) -> bool:
    """Whether a few words that are nowhere in the source, "commits theft", replace many of its own."""
    own = [word.key for word in said if word.kind == "content"]
    return len(own) > 1 and len(said) <= _MOST_CHANGED and len(left) > _MOST_CHANGED and anywhere.isdisjoint(own)


def _new_words(said: Sequence[_ComparedWord], anywhere: set[str]) -> bool:
    """Whether none of the words is in the source."""
    own = [word.key for word in said if word.kind == "content"]
    return bool(own) and anywhere.isdisjoint(own)


def new_name(claim: str, source: str) -> Mismatch | None:
    """The first name in a claim (a capital inside a sentence) that the source does not have."""
    known = {word.key for word in _comparison_keys(source)}
    beginnings = {word.text[:_BEGINNING] for word in _comparison_keys(source)}
    held = [mention.span for mention in (*dates(claim), *number_mentions(claim))]
    for span in sentence_spans(claim):
        for found in _NAME.finditer(span.of(claim)):
            at = span.start + found.start(1)
            if any(figure.start <= at < figure.end for figure in held):
                continue  # "January" in a date, "Celsius" after a figure: other checks compare these
            word = found.group(1).casefold()
            if word not in STOP_WORDS and stem(word) not in known and word[:_BEGINNING] not in beginnings:
                return Mismatch(found.group(1), sentence=f'the source does not name "{found.group(1)}"')
    return None


def new_word(claim: str, source: str) -> Mismatch | None:
    """A word that the source does not have, of a claim that has only one or two words of content."""
    known = {word.key for word in _comparison_keys(source)}
    own = [word for word in _comparison_keys(claim) if word.kind == "content"]
    new = [word.text for word in own if word.key not in known]
    return Mismatch(new[0], sentence=f'the source does not say "{new[0]}"') if new and len(own) <= _SHORT else None


def _function_words_differ(here: frozenset[str], there: frozenset[str]) -> bool:
    """Whether function words change the meaning. A general statement may drop the modal: "is" for "shall be"."""
    return bool((here ^ there) - _UNSAID) or ("some" in here and "all" in there)


def _words_replaced(
    said: Sequence[_ComparedWord], left: Sequence[_ComparedWord], here: set[str], there: set[str]
) -> bool:
    """Whether words that the other text does not have replace each other, or common words changed places."""
    new = {w.key in there for w in said if w.kind == "content"}
    gone = {w.key in here for w in left if w.kind == "content"}
    return (False in new and False in gone) or (True in new and True in gone)


def _logic(part: Sequence[_ComparedWord]) -> frozenset[str]:
    return frozenset(word.key for word in part if word.kind == "logical")


def _phrase(part: Sequence[_ComparedWord]) -> str:
    return " ".join(word.text for word in part)


@lru_cache(maxsize=64)
def _comparison_keys(text: str) -> tuple[_ComparedWord, ...]:
    """The words that are compared: content words by stem, all numbers as equal, function words by meaning."""
    starts = [span.start for span in sentence_spans(text)]
    found: list[_ComparedWord] = []
    sentence = 0
    for start, _, word in word_places(text):
        while sentence < len(starts) and starts[sentence] <= start:
            sentence += 1
        if (logical := _LOGICAL.get(word)) is not None:
            found.append(_ComparedWord(word, logical, "logical", sentence))
        elif word[0].isdigit() or word in NUMBER_WORDS:
            if not found or found[-1].key != _NUMBER:
                found.append(_ComparedWord(word, _NUMBER, "content", sentence))
        else:
            found.append(_ComparedWord(word, stem(word), "free" if word in _FREE else "content", sentence))
    return tuple(_with_negated_verbs(found))


def _with_negated_verbs(compared: Sequence[_ComparedWord]) -> Iterator[_ComparedWord]:
    """The words with the "no" that opens a sentence after its auxiliary verb: "dogs are not" for "no dogs are"."""
    for _, words in groupby(compared, key=attrgetter("sentence")):
        said = list(words)
        verb = next((at for at, word in enumerate(said[1:], 1) if word.kind != "content"), 0)
        if verb > 1 and said[0].text == "no" and (said[verb].kind == "free" or said[verb].key in _MODALS):
            yield from (*said[1 : verb + 1], said[0], *said[verb + 1 :])
        else:
            yield from said


def _longest_common_subsequence(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """The longest common subsequence, as pairs of indexes."""
    rows = [[0] * (len(theirs) + 1)]
    for key in reversed(ours):
        below, row = rows[-1], [0] * (len(theirs) + 1)
        for j in range(len(theirs) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if theirs[j] == key else max(below[j], row[j + 1])
        rows.append(row)
    rows.reverse()
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if ours[i] == theirs[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif rows[i + 1][j] >= rows[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
