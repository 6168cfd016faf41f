"""Evaluation sets made by rule: every row is true to the passage it came from, and reviews are kept."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.errors import UsageError
from footnotary.evaluate.datasets.corrupted_claims import CORRUPTION_RULES, corrupted_claims
from footnotary.evaluate.datasets.generated_questions import (
    definition_questions,
    generate_questions,
    known_item_questions,
    penalty_questions,
)
from footnotary.evaluate.datasets.review_files import (
    CLAIMS_FILE,
    GENERATED_FILE,
    QUESTIONS_FILE,
    REVIEW_FILE,
    write_generated,
)
from footnotary.testing.builders import chunk_of

THEFT = chunk_of(
    "IPC_379_0",
    "Whoever commits theft shall be punished with imprisonment which may extend to three years.",
    title="Punishment for theft.",
)
COURT = chunk_of(
    "IPC_20_0",
    "The words “Court of Justice” denote a Judge who is empowered by law to act judicially alone.",
    title="“Court of Justice”",
)
HOME = chunk_of(
    "IPC_376_0",
    "“women’s institution” means an institution which is established for the care of women.",
    title="Of institutions.",
)
LEAVE = chunk_of(
    "Leave_2_0",
    "Every worker shall be given at least eighteen days of paid leave. He may not be refused it.",
    title="Annual leave.",
)
SAME = chunk_of("Leave_9_0", "Every clerk shall be given ten days.", title="Annual leave.")
HINDI = chunk_of("COW_2_0", "(ठ) “नियोजक” से ऐसा व्यक्ति अभिप्रेत है जो कर्मचारियों को नियोजित करता है।", title="परिभाषाएं")
CHUNKS = (THEFT, COURT, HOME, LEAVE, SAME, HINDI)


def test_a_known_item_is_asked_for_by_a_title_that_one_section_alone_has():
    asked = {made.question: made.relevant for made in known_item_questions(CHUNKS)}
    assert asked["Which section deals with punishment for theft?"] == "IPC_379"
    assert not any("annual leave" in question for question in asked)


def test_a_definition_is_asked_for_by_the_term_as_written_and_answered_by_its_sentence():
    made = {one.question: one for one in definition_questions(CHUNKS)}
    assert made["What is meant by Court of Justice?"].answer == COURT.text
    assert made["नियोजक से क्या अभिप्रेत है?"].relevant == "COW_2"
    assert "What is meant by women?" not in made


def test_in_a_text_without_sections_the_source_is_the_passage_and_not_the_whole_text():
    texts = ["“Lampwright” means a person who makes lamps.", "“Riverman” means a person who carries lamps."]
    chunks = [chunk_of(f"Plain_text_{n}", text, section=None) for n, text in enumerate(texts)]
    made = generate_questions(chunks, 10)
    assert {(one.kind, one.relevant) for one in made if not one.without} == {
        ("definition", "Plain_text_0"),
        ("definition", "Plain_text_1"),
    }
    assert {one.without for one in made if one.without} == {"Plain_text_0", "Plain_text_1"}


def test_a_term_that_two_sections_define_is_not_asked_for():
    other = chunk_of("CPC_2_0", "“Court of Justice” means a court of this district.")
    assert not [made for made in definition_questions([COURT, other]) if "Court of Justice" in made.question]


def test_a_penalty_is_asked_for_by_what_it_punishes():
    (made,) = penalty_questions(CHUNKS)
    assert (made.question, made.answer) == ("What is the punishment for theft?", THEFT.text)


def test_an_unanswerable_question_hides_the_section_that_answers_it():
    made = generate_questions(CHUNKS, 10)
    hidden = [one for one in made if one.kind == "unanswerable"]
    assert {one.question for one in hidden} == {one.question for one in made if one.kind in ("definition", "penalty")}
    assert all(one.without == one.relevant and not one.answer for one in hidden)


def test_the_same_documents_give_the_same_questions_in_any_order_and_no_more_than_asked():
    assert {one.id for one in generate_questions(CHUNKS, 10)} == {
        one.id for one in generate_questions(CHUNKS[::-1], 10)
    }
    few = generate_questions(CHUNKS, 1)
    assert sorted(one.kind for one in few) == ["definition", "known-item", "penalty", "unanswerable"]


def test_every_rule_changes_one_fact_of_a_sentence_and_says_which():
    claims = {(made.task, made.claim) for made in corrupted_claims([LEAVE], 5)}
    assert ("bound", "Every worker shall be given at most eighteen days of paid leave.") in claims
    assert ("negation added", "Every worker shall not be given at least eighteen days of paid leave.") in claims
    assert ("duty to leave", "Every worker may be given at least eighteen days of paid leave.") in claims
    assert ("as it stands", "Every worker shall be given at least eighteen days of paid leave.") in claims


@given(st.text(alphabet="shall may not be given within 12 three days more than less. ", min_size=40, max_size=200))
def test_a_corrupted_claim_is_never_a_sentence_of_its_passage(text):
    for made in corrupted_claims([chunk_of("A_1_0", text)], 3):
        assert made.label == (made.claim == made.original)
        assert made.label == 1 or made.claim not in text


def test_rules_leave_alone_what_they_have_nothing_to_change_in():
    assert all(
        rule("The sky over the harbour was the colour of slate and salt.") is None for rule in CORRUPTION_RULES.values()
    )


def rows_in(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_rows_that_somebody_added_stay_and_what_is_made_no_more_goes(tmp_path):
    questions, claims = generate_questions(CHUNKS, 10), corrupted_claims(CHUNKS, 5)
    write_generated(tmp_path, questions, claims)
    added = [{"id": "mine", "question": "Who signs?", "expected": "answer"}, {"question": "No id?", "tags": []}]
    claimed = {"id": 7, "claim": "He signs.", "passages": ["He signs."], "label": 1}
    for name, rows in ((QUESTIONS_FILE, added), (CLAIMS_FILE, [claimed])):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    assert write_generated(tmp_path, questions[1:], claims[1:]) == 0
    assert [row["id"] for row in rows_in(tmp_path / QUESTIONS_FILE)[:-2]] == [made.id for made in questions[1:]]
    assert rows_in(tmp_path / QUESTIONS_FILE)[-2:] == added
    assert len(rows_in(tmp_path / CLAIMS_FILE)) == len(claims)
    assert rows_in(tmp_path / CLAIMS_FILE)[-1] == claimed


def test_a_row_fixed_and_reviewed_stays_though_it_is_made_no_more(tmp_path):
    questions = generate_questions(CHUNKS, 10)
    write_generated(tmp_path, questions, [])
    rows = rows_in(tmp_path / QUESTIONS_FILE)
    rows[0]["reviewed"] = True
    rows[1]["question"] = "Mended, and the review forgotten?"
    (tmp_path / QUESTIONS_FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert write_generated(tmp_path, questions[2:], []) == 1
    assert rows_in(tmp_path / QUESTIONS_FILE)[-2:] == rows[:2]


def test_a_row_fixed_stays_when_it_is_made_again_though_the_review_was_forgotten(tmp_path):
    questions, claims = generate_questions(CHUNKS, 10), corrupted_claims(CHUNKS, 5)
    write_generated(tmp_path, questions, claims)
    rows = rows_in(tmp_path / QUESTIONS_FILE)
    rows[1]["question"] = "Mended, and the review forgotten?"
    (tmp_path / QUESTIONS_FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert write_generated(tmp_path, questions, claims) == 0
    assert rows_in(tmp_path / QUESTIONS_FILE) == rows


def test_a_row_that_was_deleted_stays_away(tmp_path):
    questions, claims = generate_questions(CHUNKS, 10), corrupted_claims(CHUNKS, 5)
    write_generated(tmp_path, questions, claims)
    for name in (QUESTIONS_FILE, CLAIMS_FILE):
        (tmp_path / name).write_text("".join((tmp_path / name).read_text().splitlines(keepends=True)[1:]))
    kept = rows_in(tmp_path / QUESTIONS_FILE), rows_in(tmp_path / CLAIMS_FILE)
    for _ in range(2):
        write_generated(tmp_path, questions, claims)
        assert (rows_in(tmp_path / QUESTIONS_FILE), rows_in(tmp_path / CLAIMS_FILE)) == kept
    assert questions[0].id not in (tmp_path / REVIEW_FILE).read_text()


def test_a_row_that_was_not_made_for_a_while_comes_back_and_so_does_a_file_that_was_taken_away(tmp_path):
    questions = generate_questions(CHUNKS, 10)
    write_generated(tmp_path, questions, [])
    write_generated(tmp_path, questions[2:], [])
    write_generated(tmp_path, questions, [])
    assert [row["id"] for row in rows_in(tmp_path / QUESTIONS_FILE)] == [made.id for made in questions]
    (tmp_path / QUESTIONS_FILE).unlink()
    write_generated(tmp_path, questions, [])
    assert len(rows_in(tmp_path / QUESTIONS_FILE)) == len(questions)


@pytest.mark.parametrize("content", ["", "[]", '{"questions.jsonl": 7}', "{" * 5000])
def test_a_list_of_what_was_made_that_is_none_is_said(tmp_path, content):
    write_generated(tmp_path, generate_questions(CHUNKS, 10), [])
    (tmp_path / GENERATED_FILE).write_text(content)
    with pytest.raises(UsageError, match="not a list of generated rows"):
        write_generated(tmp_path, [], [])
    assert rows_in(tmp_path / QUESTIONS_FILE)


def test_rows_that_cannot_be_written_leave_the_reviewed_ones_as_they_were(tmp_path, monkeypatch):
    questions, claims = generate_questions(CHUNKS, 10), corrupted_claims(CHUNKS, 5)
    write_generated(tmp_path, questions, claims)
    before = {name: (tmp_path / name).read_bytes() for name in (QUESTIONS_FILE, CLAIMS_FILE)}

    def half_written(path, content, **_):
        with path.open("w") as file:
            file.write(content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", half_written)
    with pytest.raises(OSError, match="No space"):
        write_generated(tmp_path, questions[1:], claims[1:])
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


@pytest.mark.parametrize("name", [QUESTIONS_FILE, CLAIMS_FILE])
def test_a_line_that_is_no_row_stops_it_before_anything_is_written(tmp_path, name):
    questions, claims = generate_questions(CHUNKS, 10), corrupted_claims(CHUNKS, 5)
    write_generated(tmp_path, questions, claims)
    with (tmp_path / name).open("a", encoding="utf-8") as file:
        file.write('{"id": "half')
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(UsageError, match=f"{name}, line .* is not JSON"):
        write_generated(tmp_path, questions[1:], claims[1:])
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_review_is_kept_when_the_set_is_made_again(tmp_path):
    questions, claims = generate_questions(CHUNKS, 10), corrupted_claims(CHUNKS, 5)
    assert write_generated(tmp_path, questions, claims) == 0
    rows = [json.loads(line) for line in (tmp_path / QUESTIONS_FILE).read_text().splitlines()]
    assert {row["reviewed"] for row in rows} == {False}
    rows[0] |= {"reviewed": True, "question": "Mended by hand?"}
    (tmp_path / QUESTIONS_FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert write_generated(tmp_path, questions, claims) == 1
    again = [json.loads(line) for line in (tmp_path / QUESTIONS_FILE).read_text().splitlines()]
    assert len(again) == len(rows)
    assert rows[0] in again
    assert "What is the punishment for theft?" in (tmp_path / REVIEW_FILE).read_text()
    labels = {json.loads(line)["label"] for line in (tmp_path / CLAIMS_FILE).read_text().splitlines()}
    assert labels == {0, 1}
