"""The file being parsed: how its parser tells of progress, and what the settings ask of it."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


def _unheard(done: int, of: int) -> None:
    """Nobody listens: the file is parsed without limits of time, as in a test."""


@dataclass(frozen=True, slots=True)
class UnderWay:
    """`progress` is told the pages done; `ocr_languages` is what Tesseract calls them ("eng+hin"), or "auto"."""

    progress: Callable[[int, int], None] = _unheard
    ocr_languages: str = "auto"


_NOWHERE = UnderWay()
_current: ContextVar[UnderWay] = ContextVar("under_way")


def page_done(done: int, of: int) -> None:
    """Called by parsers after each page: a file that goes on is not taken for one that hangs."""
    _current.get(_NOWHERE).progress(done, of)


def ocr_languages() -> str:
    return _current.get(_NOWHERE).ocr_languages


@contextmanager
def under_way(now: UnderWay) -> Generator[None]:
    token = _current.set(now)
    try:
        yield
    finally:
        _current.reset(token)
