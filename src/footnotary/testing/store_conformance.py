"""What every store must do; inherit `StoreConformance` and give it a `store` fixture that is empty.

The store is made for `stored_texts.EMBEDDER` (its name and its dimensions).
"""

import dataclasses

import numpy as np
import pytest

from footnotary.domain.document import Labels
from footnotary.domain.identity import Span
from footnotary.domain.layout import Box, Page, PlacedWord, layout_of
from footnotary.domain.query import Filters, Reference
from footnotary.errors import BackendError, InvariantError, UsageError
from footnotary.ports import Scored, Store, Vectors
from footnotary.testing.searching import ANY, dense, everything, lexical
from footnotary.testing.stored_texts import EMBEDDER, Passage, Written, penal_code, textbook, wages_act, written
from footnotary.testing.version_conformance import VersionConformance
from footnotary.text.tokens import content_terms


class StoreConformance(VersionConformance):
    # -- keeping -------------------------------------------------------------------------------------------------

    def test_a_chunk_comes_back_exactly_as_it_was_put(self, store: Store):
        laws = penal_code()
        assert laws.put_into(store) == "added"
        stored = [dataclasses.replace(c, aliases=tuple(sorted(c.aliases))) for c in laws.chunks]
        assert list(store.chunks("law", laws.ids)) == stored

    def test_a_document_is_listed_with_its_source_and_code(self, store: Store):
        laws = penal_code()
        laws.put_into(store)
        wages_act().put_into(store)
        listed = store.documents("law")
        assert [document.id for document in listed] == ["ipc", "wages"]
        source = laws.document.source
        assert (listed[0].sha256, listed[0].path, listed[0].title) == (source.sha256, source.path, source.title)
        assert (listed[0].code, listed[0].chunks, listed[0].media_type) == ("IPC", 5, "text/plain")
        assert store.document_sha256("law", "ipc") == (source.sha256, source.path)

    def test_an_empty_store_has_nothing_and_says_so(self, store: Store):
        assert list(store.projects()) == []
        assert list(store.documents("law")) == []
        assert list(store.chunks("law", ["IPC_420_0"])) == []
        assert store.owners("law", ["IPC_420_0"]) == {}
        assert lexical(store, "cheating") == dense(store, "cheating") == []
        assert list(store.lookup("law", Reference("420"), ANY)) == []
        assert store.delete("law", "ipc") is False
        with pytest.raises(UsageError):
            store.document_sha256("law", "ipc")

    def test_where_words_stand_on_the_page_comes_back(self, store: Store):
        word = PlacedWord(Span(0, 7), 1, Box(72.0, 700.25, 110.5, 712.0), 0.87)
        layout = layout_of([word], [Page(595.0, 842.0, 90, "iv")])
        laws = penal_code()
        dataclasses.replace(laws, document=dataclasses.replace(laws.document, layout=layout)).put_into(store)
        wages_act().put_into(store)
        kept = store.layout("law", "ipc")
        assert kept is not None
        assert (kept.pages, kept[0]) == (layout.pages, word)
        assert store.layout("law", "wages") is None
        with pytest.raises(UsageError):
            store.layout("law", "nothing")

    def test_projects_do_not_see_each_other(self, store: Store):
        penal_code().put_into(store, "law")
        written("other", [Passage("IPC_420_0", "Something else about cheating.")]).put_into(store, "school")
        assert list(store.projects()) == ["law", "school"]
        assert store.chunks("law", ["IPC_420_0"])[0].text != store.chunks("school", ["IPC_420_0"])[0].text
        assert everything(store, "school") == {"IPC_420_0"}
        assert lexical(store, "conspiracy", project="school") == []
        assert store.delete("school", "ipc") is False
        store.delete("school", "other")
        assert everything(store, "law") == set(penal_code().ids)
        assert list(store.projects()) == ["law"]

    def test_a_document_without_chunks_can_be_kept(self, store: Store):
        assert written("empty", []).put_into(store) == "added"
        assert [document.chunks for document in store.documents("law")] == [0]
        assert everything(store) == set()

    def test_a_replaced_document_leaves_nothing_behind(self, store: Store):
        penal_code().put_into(store)
        newer = written(
            "ipc", [Passage("IPC_420_0", "Fraud is punished with ten years."), Passage("IPC_421_0", "Hiding it.")]
        )
        assert newer.put_into(store) == "replaced"
        assert everything(store) == {"IPC_420_0", "IPC_421_0"}
        assert lexical(store, "conspiracy cheats") == []
        assert lexical(store, "fraud") == ["IPC_420_0"]
        assert list(store.chunks("law", ["IPC_415_0", "OldCode_415_0"])) == []
        assert [document.chunks for document in store.documents("law")] == [2]

    def test_a_deleted_document_is_never_found_again(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        assert store.delete("law", "ipc") is True
        assert store.delete("law", "ipc") is False
        assert everything(store) == set(wages_act().ids)
        assert lexical(store, "cheating conspiracy property") == []
        assert list(store.lookup("law", Reference("420", "IPC"), ANY)) == []
        assert list(store.chunks("law", penal_code().ids)) == []
        assert store.owners("law", penal_code().ids) == {}

    def test_putting_the_same_document_twice_finds_nothing_twice(self, store: Store):
        for _ in range(3):
            penal_code().put_into(store)
        assert sorted(lexical(store, "cheating property", 100)) == sorted(set(lexical(store, "cheating property", 100)))
        assert sorted(dense(store, "cheating", 100)) == sorted(penal_code().ids)

    # -- refusing ------------------------------------------------------------------------------------------------

    def test_an_id_of_another_document_is_refused_by_the_names_of_both(self, store: Store):
        penal_code().put_into(store)
        other = written("copy", [Passage("Copy_1_0", "New."), Passage("IPC_420_0", "Stolen.")])
        with pytest.raises(UsageError, match=r"IPC_420_0.*copy.*ipc"):
            other.put_into(store)
        self.assert_only(store, penal_code())

    def test_one_id_for_two_passages_is_refused(self, store: Store):
        with pytest.raises(UsageError, match="A_1_0"):
            written("a", [Passage("A_1_0", "One."), Passage("A_1_0", "Two.")]).put_into(store)
        assert list(store.documents("law")) == []

    @pytest.mark.parametrize(
        "vectors",
        [
            np.ones((1, 64), np.float32),
            np.ones((5, 63), np.float32),
            np.zeros((5, 64), np.float32),
            np.full((5, 64), np.nan, np.float32),
            np.full((5, 64), np.inf, np.float32),
        ],
        ids=["too few", "too short", "zero", "not a number", "infinite"],
    )
    def test_vectors_that_do_not_fit_are_refused_and_nothing_is_stored(self, store: Store, vectors: Vectors):
        laws = penal_code()
        with pytest.raises(BackendError):
            store.put("law", laws.document, laws.chunks, vectors, "IPC")
        assert list(store.documents("law")) == []
        laws.put_into(store)
        with pytest.raises(BackendError):
            store.put("law", laws.document, laws.chunks, vectors, "IPC")
        self.assert_only(store, laws)

    @pytest.mark.parametrize(
        "change",
        [{"text": "Forged."}, {"span": Span(1, 3)}, {"digest": "0" * 64}, {"document_id": "wages"}],
        ids=["text", "span", "digest", "document"],
    )
    def test_a_chunk_that_is_not_what_its_document_says_is_refused(self, store: Store, change: dict[str, object]):
        laws = penal_code()
        chunks = (dataclasses.replace(laws.chunks[0], **change), *laws.chunks[1:])  # type: ignore[arg-type]
        with pytest.raises(InvariantError, match="IPC_42_0"):
            Written(laws.document, chunks).put_into(store)
        assert list(store.documents("law")) == []

    def test_half_a_character_is_refused_and_nothing_is_stored(self, store: Store):
        laws = written("broken", [Passage("A_1_0", "Fine.")])
        broken = dataclasses.replace(laws.chunks[0], text="\ud800", span=Span(0, 1))
        with pytest.raises(UsageError):
            Written(dataclasses.replace(laws.document, text="\ud800"), (broken,)).put_into(store)
        assert list(store.documents("law")) == []

    @pytest.mark.parametrize("vector", [np.zeros(64), np.full(64, np.nan), np.ones(3)], ids=["zero", "nan", "short"])
    def test_a_question_whose_vector_does_not_fit_is_an_error_and_not_an_empty_answer(
        self, store: Store, vector: Vectors
    ):
        penal_code().put_into(store)
        with pytest.raises(BackendError):
            store.dense("law", vector.astype(np.float32), 3, ANY)

    # -- ids -----------------------------------------------------------------------------------------------------

    def test_chunks_come_in_the_order_asked_and_by_alias_too(self, store: Store):
        penal_code().put_into(store)
        asked = ["IPC_420_0", "Nothing_1_0", "OldCode_415_0", "IPC_42_0"]
        assert [chunk.id for chunk in store.chunks("law", asked)] == ["IPC_420_0", "IPC_415_0", "IPC_42_0"]

    def test_an_id_goes_before_an_alias_of_the_same_name(self, store: Store):
        written("a", [Passage("A_1_0", "One.", aliases=("B_1_0",)), Passage("B_1_0", "Two.")]).put_into(store)
        assert [chunk.text for chunk in store.chunks("law", ["B_1_0"])] == ["Two."]

    def test_many_ids_can_be_asked_for_at_once(self, store: Store):
        penal_code().put_into(store)
        asked = [f"No_{n}_0" for n in range(3_000)] + ["IPC_42_0"]
        assert [chunk.id for chunk in store.chunks("law", asked)] == ["IPC_42_0"]
        assert store.owners("law", asked) == {"IPC_42_0": "ipc"}

    # -- searching -----------------------------------------------------------------------------------------------

    def test_lexical_search_ranks_the_passage_with_more_and_rarer_terms_first(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        assert lexical(store, "prison for cheating and obtaining property")[0] == "IPC_420_0"
        assert lexical(store, "register of wages")[0] == "MinimumWagesAct_420_0"
        assert lexical(store, "zebra") == []
        assert lexical(store, "") == []

    def test_lexical_search_finds_a_passage_by_its_title_and_by_its_act(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        assert lexical(store, "local law")[0] == "IPC_42_0"
        assert set(lexical(store, "penal")) == set(penal_code().ids)

    def test_a_query_is_words_and_never_a_query_language(self, store: Store):
        penal_code().put_into(store)
        for hostile in ('text:cheat OR *"', "number:[0 TO 9]", "/.*/", "' OR 1=1 --", "facet:section:420", "\0", "\\"):
            assert [hit.id for hit in store.lexical("law", [hostile], 10, ANY)] == []
            assert list(store.lookup("law", Reference("420", hostile), Filters(section=hostile))) == []
            assert dense(store, "cheating", filters=Filters(subject=hostile)) == []

    def test_hindi_is_found_by_whole_words(self, store: Store):
        textbook().put_into(store)
        assert lexical(store, "समांतर श्रेढ़ी") == ["गणित10_5.1_0"]

    def test_dense_search_gives_the_cosine_best_first(self, store: Store):
        penal_code().put_into(store)
        text = penal_code().chunks[3].text
        hits = store.dense("law", EMBEDDER.embed_question(text) * np.float32(7), 10, ANY)
        assert hits[0].id == "IPC_420_0"
        assert hits[0].score == pytest.approx(1.0, abs=1e-5)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert len(hits) == 5

    def test_a_vector_is_compared_by_direction_and_not_by_length(self, store: Store):
        laws = written("a", [Passage("A_1_0", "One."), Passage("A_2_0", "Two.")])
        vectors = np.eye(2, 64, dtype=np.float32) * np.array([[0.01], [100.0]], np.float32)
        store.put("law", laws.document, laws.chunks, vectors, "A")
        hits = store.dense("law", np.eye(1, 64, dtype=np.float32)[0], 2, ANY)
        assert [(hit.id, pytest.approx(hit.score, abs=1e-5)) for hit in hits] == [("A_1_0", 1.0), ("A_2_0", 0.0)]

    @pytest.mark.parametrize("k", [0, 1, 2, 100])
    def test_at_most_k_come_back(self, store: Store, k: int):
        penal_code().put_into(store)
        assert len(dense(store, "cheating", k)) == min(k, 5)
        assert len(lexical(store, "penal", k)) == min(k, 5)

    def test_equal_scores_come_in_order_of_id_also_where_the_list_is_cut(self, store: Store):
        passages = [Passage(f"Same_{n}_0", "Exactly the same passage.") for n in range(60)]
        # Put in another order than that of their ids, and in several documents.
        for start in (40, 0, 20):
            written(f"part{start}", list(reversed(passages[start : start + 20]))).put_into(store)
        first = sorted(passage.id for passage in passages)[:7]
        assert lexical(store, "same passage", 7) == first
        assert dense(store, "same passage", 7) == first

    def test_runs_repeat(self, store: Store):
        for law in (penal_code(), wages_act(), textbook()):
            law.put_into(store)

        def run() -> list[Scored]:
            vector = EMBEDDER.embed_question("cheating wages")
            terms = content_terms("cheating wages property")
            return [*store.lexical("law", terms, 9, ANY), *store.dense("law", vector, 9, ANY)]

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
        assert set(dense(store, "cheating", 100, filters)) == expected
        every_word = " ".join(chunk.text for law in laws for chunk in law.chunks)
        assert set(lexical(store, every_word, 100, filters)) == expected

    def test_filters_follow_changes(self, store: Store):
        penal_code().put_into(store)
        only = Filters(section="421")
        assert dense(store, "fraud", filters=only) == lexical(store, "fraud", filters=only) == []
        labels = Labels("act", "IPC", "Indian Penal Code", section="421")
        written("more", [Passage("IPC_421_0", "Hiding property is fraud.", labels)]).put_into(store)
        assert dense(store, "fraud", filters=only) == lexical(store, "fraud", filters=only) == ["IPC_421_0"]
        store.delete("law", "more")
        assert dense(store, "fraud", filters=only) == lexical(store, "fraud", filters=only) == []

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
        assert list(store.lookup("law", reference, ANY)) == expected

    def test_a_lookup_stays_within_the_filters(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        assert list(store.lookup("law", Reference("420"), Filters(document="wages"))) == ["MinimumWagesAct_420_0"]
        assert list(store.lookup("law", Reference("420"), Filters(section="415"))) == []
        left = Filters(without=frozenset({"ipc"}))
        assert list(store.lookup("law", Reference("420"), left)) == ["MinimumWagesAct_420_0"]
        assert list(store.lookup("law", Reference("420", "IPC"), Filters(act="Minimum Wages Act"))) == []

    def assert_only(self, store: Store, law: Written) -> None:
        """Exactly this document is there, wherever one looks."""
        assert [document.id for document in store.documents("law")] == [law.document.id]
        assert everything(store) == set(law.ids)
        assert set(lexical(store, " ".join(chunk.text for chunk in law.chunks), 100)) == set(law.ids)
