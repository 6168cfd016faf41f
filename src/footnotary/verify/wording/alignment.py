"""Lays a claim beside the sentence of the premise it is nearest to, word by word, and shows where the two part."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from footnotary.verify.wording.parsed_text import AnalyzedText, AnalyzedWord, analyze_text

# Aligning costs claim times sentence; a claim or sentence beyond these is no single statement and is not laid beside.
_MAX_CLAIM, _MAX_SENTENCE, _MAX_TRIED = 250, 700, 3
NEAR_COPY = 0.75
_FEWEST_COPIED = 3


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """Where claim and source part between two words they share: what each has there.

    `left` and `right` are the words of the claim on either side that the source has too; None at an end.
    """

    claim: tuple[AnalyzedWord, ...]
    source: tuple[AnalyzedWord, ...]
    left: AnalyzedWord | None
    right: AnalyzedWord | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """The claim beside one sentence of the premise.

    `likeness` is the share of the claim's content words that the sentence has, in the same order; `pairs` are the
    shared words. `near_copy` says that the claim follows the sentence so closely that each difference is a change and
    not a wording.
    """

    likeness: float
    partings: tuple[DiffSegment, ...]
    sentence: tuple[AnalyzedWord, ...]
    pairs: tuple[tuple[AnalyzedWord, AnalyzedWord], ...]
    near_copy: bool = False

    @property
    def changes(self) -> int:
        """At how many places the two part, not counting what the claim leaves out at either end."""
        return sum(bool(p.claim) or (p.left is not None and p.right is not None) for p in self.partings)


@lru_cache(maxsize=64)
def align(claim: str, premise: str) -> Alignment:
    """`claim` beside the sentence of `premise` that shares most with it, in order."""
    ours = analyze_text(claim)
    words = tuple(word for word in ours.words if not word.is_determiner)
    if not words or len(words) > _MAX_CLAIM:
        return Alignment(0.0, (), (), ())
    best = Alignment(0.0, (), (), ())
    for sentence in _nearest(ours, analyze_text(premise)):
        found = _align_sentence(words, sentence)
        if (found.likeness, len(found.pairs), -len(sentence)) > (best.likeness, len(best.pairs), -len(best.sentence)):
            best = found
    return best


def _nearest(claim: AnalyzedText, premise: AnalyzedText) -> list[tuple[AnalyzedWord, ...]]:
    keys = claim.keys
    sentences = [sentence for sentence in premise.sentences if len(sentence) <= _MAX_SENTENCE]
    shared = {i: len({word.key for word in sentence} & keys) for i, sentence in enumerate(sentences)}
    order = sorted(shared, key=lambda i: (-shared[i], i))[:_MAX_TRIED]
    return [sentences[i] for i in order if shared[i]]


def _align_sentence(claim: tuple[AnalyzedWord, ...], sentence: tuple[AnalyzedWord, ...]) -> Alignment:
    source = tuple(word for word in sentence if not word.is_determiner)
    pairs = _common(claim, source)
    content, shared = sum(word.content for word in claim), sum(word.content for word, _ in pairs)
    likeness = shared / content if content else 0.0
    near_copy = likeness >= NEAR_COPY and shared >= _FEWEST_COPIED
    return Alignment(likeness, _diff_segments(claim, source, pairs), sentence, pairs, near_copy)


def _weight(one: AnalyzedWord, other: AnalyzedWord) -> int:
    if one.key != other.key:
        return 0
    # The same word outweighs a synonym, so that "get" and "receive" in one sentence find their own partners.
    return (4 if one.content else 2) + (one.text == other.text)


def _common(
    claim: tuple[AnalyzedWord, ...], source: tuple[AnalyzedWord, ...]
) -> tuple[tuple[AnalyzedWord, AnalyzedWord], ...]:
    """The heaviest common subsequence."""
    places: dict[str, list[int]] = {}  # of each key in the source, the last first
    for j in range(len(source) - 1, -1, -1):
        places.setdefault(source[j].key, []).append(j)
    # rows[i][j] is what the claim from word i on and the source from word j on have in common; it falls to the right.
    # So a row can be more than the one below only where the source has the claim's word, and to the left of that.
    rows = [[0] * (len(source) + 1)]
    for word in reversed(claim):
        below = rows[-1]
        row = below.copy()
        best = 0
        for place, next_to_left in pairwise((*places.get(word.key, ()), -1)):
            best = max(best, _weight(word, source[place]) + below[place + 1])
            for j in range(place, next_to_left, -1):
                if below[j] >= best:
                    break
                row[j] = best
        rows.append(row)
    rows.reverse()
    pairs: list[tuple[AnalyzedWord, AnalyzedWord]] = []
    i = j = 0
    while i < len(claim) and j < len(source):
        weight = _weight(claim[i], source[j])
        if weight and rows[i][j] == weight + rows[i + 1][j + 1]:
            pairs.append((claim[i], source[j]))
            i, j = i + 1, j + 1
        elif rows[i + 1][j] >= rows[i][j + 1]:
            i += 1
        else:
            j += 1
    return tuple(pairs)


def _diff_segments(
    claim: tuple[AnalyzedWord, ...],
    source: tuple[AnalyzedWord, ...],
    pairs: tuple[tuple[AnalyzedWord, AnalyzedWord], ...],
) -> tuple[DiffSegment, ...]:
    found: list[DiffSegment] = []
    left: AnalyzedWord | None = None
    ours = theirs = 0
    for one, other in (*pairs, (None, None)):
        i, j = ours, theirs
        while i < len(claim) and claim[i] is not one:
            i += 1
        while j < len(source) and source[j] is not other:
            j += 1
        if ours < i or theirs < j:
            found.append(DiffSegment(claim[ours:i], source[theirs:j], left, one))
        left, ours, theirs = one, i + 1, j + 1
    return tuple(found)
