"""Paths that read a store: opening, listing, searching, asking, checking, copying."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.speed.growth.libraries import PROJECT, library, write_texts
from benchmarks.speed.growth.measuring import GrowthPath, Work
from benchmarks.speed.questions import QUESTIONS
from footnotary.domain.query import Filters, Scope
from footnotary.index.sqlite.backup import back_up, restore_backup
from footnotary.text.tokens import content_terms
from footnotary.wiring import Opened, open_built_store, tenant_folder

SIZE, ASKED, FEW, CANDIDATES = 1_200, QUESTIONS[:12], QUESTIONS[:3], 50
# Both sizes are beyond what SQLite keeps of a database in memory; across that step the ratio is above 2 once.
LISTED = 2_400
OF = Callable[[Opened], Work]


def paths() -> list[GrowthPath]:
    return [
        GrowthPath("open a store and search once", SIZE, "passages", _over(_opening)),
        GrowthPath("list documents", LISTED, "passages", _over(lambda o: lambda: o.corpus.documents(PROJECT))),
        GrowthPath("digest of an index", LISTED, "passages", _over(lambda o: lambda: o.store.index_digest(PROJECT))),
        GrowthPath("read back one document", 60, "sections", _read_back),
        GrowthPath("lexical search", SIZE, "passages", _over(_lexical)),
        GrowthPath("dense search, exact", SIZE, "passages", _over(_dense)),
        GrowthPath("hybrid search", SIZE, "passages", _over(_hybrid)),
        GrowthPath("ask, lexical mode", SIZE, "passages", _over(_asking(ASKED))),
        GrowthPath("ask, small tier", SIZE, "passages", _over(_asking(FEW), verifier="small")),
        GrowthPath("check every passage", SIZE, "passages", _over(lambda o: lambda: o.store.check(deep=True))),
        GrowthPath("examine every passage again", SIZE // 10, "passages", _over(_examining)),
        GrowthPath("back up", SIZE, "passages", _over(_backing_up)),
        GrowthPath("restore a backup and check it", SIZE // 2, "passages", _restore),
    ]


def _over(of: OF, **given: object) -> Callable[[int, Path], AbstractContextManager[Work]]:
    """Work over a data directory with so many sections."""

    @contextmanager
    def prepare(size: int, folder: Path) -> Iterator[Work]:
        with library(folder, size, **given) as open_:
            yield of(open_)

    return prepare


def _opening(open_: Opened) -> Work:
    terms = content_terms(QUESTIONS[0])

    def work() -> None:
        with closing(open_built_store(open_.settings, read_only=True)) as store:
            store.lexical(PROJECT, terms, CANDIDATES, Filters())

    return work


def _lexical(open_: Opened) -> Work:
    terms = [content_terms(question) for question in QUESTIONS]
    return lambda: [open_.store.lexical(PROJECT, one, CANDIDATES, Filters()) for one in terms]


def _dense(open_: Opened) -> Work:
    vectors = [open_.engine.embedder.embed_question(question) for question in QUESTIONS]
    return lambda: [open_.store.dense(PROJECT, one, CANDIDATES, Filters()) for one in vectors]


def _hybrid(open_: Opened) -> Work:
    return lambda: [open_.engine.search(question, Scope(PROJECT)) for question in QUESTIONS]


def _asking(questions: tuple[str, ...]) -> OF:
    numbers = count()  # readers remember what they have read, so no question is asked twice

    def work(open_: Opened) -> None:
        for question in questions:
            open_.engine.ask(f"In case {next(numbers)}: {question}", Scope(PROJECT))

    return lambda open_: lambda: work(open_)


def _examining(open_: Opened) -> Work:
    return lambda: [*open_.corpus.examine(PROJECT)]


def _backing_up(open_: Opened) -> Work:
    folder, numbers = tenant_folder(open_.settings), count()
    return lambda: _backed_up(folder, open_.settings.home / f"backup-{next(numbers)}")


def _backed_up(tenant: Path, into: Path) -> Any:
    return back_up({path.name: path for path in sorted(tenant.glob("*.db"))}, into, datetime.now(UTC))


@contextmanager
def _read_back(size: int, folder: Path) -> Iterator[Work]:
    with library(folder, 0) as open_:
        files = write_texts(folder / "long", size, size)
        found = open_.corpus.ingest([files], PROJECT).added[0].document_id
        yield lambda: open_.store.stored(PROJECT, found)


@contextmanager
def _restore(size: int, folder: Path) -> Iterator[Work]:
    with library(folder, size) as open_:
        kept, numbers = _backed_up(tenant_folder(open_.settings), folder / "backup"), count()

        def work() -> None:
            home = folder / f"restored-{next(numbers)}"
            settings = type(open_.settings)(home=home, embedder="fast")
            into = tenant_folder(settings)
            restore_backup(folder / "backup", {one.name: into / one.name for one in kept})
            with closing(open_built_store(settings)) as store:
                if problems := store.check(deep=True):
                    raise SystemExit(f"a restored backup is damaged: {problems[0]}")

        yield work
