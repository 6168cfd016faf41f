"""The reader reads the drafted answer with the question: what is off the question is refused."""

from collections.abc import Callable, Sequence

import pytest

from footnotary.domain.draft import Claim
from footnotary.domain.verdict import Reason
from footnotary.errors import BackendError
from footnotary.ports import FusionWeights, PassageText
from footnotary.profiles.load import load_profile
from footnotary.reader.cascade import CascadeReader
from footnotary.testing.builders import chunk_of, submission_of
from footnotary.verify.question.addresses_question import answer_addresses_question
from footnotary.verify.run import acceptable, checks_for, verify

ALICE, BOB = "Alice joined in 2012.", "Bob joined in 2015."
SOURCE = chunk_of("Staff_1_0", f"{ALICE} {BOB} The office closes at six.", title="Staff list")
CLERK = chunk_of("Staff_3_0", "Alice is the clerk. She joined in 2012.", title="Staff list")
LEAFLET = chunk_of("Leaflet_2_0", "Adults take two tablets a day.", title="Dosage")


class FakeReader:
    """A reader whose probabilities are a function of question and passages; `asked` holds the pairs of each call."""

    name = "fake"
    languages = ("en",)
    fusion_weights = FusionWeights()

    def __init__(self, probability: Callable[[str, str], float]) -> None:
        self._probability = probability
        self.asked: list[list[tuple[str, tuple[PassageText, ...]]]] = []

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        self.asked.append([(question, tuple(passages)) for question, passages in pairs])
        return [self._probability(question, " ".join(map(str, passages))) for question, passages in pairs]

    def support(self, pairs):
        raise AssertionError("not asked here")

    def read(self, question, passages):
        raise AssertionError("not asked here")


def of_alice(question: str, answer: str) -> float:
    return 0.9 if "Alice" in answer else 0.1


def verdict(reader, question, *claims, threshold=0.3, cites="Staff_1_0"):
    stated = tuple(claim if isinstance(claim, Claim) else Claim(claim, (cites,)) for claim in claims)
    return answer_addresses_question(reader, lambda _: threshold)(
        submission_of(question, (SOURCE, CLERK, LEAFLET), *stated)
    )


def test_an_answer_to_another_question_is_refused():
    assert verdict(FakeReader(of_alice), "When did Alice join?", ALICE).status == "pass"
    found = verdict(FakeReader(of_alice), "When did Alice join?", BOB)
    assert (found.status, found.reason) == ("fail", Reason.OFF_QUESTION)
    assert found.detail == "the drafted answer does not answer the question"
    assert (found.values["probability"], found.values["threshold"]) == (0.1, 0.3)


def test_the_threshold_is_inclusive():
    assert verdict(FakeReader(lambda *_: 0.3), "When did Alice join?", BOB).status == "pass"
    assert verdict(FakeReader(lambda *_: 0.2999), "When did Alice join?", BOB).status == "fail"


def test_the_reader_sees_the_headings_of_what_is_cited():
    reader = FakeReader(lambda *_: 0.9)
    verdict(reader, "How many tablets do adults take?", "Adults take two tablets a day.", cites="Leaflet_2_0")
    passage = PassageText("Leaflet > Dosage", "Adults take two tablets a day.")
    assert {pair for call in reader.asked for pair in call} == {("How many tablets do adults take?", (passage,))}


def test_claims_in_a_row_under_the_same_headings_are_one_passage():
    reader = FakeReader(lambda *_: 0.9)
    verdict(reader, "Who joined?", ALICE, BOB, Claim("Adults take two tablets a day.", ("Leaflet_2_0",)))
    (_, passages), (_, again) = reader.asked[0]
    assert passages == again
    assert [passage.text for passage in passages] == [f"{ALICE} {BOB}", "Adults take two tablets a day."]
    assert [passages[0].text for _, passages in reader.asked[1]] == [ALICE, BOB, "Adults take two tablets a day."]


def test_a_claim_with_a_likely_first_stage_score_is_not_read_and_a_doubtful_one_is():
    large = FakeReader(lambda *_: 0.9)
    assert verdict(CascadeReader(FakeReader(of_alice), large), "When did Alice join?", ALICE, BOB).status == "pass"
    whole, alone = [call for call in large.asked if call]
    assert [passages[0].text for _, passages in whole] == [f"{ALICE} {BOB}"] * 2
    assert [passages[0].text for _, passages in alone] == [BOB]


def test_the_first_stage_alone_refuses_nothing_and_passes_nothing():
    likely, unlikely = FakeReader(lambda *_: 0.9), FakeReader(lambda *_: 0.1)
    assert verdict(CascadeReader(unlikely, likely), "Who joined?", ALICE, BOB).status == "pass"
    assert verdict(CascadeReader(likely, unlikely), "Who joined?", ALICE, BOB).status == "fail"


def test_a_claim_that_does_not_belong_is_refused_and_named():
    def probability(question: str, answer: str) -> float:
        return 0.01 if "Alice" not in answer else 0.8 if "office" in answer else 0.9

    found = verdict(FakeReader(probability), "When did Alice join?", ALICE, "The office closes at six.")
    assert (found.status, found.reason, found.claims) == ("fail", Reason.OFF_QUESTION, (1,))


def test_items_of_a_list_answer_together():
    reader = FakeReader(lambda _, answer: 0.9 if "Alice" in answer and "Bob" in answer else 0.01)
    assert verdict(reader, "Who are the clerks?", ALICE, BOB, "The office closes at six.").status == "pass"


def test_a_claim_that_says_little_alone_but_helps_is_kept():
    def probability(question: str, answer: str) -> float:
        return 0.9 if "Alice" in answer and "She" in answer else 0.4 if "She" in answer else 0.01

    claims = ("Alice is the clerk.", "She joined in 2012.")
    assert verdict(FakeReader(probability), "When did Alice join?", *claims, cites="Staff_3_0").status == "pass"


@pytest.mark.parametrize(("claim", "status"), [("She came in 2012.", "pass"), ("The joining took place.", "fail")])
def test_an_answer_in_words_of_its_own_may_be_read_in_those_of_its_source(claim, status):
    """Unless it is far from answering by itself: the source may say more than the answer takes from it."""

    def probability(question: str, answer: str) -> float:
        return 0.9 if "Alice" in answer else 0.1 if "2012" in answer else 0.01

    assert verdict(FakeReader(probability), "When did Alice join?", claim).status == status


def test_every_part_of_a_question_must_be_answered():
    def probability(question: str, answer: str) -> float:
        return 0.9 if ("Alice" in question) == ("Alice" in answer) or ("Alice" in answer and "Bob" in answer) else 0.0

    question = "When did Alice join? When did Bob join?"
    assert verdict(FakeReader(probability), question, ALICE, BOB).status == "pass"
    found = verdict(FakeReader(probability), question, ALICE)
    assert found.detail == "the drafted answer does not answer 'When did Bob join?'"


def test_a_question_that_only_names_a_provision_is_matched_and_not_read():
    reader = FakeReader(lambda *_: 0.0)
    assert verdict(reader, "What is Section 1 IPC?", ALICE, BOB).status == "pass"
    assert reader.asked == []
    assert verdict(reader, "Who joined under Section 1 IPC?", ALICE, BOB).status == "fail"


@pytest.mark.parametrize("question", ["", "  "])
def test_without_a_question_the_check_does_not_apply(question):
    reader = FakeReader(lambda *_: 0.0)
    assert verdict(reader, question, BOB).status == "pass"
    assert reader.asked == []


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("एलिस कब आई?", "एलिस 2012 में आई।"),
        ("Alice kab aayi aur kaise?", ALICE),
        ("When did Alice join?", "एलिस 2012 में आई।"),
    ],
)
def test_the_reader_is_not_asked_in_a_language_it_has_not_learned(question, claim):
    reader = FakeReader(lambda *_: 0.0)
    found = verdict(reader, question, claim)
    assert (found.status, found.detail, reader.asked) == ("pass", "checked by exact rules", [])


def test_exact_rules_apply_before_the_reader_and_without_one():
    reader = FakeReader(lambda *_: 1.0)
    for by in (reader, None):
        assert verdict(by, "When did Alice join?", "Alice did join.").reason is Reason.OFF_QUESTION
    assert reader.asked == []


def test_a_reader_that_fails_is_no_pass():
    def fails(question: str, answer: str) -> float:
        raise BackendError("out of memory")

    submission = submission_of("When did Alice join?", (SOURCE,), Claim(ALICE, ("Staff_1_0",)))
    check = answer_addresses_question(FakeReader(fails), lambda _: 0.3)
    (found,) = verify(submission, [("answer_addresses_question", check)])
    assert (found.status, found.reason) == ("skip", Reason.OFF_QUESTION)
    assert not acceptable((found,))


@pytest.mark.parametrize("name", ["default", "legal", "compliance", "tutor"])
def test_every_shipped_profile_asks_the_reader(name):
    profile = load_profile(name)
    reader = FakeReader(lambda *_: 0.0)
    check = dict(checks_for(profile, reader=reader))["answer_addresses_question"]
    assert profile.verification.addresses_threshold > 0
    assert check(submission_of("When did Alice join?", (SOURCE,), Claim(ALICE, ("Staff_1_0",)))).status == "fail"
