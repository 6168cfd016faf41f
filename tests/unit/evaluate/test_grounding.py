"""Scoring and measuring rows: what is scored, what is kept, what is skipped, and what a report shows."""

import json
from functools import partial
from html.parser import HTMLParser

import pytest

from footnotary.errors import BackendError, UsageError
from footnotary.evaluate.datasets.labelled_rows import LabelledRow
from footnotary.evaluate.grounding.evaluation import (
    NO_ANSWERABILITY,
    SENTENCE_TASK,
    data_digest,
    evaluate_grounding,
    score_rows,
    scorer_identity,
    split_scorable,
)
from footnotary.evaluate.grounding.report import grounding_report_record, html, markdown
from footnotary.evaluate.grounding.resumable_scores import open_score_file
from footnotary.evaluate.grounding.scoring import ProductScorer, RowScorers, Score, score_concurrently, scored_texts
from footnotary.evaluate.grounding.thresholds import GroundingGate, failed_grounding_gates, parse_grounding_gate
from footnotary.profiles.load import load_profile

DEFAULT = load_profile("default")


class Digits:
    """Scores a claim by its last digit, and remembers what it was asked."""

    name = "digits"

    def __init__(self):
        self.asked = []

    def scores(self, claims):
        self.asked += [claim for claim, _ in claims]
        return [int(claim.rstrip(".")[-1]) / 10 for claim, _ in claims]


class Interrupts(Digits):
    def __init__(self, after):
        super().__init__()
        self.after = after

    def scores(self, claims):
        if len(self.asked) >= self.after:
            raise KeyboardInterrupt
        return super().scores(claims)


class Answers:
    name = "answers"

    def answers(self, pairs):
        return [0.25 for _ in pairs]


def row(claim, label=1, **more):
    given = {"id": claim, "dataset": "set", "group": claim, "premise": "p", "claim": claim, "label": label}
    return LabelledRow.model_validate(given | more)


def kept_for(rows, scorers):
    with open_score_file(None, "x") as kept:
        score_rows(rows, kept, lambda: scorers)
        return kept


def evaluated(rows, scorer=None, threshold=0.5):
    kept = kept_for(rows, RowScorers(scorer or Digits()))
    return evaluate_grounding(rows, kept, verifier="digits", profile=DEFAULT, threshold=threshold, skipped=())


def test_a_response_is_split_and_scores_as_its_worst_sentence():
    response = row("Rent is due on day 9. The fee is 4. The term is 7.", level="response")
    scorer = Digits()
    assert kept_for([response], RowScorers(scorer))[response] == Score(0.4)
    assert scorer.asked == ["Rent is due on day 9.", "The fee is 4.", "The term is 7."]


def test_a_sentence_that_says_nothing_does_not_count_against_a_response():
    response = row("Here is the answer based on the passages provided: The fee is 8.", level="response")
    assert scored_texts(row("Based on the given passages. The fee is 8.", level="response")) == ("The fee is 8.",)
    assert scored_texts(row("Based on the given passages.", level="response")) == ("Based on the given passages.",)
    assert len(scored_texts(response)) >= 1


def test_a_claim_of_two_sentences_is_scored_as_written():
    assert scored_texts(row("The fee is 4. The term is 7.")) == ("The fee is 4. The term is 7.",)


def test_labelled_sentences_are_scored_in_place_and_measured_apart():
    text = "The fee is 9. The term is 2."
    labelled = row(text, 0, level="response", sentences=[[0, 13, 1], [14, 28, 0]])
    found = evaluated([labelled, row("The rent is 8.", level="response")])
    assert (found.sets[0].scores, found.sets[0].labels) == ((0.2, 0.8), (False, True))
    (sentences,) = found.tasks
    assert (sentences.task, sentences.scores, sentences.labels) == (SENTENCE_TASK, (0.9, 0.2), (True, False))


def test_questions_are_skipped_with_the_reason_where_no_model_scores_them():
    rows = [row("What is 1", level="question"), row("What is 2", 0, level="question"), row("It is 3")]
    left, skipped = split_scorable(rows, answerability=False)
    assert [r.claim for r in left] == ["It is 3"]
    assert (skipped[0].rows, skipped[0].reason) == (2, NO_ANSWERABILITY)
    assert split_scorable(rows, answerability=True) == (tuple(rows), ())


def test_questions_are_scored_by_the_reader_and_claims_by_the_verifier():
    question, claim = row("What is 1", level="question"), row("It is 3")
    kept = kept_for([question, claim], RowScorers(Digits(), Answers()))
    assert (kept[question], kept[claim]) == (Score(0.25), Score(0.3))


def test_a_run_that_was_interrupted_continues_where_it_stopped(tmp_path):
    path = tmp_path / "scores.jsonl"
    rows = [row(f"It is {i}") for i in range(40)]
    with pytest.raises(KeyboardInterrupt), open_score_file(path, "one") as kept:
        score_rows(rows, kept, lambda: RowScorers(Interrupts(after=20)))
    scorer, steps = Digits(), []
    with open_score_file(path, "one") as kept:
        score_rows(rows, kept, lambda: RowScorers(scorer), step=lambda done, total: steps.append((done, total)))
        assert [kept[r].value for r in rows] == [i % 10 / 10 for i in range(40)]
    assert scorer.asked == [f"It is {i}" for i in range(32, 40)]
    assert (steps[0], steps[-1]) == ((32, 40), (40, 40))


def test_a_line_cut_off_in_the_middle_is_scored_again_and_the_file_is_whole_afterwards(tmp_path):
    path = tmp_path / "scores.jsonl"
    rows = [row(f"It is {i}") for i in range(5)]
    with open_score_file(path, "one") as kept:
        score_rows(rows, kept, lambda: RowScorers(Digits()))
    whole = path.read_bytes()
    for cut in (1, 5, 40):
        path.write_bytes(whole[:-cut])
        scorer = Digits()
        with open_score_file(path, "one") as kept:
            score_rows(rows, kept, lambda scorer=scorer: RowScorers(scorer))
        assert scorer.asked == ["It is 4"]
        assert path.read_bytes() == whole


def test_scores_of_another_verifier_are_replaced_and_never_mixed_in(tmp_path):
    path = tmp_path / "scores.jsonl"
    rows = [row("It is 1")]
    for name in ("one", "two", "two"):
        scorer = Digits()
        with open_score_file(path, name) as kept:
            score_rows(rows, kept, lambda scorer=scorer: RowScorers(scorer))
        assert len(path.read_text().splitlines()) == 2
    assert scorer.asked == []
    assert json.loads(path.read_text().splitlines()[0])["verifier"] == "two"


def test_two_runs_at_once_do_not_write_into_each_others_lines(tmp_path):
    path = tmp_path / "scores.jsonl"
    with open_score_file(path, "one") as kept:
        score_rows([row("It is 1")], kept, lambda: RowScorers(Digits()))
        with pytest.raises(UsageError, match="another run is writing"), open_score_file(path, "two"):
            pass
        score_rows([row("It is 2")], kept, lambda: RowScorers(Digits()))
    with open_score_file(path, "one") as kept:
        assert len(kept) == 2


def test_a_row_whose_text_was_changed_is_scored_again(tmp_path):
    path = tmp_path / "scores.jsonl"
    for premise, asked in (("p", ["It is 1"]), ("p", []), ("q", ["It is 1"])):
        scorer = Digits()
        with open_score_file(path, "one") as kept:
            score_rows([row("It is 1", premise=premise)], kept, lambda scorer=scorer: RowScorers(scorer))
        assert scorer.asked == asked


def test_the_identity_changes_with_weights_and_policy():
    legal = load_profile("legal")
    assert len({scorer_identity("a", DEFAULT), scorer_identity("b", DEFAULT), scorer_identity("a", legal)}) == 3


def product() -> RowScorers:
    return RowScorers(ProductScorer(DEFAULT, None, "product"))


def test_two_processes_give_what_one_gives():
    rows = [row(f"The fee for form {i} is {i} rupees.", premise=f"The fee for form {i} is {i % 3} rupees.") for i in range(40)]  # fmt: skip
    assert list(score_concurrently(rows, product, jobs=2)) == list(score_concurrently(rows, product))


def ends_its_process() -> RowScorers:
    import os

    os._exit(9)


def test_a_process_that_dies_is_an_error_with_a_hint_and_not_a_run_that_hangs():
    with pytest.raises(BackendError, match="ended unexpectedly"):
        list(score_concurrently([row(f"It is {i}") for i in range(40)], ends_its_process, jobs=2))


def test_sets_are_measured_by_name_and_their_tasks_below_them():
    rows = [row(f"{t} {i}", i > 5, dataset=d, task=t) for d, t in (("a", "x"), ("a", "y"), ("b", "z")) for i in range(10)]  # fmt: skip
    found = evaluated(rows)
    assert [(p.dataset, p.task) for p in found.sets] == [("a", ""), ("b", "")]
    assert [(p.dataset, p.task) for p in found.tasks] == [("a", "x"), ("a", "y")]
    assert found.sets[1].measured.estimates["auroc"].value == 1.0
    assert found.mean["balanced_accuracy"].value == pytest.approx((1.0 + 5 / 6) / 2)


def test_the_threshold_decides_and_is_inclusive():
    rows = [row(f"It is {i}", i >= 7) for i in range(10)]
    accuracy = {
        t: evaluated(rows, threshold=t).sets[0].measured.estimates["balanced_accuracy"].value for t in (0.5, 0.7)
    }
    assert accuracy[0.7] == 1.0
    assert accuracy[0.5] < 1.0


def test_the_digest_of_the_data_counts_labels_and_not_order():
    one, two = row("It is 1"), row("It is 2")
    assert data_digest([one, two]) == data_digest([two, one])
    assert data_digest([one]) != data_digest([row("It is 1", 0)])


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("balanced_accuracy=0.75", GroundingGate("balanced_accuracy", 0.75)),
        ("rag:truth:auroc=1", GroundingGate("auroc", 1.0, "rag:truth")),
    ],
)
def test_a_gate_is_read(text, gate):
    assert parse_grounding_gate(text) == gate


@pytest.mark.parametrize(
    "text", ["", "auroc", "auroc=", "auroc=x", "auroc=75", "nonsense=0.5", "brier=0.2", "auroc=nan"]
)
def test_what_is_no_gate_is_said_with_the_measures_there_are(text):
    with pytest.raises(UsageError, match="invalid gate") as caught:
        parse_grounding_gate(text)
    assert "balanced_accuracy" in caught.value.hint


def test_gates_compare_the_mean_or_one_set_and_the_undefined_does_not_pass():
    found = evaluated([row(f"It is {i}", i >= 5) for i in range(10)] + [row("One 9", dataset="single")])
    assert (
        failed_grounding_gates(found, [GroundingGate("balanced_accuracy", 1.0), GroundingGate("auroc", 1.0, "set")])
        == []
    )
    (missed,) = failed_grounding_gates(found, [GroundingGate("auroc", 0.5, "single")])
    assert "undefined" in missed
    with pytest.raises(UsageError, match="gate on dataset 'other', which is not part of this run"):
        failed_grounding_gates(found, [GroundingGate("auroc", 0.5, "other")])


class _Reads(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_is_self_contained_and_its_text_is_escaped():
    hostile = '<script>alert("x")</script>'
    rows = [
        row(f"{d} {i}", i % 2, dataset=d, task=hostile if i < 5 else "t") for d in ("a", hostile) for i in range(10)
    ]
    page = html(evaluated(rows))
    reads = _Reads()
    reads.feed(page)
    assert "script" not in reads.tags
    assert reads.links == []
    assert "url(" not in page
    assert "@import" not in page
    assert hostile in "".join(reads.text)
    assert reads.tags.count("svg") == 1 + 2 * 3
    assert "prefers-color-scheme: dark" in page


def test_the_reports_agree_on_the_figures():
    found = evaluated([row(f"It is {i}", i >= 4) for i in range(10)])
    record = grounding_report_record(found, {"limit": None})
    value = record["datasets"]["set"]["measures"]["balanced_accuracy"]["value"]
    # Of the six supported one scores 0.4 and is refused; the four unsupported are.
    assert value == pytest.approx((5 / 6 + 1) / 2, abs=1e-6)
    assert f"{100 * value:.1f}" in markdown(found)
    assert f"{100 * value:.1f}" in html(found)
    assert json.loads(json.dumps(record)) == record


def test_a_pipe_in_a_name_does_not_break_the_table():
    said = markdown(evaluated([row("It is 1", dataset="a|b\n<img src=x>")]))
    table = [line for line in said.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in table}) == 1
    assert "a\\|b &lt;img src=x>" in said


def test_the_product_scores_its_own_claims():
    scorer = ProductScorer(load_profile("legal"), None, "product")
    source = "Whoever cheats shall be punished with imprisonment which may extend to seven years."
    scores = scorer.scores([(source, (source,)), (source.replace("seven", "seventy"), (source,))])
    assert scores[0] == 1.0
    assert scores[1] <= 0.1
    assert partial(RowScorers, scorer)().reader is None
