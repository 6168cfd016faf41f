"""Which sentences a reader's marks become: enough of them, in order, and each readable alone."""

from dataclasses import replace

import pytest

from footnotary.domain.identity import Span
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ports import FusionWeights, PassageText, Reading
from footnotary.profiles.load import load_profile
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.text.sentences.splitter import sentences


class MarkedSentences:
    """A `Reader` that gives a sentence the probability of the first of its phrases that the sentence contains.

    A passage answers as well as its best sentence. `asked` holds the questions, `passages` how many were read.
    """

    name = "marked"
    fusion_weights = FusionWeights()
    languages = ("en",)

    def __init__(self, **marks):
        self.marks = {phrase.replace("_", " "): probability for phrase, probability in marks.items()}
        self.asked = []
        self.passages = 0

    def support(self, pairs):
        return [1.0 for _ in pairs]

    def answers(self, pairs):
        return [max((self._reading(passage).answers for passage in passages), default=0.0) for _, passages in pairs]

    def read(self, question, passages):
        self.asked.append(question)
        self.passages += len(passages)
        return [self._reading(passage) for passage in passages]

    def _reading(self, passage: PassageText) -> Reading:
        said = tuple(
            next((p for phrase, p in self.marks.items() if phrase.casefold() in text.casefold()), 0.01)
            for text in sentences(passage.text)
        )
        return Reading(max(said, default=0.0), said)


def text_of(cited, text, **labels):
    return chunk_of(cited, text, **{"kind": "text", "act": None, "section": None} | labels)


def said(question, *chunks, reader=None, profile="default", **marks):
    evidence = evidence_of(question, *chunks, profile=profile)
    generator = ExtractiveGenerator(load_profile(profile), reader or MarkedSentences(**marks))
    return [claim.text for claim in generator.generate(evidence.query, evidence).claims]


BREACH = text_of(
    "Notices_1_0",
    "Notices\n\nThe covered entity keeps a log of breaches. It notifies the people affected within 60 days. "
    "The notice is sent by post. The log is kept for six years.",
    title="Notices",
)


def test_the_marked_sentence_answers_and_not_the_one_with_the_words_of_the_question():
    assert said("When is the notice sent?", BREACH, six_years=0.9) == ["The log is kept for six years."]


def test_further_sentences_are_those_as_likely_or_likely_enough_in_reading_order():
    claims = said("How is it done?", BREACH, six_years=0.9, by_post=0.6, log_of_breaches=0.2)
    assert claims == ["The notice is sent by post.", "The log is kept for six years."]


def test_a_weak_best_sentence_brings_those_near_it():
    claims = said("How is it done?", BREACH, six_years=0.3, by_post=0.28, log_of_breaches=0.1)
    assert claims == ["The notice is sent by post.", "The log is kept for six years."]


def test_a_sentence_that_begins_with_a_pronoun_is_one_claim_with_the_one_before_it():
    (claim,) = said("When are people notified?", BREACH, within_60_days=0.9)
    assert claim == "The covered entity keeps a log of breaches. It notifies the people affected within 60 days."
    assert claim in BREACH.text


def test_nothing_is_cut_off_from_a_sentence_that_says_there_is_something():
    chunk = text_of("Hall_1_0", "The hall is old. There are 40 seats in it.")
    assert said("How many seats are there?", chunk, seats=0.9) == ["There are 40 seats in it."]


def test_an_announcement_comes_with_all_its_items_in_one_claim():
    chunk = text_of(
        "Join_1_0", "To join you need:\n\n- a passport\n- a recent photo\n- the signed form\n\nPay at the desk."
    )
    (claim,) = said("What do I need to join?", chunk, you_need=0.9)
    assert claim == "To join you need:\n\n- a passport\n- a recent photo\n- the signed form"


def test_an_item_that_is_marked_alone_comes_with_its_list():
    chunk = text_of("Join_1_0", "Bring these papers.\n\n- a passport\n- a recent photo\n\nPay at the desk.")
    assert said("Which photo?", chunk, recent_photo=0.9) == ["Bring these papers.\n\n- a passport\n- a recent photo"]


def test_a_list_may_be_longer_than_the_number_of_claims_and_is_whole():
    items = [f"({letter}) the report of the {letter} board;" for letter in "abcdefghij"]
    chunk = text_of("List_1_0", "\n".join(["The file must contain:", *items[:-1], "(j) the plan."]))
    (claim,) = said("What must the file contain?", chunk, must_contain=0.9)
    assert claim == chunk.text


def test_most_steps_of_a_run_bring_the_whole_run_and_one_step_stays_alone():
    chunk = text_of("Card_1_0", "Steps\n\n1. Fill in the form.\n2. Pay the fee.\n3. Collect the card.", title="Steps")
    assert said("How do I get a card?", chunk, form=0.9, fee=0.8) == [chunk.text]
    assert said("Where do I pay?", chunk, fee=0.9) == ["Pay the fee."]


def test_a_row_has_its_header():
    chunk = text_of("Fees_1_0", "Fees\n\n| Ticket | Adult | Child |\n| Single | 5 euros | 3 euros |\n| Ten | 40 euros | 24 euros |", title="Fees")  # fmt: skip
    assert said("What does a single ticket cost?", chunk, single=0.9) == [
        "| Ticket | Adult | Child |\n| Single | 5 euros | 3 euros |"
    ]


def test_a_heading_belongs_to_an_entry_that_lacks_its_words():
    chunk = text_of("Pool_1_0", "Opening hours\n\nMonday to Friday 9 am to 5 pm\nSaturday 10 am to 2 pm")
    assert said("When does the pool open on Saturday?", chunk, saturday=0.9) == [chunk.text]
    assert said("What is on Saturday?", chunk, saturday=0.9) == ["Saturday 10 am to 2 pm"]


@pytest.mark.parametrize(
    "text",
    [
        "Visitors\n\nWhat is the visitor fee?\n\nThe fee is 5 euros.",
        "Visitor fee: https://museum.example/fee\n\nThe fee is 5 euros.",
        "The visitor fee is as follows:\n\nThe fee is 5 euros.",
    ],
)
def test_questions_links_headings_and_bare_announcements_are_no_claims(text):
    assert said("What is the visitor fee?", text_of("Fee_1_0", text), visitor=0.95, euros=0.4) == [
        "The fee is 5 euros."
    ]


def test_a_passage_far_less_likely_than_the_best_adds_nothing():
    other = text_of("Notices_2_0", "A notice may be sent at any time.")
    claims = said("When is the notice sent?", other, BREACH, any_time=0.4, by_post=0.45, six_years=0.95)
    assert claims == ["The log is kept for six years."]


def test_each_section_that_answers_has_its_sentence_and_reading_ends_where_sections_do_not_answer():
    penal = [
        chunk_of(
            f"PC_{n}_0", f"Whoever commits crime {n} shall suffer {'death' if n < 5 else 'a fine'}. Rule {n} stays."
        )
        for n in range(1, 13)
    ]
    reader = MarkedSentences(death=0.9)
    claims = said("Which crimes are punishable with death?", *penal, reader=reader)
    assert claims == [f"Whoever commits crime {n} shall suffer death." for n in range(1, 5)]
    assert reader.passages == 4  # the others are not worth reading


def test_a_comparison_has_both_sides():
    use = chunk_of("H_1_0", '"Use" means sharing information inside the entity. It is common.')
    release = chunk_of("H_2_0", '"Disclosure" means revealing information to anyone outside.')
    claims = said("What is the difference between use and disclosure?", use, release, sharing=0.9, revealing=0.3)
    assert claims == [use.text.partition(" It")[0], release.text]


def test_a_passage_with_both_sides_is_preferred_to_two_passages():
    both = chunk_of(
        "M_1_0",
        "A finite list has a last term. An infinite list goes on without end.",
        title="Finite and infinite lists",
    )
    other = chunk_of("M_2_0", "The last term of a finite list is written l.")
    claims = said(
        "What is the difference between finite and infinite lists?", other, both, written=0.9, term=0.4, end=0.4
    )
    assert claims == ["A finite list has a last term.", "An infinite list goes on without end."]


def test_a_plural_question_that_a_list_answers_needs_no_other_passage():
    factors = chunk_of("P_1_0", "The court weighs these factors:\n(a) the harm;\n(b) the gain.")
    other = chunk_of("P_2_0", "Neglect is a failure to comply.")
    assert said("What factors are weighed?", factors, other, factors=0.9, neglect=0.7) == [factors.text]


def test_a_sentence_that_compares_both_is_the_answer():
    chunk = chunk_of("H_1_0", "Use stays inside, while disclosure goes outside. Use is free. Disclosure is not.")
    assert said("How does use differ from disclosure?", chunk, while_disclosure=0.9) == [
        "Use stays inside, while disclosure goes outside."
    ]


def test_each_part_of_a_question_has_its_turn():
    chunk = text_of(
        "Card_1_0", "A card costs 5 euros. Cards are blue. Cards are small. Cards last ten years. Ask the desk."
    )
    evidence = evidence_of("What does a card cost?", chunk, profile="default")
    first = evidence.query.facets[0]
    query = replace(evidence.query, facets=(first, replace(first, text="How long does a card last?")))

    class PartReader(MarkedSentences):
        def read(self, question, passages):
            self.marks = {"card": 0.9, "last": 0.1} if "cost" in question else {"last": 0.9}
            return super().read(question, passages)

    generator = ExtractiveGenerator(load_profile("default"), PartReader())
    claims = [claim.text for claim in generator.generate(query, evidence).claims]
    assert "Cards last ten years." in claims
    assert len(claims) <= load_profile("default").generation.max_claims


def test_what_a_named_clause_says_is_given_whatever_the_reader_marks():
    chunk = chunk_of("FA_12_0", "12. Keepers.—(1) A keeper shall fence the wood.\n(2) A keeper shall feed the deer.")
    evidence = evidence_of("What does section 12(2) say?", chunk)
    evidence = replace(evidence, hits=tuple(replace(hit, via="reference") for hit in evidence.hits))
    generator = ExtractiveGenerator(load_profile("legal"), MarkedSentences(fence=0.99))
    assert [c.text for c in generator.generate(evidence.query, evidence).claims] == ["A keeper shall feed the deer."]


@pytest.mark.parametrize("marked", ["must_hold", "map", "rope", "lamp"])
def test_a_list_that_is_split_between_passages_is_given_whole_where_they_were_found(marked):
    first = chunk_of("FA_7_0", "A keeper must hold—\n(a) a licence;\n(b) a gun; and")
    rest = behind(first, chunk_of("FA_7_1", "(c) a map;\n(d) a whistle;\n(e) a rope;"))
    last = behind(rest, chunk_of("FA_7_2", "(f) a lamp.\n\nThe map is green."))
    claims = said("What must a keeper hold?", first, rest, last, **{marked: 0.9, "green": 0.01})
    assert claims[:3] == [first.text, rest.text, "(f) a lamp."]


def test_subsections_are_given_without_the_title_of_their_section():
    text = "Fees.\n\n(1) A keeper pays ten rupees a year.\n\n(2) A hunter pays twice the fee of a keeper."
    claims = said("Which fees are to be paid?", chunk_of("FA_9_0", text, title="Fees"), ten=0.9, twice=0.85)
    assert " ".join(claims) == text.removeprefix("Fees.\n\n")


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("antlers", ["“deer” means any animal with antlers;"]),
        ("woven", ["“net” means— (i) anything woven;", "(ii) anything knotted;"]),
        ("knotted", ["“net” means— (i) anything woven;", "(ii) anything knotted;"]),
    ],
)
def test_a_definition_in_a_list_that_is_split_is_given_alone_and_with_its_own_items(marked, expected):
    wood = chunk_of("FA_1_0", "In this Act,—\n(a) “wood” means any land with trees;")
    deer = behind(wood, chunk_of("FA_1_1", "(b) “deer” means any animal with antlers;"))
    net = behind(deer, chunk_of("FA_1_2", "(c) “net” means—\n(i) anything woven;"))
    rest = behind(net, chunk_of("FA_1_3", "(ii) anything knotted;"))
    trap = behind(rest, chunk_of("FA_1_4", "(d) “trap” means anything that springs;"))
    claims = said("What is meant by it?", wood, deer, net, rest, trap, **{marked: 0.9})
    assert [" ".join(claim.removeprefix("(c) ").split()) for claim in claims] == expected


def behind(before, chunk):
    start = before.span.end + 1
    return replace(chunk, span=Span(start, start + len(chunk.text)))


def test_a_reader_is_not_shown_another_language():
    reader = MarkedSentences(शुल्क=0.9)
    said("शुल्क कितना है?", chunk_of("जल_1_0", "शुल्क दस रुपये है।"), reader=reader)
    assert reader.passages == 0


def test_every_claim_is_verbatim_in_the_passage_it_cites():
    chunks = [BREACH, text_of("Pool_1_0", "Opening hours\n\nMonday 9 am\nSaturday 10 am"), chunk_of("FA_7_0", "He must hold—\n(a) a map;\n(b) a gun.")]  # fmt: skip
    evidence = evidence_of("When does it open?", *chunks)
    generator = ExtractiveGenerator(load_profile("legal"), MarkedSentences(a=0.9))
    claims = generator.generate(evidence.query, evidence).claims
    assert claims
    for claim in claims:
        assert claim.text in evidence.chunk(claim.cites[0]).text


def test_where_a_reader_gives_every_sentence_the_same_their_words_choose():
    more = text_of("Notices_2_0", "The office opens at nine. The door is green. The yard is the larger one.")
    assert said("For how many years is the log kept?", BREACH, more, the=0.97) == ["The log is kept for six years."]


PENALTY = text_of(
    "RTI_20_0",
    "The Commission shall impose a penalty of ten rupees a day:\n\n"
    "Provided that the officer shall be heard before any penalty is imposed on him:\n\n"
    "Provided further that the burden of proof is on the officer.\n\nThe Commission sits in the capital.",
)


@pytest.mark.parametrize("marked", ["ten_rupees", "be_heard", "burden_of_proof"])
def test_a_rule_is_given_with_its_provisos_and_a_proviso_with_its_rule(marked):
    (claim,) = said("What is the penalty for the officer?", PENALTY, **{marked: 0.9})
    assert claim == PENALTY.text.partition("\n\nThe Commission sits")[0]


def test_a_lead_in_whose_list_is_missing_is_no_claim_and_provided_may_begin_another_sentence():
    chunk = text_of("Meals_1_0", "The meals cost as follows:\n\nProvided meals are hot and cost two coins.")
    assert said("What do the meals cost?", chunk, follows=0.9, coins=0.6) == [
        "Provided meals are hot and cost two coins."
    ]


class DraftReader(MarkedSentences):
    """Marks sentences as `MarkedSentences`, and says of a drafted text what `of_draft` says."""

    def __init__(self, of_draft, **marks):
        super().__init__(**marks)
        self.of_draft = of_draft

    def answers(self, pairs):
        return [self.of_draft(" ".join(passage.text for passage in passages)) for _, passages in pairs]


CALENDAR = text_of(
    "Tools_1_0",
    "The team calendar is open to everybody. Press the plus sign to add it. All teams have meetings there.",
)


def test_the_next_best_sentence_is_added_where_the_chosen_one_does_not_answer_alone():
    def probability(answer: str) -> float:
        return 0.9 if "team calendar" in answer and "meetings" in answer else 0.2

    reader = DraftReader(probability, team_calendar=0.9, meetings=0.3, plus=0.1)
    question = "Which calendar shows the meetings?"
    both = ["The team calendar is open to everybody.", "All teams have meetings there."]
    assert said(question, CALENDAR, reader=reader) == both
    never = DraftReader(lambda _: 0.2, team_calendar=0.9, meetings=0.3, plus=0.1)
    assert said(question, CALENDAR, reader=never) == ["The team calendar is open to everybody."]


def test_a_chosen_sentence_that_does_not_belong_to_the_answer_is_left_out():
    def probability(answer: str) -> float:
        return 0.9 if "team calendar" in answer else 0.01

    reader = DraftReader(probability, team_calendar=0.9, plus=0.8)
    assert said("Which calendar is there?", CALENDAR, reader=reader) == ["The team calendar is open to everybody."]


POOL = text_of(
    "Pool_1_0",
    "Rules\n\n- Diving is not allowed\n- Child ticket: 3 euros\n- Adult ticket: 5 euros\n- radios that are loud",
    title="Rules",
)


@pytest.mark.parametrize(
    ("question", "marks", "said_alone"),
    [
        ("Is diving allowed?", {"diving": 0.9, "child": 0.8}, "Diving is not allowed"),
        ("What does a child ticket cost?", {"child": 0.9, "adult": 0.8, "diving": 0.7}, "Child ticket: 3 euros"),
        ("What does a ticket cost?", {"child": 0.9, "adult": 0.8, "diving": 0.7}, POOL.text),
        ("Are radios allowed?", {"radios": 0.9}, POOL.text),
    ],
)
def test_an_item_without_a_stop_is_given_alone_where_only_it_is_asked_for_and_it_states_something(
    question, marks, said_alone
):
    assert said(question, POOL, **marks) == [said_alone]


def test_an_item_that_does_not_answer_alone_is_given_with_its_list():
    reader = DraftReader(lambda answer: 0.9 if "Adult" in answer else 0.2, diving=0.9)
    assert said("Is diving allowed?", POOL, reader=reader) == [POOL.text]


def test_a_question_for_a_whole_table_is_not_answered_with_the_two_likeliest_of_four_rows():
    rows = [f"| Club: {name} | Cost: {cost} |" for name, cost in (("Chess", 20), ("Choir", 5), ("Golf", 9), ("Go", 7))]
    clubs = text_of("H_1_0", "\n".join(["| Club | Cost |", *rows]))
    assert said("Which clubs are there?", clubs, Chess=0.51, Choir=0.33) == ["\n".join(rows)]
    assert said("What does the chess club cost?", clubs, Chess=0.51, Golf=0.1) == [rows[0]]
