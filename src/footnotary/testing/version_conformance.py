"""Conformance tests of versions for every store: replaced versions can be read, and are never found by a search."""

import dataclasses
from collections.abc import Sequence
from datetime import date, datetime, timedelta

import pytest

from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity
from footnotary.errors import UsageError
from footnotary.ports import Store
from footnotary.testing.sample_documents import SampleDocument, SamplePassage, make_document, penal_code, wages_act
from footnotary.testing.search_queries import all_ids, search_lexical

SAMPLE_VALIDITY = Validity(date(2020, 1, 1), date(2029, 12, 31), ("old", "older"), frozenset({"supersedes"}))


def amended() -> SampleDocument:
    """The penal code with another punishment, and without most of its sections."""
    return make_document("ipc", [SamplePassage("IPC_420_0", "Whoever cheats pays a fine.")], "IPC")


def with_validity(law: SampleDocument, validity: Validity) -> SampleDocument:
    return dataclasses.replace(law, document=dataclasses.replace(law.document, validity=validity))


def former_texts(store: Store, cited: str, project: str = "law") -> list[str]:
    return [former.chunk.text for former in store.former_chunks(project, cited)]


def former_hashes(store: Store, document_id: str = "ipc", project: str = "law") -> list[str]:
    return [version.document.sha256 for version in store.former_versions(project, document_id)]


class VersionConformance:
    # -- what was replaced ---------------------------------------------------------------------------------------

    def test_a_passage_that_was_replaced_can_be_read_as_it_was(self, store: Store):
        laws = penal_code()
        laws.put_into(store)
        amended().put_into(store)
        for chunk in laws.chunks:
            (former,) = store.former_chunks("law", chunk.id)
            assert former.chunk == dataclasses.replace(chunk, aliases=tuple(sorted(chunk.aliases)))
            assert former.version == store.former_versions("law", "ipc")[0]
        (version,) = store.former_versions("law", "ipc")
        source = laws.document.source
        listed = version.document
        assert (listed.id, listed.sha256, listed.path, listed.title) == (
            "ipc",
            source.sha256,
            source.path,
            source.title,
        )
        assert (listed.code, listed.chunks, listed.media_type) == ("IPC", 5, "text/plain")
        assert version.successor == amended().document.source.sha256

    def test_a_replaced_version_is_dated_and_the_new_one_too(self, store: Store):
        penal_code().put_into(store)
        amended().put_into(store)
        (version,) = store.former_versions("law", "ipc")
        (listed,) = store.documents("law")
        assert isinstance(version.document.stored_at, datetime)
        assert isinstance(listed.stored_at, datetime)
        assert version.retired_at.utcoffset() == timedelta(0)
        assert version.document.stored_at <= version.retired_at

    def test_nothing_finds_a_former_version(self, store: Store):
        penal_code().put_into(store)
        amended().put_into(store)
        assert all_ids(store) == {"IPC_420_0"}
        assert search_lexical(store, "conspiracy deceives property prison") == []
        assert [chunk.text for chunk in store.chunks("law", penal_code().ids)] == ["Whoever cheats pays a fine."]
        assert store.owners("law", penal_code().ids) == {"IPC_420_0": "ipc"}

    def test_an_id_of_a_former_version_is_free_for_another_document(self, store: Store):
        penal_code().put_into(store)
        amended().put_into(store)
        assert make_document("other", [SamplePassage("IPC_415_0", "Another law.")]).put_into(store) == "added"
        assert store.chunks("law", ["IPC_415_0"])[0].document_id == "other"
        (former,) = store.former_chunks("law", "IPC_415_0")
        assert former.version.document.id == "ipc"

    def test_a_former_passage_goes_by_its_alias_as_well(self, store: Store):
        penal_code().put_into(store)
        amended().put_into(store)
        for alias in ("IPC_415", "OldCode_415_0"):
            assert [former.chunk.id for former in store.former_chunks("law", alias)] == ["IPC_415_0"]
        for part in ("IPC_41", "OldCode", "415", '"', "%", ""):
            assert list(store.former_chunks("law", part)) == []

    def test_every_version_is_kept_the_latest_first(self, store: Store):
        versions = [make_document("ipc", [SamplePassage("IPC_420_0", f"The fine is {n} rupees.")]) for n in range(4)]
        for version in versions:
            version.put_into(store)
        assert former_texts(store, "IPC_420_0") == [f"The fine is {n} rupees." for n in (2, 1, 0)]
        assert former_hashes(store) == [version.document.source.sha256 for version in reversed(versions[:-1])]
        successors = [version.successor for version in store.former_versions("law", "ipc")]
        assert successors == [version.document.source.sha256 for version in reversed(versions[1:])]

    def test_a_version_that_comes_back_is_the_present_one_again(self, store: Store):
        for version in (penal_code(), amended(), penal_code()):
            version.put_into(store)
        assert all_ids(store) == set(penal_code().ids)
        assert former_hashes(store) == [v.document.source.sha256 for v in (amended(), penal_code())]

    def test_the_same_file_stored_again_is_no_new_version(self, store: Store):
        for _ in range(3):
            penal_code().put_into(store)
        assert list(store.former_versions("law", "ipc")) == []

    def test_the_same_file_cut_otherwise_leaves_only_what_it_no_longer_has(self, store: Store):
        laws = penal_code()
        laws.put_into(store)
        dataclasses.replace(laws, chunks=laws.chunks[1:]).put_into(store)
        assert former_texts(store, "IPC_42_0") == [laws.chunks[0].text]
        assert former_texts(store, "IPC_420_0") == []
        assert [version.document.chunks for version in store.former_versions("law", "ipc")] == [1]
        laws.put_into(store)  # more of it than before leaves nothing behind
        assert len(former_hashes(store)) == 1

    def test_a_put_that_fails_makes_no_history(self, store: Store):
        penal_code().put_into(store)
        wages_act().put_into(store)
        with pytest.raises(UsageError):
            make_document("ipc", [SamplePassage("MinimumWagesAct_2_0", "Stolen.")]).put_into(store)
        assert list(store.former_versions("law", "ipc")) == []
        assert former_texts(store, "IPC_420_0") == []

    def test_projects_have_their_own_past(self, store: Store):
        for law in (penal_code(), amended()):
            law.put_into(store, "law")
        amended().put_into(store, "school")
        assert list(store.former_versions("school", "ipc")) == []
        assert former_texts(store, "IPC_420_0", "school") == []
        store.delete("school", "ipc")
        assert len(former_texts(store, "IPC_420_0")) == 1

    def test_what_is_not_there_has_no_past(self, store: Store):
        assert list(store.former_versions("law", "ipc")) == list(store.former_chunks("law", "IPC_420_0")) == []
        penal_code().put_into(store)
        assert list(store.former_versions("law", "ipc")) == list(store.former_chunks("law", "IPC_420_0")) == []

    # -- what was deleted ----------------------------------------------------------------------------------------

    def test_a_deleted_document_takes_its_former_versions_with_it(self, store: Store):
        for law in (penal_code(), amended(), wages_act()):
            law.put_into(store)
        make_document("wages", [SamplePassage("MinimumWagesAct_2_0", "Wages are pay.")]).put_into(store)
        assert store.delete("law", "ipc") is True
        assert former_hashes(store) == former_texts(store, "IPC_420_0") == former_texts(store, "IPC_415_0") == []
        assert len(former_texts(store, "MinimumWagesAct_2_0")) == 1

    def test_a_text_that_another_document_had_too_survives_the_deletion(self, store: Store):
        for name in ("a", "b"):
            make_document(name, [SamplePassage(f"{name}_1_0", "The same words.")]).put_into(store)
            make_document(name, [SamplePassage(f"{name}_1_0", f"Other words of {name}.")]).put_into(store)
        store.delete("law", "a")
        assert former_texts(store, "a_1_0") == []
        assert former_texts(store, "b_1_0") == ["The same words."]

    def test_with_history_kept_a_deleted_document_can_still_be_read(self, store: Store):
        for law in (penal_code(), amended()):
            law.put_into(store)
        assert store.delete("law", "ipc", keep_history=True) is True
        assert all_ids(store) == set()
        assert list(store.documents("law")) == list(store.projects()) == []
        assert former_texts(store, "IPC_420_0") == ["Whoever cheats pays a fine.", penal_code().chunks[3].text]
        assert [version.successor for version in store.former_versions("law", "ipc")] == [
            None,
            amended().document.source.sha256,
        ]
        assert store.delete("law", "ipc", keep_history=True) is False

    def test_kept_history_is_erased_by_a_deletion_that_does_not_keep_it(self, store: Store):
        penal_code().put_into(store)
        store.delete("law", "ipc", keep_history=True)
        assert store.delete("law", "ipc") is True
        assert former_hashes(store) == former_texts(store, "IPC_420_0") == []
        assert store.delete("law", "ipc") is False

    def test_a_document_that_comes_back_has_its_kept_past(self, store: Store):
        penal_code().put_into(store)
        store.delete("law", "ipc", keep_history=True)
        assert amended().put_into(store) == "added"
        assert len(former_texts(store, "IPC_420_0")) == 1

    # -- when documents hold -------------------------------------------------------------------------------------

    def test_what_is_said_of_a_documents_time_comes_back(self, store: Store):
        with_validity(penal_code(), SAMPLE_VALIDITY).put_into(store)
        wages_act().put_into(store)
        assert [document.validity for document in store.documents("law")] == [SAMPLE_VALIDITY, UNKNOWN_VALIDITY]
        assert dict(store.validities("law")) == {"ipc": SAMPLE_VALIDITY}
        assert dict(store.validities("nothing")) == {}

    @pytest.mark.parametrize(
        "validity",
        [
            SAMPLE_VALIDITY,
            Validity(date(1, 1, 1)),
            Validity(None, date(9999, 12, 31)),
            Validity(supersedes=("a,b", 'c"d', "नियम")),
        ],
    )
    def test_what_is_said_can_be_said_anew(self, store: Store, validity: Validity):
        penal_code().put_into(store)
        assert store.set_validity("law", "ipc", validity) is True
        assert dict(store.validities("law")) == {"ipc": validity}
        assert store.set_validity("law", "ipc", UNKNOWN_VALIDITY) is True
        assert dict(store.validities("law")) == {}
        assert all_ids(store) == set(penal_code().ids)
        assert former_hashes(store) == []

    def test_nothing_can_be_said_of_what_is_not_there(self, store: Store):
        assert store.set_validity("law", "ipc", SAMPLE_VALIDITY) is False
        penal_code().put_into(store)
        assert store.set_validity("law", "wages", SAMPLE_VALIDITY) is False
        assert dict(store.validities("law")) == {}

    def test_a_former_version_keeps_what_was_said_of_it(self, store: Store):
        with_validity(penal_code(), SAMPLE_VALIDITY).put_into(store)
        amended().put_into(store)
        assert [version.document.validity for version in store.former_versions("law", "ipc")] == [SAMPLE_VALIDITY]
        assert dict(store.validities("law")) == {}

    def test_what_was_said_goes_with_the_document(self, store: Store):
        laws: Sequence[SampleDocument] = (with_validity(penal_code(), SAMPLE_VALIDITY), wages_act())
        for law in laws:
            law.put_into(store)
        store.delete("law", "ipc")
        assert dict(store.validities("law")) == {}
