"""A bar for work that is counted: on a terminal only, gone when it is done."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from footnotary.cli.terminal import console


@contextmanager
def counted(what: str) -> Generator[Callable[[int, int], None] | None]:
    """A function to call with (done, total); None where there is no terminal to draw on."""
    screen = console()
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
