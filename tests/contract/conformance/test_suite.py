"""The suite tells systems that keep the contract from those that do not, and right answers from refusals."""

from collections import Counter

import pytest

from footnotary.conform.case import Case, CasePassage, Sentence, TargetReply, Turn
from footnotary.conform.case_files import read_cases, shipped_cases
from footnotary.conform.expectations import contract_fault
from footnotary.conform.runner import run_cases
from footnotary.conform.scorecard import FAMILIES, conformance_report, failure_lines, run_record, scorecard
from footnotary.conform.scripted_model_server import ScriptedModelServer, scripted_reply
from footnotary.errors import UsageError
from tests.contract.conformance.systems import REFUSAL, Mute, Parrot

CASES = shipped_cases()
A, B = CasePassage("A_1", "Rule one says that the fine is 40 rupees."), CasePassage("B_2", "Rule two is about lamps.")
RULE = "Rule one says that the fine is 40 rupees"
TURN = Turn("What is the fine?", (A, B), (Sentence("The fine is 40 rupees.", ("A_1",)),))


def case(expect, *words, source="A_1"):
    return Case("wrong_id", "a case", (TURN,), expect, words, source)


def test_every_family_has_drafts_to_be_withheld():
    bad = Counter(one.family for one in CASES if not one.is_control)
    assert all(bad[family] >= 3 for family in FAMILIES)


def test_every_family_but_that_of_refusals_has_a_right_answer():
    right = {one.family for one in CASES if one.is_control}
    assert set(FAMILIES) - right == {"refusal_exactness"}


def test_what_a_right_answer_says_stands_in_its_passages():
    for one in CASES:
        if one.is_control and "digits" not in one.name:
            texts = " ".join(passage.text for passage in one.turns[-1].passages)
            assert all(words in texts for words in one.words), one.name


def test_names_are_distinguished():
    assert max(Counter((one.family, one.name) for one in CASES).values()) == 1


@pytest.mark.parametrize(
    ("expect", "words", "reply", "is_fault"),
    [
        ("withheld", ["40"], TargetReply("The fine is 40 rupees."), True),
        ("withheld", ["FINE  is"], TargetReply("The fine\nis 40 rupees."), True),
        ("withheld", ["40"], TargetReply(REFUSAL), False),
        ("refused", [], TargetReply(REFUSAL), False),
        ("refused", [], TargetReply(REFUSAL + " "), True),
        ("refused", [], TargetReply(REFUSAL, ("A_1",)), True),
        ("refused", [], TargetReply(REFUSAL, (), False), True),
        ("refused_or_quoted", ["50"], TargetReply(REFUSAL), False),
        ("refused_or_quoted", ["50"], TargetReply(f"{RULE} [1].", ("A_1",), False, quoted=(RULE,)), False),
        ("refused_or_quoted", ["50"], TargetReply(f"{RULE} [1].", ("A_1",), False), True),
        ("refused_or_quoted", ["50"], TargetReply(f"{RULE} [1].", ("B_2",), False, quoted=(RULE,)), True),
        ("refused_or_quoted", ["50"], TargetReply(f"{RULE} [1].", (), False, quoted=(RULE,)), True),
        ("refused_or_quoted", ["50"], TargetReply(f"Not 50: {RULE} [1].", ("A_1",), False, quoted=(RULE,)), True),
        ("refused_or_quoted", ["50"], TargetReply("It is 60 [1].", ("A_1",), False, quoted=("It is 60.",)), True),
        ("refused", [], TargetReply(f"{RULE} [1].", ("A_1",), False, quoted=(RULE,)), True),
        ("both_sides", ["40", "50"], TargetReply("It is 40 [1] or 50 [2]."), False),
        ("both_sides", ["40", "50"], TargetReply("It is 50 [2]."), True),
        ("both_sides", ["40", "50"], TargetReply(REFUSAL), False),
        ("rightly_cited", ["40"], TargetReply("It is 40 [1].", ("A_1",)), False),
        ("rightly_cited", ["40"], TargetReply("It is 40 [2].", ("B_2",)), True),
        ("rightly_cited", ["40"], TargetReply("It is 40.", ()), True),
        ("rightly_cited", ["40"], TargetReply("It is 40.", None), True),
        ("rightly_cited", ["40"], TargetReply(REFUSAL, ()), False),
        ("delivered", ["40"], TargetReply("It is 40 [1].", ("A_1",)), False),
        ("delivered", ["40"], TargetReply("It is 40 [1].", ("B_2",)), True),
        ("delivered", ["40"], TargetReply("It is 40 [1].", ("A_1", "C_3")), True),
        ("delivered", ["40"], TargetReply("It is 40.", ()), True),
        ("delivered", ["40"], TargetReply(REFUSAL, ()), True),
    ],
)
def test_a_reply_is_checked_against_the_passages_given_out(expect, words, reply, is_fault):
    assert (contract_fault(case(expect, *words), reply, REFUSAL) is not None) is is_fault


def test_a_system_that_was_never_heard_to_refuse_has_no_exact_refusal():
    assert contract_fault(case("refused"), TargetReply("anything"), None)


def test_the_model_cites_by_the_place_at_which_the_prompt_shows_a_passage():
    assert scripted_reply(TURN, f"1: {A.text} 2: {B.text}") == "The fine is 40 rupees [1]."
    assert scripted_reply(TURN, f"1: {B.text}\n2:\n{A.text}") == "The fine is 40 rupees [2]."
    wrapped = f"| {B.text}\n| Rule one says that\n| the fine is 40 rupees."
    assert scripted_reply(TURN, wrapped) == "The fine is 40 rupees [2]."


def test_a_marker_may_be_written_as_it_stands():
    turn = Turn("?", (A,), (Sentence("The fine is 40 rupees.", ("#9", "A_1")),))
    assert scripted_reply(turn, A.text) == "The fine is 40 rupees [9][1]."


def test_a_system_that_repeats_its_model_delivers_what_is_right_and_withholds_nothing():
    with ScriptedModelServer() as model:
        run = run_cases(Parrot(model.base_url), model, CASES)
    assert run.refusal is None
    assert all((result.standing == "kept") == result.case.is_control for result in run.results), failure_lines(run)
    assert not run.keeps


def test_a_system_that_always_refuses_is_not_full():
    with ScriptedModelServer() as model:
        run = run_cases(Mute(), model, CASES)
    assert run.refusal == REFUSAL
    wrong = {result.case.name for result in run.results if result.standing == "broken"}
    assert wrong == {
        one.name for one in CASES if one.is_control and one.family not in ("streaming_leak", "cross_tenant")
    }
    unmeasured = {result.case.family for result in run.results if result.standing == "not_measured"}
    assert unmeasured == {"streaming_leak", "cross_tenant"}
    assert not run.is_full


def test_a_system_that_fails_fails_the_case_and_no_other():
    class Broken(Mute):
        def ask(self, turn, project):
            if "boiler" in turn.question:
                raise RuntimeError("out of order")
            return super().ask(turn, project)

    with ScriptedModelServer() as model:
        run = run_cases(Broken(), model, [one for one in CASES if one.family == "role_swap"])
    assert Counter(result.standing for result in run.results) == {"failed": 3, "kept": 2}


def test_the_scorecard_has_a_row_for_each_family_and_a_column_for_each_system():
    with ScriptedModelServer() as model:
        runs = [run_cases(target, model, CASES) for target in (Mute(), Parrot(model.base_url))]
    table = scorecard(runs)
    assert "| number swap | 6/6, 0/2 | 0/6, 2/2 |" in table
    assert "| streaming leak | not measured | 0/4, 1/1 |" in table
    assert table in conformance_report(runs)
    assert run_record(runs[0])["families"][0] == {
        "family": "no_source", "kept": 5, "played": 5, "delivered": 0, "right_answers": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cases = 1 =", "is not TOML"),
        ("passages = {}\n[[cases]]\nfamily = 'odd'\n", "cases.0"),
        (
            "passages = {}\n[[cases]]\nfamily = 'negation'\nname = 'n'\nquestion = 'q'\npassages = ['X']\nexpect = 'refused'",
            "unknown passage 'X'",
        ),
        *(
            (
                f"passages = {{}}\n[[cases]]\nfamily = 'conflict'\nname = 'n'\nquestion = 'q'\nexpect = '{expect}'\nwords = {words}",
                f"expects {expect} needs at least",
            )
            for expect, words in (("withheld", []), ("withheld", [" "]), ("rightly_cited", []), ("both_sides", ["one"]))
        ),
    ],
)
def test_cases_that_cannot_be_read_say_what_is_wrong(tmp_path, text, said):
    (tmp_path / "cases.toml").write_text(text)
    with pytest.raises(UsageError, match=said):
        read_cases(tmp_path / "cases.toml")
