"""What a model adds to its claims without stating anything: greetings, summaries, citations of unrelated passages.

It is left out before the checks, recorded, and never delivered. All that stays is checked as if nothing else had been
written, and a sentence stays, uncited, wherever leaving it out might change what the others say.
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

# Spoken to whoever asks: "I hope this helps.", "Sure!", "Do you have another question?"
_SPOKEN = re.compile(r"\b(?:I|me|my)\b|[!?]\W*$")
_FIGURE = re.compile(r"\d")
_LIMITING = NEGATIONS | QUANTIFIERS | MODALS


def leave_out_idle(
    draft: Draft, evidence: Evidence, by: Verifier | None, entailed_from: float, sure_from: float = 1.0
) -> Draft:
    """`draft` without its idle sentences and unrelated citations, which `left_out` names as they were written.

    Idle is an uncited sentence that asserts nothing, introduces the answer in the words of the question, is addressed
    to whoever asks and has no word in common with question, sources and claims, or, after the last cited claim, says
    again what the claims say (`by` decides from `entailed_from` on, with every exact check). A claim keeps a citation
    that is not unrelated; where all of them are, it keeps all. A draft that cites nothing is returned as it is.
    """
    claims = [_related(claim, evidence) for claim in draft.claims]
    kept = _without_idle(claims, evidence, by, entailed_from, sure_from)
    left_out = [claim.text for claim in claims if claim not in kept]
    left_out += [
        f"[{c}]" for old, new in zip(draft.claims, claims, strict=True) for c in old.cites if c not in new.cites
    ]
    if draft.extractive or not left_out or not kept:
        return draft
    return replace(draft, claims=tuple(kept), left_out=tuple(left_out))


def _related(claim: Claim, evidence: Evidence) -> Claim:
    """The claim without those of its citations that have nothing to do with it, where another one has."""
    if len(claim.cites) < 2 or any(evidence.chunk(cited) is None for cited in claim.cites):
        return claim
    related = [
        cited
        for cited in claim.cites
        if (chunk := evidence.chunk(cited)) is not None and chunk_overlap(claim.text, chunk) >= PADDING_SHARE
    ]
    return replace(claim, cites=tuple(related)) if related else claim


def _without_idle(
    claims: Sequence[Claim], evidence: Evidence, by: Verifier | None, entailed_from: float, sure_from: float
) -> list[Claim]:
    cited = [claim for claim in claims if claim.cites]
    if not cited or len(cited) == len(claims):
        return list(claims)
    asked = terms_of(evidence.query.text)
    subject = asked.union(
        *(terms_of(hit.chunk.text) for hit in evidence.hits), *(terms_of(claim.text) for claim in cited)
    )
    kept = [claim for claim in claims if claim.cites or not _says_nothing(claim.text, asked, subject)]
    while (
        by is not None and kept and not kept[-1].cites and _repeats(kept[-1].text, cited, by, entailed_from, sure_from)
    ):
        kept.pop()
    return kept


def _says_nothing(sentence: str, asked: frozenset[str], subject: frozenset[str]) -> bool:
    own = terms_of(sentence)
    if not own or _FIGURE.search(sentence) or not _LIMITING.isdisjoint(words(sentence)):
        return False  # "But only sometimes." limits what stands before it
    if not factual_terms(sentence) or (sentence.rstrip().endswith(":") and factual_terms(sentence) <= asked):
        return True  # "Based on the sources, here is how to renew a licence:", where that was asked
    return _SPOKEN.search(sentence) is not None and subject.isdisjoint(own)


def _repeats(sentence: str, cited: Sequence[Claim], by: Verifier, entailed_from: float, sure_from: float) -> bool:
    """Whether the cited claims together say what the sentence says."""
    said = (" ".join(claim.text for claim in cited),)
    (found,) = assess_claims([ClaimToVerify(sentence, said, evidence_from_texts(sentence, said))], by, sure_from)
    return not found.findings and found.score >= entailed_from
