"""What an outcome passes through: record, review queue, cache; and what people say of it."""

from contextlib import closing
from dataclasses import replace
from datetime import date

import pytest

from footnotary.audit.answer_cache import AnswerCache, cache_key
from footnotary.audit.feedback_dataset import labelled_rows
from footnotary.audit.recorder import Notary
from footnotary.domain.query import Filters
from footnotary.domain.verdict import Reason, Verdict
from footnotary.errors import UsageError
from tests.integration.audit.outcomes import ASKER, FALSE, HERE, LEGAL, PRIVATE, QUESTION, TRUE, outcome_of

DIGEST = "d" * 64


@pytest.fixture
def notary(tmp_path, signer):
    with closing(opened(tmp_path, signer)) as notary:
        yield notary


def opened(folder, signer, **given):
    given = {"software": "1", "models": lambda _: {"embedder": "hash"}} | given
    return Notary(folder / "tenant", folder / "heads" / "t.db", signer=signer, **given)


def record(notary, kind="extractive answer", profile=LEGAL, **given):
    given = {"index_digest": DIGEST, "generator": "extractive", "remember": True} | given
    return notary.record(outcome_of(kind, profile), profile, ASKER, **given)


class TestCache:
    def recall(self, notary, question=QUESTION, profile=LEGAL, digest=DIGEST, generator="extractive", **scope):
        return notary.recall(question, replace(outcome_of().query.scope, **scope), profile, digest, generator)

    def test_the_same_question_to_the_same_index_is_given_again_as_it_was(self, notary):
        first = record(notary)
        known = self.recall(notary)
        assert known.answer_id == first.answer_id
        assert known.outcome == outcome_of()

    @pytest.mark.parametrize(
        "other",
        [
            {"question": QUESTION + " "},
            {"digest": "e" * 64},
            {"generator": "chat:x"},
            {"profile": LEGAL.model_copy(update={"description": "x"})},
            {"tenant": "other"},
            {"project": "other"},
            {"as_of": date(2001, 1, 1)},
            {"filters": Filters(act="IPC")},
        ],
        ids=lambda other: next(iter(other)),
    )
    def test_whatever_else_it_depends_on_makes_it_another_question(self, notary, other):
        record(notary)
        assert self.recall(notary, **other) is None

    @pytest.mark.parametrize(
        "other", [{"software": "2"}, {"models": lambda _: {"embedder": "hash", "verifier": "new"}}]
    )
    def test_another_version_or_other_weights_decide_again(self, notary, tmp_path, signer, other):
        record(notary)
        notary.close()
        with closing(opened(tmp_path, signer, **other)) as again:
            assert self.recall(again) is None

    def test_it_outlives_the_process(self, notary, tmp_path, signer):
        record(notary)
        notary.close()
        with closing(opened(tmp_path, signer)) as again:
            assert self.recall(again).outcome == outcome_of()

    def test_a_refusal_is_given_again_too(self, notary):
        record(notary, "rejected draft")
        known = self.recall(notary)
        assert known.outcome == outcome_of("rejected draft")
        assert known.outcome.draft == outcome_of("rejected draft").draft

    def test_nothing_is_recorded_that_a_check_could_not_read(self, notary):
        failed = replace(
            outcome_of("rejected draft"),
            verdicts=(Verdict.skipped("claims_are_entailed", Reason.CLAIM_UNSUPPORTED, "no model"),),
        )
        notary.record(failed, LEGAL, ASKER, index_digest=DIGEST, generator="extractive", remember=True)
        assert self.recall(notary) is None

    def test_nothing_is_remembered_where_questions_are_not_kept(self, notary):
        record(notary, profile=PRIVATE)
        assert self.recall(notary, profile=PRIVATE) is None
        assert cache_key(QUESTION, outcome_of().query.scope, PRIVATE, HERE, "x") is None

    def test_what_was_changed_in_the_log_is_computed_again(self, notary):
        record(notary)
        with notary.log._log.writing() as c:
            c.execute("UPDATE contents SET content = zeroblob(9)")
        assert self.recall(notary) is None

    def test_only_the_latest_are_kept(self, notary, tmp_path):
        with closing(AnswerCache(tmp_path / "small.db", notary.log, most=2)) as cache:
            ids = [record(notary).answer_id for _ in range(3)]
            for number, one in enumerate(ids):
                cache.put(str(number), one, outcome_of())
            assert [cache.get(str(number)) is not None for number in range(3)] == [False, True, True]


class TestReview:
    def test_a_rejected_draft_is_queued_and_an_early_refusal_is_not(self, notary):
        first = record(notary, "rejected draft")
        record(notary, "nothing relevant")
        record(notary)
        (case,) = notary.feedback.reviews()
        assert (case.answer_id, case.kind, case.state) == (first.answer_id, "rejected_draft", "open")

    def test_a_refusal_given_again_is_no_new_case(self, notary):
        first = record(notary, "rejected draft")
        record(notary, "rejected draft", repeats=first.answer_id)
        assert len(notary.feedback.reviews()) == 1

    def test_where_questions_are_not_kept_only_the_reason_is_known(self, notary):
        record(notary, "rejected draft", PRIVATE)
        (case,) = notary.feedback.reviews()
        assert case.answer_id is None
        assert case.reason

    def test_a_decision_is_kept_with_who_made_it(self, notary):
        record(notary, "rejected draft")
        (case,) = notary.feedback.reviews()
        decided = notary.feedback.decide(case.id, "dismissed", None, "not worth it", "key2")
        assert (decided.state, decided.supported, decided.note) == ("dismissed", None, "not worth it")
        assert decided.decided_by == "key2"
        assert notary.feedback.reviews("dismissed") == [decided]
        assert notary.feedback.decide(99, "kept", True, None, "key2") is None


class TestRows:
    def rows(self, notary):
        return [(row["claim"], row["label"]) for row in labelled_rows(notary.log, notary.feedback)]

    def rate(self, notary, given, rating, comment=None, by="key1"):
        return notary.feedback.rate(notary.log.find(given.answer_id), rating, comment, by)

    def test_an_answer_found_good_gives_its_claims_once(self, notary):
        given = record(notary)
        self.rate(notary, given, "up")
        self.rate(notary, given, "up", by="key2")
        assert self.rows(notary) == [(claim.text, 1) for claim in outcome_of().claims]

    def test_a_later_word_takes_the_place_of_an_earlier_one(self, notary):
        given = record(notary)
        self.rate(notary, given, "up")
        self.rate(notary, given, "down")
        assert [one.rating for one in notary.feedback.feedback()] == ["down"]
        assert self.rows(notary) == []

    def test_a_disputed_answer_counts_once_a_person_has_decided(self, notary):
        given = record(notary)
        self.rate(notary, given, "down", "wrong section")
        (case,) = notary.feedback.reviews()
        notary.feedback.decide(case.id, "kept", False, "section 417 was meant", "key2")
        assert self.rows(notary) == [(claim.text, 0) for claim in outcome_of().claims]

    def test_where_people_disagree_nothing_counts_until_a_person_has_decided(self, notary):
        given = record(notary)
        self.rate(notary, given, "up")
        self.rate(notary, given, "down", by="key2")
        assert self.rows(notary) == []
        (case,) = notary.feedback.reviews()
        notary.feedback.decide(case.id, "kept", False, None, "key3")
        assert self.rows(notary) == [(claim.text, 0) for claim in outcome_of().claims]
        notary.feedback.decide(case.id, "dismissed", None, None, "key3")
        assert self.rows(notary) == [(claim.text, 1) for claim in outcome_of().claims]

    def test_of_a_rejected_draft_the_claims_at_fault_are_unsupported(self, notary):
        record(notary, "rejected draft")
        (case,) = notary.feedback.reviews()
        notary.feedback.decide(case.id, "kept", None, None, "key2")
        assert self.rows(notary) == [(FALSE, 0)]

    def test_a_draft_that_was_rejected_wrongly_is_supported(self, notary):
        record(notary, "rejected draft")
        (case,) = notary.feedback.reviews()
        notary.feedback.decide(case.id, "kept", True, None, "key2")
        assert self.rows(notary) == [(FALSE, 1)]

    def test_the_premise_is_what_the_claim_cites(self, notary):
        self.rate(notary, record(notary), "up")
        (row,) = labelled_rows(notary.log, notary.feedback)
        assert any(TRUE in passage for passage in row["premise"])

    def test_a_comment_is_kept_only_where_the_question_is(self, notary):
        assert self.rate(notary, record(notary), "up", "fine").comment == "fine"
        assert self.rate(notary, record(notary, profile=PRIVATE), "up", "fine").comment is None
        assert len(self.rows(notary)) == len(outcome_of().claims)


def test_a_bundle_needs_a_key(tmp_path):
    with closing(opened(tmp_path, None)) as notary:
        given = record(notary)
        with pytest.raises(UsageError, match="no key"):
            notary.bundle(given.answer_id)
        assert notary.log.verify().signed == 0
