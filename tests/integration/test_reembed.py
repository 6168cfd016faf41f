"""A store filled with one embedder, used with another after `reembed`."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from footnotary.app.reembed import reembed
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.operations.maintenance import run_reembed
from footnotary.domain.query import Filters
from footnotary.errors import BackendError, IndexMismatch, StoreLocked, UsageError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.manifest import Manifest
from footnotary.ingest.chunking.chunk_builder import text_to_embed
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.sample_documents import EMBEDDER, penal_code, wages_act
from footnotary.text.tokens import content_terms


class Reversed(HashEmbedder):
    """As many dimensions, in the other order: nothing but its name tells its vectors from the first one's."""

    @property
    def name(self) -> str:
        return f"reversed-{self.dimensions}"

    def embed_question(self, text):
        return super().embed_question(text)[::-1].copy()


OTHER = Reversed(EMBEDDER.dimensions)


class Failing(Reversed):
    """Embeds the first few texts, and then nothing more."""

    def __init__(self, after: int) -> None:
        super().__init__(EMBEDDER.dimensions)
        self._left = after

    def embed_passages(self, texts):
        self._left -= len(texts)
        if self._left < 0:
            raise KeyboardInterrupt
        return super().embed_passages(texts)


def filled(folder: Path, ann_min_chunks: int = 1_000_000) -> EmbeddedStore:
    store = EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions, ann_min_chunks=ann_min_chunks)
    penal_code().put_into(store)
    wages_act().put_into(store)
    return store


def reopened(folder: Path, embedder: HashEmbedder = OTHER) -> EmbeddedStore:
    return EmbeddedStore(folder, embedder.name, embedder.dimensions)


def first(store: EmbeddedStore, text: str, embedder: HashEmbedder = OTHER) -> str:
    return store.dense("law", embedder.embed_question(text), 1, Filters())[0].id


def test_every_passage_is_found_by_its_new_vector_and_all_else_is_as_it_was(tmp_path: Path):
    with closing(filled(tmp_path)) as store:
        digest, chunks = store.index_digest("law"), store.chunks("law", penal_code().ids)
        first(store, chunks[0].text, EMBEDDER)  # what is derived from the old vectors is on disk now
    done = reembed(tmp_path, OTHER)
    assert (done.passages, done.before, done.now) == (
        len(penal_code().ids) + len(wages_act().ids), EMBEDDER.name, OTHER.name,
    )  # fmt: skip
    with closing(reopened(tmp_path)) as store:
        assert store.index_digest("law") == digest
        assert store.check(deep=True) == []
        assert [first(store, text_to_embed(chunk)) for chunk in chunks] == [chunk.id for chunk in chunks]
        assert store.lexical("law", content_terms("cheating"), 5, Filters())
    assert [path.name for path in tmp_path.glob("reembedding*")] == []
    with pytest.raises(IndexMismatch, match="was built with") as caught:
        reopened(tmp_path, EMBEDDER)
    assert "footnotary reembed" in caught.value.hint


def test_an_interrupted_run_leaves_the_store_as_it_was_and_continues_where_it_stopped(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("footnotary.app.reembed._BATCH_SIZE", 1)
    filled(tmp_path).close()
    with pytest.raises(KeyboardInterrupt):
        reembed(tmp_path, Failing(after=2))
    with closing(reopened(tmp_path, EMBEDDER)) as store:
        assert store.check(deep=True) == []
    done = reembed(tmp_path, OTHER)
    assert done.embedded == done.passages - 2


def test_what_waits_for_another_embedder_is_not_used(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("footnotary.app.reembed._BATCH_SIZE", 1)
    filled(tmp_path).close()
    with pytest.raises(KeyboardInterrupt):
        reembed(tmp_path, Failing(after=2))
    third = HashEmbedder(dimensions=EMBEDDER.dimensions * 3)
    done = reembed(tmp_path, third)
    assert done.embedded == done.passages
    with closing(reopened(tmp_path, third)) as store:
        assert store.check(deep=True) == []


def test_vectors_that_are_no_vectors_change_nothing(tmp_path: Path):
    class Broken(Reversed):
        def embed_passages(self, texts):
            return super().embed_passages(texts) * float("nan")

    filled(tmp_path).close()
    with pytest.raises(BackendError, match="not finite"):
        reembed(tmp_path, Broken(EMBEDDER.dimensions))
    with closing(reopened(tmp_path, EMBEDDER)) as store:
        assert store.check(deep=True) == []


def test_what_has_the_store_open_is_not_asked_or_filled_with_the_old_embedder_any_more(tmp_path: Path):
    with closing(filled(tmp_path)) as store:
        assert first(store, penal_code().chunks[0].text, EMBEDDER)
        reembed(tmp_path, OTHER)
        question = EMBEDDER.embed_question("cheating")
        with pytest.raises(IndexMismatch):
            store.dense("law", question, 1, Filters())
        with pytest.raises(IndexMismatch):
            store.lexical_and_dense("law", content_terms("cheating"), question, 1, Filters())
        with pytest.raises(IndexMismatch):
            penal_code().put_into(store)
    with closing(reopened(tmp_path)) as store:
        assert store.check(deep=True) == []


def test_a_passage_that_came_in_meanwhile_changes_nothing(tmp_path: Path):
    with closing(filled(tmp_path)) as store:
        with pytest.raises(StoreLocked, match="changed meanwhile"):
            store.switch_embedder(Manifest(OTHER.name, OTHER.dimensions), lambda project, id_, digest: None)
        assert store.check(deep=True) == []
        assert first(store, penal_code().chunks[0].text, EMBEDDER)


def test_the_command_switches_between_the_shipped_embedders(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with closing(EmbeddedStore(tmp_path / "tenants" / "local", EMBEDDER.name, EMBEDDER.dimensions)) as store:
        penal_code().put_into(store)
    assert run_reembed(tmp_path, None, "fast", as_json=True) is ExitCode.OK
    assert json.loads(capsys.readouterr().out)["now"].startswith("static-multilingual@")
    assert run_reembed(tmp_path, None, "fast", as_json=False) is ExitCode.OK
    assert "already" in capsys.readouterr().out


def test_without_a_store_there_is_nothing_to_embed(tmp_path: Path):
    with pytest.raises(UsageError, match="no store"):
        run_reembed(tmp_path, None, "fast", as_json=False)
