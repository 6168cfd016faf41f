"""Conformance tests for every store; inherit `StoreConformance` and define a fixture `store` with an empty store.

The store must be created for `stored_texts.EMBEDDER` (its name and its dimensions).
"""

import dataclasses

import numpy as np
import pytest

from footnotary.domain.chunk import Flag
from footnotary.domain.identity import Span
from footnotary.domain.layout import Box, Page, PlacedWord, layout_of
from footnotary.domain.query import Reference
from footnotary.errors import BackendError, InvariantError, UsageError
from footnotary.ports import Store, Vectors
from footnotary.testing.sample_documents import SampleDocument, SamplePassage, make_document, penal_code, wages_act
from footnotary.testing.search_conformance import SearchConformance
from footnotary.testing.search_queries import NO_FILTERS, all_ids, search_dense, search_lexical
from footnotary.testing.version_conformance import VersionConformance


class StoreConformance(SearchConformance, VersionConformance):
    # -- storing -------------------------------------------------------------------------------------------------

    def test_a_chunk_comes_back_exactly_as_it_was_put(self, store: Store):
        laws = penal_code()
        assert laws.put_into(store) == "added"
        stored = [dataclasses.replace(c, aliases=tuple(sorted(c.aliases))) for c in laws.chunks]
        assert list(store.chunks("law", laws.ids)) == stored

    @pytest.mark.parametrize("flags", [None, (), (Flag("injection", Span(0, 7)), Flag("injection", Span(8, 12)))])
    def test_the_flags_of_a_chunk_come_back_and_stay_with_its_former_version(
        self, store: Store, flags: tuple[Flag, ...] | None
    ):
        law = penal_code()
        flagged = dataclasses.replace(law, chunks=tuple(dataclasses.replace(c, flags=flags) for c in law.chunks))
        flagged.put_into(store)
        assert list(store.chunks("law", law.ids)) == list(flagged.chunks)
        make_document("ipc", [SamplePassage("IPC_1_0", "Later replaced.")]).put_into(store)
        assert store.former_chunks("law", law.ids[0])[0].chunk.flags == flags

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
        assert search_lexical(store, "cheating") == search_dense(store, "cheating") == []
        assert list(store.lookup("law", Reference("420"), NO_FILTERS)) == []
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
        make_document("other", [SamplePassage("IPC_420_0", "Something else about cheating.")]).put_into(store, "school")
        assert list(store.projects()) == ["law", "school"]
        assert store.chunks("law", ["IPC_420_0"])[0].text != store.chunks("school", ["IPC_420_0"])[0].text
        assert all_ids(store, "school") == {"IPC_420_0"}
        assert search_lexical(store, "conspiracy", project="school") == []
        assert store.delete("school", "ipc") is False
        store.delete("school", "other")
        assert all_ids(store, "law") == set(penal_code().ids)
        assert list(store.projects()) == ["law"]

    def test_a_document_without_chunks_can_be_kept(self, store: Store):
        assert make_document("empty", []).put_into(store) == "added"
        assert [document.chunks for document in store.documents("law")] == [0]
        assert all_ids(store) == set()

    def test_a_replaced_document_leaves_nothing_behind(self, store: Store):
        penal_code().put_into(store)
        newer = make_document(
            "ipc",
            [SamplePassage("IPC_420_0", "Fraud is punished with ten years."), SamplePassage("IPC_421_0", "Hiding it.")],
        )
        assert newer.put_into(store) == "replaced"
        assert all_ids(store) == {"IPC_420_0", "IPC_421_0"}
        assert search_lexical(store, "conspiracy cheats") == []
        assert search_lexical(store, "fraud") == ["IPC_420_0"]
        assert list(store.chunks("law", ["IPC_415_0", "OldCode_415_0"])) == []
        assert [document.chunks for document in store.documents("law")] == [2]

    def test_a_deleted_document_is_never_found_again(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        assert store.delete("law", "ipc") is True
        assert store.delete("law", "ipc") is False
        assert all_ids(store) == set(wages_act().ids)
        assert search_lexical(store, "cheating conspiracy property") == []
        assert list(store.lookup("law", Reference("420", "IPC"), NO_FILTERS)) == []
        assert list(store.chunks("law", penal_code().ids)) == []
        assert store.owners("law", penal_code().ids) == {}

    def test_putting_the_same_document_twice_finds_nothing_twice(self, store: Store):
        for _ in range(3):
            penal_code().put_into(store)
        assert sorted(search_lexical(store, "cheating property", 100)) == sorted(
            set(search_lexical(store, "cheating property", 100))
        )
        assert sorted(search_dense(store, "cheating", 100)) == sorted(penal_code().ids)

    # -- refusing ------------------------------------------------------------------------------------------------

    def test_an_id_of_another_document_is_refused_by_the_names_of_both(self, store: Store):
        penal_code().put_into(store)
        other = make_document("copy", [SamplePassage("Copy_1_0", "New."), SamplePassage("IPC_420_0", "Stolen.")])
        with pytest.raises(UsageError, match=r"IPC_420_0.*copy.*ipc"):
            other.put_into(store)
        self.assert_only(store, penal_code())

    def test_one_id_for_two_passages_is_refused(self, store: Store):
        with pytest.raises(UsageError, match="A_1_0"):
            make_document("a", [SamplePassage("A_1_0", "One."), SamplePassage("A_1_0", "Two.")]).put_into(store)
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
            SampleDocument(laws.document, chunks).put_into(store)
        assert list(store.documents("law")) == []

    def test_half_a_character_is_refused_and_nothing_is_stored(self, store: Store):
        laws = make_document("broken", [SamplePassage("A_1_0", "Fine.")])
        broken = dataclasses.replace(laws.chunks[0], text="\ud800", span=Span(0, 1))
        with pytest.raises(UsageError):
            SampleDocument(dataclasses.replace(laws.document, text="\ud800"), (broken,)).put_into(store)
        assert list(store.documents("law")) == []

    @pytest.mark.parametrize("vector", [np.zeros(64), np.full(64, np.nan), np.ones(3)], ids=["zero", "nan", "short"])
    def test_a_question_whose_vector_does_not_fit_is_an_error_and_not_an_empty_answer(
        self, store: Store, vector: Vectors
    ):
        penal_code().put_into(store)
        with pytest.raises(BackendError):
            store.dense("law", vector.astype(np.float32), 3, NO_FILTERS)

    # -- ids -----------------------------------------------------------------------------------------------------

    def test_chunks_come_in_the_order_asked_and_by_alias_too(self, store: Store):
        penal_code().put_into(store)
        asked = ["IPC_420_0", "Nothing_1_0", "OldCode_415_0", "IPC_42_0"]
        assert [chunk.id for chunk in store.chunks("law", asked)] == ["IPC_420_0", "IPC_415_0", "IPC_42_0"]

    def test_an_id_goes_before_an_alias_of_the_same_name(self, store: Store):
        make_document(
            "a", [SamplePassage("A_1_0", "One.", aliases=("B_1_0",)), SamplePassage("B_1_0", "Two.")]
        ).put_into(store)
        assert [chunk.text for chunk in store.chunks("law", ["B_1_0"])] == ["Two."]

    def test_many_ids_can_be_asked_for_at_once(self, store: Store):
        penal_code().put_into(store)
        asked = [f"No_{n}_0" for n in range(3_000)] + ["IPC_42_0"]
        assert [chunk.id for chunk in store.chunks("law", asked)] == ["IPC_42_0"]
        assert store.owners("law", asked) == {"IPC_42_0": "ipc"}

    def assert_only(self, store: Store, law: SampleDocument) -> None:
        """Every query shows exactly this document."""
        assert [document.id for document in store.documents("law")] == [law.document.id]
        assert all_ids(store) == set(law.ids)
        assert set(search_lexical(store, " ".join(chunk.text for chunk in law.chunks), 100)) == set(law.ids)
