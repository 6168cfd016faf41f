"""A wrong type in a call of the Python API is a usage error that says what was seen, and no error from within."""

from datetime import date, datetime

import pytest

from footnotary import load_profile, open_corpus, open_engine, verify_claim
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.errors import ProfileError, UsageError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder

PASSAGE = "Every worker has eighteen days of paid leave in each year."


@pytest.fixture
def engine():
    profile = load_profile("default")
    return Engine(DictStore(), HashEmbedder(), ExtractiveGenerator(profile), profile, ())


@pytest.mark.parametrize("call", [Engine.ask, Engine.search])
@pytest.mark.parametrize(
    ("question", "scope", "said"),
    [
        ("How long?", "demo", "scope must be a Scope, not 'demo'"),
        (None, Scope("demo"), "question must be a str, not None"),
        ("How long?", Scope(None), "scope.project must be a str, not None"),
        ("How long?", Scope("demo", 5), "scope.tenant must be a str, not 5"),
        ("How long?", Scope("demo", filters="act"), "scope.filters must be a Filters, not 'act'"),
        ("How long?", Scope("demo", as_of="2020-01-01"), "scope.as_of must be a date, not '2020-01-01'"),
        ("How long?", Scope("demo", as_of=datetime(2020, 1, 1)), "scope.as_of must be a date, not datetime"),  # noqa: DTZ001
    ],
)
def test_a_question_with_a_wrong_type_failed_deep_within_the_engine(engine, call, question, scope, said):
    with pytest.raises(UsageError) as raised:
        call(engine, question, scope)
    assert raised.value.message.startswith(said)


def test_a_date_is_a_day(engine):
    assert engine.ask("How long is the leave?", Scope("demo", as_of=date(2020, 1, 1)))


@pytest.mark.parametrize(
    ("claim", "passages", "said"),
    [
        (None, [PASSAGE], "claim must be a str, not None"),
        ("x", [5], "passages[0] must be a str, not 5"),
        ("x", [PASSAGE, b"y"], "passages[1] must be a str, not b'y'"),
        ("x", None, "passages must be a list of str, not None"),
    ],
)
def test_a_claim_of_no_text_raised_although_no_input_should(claim, passages, said):
    with pytest.raises(UsageError) as raised:
        verify_claim(claim, passages, verifier="lexical")
    assert raised.value.message == said


@pytest.mark.parametrize("passages", [PASSAGE, [PASSAGE], (PASSAGE,), (text for text in [PASSAGE])])
def test_passages_are_one_text_or_several(passages):
    assert verify_claim(PASSAGE, passages, verifier="lexical").supported


@pytest.mark.parametrize("call", [load_profile, open_engine, lambda name: verify_claim("x", [], profile=name)])
@pytest.mark.parametrize("name", [5, None])
def test_a_profile_that_is_no_name_is_a_profile_error(call, name):
    with pytest.raises(ProfileError, match=f"named by a str or a Path, not {name}"):
        call(name)


def test_a_project_that_is_no_name_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="named by a str, not 5"):
        open_corpus(home=tmp_path, embedder="fast").ingest_text("leave.md", PASSAGE, 5)
