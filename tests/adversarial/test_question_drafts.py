"""Drafts that are true to their passage and answer another question, each next to the right answer."""

import pytest

from footnotary.profiles.load import load_profile
from footnotary.reader.shipped import LEXICAL, reader_for
from footnotary.verify.question.addresses_question import answer_addresses_question
from harness.adversarial.question_drafts import question_drafts

ROWS = question_drafts()
PROFILE = load_profile("default")
# Of each kind by exact rules alone, which know nothing of meaning.
REFUSED_BY_RULES = {"question said back": 0.7, "link": 0.4, "fragment": 0.2}


def refused(reader, rows):
    check = answer_addresses_question(reader, PROFILE.verification.addressed_from)
    return sum(check(row.submission()).status != "pass" for row in rows) / len(rows)


def test_every_draft_has_its_right_answer():
    pairs = {row.question: [other.on for other in ROWS if other.question == row.question] for row in ROWS}
    assert all(labels == [True, False] for labels in pairs.values())
    assert len(ROWS) >= 120


def test_rules_refuse_no_right_answer():
    assert [row.answer for row in ROWS if row.on and refused(reader_for(PROFILE, LEXICAL), [row])] == []


@pytest.mark.parametrize(("kind", "share"), REFUSED_BY_RULES.items())
def test_rules_refuse_what_says_nothing(kind, share):
    assert refused(None, [row for row in ROWS if row.kind == kind and not row.on]) >= share


@pytest.mark.trained
def test_the_reader_refuses_drafts_rather_than_right_answers():
    """Far below what is measured (benchmarks.quality.off_question): a test of the wiring, not of the weights."""
    reader = reader_for(PROFILE, "small")
    off, on = ([row for row in ROWS if row.on is label] for label in (False, True))
    assert refused(reader, on) < 0.25
    assert refused(reader, off) > refused(reader, on) + 0.2
