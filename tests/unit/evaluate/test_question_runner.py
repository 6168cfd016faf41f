"""Questions asked for an evaluation: what is noted of an outcome, what is hidden, and what is kept."""

from dataclasses import replace

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Filters, Reference, Scope
from footnotary.engine import Engine
from footnotary.errors import ModelError
from footnotary.evaluate.answers.evaluation import (
    ProductIdentity,
    measure_outcomes,
    run_questions,
    stage_times,
    summarize_results,
)
from footnotary.evaluate.answers.question_runner import (
    FailedQuestion,
    QuestionRunner,
    ask_concurrently,
    contract_violations,
    product_verifier,
)
from footnotary.evaluate.answers.report import markdown
from footnotary.evaluate.answers.resumable_outcomes import open_outcome_file
from footnotary.evaluate.answers.token_usage import ModelUsage, UsageCountingModel
from footnotary.evaluate.datasets.questions import Question
from footnotary.evaluate.hidden_passages import PassageHidingStore
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ports import Message, ScoredId
from footnotary.profiles.load import load_profile
from footnotary.testing.builders import chunk_of
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.verify.run import checks_for

LEGAL = load_profile("legal")
ACT = """CODE: Leave
KIND: act

Section 2. Annual leave.
Every worker shall be given eighteen days of paid leave in each year.

Section 3. Penalty for refusing leave.
Whoever refuses annual leave shall be punished with a fine of five thousand rupees.
"""
PRODUCT = ProductIdentity("0", "legal", "digest", "extractive", "hash", "", "")


def question(text="How many days of annual leave does a worker get?", name="q1", expected="answer", **fields):
    values = {"answers": (), "relevant": {"Leave_2": 1.0}, "tags": ("leave",), "group": name} | fields
    return Question(name, "leave", text, expected, **values)


@pytest.fixture(scope="module")
def engine():
    store, embedder = DictStore(), HashEmbedder()
    assert not Corpus(store, embedder).ingest_text("leave.txt", ACT, "law").failed
    return Engine(store, embedder, ExtractiveGenerator(LEGAL), LEGAL, checks_for(LEGAL))


@pytest.fixture
def runner(engine):
    return QuestionRunner(engine, Scope("law"), product_verifier(LEGAL, None))


def test_an_answer_is_noted_with_its_claims_scored_its_hits_named_and_its_stages_timed(runner):
    outcome = runner.ask(question())
    assert outcome.answered
    assert outcome.cited == ("Leave_2_0",)
    assert all(claim.recalled and all(claim.precise) for claim in outcome.claims)
    assert outcome.hits[0].names[:2] == ("Leave_2_0", "Leave_2")
    assert list(outcome.stages_ms) == ["understood", "retrieved", "gated", "drafting", "drafted", "verified", "done"]
    assert outcome.total_ms == sum(outcome.stages_ms.values()) > 0
    assert outcome.escapes == ()


def test_a_question_whose_source_is_hidden_is_refused(runner):
    outcome = runner.ask(question(without=("Leave_2",)))
    assert not outcome.answered
    assert outcome.text == LEGAL.refusal.en
    assert "Leave_2_0" not in {name for hit in outcome.hits for name in hit.names}


@pytest.mark.parametrize("name", ["Leave_2_0", "Leave_2", "leave.txt"])
def test_no_way_of_looking_finds_a_hidden_passage(engine, name):
    store = PassageHidingStore(engine.store, [name])
    (document,) = store.documents("law")
    name = document.id if name == "leave.txt" else name
    store = PassageHidingStore(engine.store, [name])
    vector = engine.embedder.embed_question("annual leave")
    found = [scored.id for scored in store.lexical("law", ["annual", "leav"], 5, Filters())]
    found += [scored.id for scored in store.dense("law", vector, 5, Filters())]
    for ways in store.lexical_and_dense("law", ["annual", "leav"], vector, 5, Filters()):
        found += [scored.id for scored in ways]
    found += store.lookup("law", Reference("2"), Filters())
    found += [chunk.id for chunk in store.chunks("law", ["Leave_2_0", "Leave_3_0"])]
    assert "Leave_2_0" not in found
    assert ("Leave_3_0" in found) == (name != document.id)


class Many:
    """A store in which the hidden ones come first, and there are many of them."""

    def __init__(self, hidden, others):
        self._ids = [f"Long_{n}_0" for n in range(hidden)] + [f"Other_{n}_0" for n in range(others)]

    def lexical(self, project, terms, k, filters):
        return [ScoredId(cited, 1.0) for cited in self._ids[:k]]

    def dense(self, project, vector, k, filters):
        return self.lexical(project, (), k, filters)

    def chunks(self, project, ids):
        return [chunk_of(cited, "Boxes are kept dry.") for cited in ids]


@pytest.mark.parametrize("hidden", [0, 50, 300])
def test_what_is_not_hidden_is_found_behind_any_number_of_hidden_passages(hidden):
    store = PassageHidingStore(Many(hidden, 7), ["Long.txt"])
    for found in store.lexical_and_dense("law", ["box"], [1.0], 5, Filters()):
        assert [scored.id for scored in found] == [f"Other_{n}_0" for n in range(5)]
    assert len(store.lexical("law", ["box"], 9, Filters())) == 7


def test_each_way_to_break_the_contract_is_said(engine):
    outcome = engine.ask("How many days of annual leave does a worker get?", Scope("law"))
    assert isinstance(outcome, Answer)
    assert contract_violations(outcome, LEGAL) == ()
    (first, *_) = outcome.claims

    def broken(**fields):
        copy = replace(outcome)
        for name, value in fields.items():
            object.__setattr__(copy, name, value)  # past the constructor, which would refuse
        return contract_violations(copy, LEGAL)

    assert broken(claims=(replace(first, cites=()),)) == ("claim 1 cites nothing",)
    assert "which was not retrieved" in broken(claims=(replace(first, cites=("Leave_9_0",)),))[0]
    assert broken(citations=()) == ("claim 1 cites [Leave_2_0] without a quote",)
    altered = replace(outcome.citations[0], quote="eighty days")
    assert broken(citations=(altered,)) == ("the quote for [Leave_2_0] is not in its text",)
    refusal = engine.ask("Who won the football match?", Scope("law"))
    assert contract_violations(refusal, LEGAL) == ()
    assert contract_violations(replace(refusal, message="I am not sure, but"), LEGAL) == (
        "the refusal is not the profile's text",
    )


def test_many_questions_are_asked_at_once_and_each_gets_its_own(runner):
    questions = [
        question(name=f"q{n}", text=f"How many days of annual leave does a worker get in {2000 + n}?") for n in range(7)
    ]
    found = {q.id: outcome for q, outcome in ask_concurrently(questions, lambda _: runner, jobs=3)}
    assert set(found) == {q.id for q in questions}
    assert not any(isinstance(outcome, FailedQuestion) for outcome in found.values())


class Down:
    name = "down"

    def generate(self, query, evidence):
        raise ModelError("the server is gone", hint="start it")


def test_a_failure_is_noted_and_not_kept(runner, tmp_path):
    broken = replace(runner, engine=replace(runner.engine, generator=Down()))
    with open_outcome_file(tmp_path / "o.jsonl", "product") as kept:
        failed = run_questions([question()], kept, broken)
        assert failed["q1"].error == "the server is gone"
        assert question() not in kept
        assert run_questions([question()], kept, runner) == {}
        assert kept[question()].answered


def test_what_is_kept_is_not_asked_again_and_another_product_starts_over(runner, tmp_path):
    path = tmp_path / "o.jsonl"
    questions = [question(), question("Who refuses leave?", "q2")]
    steps = []
    with open_outcome_file(path, "one") as kept:
        run_questions(questions[:1], kept, runner)
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"dataset": "leave", "key": "cut o')
    with open_outcome_file(path, "one") as kept:
        assert questions[0] in kept
        run_questions(questions, kept, runner, step=lambda done, total: steps.append((done, total)))
    assert steps == [(1, 2), (2, 2)]
    with open_outcome_file(path, "one") as kept:
        assert all(q in kept for q in questions)
        assert question("Another?") not in kept
    with open_outcome_file(path, "other") as kept:
        assert not any(q in kept for q in questions)


def test_parts_are_the_dataset_and_its_tags(runner):
    outcome = [
        (q, runner.ask(q)) for q in (question(), question("Who won?", "q2", "refusal", relevant={}, tags=("off",)))
    ]
    found = summarize_results(measure_outcomes(outcome), PRODUCT)
    assert [(part.dataset, part.tag, part.questions) for part in found.parts] == [
        ("leave", "", 2),
        ("leave", "leave", 1),
        ("leave", "off", 1),
    ]
    assert found.whole.estimates["answer_f1"].value == found.whole.estimates["refusal_f1"].value == 1.0
    times = stage_times(found.rows)
    assert list(times)[-1] == "total"
    assert all(0 <= median <= high for median, high in times.values())


def test_names_and_tags_of_a_dataset_are_no_markup_of_the_markdown_report(runner):
    odd = ("two\nlines | and <img src=x>", "plain")
    found = summarize_results(measure_outcomes([(one, runner.ask(one)) for one in (question(tags=odd),)]), PRODUCT)
    table = [line for line in markdown(found).splitlines() if "two" in line]
    assert table[0].startswith("| – two lines \\| and &lt;img src=x> | 1 |")


def test_a_metered_model_counts_what_goes_either_way_even_where_it_fails():
    class Model:
        name = "m"

        def complete(self, messages, schema=None):
            if messages[0].content == "fail":
                raise ModelError("no")
            return "four"

    model = UsageCountingModel(Model())
    model.complete([Message("user", "hello"), Message("user", "you")])
    with pytest.raises(ModelError):
        model.complete([Message("user", "fail")])
    assert model.spent() == ModelUsage(2, 12, 4)
    assert model.spent() == ModelUsage()
