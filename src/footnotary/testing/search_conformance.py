"""Conformance tests of search for every store: lexical, dense, by provision, and within filters."""

import numpy as np
import pytest

from footnotary.domain.document import Labels
from footnotary.domain.query import Filters, Reference
from footnotary.ports import CombinedSearch, ScoredId, Store
from footnotary.testing.sample_documents import EMBEDDER, SamplePassage, make_document, penal_code, textbook, wages_act
from footnotary.testing.search_queries import NO_FILTERS, search_dense, search_lexical
from footnotary.text.tokens import content_terms


class SearchConformance:
    # -- searching -----------------------------------------------------------------------------------------------

    def test_lexical_search_ranks_the_passage_with_more_and_rarer_terms_first(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        assert search_lexical(store, "prison for cheating and obtaining property")[0] == "IPC_420_0"
        assert search_lexical(store, "register of wages")[0] == "MinimumWagesAct_420_0"
        assert search_lexical(store, "zebra") == []
        assert search_lexical(store, "") == []

    def test_lexical_search_finds_a_passage_by_its_title_and_by_its_act(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        assert search_lexical(store, "local law")[0] == "IPC_42_0"
        assert set(search_lexical(store, "penal")) == set(penal_code().ids)

    def test_a_query_is_words_and_never_a_query_language(self, store: Store):
        penal_code().put_into(store)
        for hostile in ('text:cheat OR *"', "number:[0 TO 9]", "/.*/", "' OR 1=1 --", "facet:section:420", "\0", "\\"):
            assert [hit.id for hit in store.lexical("law", [hostile], 10, NO_FILTERS)] == []
            assert list(store.lookup("law", Reference("420", hostile), Filters(section=hostile))) == []
            assert search_dense(store, "cheating", filters=Filters(subject=hostile)) == []

    def test_hindi_is_found_by_whole_words(self, store: Store):
        textbook().put_into(store)
        assert search_lexical(store, "समांतर श्रेढ़ी") == ["गणित10_5.1_0"]

    def test_dense_search_gives_the_cosine_best_first(self, store: Store):
        penal_code().put_into(store)
        text = penal_code().chunks[3].text
        hits = store.dense("law", EMBEDDER.embed_question(text) * np.float32(7), 10, NO_FILTERS)
        assert hits[0].id == "IPC_420_0"
        assert hits[0].score == pytest.approx(1.0, abs=1e-5)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert len(hits) == 5

    def test_a_vector_is_compared_by_direction_and_not_by_length(self, store: Store):
        laws = make_document("a", [SamplePassage("A_1_0", "One."), SamplePassage("A_2_0", "Two.")])
        vectors = np.eye(2, 64, dtype=np.float32) * np.array([[0.01], [100.0]], np.float32)
        store.put("law", laws.document, laws.chunks, vectors, "A")
        hits = store.dense("law", np.eye(1, 64, dtype=np.float32)[0], 2, NO_FILTERS)
        assert [(hit.id, pytest.approx(hit.score, abs=1e-5)) for hit in hits] == [("A_1_0", 1.0), ("A_2_0", 0.0)]

    def test_a_store_that_can_be_asked_both_ways_gives_what_each_way_gives(self, store: Store):
        if not isinstance(store, CombinedSearch):
            pytest.skip("the store has no combined search")
        vector = EMBEDDER.embed_question("cheating")
        assert [list(found) for found in store.lexical_and_dense("law", ["cheat"], vector, 3, NO_FILTERS)] == [[], []]
        penal_code().put_into(store)
        wages_act().put_into(store)
        for filters in (NO_FILTERS, Filters(section="420"), Filters(section="no such")):
            for terms, k in ((content_terms("prison for cheating"), 3), ([], 3), (["cheat"], 0)):
                apart = store.lexical("law", terms, k, filters), store.dense("law", vector, k, filters)
                assert store.lexical_and_dense("law", terms, vector, k, filters) == apart

    @pytest.mark.parametrize("k", [0, 1, 2, 100])
    def test_at_most_k_come_back(self, store: Store, k: int):
        penal_code().put_into(store)
        assert len(search_dense(store, "cheating", k)) == min(k, 5)
        assert len(search_lexical(store, "penal", k)) == min(k, 5)

    def test_equal_scores_come_in_order_of_id_also_where_the_list_is_cut(self, store: Store):
        passages = [SamplePassage(f"Same_{n}_0", "Exactly the same passage.") for n in range(60)]
        # Put in another order than that of their ids, and in several documents.
        for start in (40, 0, 20):
            make_document(f"part{start}", list(reversed(passages[start : start + 20]))).put_into(store)
        first = sorted(passage.id for passage in passages)[:7]
        assert search_lexical(store, "same passage", 7) == first
        assert search_dense(store, "same passage", 7) == first

    def test_runs_repeat(self, store: Store):
        for law in (penal_code(), wages_act(), textbook()):
            law.put_into(store)

        def run() -> list[ScoredId]:
            vector = EMBEDDER.embed_question("cheating wages")
            terms = content_terms("cheating wages property")
            return [*store.lexical("law", terms, 9, NO_FILTERS), *store.dense("law", vector, 9, NO_FILTERS)]

        assert run() == run()

    # -- filtering -----------------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            (Filters(document="WAGES"), {"MinimumWagesAct_2_0", "MinimumWagesAct_420_0"}),
            (Filters(act="Indian Penal Code", section="420"), {"IPC_420_0", "IPC_420_1"}),
            (Filters(act="ipc", section="420"), {"IPC_420_0", "IPC_420_1"}),
            (Filters(act="minimum wages act, 1948"), {"MinimumWagesAct_2_0", "MinimumWagesAct_420_0"}),
            (Filters(act="Minimum Wages Act, 2010"), set[str]()),
            (Filters(section="120b"), {"IPC_120B_0"}),
            (Filters(section="120-B"), {"IPC_120B_0"}),
            (Filters(section="42"), {"IPC_42_0"}),
            (Filters(section="420"), {"IPC_420_0", "IPC_420_1", "MinimumWagesAct_420_0"}),
            (Filters(chapter="xvii"), {"IPC_415_0", "IPC_420_0", "IPC_420_1"}),
            (Filters(class_number=10), {"Maths10_5.1_0", "गणित10_5.1_0"}),
            (Filters(class_number=9), set[str]()),
            (Filters(subject="mathematics", language="HI"), {"गणित10_5.1_0"}),
            (Filters(act="Motor Vehicles Act"), set[str]()),
            (Filters(document="nothing"), set[str]()),
            (Filters(section="420", without=frozenset({"IPC"})), {"MinimumWagesAct_420_0"}),
            (Filters(without=frozenset({"ipc", "algebra"})), {"MinimumWagesAct_2_0", "MinimumWagesAct_420_0"}),
            (Filters(document="ipc", without=frozenset({"ipc"})), set[str]()),
        ],
    )
    def test_filters_hold_for_every_way_of_searching(self, store: Store, filters: Filters, expected: set[str]):
        laws = (penal_code(), wages_act(), textbook())
        for law in laws:
            law.put_into(store)
        assert set(search_dense(store, "cheating", 100, filters)) == expected
        every_word = " ".join(chunk.text for law in laws for chunk in law.chunks)
        assert set(search_lexical(store, every_word, 100, filters)) == expected

    def test_filters_follow_changes(self, store: Store):
        penal_code().put_into(store)
        only = Filters(section="421")
        assert search_dense(store, "fraud", filters=only) == search_lexical(store, "fraud", filters=only) == []
        labels = Labels("act", "IPC", "Indian Penal Code", section="421")
        make_document("more", [SamplePassage("IPC_421_0", "Hiding property is fraud.", labels)]).put_into(store)
        assert (
            search_dense(store, "fraud", filters=only) == search_lexical(store, "fraud", filters=only) == ["IPC_421_0"]
        )
        store.delete("law", "more")
        assert search_dense(store, "fraud", filters=only) == search_lexical(store, "fraud", filters=only) == []

    # -- references ----------------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("reference", "expected"),
        [
            (Reference("420", "IPC"), ["IPC_420_0", "IPC_420_1"]),
            (Reference("420", "Penal Code"), ["IPC_420_0", "IPC_420_1"]),
            (Reference("420", "the Indian Penal Code (Act 45 of 1860)"), ["IPC_420_0", "IPC_420_1"]),
            (Reference("420", "I.P.C."), ["IPC_420_0", "IPC_420_1"]),
            (Reference("420", "Minimum Wages Act"), ["MinimumWagesAct_420_0"]),
            (Reference("420"), ["IPC_420_0", "IPC_420_1", "MinimumWagesAct_420_0"]),
            (Reference("४२०", "IPC"), ["IPC_420_0", "IPC_420_1"]),
            (Reference("42", "IPC"), ["IPC_42_0"]),
            (Reference("120B"), ["IPC_120B_0"]),
            (Reference("120-b"), ["IPC_120B_0"]),
            (Reference("420", "IPC", "b"), ["IPC_420_1", "IPC_420_0"]),
            (Reference("420", "Companies Act"), []),
            (Reference("4"), []),
            (Reference(""), []),
        ],
    )
    def test_a_provision_is_looked_up_exactly(self, store: Store, reference: Reference, expected: list[str]):
        for law in (wages_act(), penal_code(), textbook()):
            law.put_into(store)
        assert list(store.lookup("law", reference, NO_FILTERS)) == expected

    def test_a_lookup_stays_within_the_filters(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        assert list(store.lookup("law", Reference("420"), Filters(document="wages"))) == ["MinimumWagesAct_420_0"]
        assert list(store.lookup("law", Reference("420"), Filters(section="415"))) == []
        left = Filters(without=frozenset({"ipc"}))
        assert list(store.lookup("law", Reference("420"), left)) == ["MinimumWagesAct_420_0"]
        assert list(store.lookup("law", Reference("420", "IPC"), Filters(act="Minimum Wages Act"))) == []
