"""The measures of whole answers, counted by hand, and what their intervals promise."""

import math
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.errors import UsageError
from footnotary.evaluate.answers.attribution import attribute_statement
from footnotary.evaluate.answers.comparison import RunRow, change_verdict, compare_runs
from footnotary.evaluate.answers.ir_measures_ranking import integer_gains, require_measures
from footnotary.evaluate.answers.metrics import MEASURES, Prices, is_correct, measure_contributions
from footnotary.evaluate.answers.paired_bootstrap import (
    QuestionContribution,
    bootstrap_differences,
    bootstrap_estimates,
)
from footnotary.evaluate.answers.question_runner import FailedQuestion
from footnotary.evaluate.answers.ranking import ndcg_at, ranked_ids, ranking_values, recall_at
from footnotary.evaluate.answers.recorded_outcome import RecordedClaim, RecordedHit, RecordedOutcome, parse_outcome
from footnotary.evaluate.answers.text_match import contains, exact_match, token_f1
from footnotary.evaluate.answers.thresholds import parse_answer_gate
from footnotary.evaluate.datasets.questions import Question


def question(expected="answer", **fields):
    values = {"answers": (), "relevant": {}, "tags": (), "group": "g"} | fields
    return Question("q", "set", "What?", expected, **values)


def hit(*names, score=0.5):
    return RecordedHit(names, score)


def answer(*claims, hits=(), **fields):
    text = " ".join(claim.text for claim in claims)
    return RecordedOutcome(True, "", text, 0.9, claims, hits, (), {"understood": 1.0, "done": 2.0}, **fields)


def claim(text="It is so.", cites=("A_1_0",), recalled=True, precise=(True,)):
    return RecordedClaim(text, cites, recalled, precise)


REFUSED = RecordedOutcome(False, "no_relevant_content", "I cannot.", 0.0, (), (), (), {"understood": 1.0})


def value(name, *pairs):
    rows = [
        QuestionContribution("set", str(n), str(n), (), measure_contributions(q, t)) for n, (q, t) in enumerate(pairs)
    ]
    return bootstrap_estimates(rows, [name])[name].value


def test_refusing_and_answering_are_measured_both_ways():
    pairs = [
        (question(), answer(claim())),
        (question(), answer(claim())),
        (question(), REFUSED),
        (question("refusal"), REFUSED),
        (question("refusal"), answer(claim())),
        (question(None), answer(claim())),
    ]
    assert value("answer_precision", *pairs) == 2 / 3
    assert value("answer_recall", *pairs) == 2 / 3
    assert value("refusal_precision", *pairs) == 1 / 2
    assert value("refusal_recall", *pairs) == 1 / 2
    assert value("refusal_f1", *pairs) == 1 / 2
    assert value("answer_f1", *pairs) == 2 / 3
    assert value("false_answer_rate", *pairs) == 1 / 2
    assert value("false_refusal_rate", *pairs) == 1 / 3


def test_citations_are_averaged_over_the_statements_of_an_answer_and_then_over_answers():
    good = answer(claim(), claim(recalled=False, precise=(False,)))
    other = answer(claim(cites=("A_1_0", "A_2_0"), precise=(True, False)))
    pairs = [(question(), good), (question(), other), (question("refusal"), REFUSED)]
    assert value("citation_recall", *pairs) == (0.5 + 1.0) / 2
    assert value("citation_precision", *pairs) == (0.5 + 0.5) / 2
    assert value("unsupported_claim_rate", *pairs) == 1 / 3


def test_a_statement_is_recalled_by_its_citations_together_and_a_citation_is_precise_where_it_matters():
    def supports(statement, passages):
        return set(statement.split()) <= set(" ".join(passages).split())

    assert attribute_statement("a b", ["a", "b"], supports).precise == (True, True)
    assert attribute_statement("a b", ["a b", "c"], supports).precise == (True, False)
    assert attribute_statement("a b", ["a b", "a b"], supports).precise == (True, True)
    assert attribute_statement("a b", ["a", "c"], supports) == attribute_statement("a b", ["c", "a"], supports)
    assert not attribute_statement("a", [], supports).recalled


def test_a_source_is_relevant_by_any_of_its_names():
    outcome = answer(claim(cites=("A_1_3",)), hits=(hit("A_1_3", "A_1", "doc"), hit("B_1_0", "B_1", "doc2")))
    for name in ("A_1_3", "A_1", "doc"):
        found = measure_contributions(question(relevant={name: 1.0}), outcome)
        assert (
            found["source_recall"] == found["source_precision"] == found["recall@1"] == found["ndcg@10"] == (1.0, 1.0)
        )
    assert measure_contributions(question(relevant={"B_1": 1.0}), outcome)["source_recall"] == (0.0, 1.0)
    assert measure_contributions(question(relevant={"B_1": 1.0}), outcome)["recall@3"] == (1.0, 1.0)


def test_passages_of_one_relevant_section_count_once():
    assert ranked_ids([hit("A_1_0", "A_1"), hit("A_1_1", "A_1"), hit("B_1_0", "B_1")], {"A_1": 1.0}) == ("A_1", "B_1_0")


def test_recall_and_ndcg_as_counted_by_hand():
    relevant = {"a": 2.0, "b": 1.0, "c": 1.0}
    assert recall_at(2, ["a", "x", "b"], relevant) == 1 / 3
    ideal = 2 + 1 / math.log2(3) + 1 / 2
    assert ndcg_at(10, ["x", "a", "b"], relevant) == pytest.approx((2 / math.log2(3) + 1 / 2) / ideal)


def test_ranking_through_ir_measures_gives_the_same():
    through = pytest.importorskip("ir_measures", reason="ir-measures is not installed: the extra eval")
    from footnotary.evaluate.answers.ir_measures_ranking import is_available, values_by_question

    assert through
    if not is_available():
        pytest.skip("no evaluator for nDCG is installed beside ir-measures")
    relevant = {"q1": {"a": 2.0, "b": 1.0, "z": 1.0}, "q2": {"c": 1.0}, "q3": {"d": 1.0}}
    rankings = {"q1": ("x", "a", "b"), "q2": ("c",), "q3": ()}
    found = values_by_question(rankings, relevant, ["RR@10"])
    for name, ranking in rankings.items():
        ours = ranking_values(ranking, relevant[name])
        assert {key: pytest.approx(val) for key, val in ours.items()} == {
            k: v for k, v in found[name].items() if k in ours
        }
    assert found["q1"]["RR@10"] == 0.5


def test_gains_are_whole_in_the_same_proportions_and_none_is_lost():
    assert integer_gains({"a": 2.0, "b": 1.0}) == {"a": 2, "b": 1}
    assert integer_gains({"a": 0.5, "b": 0.25, "c": 1.0}) == {"a": 500, "b": 250, "c": 1000}
    assert integer_gains({"a": 0.4}) == {"a": 400}


def parse_measure(name):
    if name == "MRRR":
        raise NameError(name)
    return name


@pytest.mark.parametrize(
    ("name", "says"), [("MRRR", "unrecognized ir-measures measure"), ("ERR@5", "no installed provider")]
)
def test_a_measure_that_cannot_be_had_is_said_before_anything_is_measured(name, says, monkeypatch):
    pipeline = SimpleNamespace(supports=lambda measure: measure != "ERR@5")
    library = SimpleNamespace(parse_measure=parse_measure, DefaultPipeline=pipeline)
    monkeypatch.setitem(sys.modules, "ir_measures", library)
    with pytest.raises(UsageError, match=says):
        require_measures(["RR@10", name])


def test_words_are_compared_without_case_punctuation_and_articles_in_any_script():
    assert exact_match("The  Panthers.", "panthers")
    assert not exact_match("अठारह दिन", "अस्सी दिन")
    assert token_f1("the cat sat", "a cat") == pytest.approx(2 / 3)
    assert token_f1("", "") == 1.0
    assert token_f1("x", "") == 0.0
    assert contains("He paid 308 points, then left.", "308 Points")
    assert not contains("He paid 1308 points", "308 points")


def test_punctuation_inside_a_word_counts_as_squad_counts_it():
    for said, expected in (
        ("10,000 rupees", "10000 rupees"),
        ("the U.S.", "US"),
        ("The worker’s leave", "worker's leave"),
    ):
        assert exact_match(said, expected)
        assert token_f1(said, expected) == 1.0
    assert token_f1("a well-known rule", "well known rule") == 0.4
    assert not exact_match("एक—दो", "एकदो")
    assert contains("a well-known rule", "known rule")


def test_an_answer_is_wrong_where_a_refusal_was_expected_or_no_relevant_source_is_cited():
    outcome = answer(claim("It is 18 days.", ("A_1_0",)), hits=(hit("A_1_0", "A_1"),))
    assert is_correct(question("refusal"), outcome) is False
    assert is_correct(question(relevant={"A_1": 1.0}), outcome) is True
    assert is_correct(question(relevant={"B_1": 1.0}), outcome) is False
    assert is_correct(question(answers=("18 days",)), outcome) is True
    assert is_correct(question(answers=("80 months",)), outcome) is False
    assert is_correct(question(None), outcome) is None


def test_a_failure_counts_in_nothing_but_failures():
    assert measure_contributions(question(), FailedQuestion("down")) == {"failures": (1.0, 1.0)}
    assert value("failures", (question(), FailedQuestion("down")), (question(), REFUSED)) == 0.5


def test_cost_is_what_the_characters_come_to():
    outcome = answer(claim(), model_calls=1, chars_sent=4_000, chars_received=400)
    assert measure_contributions(question(), outcome, Prices(2.0, 10.0))["cost"] == (pytest.approx(0.002 + 0.001), 1.0)


def test_what_was_sent_reads_back_as_it_was_written():
    outcome = answer(claim(), hits=(hit("A_1_0", "A_1"),), chars_sent=3)
    assert parse_outcome(outcome.record()) == outcome
    assert parse_outcome(REFUSED.record()) == REFUSED


def row(number, top, bottom=1.0):
    return QuestionContribution("set", str(number), str(number), (), {"token_f1": (top, bottom)})


def test_an_interval_of_what_all_agree_in_is_the_exact_one():
    rows = [
        QuestionContribution("s", str(n), str(n), (), {"contract_escapes": (0.0, 1.0), "cost": (0.0, 1.0)})
        for n in range(60)
    ]
    found = bootstrap_estimates(rows, ["contract_escapes", "cost", "exact_match"])
    assert found["contract_escapes"].low == 0.0
    assert found["contract_escapes"].high == pytest.approx(1 - 0.025 ** (1 / 60), abs=1e-6)
    assert found["cost"].high == 0.0
    assert found["exact_match"].value is None


@given(st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=5, max_size=30))
def test_an_interval_holds_its_value_and_is_the_same_every_time(values):
    rows = [row(n, v) for n, v in enumerate(values)]
    found = bootstrap_estimates(rows, ["token_f1"])["token_f1"]
    assert found == bootstrap_estimates(rows, ["token_f1"])["token_f1"]
    assert found.low - 1e-9 <= found.value <= found.high + 1e-9


def test_a_paired_difference_is_clear_where_every_question_changed_alike():
    first = [row(n, (n % 5) / 10) for n in range(40)]
    second = [row(n, (n % 5) / 10 + 0.2) for n in range(40)]
    found = bootstrap_differences(first, second, ["token_f1"])["token_f1"]
    assert found.change.value == pytest.approx(0.2)
    assert found.change.low == pytest.approx(0.2)  # the pairs cancel what differs between questions
    assert found.is_clear
    assert not bootstrap_differences(first, first, ["token_f1"])["token_f1"].is_clear


@pytest.mark.parametrize(("changed", "clear"), [(2, False), (5, False), (6, True)])
def test_a_share_that_changed_for_few_questions_alone_did_not_change_clearly(changed, clear):
    first, second = [row(n, 1.0) for n in range(changed)], [row(n, 0.0) for n in range(changed)]
    assert bootstrap_differences(first, second, ["token_f1"])["token_f1"].is_clear is clear


def test_rows_of_two_datasets_are_drawn_apart_though_their_groups_have_one_name():
    values = [0.0, 1.0, 1.0, 1.0]
    named = [
        QuestionContribution(f"set{n}", "row 1", "row 1", (), {"token_f1": (v, 1.0)}) for n, v in enumerate(values)
    ]
    found = bootstrap_estimates(named, ["token_f1"])["token_f1"]
    assert found == bootstrap_estimates([row(n, v) for n, v in enumerate(values)], ["token_f1"])["token_f1"]
    assert found.low is not None


def kept_row(number, outcome, **values):
    fractions = {name: (value, 1.0) for name, value in values.items()}
    return RunRow(QuestionContribution("set", str(number), str(number), (), fractions), "key", "What?", outcome, None)


def test_a_question_that_failed_in_one_run_is_compared_in_failures_alone():
    hard, easy = range(10), range(10, 20)
    first = {n: kept_row(n, "answer", token_f1=float(n in easy), failures=0.0) for n in (*hard, *easy)}
    second = first | {n: kept_row(n, "failed", failures=1.0) for n in hard}
    found = compare_runs(first, second)
    assert change_verdict("token_f1", found.differences["token_f1"]) == "same"
    assert change_verdict("failures", found.differences["failures"]) == "worse"
    assert len(found.changed) == 10


def test_a_question_of_which_the_runs_expect_different_things_is_in_no_figure():
    first = {n: kept_row(n, "answer", token_f1=1.0) for n in range(10)}
    changed = {n: replace(kept_row(n, "answer", token_f1=0.0), expected="refusal") for n in range(4)}
    found = compare_runs(first, first | changed)
    assert (found.questions, found.expected_otherwise, found.left_out) == (6, 4, 0)
    assert change_verdict("token_f1", found.differences["token_f1"]) == "same"
    assert not found.changed
    noted = {n: replace(row, wanted="one") for n, row in first.items()}
    other = noted | {0: replace(noted[0], wanted="another")}
    assert compare_runs(noted, other).expected_otherwise == 1
    assert compare_runs(first, other).expected_otherwise == 0  # an older run did not note it
    with pytest.raises(UsageError, match="differ in the expected outcome of every question"):
        compare_runs({0: first[0]}, {0: changed[0]})


def test_a_gate_names_a_measure_on_the_side_on_which_it_is_worse():
    assert parse_answer_gate("law:citation_recall=0.95", "under").dataset == "law"
    assert parse_answer_gate("contract_escapes=0", "over").limit == 0.0
    for text, side in (
        ("contract_escapes=0", "under"),
        ("citation_recall=1", "over"),
        ("x=1", "under"),
        ("token_f1=", "under"),
        ("words_per_answer=3", "under"),
        ("false_answer_rate=5", "over"),
        ("citation_recall=95", "under"),
        ("citation_recall=nan", "under"),
    ):
        with pytest.raises(UsageError, match="invalid gate"):
            parse_answer_gate(text, side)
    assert parse_answer_gate("mean_ms=900", "over").limit == 900.0


def test_every_measure_has_a_title_of_its_own():
    assert len({measure.title for measure in MEASURES.values()}) == len(MEASURES)
