"""FAULTS A11: a model that says nothing, blanks, controls or far too much: the question is refused. Over HTTP."""

import json
import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from footnotary.profiles.load import load_profile
from harness.injection.attacks import Attack, injected_model

TRUE = "Whoever spits in a public place pays a fine of forty rupees."
QUESTION = "What fine does whoever spits in a public place pay?"


@pytest.fixture
def ask(start, model):
    client = start(model="scripted", base_url="http://127.0.0.1:9/v1", answer_cache="off")
    assert not client.app.state.service.tenant("local").corpus.ingest_text("rule.txt", TRUE, "rules").failed
    return lambda: client.post("/v1/ask", json={"question": QUESTION, "project": "rules", "profile": "legal"})


def test_a11_a_true_sentence_is_answered(ask, model):
    model.reply = injected_model(Attack("none", TRUE), TRUE, "states it and cites where it is")
    assert ask().json()["outcome"]["answer"].startswith(TRUE.rstrip("."))


BLANKS = st.text(alphabet=" \t\n\r\u00a0\u2003\u2028\u2029\u3000", max_size=40)
UNSEEN = st.text(
    alphabet=[*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *"\u200b\u200d\u202e\u2066\ufeff\u00ad\u2060", "\U000e0041"],
    max_size=40,
)  # fmt: skip
SIGNS = st.text(alphabet=string.punctuation + " \n।…–—“”", max_size=60)
NOTHING = st.one_of(BLANKS, UNSEEN, SIGNS, st.lists(st.one_of(BLANKS, UNSEEN, SIGNS), max_size=4).map("".join))
QUIET = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def refused(response) -> bool:
    """Whether nothing is delivered: a refusal, or a problem where the reply is out of form."""
    if response.status_code != 200:
        return (response.status_code, response.json()["code"]) == (502, "llm_bad_response")
    outcome = response.json()["outcome"]
    exact = load_profile("legal").refusal.text("en")
    return outcome["answer"] == exact and outcome["refusal_reason"] and not (outcome["claims"] or outcome["citations"])


@given(nothing=NOTHING, marker=st.sampled_from(["", "[1]", " [1].", "[1] [1]", "[SOURCE: 1]"]))
@QUIET
def test_a11_an_empty_blank_or_unprintable_reply_is_refused(ask, model, nothing, marker):
    model.structured = False
    model.reply = nothing + marker
    assert refused(ask())


@given(texts=st.lists(NOTHING, max_size=3), slots=st.lists(st.integers(-1, 3), max_size=2))
@QUIET
def test_a11_so_is_one_that_comes_as_claims(ask, model, texts, slots):
    model.structured = True
    model.reply = json.dumps({"answerable": True, "claims": [{"text": text, "sources": slots} for text in texts]})
    assert refused(ask())


@given(
    hidden=UNSEEN.filter(lambda text: text.strip(" \t\r\n\x0b\x0c\x1c\x1d\x1e\x1f\x85")),
    at=st.integers(0, len(TRUE) - 1),
)
@QUIET
def test_a11_controls_within_a_true_sentence_never_leave(ask, model, hidden, at):
    model.structured = True
    spoiled = TRUE[:at] + hidden + TRUE[at:]
    model.reply = injected_model(Attack("none", spoiled), TRUE, "states it and cites where it is")
    outcome = ask().json()["outcome"]
    said = [outcome[name] for name in ("answer", "claims", "citation_details")]
    assert not set(json.dumps(said, ensure_ascii=False)) & set(hidden) - set(" \n\t\r")
    assert json.dumps(hidden)[1:-1] not in json.dumps(said)


@pytest.mark.parametrize(
    "long",
    [f"{TRUE[:-1]} [1]. " * 800, f"{TRUE[:-1]} [1] " * 800, "word " * 20_000 + "[1].", "x" * 200_000, f"{TRUE[:-1]}, {'and so on, ' * 5_000}[1]."],
    ids=range(5),
)  # fmt: skip
def test_a11_a_very_long_reply_is_refused(ask, model, long):
    model.structured = False
    model.reply = long
    assert refused(ask())


def test_a11_a_citation_repeated_without_end_is_one_citation(ask, model):
    model.structured = False
    model.reply = f"{TRUE[:-1]} {'[1]' * 20_000}."
    outcome = ask().json()["outcome"]
    assert [claim["text"] for claim in outcome["claims"]] == [TRUE]
    assert len(outcome["answer"]) < len(TRUE) + 20
