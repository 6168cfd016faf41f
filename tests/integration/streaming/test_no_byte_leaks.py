"""A recorder on the socket: of a claim that was rejected not one byte leaves, whichever way the answer is read."""

import asyncio

import httpx
import pytest
from mcp import Client

from footnotary.testing.chat_server import replies
from harness.streaming.live_service import BAD, GOOD, QUESTION, REFUSAL, says, served
from harness.streaming.random_drafts import stream_random_drafts

pytestmark = pytest.mark.server

DRAFTS = {
    "the last is bad": (*GOOD, BAD),
    "the first is bad": (BAD, *GOOD),
    "the middle is bad": (GOOD[0], BAD, GOOD[1]),
    "all are bad": (BAD, BAD),
    "half of one is bad": (GOOD[0].rstrip(".") + ", and " + BAD,),
}


def streams(live, profile):
    body = {"question": QUESTION, "project": "law", "profile": profile, "stream": True}
    return httpx.post(f"{live.url}/v1/ask", json=body, timeout=30)


@pytest.mark.parametrize("profile", ["legal", "byclaim"])
@pytest.mark.parametrize("draft", DRAFTS.values(), ids=DRAFTS)
def test_no_byte_of_a_rejected_claim_leaves(home, draft, profile):
    with served(home, says(*draft)) as live:
        assert streams(live, profile).status_code == 200
        assert live.leaked() == []
        assert live.recorder.sent.count(b"event: done") == 1


def test_in_whole_release_no_good_claim_leaves_next_to_a_bad_one(home):
    with served(home, says(*GOOD, BAD)) as live:
        streams(live, "legal")
        assert REFUSAL.encode() in live.recorder.sent
        for claim in GOOD:
            assert claim.encode() not in live.recorder.sent


def test_in_claim_by_claim_release_only_what_stands_before_the_bad_one_leaves(home):
    with served(home, says(GOOD[0], BAD, GOOD[1])) as live:
        streams(live, "byclaim")
        assert GOOD[0].encode() in live.recorder.sent
        assert GOOD[1].encode() not in live.recorder.sent
        assert live.leaked() == []


@pytest.mark.parametrize("profile", ["legal", "byclaim"])
@pytest.mark.parametrize("reply", [BAD, '{"answerable": true, "claims": [{"text": "' + BAD, f"<b>{BAD}</b>"])
def test_no_byte_of_a_reply_out_of_form_leaves(home, reply, profile):
    with served(home, replies(reply)) as live:
        streams(live, profile)
        assert live.leaked() == []
        assert b"event: claim" not in live.recorder.sent


def test_the_recorder_would_have_seen_it(home):
    """The same words, where a source says them, do leave: the recorder is not deaf."""
    with served(home, says(BAD)) as live:
        act = f"ACT: Caravan Act, 1901\nCODE: CAR\nKIND: act\n\nSection 1. Caravans.\n{BAD}\n"
        live.state.tenant("local").corpus.ingest_text("caravans.txt", act, "caravans")
        body = {"question": "What do zebrafish quartermasters forfeit?", "project": "caravans", "stream": True}
        httpx.post(f"{live.url}/v1/ask", json=body, timeout=30)
        assert BAD.encode() in live.recorder.sent
        assert live.leaked() != []


def test_of_many_random_drafts_in_both_forms_no_byte_leaks(home):
    seen = stream_random_drafts(home, 20)
    assert seen.leaked == ()
    assert seen.withheld > 0
    assert seen.answered > 0


def test_over_mcp_no_byte_of_a_rejected_claim_leaves(home):
    async def ask(live):
        async with Client(f"{live.url}/mcp") as client:
            return await client.call_tool("answer_grounded", {"question": QUESTION})

    with served(home, says(*GOOD, BAD)) as live:
        given = asyncio.run(ask(live)).structured_content
        assert given["answer"] == REFUSAL
        assert live.leaked() == []
