"""The compliance service's contract: labelled sources in, an answer with `[SOURCE: id]` or an exact refusal out."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, cast, get_args

from footnotary.compat.grounding_context import RULES, CallerModelGenerator, build_context, source_hit
from footnotary.compat.grounding_models import (
    COLLECTION_NOT_FOUND,
    GENERATION_ERROR,
    INSUFFICIENT_SOURCES,
    NO_RELEVANT_CONTENT,
    REFUSAL_MESSAGE,
    AnswerResult,
    RetrievalResult,
    RetrievalSource,
)
from footnotary.domain.evidence import Hit
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Query, QueryType, Scope
from footnotary.errors import BackendError, UsageError
from footnotary.external.passages import (
    SCOPE,
    DraftKeepingGenerator,
    answer_from_given_evidence,
    checks_with_reader,
    make_evidence,
    with_score_thresholds,
)
from footnotary.gate.intent import understand
from footnotary.gate.sufficiency import check_sufficiency, usable_hits
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ports import ChatModel, Generator
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.render.answer_text import render
from footnotary.render.outcome_record import hit_record, query_record

__all__ = [
    "COLLECTION_NOT_FOUND",
    "GENERATION_ERROR",
    "INSUFFICIENT_SOURCES",
    "NO_RELEVANT_CONTENT",
    "REFUSAL_MESSAGE",
    "RULES",
    "AnswerResult",
    "GroundedGenerator",
    "RetrievalResult",
    "RetrievalSource",
    "build_context",
    "generate_answer",
    "retrieve",
]


class GroundedGenerator:
    """Answers from a `RetrievalResult`, or refuses.

    `llm` is a `ChatModel`, an object with `generate(query, context)` or a function of the two, plain or async, that
    returns text with `[SOURCE: id]` markers; without one the answer consists of verbatim sentences of the sources. It
    is called once, and only if there are enough relevant sources.
    """

    def __init__(self, llm: object | None = None, min_sources: int = 1, profile: str = "compliance") -> None:
        self._llm = llm
        self._min_sources = min_sources
        self._profile = load_profile(profile)

    async def generate_grounded(self, query: str, retrieval_result: RetrievalResult) -> AnswerResult:
        """An answer in which every sentence cites a source and passed every check, or a refusal with its reason.

        Text that the checks reject is never part of the result. A model failure gives the refusal
        `generation_error`.
        """
        generator = self._generator(asyncio.get_running_loop())
        # The answer pipeline may block on a model, so it runs in a thread outside the event loop.
        return await asyncio.to_thread(
            _answer_from_result, query, retrieval_result, generator, self._profile, self._min_sources
        )

    def _generator(self, loop: asyncio.AbstractEventLoop) -> Generator:
        if self._llm is None:
            return ExtractiveGenerator(self._profile)
        ask = getattr(self._llm, "generate", None)
        if ask is None and callable(getattr(self._llm, "complete", None)):
            return ChatGenerator(cast(ChatModel, self._llm), self._profile)
        ask = ask or self._llm
        if not callable(ask):
            raise UsageError(
                f"{type(self._llm).__name__} is not a model", hint="pass a function of (query, context), or None"
            )
        return CallerModelGenerator(_run_on_loop(loop, cast("Callable[[str, str], object]", ask)), self._profile)


def retrieve(
    query: str,
    tenant_id: str = "local",
    project_id: str = "default",
    k: int | None = None,
    include_graph: bool = False,
    intent: str | None = None,
) -> RetrievalResult:
    """Retrieves sources for the question from the tenant's project, best first; no model is called.

    `include_graph` adds the sections that the results refer to, as separate sources. `intent` overrides the kind of
    evidence that the question asks for. Where the result is not sufficient, `query_analysis` has the
    `refusal_reason`.
    """
    from footnotary.settings import load_settings
    from footnotary.wiring import opened, tenant_folder

    policy = _with_search_options(load_profile("compliance"), k, include_graph)
    settings = load_settings({"tenant": tenant_id})
    if not tenant_folder(settings).is_dir():  # nothing was ever ingested for the tenant
        analysis = query_record(_with_intent(understand(query, Scope(project_id, tenant_id), policy), intent))
        unknown = {"refusal_reason": COLLECTION_NOT_FOUND}
        return RetrievalResult(sources=[], query_analysis=analysis | unknown, is_sufficient=False)
    with opened(settings, policy, read_only=True) as product:
        evidence = product.engine.search(query, Scope(project_id, tenant_id))
        evidence = replace(evidence, query=_with_intent(evidence.query, intent))
        known = project_id in product.store.projects()
        digests = {
            hit.chunk.id: product.store.document_sha256(project_id, hit.chunk.document_id) for hit in evidence.hits
        }
    gate = check_sufficiency(evidence, policy).verdict
    analysis: dict[str, Any] = query_record(evidence.query)
    if gate.reason is not None:
        analysis |= {"refusal_reason": gate.reason.value if known else COLLECTION_NOT_FOUND}
    sources = [_to_source(hit, *digests[hit.chunk.id]) for hit in evidence.hits]
    return RetrievalResult(sources=sources, query_analysis=analysis, is_sufficient=gate.status == "pass")


def generate_answer(query: str, retrieval_result: RetrievalResult, policy_profile: str = "compliance") -> AnswerResult:
    """An answer from the result under a profile and in its style, with the configured generator; or a refusal."""
    from footnotary.settings import load_settings
    from footnotary.wiring import open_generator

    profile = load_profile(policy_profile)
    generator = open_generator(load_settings(), profile)
    return _answer_from_result(query, retrieval_result, generator, profile, profile.sufficiency.min_sources)


def _answer_from_result(
    question: str, result: RetrievalResult, generator: Generator, profile: Profile, min_sources: int
) -> AnswerResult:
    # Scores come from any retriever; those of ours were already gated, see `is_sufficient`.
    policy = with_score_thresholds(profile, min_score=0.0, min_sources=min_sources)
    query = understand(question, SCOPE, policy)
    if isinstance(generator, CallerModelGenerator):
        query = _with_intent(query, "general")
    evidence = make_evidence(query, (hit for source in result.sources if (hit := source_hit(source)) is not None))
    message = policy.refusal.text(query.language)
    if not result.is_sufficient or len(usable_hits(evidence.hits, 0.0)) < max(min_sources, 1):
        return AnswerResult.refusal(str(result.query_analysis.get("refusal_reason", INSUFFICIENT_SOURCES)), message)
    shown = evidence if isinstance(generator, CallerModelGenerator) else None
    try:
        outcome = answer_from_given_evidence(
            evidence, DraftKeepingGenerator(generator, shown), policy, checks_with_reader(policy)
        )
    except BackendError:
        return AnswerResult.refusal(GENERATION_ERROR, message)
    if not isinstance(outcome, Answer):
        return AnswerResult.refusal(outcome.reason.value, outcome.message)
    return AnswerResult(
        answer_text=render(outcome, policy.presentation.style).body,
        citations=[hit.chunk.id for hit in outcome.sources],
        confidence=outcome.confidence,
    )


def _to_source(hit: Hit, sha256: str, path: str) -> RetrievalSource:
    record = hit_record(hit)
    about = {name: record[name] for name in ("act", "section", "title", "via")}
    return RetrievalSource(
        source_id=hit.chunk.id,
        content_snippet=hit.chunk.text,
        score=record["score"],
        metadata={**record["metadata"], **about, "doc_hash": sha256, "filename": path},
    )


def _with_search_options(profile: Profile, k: int | None, include_graph: bool) -> Profile:
    wanted = {"k": k or profile.retrieval.k, "follow_references": include_graph}
    return Profile.model_validate(profile.model_dump() | {"retrieval": profile.retrieval.model_dump() | wanted})


def _with_intent(query: Query, intent: str | None) -> Query:
    if intent is None:
        return query
    if intent not in get_args(QueryType):
        raise UsageError(f"unknown intent {intent!r}", hint=f"choose from {', '.join(get_args(QueryType))}")
    return replace(query, facets=tuple(replace(f, type=cast(QueryType, intent)) for f in query.facets))


def _run_on_loop(loop: asyncio.AbstractEventLoop, ask: Callable[[str, str], object]) -> Callable[[str, str], object]:
    """`ask` for use in another thread; an awaitable result is awaited on `loop`."""

    def asked(query: str, context: str) -> object:
        answer = ask(query, context)
        if inspect.isawaitable(answer):
            return asyncio.run_coroutine_threadsafe(_await_value(cast("Awaitable[object]", answer)), loop).result()
        return answer

    return asked


async def _await_value(answer: Awaitable[object]) -> object:
    return await answer
