"""Judging and measuring rows: what is judged, what is kept, what is skipped, and what a report shows."""

import json
from functools import partial
from html.parser import HTMLParser

import pytest

from footnotary.errors import BackendError, UsageError
from footnotary.evaluate.gates import Gate, failures, read_gate
from footnotary.evaluate.grounding import (
    NO_ANSWERABILITY,
    SENTENCES,
    data_digest,
    evaluation,
    identity,
    judge_rows,
    judgeable,
)
from footnotary.evaluate.judging import Judges, ProductJudge, Score, judged, parts_of
from footnotary.evaluate.kept_scores import kept_scores
from footnotary.evaluate.report import html, markdown, report_record
from footnotary.evaluate.rows import Row
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

    def answerable(self, pairs):
        return [0.25 for _ in pairs]


def row(claim, label=1, **more):
    given = {"id": claim, "dataset": "set", "group": claim, "premise": "p", "claim": claim, "label": label}
    return Row.model_validate(given | more)


def kept_for(rows, judges):
    with kept_scores(None, "x") as kept:
        judge_rows(rows, kept, lambda: judges)
        return kept


def evaluated(rows, judge=None, threshold=0.5):
    kept = kept_for(rows, Judges(judge or Digits()))
    return evaluation(rows, kept, judge="digits", profile=DEFAULT, threshold=threshold, skipped=())


def test_a_response_is_split_and_scores_as_its_worst_sentence():
    response = row("Rent is due on day 9. The fee is 4. The term is 7.", level="response")
    judge = Digits()
    assert kept_for([response], Judges(judge))[response] == Score(0.4)
    assert judge.asked == ["Rent is due on day 9.", "The fee is 4.", "The term is 7."]


def test_a_sentence_that_says_nothing_does_not_count_against_a_response():
    response = row("Here is the answer based on the passages provided: The fee is 8.", level="response")
    assert parts_of(row("Based on the given passages. The fee is 8.", level="response")) == ("The fee is 8.",)
    assert parts_of(row("Based on the given passages.", level="response")) == ("Based on the given passages.",)
    assert len(parts_of(response)) >= 1


def test_a_claim_of_two_sentences_is_judged_as_it_stands():
    assert parts_of(row("The fee is 4. The term is 7.")) == ("The fee is 4. The term is 7.",)


def test_labelled_sentences_are_judged_where_they_stand_and_measured_apart():
    text = "The fee is 9. The term is 2."
    labelled = row(text, 0, level="response", sentences=[[0, 13, 1], [14, 28, 0]])
    found = evaluated([labelled, row("The rent is 8.", level="response")])
    assert (found.sets[0].scores, found.sets[0].labels) == ((0.2, 0.8), (False, True))
    (sentences,) = found.tasks
    assert (sentences.task, sentences.scores, sentences.labels) == (SENTENCES, (0.9, 0.2), (True, False))


def test_questions_are_skipped_with_the_reason_where_no_model_judges_them():
    rows = [row("What is 1", level="question"), row("What is 2", 0, level="question"), row("It is 3")]
    left, skipped = judgeable(rows, answerability=False)
    assert [r.claim for r in left] == ["It is 3"]
    assert (skipped[0].rows, skipped[0].reason) == (2, NO_ANSWERABILITY)
    assert judgeable(rows, answerability=True) == (tuple(rows), ())


def test_questions_are_judged_by_the_answerability_model_and_claims_by_the_other():
    question, claim = row("What is 1", level="question"), row("It is 3")
    kept = kept_for([question, claim], Judges(Digits(), Answers()))
    assert (kept[question], kept[claim]) == (Score(0.25), Score(0.3))


def test_a_run_that_was_interrupted_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "scores.jsonl"
    rows = [row(f"It is {i}") for i in range(40)]
    with pytest.raises(KeyboardInterrupt), kept_scores(path, "one") as kept:
        judge_rows(rows, kept, lambda: Judges(Interrupts(after=20)))
    judge, steps = Digits(), []
    with kept_scores(path, "one") as kept:
        judge_rows(rows, kept, lambda: Judges(judge), step=lambda done, total: steps.append((done, total)))
        assert [kept[r].value for r in rows] == [i % 10 / 10 for i in range(40)]
    assert judge.asked == [f"It is {i}" for i in range(32, 40)]
    assert (steps[0], steps[-1]) == ((32, 40), (40, 40))


def test_a_line_cut_off_in_the_middle_is_judged_again_and_the_file_is_whole_afterwards(tmp_path):
    path = tmp_path / "scores.jsonl"
    rows = [row(f"It is {i}") for i in range(5)]
    with kept_scores(path, "one") as kept:
        judge_rows(rows, kept, lambda: Judges(Digits()))
    whole = path.read_bytes()
    for cut in (1, 5, 40):
        path.write_bytes(whole[:-cut])
        judge = Digits()
        with kept_scores(path, "one") as kept:
            judge_rows(rows, kept, lambda judge=judge: Judges(judge))
        assert judge.asked == ["It is 4"]
        assert path.read_bytes() == whole


def test_scores_of_another_judge_are_replaced_and_never_mixed_in(tmp_path):
    path = tmp_path / "scores.jsonl"
    rows = [row("It is 1")]
    for name in ("one", "two", "two"):
        judge = Digits()
        with kept_scores(path, name) as kept:
            judge_rows(rows, kept, lambda judge=judge: Judges(judge))
        assert len(path.read_text().splitlines()) == 2
    assert judge.asked == []
    assert json.loads(path.read_text().splitlines()[0])["judge"] == "two"


def test_two_runs_at_once_do_not_write_into_each_others_lines(tmp_path):
    path = tmp_path / "scores.jsonl"
    with kept_scores(path, "one") as kept:
        judge_rows([row("It is 1")], kept, lambda: Judges(Digits()))
        with pytest.raises(UsageError, match="another run is writing"), kept_scores(path, "two"):
            pass
        judge_rows([row("It is 2")], kept, lambda: Judges(Digits()))
    with kept_scores(path, "one") as kept:
        assert len(kept) == 2


def test_a_row_whose_text_was_changed_is_judged_again(tmp_path):
    path = tmp_path / "scores.jsonl"
    for premise, asked in (("p", ["It is 1"]), ("p", []), ("q", ["It is 1"])):
        judge = Digits()
        with kept_scores(path, "one") as kept:
            judge_rows([row("It is 1", premise=premise)], kept, lambda judge=judge: Judges(judge))
        assert judge.asked == asked


def test_the_identity_changes_with_weights_and_policy():
    legal = load_profile("legal")
    assert len({identity("a", DEFAULT), identity("b", DEFAULT), identity("a", legal)}) == 3


def product() -> Judges:
    return Judges(ProductJudge(DEFAULT, None, "product"))


def test_two_processes_give_what_one_gives():
    rows = [row(f"The fee for form {i} is {i} rupees.", premise=f"The fee for form {i} is {i % 3} rupees.") for i in range(40)]  # fmt: skip
    assert list(judged(rows, product, jobs=2)) == list(judged(rows, product))


def ends_its_process() -> Judges:
    import os

    os._exit(9)


def test_a_process_that_dies_is_an_error_with_a_hint_and_not_a_run_that_hangs():
    with pytest.raises(BackendError, match="ended unexpectedly"):
        list(judged([row(f"It is {i}") for i in range(40)], ends_its_process, jobs=2))


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
        ("balanced_accuracy=0.75", Gate("balanced_accuracy", 0.75)),
        ("rag:truth:auroc=1", Gate("auroc", 1.0, "rag:truth")),
    ],
)
def test_a_gate_is_read(text, gate):
    assert read_gate(text) == gate


@pytest.mark.parametrize(
    "text", ["", "auroc", "auroc=", "auroc=x", "auroc=75", "nonsense=0.5", "brier=0.2", "auroc=nan"]
)
def test_what_is_no_gate_is_said_with_the_measures_there_are(text):
    with pytest.raises(UsageError, match="invalid gate") as caught:
        read_gate(text)
    assert "balanced_accuracy" in caught.value.hint


def test_gates_compare_the_mean_or_one_set_and_the_undefined_does_not_pass():
    found = evaluated([row(f"It is {i}", i >= 5) for i in range(10)] + [row("One 9", dataset="single")])
    assert failures(found, [Gate("balanced_accuracy", 1.0), Gate("auroc", 1.0, "set")]) == []
    (missed,) = failures(found, [Gate("auroc", 0.5, "single")])
    assert "undefined" in missed
    with pytest.raises(UsageError, match="gate on dataset 'other', which is not part of this run"):
        failures(found, [Gate("auroc", 0.5, "other")])


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
    record = report_record(found, {"limit": None})
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


def test_the_product_is_its_own_judge():
    judge = ProductJudge(load_profile("legal"), None, "product")
    source = "Whoever cheats shall be punished with imprisonment which may extend to seven years."
    scores = judge.scores([(source, (source,)), (source.replace("seven", "seventy"), (source,))])
    assert scores[0] == 1.0
    assert scores[1] <= 0.1
    assert partial(Judges, judge)().answerability is None
