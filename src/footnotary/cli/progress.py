"""Progress bars: on a terminal only, removed at the end."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from footnotary.cli.output import console

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def progress_bars() -> Generator[Progress | None]:
    """A display with one bar per task; None if standard error is not a terminal."""
    screen = console()
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        yield progress


@contextmanager
def progress_counter(what: str) -> Generator[Callable[[int, int], None] | None]:
    """A function to call with (done, total); None if standard error is not a terminal."""
    with progress_bars() as progress:
        if progress is None:
            yield None
            return
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
