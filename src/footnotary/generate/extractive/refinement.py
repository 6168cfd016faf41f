"""Reads chosen excerpts as the answer they would be, and adds or leaves out what the reader finds missing or stray."""

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.excerpts import Excerpt
from footnotary.ports import Reader
from footnotary.reader.draft_reading import DraftedClaim, DraftFinding, read_draft

# A passage of which two more sentences do not make an answer has none.
_MOST_ADDED = 2


class Extraction(Protocol):
    """Makes excerpts of chosen sentences."""

    def __call__(self, sentences: Sequence[CandidateSentence], *, whole_lists: bool = False) -> list[Excerpt]: ...


def refine(
    question: str,
    chosen: Sequence[CandidateSentence],
    ranked: Sequence[CandidateSentence],
    extract: Extraction,
    reader: Reader,
    threshold: float,
) -> list[Excerpt]:
    """The excerpts of the chosen sentences, as they are where the reader finds that they answer the question.

    Where they do not reach the threshold, items are given with their lists; then, the next best sentences of the same
    passage are added until they do; if they never do, nothing is added, and the check of the answer refuses it. A
    sentence that does not belong to the answer is left out, unless it is the best one. The check reads the same texts,
    whose scores a reader has kept.
    """
    excerpts, kept = extract(chosen), list(chosen)
    found = _read(question, excerpts, reader, threshold)
    if found.unanswered(threshold) is not None and (whole := extract(chosen, whole_lists=True)) != excerpts:
        excerpts, found = whole, _read(question, whole, reader, threshold)
        extract = partial(extract, whole_lists=True)
    place = chosen[0].hit.chunk.id if chosen else None
    further = [each for each in ranked if each not in chosen and each.hit.chunk.id == place]
    for count in range(1, min(_MOST_ADDED, len(further)) + 1):
        if found.unanswered(threshold) is None:
            break
        longer = [*chosen, *further[:count]]
        extended = extract(longer)
        found = _read(question, extended, reader, threshold)
        if found.unanswered(threshold) is None:
            excerpts, kept = extended, longer
    while found.stray is not None:
        stray = excerpts[found.stray]
        others = [each for each in kept if not Excerpt.of(each).is_within(stray)]
        if len(others) == len(kept) or kept[0] not in others:
            break  # a part of what a list or a pronoun needs
        excerpts, kept = extract(others), others
        found = _read(question, excerpts, reader, threshold)
    return excerpts


def _read(question: str, excerpts: Sequence[Excerpt], reader: Reader, threshold: float) -> DraftFinding:
    claims = [
        DraftedClaim.copied(excerpt.text, excerpt.hit.chunk, reader, before and before.hit.chunk)
        for before, excerpt in zip([None, *excerpts], excerpts, strict=False)
    ]
    return read_draft([question], claims, reader, threshold) if claims else DraftFinding(())
