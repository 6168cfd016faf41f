"""A document named in a question is found by its name and searched alone."""

from dataclasses import replace

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Filters, Scope
from footnotary.engine import Engine
from footnotary.gate.intent import understand_in
from footnotary.gate.named_document import find_named_document
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.verify.run import checks_for
from tests.support.agreements import ASKED, invented_agreements, questions_on

DEFAULT = load_profile("default")
AGREEMENTS = invented_agreements()
OFFICE = {
    "leave_policy.md": "# Leave Policy\n\nStaff get 24 days of annual leave a year.\n",
    "travel_policy.md": "# Travel Policy\n\nStaff fly in the cheapest class. Annual leave may follow a trip.\n",
    "policy.md": "# Policy\n\nStaff are kind to one another.\n",
    "handbook.md": "# Welcome\n\nThe office opens at nine.\n",
    "conduct.md": "# Code of Ethics and Conduct\n\nGifts above 50 euros are declined.\n",
    "states.md": "# United States\n\nThe United States has 50 states.\n",
    "छुट्टी.md": "# अवकाश नियम पुस्तिका\n\nकर्मचारियों को 24 दिन का अवकाश मिलता है।\n",
}


@pytest.fixture(scope="module")
def filed():
    store = DictStore()
    corpus = Corpus(store, HashEmbedder())
    for agreement in AGREEMENTS:
        assert not corpus.ingest_text(agreement.file, agreement.text, "contracts").failed
    return store


@pytest.fixture(scope="module")
def office():
    store = DictStore()
    corpus = Corpus(store, HashEmbedder())
    for name, text in OFFICE.items():
        assert not corpus.ingest_text(name, text, "office").failed
    return store


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=lambda agreement: agreement.file)
def test_an_agreement_is_found_by_its_parties_and_asked_one_question(filed, agreement):
    for question in questions_on(agreement):
        query = understand_in(filed, question, Scope("contracts"), DEFAULT)
        assert query.named is not None, question
        assert query.named.ids == (agreement.file,), question
        assert [facet.text.casefold() for facet in query.facets] == [ASKED], question
        assert query.text == question


def test_the_answer_comes_from_the_agreement_named(filed):
    engine = Engine(filed, HashEmbedder(), ExtractiveGenerator(DEFAULT), DEFAULT, checks_for(DEFAULT))
    for agreement in AGREEMENTS[::7]:
        outcome = engine.ask(questions_on(agreement)[0], Scope("contracts"))
        assert {hit.chunk.document_id for hit in outcome.evidence.hits} == {agreement.file}
        assert isinstance(outcome, Answer)
        assert agreement.law in outcome.text


def test_an_agreement_that_is_not_there_is_not_replaced_by_another(filed):
    question = f"Consider the Supply Agreement between Pellucid Optics Inc. and Zorba Shipping SA; {ASKED}"
    query = understand_in(filed, question, Scope("contracts"), DEFAULT)
    assert query.named is not None
    assert query.named.ids == ()
    engine = Engine(filed, HashEmbedder(), ExtractiveGenerator(DEFAULT), DEFAULT, checks_for(DEFAULT))
    outcome = engine.ask(question, Scope("contracts"))
    assert isinstance(outcome, Refusal)
    assert outcome.evidence.hits == ()
    assert "Pellucid" in outcome.needed.missing


def test_of_two_agreements_between_the_same_parties_the_kind_decides():
    store = DictStore()
    corpus = Corpus(store, HashEmbedder())
    one = AGREEMENTS[0]
    for kind in ("Supply Agreement", "Loan Agreement"):
        corpus.ingest_text(f"{kind}.txt", replace(one, kind=kind).text, "contracts")
    supply = find_named_document(questions_on(replace(one, kind="Supply Agreement"))[0], Scope("contracts"), store)
    either = find_named_document(questions_on(replace(one, kind="agreement"))[0], Scope("contracts"), store)
    assert (supply.ids, either.ids) == (("Supply Agreement.txt",), ("Loan Agreement.txt", "Supply Agreement.txt"))


@pytest.mark.parametrize(
    "question",
    [
        'Consider the Supply Agreement between Parent "{one}" and Target "{other}"; who pays?',
        "Who signed the Supply Agreement between {one} and {other}?",
        "Under section 4 of the Supply Agreement between {one} and {other}, who pays?",
        "Is notice given in the Supply Agreement between {one} and {other}, dated 3 May 2019?",
        "Consider {one}' Supply Agreement; who pays?",
        "Consider {one}'s Supply Agreement; who pays?",
    ],
)
def test_parties_are_found_in_other_forms_too(filed, question):
    one = next(agreement for agreement in AGREEMENTS if agreement.kind == "Supply Agreement")
    asked = question.format(one=one.one.rstrip("."), other=one.other)
    assert find_named_document(asked, Scope("contracts"), filed).ids == (one.file,)


def test_a_party_may_be_named_by_the_file_alone():
    store = DictStore()
    corpus = Corpus(store, HashEmbedder())
    for name, other in (
        ("LUMENHARBOURCO_EX-10", "Bridgewell Foods Inc."),
        ("OTHERPORT_EX-10", "Bridgewell Foods Inc."),
    ):
        text = f"DISTRIBUTOR AGREEMENT\n\nThis Distributor Agreement is made by the Company and {other}\n\nIt ends in 2030."
        corpus.ingest_text(f"{name}.txt", text, "contracts")
    question = (
        "Consider the Distributor Agreement between Lumen Harbour Co. and Bridgewell Foods Inc.; when does it end?"
    )
    assert find_named_document(question, Scope("contracts"), store).ids == ("LUMENHARBOURCO_EX-10.txt",)


@pytest.mark.parametrize(
    ("question", "file", "asks"),
    [
        ("According to the leave policy, how many days do I get?", "leave_policy.md", "how many days do I get?"),
        ("Under the Travel Policy, which class is booked?", "travel_policy.md", "which class is booked?"),
        ("In handbook.md, when does the office open?", "handbook.md", "when does the office open?"),
        ("When does the office open according to handbook.md?", "handbook.md", "When does the office open?"),
        ("What does handbook.md say about opening?", "handbook.md", ""),
        ("What does the leave policy say about annual leave?", "leave_policy.md", ""),
        ("How many days of annual leave are there under the leave policy?", "leave_policy.md",
         "How many days of annual leave are there?"),
        ("Under the Code of Ethics and Conduct, which gifts are declined?", "conduct.md", "which gifts are declined?"),
        ("According to our company's leave policy, how many days do I get?", "leave_policy.md", ""),
        ("अवकाश नियम पुस्तिका के अनुसार कितने दिन का अवकाश मिलता है?", "छुट्टी.md", "कितने दिन का अवकाश मिलता है?"),
        ('In "Travel Policy", which class is booked?', "travel_policy.md", None),
    ],
)  # fmt: skip
def test_a_document_is_named_by_title_or_file(office, question, file, asks):
    named = find_named_document(question, Scope("office"), office)
    assert named is not None
    assert named.ids == (file,)
    assert asks is None or named.asks == asks


@pytest.mark.parametrize(
    "question",
    [
        "According to the policy, who is kind?",
        "What is a leave policy?",
        "How many days of annual leave do I get?",
        "In the United States, how many states are there?",
        "According to the rules, when does the office open?",
        "In the match between Brazil and Peru, who won?",
        "Who must sign in the visitors' book?",
        "What is the policy?",
        "In 1999, which class was booked?",
    ],
)
def test_a_question_that_names_no_document_is_asked_of_all(office, question):
    assert find_named_document(question, Scope("office"), office) is None


def test_a_document_given_as_a_filter_is_not_named_again(office):
    scope = Scope("office", filters=Filters(document="handbook.md"))
    assert find_named_document("According to the leave policy, how many days?", scope, office) is None


def test_names_follow_the_project():
    store = DictStore()
    corpus = Corpus(store, HashEmbedder())
    corpus.ingest_text("one.md", "# Parking Rules\n\nNobody parks here.\n", "office")
    question, scope = "According to the garden rules, who waters?", Scope("office")
    assert find_named_document(question, scope, store) is None
    corpus.ingest_text("two.md", "# Garden Rules\n\nAnna waters.\n", "office")
    assert find_named_document(question, scope, store).ids == ("two.md",)
