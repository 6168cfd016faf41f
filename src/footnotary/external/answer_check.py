"""Checks any answer against any passages: the contract as a whole, and each claim separately."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from footnotary.claim import Label, assess_claim
from footnotary.domain.document import Labels
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.identity import SemanticId, Span
from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason, Verdict
from footnotary.external.marker_aliases import with_aliases
from footnotary.external.passages import make_evidence, make_hit
from footnotary.gate.intent import understand
from footnotary.ports import Submission, Verifier
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.profiles.schema import Profile
from footnotary.settings import Settings, load_settings
from footnotary.text.citations.markers import CitedUnit, cited_units, scan, unescape
from footnotary.text.normalise import same_message
from footnotary.text.sentences.factual_content import has_factual_content
from footnotary.verify.meaning.supporting_sentence import best_quote
from footnotary.verify.run import MAX_CLAIMS, acceptable, verify
from footnotary.verify.unsupported_words import unsupported_words
from footnotary.wiring import open_checks, open_verifier_for

# An uncited claim is checked against the passages that share most words with it, not against all of them.
_MAX_PASSAGES_TRIED = 3


@dataclass(frozen=True, slots=True)
class CitablePassage:
    """A passage an answer may cite: its id and its text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class BestQuote:
    """The sentences of a passage that match a claim best: `passage.text[span] == quote`."""

    id: SemanticId
    quote: str
    span: Span


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """One claim's verdict, against the passages it cites or, where it cites none, against the nearest ones.

    `span` is its position in the answer, markers included; None where the answer was passed as a list of claims.
    `supported_by` are the passages that each support it alone; a claim that needs two together has none. `unsupported`
    are the words that a failed check of the contract finds in no passage it cites, as spans of `text`.
    """

    text: str
    span: Span | None
    cites: tuple[SemanticId, ...]
    supported: bool
    label: Label
    score: float
    reasons: tuple[Reason, ...]
    details: tuple[str, ...]
    supported_by: tuple[SemanticId, ...]
    decisive: BestQuote | None
    unsupported: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """Whether an answer keeps the contract on these passages, and the verdict on each claim.

    `holds` says that every check of the profile passed, or that the answer is exactly a refusal (`refused`). An answer
    whose claims are all supported but not cited does not hold. Where there are more claims than the limit, none is
    listed.
    """

    holds: bool
    refused: bool
    claims: tuple[CheckedClaim, ...]
    verdicts: tuple[Verdict, ...]


def check_answer(
    answer: str | Sequence[Claim],
    passages: Sequence[CitablePassage],
    profile: str | Profile = "default",
    *,
    question: str = "",
    settings: Settings | None = None,
) -> CheckedAnswer:
    """Checks an answer: a text with markers, or claims with their citations.

    A marker names the id of a passage as it is, or the number of one, counted from 1. Passages without an id or a text
    are ignored; of two with the same id the first counts. `settings` say which models verify; left out, they are read
    from the environment. Raises only `ProfileError`, for an unknown profile.
    """
    policy = profile if isinstance(profile, Profile) else load_profile(profile)
    evidence = make_evidence(
        understand(question, Scope("given"), policy), (make_hit(p.id, p.text, 1.0, Labels()) for p in passages)
    )
    if isinstance(answer, str) and is_refusal(answer, policy):
        return CheckedAnswer(holds=True, refused=True, claims=(), verdicts=())
    draft, spans = _parse_answer(answer, [passage.id for passage in passages])
    settings = settings or load_settings()
    submission = Submission(evidence.query, evidence, draft)
    verdicts = verify(submission, open_checks(policy, settings))
    by = open_verifier_for(policy, settings)
    words = unsupported_words(submission, verdicts, by)
    texts = {hit.chunk.id: hit.chunk.text for hit in evidence.hits}
    claims = () if len(draft.claims) > MAX_CLAIMS else draft.claims
    checked = tuple(
        replace(
            _check_claim(claim, span, texts, policy, by),
            unsupported=tuple(each.span for each in words if each.claim == number),
        )
        for number, (claim, span) in enumerate(zip(claims, spans, strict=False))
    )
    return CheckedAnswer(acceptable(verdicts), refused=False, claims=checked, verdicts=verdicts)


def is_refusal(answer: str, profile: Profile) -> bool:
    """Whether the answer is exactly a refusal text, of this profile or of a built-in one."""
    known = {text for p in (profile, *map(load_profile, BUILT_IN)) for text in (p.refusal.en, p.refusal.hi)}
    return any(same_message(answer, text) for text in known)


def _parse_answer(answer: str | Sequence[Claim], order: Sequence[str]) -> tuple[Draft, tuple[Span | None, ...]]:
    if isinstance(answer, str):
        answer, ids = with_aliases(answer, order)
        units = factual_units(answer)
        cites = [tuple(ids.get(t) or resolve_marker(t, order) for t in unit.targets) for unit in units]
        claims = tuple(Claim(unescape(unit.text), cited) for unit, cited in zip(units, cites, strict=True))
        malformed = tuple(token.text for token in scan(answer).malformed)
        return Draft(claims, "given", raw=answer, malformed=malformed), tuple(unit.span for unit in units)
    claims = tuple(Claim(said.text, tuple(resolve_marker(cited, order) for cited in said.cites)) for said in answer)
    return Draft(claims, "given"), (None,) * len(claims)


def factual_units(answer: str) -> list[CitedUnit]:
    """The sentences of an answer that cite or assert something."""
    return [unit for unit in cited_units(answer) if unit.targets or has_factual_content(unit.text)]


def resolve_marker(target: str, order: Sequence[str]) -> str:
    """The id that a marker cites: a number is the passage at that position, unless it is the id of a passage."""
    if target in order or not (target.isascii() and target.isdecimal() and len(target) <= 9):
        return target
    return order[int(target) - 1] if 0 < int(target) <= len(order) else target


def _check_claim(
    claim: Claim, span: Span | None, texts: Mapping[SemanticId, str], profile: Profile, by: Verifier | None
) -> CheckedClaim:
    held = {cited: texts[cited] for cited in claim.cites if cited in texts} or texts
    quotes = {cited: best_quote(claim.text, text) for cited, text in held.items()}
    nearest = sorted(quotes, key=lambda cited: -quotes[cited][1])[:_MAX_PASSAGES_TRIED]
    alone = {cited: assess_claim(claim.text, texts[cited], profile, by) for cited in nearest}
    by_itself = tuple(cited for cited in nearest if alone[cited].supported)
    if by_itself or held is texts:
        best = max(nearest, key=lambda cited: alone[cited].score, default=None)
        verdict = alone[best] if best is not None else assess_claim(claim.text, (), profile, by)
    else:
        best, verdict = nearest[0], assess_claim(claim.text, tuple(held.values()), profile, by)
    return CheckedClaim(
        text=claim.text,
        span=span,
        cites=claim.cites,
        supported=verdict.supported,
        label=verdict.label,
        score=round(verdict.score, 4),
        reasons=verdict.reasons,
        details=verdict.details,
        supported_by=by_itself,
        decisive=BestQuote(best, quotes[best][0].of(texts[best]), quotes[best][0]) if best is not None else None,
    )
