"""The textbook tutor's contract: an answer from the retrieved chunks with `[Source n]`, or "I don't know"."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from footnotary.compat.tutor_checks import (
    confidence_of,
    detect_hallucination,
    evidence_from_textbook_chunks,
    tutor_profile,
    verify_grounding,
)
from footnotary.compat.tutor_models import (
    AnswerStatus,
    CitationStyle,
    GeneratedAnswer,
    GenerationConfig,
    SourceCitation,
)
from footnotary.compat.tutor_pipeline import PDFProcessor, SemanticChunker, StructureRecovery, TextCleaner
from footnotary.compat.tutor_store import EmbeddingGenerator, RetrievalPipeline, VectorStore
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.verdict import Reason, Verdict
from footnotary.errors import BackendError, ModelError
from footnotary.external.passages import (
    SCOPE,
    DraftKeepingGenerator,
    answer_from_given_evidence,
    checks_with_reader,
    with_score_thresholds,
)
from footnotary.gate.intent import understand
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ports import Check, Generator, Message, Submission
from footnotary.profiles.schema import Profile
from footnotary.render.answer_text import render, slot_numbers, text_without_markers
from footnotary.render.citation_styles import full_source_name
from footnotary.render.outcome_record import outcome_status
from footnotary.render.reading_level import reading_grade

__all__ = [
    "REFUSAL_MESSAGE",
    "REFUSAL_MESSAGE_HI",
    "AnswerStatus",
    "CitationStyle",
    "EmbeddingGenerator",
    "GeneratedAnswer",
    "GenerationConfig",
    "PDFProcessor",
    "RAGAnswerGenerator",
    "RetrievalPipeline",
    "SemanticChunker",
    "SourceCitation",
    "StructureRecovery",
    "TextCleaner",
    "VectorStore",
    "detect_hallucination",
    "verify_grounding",
]

REFUSAL_MESSAGE = "I don't know based on NCERT textbooks."
REFUSAL_MESSAGE_HI = "मुझे NCERT पाठ्यपुस्तकों के आधार पर नहीं पता।"


class RAGAnswerGenerator:
    """Answers pupils' questions from textbook chunks.

    `llm_client` is an OpenAI client (`client.chat.completions.create`); without one the answer consists of verbatim
    sentences of the book. Chunks are objects or mappings with `content`, `confidence`, an id and `metadata` (subject,
    class_number, chapter, chapter_title, page).
    """

    def __init__(self, config: GenerationConfig | None = None, llm_client: Any = None) -> None:
        self.config = config or GenerationConfig()
        self._client = llm_client

    def generate(
        self, query: str, retrieved_chunks: Sequence[object], class_number: int | None = None
    ) -> GeneratedAnswer:
        """An answer that passed every check, or the exact refusal in the question's language.

        Source n is the n-th chunk. A model is called once, and only if the best chunk reaches `min_confidence` and the
        chunks can answer the question. A model that fails gives the status `ERROR`, never an exception.
        """
        config, policy = self.config, self._policy()
        understood = understand(query, SCOPE, policy)
        if not config.auto_detect_language:
            understood = replace(understood, language="en")
        evidence = evidence_from_textbook_chunks(understood, retrieved_chunks)
        confidences = [confidence_of(chunk) for chunk in retrieved_chunks or ()]
        mean = round(sum(confidences) / len(confidences), 4) if confidences else 0.0
        result = GeneratedAnswer(
            answer=policy.refusal.text(understood.language),
            status=AnswerStatus.ERROR,
            confidence=mean,
            query=query,
            class_number=class_number,
            language=understood.language,
        )
        generator = DraftKeepingGenerator(self._generator(policy), shown=evidence if self._client is not None else None)
        checks = (*checks_with_reader(policy), ("cited_are_confident", _cited_are_confident(config.min_confidence)))
        try:
            outcome = answer_from_given_evidence(evidence, generator, policy, checks)
        except BackendError as error:
            result.refusal_reason = f"{Reason.GENERATION_ERROR.value}: {error.message}"
            return result
        result.status = AnswerStatus(outcome_status(outcome))
        if isinstance(outcome, Refusal):
            raw = generator.draft.raw if generator.draft is not None else ""
            return self._refused(result, outcome, raw, retrieved_chunks)
        return self._delivered(result, outcome, retrieved_chunks)

    def _policy(self) -> Profile:
        languages = tutor_profile().languages.model_copy(
            update={"answer_in_question_language": self.config.enforce_language_match}
        )
        generation = tutor_profile().generation.model_copy(update={"max_tokens": self.config.max_tokens})
        policy = tutor_profile().model_copy(update={"languages": languages, "generation": generation})
        return with_score_thresholds(policy, min_score=self.config.min_confidence)

    def _generator(self, policy: Profile) -> Generator:
        if self._client is None:
            return ExtractiveGenerator(policy)
        model = _ClientModel(self._client, self.config.model_name, self.config.max_tokens)
        return ChatGenerator(model, policy, structured=False)

    def _delivered(self, result: GeneratedAnswer, answer: Answer, chunks: Sequence[object]) -> GeneratedAnswer:
        style = self.config.citation_style.markers
        result.answer = (
            text_without_markers(answer) if style is None else render(answer, style, slot_numbers(answer)).text
        )
        result.citations = _citations(answer)
        result.reading_grade = reading_grade(answer.text)
        if self.config.enable_answer_verification:
            _, result.grounding_score = verify_grounding(
                render(answer, "source_number", slot_numbers(answer)).body, chunks
            )
        return result

    def _refused(
        self, result: GeneratedAnswer, refusal: Refusal, raw: str, chunks: Sequence[object]
    ) -> GeneratedAnswer:
        result.refusal_reason = f"{refusal.reason.value}: {refusal.needed.missing}"
        if result.status is AnswerStatus.INSUFFICIENT_CONTEXT:
            result.confidence = 0.0
        result.hallucination_detected = result.status is AnswerStatus.HALLUCINATION_DETECTED
        if result.hallucination_detected and self.config.enable_hallucination_detection:
            _, signs = detect_hallucination(raw, chunks)
            result.hallucination_reason = signs or result.refusal_reason
        return result


class _ClientModel:
    """A `ChatModel` over a caller-supplied OpenAI client; an incomplete reply is an error."""

    def __init__(self, client: Any, model: str, max_tokens: int) -> None:
        self._client = client
        self._model = model
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        return self._model

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:  # noqa: ARG002
        try:
            reply: Any = self._client.chat.completions.create(
                model=self._model,
                messages=[{"role": message.role, "content": message.content} for message in messages],
                temperature=0.0,
                max_tokens=self._max_tokens,
            )
            choice = reply.choices[0]
            text, ended = choice.message.content, getattr(choice, "finish_reason", None)
        except Exception as error:  # any exception of the caller's client means that there is no answer
            raise ModelError(f"the model failed ({type(error).__name__})", hint="see the client's own log") from error
        if not isinstance(text, str) or not text.strip():
            raise ModelError("the model returned no text", hint="check the model's name and the client")
        if isinstance(ended, str) and ended != "stop":
            raise ModelError(f"the model's reply did not finish ({ended})", hint="raise max_tokens")
        return text


def _cited_are_confident(minimum: float) -> Check:
    def check(s: Submission) -> Verdict:
        cited = {target for claim in s.draft.claims for target in claim.cites}
        weak = [hit for hit in s.evidence.hits if hit.chunk.id in cited and hit.score < minimum]
        if weak:
            detail = f"a cited source has confidence {weak[0].score:.2f}, below the threshold {minimum:.2f}"
            return Verdict.failed("cited_are_confident", Reason.NO_RELEVANT_CONTENT, detail)
        return Verdict.passed("cited_are_confident")

    return check


def _citations(answer: Answer) -> list[SourceCitation]:
    """One per source, in order of its number, with the quote for its first claim."""
    numbers = slot_numbers(answer)
    first = {citation.id: citation for citation in reversed(answer.citations)}
    scores = {hit.chunk.id: hit.score for hit in answer.evidence.hits}
    return [
        SourceCitation(
            source_id=number,
            chunk_id=cited,
            source=full_source_name(first[cited].labels, first[cited].page, cited),
            quote=first[cited].quote,
            page=first[cited].page,
            confidence=scores[cited],
        )
        for cited, number in sorted(numbers.items(), key=lambda pair: pair[1])
    ]
