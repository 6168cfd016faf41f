"""The options of `documents` and `profile`."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o
from footnotary.cli.exit_codes import ExitCode


def watch(
    folder: Annotated[Path, typer.Argument(help="The folder to follow, with its subfolders.")],
    home: o.Home = None,
    project: o.Project = None,
    embedder: o.EmbedderName = None,
    interval: Annotated[float, typer.Option("--interval", min=0.1, max=3600, help="Seconds between two looks.")] = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Bring the project in step and end.")] = False,
) -> None:
    """Keep a project in step with a folder: added, changed and deleted files, until Ctrl-C."""
    from footnotary.cli.library.watch import run_watch

    raise typer.Exit(run_watch(folder, home, project, embedder, interval_s=interval, once=once))


def documents_list(home: o.Home = None, project: o.Project = None, json: o.Json = False) -> None:
    """List the documents of a project."""
    from footnotary.cli.library.documents import list_documents

    raise typer.Exit(list_documents(home, project, as_json=json))


def documents_show(document: str, home: o.Home = None, project: o.Project = None, json: o.Json = False) -> None:
    """Show a document, its versions, when it is in force, and the ids its passages are cited by."""
    from footnotary.cli.library.documents import show_document

    raise typer.Exit(show_document(document, home, project, as_json=json))


def documents_delete(
    document: str,
    home: o.Home = None,
    project: o.Project = None,
    keep_history: Annotated[
        bool, typer.Option("--keep-history", help="Keep its text, so that old citations can be read.")
    ] = False,
    json: o.Json = False,
) -> None:
    """Delete a document from the project, with all its former versions; its file is not touched."""
    from footnotary.cli.library.documents import delete_document

    raise typer.Exit(delete_document(document, home, project, keep_history=keep_history, as_json=json))


def documents_clear(
    document: str,
    sentence: Annotated[str, typer.Argument(help="The flagged sentence, whole, as `documents show` prints it.")],
    home: o.Home = None,
    project: o.Project = None,
    undo: Annotated[bool, typer.Option("--undo", help="Set the flag again.")] = False,
    json: o.Json = False,
) -> None:
    """Clear the injection flag of a sentence that is harmless, so that answers may be drafted from it."""
    from footnotary.cli.library.documents import clear_flag

    raise typer.Exit(clear_flag(document, sentence, home, project, undo=undo, as_json=json))


def profile_list() -> None:
    """List the built-in profiles."""
    from footnotary.cli.library.profiles import list_profiles

    list_profiles()


def profile_show(name: str, json: o.Json = False) -> None:
    """Show a profile with everything it inherits, and its digest."""
    from footnotary.cli.library.profiles import show_profile

    show_profile(name, as_json=json)


def profile_check(path: Path) -> None:
    """Check that a profile of yours loads and keeps the contract."""
    from footnotary.cli.library.profiles import show_profile

    show_profile(str(path), as_json=False, brief=True)
    raise typer.Exit(ExitCode.OK)
