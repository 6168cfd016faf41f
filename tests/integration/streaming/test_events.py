"""`/v1/ask` read as a stream: stages as they happen, then claims that passed, or the refusal."""

import json

import httpx
import pytest

from footnotary.audit.bundle import content_in, verify_bundle
from footnotary.replay import ReplayMatch, replay
from footnotary.settings import load_settings
from footnotary.testing.chat_server import fails, replies
from footnotary.wiring import open_replay
from harness.service.listening import wait_until
from harness.streaming.live_service import BAD, GOOD, QUESTION, REFUSAL, says, served

pytestmark = pytest.mark.server
STAGES = ["understood", "retrieved", "gated", "drafting", "drafted", "verified", "done"]


def asked(live, profile="legal", question=QUESTION, **more):
    body = {"question": question, "project": "law", "profile": profile, **more}
    return httpx.post(f"{live.url}/v1/ask", json=body, timeout=30)


def streamed(live, *args, **more):
    response = asked(live, *args, stream=True, **more)
    assert response.headers["content-type"].startswith("text/event-stream")
    return read(response.text)


def read(text):
    events = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return events


def named(events, name):
    return [data for event, data in events if event == name]


def test_stages_are_followed_by_the_claims_and_the_end(home):
    with served(home, says(*GOOD)) as live:
        events = streamed(live)
    assert [data["name"] for data in named(events, "stage")] == STAGES
    assert [name for name, _ in events[len(STAGES) :]] == ["claim", "claim", "done"]
    assert [data["text"] for data in named(events, "claim")] == list(GOOD)
    assert events[-1][1]["complete"] is True


def test_the_citations_are_the_same_streamed_or_not(home):
    with served(home, says(*GOOD)) as live:
        events, whole = streamed(live), asked(live).json()["outcome"]
    cited = [citation for data in named(events, "claim") for citation in data["citations"]]
    assert cited == whole["citation_details"]
    assert [data["text"] for data in named(events, "claim")] == [claim["text"] for claim in whole["claims"]]


def test_an_event_stream_is_also_had_by_asking_for_its_media_type(home):
    with served(home, says(*GOOD)) as live:
        body = {"question": QUESTION, "project": "law"}
        response = httpx.post(f"{live.url}/v1/ask", json=body, headers={"Accept": "text/event-stream"}, timeout=30)
        assert read(response.text)[-1][0] == "done"


@pytest.mark.parametrize(
    ("more", "reason", "stages"),
    [
        (
            {"question": "How fast is light in glass?"},
            "no_relevant_content",
            ["understood", "retrieved", "gated", "done"],
        ),
        ({"project": "nowhere"}, "collection_not_found", ["understood", "done"]),
    ],
)
def test_a_refusal_is_one_event_and_the_model_is_not_called(home, more, reason, stages):
    with served(home, says(*GOOD)) as live:
        events = read(asked(live, stream=True, **more).text)
        assert live.model.seen == []
    assert [data["name"] for data in named(events, "stage")] == stages
    (refusal,) = named(events, "refusal")
    assert (refusal["message"], refusal["reason"]) == (REFUSAL, reason)
    assert [name for name, _ in events[-2:]] == ["refusal", "done"]


def test_every_stream_is_recorded_before_its_end_says_so(home):
    with served(home, says(*GOOD)) as live:
        for question in (QUESTION, "How fast is light in glass?"):
            done = streamed(live, question=question)[-1][1]
            record, _ = live.state.tenant("local").notary.found(done["answer_id"])
            assert record is not None


def test_claim_by_claim_what_was_good_leaves_and_the_rest_is_withheld(home):
    with served(home, says(*GOOD, BAD, GOOD[0])) as live:
        events = streamed(live, "byclaim")
        assert [data["text"] for data in named(events, "claim")] == list(GOOD)
        assert events[-2] == ("claim.withheld", {"index": 2, "reason": named(events, "claim.withheld")[0]["reason"]})
        assert events[-1][1]["complete"] is False
        assert named(events, "refusal") == []
        record, _ = live.state.tenant("local").notary.found(events[-1][1]["answer_id"])
        assert record.says["outcome"] == "refused"
        assert record.says["released_claims"] == 2
        (case,) = httpx.get(f"{live.url}/v1/review", timeout=30).json()["reviews"]
        shown = httpx.get(f"{live.url}/v1/review/{case['id']}", timeout=30).json()
        assert (shown["delivered"], shown["released_claims"], len(shown["claims"])) == (False, 2, 4)
        # the same again is worked out again, to the same end
        again = streamed(live, "byclaim")
        assert [e for e in again if e[0] == "claim"] == [e for e in events if e[0] == "claim"]


def test_claim_by_claim_an_answer_in_one_piece_is_as_whole_as_ever(home):
    with served(home, says(*GOOD, BAD)) as live:
        outcome = asked(live, "byclaim").json()["outcome"]
        assert outcome["answer"] == REFUSAL
        assert outcome["claims"] == []


def test_claim_by_claim_the_citations_are_those_of_the_whole(home):
    with served(home, says(*GOOD, BAD), says(*GOOD)) as live:
        part = [c for data in named(streamed(live, "byclaim"), "claim") for c in data["citations"]]
        whole = asked(live).json()["outcome"]["citation_details"]
    assert part == whole


@pytest.mark.parametrize("behaviour", [fails(500), replies("not json"), replies("x", finish_reason="length")])
def test_a_model_that_fails_ends_the_stream_with_a_problem(home, behaviour):
    with served(home, behaviour, timeout_s=5) as live:
        events = streamed(live)
    assert events[-1][0] == "problem"
    assert events[-1][1]["code"] in ("llm_unavailable", "llm_bad_response")
    assert named(events, "claim") == named(events, "done") == []


@pytest.mark.parametrize(
    ("more", "status"),
    [({"profile": "nowhere"}, 404), ({"question": ""}, 422), ({"tenant": "x"}, 422)],
)
def test_what_is_wrong_from_the_start_is_a_plain_problem(home, more, status):
    with served(home, says(*GOOD)) as live:
        response = asked(live, stream=True, **more)
    assert response.status_code == status
    assert response.headers["content-type"].startswith("application/problem+json")


def test_clients_that_go_away_leave_nothing_behind(home):
    body = {"question": QUESTION, "project": "law", "stream": True}
    with served(home, says(*GOOD)) as live:
        for _ in range(10):
            with httpx.stream("POST", f"{live.url}/v1/ask", json=body, timeout=30) as response:
                next(response.iter_raw())
        assert streamed(live)[-1][1]["complete"]
        wait_until(lambda: live.state.limiter.in_flight == 0)


@pytest.mark.parametrize(("profile", "draft"), [("byclaim", (*GOOD, BAD)), ("legal", GOOD)])
def test_a_stream_has_a_bundle_that_holds_and_derives_again(home, profile, draft):
    with served(home, says(*draft)) as live:
        answer_id = streamed(live, profile)[-1][1]["answer_id"]
        notary = live.state.tenant("local").notary
        bundle = notary.bundle(answer_id)
        assert all(finding.passed for finding in verify_bundle(bundle, notary.signer.public))
        assert isinstance(replay(content_in(bundle), open_replay(load_settings())), ReplayMatch)
