"""Evidence for tests of the generators: passages by id, without a store."""

from collections.abc import Callable

import pytest

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Labels, OffsetMap
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import Span, sha256_hex
from footnotary.domain.query import Language, Query, Scope

MakeEvidence = Callable[..., Evidence]


def make_evidence(
    *texts: str, question: str = "What is cheating?", language: Language = "en", labels: Labels | None = None
) -> Evidence:
    """The passages `texts` as slots 1, 2, ..., with the ids IPC_1_0, IPC_2_0, ..."""
    hits = tuple(
        Hit(
            Chunk(
                id=f"IPC_{n}_0",
                document_id="ipc",
                text=text,
                span=Span(0, len(text)),
                section=(str(n),),
                page=n,
                digest=sha256_hex(text.encode(errors="replace")),
                labels=labels or Labels(act="Indian Penal Code", section=str(n)),
                kind="paragraph",
                origin=OffsetMap(()),
            ),
            score=0.9,
        )
        for n, text in enumerate(texts, start=1)
    )
    return Evidence(Query(question, Scope("demo"), language, facets=(), keywords=()), hits)


@pytest.fixture(name="make_evidence", scope="session")
def _make_evidence() -> MakeEvidence:
    return make_evidence
