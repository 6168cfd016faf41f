"""When the sufficiency model is asked, and what follows from what it says."""

from collections.abc import Sequence

import pytest

from footnotary.domain.verdict import Reason
from footnotary.gate.sufficiency import check_sufficiency
from footnotary.ports import PassageText
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.testing.builders import chunk_of, evidence_of

DUTY = chunk_of("WAGES_1", "The employer shall pay the wages of every worker by the seventh day.")
SHOPS = chunk_of("WAGES_2", "The wages of a worker in a shop are paid by the employer every week.")
MINES = chunk_of("WAGES_3", "The employer pays the wages of every worker in a mine on Saturday.")
FIELDS = chunk_of("WAGES_4", "The employer of every worker in the fields pays wages after the harvest.")
QUESTION = "When does the employer pay the wages of a worker?"


def asking(least: float) -> Profile:
    profile = load_profile("legal")
    return profile.model_copy(update={"sufficiency": profile.sufficiency.model_copy(update={"min_answerable": least})})


ASKING = asking(0.5)


class Thinks:
    """Says the probabilities it is given, one for each pair it is shown, and remembers what was shown."""

    name = "thinks"

    def __init__(self, *chances: float) -> None:
        self.chances = list(chances)
        self.shown: list[str] = []

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        self.shown += [" ".join(map(str, passages)) for _, passages in pairs]
        return [self.chances.pop(0) for _ in pairs]


def test_evidence_that_the_model_finds_wanting_is_refused_with_what_it_thinks():
    found = check_sufficiency(evidence_of(QUESTION, DUTY), ASKING, Thinks(0.49))
    assert found.verdict.reason is Reason.INSUFFICIENT_EVIDENCE
    assert found.verdict.detail == "what was found answers with probability 0.49, 0.50 asked"


def test_the_threshold_is_inclusive():
    assert check_sufficiency(evidence_of(QUESTION, DUTY), ASKING, Thinks(0.5)).verdict.status == "pass"


def test_further_passages_are_shown_only_until_one_answers():
    model = Thinks(0.1, 0.9)
    found = check_sufficiency(evidence_of(QUESTION, DUTY, SHOPS, MINES), ASKING, model)
    assert found.verdict.status == "pass"
    assert len(model.shown) == 2
    assert [hit.chunk for hit in found.relevant] == [SHOPS, MINES]


def test_a_question_in_two_parts_keeps_every_passage():
    both = "When does the employer pay the wages of a worker and how are the wages of a worker in a mine paid?"
    evidence = evidence_of(both, DUTY, SHOPS, MINES)
    assert len(evidence.query.facets) == 2
    rules = check_sufficiency(evidence, ASKING).relevant
    assert check_sufficiency(evidence, ASKING, Thinks(0.1, 0.9)).relevant == rules


def test_no_more_than_three_passages_are_shown():
    model = Thinks(0.1, 0.2, 0.1)
    found = check_sufficiency(evidence_of(QUESTION, DUTY, SHOPS, MINES, FIELDS), ASKING, model)
    assert "probability 0.20" in found.verdict.detail
    assert len(model.shown) == 3


def test_a_profile_that_asks_for_nothing_does_not_ask_the_model():
    model = Thinks()
    none = asking(0.0)
    assert check_sufficiency(evidence_of(QUESTION, DUTY), none, model).verdict.status == "pass"


@pytest.mark.parametrize(
    ("question", "chunk"),
    [
        ("What does section 12 say?", chunk_of("IPC_12_0", "A section of any kind.", section="12")),
        ("What is the punishment for theft?", chunk_of("T_1", "Theft is punished with a fine.", title="Theft")),
        ("वेतन कब दिया जाता है?", chunk_of("H_1", "नियोजक सातवें दिन तक वेतन देता है।")),
    ],
)
def test_what_is_named_headed_or_in_another_language_is_left_to_the_rules(question, chunk):
    model = Thinks()
    assert check_sufficiency(evidence_of(question, chunk), ASKING, model).verdict.status == "pass"
    assert model.shown == []


def test_the_passage_is_shown_under_its_headings():
    model = Thinks(0.9)
    chunk = chunk_of("WAGES_5", "The employer shall pay wages to a worker.", title="Time of payment", act="Wages Act")
    check_sufficiency(evidence_of(QUESTION, chunk), ASKING, model)
    assert model.shown == ["Wages Act > Time of payment\nThe employer shall pay wages to a worker."]


def test_a_heading_about_more_than_is_asked_is_shown_to_the_model():
    model = Thinks(0.1)
    chunk = chunk_of("T_2", "Theft in a dwelling is punished with prison.", title="Theft in a dwelling")
    found = check_sufficiency(evidence_of("What is the punishment for theft?", chunk), ASKING, model)
    assert found.verdict.reason is Reason.INSUFFICIENT_EVIDENCE


SHUTTLE = chunk_of("BUS_1", "A coach leaves the depot for the airfield at six each morning.")
OTHER_WORDS = "When can travellers get a ride to catch their flight?"


def test_a_passage_in_other_words_answers_where_the_model_is_sure():
    default = load_profile("default")
    evidence = evidence_of(OTHER_WORDS, SHUTTLE)
    assert check_sufficiency(evidence, default).verdict.reason is Reason.INSUFFICIENT_EVIDENCE
    assert check_sufficiency(evidence, default, Thinks(0.49)).verdict.reason is Reason.INSUFFICIENT_EVIDENCE
    found = check_sufficiency(evidence, default, Thinks(0.5, 0.5))
    assert [hit.chunk for hit in found.relevant] == [SHUTTLE]


@pytest.mark.parametrize(
    "question",
    [
        "What does section 9 say about travellers who fly?",
        "When can travellers in Lisbon get a ride to catch their flight?",
        "When can travellers get a ride to catch their flight and who pays the porters?",
    ],
)
def test_what_a_question_names_has_to_be_there_however_sure_the_model(question: str):
    found = check_sufficiency(evidence_of(question, SHUTTLE), load_profile("default"), Thinks(0.99, 0.99, 0.99, 0.99))
    assert found.verdict.status == "fail"


def test_the_legal_profile_holds_to_the_words():
    found = check_sufficiency(evidence_of(OTHER_WORDS, SHUTTLE), load_profile("legal"), Thinks(0.99, 0.99))
    assert found.verdict.reason is Reason.INSUFFICIENT_EVIDENCE
