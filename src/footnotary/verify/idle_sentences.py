"""Text that a model adds to its claims without stating anything: greetings, summaries, unrelated citations.

It is removed before the checks, recorded, and never delivered. The rest is checked as if nothing else had been written.
A sentence stays, uncited, if removing it might change the meaning of the others.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence
from footnotary.ports import Verifier
from footnotary.text.sentences.factual_content import factual_terms
from footnotary.text.stopwords import MODALS, NEGATIONS, QUANTIFIERS
from footnotary.text.tokens import terms_of, words
from footnotary.verify.claim_checks import evidence_from_texts
from footnotary.verify.form.citations import PADDING_SHARE
from footnotary.verify.meaning.score_fusion import ClaimToVerify, assess_claims
from footnotary.verify.meaning.word_overlap import chunk_overlap

# Addressed to the user: "I hope this helps.", "Sure!", "Do you have another question?"
_SPOKEN = re.compile(r"\b(?:I|me|my)\b|[!?]\W*$")
_FIGURE = re.compile(r"\d")
_LIMITING = NEGATIONS | QUANTIFIERS | MODALS


def leave_out_idle(
    draft: Draft, evidence: Evidence, by: Verifier | None, entailed_from: float, sure_from: float = 1.0
) -> Draft:
    """`draft` without its idle sentences and unrelated citations, which `left_out` names as they were written.

    Idle is a sentence that asserts nothing, introduces the answer in the words of the question, is addressed to the
    user and has no word in common with question and sources, or, uncited after the last cited claim, repeats what the
    claims say (`by` decides from `entailed_from` on, with every exact check). A mere pointer such as "(Source: [1])"
    becomes a citation of the sentence before, if that has none. A claim keeps its related citations; if all are
    unrelated, it keeps all. A draft that would lose all cited claims is returned unchanged.
    """
    if draft.extractive:
        return draft
    claims = [_related(claim, evidence) for claim in draft.claims]
    left_out = [
        f"[{c}]" for old, new in zip(draft.claims, claims, strict=True) for c in old.cites if c not in new.cites
    ]
    kept, idle = _without_idle(claims, evidence)
    cited = [claim for claim in kept if claim.cites]
    while cited and by is not None and not kept[-1].cites:
        if not _repeats(kept[-1].text, cited, by, entailed_from, sure_from):
            break
        idle.append(kept.pop().text)
    left_out = [*idle, *left_out]
    return replace(draft, claims=tuple(kept), left_out=tuple(left_out)) if cited and left_out else draft


def _related(claim: Claim, evidence: Evidence) -> Claim:
    """The claim without its unrelated citations, if it has a related one."""
    if len(claim.cites) < 2 or not set(claim.cites) <= evidence.ids:
        return claim
    chunks = evidence.cited(claim.cites)
    related = tuple(chunk.id for chunk in chunks if chunk_overlap(claim.text, chunk) >= PADDING_SHARE)
    return replace(claim, cites=related) if related else claim


def _without_idle(claims: Sequence[Claim], evidence: Evidence) -> tuple[list[Claim], list[str]]:
    """The claims that say something, and the sentences that do not."""
    asked = terms_of(evidence.query.text)
    subject = asked.union(*(terms_of(hit.chunk.text) for hit in evidence.hits))
    kept: list[Claim] = []
    idle: list[str] = []
    for claim in claims:
        if not _says_nothing(claim.text, asked, subject):
            kept.append(claim)
            continue
        idle.append(claim.text)
        if kept and not kept[-1].cites:
            kept[-1] = replace(kept[-1], cites=claim.cites)
    return kept, idle


def _says_nothing(sentence: str, asked: frozenset[str], subject: frozenset[str]) -> bool:
    own = terms_of(sentence)
    if not own or _FIGURE.search(sentence) or not _LIMITING.isdisjoint(words(sentence)):
        return False  # "But only sometimes." limits the sentence before it
    if not factual_terms(sentence) or (sentence.rstrip().endswith(":") and factual_terms(sentence) <= asked):
        return True  # "Based on the sources, here is how to renew a licence:", if that was asked
    return _SPOKEN.search(sentence) is not None and subject.isdisjoint(own)


def _repeats(sentence: str, cited: Sequence[Claim], by: Verifier, entailed_from: float, sure_from: float) -> bool:
    """Whether the cited claims together say what the sentence says."""
    said = (" ".join(claim.text for claim in cited),)
    (found,) = assess_claims([ClaimToVerify(sentence, said, evidence_from_texts(sentence, said))], by, sure_from)
    return not found.findings and found.score >= entailed_from
