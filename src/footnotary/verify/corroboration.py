"""Claims that several independent documents must state: copies and quotations of each other count once."""

from collections.abc import Sequence
from dataclasses import replace

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Submission
from footnotary.profiles.schema import Profile
from footnotary.text.tokens import word_runs, words
from footnotary.verify.claim_checks import CHECKS_OF_SINGLE_CLAIMS
from footnotary.verify.meaning.supporting_sentence import best_quote

CORROBORATED = "claims_are_corroborated"
# This many consecutive words in common mean that one document copied the other, or both a third.
_RUN = 7
# Rewordings of one text share this much of their words.
_ALIKE = 0.6
# A cheap filter before the comparison: a passage that shares less of the claim's words does not state it.
_LEAST_SHARED = 0.3
# A second document need not use the words of the first.
_STATING = CHECKS_OF_SINGLE_CLAIMS - {"terms_are_not_substituted", "quotations_are_verbatim"}


def claims_are_corroborated(least: int) -> Check:
    """Every claim cites at least `least` documents that are not copies of each other."""

    def check(s: Submission) -> Verdict:
        for number, claim in enumerate(s.draft.claims):
            found = len(_independent(claim, s.evidence.cited(claim.cites)))
            if found < least:
                detail = f"too few independent documents state {claim.text!r}"
                return Verdict.failed(
                    CORROBORATED, Reason.UNCORROBORATED, detail, (number,), found=found, required=least
                )
        return Verdict.passed(CORROBORATED)

    return check


def with_corroboration(s: Submission, profile: Profile, checks: Sequence[tuple[str, Check]]) -> Submission:
    """The submission with further citations of documents that state the same, if the profile needs several.

    A passage is added if the claim passes every check on that passage alone.
    """
    least = profile.trust.corroboration
    if least == 1:
        return s
    alone = [(name, check) for name, check in checks if name in _STATING]
    claims = tuple(_corroborated(claim, s, least, alone) for claim in s.draft.claims)
    return replace(s, draft=replace(s.draft, claims=claims))


def _corroborated(claim: Claim, s: Submission, least: int, checks: Sequence[tuple[str, Check]]) -> Claim:
    held = _independent(claim, s.evidence.cited(claim.cites))
    for hit in s.evidence.hits:
        if len(held) >= least:
            break
        chunk = hit.chunk
        is_new = not any(_are_copies(claim.text, chunk, other) for other in held)
        if is_new and best_quote(claim.text, chunk.text)[1] >= _LEAST_SHARED and _states(claim, chunk, s, checks):
            held.append(chunk)
    return replace(claim, cites=tuple(dict.fromkeys((*claim.cites, *(chunk.id for chunk in held)))))


def _states(claim: Claim, chunk: Chunk, s: Submission, checks: Sequence[tuple[str, Check]]) -> bool:
    part = replace(s, draft=replace(s.draft, claims=(replace(claim, cites=(chunk.id,)),)))
    return all(check(part).status == "pass" for _, check in checks)


def _independent(claim: Claim, chunks: Sequence[Chunk]) -> list[Chunk]:
    """The passages without copies: of several copies only the first."""
    kept: list[Chunk] = []
    for chunk in chunks:
        if not any(_are_copies(claim.text, chunk, other) for other in kept):
            kept.append(chunk)
    return kept


def _are_copies(claim: str, one: Chunk, other: Chunk) -> bool:
    """Whether two passages count once: one document, rewordings of one text, or a quotation that holds the claim."""
    if one.document_id == other.document_id:
        return True
    said, also = frozenset(words(one.text)), frozenset(words(other.text))
    if len(said & also) >= _ALIKE * len(said | also):
        return True
    ours, theirs = (best_quote(claim, chunk.text)[0].of(chunk.text) for chunk in (one, other))
    runs, their_runs = word_runs(ours, _RUN), word_runs(theirs, _RUN)
    return not runs.isdisjoint(their_runs) if runs and their_runs else words(ours) == words(theirs)
