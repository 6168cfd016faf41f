"""Which citations support a claim, and which are redundant, by ablation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from footnotary.domain.draft import Claim
from footnotary.domain.identity import SemanticId
from footnotary.ports import Check, Submission
from footnotary.verify.claim_checks import CHECKS_OF_SINGLE_CLAIMS, evidence_from_cited_chunks
from footnotary.verify.meaning.word_overlap import chunk_overlap
from footnotary.verify.run import acceptable, verify

_DECIDING = CHECKS_OF_SINGLE_CLAIMS | {"sources_used_are_cited"}
# More than any share of words.
_COPIED = 2.0


def redundant_citations(s: Submission, checks: Sequence[tuple[str, Check]]) -> frozenset[tuple[int, SemanticId]]:
    """The citations, by claim, that can be removed with the claim still passing the same checks.

    All of them can be removed together. They are tried from the weakest to the strongest, so of two that each suffice
    the stronger stays. Every claim keeps a supporting citation, and a single citation is never redundant.
    """
    deciding = [(name, check) for name, check in checks if name in _DECIDING]
    return frozenset(
        (n, cited)
        for n, claim in enumerate(s.draft.claims)
        if len(set(claim.cites)) > 1
        for cited in _redundant(claim, s, deciding)
    )


def _redundant(claim: Claim, s: Submission, checks: Sequence[tuple[str, Check]]) -> list[SemanticId]:
    strength = _strengths(claim, s)
    left, out = list(strength), list[SemanticId]()
    # Of equally strong ones, the later is tried first.
    order = sorted(left, key=lambda cited: (strength[cited], -left.index(cited)))
    for cited in order[:-1]:
        rest = [other for other in left if other != cited]
        if any(strength[other] == _COPIED for other in rest) or _holds(replace(claim, cites=tuple(rest)), s, checks):
            left = rest
            out.append(cited)
    return out


def _strengths(claim: Claim, s: Submission) -> Mapping[SemanticId, float]:
    """The share of the claim's words in each cited source; a source that has it verbatim ranks above all others."""
    return {
        chunk.id: _COPIED
        if evidence_from_cited_chunks(claim.text, (chunk,)).premise.verbatim
        else chunk_overlap(claim.text, chunk)
        for chunk in s.evidence.cited(dict.fromkeys(claim.cites))
    }


def _holds(claim: Claim, s: Submission, checks: Sequence[tuple[str, Check]]) -> bool:
    return acceptable(verify(replace(s, draft=replace(s.draft, claims=(claim,))), checks))
