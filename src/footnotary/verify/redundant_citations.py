"""Which citations carry a claim, and which only stand beside it: the ablation witness."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from footnotary.domain.draft import Claim
from footnotary.domain.identity import SemanticId
from footnotary.ports import Check, Submission
from footnotary.verify.claim_checks import CHECKS_OF_SINGLE_CLAIMS, evidence_from_cited_chunks
from footnotary.verify.meaning.word_overlap import chunk_overlap
from footnotary.verify.run import acceptable, verify

_JUDGING = CHECKS_OF_SINGLE_CLAIMS | {"sources_used_are_cited"}
# More than any share of words.
_COPIED = 2.0


def redundant_citations(s: Submission, checks: Sequence[tuple[str, Check]]) -> frozenset[tuple[int, SemanticId]]:
    """The citations, by claim, that can be left out with the claim still holding by the same checks.

    All that are named of a claim can be left out together. They are tried from the weakest to the strongest, so of two
    that each suffice the stronger stays: every claim keeps a witness, and a single citation is never decorative.
    """
    judging = [(name, check) for name, check in checks if name in _JUDGING]
    return frozenset(
        (n, cited)
        for n, claim in enumerate(s.draft.claims)
        if len(set(claim.cites)) > 1
        for cited in _is_redundant(claim, s, judging)
    )


def _is_redundant(claim: Claim, s: Submission, judging: Sequence[tuple[str, Check]]) -> list[SemanticId]:
    strength = _strengths(claim, s)
    left, out = list(strength), list[SemanticId]()
    # Of equals the one cited later goes first.
    order = sorted(left, key=lambda cited: (strength[cited], -left.index(cited)))
    for cited in order[:-1]:
        rest = [other for other in left if other != cited]
        if any(strength[other] == _COPIED for other in rest) or _holds(replace(claim, cites=tuple(rest)), s, judging):
            left = rest
            out.append(cited)
    return out


def _strengths(claim: Claim, s: Submission) -> Mapping[SemanticId, float]:
    """How much of the claim each source it cites holds; one that has it word for word holds more than any other."""
    return {
        chunk.id: _COPIED
        if evidence_from_cited_chunks(claim.text, (chunk,)).premise.verbatim
        else chunk_overlap(claim.text, chunk)
        for chunk in s.evidence.cited(dict.fromkeys(claim.cites))
    }


def _holds(claim: Claim, s: Submission, judging: Sequence[tuple[str, Check]]) -> bool:
    alone = Submission(s.query, s.evidence, replace(s.draft, claims=(claim,)))
    return acceptable(verify(alone, judging))
