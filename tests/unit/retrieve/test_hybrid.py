"""Retrieval over a small corpus: provisions by number, cross-references, filters, order."""

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.query import Filters, Scope
from footnotary.gate.intent import understand
from footnotary.profiles.load import load_profile
from footnotary.profiles.overrides import override_profile
from footnotary.retrieve.hybrid_search import retrieve
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder

LEGAL = load_profile("legal")
IPC = """ACT: Indian Penal Code, 1860
CODE: IPC
KIND: act

Section 42. Local law.
A local law is a law applicable only to a particular part of the country.

Section 415. Cheating.
Cheating means deceiving a person to hand over property.

Section 420. Cheating and inducing delivery of property.
Cheating, as defined in section 415, that leads to delivery of property is punished with up to seven years.
"""
WAGES = """ACT: Minimum Wages Act, 1948
CODE: MinimumWagesAct
KIND: act

Section 2. Definitions.
(e) "employer" means any person who employs another for wages;

Section 42. Savings.
Property and wages under older laws are kept.
"""
WELLS = """ACT: Wells Act, 1990
CODE: WellsAct
KIND: act

Section 42. Digging.
A well is dug by those of whom section 42 of the Minimum Wages Act speaks, as section 42 of the Wells Act says.

Section 43. Fees.
No fee is taken for a well dug under section 42.
"""


@pytest.fixture(scope="module")
def parts():
    store, embedder = DictStore(), HashEmbedder()
    corpus = Corpus(store, embedder)
    corpus.ingest_text("ipc.txt", IPC, "law")
    corpus.ingest_text("wages.txt", WAGES, "law")
    return store, embedder


def found(parts, question, filters=None, **changes):
    query = understand(question, Scope("law", filters=filters or Filters()), LEGAL)
    return retrieve(query, *parts, override_profile(LEGAL, **changes).retrieval).hits


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is Section 420 IPC?", "IPC_420_0"),
        ("s. 420 of the Penal Code", "IPC_420_0"),
        ("Explain section 415 of the Indian Penal Code", "IPC_415_0"),
        ("What is section 42 of the Minimum Wages Act?", "MinimumWagesAct_42_0"),
        ("What is section 42 IPC?", "IPC_42_0"),
        ("धारा 420 क्या है?", "IPC_420_0"),
    ],
)
def test_a_provision_named_by_number_comes_first(parts, question, first):
    hit = found(parts, question)[0]
    assert (hit.chunk.id, hit.via) == (first, "reference")
    assert hit.score >= 0.9


def test_a_law_asked_under_is_where_the_search_looks(parts):
    hits = found(parts, "Who is an employer under the Minimum Wages Act?")
    assert {hit.chunk.labels.code for hit in hits} == {"MinimumWagesAct"}


def test_cross_references_are_followed_when_asked_for(parts):
    plain = found(parts, "What is Section 420 IPC?", k=1)
    followed = found(parts, "What is Section 420 IPC?", k=1, follow_references=True)
    assert [hit.chunk.id for hit in plain] == ["IPC_420_0"]
    assert [(hit.chunk.id, hit.via) for hit in followed] == [("IPC_420_0", "reference"), ("IPC_415_0", "graph")]


def test_a_cross_reference_to_a_section_of_the_same_number_in_another_act_is_followed():
    store, embedder = DictStore(), HashEmbedder()
    corpus = Corpus(store, embedder)
    corpus.ingest_text("wages.txt", WAGES, "law")
    corpus.ingest_text("wells.txt", WELLS, "law")
    followed = found((store, embedder), "What is section 42 of the Wells Act?", k=1, follow_references=True)
    assert [(h.chunk.id, h.via) for h in followed] == [
        ("WellsAct_42_0", "reference"),
        ("MinimumWagesAct_42_0", "graph"),
    ]


def test_a_cross_reference_that_names_no_act_leads_to_the_act_of_its_own_year():
    store, embedder = DictStore(), HashEmbedder()
    corpus = Corpus(store, embedder)
    for year in ("1990", "2005"):
        corpus.ingest_text(f"wells{year}.txt", WELLS.replace("1990", year), "law")
    for year, code in (("1990", "WellsAct"), ("2005", "WellsAct2005")):
        question = f"What is section 43 of the Wells Act, {year}?"
        followed = found((store, embedder), question, k=1, follow_references=True)
        assert [h.chunk.id for h in followed] == [f"{code}_43_0", f"{code}_42_0"]


@pytest.mark.parametrize(
    ("said", "followed"),
    [
        ("Under section 42 a fee is taken.", True),
        ("Under section 42 of this Act a fee is taken.", True),
        ("In section 42 of the principal Act nine stands for five.", False),
        ("In sections 42, 44(1) and 45A of the said Act nine stands for five.", False),
        ("उक्त अधिनियम की धारा 42 में नौ रखा जाएगा।", False),
        ("इस अधिनियम की धारा 42 में शुल्क है।", True),
    ],
)
def test_a_cross_reference_to_the_said_or_the_principal_act_is_not_to_the_act_it_stands_in(said, followed):
    store, embedder = DictStore(), HashEmbedder()
    text = WELLS.replace("No fee is taken for a well dug under section 42.", said)
    Corpus(store, embedder).ingest_text("wells.txt", text, "law")
    hits = found((store, embedder), "What is section 43 of the Wells Act?", k=1, follow_references=True)
    assert ("WellsAct_42_0" in [hit.chunk.id for hit in hits]) == followed


def test_filters_leave_only_what_is_labelled_so(parts):
    for filters, codes in ((Filters(act="ipc"), {"IPC"}), (Filters(act="Minimum Wages Act"), {"MinimumWagesAct"})):
        assert {h.chunk.labels.code for h in found(parts, "property and wages", filters)} == codes
    assert [h.chunk.id for h in found(parts, "property", Filters(section="415"))] == ["IPC_415_0"]
    assert found(parts, "property", Filters(language="hi")) == ()


def test_parts_of_a_question_take_turns(parts):
    hits = found(parts, "What is cheating and what is an employer?", k=2)
    assert {hit.chunk.labels.code for hit in hits} == {"IPC", "MinimumWagesAct"}


def test_no_more_than_k_hits_and_the_same_ones_each_time(parts):
    once = found(parts, "property law wages", k=3)
    assert len(once) == 3
    assert once == found(parts, "property law wages", k=3)


def test_a_store_that_gives_both_lists_in_one_trip_is_asked_once(parts):
    store, embedder = parts
    trips: list[int] = []

    class Far:
        def __getattr__(self, name):
            assert name not in ("lexical", "dense"), "asked for one list alone"
            return getattr(store, name)

        def lexical_and_dense(self, project, terms, vector, k, filters):
            trips.append(k)
            return store.lexical(project, terms, k, filters), store.dense(project, vector, k, filters)

    question = "What is the punishment for cheating?"
    assert found((Far(), embedder), question) == found(parts, question)
    assert len(trips) == 1
