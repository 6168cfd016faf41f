"""Follow-up questions stand on their own, by rules, and on nothing but what the person asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.gate.follow_up import rewrite_follow_up
from footnotary.profiles.load import load_profile

LEGAL = load_profile("legal")
PUNISHED = "What is the punishment for cheating?"


@pytest.mark.parametrize(
    ("earlier", "question", "meant"),
    [
        # what is left out
        ([PUNISHED], "And for theft?", "What is the punishment for theft?"),
        ([PUNISHED], "and theft?", "What is the punishment for theft?"),
        ([PUNISHED], "What about theft?", "What is the punishment for theft?"),
        ([PUNISHED], "For theft?", "What is the punishment for theft?"),
        (["How is cheating punished?"], "And theft?", "How is theft punished?"),
        (
            ["How long may a member keep an ordinary book?"],
            "And a rare book?",
            "How long may a member keep a rare book?",
        ),
        (["What is the notice period?"], "And for a manager?", "What is the notice period for a manager?"),
        # what is pointed back to
        (["What is cheating?"], "What is the punishment for it?", PUNISHED),
        (["What is cheating?"], "How is this offence punished?", "How is cheating punished?"),
        (["What is cheating?"], "What is its punishment?", "What is the punishment of cheating?"),
        (["What is a breach?"], "When must notice of that be given?", "When must notice of breach be given?"),
        # the topic
        (["What is cheating?"], "What is the punishment?", PUNISHED),
        (["What is cheating?"], "And the punishment?", "the punishment for cheating?"),
        # the act and the section
        (
            ["What is the punishment under section 420 IPC?"],
            "And section 417?",
            "What is the punishment under section 417 of the IPC?",
        ),
        (
            ["What is the punishment under section 420 IPC?"],
            "What does section 417 say?",
            "What does section 417 of the IPC say?",
        ),
        (
            ["What does section 420 IPC say?"],
            "Who is punished under this section?",
            "Who is punished under section 420 IPC?",
        ),
        (
            ["What is the minimum wage under the Minimum Wages Act?"],
            "Who fixes it?",
            "Who fixes minimum wage under the Minimum Wages Act?",
        ),
        # further back, and past small talk
        (["What is cheating?", "What is the punishment?"], "And for theft?", "What is the punishment for theft?"),
        (["What is cheating?", "ok, thanks"], "What is the punishment?", PUNISHED),
        # Hindi
        (["धोखाधड़ी के लिए क्या सज़ा है?"], "और चोरी के लिए?", "चोरी के लिए क्या सज़ा है?"),
        (["धोखाधड़ी क्या है?"], "इसकी सज़ा क्या है?", "धोखाधड़ी की सज़ा क्या है?"),
    ],
)
def test_a_follow_up_is_made_to_stand_on_its_own(earlier, question, meant):
    assert rewrite_follow_up(question, earlier, LEGAL) == meant


@pytest.mark.parametrize(
    "question",
    [
        "What is the quorum of the general meeting?",
        "What is theft?",
        "Is it true that theft is punished with three years?",
        "Is it an offence to sell adulterated food?",
        "Which person that cheats is punished?",
        "What is the punishment under section 379 of the Bharatiya Nyaya Sanhita?",
    ],
)
def test_a_question_that_stands_on_its_own_stays_as_it_is(question):
    assert rewrite_follow_up(question, ["What is cheating under the Indian Penal Code?"], LEGAL) == question
    assert rewrite_follow_up(question, [], LEGAL) == question


@pytest.mark.parametrize("question", ["And for theft?", "What is its punishment?", "Why?", "", "???", "और?"])
def test_without_anything_before_it_nothing_is_made_up(question):
    assert rewrite_follow_up(question, [], LEGAL) == question
    assert rewrite_follow_up(question, ["", "thanks"], LEGAL) == question


words = st.sampled_from(
    "and it for theft cheating section 420 IPC what is the punishment its a ? और चोरी under Act".split()
)
turns = st.lists(words, max_size=8).map(" ".join)


@settings(deadline=None, max_examples=60)
@given(st.lists(turns, max_size=4), turns)
def test_no_word_comes_from_elsewhere(earlier, question):
    ours = {"the", "of", "for", "under", "के", "लिए"}
    said = set(" ".join((*earlier, question)).replace("?", " ").split())
    assert set(rewrite_follow_up(question, earlier, LEGAL).replace("?", " ").split()) <= said | ours


@pytest.mark.parametrize("hostile", ["and " * 5000, "it " * 5000, "?" * 20000, "and, " * 3000 + "x", "section " * 3000])
def test_hostile_turns_are_left_alone(hostile):
    assert rewrite_follow_up(hostile, [hostile, PUNISHED], LEGAL) == hostile
    assert rewrite_follow_up("And for theft?", [hostile], LEGAL)
