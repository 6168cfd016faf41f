"""What the gate asks a reader, in which order, and what follows from what it finds."""

import pytest

from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason
from footnotary.errors import BackendError
from footnotary.gate.intent import understand
from footnotary.gate.reader_decision import MOST_READ, read_question
from footnotary.gate.sufficiency import GateResult, check_sufficiency
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.reader.cascade import WORTH_READING, CascadeReader
from footnotary.reader.shipped import reader_for
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.fake_reader import FakeReader

DUTY = chunk_of("WAGES_1", "The employer shall pay the wages of every worker by the seventh day.")
SHOPS = chunk_of("WAGES_2", "The wages of a worker in a shop are paid by the employer every week.")
MINES = chunk_of("WAGES_3", "The employer pays the wages of every worker in a mine on Saturday.")
QUESTION = "When does the employer pay the wages of a worker?"
NOTIFICATION = chunk_of(
    "HIPAA_164.404_0",
    "A covered entity shall provide the notification without unreasonable delay and in no case later than 60 calendar "
    "days after discovery of a breach.",
    title="Notification to individuals",
)


def asking(least: float, profile: str = "legal", **policy: object) -> Profile:
    found = load_profile(profile)
    update = {"min_answerable": least, **policy}
    return found.model_copy(update={"sufficiency": found.sufficiency.model_copy(update=update)})


HALF = asking(0.5)


def gated(question: str, reader: FakeReader, *chunks, profile: Profile = HALF, score: float = 0.9) -> GateResult:
    return check_sufficiency(evidence_of(question, *chunks, score=score), profile, reader)


def ids(found: GateResult) -> list[str]:
    return [hit.chunk.id for hit in found.relevant]


def test_passages_that_do_not_answer_are_refused_with_the_probability():
    found = gated(QUESTION, FakeReader({"seventh": 0.49}), DUTY)
    assert found.verdict.reason is Reason.INSUFFICIENT_EVIDENCE
    assert found.verdict.detail == "the passages found do not answer the question"
    assert (found.verdict.values["probability"], found.verdict.values["threshold"]) == (0.49, 0.5)
    assert found.needed.nearest == (DUTY.id,)


def test_the_threshold_is_inclusive():
    assert gated(QUESTION, FakeReader({"seventh": 0.5}), DUTY).verdict.status == "pass"


def test_words_and_scores_do_not_decide_where_a_reader_does():
    coach = chunk_of("BUS_1", "A coach leaves the depot for the airfield at six each morning.")
    question = "When can travellers get a ride to catch their flight?"
    assert gated(question, FakeReader({"coach": 0.9}), coach, score=0.01).verdict.status == "pass"
    assert check_sufficiency(evidence_of(question, coach), HALF).verdict.status == "fail"


def test_one_of_the_first_three_that_answers_ends_the_reading():
    reader = FakeReader({"seventh": 0.1, "shop": 0.9, "mine": 0.1, "hall": 0.95})
    assert ids(gated(QUESTION, reader, DUTY, SHOPS, MINES, *halls(7))) == [SHOPS.id]
    assert len(set(reader.asked)) == 3


def test_a_question_for_several_things_is_read_on_while_most_passages_answer():
    crimes = [
        chunk_of(f"PC_{n}", f"Crime {n} is punished with {'death' if n < 5 else 'a fine'}.") for n in range(1, 12)
    ]
    reader = FakeReader({"death": 0.95, "fine": 0.1})
    found = gated("Which crimes are punished with death?", reader, *crimes)
    assert ids(found) == [f"PC_{n}" for n in range(1, 5)]
    assert len(set(reader.asked)) == MOST_READ


def test_passages_that_answer_come_best_first():
    reader = FakeReader({"seventh": 0.6, "shop": 0.1, "mine": 0.9})
    assert ids(gated(QUESTION, reader, DUTY, SHOPS, MINES)) == [MINES.id, DUTY.id]


def halls(count: int):
    return [chunk_of(f"HALL_{n}", f"The hall number {n} is swept.") for n in range(count)]


def test_up_to_ten_passages_are_read_where_the_first_three_fail():
    others = halls(12)
    reader = FakeReader({"seventh": 0.9, "hall": 0.1})
    assert ids(gated(QUESTION, reader, *others[:9], DUTY)) == [DUTY.id]
    far = FakeReader({"seventh": 0.9, "hall": 0.1}, together=0.1)
    assert gated(QUESTION, far, *others, DUTY).verdict.status == "fail"
    assert len({texts for _, texts in far.asked if len(texts) == 1}) == MOST_READ


FIRST_SCORES = {"seventh": 0.6, "shop": 0.7, "mine": 0.1, "hall": 0.1}


class TestCascade:
    """The small reader is the first stage, and the large one reads the likely passages."""

    def decided(self, small: dict[str, float], large: FakeReader, *chunks) -> tuple[list[str], list[str]]:
        """The ids that answer, and the texts that the large reader read alone."""
        found = gated(QUESTION, CascadeReader(FakeReader(small), large), *chunks)  # type: ignore[arg-type]
        return ids(found), [texts[0] for _, texts in large.asked if len(texts) == 1]

    def test_the_large_reader_reads_the_likeliest_and_the_first_of_the_likely_ones(self):
        large = FakeReader({"shop": 0.8, "seventh": 0.9})
        found = self.decided(FIRST_SCORES, large, DUTY, SHOPS, MINES, *halls(7))
        assert found == ([DUTY.id, SHOPS.id], [SHOPS.text, DUTY.text])
        first = FakeReader({"": 0.9})
        assert self.decided(FIRST_SCORES, first, SHOPS, DUTY, MINES, *halls(7)) == ([SHOPS.id], [SHOPS.text])

    def test_the_large_reader_decides_and_a_second_passage_is_read_where_the_first_fails(self):
        large = FakeReader({"shop": 0.1, "seventh": 0.8})
        assert self.decided(FIRST_SCORES, large, DUTY, SHOPS, MINES, *halls(7)) == ([DUTY.id], [SHOPS.text, DUTY.text])
        assert self.decided(FIRST_SCORES, FakeReader({"": 0.1}), DUTY, SHOPS, MINES, *halls(7))[0] == []

    def test_what_the_small_reader_is_sure_about_is_not_read(self):
        large = FakeReader({"": 0.9})
        assert self.decided({"": WORTH_READING - 0.01}, large, DUTY, *halls(9)) == ([], [])
        assert large.asked == []

    def test_a_doubtful_passage_is_read_after_ten_first_stage_scores(self):
        large = FakeReader({"": 0.9})
        small = {"seventh": WORTH_READING, "hall": 0.1}
        assert self.decided(small, large, *halls(9), DUTY) == ([DUTY.id], [DUTY.text])

    def test_reading_ends_with_three_doubtful_passages(self):
        large = FakeReader({"": 0.1})
        first_scores = {"seventh": 0.6, "shop": 0.7, "mine": 0.8, "hall": 0.5}
        hall = halls(7)
        read = self.decided(first_scores, large, DUTY, SHOPS, MINES, *hall)
        assert read == ([], [MINES.text, DUTY.text, SHOPS.text, *(one.text for one in hall[:3])])

    def test_all_likely_ones_are_read_where_several_things_are_asked_for(self):
        crimes = [chunk_of(f"PC_{n}", f"Crime {n} is punished with death.") for n in range(3)]
        large = FakeReader({"": 0.9})
        cascade = CascadeReader(FakeReader({"": 0.9}), large)
        assert len(ids(gated("Which crimes are punished with death?", cascade, *crimes))) == 3  # type: ignore[arg-type]

    def test_the_last_digits_of_a_first_stage_score_do_not_decide(self):
        for other in (0.70004, 0.69996):
            large = FakeReader({"": 0.9})
            assert self.decided({"seventh": 0.7, "shop": other}, large, DUTY, SHOPS)[1] == [DUTY.text]


def test_passages_that_answer_only_together_count_together():
    reader = FakeReader({"seventh": 0.35, "shop": 0.1, "mine": 0.4}, together=0.7)
    assert ids(gated(QUESTION, reader, DUTY, SHOPS, MINES)) == [MINES.id, DUTY.id, SHOPS.id]
    assert reader.asked[-1] == (QUESTION, (DUTY.text, SHOPS.text, MINES.text))


def test_a_profile_that_asks_for_nothing_leaves_it_to_the_words():
    reader = FakeReader()
    assert gated(QUESTION, reader, DUTY, profile=asking(0.0)).verdict.status == "pass"
    assert reader.asked == []


def test_a_question_in_a_language_that_the_reader_has_not_learned_is_left_to_the_words():
    reader, hindi = FakeReader({"": 0.0}), chunk_of("H_1", "नियोजक सातवें दिन तक वेतन देता है।")
    assert gated("वेतन कब दिया जाता है?", reader, hindi).verdict.status == "pass"
    assert reader.asked == []
    learned = FakeReader({"": 0.1}, languages=("en", "hi"))
    assert gated("वेतन कब दिया जाता है?", learned, hindi).verdict.status == "fail"


def test_a_passage_in_a_language_that_the_reader_has_not_learned_is_not_shown_to_it():
    across = HALF.model_copy(update={"languages": HALF.languages.model_copy(update={"cross_language": True})})
    reader, hindi = FakeReader({"seventh": 0.9}), chunk_of("H_1", "नियोजक सातवें दिन तक वेतन देता है।")
    assert ids(gated(QUESTION, reader, hindi, DUTY, profile=across)) == [DUTY.id]
    assert all(texts == (DUTY.text,) for _, texts in reader.asked)


def test_both_parts_of_a_question_must_be_answered_and_the_refusal_names_the_missing_one():
    both = "When does the employer pay the wages of a worker and how is a mine closed?"
    reader = FakeReader({"seventh": 0.9, "closed": 0.1, "mine on": 0.1})
    closing = chunk_of("MINES_1", "The mine is closed by a notice on its gate.")
    assert ids(gated(both, reader, DUTY, closing)) == [DUTY.id]  # one passage is found for both

    class OnePart(FakeReader):
        def _found(self, asked, text):
            return 0.9 if ("wages" in asked) == ("wages" in text) else 0.1

    assert set(ids(gated(both, OnePart(), DUTY, closing))) == {DUTY.id, closing.id}
    missing = gated(both, OnePart(together=0.1), DUTY, SHOPS)
    assert missing.verdict.reason is Reason.INSUFFICIENT_EVIDENCE
    assert "'How is a mine closed?'" in missing.verdict.detail
    assert "'How is a mine closed?'" in missing.needed.missing


def test_a_part_is_read_as_the_question_that_it_is_alone():
    query = understand("What is cheating and how is it punished?", Scope("law"), HALF)
    assert [read_question(query, facet) for facet in query.facets] == [facet.text for facet in query.facets]
    whole = understand("What is cheating?", Scope("law"), HALF)
    assert read_question(whole, whole.facets[0]) == "What is cheating?"


@pytest.mark.parametrize(
    ("question", "chunk"),
    [
        ("What does section 9 say about wages?", chunk_of("WAGES_8_0", "Wages are paid.")),
        ("When are wages paid under the Mines Act?", chunk_of("SHOPS_8_0", "Wages are paid.", act="Shops Act")),
        ("What does section 8(2)(z) say about wages?", chunk_of("WAGES_8_0", "(1) Wages are paid.\n(2) In coin.")),
        ("What was the theme of the fair in 2021?", chunk_of("FAIR_1", "In 2018 the theme of the fair was the sea.")),
    ],
)
def test_what_a_question_names_has_to_be_there_however_sure_the_reader(question: str, chunk):
    found = gated(question, FakeReader({"": 0.99}), chunk)
    assert found.verdict.reason is Reason.INSUFFICIENT_EVIDENCE


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who was the head in 2015?", "Ada was the head from 2013 to 2018."),
        ("Who won the cup in 2017?", "Leeds won the cup of 2016–17."),
        ("What was the theme of the fair in 2021?", "The theme of the fair is the sea."),
        ("How are 1800 boxes stored?", "In 2004 the 1800 boxes were stored in the hall."),
    ],
)
def test_a_year_is_named_within_others_or_not_at_all(question: str, text: str):
    assert gated(question, FakeReader({"": 0.9}), chunk_of("FAIR_1", text)).verdict.status == "pass"


def test_a_provision_asked_for_by_its_number_alone_needs_no_reading():
    reader = FakeReader({"": 0.0})
    chunk = chunk_of("IPC_12_0", "A section of any kind.", section="12")
    assert ids(gated("What does section 12 say?", reader, chunk)) == ["IPC_12_0"]
    assert reader.asked == []


def test_a_reader_that_fails_is_an_error_and_no_refusal():
    class Broken(FakeReader):
        def answers(self, pairs):
            raise BackendError("the weights are gone")

    with pytest.raises(BackendError, match="gone"):
        gated(QUESTION, Broken(), DUTY)


def test_the_calibrated_probability_of_the_best_is_compared():
    class Sceptical(FakeReader):
        def best_of(self, probabilities):
            return max(probabilities) / 2

    assert gated(QUESTION, Sceptical({"seventh": 0.9}, together=0.1), DUTY, SHOPS).verdict.status == "fail"


@pytest.mark.trained
@pytest.mark.parametrize("profile", ["default", "compliance"])
def test_a_plain_question_over_a_provision_under_its_heading_is_answered(profile: str):
    policy = load_profile(profile)
    evidence = evidence_of("When must a breach be notified?", NOTIFICATION, profile=profile)
    assert check_sufficiency(evidence, policy, reader_for(policy, "profile")).verdict.status == "pass"
