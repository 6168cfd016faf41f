"""The textbook tutor: gates, statuses, signs of invention, grounding, and the answers its document prints."""

import json
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from footnotary.contracts.tutor import (
    REFUSAL_MESSAGE,
    REFUSAL_MESSAGE_HI,
    AnswerStatus,
    CitationStyle,
    GenerationConfig,
    RAGAnswerGenerator,
    detect_hallucination,
    verify_grounding,
)
from footnotary.profiles.load import load_profile

QUESTION = "What is an arithmetic progression?"


@dataclass
class Chunk:
    content: str
    confidence: float
    source_id: str
    page: int
    metadata: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.metadata = {
            "class_number": 10,
            "subject": "mathematics",
            "chapter": 5,
            "chapter_title": "Arithmetic Progressions",
            "page": self.page,
        }


CHUNKS = [
    Chunk(
        "An arithmetic progression (AP) is a sequence of numbers in which each term after the first is obtained by "
        "adding a fixed number to the preceding term. This fixed number is called the common difference and is denoted "
        "by d.",
        0.88,
        "ap-1",
        95,
    ),
    Chunk("For example, 2, 5, 8, 11 is an arithmetic progression with common difference 3.", 0.85, "ap-2", 96),
    Chunk(
        "The nth term of an arithmetic progression with first term a and common difference d is given by the formula: "
        "an = a + (n-1)d.",
        0.82,
        "ap-3",
        97,
    ),
]
PRINTED = (
    "An arithmetic progression (AP) is a sequence of numbers where each term after the first is obtained by adding a "
    "fixed number to the preceding term [Source 1]. This fixed number is called the common difference and is denoted "
    "by d [Source 1].\n\nThe nth term of an arithmetic progression with first term a and common difference d is given "
    "by the formula: an = a + (n-1)d [Source 3]."
)


class FakeClient:
    """An OpenAI client that gives one reply, and remembers what it was asked."""

    def __init__(self, reply: object, finish_reason: str | None = "stop") -> None:
        self.asked: list[dict[str, object]] = []
        self._reply = reply
        self._finish_reason = finish_reason
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    def _create(self, **request: object) -> object:
        self.asked.append(request)
        if isinstance(self._reply, Exception):
            raise self._reply
        message = SimpleNamespace(content=self._reply)
        return SimpleNamespace(choices=[SimpleNamespace(message=message, finish_reason=self._finish_reason)])


def generate(client: object = None, chunks: object = CHUNKS, question: str = QUESTION, **config):
    return RAGAnswerGenerator(GenerationConfig(**config), client).generate(question, chunks, class_number=10)


def test_the_refusals_are_the_tutor_profiles():
    refusal = load_profile("tutor").refusal
    assert (refusal.en, refusal.hi) == (REFUSAL_MESSAGE, REFUSAL_MESSAGE_HI)


def test_the_defaults_are_the_documents():
    config = GenerationConfig()
    assert (config.temperature, config.max_tokens, config.min_confidence) == (0.1, 500, 0.6)
    assert config.enable_hallucination_detection
    assert config.enable_answer_verification
    assert config.require_citations
    assert config.auto_detect_language
    assert config.enforce_language_match
    assert config.citation_style is CitationStyle.INLINE


def test_the_statuses_are_the_documents():
    assert {status.value for status in AnswerStatus} == {
        "success",
        "insufficient_context",
        "low_confidence",
        "hallucination_detected",
        "error",
    }


class TestTheThreeExamples:
    def test_a_successful_answer(self):
        result = generate(FakeClient(PRINTED))
        assert result.status is AnswerStatus.SUCCESS
        assert result.confidence == 0.85
        assert not result.hallucination_detected
        assert result.is_safe()
        assert "adding a fixed number to the preceding term [Source 1]." in result.answer
        assert result.answer.endswith(
            "**Sources:**\n"
            "- Source 1: NCERT Mathematics, Class 10, Chapter 5 (Arithmetic Progressions), Page 95\n"
            "- Source 3: NCERT Mathematics, Class 10, Chapter 5 (Arithmetic Progressions), Page 97"
        )
        assert [(c.source_id, c.chunk_id, c.page) for c in result.citations] == [(1, "ap-1", 95), (3, "ap-3", 97)]
        assert all(c.quote in CHUNKS[c.source_id - 1].content for c in result.citations)

    def test_insufficient_context(self):
        result = generate(question="Explain photosynthesis in plants")
        assert result.answer == REFUSAL_MESSAGE
        assert result.status is AnswerStatus.INSUFFICIENT_CONTEXT
        assert result.confidence == 0.0
        assert not result.hallucination_detected
        assert not result.is_safe()

    def test_a_detected_hallucination(self):
        said = (
            "As we know, an arithmetic progression is a common mathematical sequence used in many real-world "
            "applications like calculating interest rates."
        )
        result = generate(FakeClient(said))
        assert result.answer == REFUSAL_MESSAGE
        assert result.status is AnswerStatus.HALLUCINATION_DETECTED
        assert "Answer contains hallucination indicator: 'as we know'" in (result.hallucination_reason or "")
        assert not result.is_safe()
        assert result.citations == []


class TestGates:
    @pytest.mark.parametrize("chunks", [[], None])
    def test_no_context_is_refused_without_asking_the_model(self, chunks):
        client = FakeClient(PRINTED)
        result = generate(client, chunks)
        assert (result.answer, result.status) == (REFUSAL_MESSAGE, AnswerStatus.INSUFFICIENT_CONTEXT)
        assert client.asked == []

    def test_low_confidence_is_refused_without_asking_the_model(self):
        client = FakeClient(PRINTED)
        result = generate(client, min_confidence=0.9)
        assert (result.answer, result.status) == (REFUSAL_MESSAGE, AnswerStatus.LOW_CONFIDENCE)
        assert result.confidence == 0.85
        assert client.asked == []

    def test_the_threshold_is_inclusive(self):
        assert generate(chunks=CHUNKS[:1], min_confidence=0.88).is_safe()

    def test_the_best_chunk_decides_and_the_mean_is_reported(self):
        weak = Chunk("Polynomials are something else.", 0.1, "p", 20)
        result = generate(chunks=[CHUNKS[0], weak, weak, weak])
        assert result.is_safe()
        assert result.confidence == pytest.approx((0.88 + 3 * 0.1) / 4, abs=1e-4)

    def test_a_cited_chunk_has_to_be_confident_too(self):
        weak = Chunk(CHUNKS[2].content, 0.2, "ap-3", 97)
        result = generate(FakeClient(PRINTED), [CHUNKS[0], CHUNKS[1], weak])
        assert (result.answer, result.status) == (REFUSAL_MESSAGE, AnswerStatus.LOW_CONFIDENCE)

    def test_a_question_in_hindi_is_refused_in_hindi(self):
        result = generate(chunks=[], question="समांतर श्रेढ़ी क्या है?")
        assert (result.answer, result.language) == (REFUSAL_MESSAGE_HI, "hi")

    def test_without_detection_the_refusal_is_in_english(self):
        result = generate(chunks=[], question="समांतर श्रेढ़ी क्या है?", auto_detect_language=False)
        assert result.answer == REFUSAL_MESSAGE


class TestTheModel:
    def test_it_is_asked_once_at_temperature_zero_with_the_rules_and_the_sources(self):
        client = FakeClient(PRINTED)
        generate(client, temperature=0.7, model_name="some-model", max_tokens=321)
        (request,) = client.asked
        assert (request["temperature"], request["model"], request["max_tokens"]) == (0.0, "some-model", 321)
        said = "\n".join(str(message["content"]) for message in request["messages"])  # type: ignore[attr-defined]
        assert "only what the sources say" in said
        assert all(chunk.content in said for chunk in CHUNKS)

    @pytest.mark.parametrize(
        "client", [FakeClient(RuntimeError("down")), FakeClient(None), FakeClient(""), FakeClient(PRINTED, "length")]
    )
    def test_a_model_that_fails_is_an_error_and_no_answer(self, client):
        result = generate(client)
        assert (result.answer, result.status) == (REFUSAL_MESSAGE, AnswerStatus.ERROR)
        assert not result.is_safe()
        assert (result.refusal_reason or "").startswith("generation_error")

    def test_a_model_that_declines_is_believed(self):
        result = generate(FakeClient("I don\u2019t know based on NCERT textbooks."))
        assert (result.answer, result.status) == (REFUSAL_MESSAGE, AnswerStatus.INSUFFICIENT_CONTEXT)

    @pytest.mark.parametrize(
        "said",
        [
            PRINTED.replace("[Source 3]", "[Source 7]"),
            PRINTED.replace(" [Source 3]", ""),
            PRINTED.replace("[Source 3]", "[Source X]"),
            PRINTED.replace("is called", "is not called"),
            PRINTED + " Everyone knows that [Source 1].",
            f"{REFUSAL_MESSAGE} But 2, 5, 8 is one [Source 2].",
        ],
    )
    def test_what_fails_a_check_is_never_shown(self, said):
        result = generate(FakeClient(said))
        assert (result.answer, result.status) == (REFUSAL_MESSAGE, AnswerStatus.HALLUCINATION_DETECTED)
        assert result.hallucination_reason

    def test_no_switch_switches_the_contract_off(self):
        off = {"enable_hallucination_detection": False, "enable_answer_verification": False, "require_citations": False}
        result = generate(FakeClient(PRINTED.replace(" [Source 3]", "")), **off)
        assert (result.answer, result.status) == (REFUSAL_MESSAGE, AnswerStatus.HALLUCINATION_DETECTED)
        assert result.hallucination_detected
        assert result.hallucination_reason is None
        assert generate(FakeClient(PRINTED), **off).grounding_score is None


class TestPresentation:
    @pytest.mark.parametrize(
        ("style", "shown"),
        [
            (CitationStyle.INLINE, "[Source 1]"),
            (CitationStyle.FULL, "[Source 1]"),
            (CitationStyle.FOOTNOTE, "[^1]"),
            (CitationStyle.NUMBER, "[1]"),
            (CitationStyle.SIMPLE, "(Chapter 5, Page 95)"),
        ],
    )
    def test_every_style_shows_its_citation(self, style, shown):
        assert shown in generate(citation_style=style).answer

    def test_no_style_shows_none_and_the_citations_are_there_all_the_same(self):
        result = generate(citation_style=CitationStyle.NONE)
        assert "[" not in result.answer
        assert result.citations[0].source_id == 1

    def test_to_dict_is_json(self):
        result = generate(FakeClient(PRINTED))
        data = json.loads(json.dumps(result.to_dict()))
        assert (data["status"], data["is_safe"], data["confidence"]) == ("success", True, 0.85)
        assert data["citations"][0]["page"] == 95

    def test_mappings_are_chunks_too(self):
        plain = [{"content": c.content, "confidence": c.confidence, "metadata": c.metadata} for c in CHUNKS]
        assert generate(chunks=plain).is_safe()

    def test_the_numbers_are_the_callers_even_where_a_chunk_is_empty(self):
        empty = Chunk("", 0.9, "none", 1)
        result = generate(FakeClient(f"{CHUNKS[0].content.split('. ')[0]} [Source 2]."), [empty, CHUNKS[0]])
        assert result.is_safe()
        assert [c.chunk_id for c in result.citations] == ["ap-1"]


class TestDetectHallucination:
    def test_a_sound_answer_shows_no_sign(self):
        assert detect_hallucination(PRINTED, CHUNKS) == (False, None)
        assert detect_hallucination(REFUSAL_MESSAGE, CHUNKS) == (False, None)

    def test_a_finished_answer_may_list_its_sources(self):
        assert detect_hallucination(generate(FakeClient(PRINTED)).answer, CHUNKS) == (False, None)

    def test_a_list_of_sources_hides_no_claim(self):
        answer = f"{PRINTED}\n\n**Sources:**\n- Source 1: a book\nThe moon is made of cheese."
        assert detect_hallucination(answer, CHUNKS)[0]

    @pytest.mark.parametrize(
        ("answer", "sign"),
        [
            ("An arithmetic progression is a sequence of numbers.", "no citations"),
            ("As we know, an arithmetic progression is a sequence of numbers [Source 1].", "'as we know'"),
            ("Typically, an arithmetic progression is a sequence of numbers [Source 1].", "'typically'"),
            ("It is well known that an AP is a sequence of numbers [Source 1].", "'it is well known'"),
            ("An arithmetic progression is a sequence of numbers [Source 4].", "non-existent Source 4"),
            ("An arithmetic progression is a sequence [Source 0].", "non-existent Source 0"),
            ("An arithmetic progression is a sequence of numbers [Source 1]. It is fun.", "without a citation"),
            ("An arithmetic progression is a sequence of numbers [Source one].", "[Source one]"),
            (" ".join(["An arithmetic progression is a sequence of numbers [Source 1]."] * 40), "longer than context"),
            ("2, 5, 8, 11 is an arithmetic progression with common difference 4 [Source 2].", "4"),
        ],
    )
    def test_a_sign_is_named(self, answer, sign):
        detected, reason = detect_hallucination(answer, CHUNKS)
        assert detected
        assert sign in (reason or "")

    def test_an_indicator_is_whole_words_and_not_the_sources_own(self):
        source = [{"content": "In general, the unusually long term is denoted by d.", "confidence": 0.9}]
        assert detect_hallucination("In general, the unusually long term is denoted by d [Source 1].", source) == (
            False,
            None,
        )
        assert detect_hallucination("The unusually long term is denoted by d [Source 1].", source) == (False, None)


class TestVerifyGrounding:
    def test_two_of_two(self):
        assert verify_grounding(PRINTED, CHUNKS) == (True, 1.0)

    def test_below_seventy_percent_is_not_grounded(self):
        half = f"{CHUNKS[0].content.split('. ')[0]} [Source 1]. Bananas ripen quickly in warm places [Source 1]."
        assert verify_grounding(half, CHUNKS) == (False, 0.5)

    @pytest.mark.parametrize(("answer", "chunks"), [("", CHUNKS), (PRINTED, []), (REFUSAL_MESSAGE, [])])
    def test_nothing_is_not_grounded(self, answer, chunks):
        assert verify_grounding(answer, chunks) == (False, 0.0)
