"""Versions through the two lines: what is kept when a file changes, and which documents answer on which day."""

from dataclasses import replace
from datetime import date

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.draft import Claim
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Scope
from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.errors import UnknownProject, UsageError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.render.outcome_record import evidence_record, outcome_record
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

OLD = "ACT: Travel Act, 1990\nCODE: TA\nKIND: act\nEFFECTIVE FROM: 1990-01-01\n"
NEW = "ACT: Travel Code, 2020\nCODE: TC\nKIND: act\nEFFECTIVE FROM: 2020-07-01\nSUPERSEDES: old.txt\n"
RULE = "\nSection {}. Daily allowance.\nA traveller shall be paid an allowance of {} rupees for each day of travel.\n"
ONLY_OLD = "\nSection 9. Mules.\nA traveller shall be paid five rupees for each mule that carries the luggage.\n"
QUESTION = "What allowance shall a traveller be paid for each day of travel?"
BEFORE, AFTER = date(2010, 1, 1), date(2021, 1, 1)


def engine(in_force, *texts, generator=None, profile="legal", today=None):
    policy = load_profile(profile)
    policy = policy.model_copy(update={"versions": policy.versions.model_copy(update={"in_force": in_force})})
    store, embedder = DictStore(), HashEmbedder()
    for name, text in texts:
        assert not Corpus(store, embedder).ingest_text(name, text, "law").failed
    made = Engine(store, embedder, generator or ExtractiveGenerator(policy), policy, checks_for(policy))
    return replace(made, today=today) if today else made


def acts():
    return ("old.txt", OLD + RULE.format(4, "forty") + ONLY_OLD), ("new.txt", NEW + RULE.format(7, "ninety"))


def cited(outcome):
    assert isinstance(outcome, Answer), outcome
    return {citation.id for citation in outcome.citations}


# -- the ingest line -----------------------------------------------------------------------------------------------


@pytest.fixture
def store():
    return DictStore()


@pytest.fixture
def corpus(store):
    return Corpus(store, HashEmbedder())


def said(store, document="a.txt"):
    return store.validities("p").get(document, UNKNOWN_VALIDITY)


def given_(**fields):
    return Validity(**fields, given=frozenset(fields))


def test_a_changed_file_replaces_its_document_and_its_former_text_can_be_read(corpus, store, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("The fine is forty rupees.", encoding="utf-8")
    corpus.ingest([path], "p")
    (before,) = store.documents("p")
    path.write_text("The fine is ninety rupees.", encoding="utf-8")
    assert len(corpus.ingest([path], "p").replaced) == 1
    (former,) = store.former_chunks("p", "A_text_0")
    assert former.chunk.text == "The fine is forty rupees."
    assert former.version.document.sha256 == before.sha256
    assert former.version.successor == store.documents("p")[0].sha256


def test_a_file_that_takes_over_anothers_content_leaves_its_own_past_readable(corpus, store, tmp_path):
    for name, text in (("a.txt", "The fine is forty rupees."), ("b.txt", "The toll is ten rupees.")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    corpus.ingest([tmp_path], "p")
    (tmp_path / "a.txt").write_text("The toll is ten rupees.", encoding="utf-8")
    corpus.ingest([tmp_path], "p")
    assert [document.id for document in store.documents("p")] == ["b.txt"]
    assert store.former_chunks("p", "A_text_0")[0].chunk.text == "The fine is forty rupees."


def test_a_deleted_document_is_erased_unless_its_history_is_to_be_kept(corpus, store):
    for text in ("One fine.", "Another fine."):
        corpus.ingest_text("a.txt", text, "p")
    corpus.ingest_text("b.txt", "A toll.", "p")
    corpus.delete("p", "a.txt", keep_history=True)
    assert len(store.former_chunks("p", "A_text_0")) == 2
    corpus.ingest_text("a.txt", "One fine.", "p")
    assert corpus.delete("p", "a.txt")
    assert store.former_chunks("p", "A_text_0") == []


def test_the_history_of_the_last_document_can_be_erased_after_it(corpus, store):
    corpus.ingest_text("a.txt", "One fine.", "p")
    corpus.delete("p", "a.txt", keep_history=True)
    assert corpus.delete("p", "a.txt")
    assert store.former_chunks("p", "A_text_0") == []
    with pytest.raises(UnknownProject):
        corpus.delete("p", "a.txt")


def test_what_says_something_counts_as_given(corpus, store):
    corpus.ingest_text("a.txt", "TITLE: A\nEFFECTIVE FROM: 1990-01-01\n\nA fine.", "p", given=Validity(AFTER))
    assert said(store) == Validity(AFTER, given=frozenset({"effective_from"}))


def test_what_is_given_holds_for_an_unchanged_file_without_reading_it_again(corpus, store):
    corpus.ingest_text("a.txt", "A fine.", "p")
    report = corpus.ingest_text("a.txt", "A fine.", "p", given=given_(effective_to=AFTER))
    assert [entry.document_id for entry in report.replaced] == ["a.txt"]
    assert said(store).effective_to == AFTER
    assert store.former_versions("p", "a.txt") == []
    assert len(corpus.ingest_text("a.txt", "A fine.", "p").unchanged) == 1
    assert said(store).effective_to == AFTER


def test_what_was_given_stays_when_the_file_changes_and_what_the_file_said_goes_with_it(corpus, store):
    header = "TITLE: Fines\nEFFECTIVE FROM: 1990-01-01\nEFFECTIVE TO: 1999-12-31\n\n"
    corpus.ingest_text("a.txt", header + "A fine.", "p", given=given_(effective_to=AFTER))
    assert said(store) == Validity(date(1990, 1, 1), AFTER, given=frozenset({"effective_to"}))
    corpus.ingest_text("a.txt", "TITLE: Fines\n\nAnother fine.", "p")
    assert said(store) == Validity(None, AFTER, given=frozenset({"effective_to"}))
    corpus.ingest_text("a.txt", header + "A third fine.", "p", given=given_(effective_to=None))
    assert said(store) == Validity(date(1990, 1, 1), None, given=frozenset({"effective_to"}))


def test_a_clash_of_given_and_said_days_fails_the_file_and_changes_nothing(corpus, store):
    text = "TITLE: Fines\nEFFECTIVE TO: 1999-12-31\n\nA fine."
    corpus.ingest_text("a.txt", text, "p")
    (left,) = corpus.ingest_text("a.txt", text, "p", given=given_(effective_from=AFTER)).failed
    assert (left.reason, "is before" in left.message) == ("bad_dates", True)
    assert said(store) == Validity(effective_to=date(1999, 12, 31))
    report = corpus.ingest_text("a.txt", text, "p", given=given_(effective_from=AFTER, effective_to=None))
    assert not report.failed


def test_a_document_to_supersede_has_to_be_there_where_it_is_given(corpus, store):
    with pytest.raises(UsageError, match=r"no document 'b\.txt' in project 'p' to supersede"):
        corpus.ingest_text("a.txt", "A fine.", "p", given=given_(supersedes=("b.txt",)))
    assert store.documents("p") == []


def test_documents_that_would_supersede_each_other_are_refused(corpus, store):
    corpus.ingest_text("a.txt", "A fine.", "p")
    corpus.ingest_text("b.txt", "TITLE: B\nSUPERSEDES: a.txt\n\nAnother fine.", "p")
    for text in ("A fine.", "A third fine."):  # as it is, and changed
        (left,) = corpus.ingest_text("a.txt", text, "p", given=given_(supersedes=("b.txt",))).failed
        assert left.reason == "bad_dates"
        assert "and therefore itself" in left.message
    (itself,) = corpus.ingest_text("c.txt", "TITLE: C\nSUPERSEDES: c.txt\n\nA toll.", "p").failed
    assert itself.reason == "bad_dates"
    assert [document.id for document in store.documents("p")] == ["a.txt", "b.txt"]


# -- the answer pipeline -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_force", ["prefer", "require"])
@pytest.mark.parametrize(("day", "answers"), [(BEFORE, "TA_4_0"), (AFTER, "TC_7_0")])
def test_what_is_in_force_on_the_day_asked_about_answers(in_force, day, answers):
    outcome = engine(in_force, *acts()).ask(QUESTION, Scope("law", as_of=day))
    assert cited(outcome) == {answers}
    assert outcome.citations[0].standing.in_force


@pytest.mark.parametrize("day", [BEFORE, AFTER])
def test_where_any_document_counts_both_are_evidence_and_each_says_how_it_stands(day):
    evidence = engine("any", *acts()).search(QUESTION, Scope("law", as_of=day))
    standing = {hit.chunk.id: hit.is_in_force for hit in evidence.hits}
    assert (standing["TA_4_0"], standing["TC_7_0"]) == (day == BEFORE, day == AFTER)


def test_a_question_that_names_no_day_is_asked_as_of_today():
    for day, answers in ((BEFORE, "TA_4_0"), (AFTER, "TC_7_0")):
        outcome = engine("require", *acts(), today=lambda day=day: day).ask(QUESTION, Scope("law"))
        assert cited(outcome) == {answers}
        assert outcome.query.scope.as_of == day


def test_preferring_does_not_hide_what_the_successor_says_nothing_about():
    outcome = engine("prefer", *acts()).ask(
        "What is paid for each mule that carries the luggage?", Scope("law", as_of=AFTER)
    )
    assert cited(outcome) == {"TA_9_0"}
    assert not outcome.citations[0].standing.in_force
    assert outcome.citations[0].standing.superseded_by == ("new.txt",)


@pytest.mark.parametrize("follow", [False, True])
def test_requiring_refuses_exactly_where_nothing_in_force_is_left(follow):
    own = engine("require", *acts())
    profile = own.profile
    own = replace(
        own,
        profile=profile.model_copy(
            update={"retrieval": profile.retrieval.model_copy(update={"follow_references": follow})}
        ),
    )
    mules = own.ask("What is paid for each mule that carries the luggage?", Scope("law", as_of=AFTER))
    nothing = own.ask(QUESTION, Scope("law", as_of=date(1980, 1, 1)))
    for outcome in (mules, nothing):
        assert isinstance(outcome, Refusal)
        assert outcome.message == "I cannot answer based on the provided documents."
        assert not {hit.chunk.document_id for hit in outcome.evidence.hits} & {"old.txt"}
    assert nothing.reason is Reason.NO_RELEVANT_CONTENT
    assert nothing.evidence.hits == ()


def test_a_section_of_the_old_act_that_is_asked_for_by_name_is_shown():
    outcome = engine("prefer", *acts()).search("What is section 4 of the Travel Act?", Scope("law", as_of=AFTER))
    assert outcome.hits[0].chunk.id == "TA_4_0"


def test_a_section_of_two_versions_of_one_act_is_that_of_the_version_in_force():
    versions = [
        (f"v{year}.txt", f"ACT: Travel Act\nCODE: TA\nKIND: act\nYEAR: {year}\nEFFECTIVE FROM: {year}-01-01\n{more}"
         + RULE.format(4, amount))
        for year, amount, more in (("1990", "forty", ""), ("2020", "ninety", "SUPERSEDES: v1990.txt\n"))
    ]  # fmt: skip
    for day, answers in ((BEFORE, "v1990.txt"), (AFTER, "v2020.txt")):
        evidence = engine("prefer", *versions).search(
            "What does section 4 of the Travel Act say?", Scope("law", as_of=day)
        )
        assert {hit.chunk.document_id for hit in evidence.hits} == {answers}


def test_documents_that_say_nothing_of_their_time_are_left_as_they_are():
    texts = ("a.txt", "TITLE: A" + RULE.format(1, "forty")), ("b.txt", "TITLE: B" + RULE.format(1, "ninety"))
    found = [
        [hit.chunk.id for hit in engine(in_force, *texts).search(QUESTION, Scope("law", as_of=AFTER)).hits]
        for in_force in ("any", "prefer", "require")
    ]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 2


def test_of_two_wordings_alike_the_one_in_force_stays():
    same = RULE.format(4, "forty")
    texts = ("old.txt", OLD + same), ("new.txt", NEW + same)
    for day, answers in ((BEFORE, "TA_4_0"), (AFTER, "TC_4_0")):
        evidence = engine("prefer", *texts).search(QUESTION, Scope("law", as_of=day))
        assert [hit.chunk.id for hit in evidence.hits] == [answers]


@pytest.mark.parametrize("in_force", ["prefer", "require"])
def test_a_draft_that_cites_the_version_left_out_cites_an_unknown_id(in_force):
    claim = Claim("A traveller shall be paid an allowance of forty rupees for each day of travel.", ("TA_4_0",))
    outcome = engine(in_force, *acts(), generator=Says(claim)).ask(QUESTION, Scope("law", as_of=AFTER))
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.CITATION_UNKNOWN


def test_a_draft_that_cites_a_replaced_passage_cites_an_unknown_id():
    gone = OLD + ONLY_OLD + RULE.format(4, "forty")
    claim = Claim("A traveller shall be paid five rupees for each mule that carries the luggage.", ("TA_9_0",))
    texts = ("old.txt", gone), ("old.txt", OLD + RULE.format(4, "forty"))
    own = engine("any", *texts, generator=Says(claim))
    assert own.store.former_chunks("law", "TA_9_0")
    outcome = own.ask(QUESTION, Scope("law"))
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.CITATION_UNKNOWN


def test_records_say_as_of_when_and_how_each_source_stands():
    own = engine("prefer", *acts())
    scope = Scope("law", as_of=AFTER)
    record = outcome_record(own.ask(QUESTION, scope), "semantic_id")
    stands = {
        "effective_from": "2020-07-01",
        "effective_to": None,
        "supersedes": ["old.txt"],
        "superseded_by": [],
        "in_force": True,
        "trust": None,
    }
    assert record["as_of"] == "2021-01-01"
    assert record["citation_details"][0]["validity"] == record["sources"][0]["validity"] == stands
    assert evidence_record(own.search(QUESTION, scope))["results"][0]["validity"] == stands
    plain = engine("prefer", ("a.txt", "TITLE: A" + RULE.format(1, "forty")))
    assert outcome_record(plain.ask(QUESTION, scope), "semantic_id")["sources"][0]["validity"] is None


@pytest.mark.parametrize(
    ("profile", "in_force"), [("default", "any"), ("tutor", "any"), ("legal", "prefer"), ("compliance", "prefer")]
)
def test_the_shipped_profiles_prefer_what_is_in_force_where_law_is_asked_about(profile, in_force):
    assert load_profile(profile).versions.in_force == in_force
