"""Enforces C3 on any answer text: the exact refusal, or sentences that are cited and supported."""

from collections.abc import Sequence

from footnotary.compat.c3_evidence import REFUSAL_MESSAGE, ChunkLike, evidence_from_chunks, legal_profile
from footnotary.domain.verdict import Reason
from footnotary.external.passages import ParsedAnswer, quote_tokens, read_answer, select_checks
from footnotary.ports import Submission
from footnotary.text.citations.markers import Marker, strip
from footnotary.text.normalise import plain_key, same_message
from footnotary.text.sentences.factual_content import has_factual_content
from footnotary.verify.claim_checks import CONSISTENCY_CHECKS
from footnotary.verify.run import acceptable, checks_for, first_reason, verify

_CHECKS = frozenset({*CONSISTENCY_CHECKS, "no_outside_knowledge"})


def extract_citations(answer_text: str) -> set[str]:
    """The ids cited as `[semantic_id]`. Brackets in code, links, comments or any other form cite nothing."""
    return set(parse_c3_answer(answer_text).cited)


def enforce_c3(
    answer_text: str, retrieved_chunks: Sequence[ChunkLike], require_citations: bool = True
) -> tuple[bool, list[str], str | None]:
    """Whether an answer keeps the contract: (is_valid, invalid_citations, refusal_reason).

    The exact refusal does. Anything else must cite, in every sentence that asserts something, chunks that were
    retrieved, by exactly their ids, and say nothing that the checks find the cited text to contradict. Lexical overlap
    is not checked. `require_citations=False` allows uncited sentences; any citations must still be correct.
    """
    if is_refusal(answer_text):
        return True, [], None
    evidence = evidence_from_chunks("", retrieved_chunks)
    found = parse_c3_answer(answer_text)
    unknown = [cited for cited in found.cited if cited not in evidence.ids]
    if unknown:
        return False, unknown, f"Invalid citations: {', '.join(unknown)}"
    if found.malformed:
        return False, [], f"Malformed citations: {quote_tokens(found.malformed)}"
    if _contains_refusal(answer_text):
        return False, [], "A refusal must have no citation and no other text"
    if require_citations:
        if not found.cited:
            return False, [], "Answer contains no citations"
        bare = [claim.text for claim in found.claims if not claim.cites and has_factual_content(claim.text)]
        if bare:
            return False, [], f"Sentence without a citation: {quote_tokens(bare[:1])}"
    verdicts = verify(
        Submission(evidence.query, evidence, found.draft()), select_checks(checks_for(legal_profile()), _CHECKS)
    )
    if acceptable(verdicts):
        return True, [], None
    first: Reason = first_reason(verdicts)
    detail = next(verdict.detail for verdict in verdicts if verdict.reason is first)
    return False, [], f"Unsupported claim: {detail} ({first.value})"


def parse_c3_answer(answer_text: str) -> ParsedAnswer:
    """The answer's sentences and citations in the contract's own format; any other bracketed token is malformed."""
    return read_answer(answer_text, _is_c3)


def is_refusal(answer_text: str) -> bool:
    """Whether the answer is exactly the refusal, in either of the profile's languages."""
    texts = (REFUSAL_MESSAGE, legal_profile().refusal.en, legal_profile().refusal.hi)
    return any(same_message(answer_text, text) for text in texts)


def _is_c3(marker: Marker, raw: str) -> bool:
    # A bare number is an id like any other here, and rarely a known one.
    return marker.style in ("semantic_id", "number") and raw == f"[{marker.targets[0]}]"


def _contains_refusal(answer_text: str) -> bool:
    said = plain_key(strip(answer_text)).casefold()
    return any(
        plain_key(text).rstrip(".।").casefold() in said
        for text in (legal_profile().refusal.en, legal_profile().refusal.hi)
    )
