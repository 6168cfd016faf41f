"""No claim uses a passage that it does not cite."""

from collections.abc import Sequence

from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Submission
from footnotary.text.tokens import terms_of

# A passage counts as used when it alone explains this many of the words that the cited ones leave unexplained.
_MIN_TERMS = 2
_MIN_SHARE = 0.3


def used_but_uncited(claim: str, cited: Sequence[str], others: Sequence[str]) -> int | None:
    """The index of the passage in `others` that the claim draws on beyond what it cites, or None.

    Passages that only repeat a cited one explain no further words, so duplicates need no citation.
    """
    terms = terms_of(claim)
    unexplained = terms.difference(*map(terms_of, cited))
    if len(unexplained) < _MIN_TERMS:
        return None
    explained = [(len(unexplained & terms_of(text)), -i) for i, text in enumerate(others)]
    most, at = max(explained, default=(0, 0))
    if most >= _MIN_TERMS and most >= _MIN_SHARE * len(terms):
        return -at
    return None


def sources_used_are_cited(s: Submission) -> Verdict:
    """No claim uses a retrieved passage without citing it."""
    for i, claim in enumerate(s.draft.claims):
        cited = [hit.chunk.text for hit in s.evidence.hits if hit.chunk.id in claim.cites]
        others = [hit.chunk for hit in s.evidence.hits if hit.chunk.id not in claim.cites]
        used = used_but_uncited(claim.text, cited, [chunk.text for chunk in others]) if cited else None
        if used is not None:
            detail = f"{claim.text!r} uses [{others[used].id}] without citing it"
            return Verdict.failed("sources_used_are_cited", Reason.SOURCE_UNCITED, detail, (i,))
    return Verdict.passed("sources_used_are_cited")
