"""What a search of the embedded store finds while another process changes what it searches."""

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from footnotary.domain.query import Filters, Reference
from footnotary.errors import BackendError
from footnotary.index.embedded.search import EmbeddedSearch
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.sqlite.catalog import SqliteCatalog
from footnotary.index.sqlite.changes import Revision
from footnotary.testing.sample_documents import EMBEDDER, penal_code, wages_act
from footnotary.testing.search_queries import NO_FILTERS, search_dense, search_lexical

OF_THE_CODE = Filters(act="IPC")


class _Replacing:
    """Replaces the penal code by itself, as often as it is told to, before it lets a call go on."""

    def __init__(self, writer: EmbeddedStore, times: int) -> None:
        self._writer = writer
        self._left = times

    def __call__(self) -> None:
        if self._left:
            self._left -= 1
            penal_code().put_into(self._writer)


@pytest.fixture
def writer(tmp_path: Path) -> Generator[EmbeddedStore]:
    with closing(EmbeddedStore(tmp_path, EMBEDDER.name, EMBEDDER.dimensions)) as store:
        penal_code().put_into(store)
        wages_act().put_into(store)
        yield store


@pytest.fixture
def reader(writer: EmbeddedStore) -> Generator[EmbeddedStore]:
    with closing(EmbeddedStore(writer.folder, EMBEDDER.name, EMBEDDER.dimensions)) as store:
        yield store


def _before_naming(monkeypatch: pytest.MonkeyPatch, change: _Replacing) -> None:
    ids = SqliteCatalog.ids

    def named(catalog: SqliteCatalog, numbers: Sequence[int]) -> dict[int, str]:
        change()
        return ids(catalog, numbers)

    monkeypatch.setattr(SqliteCatalog, "ids", named)


@pytest.mark.parametrize("filters", [NO_FILTERS, OF_THE_CODE])
@pytest.mark.parametrize("times", [1, 2])
def test_a_document_that_is_replaced_between_finding_and_naming_is_found(
    writer: EmbeddedStore, reader: EmbeddedStore, monkeypatch: pytest.MonkeyPatch, filters: Filters, times: int
):
    by_words, by_meaning = (
        search_lexical(reader, "cheating", 10, filters),
        search_dense(reader, "cheating", 10, filters),
    )
    assert set(penal_code().ids) <= set(by_meaning)
    _before_naming(monkeypatch, _Replacing(writer, times))
    assert search_lexical(reader, "cheating", 10, filters) == by_words
    _before_naming(monkeypatch, _Replacing(writer, times))
    assert search_dense(reader, "cheating", 10, filters) == by_meaning


def test_a_document_that_is_replaced_before_the_filters_are_applied_is_found(
    writer: EmbeddedStore, reader: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
):
    by_meaning = search_dense(reader, "cheating", 10, OF_THE_CODE)
    change, numbers = _Replacing(writer, 1), SqliteCatalog.numbers

    def allowed(*asked: object) -> list[int]:
        change()
        return numbers(*asked)  # type: ignore[arg-type]

    penal_code().put_into(writer)  # so that what the filters allow is asked for anew
    monkeypatch.setattr(SqliteCatalog, "numbers", allowed)
    assert search_dense(reader, "cheating", 10, OF_THE_CODE) == by_meaning


def test_a_document_that_is_replaced_before_its_index_is_caught_up_is_found(
    writer: EmbeddedStore, reader: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
):
    by_meaning = search_dense(reader, "cheating", 10, OF_THE_CODE)
    change, search = _Replacing(writer, 1), EmbeddedSearch.dense

    def late(search_: EmbeddedSearch, number: int, mark: Revision, *asked: object) -> object:
        change()
        return search(search_, number, mark, *asked)  # type: ignore[arg-type]

    monkeypatch.setattr(EmbeddedSearch, "dense", late)
    assert search_dense(reader, "cheating", 10, OF_THE_CODE) == by_meaning


def test_a_project_that_never_holds_still_is_an_error_and_not_an_empty_list(
    writer: EmbeddedStore, reader: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
):
    _before_naming(monkeypatch, _Replacing(writer, 1000))
    with pytest.raises(BackendError) as raised:
        search_lexical(reader, "cheating")
    assert raised.value.retryable
    assert search_lexical(reader, "wages minimum") != []


def test_any_number_of_documents_can_be_left_out(reader: EmbeddedStore):
    many = Filters(without=frozenset({"wages", *(f"old{n}" for n in range(300_000))}))
    assert set(reader.lookup("law", Reference("420"), many)) == {"IPC_420_0", "IPC_420_1"}
    assert set(search_dense(reader, "anything", 100, many)) == set(penal_code().ids)
