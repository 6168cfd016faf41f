"""What a refusal says to people: what is missing, in the words of the question and of headings."""

import re
from dataclasses import replace

import pytest

from footnotary.domain.outcome import EvidenceGap, Refusal
from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason, Verdict
from footnotary.gate.intent import understand
from footnotary.profiles.load import load_profile
from footnotary.render.candidate_questions import candidate_questions
from footnotary.render.outcome_record import outcome_record
from footnotary.render.refusal_explanation import explain_refusal
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.text.tokens import words

DEFAULT = load_profile("default")


def page(cited, text, title, **labels):
    own = {"kind": "text", "code": None, "act": None, "section": None, "title": title}
    chunk = chunk_of(cited, text, **(own | labels))
    return replace(chunk, document_id="handbook.md", section=("Employee Handbook", title))


PAID = page("Handbook_1_0", "Every employee has 24 days of paid leave.", "1. Paid leave")
SICK = page("Handbook_2_0", "Who is ill reports it before nine.", "2. Sick leave")
HINDI = page("Ganit_1_0", "समांतर श्रेढ़ी संख्याओं का अनुक्रम है।", "समांतर श्रेढ़ी")
THEFT = chunk_of("IPC_379_0", "Theft is punished.", act="Indian Penal Code, 1860", title="Punishment for theft")


def refused(question, *chunks, missing="no answer was found", reason=Reason.INSUFFICIENT_EVIDENCE, **values):
    evidence = evidence_of(question, *chunks, profile="default")
    gap = EvidenceGap("a passage that answers the question", missing, tuple(chunk.id for chunk in chunks[:3]))
    verdict = Verdict.failed("evidence_suffices", reason, missing, **values)
    return Refusal(evidence.query, DEFAULT.refusal.en, reason, (verdict,), gap, evidence, "default", "d")


def questions_of(refusal):
    return tuple(candidate.text for candidate in candidate_questions(refusal))


def test_it_says_what_is_described_and_what_is_not():
    refusal = refused("What is the paid sick leave abroad?", PAID, SICK)
    said = explain_refusal(refusal)
    assert said.sentence == (
        "Your documents describe “Paid leave” and “Sick leave”, but none says what the paid sick leave abroad is."
    )
    assert questions_of(refusal) == (
        "What do the documents say about paid leave?",
        "What do the documents say about sick leave?",
    )
    assert said.nearest[0] == ("Handbook_1_0", "Employee Handbook, 1. Paid leave")


def test_the_question_that_was_refused_is_not_suggested():
    refusal = refused("What do the documents say about paid leave?", PAID, SICK)
    assert questions_of(refusal) == ("What do the documents say about sick leave?",)


def test_a_provision_is_asked_for_by_its_number():
    refusal = refused("What is the punishment for theft on the moon?", THEFT)
    assert questions_of(refusal) == ("What does section 379 of the Indian Penal Code say?",)
    assert "none answers “What is the punishment for theft on the moon?”" in explain_refusal(refusal).sentence


def test_an_act_whose_name_has_an_article_got_a_second_one():
    wages = chunk_of("W_3_0", "Wages are equal.", act="The Code on Wages, 2019", title="Equal wages")
    asked = questions_of(refused("What are equal wages on the moon?", wages))
    assert asked == ("What does section 3 of the Code on Wages say?",)


def test_passages_on_another_subject_are_not_said_to_describe_it():
    refusal = refused("Who is the chief executive?", PAID)
    said = explain_refusal(refusal)
    assert said.sentence == (
        "No passage of your documents answers “Who is the chief executive?”. The nearest are about “Paid leave”."
    )
    assert questions_of(refusal) == ()


def test_a_stranger_with_a_heading_was_called_nearest_in_place_of_two_passages_without_one():
    bare = [page(f"Leaflet_text_{n}", f"Take one tablet, part {n}.", None) for n in (0, 1)]
    bare = [replace(each, document_id="leaflet.txt", section=()) for each in bare]
    said = explain_refusal(refused("Should I take Dolorin on an empty stomach?", *bare, SICK))
    assert said.sentence.endswith("The nearest are about “leaflet”.")
    titled = [replace(each, labels=replace(each.labels, document_title="Package leaflet")) for each in bare]
    said = explain_refusal(refused("Should I take Dolorin on an empty stomach?", *titled, SICK))
    assert said.sentence.endswith("The nearest are about “Package leaflet”.")


@pytest.mark.parametrize(
    ("question", "heading"),
    [("What is the phone number of the school office?", "School day"), ("Can I rent a towel?", "4. Rent")],
)
def test_documents_were_said_to_describe_what_shares_one_word_with_the_question(question, heading):
    said = explain_refusal(refused(question, page("Handbook_4_0", "Doors open at nine.", heading)))
    assert "describe" not in said.sentence
    assert "nearest are about" in said.sentence


def test_documents_describe_the_only_word_of_a_question():
    said = explain_refusal(refused("What about the rent?", page("Lease_4_0", "It is due on Monday.", "4. Rent")))
    assert said.sentence.startswith("Your documents describe “Rent”")


def test_an_english_question_got_hindi_mathematics_as_its_nearest_passage():
    said = explain_refusal(refused("What is the parental leave?", HINDI, PAID))
    assert [cited for cited, _ in said.nearest] == ["Handbook_1_0"]
    record = outcome_record(refused("What is the parental leave?", HINDI, PAID), "number")
    assert record["needed"]["nearest"] == ["Handbook_1_0"]
    assert record["answer"] == DEFAULT.refusal.en


def test_only_the_missing_part_of_a_two_part_question_is_said_to_be_missing():
    question = "How many days of paid leave are there and who is the chief executive?"
    parts = [facet.text for facet in understand(question, Scope("x"), DEFAULT).facets]
    assert len(parts) == 2
    refusal = refused(question, PAID, part=parts[1])
    assert "No passage of your documents answers “Who is the chief executive?”." in explain_refusal(refusal).sentence
    assert questions_of(refusal)[0] == "How many days of paid leave are there?"


def test_of_parts_that_each_have_an_answer_none_is_said_to_be_missing():
    question = "How many days of paid leave are there and who reports sick leave?"
    refusal = refused(question, PAID, SICK, missing="x", reason=Reason.OFF_QUESTION)
    said = explain_refusal(refusal)
    assert "passages for each part" in said.sentence
    assert "but none" not in said.sentence
    assert questions_of(refusal)[:2] == ("How many days of paid leave are there?", "Who reports sick leave?")


def test_scores_are_in_the_details_alone():
    refusal = refused("What is the parental leave?", PAID, best_score=0.04, threshold=0.3)
    needed = outcome_record(refusal, "number")["needed"]
    assert "0.04" in needed["detail"]
    assert not any("0.04" in str(needed[name]) for name in ("missing", "explanation", "questions"))


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_sentence_without_invented_words(reason):
    ours = set(
        words(
            "Your documents describe but none says answers have no passage that of The nearest are about and What do "
            "does section the say There is project An answer was drafted from it did not pass checks delivered "
            "contradict each other on this so can be given passages found in English language question for part to "
            "all them together passed Ask parts one by was with"
        )
    )
    refusal = refused("What is the parental leave?", PAID, SICK, reason=reason)
    said = explain_refusal(refusal)
    known = ours | set(words("What is the parental leave? Paid leave Sick leave test"))
    assert said.sentence
    assert set(words(" ".join((said.sentence, *questions_of(refusal))))) <= known


def test_a_passage_far_behind_the_best_is_not_said_to_describe_what_is_asked():
    refusal = refused(
        "What does a leave certificate cost?", PAID, page("Handbook_3_0", "Carriage is free.", "Return costs")
    )
    best, far = refusal.evidence.hits
    hits = (replace(best, score=0.6), replace(far, score=0.1))
    refusal = replace(refusal, evidence=replace(refusal.evidence, hits=hits))
    assert "Return costs" not in explain_refusal(refusal).sentence
    assert questions_of(refusal) == ("What do the documents say about paid leave?",)


def test_a_suggested_question_did_not_say_of_which_document_it_was():
    pool = replace(page("Pool_Hours_0", "The sauna opens at two.", "Sauna hours"), document_id="pool.html")
    pool = replace(pool, labels=replace(pool.labels, document_title="Riverside Pool"))
    minutes = replace(page("Minutes_6_0", "The sauna burned down.", "Sauna fire"), document_id="club/minutes.txt")
    refusal = refused("When does the sauna open?", pool, minutes)
    assert questions_of(refusal) == (
        "According to “Riverside Pool”, what is said about sauna hours?",
        "According to minutes.txt, what is said about sauna fire?",
    )
    alone = refused("When does the sauna open?", pool)
    assert questions_of(alone) == ("What do the documents say about sauna hours?",)


def test_a_refusal_did_not_say_which_part_of_the_question_has_an_answer():
    question = "How much is football and what time does it end?"
    parts = [facet.text for facet in understand(question, Scope("x"), DEFAULT).facets]
    refusal = refused(question, page("School_Clubs_0", "Football costs £25.", "Clubs"), part=parts[1])
    assert explain_refusal(refusal).sentence == (
        "Your documents have passages for “How much is football?”, but a question is answered only as a whole. "
        "No passage of your documents answers “What time does football end?”. The nearest are about “Clubs”."
    )
    assert questions_of(refusal) == ("How much is football?",)
    refusal = refused(question, page("School_Clubs_0", "Football ends at four.", "Clubs"), part=parts[0])
    assert explain_refusal(refusal).sentence == (
        "No passage of your documents answers “How much is football?”. The nearest are about “Clubs”. "
        "A question is answered only as a whole: ask “What time does football end?” separately."
    )
    assert questions_of(refusal) == ("What time does football end?",)


@pytest.mark.parametrize("reason", list(Reason))
@pytest.mark.parametrize("chunks", [(HINDI,), ()])
@pytest.mark.parametrize(
    "question", ["शिकायत किससे करें?", "समांतर श्रेढ़ी में योग क्या है?", "पानी का बिल कब तक जमा करें और शिकायत किससे करें?"]
)
def test_the_explanation_of_a_hindi_refusal_was_half_english(question, chunks, reason):
    refusal = refused(question, *chunks, reason=reason)
    assert refusal.query.language == "hi"
    said = explain_refusal(refusal).sentence.replace(repr(refusal.query.scope.project), "")
    assert said
    assert not re.search("[A-Za-z]", said)


@pytest.mark.parametrize("cause", ["unclear_reference", "no_subject"])
def test_an_unclear_question_in_hindi_is_explained_in_hindi(cause):
    assert not re.search("[A-Za-z]", explain_refusal(refused("यह क्या है?", HINDI, cause=cause)).sentence)
