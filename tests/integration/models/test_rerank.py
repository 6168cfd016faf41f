"""The order of passages by the weights that are installed: what answers comes before what only shares its words."""

import pytest

from footnotary.domain.evidence import Hit, Ranks
from footnotary.domain.query import Scope
from footnotary.gate.intent import understand
from footnotary.gate.reader_decision import decide_by_reading
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.reader.shipped import reranker_for
from footnotary.retrieve.reranking import rerank
from footnotary.testing.builders import chunk_of

pytestmark = pytest.mark.trained

QUESTION = "How many days does the licensee have to refund the deposit?"
ALIKE = "The deposit, the refund of which the licensee owes, is kept in a bank account in the name of the hostel."
ANSWER = "The licensee shall refund the deposit within twenty-one days after the room is vacated."


def asking(size: str) -> Profile:
    default = load_profile("default")
    keys = {"rerank": 10, "rerank_verifier": size}
    return default.model_copy(update={"retrieval": default.retrieval.model_copy(update=keys)})


@pytest.mark.parametrize("size", ["large", "small"])
def test_what_answers_comes_before_what_shares_its_words(size: str):
    policy = asking(size)
    query = understand(QUESTION, Scope("hostel"), policy)
    hits = [Hit(chunk_of(f"RENT_{n}_0", text), 0.9, Ranks(fused=n)) for n, text in enumerate((ALIKE, ANSWER), 1)]
    found, told = rerank(query, hits, policy.retrieval, reranker_for(policy, "profile"))
    assert ([hit.chunk.text for hit in found], told) == ([ANSWER, ALIKE], "done")


def test_what_the_reranker_read_is_not_read_again_by_the_gate(monkeypatch: pytest.MonkeyPatch):
    policy = asking("large")
    reader = reranker_for(policy, "profile")
    query = understand(QUESTION, Scope("hostel"), policy)
    hits = (Hit(chunk_of("RENT_1_0", ANSWER), 0.9),)
    assert reader is not None
    rerank(query, hits, policy.retrieval, reader)
    monkeypatch.setattr(reader._questions, "_model", lambda: pytest.fail("the pair was read twice"))
    assert decide_by_reading(query.text, hits, reader, least=0.01).hits == hits
