"""Whole files into the embedded store: the corpus that ships, and the real texts where they are at hand."""

import gzip
import os
from importlib import resources
from pathlib import Path

import pytest

from footnotary.corpus import Corpus
from footnotary.domain.identity import Span
from footnotary.domain.query import Filters, Reference
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.fake_embedder import HashEmbedder

DEMO = Path(str(resources.files("footnotary"))) / "demo_corpus"
SHARED = Path(os.environ.get("FOOTNOTARY_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data")) / "corpora"


@pytest.fixture
def store(tmp_path):
    embedder = HashEmbedder()
    store = EmbeddedStore(tmp_path / "home", embedder_name=embedder.name, dimensions=embedder.dimensions)
    yield store
    store.close()


@pytest.fixture
def corpus(store):
    return Corpus(store, HashEmbedder())


def test_the_demo_corpus_has_the_ids_that_the_documents_promise(corpus, store):
    report = corpus.ingest([DEMO], "demo")
    assert not report.failed
    wanted = ["IPC_415_0", "IPC_420_0", "MinimumWagesAct_2_1", "SupremeCourt_1_2020_0", "Maths10_5.1_0", "गणित10_5.1_0"]
    found = {chunk.id: chunk for chunk in store.chunks("demo", wanted)}
    assert list(found) == wanted
    assert found["MinimumWagesAct_2_1"].text.startswith('(e) "employer" means')
    assert found["IPC_420_0"].text.startswith("Section 420. Cheating and dishonestly inducing delivery of property.")
    assert found["Maths10_5.1_0"].page == 95
    assert store.lookup("demo", Reference("420", "IPC"), Filters()) == ["IPC_420_0"]
    assert store.lookup("demo", Reference("164.514"), Filters())[0] == "HIPAA_164.514_0"


def test_the_demo_corpus_is_unchanged_the_second_time(corpus):
    added = corpus.ingest([DEMO], "demo")
    again = corpus.ingest([DEMO], "demo")
    assert (len(again.unchanged), again.added, again.chunks) == (len(added.added), (), added.chunks)


def test_quotes_of_the_demo_corpus_stand_in_its_files(corpus, store):
    corpus.ingest([DEMO], "demo")
    for document in store.documents("demo"):
        data = Path(document.path).read_bytes()
        for chunk in chunks_of_document(store, document):
            first = chunk.text.split("\n")[0]
            located = chunk.located(Span(0, len(first)))
            assert located is not None
            assert data[located.bytes.start : located.bytes.end].decode() == first


def chunks_of_document(store, document):
    """Every chunk of a section that is numbered without a gap, found through the store's own lookup."""
    ids = [f"{document.code}_{place}_{n}" for place in ("1", "2", "420", "160.103", "5.1", "5.2") for n in range(30)]
    return [chunk for chunk in store.chunks("demo", ids) if chunk.document_id == document.id]


@pytest.mark.data
@pytest.mark.skipif(not SHARED.is_dir(), reason=f"the shared corpora are not at {SHARED}")
class TestRealTexts:
    def test_sections_of_real_acts_keep_their_ids(self, corpus, store):
        files = [*sorted((SHARED / "law_mix").glob("*.jsonl")), SHARED / "gdpr" / "gdpr_articles_recitals.jsonl"]
        report = corpus.ingest(files, "law")
        assert not report.failed
        wanted = ["IPC_420_0", "COW_2_0", "RTI_hi_P1_0", "GDPR_R26_0", "HIPAA_164.502_0", "HIPAA_160.101"]
        assert len(store.chunks("law", wanted)) == len(wanted)
        assert store.lookup("law", Reference("42", "IPC"), Filters()) == ["IPC_42_0"]

    def test_every_line_of_every_chunk_stands_in_the_original(self, corpus, store):
        path = SHARED / "law_mix" / "ipc_1860.jsonl"
        corpus.ingest([path], "law")
        data = path.read_bytes()
        chunks = store.chunks("law", [f"IPC_{n}_0" for n in range(1, 512)])
        assert len(chunks) > 480
        for chunk in chunks:
            for segment in chunk.origin.segments:
                run = chunk.text[segment.start : segment.start + segment.length].encode()
                assert data[segment.byte : segment.byte + len(run)] == run

    def test_a_file_of_questions_is_no_file_of_sections(self, corpus):
        (left,) = corpus.ingest([SHARED / "hipaa_cfr" / "dev_questions_12.jsonl"], "law").failed
        assert (left.reason, left.message.startswith("line 1")) == ("bad_record", True)

    def test_two_editions_of_one_act_live_side_by_side(self, corpus, store, tmp_path):
        packed = SHARED / "hipaa_cfr" / "hipaa_160_162_164.jsonl.gz"
        unpacked = tmp_path / "hipaa_all.jsonl"
        unpacked.write_bytes(gzip.decompress(packed.read_bytes()))
        corpus.ingest([SHARED / "law_mix" / "hipaa_45cfr_160_164.jsonl"], "law")
        report = corpus.ingest([unpacked], "law")
        assert len(report.added) == 1
        assert len({document.code for document in store.documents("law")}) == 2
