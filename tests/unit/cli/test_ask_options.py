"""The options of the question commands: one object for the commands, single options for users."""

import inspect

import pytest

from footnotary.cli.commands import questions
from footnotary.cli.questions.ask_options import AskOptions, takes_ask_options
from footnotary.errors import UsageError


def parameters(command):
    return list(inspect.signature(command).parameters)


def test_a_command_has_one_parameter_for_each_option_in_order():
    shared = list(AskOptions.__dataclass_fields__)
    assert parameters(questions.ask)[2 : 2 + len(shared)] == shared
    assert parameters(questions.synthesize)[2 : 2 + len(shared)] == shared
    left_out = {"verifier", "min_sources", "model", "base_url", "use_llm"}
    asked = [name for name in shared if name not in left_out]
    assert parameters(questions.query)[1 : 1 + len(asked)] == asked


def test_a_command_gets_its_options_as_one_object():
    seen = []

    @takes_ask_options(without=("model",))
    def command(question: str, options: AskOptions, json: bool = False) -> None:
        seen.append((question, options, json))

    given = {name: None for name in AskOptions.__dataclass_fields__ if name != "model"}
    command(question="What is theft?", json=True, **given | {"act": "IPC", "graph": True, "use_llm": False})
    assert seen == [("What is theft?", AskOptions(act="IPC", graph=True), True)]


def test_filters_can_be_dropped_and_the_rest_is_kept():
    options = AskOptions(project="law", top_k=7, act="IPC", class_number=10, as_of="2021-04-01")
    assert options.filters().act == "IPC"
    assert options.without_filters() == AskOptions(project="law", top_k=7, as_of="2021-04-01")


def test_a_day_is_read_or_rejected():
    assert str(AskOptions(as_of="2021-04-01").day()) == "2021-04-01"
    assert AskOptions().day() is None
    with pytest.raises(UsageError, match="--as-of"):
        AskOptions(as_of="yesterday").day()


def test_a_chat_model_is_asked_for_by_name_or_by_the_switch(monkeypatch, tmp_path):
    monkeypatch.delenv("FOOTNOTARY_MODEL", raising=False)
    assert AskOptions(home=tmp_path).settings().model is None
    assert AskOptions(home=tmp_path, use_llm=True).settings().model == "gpt-4o-mini"
    assert AskOptions(home=tmp_path, use_llm=True, model="other").settings().model == "other"
