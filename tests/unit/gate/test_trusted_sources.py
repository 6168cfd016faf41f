"""The trust of documents: where it comes from, what a profile makes of it, and how many documents must agree."""

import pytest

from footnotary.audit.canonical_json import to_plain
from footnotary.corpus import Corpus
from footnotary.domain.draft import Claim
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Filters, Scope
from footnotary.domain.validity import Validity, is_trusted
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.errors import UsageError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ingest.trust_rules import TrustRule, parse_trust_options, with_trust_rules
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import TrustPolicy
from footnotary.render.outcome_record import outcome_record
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

TRUE = "The entry fee of the town museum is forty rupees for adults."
LIES = [f"Visitors {how}: the entry fee of the town museum is ninety rupees for adults." for how in "abcde"]
QUESTION = "What is the entry fee of the town museum for adults?"
LEVELS = ["official", "internal", "unverified"]


def asked(documents, policy=None, generator=None, filters=None, question=QUESTION):
    profile = load_profile("default").model_copy(update={"trust": policy or TrustPolicy()})
    store, embedder = DictStore(), HashEmbedder()
    corpus = Corpus(store, embedder)
    for name, (text, trust) in documents.items():
        assert not corpus.ingest_text(name, text, "town", given=Validity(trust=trust)).failed
    engine = Engine(store, embedder, generator or ExtractiveGenerator(profile), profile, checks_for(profile))
    return engine.ask(question, Scope("town", filters=filters or Filters()))


POISONED = {"fees.txt": (TRUE, "official")} | {f"lie{n}.txt": (lie, "unverified") for n, lie in enumerate(LIES)}


def test_a_preferred_document_answers_alone_against_any_number_of_others():
    outcome = asked(POISONED, TrustPolicy(prefer="official"))
    assert isinstance(outcome, Answer)
    assert outcome.text == TRUE


def test_without_a_preference_the_others_are_heard():
    assert any(hit.chunk.document_id.startswith("lie") for hit in asked(POISONED).evidence.hits)
    alone = asked(POISONED, TrustPolicy(prefer="official")).evidence.hits
    assert [hit.chunk.document_id for hit in alone] == ["fees.txt"]


def test_where_no_preferred_document_answers_the_others_do():
    documents = {"parking.txt": ("Parking is free on Sundays.", "official"), "fees.txt": (TRUE, None)}
    outcome = asked(documents, TrustPolicy(prefer="official"))
    assert isinstance(outcome, Answer)
    assert outcome.text == TRUE


@pytest.mark.parametrize("trust", ["internal", "unverified", None])
def test_a_document_below_the_required_level_is_ignored(trust):
    outcome = asked({"fees.txt": (TRUE, trust)}, TrustPolicy(require="official"))
    assert isinstance(outcome, Refusal)
    assert outcome.evidence.hits == ()


def test_a_question_can_be_restricted_to_trusted_documents():
    assert isinstance(asked({"fees.txt": (TRUE, "internal")}, filters=Filters(trust="internal")), Answer)
    assert isinstance(asked({"fees.txt": (TRUE, "internal")}, filters=Filters(trust="official")), Refusal)


def test_the_trust_of_a_source_is_in_its_citation_and_its_record():
    outcome = asked({"fees.txt": (TRUE, "official")})
    assert isinstance(outcome, Answer)
    record = outcome_record(outcome, "number")
    assert record["citation_details"][0]["trust"] == "official"
    assert record["sources"][0]["validity"]["trust"] == "official"
    assert to_plain(outcome.citations[0])["standing"]["validity"]["trust"] == "official"


def test_a_record_without_trust_stays_as_it_was():
    assert "trust" not in to_plain(Validity())
    assert "trust" not in to_plain(Filters())


@pytest.mark.parametrize(("level", "trusted"), [("official", [0]), ("internal", [0, 1]), ("unverified", [0, 1, 2, 3])])
def test_nothing_said_counts_as_unverified(level, trusted):
    assert [n for n, held in enumerate([*LEVELS, None]) if is_trusted(held, level)] == trusted


@pytest.mark.parametrize(
    ("said", "stored"), [("internal", "internal"), ("unverified", "unverified"), ("official", "unverified")]
)
def test_a_file_can_lower_its_own_trust_but_not_call_itself_official(said, stored):
    store = DictStore()
    corpus = Corpus(store, HashEmbedder())
    corpus.ingest_text("fees.md", f"---\ntitle: Fees\ntrust: {said}\n---\n\n{TRUE}", "town")
    assert [document.validity.trust for document in store.documents("town")] == [stored]
    corpus.ingest_text("fees.md", f"---\ntrust: {said}\n---\n\n{TRUE}", "town", given=Validity(trust="official"))
    assert [document.validity.trust for document in store.documents("town")] == ["official"]


def test_the_trust_of_a_deed_is_no_level():
    store = DictStore()
    corpus = Corpus(store, HashEmbedder())
    assert not corpus.ingest_text("deed.txt", f"TITLE: Deed\nTRUST: Smith Family Trust\n\n{TRUE}", "town").failed
    assert [document.validity.trust for document in store.documents("town")] == [None]


def test_folder_rules_give_the_level_of_the_first_that_matches(tmp_path):
    (tmp_path / "laws").mkdir()
    (tmp_path / "laws" / "fees.txt").write_text(TRUE)
    (tmp_path / "blog.txt").write_text("Parking is free on Sundays.")
    store = DictStore()
    rules = parse_trust_options(["laws/*=official", "unverified"])
    Corpus(store, HashEmbedder()).ingest([tmp_path], "town", trust=rules)
    found = {document.id: document.validity.trust for document in store.documents("town")}
    assert sorted(found.values()) == ["official", "unverified"]
    assert next(trust for name, trust in found.items() if "fees" in name) == "official"


def test_what_is_given_for_all_goes_before_a_rule():
    given = Validity(trust="internal").as_given()
    assert with_trust_rules(given, [TrustRule("*", "official")], "laws/a.txt") is given


def test_an_unknown_level_is_an_error_that_names_the_levels():
    with pytest.raises(UsageError) as caught:
        parse_trust_options(["laws/*=holy"])
    assert "'holy'" in caught.value.message
    assert all(level in caught.value.hint for level in LEVELS)


ELSEWHERE = "Adults who visit the museum of the town pay an entry fee of forty rupees at the counter."
PADDING = " The counter is next to the cloakroom, and the cloakroom is open until six."
TWO = TrustPolicy(corroboration=2)


def test_a_claim_that_one_document_states_is_refused_where_two_are_needed():
    outcome = asked({"fees.txt": (TRUE, None)}, TWO)
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.UNCORROBORATED


def test_a_claim_that_two_documents_state_in_their_own_words_cites_both():
    outcome = asked({"fees.txt": (TRUE, None), "guide.txt": (ELSEWHERE, None)}, TWO)
    assert isinstance(outcome, Answer)
    assert {citation.document_id for citation in outcome.citations if citation.claim == 0} == {"fees.txt", "guide.txt"}


@pytest.mark.parametrize(
    "copy",
    [
        f"{TRUE}{PADDING}",
        f"The town crier says: {TRUE}{PADDING}",
        "The entry fee of our town museum is forty rupees for all adults.",
    ],
)
def test_copies_and_quotations_count_once(copy):
    outcome = asked({"fees.txt": (TRUE, None), "copy.txt": (copy, None)}, TWO)
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.UNCORROBORATED


def test_two_passages_of_one_document_are_one_document():
    text = f"Fees\n\n{TRUE}\n\nGuide\n\n{ELSEWHERE}"
    outcome = asked({"fees.txt": (text, None)}, TWO)
    assert isinstance(outcome, Refusal)


def test_a_model_that_cites_a_copy_twice_does_not_corroborate():
    documents = {"fees.txt": (TRUE, None), "copy.txt": (f"{TRUE}{PADDING}", None)}
    first = asked(documents)
    assert isinstance(first, Answer)
    cites = tuple(hit.chunk.id for hit in first.evidence.hits)
    outcome = asked(documents, TWO, Says(Claim(TRUE, cites)))
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.UNCORROBORATED
