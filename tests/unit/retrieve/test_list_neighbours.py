"""A list that is split between passages is found whole."""

from dataclasses import replace

from footnotary.corpus import Corpus
from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.domain.query import Scope
from footnotary.engine import answer_from
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.retrieve.list_neighbours import rest_of_lists, with_rest_of_lists
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.fake_reader import FakeReader
from footnotary.verify.run import checks_for

ITEMS = [
    f"({letter}) the {letter}-th duty, which is to {'watch the lamps of the quay ' * 5}by night;"
    for letter in "abcdefghijkl"
]
DUTIES = "# Harbour rules\n\n## 4. Duties of a watchman\n\nA watchman shall carry out these duties:\n" + "\n".join(ITEMS) + "\n(m) the last duty.\n\n## 5. Boats\n\nBoats are counted every day; and\n"  # fmt: skip


def stored():
    store = DictStore()
    Corpus(store, HashEmbedder()).ingest_text("harbour.md", DUTIES, "harbour")
    found = (store.chunks("harbour", [f"{stem}_{n}"]) for stem in ("Harbour_4", "Harbour_5") for n in range(9))
    return store, [chunk for chunks in found for chunk in chunks]


def test_any_part_of_a_list_brings_the_others_and_nothing_else():
    store, chunks = stored()
    parts = [chunk for chunk in chunks if "-th duty" in chunk.text]
    assert len(parts) > 1
    for chunk in parts:
        rest = rest_of_lists([Hit(chunk, 0.9)], Scope("harbour"), store)
        assert {hit.chunk.id for hit in rest} | {chunk.id} == {part.id for part in parts}
        assert all(hit.score < 0.9 for hit in rest)


def test_what_only_ends_like_an_item_has_no_rest():
    store, chunks = stored()
    assert rest_of_lists([Hit(chunks[-1], 0.9)], Scope("harbour"), store) == ()


FIRST = chunk_of("FA_7_0", "7. Keepers.—A keeper must hold—\n(a) a licence;\n(b) a gun; and")
_REST = chunk_of("FA_7_1", "(c) a map;\n(d) a whistle.")
REST = replace(_REST, span=Span(len(FIRST.text) + 1, len(FIRST.text) + 1 + len(_REST.text)))


def test_kept_hits_keep_the_rest_of_their_lists():
    first, rest, other = Hit(FIRST, 0.9), Hit(REST, 0.5), Hit(chunk_of("FB_1_0", "(c) a map."), 0.5)
    assert with_rest_of_lists([first], [first, other, rest]) == (first, rest)
    assert with_rest_of_lists([rest], [first, other, rest]) == (rest, first)
    assert with_rest_of_lists([other], [first, other, rest]) == (other,)


def test_an_answer_has_the_whole_list_though_the_gate_keeps_only_its_beginning():
    profile = load_profile("legal")
    evidence = evidence_of("What must a keeper hold?", FIRST, REST)
    reader = FakeReader({"licence": 0.95, "A keeper must hold": 0.95, "map": 0.02, "whistle": 0.02})
    answer = answer_from(
        evidence, ExtractiveGenerator(profile, reader), profile, checks_for(profile), lambda _: ("0" * 64, "x"), reader=reader
    )  # fmt: skip
    assert [claim.cites for claim in answer.claims] == [("FA_7_0",), ("FA_7_1",)]
    assert answer.claims[-1].text == REST.text
