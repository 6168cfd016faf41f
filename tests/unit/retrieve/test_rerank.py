"""When a model reranks passages, how much its score weighs, and what is reported about it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.corpus import Corpus
from footnotary.domain.evidence import Hit, Ranks
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.errors import BackendError
from footnotary.gate.intent import understand
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ports import PassageText
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile, Retrieval
from footnotary.reader.shipped import reranker_for
from footnotary.render.outcome_record import evidence_record
from footnotary.retrieve.reranking import rerank
from footnotary.testing.builders import chunk_of
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.fake_reader import FakeReader
from footnotary.verify.run import checks_for

LEGAL = load_profile("legal")
QUESTION = "When does the employer pay the wages of a worker?"


def with_reranking(first: int, weight: float = 1.0) -> Profile:
    keys = {"rerank": first, "rerank_weight": weight}
    return LEGAL.model_copy(update={"retrieval": LEGAL.retrieval.model_copy(update=keys)})


def policy(first: int, weight: float = 1.0) -> Retrieval:
    return with_reranking(first, weight).retrieval


class Prefers(FakeReader):
    """Gives passages that hold the word a high probability and all others a low one, and remembers what it was shown."""

    name = "prefers"

    def __init__(self, word: str = "", chances: Sequence[float] = ()) -> None:
        super().__init__()
        self.word, self.chances = word, chances
        self.shown: list[str] = []

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        self.shown += [str(passages[0]) for _, passages in pairs]
        return self.chances or [0.9 if self.word in str(passages[0]) else 0.1 for _, passages in pairs]


class Broken(FakeReader):
    name = "broken"

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        raise BackendError("the weights are gone")


def hits_of(*texts: str, via="search") -> list[Hit]:
    return [
        Hit(chunk_of(f"WAGES_{n}_0", text), 0.5, Ranks(fused=n), "reference" if via == "reference" and n == 1 else "search")
        for n, text in enumerate(texts, 1)
    ]  # fmt: skip


MINES = "The employer of a worker in a mine is named in the register."
SHOPS = "The employer of a worker in a shop keeps a register."
WAGES = "The employer pays the wages of a worker by the seventh day."
HINDI = "नियोजक कर्मकार की मजदूरी सातवें दिन तक देगा।"


def order(by, *hits: Hit, question=QUESTION, chosen=None):
    query = understand(question, Scope("law"), LEGAL)
    found, why = rerank(query, hits, chosen or policy(10), by)
    return [hit.ranks.fused for hit in found], why


def test_a_passage_that_answers_comes_before_those_found_first():
    assert order(Prefers("wages"), *hits_of(MINES, SHOPS, WAGES)) == ([3, 1, 2], "done")


def test_the_hits_say_where_they_stood_before_and_after():
    query = understand(QUESTION, Scope("law"), LEGAL)
    found, _ = rerank(query, hits_of(MINES, SHOPS, WAGES), policy(2), Prefers("shop"))
    assert [(hit.ranks.fused, hit.ranks.reranked, hit.ranks.last) for hit in found] == [
        (2, 1, 1),
        (1, 2, 2),
        (3, None, 3),
    ]


def test_equal_probabilities_keep_the_order():
    assert order(Prefers("worker"), *hits_of(MINES, SHOPS, WAGES)) == ([1, 2, 3], "done")


def test_the_weight_decides_whether_the_model_outweighs_the_rank():
    hits = hits_of(MINES, SHOPS, WAGES)
    assert order(Prefers("wages"), *hits, chosen=policy(10, 0.05))[0] == [1, 2, 3]
    assert order(Prefers("wages"), *hits, chosen=policy(10, 0.2))[0] == [1, 3, 2]
    assert order(Prefers("wages"), *hits, chosen=policy(10, 0.5))[0] == [3, 1, 2]


def test_only_the_first_are_read():
    reader = Prefers("wages")
    assert order(reader, *hits_of(MINES, SHOPS, WAGES), chosen=policy(2))[0] == [1, 2, 3]
    assert len(reader.shown) == 2


def test_a_passage_is_shown_under_its_headings_as_the_gate_shows_it():
    reader = Prefers()
    order(reader, *hits_of(WAGES))
    assert reader.shown == [f"WAGES\n{WAGES}"]


@pytest.mark.parametrize(
    ("reader", "case", "why"),
    [
        (Prefers("wages"), {"chosen": policy(0)}, "off"),
        (None, {}, "no_verifier"),
        (Broken(), {}, "verifier_failed"),
        (Prefers("wages"), {"question": "नियोजक मजदूरी कब देता है?"}, "other_language"),
        (Prefers("wages"), {"question": "Who is an employer and what is the fine for late wages?"}, "several_parts"),
    ],
)
def test_the_order_is_unchanged_and_the_reason_is_given(reader, case, why):
    assert order(reader, *hits_of(MINES, SHOPS, WAGES), **case) == ([1, 2, 3], why)


def test_a_provision_named_by_its_number_stays_first_and_nothing_is_read():
    reader = Prefers("wages")
    assert order(reader, *hits_of(MINES, SHOPS, WAGES, via="reference")) == ([1, 2, 3], "provision_named")
    assert reader.shown == []


def test_nothing_found_asks_nobody():
    assert order(Broken()) == ([], "nothing_found")


def test_passages_in_a_language_the_model_does_not_read_keep_their_places():
    reader = Prefers("wages")
    assert order(reader, *hits_of(MINES, HINDI, WAGES)) == ([3, 2, 1], "done")
    assert len(reader.shown) == 2


@given(
    chances=st.lists(st.floats(0, 1), min_size=1, max_size=12),
    first=st.integers(1, 15),
    weight=st.floats(0, 10, allow_subnormal=False),
)
def test_no_hit_is_lost_and_those_behind_the_first_stay(chances, first, weight):
    hits = hits_of(*(f"The employer pays worker {n}." for n in range(len(chances))))
    found, why = order(Prefers(chances=chances[:first]), *hits, chosen=policy(first, weight))
    assert sorted(found) == list(range(1, len(hits) + 1))
    assert found[first:] == list(range(first + 1, len(hits) + 1))
    assert why == "done"


ACT = "ACT: Wages Act, 1948\nCODE: WA\nKIND: act\n\n" + "\n\n".join(
    f"Section {n}. Register.\nThe employer pays a worker and keeps register number {n} of {what}."
    for n, what in enumerate(("mines", "shops", "docks", "farms", "mills", "wages of the worker by the month"), 1)
)


def engine(profile: Profile, reranker) -> Engine:
    store, embedder = DictStore(), HashEmbedder()
    Corpus(store, embedder).ingest_text("wa.txt", ACT, "law")
    return Engine(store, embedder, ExtractiveGenerator(profile), profile, checks_for(profile), reranker=reranker)


def test_a_passage_beyond_the_hits_kept_can_come_into_them_and_the_record_shows_both_orders():
    few = with_reranking(6)
    few = few.model_copy(update={"retrieval": few.retrieval.model_copy(update={"k": 1})})
    question = "Which register does the employer keep?"
    last = engine(with_reranking(0), None).search(question, Scope("law")).hits[-1].chunk
    found = engine(few, Prefers(last.text)).search(question, Scope("law"))
    assert [hit.chunk for hit in found.hits] == [last]
    record = evidence_record(found)
    assert record["reranking"] == "done"
    assert record["results"][0]["ranks"]["reranked"] == 1 < record["results"][0]["ranks"]["fused"]


def test_without_weights_the_order_is_unchanged_and_the_trace_says_why():
    asked = with_reranking(6)
    plain = engine(LEGAL, None).search(QUESTION, Scope("law"))
    found = engine(asked, reranker_for(asked, "lexical")).search(QUESTION, Scope("law"))
    assert found.hits == plain.hits
    assert (plain.reranking, found.reranking) == ("off", "no_verifier")
    heard: dict[str, object] = {}

    class Listening:
        def stage(self, name, **facts):
            heard.update(facts if name == "retrieved" else {})

    engine(asked, None).ask(QUESTION, Scope("law"), Listening())
    assert heard["reranking"] == "no_verifier"
