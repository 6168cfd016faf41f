"""Follow-up questions stand on their own, and on nothing but what the person asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.domain.conversation import EarlierTurn
from footnotary.domain.evidence import Evidence
from footnotary.domain.verdict import Reason
from footnotary.gate.follow_up import SURE, complete_part, follow_up
from footnotary.gate.intent import with_context
from footnotary.gate.sufficiency import check_sufficiency
from footnotary.profiles.load import load_profile
from footnotary.reader.follow_up_edits import JOINERS, Edit
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.fake_reader import FakeReader

LEGAL = load_profile("legal")
PUNISHED = "What is the punishment for cheating?"
FOR_THEFT = Edit("replace", (2, 3), (5, 6))


class ScriptedEdits:
    """Gives the edits that a test names for the texts, the others are kept; remembers what it was asked."""

    def __init__(self, edits, probability=0.9):
        self.edits, self.probability, self.turns = edits, probability, []

    def likeliest(self, turn):
        self.turns.append(turn)
        return self.edits.get(turn.typed.text, Edit("keep")), self.probability


def asked(typed, edit, question=PUNISHED, answer="", probability=0.9):
    return follow_up(typed, [EarlierTurn(question, answer)], LEGAL, ScriptedEdits({typed: edit}, probability))


def test_words_of_the_follow_up_take_the_place_of_others():
    found = asked("And for theft?", FOR_THEFT)
    assert (found.text, found.status, found.typed) == (
        "What is the punishment for theft?",
        "rewritten",
        "And for theft?",
    )


def test_two_pronouns_need_two_edits():
    edits = {
        "can he pay it late?": Edit("resolve", (1, 2), (1, 3)),
        "can the tenant pay it late?": Edit("resolve", (4, 5), (4, 6)),
    }
    found = follow_up(
        "can he pay it late?", [EarlierTurn("May the tenant reduce the rent?")], LEGAL, ScriptedEdits(edits)
    )
    assert found.text == "can the tenant pay the rent late?"


def test_what_never_comes_to_an_end_is_edited_three_times_at_most():
    class Endless:
        turns = 0

        def likeliest(self, turn):
            self.turns += 1
            return Edit("resolve", (0, 0), (0, 1)), 0.9

    endless = Endless()
    follow_up("more?", [EarlierTurn(PUNISHED)], LEGAL, endless)
    assert endless.turns <= 3


@pytest.mark.parametrize(
    ("edit", "probability"),
    [(FOR_THEFT, SURE - 0.01), (Edit("keep"), SURE - 0.01), (Edit("open"), 0.9), (Edit("why"), 0.9)],
)
def test_what_is_not_sure_is_asked_as_typed_with_its_context(edit, probability):
    found = asked("And for theft?", edit, probability=probability)
    assert (found.text, found.status, found.context) == ("And for theft?", "with_context", PUNISHED)


def test_what_says_nothing_of_its_own_is_not_understood_and_forgotten():
    first = EarlierTurn("What is a breach?", "")
    reader = ScriptedEdits({"explain": Edit("open"), "What is it?": Edit("resolve", (2, 3), (2, 4))})
    assert follow_up("explain", [first], LEGAL, reader).status == "not_understood"
    assert follow_up("What is it about?", [first, EarlierTurn("explain")], LEGAL, reader).text == "What is it about?"
    assert reader.turns[-1].question.text == "What is a breach?"


def test_an_edit_that_repeats_the_question_before_changes_nothing():
    found = asked("And for cheating?", Edit("replace", (2, 3), (5, 6)))
    assert (found.text, found.status) == ("And for cheating?", "with_context")


def test_a_complete_question_is_asked_as_typed():
    found = asked("What is theft?", Edit("keep"))
    assert (found.text, found.status, found.context) == ("What is theft?", "standalone", "")


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("Is it void?", "No, a contract is valid if it is void.", "Why is it that a contract is valid if it is void?"),
        ("Who may vote?", "Only members may vote.", "Why is it that only members may vote?"),
        ("क्या शुल्क माफ़ होता है?", "शुल्क माफ़ नहीं होता।", "शुल्क माफ़ नहीं होता, क्यों?"),
        ("Is the lease void?", LEGAL.refusal.en, "why?"),
        ("How many?", "At least 100 grams.", "why?"),
        ("Who may vote?", "Members.\nGuests may not vote here.", "why?"),
    ],
)
def test_the_reason_is_asked_of_what_was_answered(question, answer, reason):
    assert asked("why?", Edit("why"), question, answer).text == reason


def test_the_act_is_that_of_the_question_before():
    named = "What is the punishment under section 420 IPC?"
    found = asked("What does section 417 say?", Edit("keep"), named)
    assert found.text == "What does section 417 of the IPC say?"


@pytest.mark.parametrize(
    ("part", "edit", "probability", "completed"),
    [
        ("How is it punished?", Edit("resolve", (2, 3), (2, 3)), 0.9, "How is cheating punished?"),
        ("How is it punished?", Edit("resolve", (2, 3), (2, 3)), SURE - 0.01, "How is it punished?"),
        ("What is the penalty?", Edit("resolve", (4, 4), (2, 3), False, "for"), 0.9, "What is the penalty for cheating?"),
        # a part that names what it is about is whole
        ("Who tries robbery?", Edit("resolve", (3, 3), (2, 3), False, "for"), 0.9, "Who tries robbery?"),
        ("And robbery?", Edit("replace", (1, 2), (2, 3)), 0.9, "And robbery?"),
    ],
)  # fmt: skip
def test_only_the_pronouns_of_a_part_are_completed(part, edit, probability, completed):
    assert complete_part(part, "What is cheating?", LEGAL, ScriptedEdits({part: edit}, probability)) == completed


def test_without_the_package_of_the_reader_every_question_is_asked_as_typed(monkeypatch):
    monkeypatch.setattr("footnotary.gate.follow_up.follow_up_reader", lambda: None)
    assert follow_up("And for theft?", [EarlierTurn(PUNISHED)], LEGAL).status == "standalone"
    assert complete_part("How is it punished?", "What is cheating?", LEGAL) == "How is it punished?"


@pytest.mark.parametrize("edit", [Edit("why"), Edit("resolve", (4, 4), (2, 4), False, "of")])
@pytest.mark.parametrize(("probability", "status"), [(0.45, "with_context"), (0.9, "rewritten")])
def test_a_question_that_names_what_it_is_about_is_changed_only_if_that_is_likely(edit, probability, status):
    question, answer = "What is the warranty of the laptop?", "The warranty of the laptop is two years."
    assert asked("why do cats purr?", edit, question, answer, probability).status == status


def test_small_talk_is_neither_asked_nor_followed():
    reader = ScriptedEdits({"And for theft?": FOR_THEFT})
    earlier = [EarlierTurn(PUNISHED), EarlierTurn("ok, thanks")]
    assert follow_up("And for theft?", earlier, LEGAL, reader).text == "What is the punishment for theft?"
    assert follow_up("thanks", earlier, LEGAL, reader).status == "standalone"


def test_the_markers_of_an_answer_are_not_read():
    reader = ScriptedEdits({})
    follow_up("who checks it?", [EarlierTurn("Where is the kit?", "In the hall [Hall_1_0].")], LEGAL, reader)
    assert reader.turns[-1].answer.text == "In the hall."


@pytest.mark.parametrize("question", ["And for theft?", "What is its punishment?", "Why?", "", "???", "और?"])
def test_without_anything_before_it_nothing_is_made_up(question):
    assert follow_up(question, [], LEGAL).text == question
    assert follow_up(question, [EarlierTurn("thanks")], LEGAL).text == question


words = st.sampled_from(
    "and it for theft cheating section 420 IPC what is the punishment its a ? और चोरी under Act".split()
)
turns = st.lists(words, max_size=8).map(" ".join)
places = st.tuples(st.integers(0, 8), st.integers(0, 8))


@settings(deadline=None, max_examples=60)
@given(
    st.lists(turns, max_size=4), turns, st.sampled_from(["keep", "replace", "resolve", "why", "open"]), places, places
)
def test_no_word_comes_from_elsewhere(earlier, question, operation, one, other):
    class Anything:
        def likeliest(self, turn):
            def within(place, text):
                low, high = sorted(min(at, len(text.places)) for at in place)
                return low, high

            return Edit(operation, within(one, turn.typed), within(other, turn.question)), 0.9

    ours = {"the", "of", "under", "Why", "is", "it", "that", "क्यों", *" ".join(JOINERS).split()}
    said = set(" ".join((*earlier, question)).replace("?", " ").split())
    found = follow_up(question, [EarlierTurn(text) for text in earlier], LEGAL, Anything()).text
    assert set(found.replace("?", " ").replace(",", " ").split()) <= said | ours


@pytest.mark.parametrize("hostile", ["and " * 5000, "it " * 5000, "?" * 20000, "and, " * 3000 + "x", "section " * 3000])
def test_hostile_turns_are_left_alone(hostile):
    assert follow_up(hostile, [EarlierTurn(hostile), EarlierTurn(PUNISHED)], LEGAL).text == hostile
    assert follow_up("And for theft?", [EarlierTurn(hostile)], LEGAL).text


@pytest.mark.trained
@pytest.mark.parametrize(
    ("question", "answer", "typed", "meant"),
    [
        (PUNISHED, "", "And for theft?", "What is the punishment for theft?"),
        (PUNISHED, "", "what about theft", "What is the punishment for theft?"),
        ("What is the notice period for a clerk?", "One month.", "and for a manager?", "What is the notice period for a manager?"),
        ("What is the fee on the gold card?", "", "sorry, I meant the silver card", "What is the fee on the silver card?"),
        ("Where is the first-aid kit kept?", "In the staff room.", "who checks it?", "who checks the first-aid kit?"),
        ("Can I cancel the order?", "", "in writing?", "Can I cancel the order in writing?"),
        ("चोरी के लिए क्या सज़ा है?", "", "और डकैती के लिए?", "डकैती के लिए क्या सज़ा है?"),
    ],
)  # fmt: skip
def test_the_shipped_reader_makes_follow_ups_stand_on_their_own(question, answer, typed, meant):
    assert follow_up(typed, [EarlierTurn(question, answer)], LEGAL).text == meant


@pytest.mark.trained
@pytest.mark.parametrize(
    "typed",
    [
        "What is the quorum of the general meeting?",
        "If a magnet is cut in half, does it still have two poles?",
        "How do plants lose water through their leaves?",
    ],
)
def test_the_shipped_reader_keeps_questions_that_are_complete(typed):
    earlier = [EarlierTurn("What is the role of the High Court?", "The High Court hears appeals.")]
    assert follow_up(typed, earlier, LEGAL).status == "standalone"


def test_a_question_that_names_nothing_was_answered_with_anything():
    passage = chunk_of("Leave_1_0", "Every employee has 24 days of paid leave.")
    evidence = evidence_of("why?", passage)
    query = with_context(evidence.query, "How long is the leave?", LEGAL)
    refused = check_sufficiency(Evidence(query, evidence.hits), LEGAL)
    assert refused.verdict.reason is Reason.NO_RELEVANT_CONTENT
    assert refused.needed.missing == "it is not clear what the question refers to"
    read = check_sufficiency(evidence, load_profile("default"), FakeReader())
    assert read.needed.missing == "the question names nothing to look for"
