"""The parse context of the current file: progress reporting and parser settings."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


def _ignore_progress(done: int, of: int) -> None:
    """Ignores progress: the file is parsed without time limits, as in a test."""


@dataclass(frozen=True, slots=True)
class ParseContext:
    """`progress` is called with the pages done; `ocr_languages` are Tesseract's names ("eng+hin"), or "auto"."""

    progress: Callable[[int, int], None] = _ignore_progress
    ocr_languages: str = "auto"


_DEFAULT_CONTEXT = ParseContext()
_current: ContextVar[ParseContext] = ContextVar("under_way")


def report_page_done(done: int, of: int) -> None:
    """Called by parsers after each page, so that a slow file is not mistaken for one that hangs."""
    _current.get(_DEFAULT_CONTEXT).progress(done, of)


def ocr_languages() -> str:
    return _current.get(_DEFAULT_CONTEXT).ocr_languages


@contextmanager
def use_parse_context(now: ParseContext) -> Generator[None]:
    token = _current.set(now)
    try:
        yield
    finally:
        _current.reset(token)
