"""Lays a claim beside the sentence of the premise it is nearest to, word by word, and shows where the two part."""

from dataclasses import dataclass
from functools import lru_cache

from footnotary.verify.reading import Reading, Word, read

# Aligning costs claim times sentence; a claim or sentence beyond these is no single statement and is not laid beside.
_MAX_CLAIM, _MAX_SENTENCE, _MAX_TRIED = 250, 700, 3
NEAR_COPY = 0.75


@dataclass(frozen=True, slots=True)
class Parting:
    """Where claim and source part between two words they share: what each has there.

    `left` and `right` are the words of the claim on either side that the source has too; None at an end.
    """

    claim: tuple[Word, ...]
    source: tuple[Word, ...]
    left: Word | None
    right: Word | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """The claim beside one sentence of the premise.

    `likeness` is the share of the claim's content words that the sentence has, in the same order; `pairs` are the
    shared words.
    """

    likeness: float
    partings: tuple[Parting, ...]
    sentence: tuple[Word, ...]
    pairs: tuple[tuple[Word, Word], ...]

    @property
    def changes(self) -> int:
        """At how many places the two part, not counting what the claim leaves out at either end."""
        return sum(bool(p.claim) or (p.left is not None and p.right is not None) for p in self.partings)

    @property
    def near_copy(self) -> bool:
        """Whether the claim follows the sentence so closely that each difference is a change and not a wording."""
        return self.likeness >= NEAR_COPY and sum(word.content for word, _ in self.pairs) >= 3


@lru_cache(maxsize=64)
def align(claim: str, premise: str) -> Alignment:
    """`claim` beside the sentence of `premise` that shares most with it, in order."""
    ours = read(claim)
    words = tuple(word for word in ours.words if not word.is_determiner)
    if not words or len(words) > _MAX_CLAIM:
        return Alignment(0.0, (), (), ())
    best = Alignment(0.0, (), (), ())
    for sentence in _nearest(ours, read(premise)):
        found = _beside(words, sentence)
        if (found.likeness, len(found.pairs), -len(sentence)) > (best.likeness, len(best.pairs), -len(best.sentence)):
            best = found
    return best


def _nearest(claim: Reading, premise: Reading) -> list[tuple[Word, ...]]:
    keys = claim.keys
    sentences = [sentence for sentence in premise.sentences if len(sentence) <= _MAX_SENTENCE]
    shared = {i: len({word.key for word in sentence} & keys) for i, sentence in enumerate(sentences)}
    order = sorted(shared, key=lambda i: (-shared[i], i))[:_MAX_TRIED]
    return [sentences[i] for i in order if shared[i]]


def _beside(claim: tuple[Word, ...], sentence: tuple[Word, ...]) -> Alignment:
    source = tuple(word for word in sentence if not word.is_determiner)
    pairs = _common(claim, source)
    content = sum(word.content for word in claim)
    likeness = sum(word.content for word, _ in pairs) / content if content else 0.0
    return Alignment(likeness, _partings(claim, source, pairs), sentence, pairs)


def _weight(one: Word, other: Word) -> int:
    if one.key != other.key:
        return 0
    # The same word outweighs a synonym, so that "get" and "receive" in one sentence find their own partners.
    return (4 if one.content else 2) + (one.text == other.text)


def _common(claim: tuple[Word, ...], source: tuple[Word, ...]) -> tuple[tuple[Word, Word], ...]:
    """The heaviest common subsequence."""
    rows = [[0] * (len(source) + 1)]
    for word in reversed(claim):
        below = rows[-1]
        row = [0] * (len(source) + 1)
        for j in range(len(source) - 1, -1, -1):
            best = row[j + 1] if row[j + 1] >= below[j] else below[j]
            weight = _weight(word, source[j])
            if weight and weight + below[j + 1] > best:
                best = weight + below[j + 1]
            row[j] = best
        rows.append(row)
    rows.reverse()
    pairs: list[tuple[Word, Word]] = []
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


def _partings(
    claim: tuple[Word, ...], source: tuple[Word, ...], pairs: tuple[tuple[Word, Word], ...]
) -> tuple[Parting, ...]:
    found: list[Parting] = []
    left: Word | None = None
    ours, theirs = claim[0].place, source[0].place if source else 0
    for one, other in (*pairs, (None, None)):
        gap = tuple(w for w in claim if ours <= w.place < (one.place if one else claim[-1].place + 1))
        missing = tuple(w for w in source if theirs <= w.place < (other.place if other else source[-1].place + 1))
        if gap or missing:
            found.append(Parting(gap, missing, left, one))
        if one and other:
            left, ours, theirs = one, one.place + 1, other.place + 1
    return tuple(found)
