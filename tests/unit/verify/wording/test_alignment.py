"""A claim beside its sentence: as much as possible is shared, and what is not shared is told whole."""

import random

from footnotary.verify.wording.alignment import align
from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text

WORDS = "tenant landlord pays the rent and fee when due pay tenants".split()


def _heaviest(claim: list[AnalyzedWord], source: list[AnalyzedWord]) -> int:
    """What two rows of words can have in common, by the plain table: every word tried against every other."""
    rows = [[0] * (len(source) + 1) for _ in range(len(claim) + 1)]
    for i in reversed(range(len(claim))):
        for j in reversed(range(len(source))):
            kept = _weight(claim[i], source[j])
            rows[i][j] = max(rows[i + 1][j], rows[i][j + 1], kept + rows[i + 1][j + 1] if kept else 0)
    return rows[0][0]


def _weight(one: AnalyzedWord, other: AnalyzedWord) -> int:
    return (4 if one.content else 2) + (one.text == other.text) if one.key == other.key else 0


def test_no_other_alignment_shares_more_and_the_partings_hold_the_rest() -> None:
    chance = random.Random(11)
    for _ in range(300):
        claim, premise = (" ".join(chance.choices(WORDS, k=chance.randint(2, 14))) for _ in range(2))
        aligned = align(claim, premise)
        ours = [w for w in analyze_text(claim).words if not w.is_determiner]
        theirs = [w for w in aligned.sentence if not w.is_determiner]
        if not theirs:
            continue
        assert sum(_weight(one, other) for one, other in aligned.pairs) == _heaviest(ours, theirs)
        parted = [w for parting in aligned.partings for w in parting.claim] + [one for one, _ in aligned.pairs]
        assert sorted(w.place for w in parted) == [w.place for w in ours]
        left_out = [w for parting in aligned.partings for w in parting.source] + [other for _, other in aligned.pairs]
        assert sorted(w.place for w in left_out) == [w.place for w in theirs]
