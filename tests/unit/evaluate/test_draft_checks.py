"""The measurement over drafts of a real model: what a person read, and how outcomes are counted."""

import json
import re

from benchmarks.llm.drafts import READING, CheckedDraft, DraftChecker, read_verdicts, summarized
from benchmarks.llm.peers.questions import PeerPassage, PeerQuestion

QUESTION = PeerQuestion(
    "library",
    "What is the fine for a late book?",
    True,
    (
        PeerPassage("LIB_3_0", "The fine for a book returned late is two rupees for each day."),
        PeerPassage("LEASE_4_0", "The tenant shall pay the landlord a deposit before the lease begins."),
    ),
)


def reply(*claims: tuple[str, list[int]]) -> str:
    said = [{"sources": cited, "text": text} for text, cited in claims]
    return json.dumps({"answerable": True, "claims": said})


def test_the_file_of_readings_has_keys_and_verdicts_and_no_text():
    rows = [json.loads(line) for line in READING.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 100
    assert len({row["key"] for row in rows}) == len(rows)
    assert all(set(row) == {"key", "verdict"} and re.fullmatch("[0-9a-f]{16}", row["key"]) for row in rows)
    assert set(read_verdicts().values()) == {"true", "beside", "false"}


def test_a_true_draft_is_delivered_without_what_is_idle_and_a_false_one_is_not():
    checker = DraftChecker("lexical")
    good = ("The fine for a book returned late is two rupees for each day.", [1, 2])
    found = checker.checked(QUESTION, reply(good, ("I hope this helps!", [1])))
    assert found.delivered
    assert found.left_out == 2
    wrong = checker.checked(QUESTION, reply(("The fine for a book returned late is nine rupees for each day.", [1])))
    assert "numbers_are_supported" in wrong.failed
    assert not checker.checked(QUESTION, "no JSON").usable
    assert checker.checked(QUESTION, json.dumps({"answerable": False, "claims": []})).declined


def test_refusals_are_counted_by_check_and_declined_drafts_not_at_all():
    verdicts = {"a": "true", "b": "true", "c": "true", "d": "false", "e": "true"}
    found = [
        CheckedDraft("a"),
        CheckedDraft("b", ("claims_are_entailed",)),
        CheckedDraft("c", ("claims_are_cited", "claims_are_entailed")),
        CheckedDraft("d"),
        CheckedDraft("e", declined=True),
    ]
    rows = summarized(verdicts, found)
    assert rows["true"]["drafts"] == 3
    assert rows["true"]["refused_percent"] == 66.7
    assert rows["true"]["by_meaning_only"] == 1
    assert rows["true"]["failed"] == {"claims_are_entailed": 2, "claims_are_cited": 1}
    assert rows["false"]["delivered"] == 1
