"""Follow-up questions stand on their own, by rules, and on nothing but what the person asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.domain.conversation import EarlierTurn
from footnotary.domain.evidence import Evidence
from footnotary.domain.verdict import Reason
from footnotary.gate.follow_up import follow_up, rewrite_follow_up
from footnotary.gate.intent import with_context
from footnotary.gate.sufficiency import check_sufficiency
from footnotary.profiles.load import load_profile
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.fake_reader import FakeReader

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
        (["What is a breach?"], "When must notice of that be given?", "When must notice of a breach be given?"),
        # the topic
        (["What is cheating?"], "What is the punishment?", PUNISHED),
        (["What is cheating?"], "And the punishment?", PUNISHED),
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
            "Who fixes the minimum wage under the Minimum Wages Act?",
        ),
        (["What does section 420 IPC say?"], "What does this act say of theft?", "What does the IPC say of theft?"),
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


def alike(text, others):
    """A similarity for tests: phrases are alike if they begin with the same letter."""
    return [1.0 if other[0] == text[0] else 0.0 for other in others]


@pytest.mark.parametrize(
    ("question", "answer", "typed", "asked"),
    [
        # corrections
        ("When does the lease of flat 4 end?", "", "flat 14 sorry", "When does the lease of flat 14 end?"),
        ("What does rule 138 say?", "", "sorry typo, 183", "What does rule 183 say?"),
        ("By how much can the rent go up?", "", "not the rent, the fee", "By how much can the fee go up?"),
        ("What does the first schedule contain?", "", "no, I meant the second one", "What does the second schedule contain?"),
        ("Is the fee on the gold card waived?", "", "no, the silver card", "Is the fee on the silver card waived?"),
        # what is left out
        ("Can staff work from home?", "", "on Fridays too?", "Can staff work from home on Fridays?"),
        ("How often is the lift serviced?", "", "at whose cost", "at whose cost is the lift serviced?"),
        ("How do I register a firm?", "", "and the fee?", "What is the fee to register a firm?"),
        ("Who approves claims?", "Claims up to Rs 500 are approved by Ann.", "above that?", "Who approves claims above Rs 500?"),
        ("Who pays for boilers?", "", "what about baths?", "Who pays for baths?"),
        ("Does the warranty cover water damage?", "No.", "and fire?", "Does the warranty cover fire?"),
        # what was answered
        ("Is it void?", "No, a contract is valid if it is void.", "why?", "Why is it that a contract is valid if it is void?"),
        ("Who wrote Faust?", "Johann Goethe wrote Faust.", "where was he born?", "where was Johann Goethe born?"),
    ],
)  # fmt: skip
def test_patterns_that_surely_resolve(question, answer, typed, asked):
    found = follow_up(typed, [EarlierTurn(question, answer)], LEGAL, alike)
    assert (found.text, found.status, found.typed) == (asked, "rewritten", typed)


@pytest.mark.parametrize(
    ("question", "answer", "typed"),
    [
        ("What is the notice period?", "One month.", "and managers?"),
        ("What is the fee for a passport?", "80 euros.", "is it refundable?"),
        ("How many players are in a cricket team?", "Eleven.", "how many?"),
        ("How many copies of the contract are needed?", "Two.", "signed by whom?"),
        ("Can I sublet my room?", "Yes, with consent.", "what if he says no?"),
    ],
)
def test_a_follow_up_in_doubt_is_asked_as_typed_with_its_context(question, answer, typed):
    found = follow_up(typed, [EarlierTurn(question, answer)], LEGAL, alike)
    assert found.text == typed
    assert found.status in ("with_context", "not_understood")
    assert found.context == question


@pytest.mark.parametrize(
    "typed",
    [
        "If a magnet is cut in half, does it still have two poles?",
        "Section 52 is mentioned in the preamble, but what does that section say?",
        "Is it legal to record a phone call without telling the other person?",
        "How do plants lose water through their leaves?",
        "thanks",
    ],
)
def test_a_complete_question_with_a_pronoun_of_its_own_was_spoilt(typed):
    found = follow_up(typed, [EarlierTurn("What is the role of the High Court?", "It hears appeals.")], LEGAL, alike)
    assert (found.text, found.status, found.context) == (typed, "standalone", "")


@pytest.mark.parametrize("typed", ["why?", "explain", "tell me more", "and?"])
def test_what_says_nothing_of_its_own_is_not_understood_and_forgotten(typed):
    first = EarlierTurn("What is a breach?", "")
    assert follow_up(typed, [first], LEGAL).status == "not_understood"
    assert follow_up("What is it?", [first, EarlierTurn(typed)], LEGAL).text == "What is a breach?"


def test_a_word_of_asking_was_put_into_the_question():
    asked = follow_up("explain", [EarlierTurn("Is the entry free?", "Yes, the entry is free.")], LEGAL, alike)
    assert (asked.text, asked.status) == ("explain", "not_understood")


def test_a_refusal_is_not_asked_why():
    asked = follow_up("why?", [EarlierTurn("Is the lease void?", LEGAL.refusal.en)], LEGAL)
    assert asked.text == "why?"


@pytest.mark.parametrize(
    ("question", "answer", "typed", "asked"),
    [
        # the phrase of the same form: article, number, name
        ("Does a tenant need the consent?", "", "what about an heir?", "Does an heir need the consent?"),
        ("Do you send data to the US?", "", "what about India?", "Do you send data to India?"),
        # the verb is told from the subject by the answer, or by a plural
        ("Does the car policy cover theft?", "Theft is covered.", "and fire?", "Does the car policy cover fire?"),
        ("Do cooks get tips?", "", "what about clerks?", "Do clerks get tips?"),
        # a circumstance of place takes the place of one; another is added
        ("What is the limit in towns?", "", "what about on highways?", "What is the limit on highways?"),
        ("How should it be stored?", "", "what about after opening?", "How should it be stored after opening?"),
        ("Can I cancel the order?", "", "and if I paid cash?", "Can I cancel the order if I paid cash?"),
        # what somebody does
        ("Can a tenant paint the walls?", "", "what about drilling into them?", "What about a tenant drilling into the walls?"),
        # what is asked of the same
        ("When was the Act passed?", "", "by whom?", "by whom was the Act passed?"),
        ("Who pays the duty?", "The buyer pays the duty.", "since when?", "since when is it that the buyer pays the duty?"),
        ("How long is the probation period?", "", "extendable?", "Is the probation period extendable?"),
        # the answer tells what a pronoun stands for
        ("What is the role of the ombudsman?", "The ombudsman hears complaints.", "can I call him?", "can I call the ombudsman?"),
        ("Which planet is the largest?", "Jupiter is the largest planet.", "is it hot?", "is Jupiter hot?"),
        ("Who made the mural?", "The mural was made by Ines Castro.", "when did she make it?", "when did Ines Castro make the mural?"),
        ("Does the firm have a pension fund?", "Yes, the firm has one.", "who runs it?", "who runs a pension fund?"),
        ("Who discovered it?", "Ann Lee discovered it in 1932.", "what did she do before that?", "what did Ann Lee do before 1932?"),
        ("How do I report a lost card?", "Call us.", "can I do it online?", "can I report a lost card online?"),
        ("When did the Limitation Act begin?", "", "does this act bind me?", "does the Limitation Act bind me?"),
        # reasons of a part of what was answered
        ("Who may vote?", "Only members may vote.", "why only members?", "Why is it that only members may vote?"),
        ("Can the fee be waived?", "The fee cannot be waived.", "why can't it?", "Why is it that the fee cannot be waived?"),
        ("Who may enter?", "Nobody may enter the vault.", "why?", "Why is it that nobody may enter the vault?"),
        ("Where is the meter room?", "The meter room is upstairs.", "who has the key to it?", "who has the key to the meter room?"),
        ("Who repairs the lights?", "The city repairs the lights.", "how fast?", "how fast is it that the city repairs the lights?"),
        ("Where do I send the form?", "", "no, I asked when", "when do I send the form?"),
        # Hindi
        ("पति की आय सीमा कितनी है?", "", "पत्नी की?", "पत्नी की आय सीमा कितनी है?"),
    ],
)  # fmt: skip
def test_follow_ups_that_were_left_open(question, answer, typed, asked):
    found = follow_up(typed, [EarlierTurn(question, answer)], LEGAL, alike)
    assert (found.text, found.status) == (asked, "rewritten")


@pytest.mark.parametrize(
    "typed",
    [
        "Can a landlord enter the flat to inspect it?",
        "Can I return a book without reading it?",
        "Why does a ship float although it is made of steel?",
        "When a body floats, does its weight change?",
        "Is it allowed to smoke in the courtyard?",
        "अगर कर्मचारी बीमार हो जाए तो उसे वेतन मिलता है?",
    ],
)
def test_a_pronoun_explained_by_another_clause_was_taken_to_point_back(typed):
    found = follow_up(typed, [EarlierTurn("Who is the dean?", "Dr Roy is the dean.")], LEGAL, alike)
    assert (found.text, found.status) == (typed, "standalone")


def test_a_compound_noun_was_taken_for_something_done():
    earlier = [EarlierTurn("Can the landlord keep the deposit for unpaid rent?", "Yes.")]
    assert "landlord cleaning" not in follow_up("What about cleaning costs?", earlier, LEGAL, alike).text


words = st.sampled_from(
    "and it for theft cheating section 420 IPC what is the punishment its a ? और चोरी under Act".split()
)
turns = st.lists(words, max_size=8).map(" ".join)


@settings(deadline=None, max_examples=60)
@given(st.lists(turns, max_size=4), turns)
def test_no_word_comes_from_elsewhere(earlier, question):
    ours = {"the", "of", "for", "to", "under", "What", "is", "Why", "it", "that", "के", "लिए"}
    said = set(" ".join((*earlier, question)).replace("?", " ").split())
    assert set(rewrite_follow_up(question, earlier, LEGAL).replace("?", " ").split()) <= said | ours


@pytest.mark.parametrize("hostile", ["and " * 5000, "it " * 5000, "?" * 20000, "and, " * 3000 + "x", "section " * 3000])
def test_hostile_turns_are_left_alone(hostile):
    assert rewrite_follow_up(hostile, [hostile, PUNISHED], LEGAL) == hostile
    assert rewrite_follow_up("And for theft?", [hostile], LEGAL)


def test_a_question_that_names_nothing_was_answered_with_anything():
    passage = chunk_of("Leave_1_0", "Every employee has 24 days of paid leave.")
    evidence = evidence_of("why?", passage)
    query = with_context(evidence.query, "How long is the leave?", LEGAL)
    refused = check_sufficiency(Evidence(query, evidence.hits), LEGAL)
    assert refused.verdict.reason is Reason.NO_RELEVANT_CONTENT
    assert refused.needed.missing == "it is not clear what the question refers to"
    read = check_sufficiency(evidence, load_profile("default"), FakeReader())
    assert read.needed.missing == "the question names nothing to look for"
