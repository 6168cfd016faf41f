"""The sets in our own words hold what they promise, and the benchmark counts and samples as it says."""

from collections import Counter
from pathlib import Path

import pytest

import footnotary
from benchmarks.quality.answering.asking import OutcomeCache, TrialOutcome
from benchmarks.quality.answering.own_sets import SETS, own_kinds
from benchmarks.quality.answering.report import Share, failed, figures, reasons
from benchmarks.quality.answering.trials import QuestionKind, SourceFile, TrialQuestion
from benchmarks.quality.encoder_sets import read

DEMO = Path(footnotary.__file__).parent / "demo_corpus"


def outcome(*, answerable: bool, answered: bool, reason: str = "", cites_gold: bool | None = None) -> TrialOutcome:
    key = f"{answerable} {answered} {reason}"
    return TrialOutcome(key, "why", answerable, "", answered, reason, "text", ("A_1_0",), cites_gold, None, 0.1)


@pytest.mark.parametrize(
    ("name", "documents", "each"),
    [("small_documents.jsonl", 24, 3), ("hindi_questions.jsonl", 15, 2), ("hindi_pages.jsonl", 60, 3)],
)
def test_every_document_has_its_questions_and_the_words_that_answer(name, documents, each):
    rows = read(SETS / name)
    assert len({row["id"] for row in rows}) == len(rows) == documents
    for row in rows:
        assert len(row["answerable"]) == len(row["unanswerable"]) == each
        assert all(asked["phrase"] in row["text"] for asked in row["answerable"])


def test_answerable_questions_on_the_demo_corpus_have_their_words_in_it():
    corpus = "\n".join(path.read_text(encoding="utf-8") for path in DEMO.iterdir() if path.is_file())
    rows = read(SETS / "demo_corpus.jsonl")
    assert Counter(row["answerable"] for row in rows) == {True: 40, False: 20}
    assert all(row["phrase"] in corpus and row["gold"] for row in rows if row["answerable"])


def test_law_questions_name_their_sections():
    rows = read(SETS / "law_in_lay_words.jsonl")
    assert Counter(row["answerable"] for row in rows) == {True: 45, False: 15}
    assert all(row["gold"] for row in rows if row["answerable"])


def test_drafts_are_half_on_and_half_off_the_question():
    rows = read(SETS / "off_question_drafts.jsonl")
    assert Counter(row["label"] for row in rows) == {"on": 150, "off": 150}
    kinds = {row["kind"] for row in rows if row["label"] == "off"}
    assert {"neighbour entity", "other year", "other unit", "other role", "other aspect"} < kinds
    assert {"question said back", "fragment", "link"} < kinds


def test_the_sets_of_our_own_need_no_data_folder(tmp_path):
    kinds = list(own_kinds(tmp_path / "missing"))
    assert [kind.name for kind in kinds] == [
        "small documents",
        "pages",
        "further pages",
        "demo corpus",
        "Hindi texts",
        "Hindi pages",
        "off-question drafts",
    ]
    assert all(question.project in kind.projects for kind in kinds for question in kind.questions)


def test_a_larger_sample_adds_to_a_smaller_one():
    questions = [TrialQuestion(str(n), n % 2 == 0, "p") for n in range(40)]
    kind = QuestionKind("a kind", questions, {"p": []}, 5)
    small, large = kind.sampled(None, 0), kind.sampled(9, 0)
    assert len(small) == 10
    assert set(small) < set(large)
    assert small != kind.sampled(None, 1)


def test_false_answers_and_wrong_refusals_are_counted_apart():
    outcomes = [
        outcome(answerable=True, answered=True, cites_gold=True),
        outcome(answerable=True, answered=True, cites_gold=False),
        outcome(answerable=True, answered=False, reason="no_answer"),
        outcome(answerable=False, answered=True),
        outcome(answerable=False, answered=False, reason="no_answer"),
    ]
    held = figures(outcomes)
    assert (held["false answers"].count, held["false answers"].of) == (1, 2)
    assert (held["wrong refusals"].count, held["wrong refusals"].of) == (1, 3)
    assert (held["answers that cite gold"].count, held["answers that cite gold"].of) == (1, 2)
    assert reasons(outcomes) == {"no_answer": 1}
    assert failed(outcomes) == ["no_answer: why", "answered: why"]


def test_wilson_bounds():
    low, high = Share(0, 10).bounds
    assert (low, round(high, 3)) == (0.0, 0.278)
    low, high = Share(5, 10).bounds
    assert (round(low, 3), round(high, 3)) == (0.237, 0.763)


def test_an_interrupted_run_keeps_its_outcomes(tmp_path):
    questions = [TrialQuestion("why", True, "p"), TrialQuestion("how", True, "p")]
    kind = QuestionKind("a kind", questions, {"p": [SourceFile("a.txt", "text")]}, 5)
    first, second = (
        TrialOutcome(asked.key(), asked.question, True, "", True, "", "text", ("A_1_0",), None, None, 0.1)
        for asked in questions
    )
    OutcomeCache(tmp_path, kind, fresh=False).add(first)
    with next(tmp_path.iterdir()).open("a") as file:
        file.write('{"key": "cut of')
    OutcomeCache(tmp_path, kind, fresh=False).add(second)
    again = OutcomeCache(tmp_path, kind, fresh=False)
    assert [again.get(question) for question in questions] == [first, second]
    other = QuestionKind("a kind", questions, {"p": [SourceFile("a.txt", "another text")]}, 5)
    assert OutcomeCache(tmp_path, other, fresh=False).get(questions[0]) is None
    assert OutcomeCache(tmp_path, kind, fresh=True).get(questions[0]) is None
