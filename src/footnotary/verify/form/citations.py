"""The form of citations: well formed, known, on every claim, and related to it."""

from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Evidence
from footnotary.domain.verdict import Reason, Verdict
from footnotary.injection.detection import IsInjection
from footnotary.ports import Check, Submission
from footnotary.verify.form.injected_instructions import followed_injection, follows_withheld
from footnotary.verify.form.markup import foreign_markup
from footnotary.verify.form.withheld_items import leaves_out_item
from footnotary.verify.lookalike_letters import homoglyph_words
from footnotary.verify.meaning.word_overlap import chunk_overlap, overlap

# A cited source must hold at least this share of the claim's content words; below it the citation is unsupporting.
PADDING_SHARE = 0.15
_SUPPORTING = "citations_support_their_claims"
_INSTRUCTION = "the passage cited by {!r} is an instruction, not a statement"
INCOMPLETE_LIST = "incomplete_list"


def answer_has_claims(s: Submission) -> Verdict:
    """The draft has claims: it is not empty, and the generator did not decline."""
    if s.draft.declined:
        detail = "the generator found no answer in the sources"
        return Verdict.failed("answer_has_claims", Reason.GENERATOR_DECLINED, detail)
    if not s.draft.claims or not any(claim.text.strip() for claim in s.draft.claims):
        return Verdict.failed("answer_has_claims", Reason.EMPTY_ANSWER, "the draft makes no claim")
    return Verdict.passed("answer_has_claims")


def markers_are_well_formed(s: Submission) -> Verdict:
    """The draft has nothing bracket-like that is not a valid marker, and no claim has a tag, a URL, a bracket or a
    disguised word that its cited passages do not have."""
    if s.draft.malformed:
        seen = ", ".join(repr(token) for token in s.draft.malformed[:5])
        return Verdict.failed("markers_are_well_formed", Reason.CITATION_MALFORMED, f"these are not citations: {seen}")
    for i, claim in enumerate(s.draft.claims):
        cited = [chunk.text for chunk in s.evidence.cited(claim.cites)]
        if foreign := [*foreign_markup(claim.text, cited), *homoglyph_words(claim.text, cited)]:
            seen = ", ".join(repr(token) for token in foreign[:5])
            detail = f"the cited passages do not have {seen}"
            return Verdict.failed("markers_are_well_formed", Reason.CITATION_MALFORMED, detail, (i,))
    return Verdict.passed("markers_are_well_formed")


def citations_resolve(s: Submission) -> Verdict:
    """Every citation names a chunk that was retrieved for this query.

    Exact match only: an id that is nearly right is a hallucinated id.
    """
    known = s.evidence.ids
    unknown = [(i, cited) for i, claim in enumerate(s.draft.claims) for cited in claim.cites if cited not in known]
    if unknown:
        seen = ", ".join(f"[{cited}]" for cited in dict.fromkeys(cited for _, cited in unknown))
        at = tuple(dict.fromkeys(i for i, _ in unknown))
        return Verdict.failed(
            "citations_resolve", Reason.CITATION_UNKNOWN, f"these passages were not retrieved: {seen}", at
        )
    return Verdict.passed("citations_resolve")


def claims_are_cited(s: Submission) -> Verdict:
    """Every claim has its own citation; a citation does not cover neighbouring claims."""
    bare = tuple(i for i, claim in enumerate(s.draft.claims) if not claim.cites)
    if bare:
        detail = f"{s.draft.claims[bare[0]].text!r} has no citation"
        return Verdict.failed("claims_are_cited", Reason.CLAIM_UNCITED, detail, bare)
    return Verdict.passed("claims_are_cited")


def refuse_withheld(
    checks: Sequence[tuple[str, Check]], stored: Evidence, shown: Evidence
) -> Sequence[tuple[str, Check]]:
    """The checks for a draft from passages with flagged text withheld.

    A claim that only this text supports is refused, wherever the model got it from, and so is a list without its
    withheld items.
    """
    if stored is shown:
        return checks

    def guarded(check: Check) -> Check:
        def run(s: Submission) -> Verdict:
            for i, claim in enumerate(s.draft.claims):
                cited = ((stored.chunk(one), shown.chunk(one)) for one in claim.cites)
                if follows_withheld(claim.text, [(a, b) for a, b in cited if a is not None and b is not None]):
                    detail = _INSTRUCTION.format(claim.text)
                    return Verdict.failed(_SUPPORTING, Reason.CITATION_UNSUPPORTING, detail, (i,))
            if (at_fault := _incomplete_list(s, stored, shown)) is not None:
                return at_fault
            return check(s)

        return run

    return [(name, guarded(check) if name == _SUPPORTING else check) for name, check in checks]


def _incomplete_list(s: Submission, stored: Evidence, shown: Evidence) -> Verdict | None:
    """The verdict on an answer that gives a list without an item that was withheld."""
    whole = any(facet.type == "procedure" for facet in s.query.facets)
    for cited in dict.fromkeys(cited for claim in s.draft.claims for cited in claim.cites):
        a, b = stored.chunk(cited), shown.chunk(cited)
        claims = [i for i, claim in enumerate(s.draft.claims) if cited in claim.cites]
        answer = "\n".join(s.draft.claims[i].text for i in claims)
        if a is not None and b is not None and leaves_out_item(answer, a, b, whole=whole):
            detail = f"the list in [{cited}] is incomplete: an item is flagged as an instruction and withheld"
            at = tuple(claims)
            return Verdict.failed(_SUPPORTING, Reason.CITATION_UNSUPPORTING, detail, at, cause=INCOMPLETE_LIST)
    return None


def citations_support_their_claims(is_injection: IsInjection | None = None) -> Check:
    """Every source a claim cites is related to it and states it: an unrelated citation is refused, and so is one of
    text that only instructs the model to say something (prompt injection)."""

    def check(s: Submission) -> Verdict:
        for i, claim in enumerate(s.draft.claims):
            fault = _fault_of_citations(claim.text, s.evidence.cited(claim.cites), is_injection)
            if fault is not None:
                return Verdict.failed(_SUPPORTING, Reason.CITATION_UNSUPPORTING, fault, (i,))
        return Verdict.passed(_SUPPORTING)

    return check


def _fault_of_citations(claim: str, chunks: Sequence[Chunk], is_injection: IsInjection | None) -> str | None:
    if followed_injection(claim, chunks, is_injection):
        return _INSTRUCTION.format(claim)
    for chunk in chunks:
        if chunk_overlap(claim, chunk) < PADDING_SHARE:
            return f"[{chunk.id}] is not related to {claim!r}"
    # A heading names the subject of its text; it is in no quote and states nothing that could be quoted.
    if chunks and overlap(claim, [chunk.text for chunk in chunks]) < PADDING_SHARE:
        return f"only the headings of the cited passages, not their text, are related to {claim!r}"
    return None


def citations_are_dense(minimum: int) -> Check:
    """At least `minimum` citations in every paragraph of the answer."""

    def check(s: Submission) -> Verdict:
        # Blank lines separate paragraphs in a model's reply; the claims of an extractive draft are one paragraph.
        written = s.draft.raw.split("\n\n") if s.draft.generator.startswith("chat") else []
        paragraphs = sum(bool(part.strip()) for part in written)
        per_paragraph = sum(len(claim.cites) for claim in s.draft.claims) / max(paragraphs, 1)
        if per_paragraph < minimum:
            detail = "the answer has too few citations per paragraph"
            return Verdict.failed(
                "citations_are_dense",
                Reason.CITATION_DENSITY_LOW,
                detail,
                per_paragraph=per_paragraph,
                required=minimum,
            )
        return Verdict.passed("citations_are_dense", per_paragraph=per_paragraph, required=minimum)

    return check
