"""The options of `documents` and `profile`: what a project holds, and the policies it may be asked under."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o
from footnotary.cli.exit_codes import ExitCode


def documents_list(home: o.Home = None, project: o.Project = None, json: o.Json = False) -> None:
    """The documents of a project."""
    from footnotary.cli.library.documents import list_documents

    raise typer.Exit(list_documents(home, project, as_json=json))


def documents_show(document: str, home: o.Home = None, project: o.Project = None, json: o.Json = False) -> None:
    """A document, its versions, when it holds, and the ids its passages are cited by."""
    from footnotary.cli.library.documents import show_document

    raise typer.Exit(show_document(document, home, project, as_json=json))


def documents_delete(
    document: str,
    home: o.Home = None,
    project: o.Project = None,
    keep_history: Annotated[
        bool, typer.Option("--keep-history", help="Keep what it said, to read what old citations point at.")
    ] = False,
    json: o.Json = False,
) -> None:
    """Take a document out of the project, with all its former versions; its file is left alone."""
    from footnotary.cli.library.documents import delete_document

    raise typer.Exit(delete_document(document, home, project, keep_history=keep_history, as_json=json))


def profile_list() -> None:
    """The profiles that come with Footnotary."""
    from footnotary.cli.library.profiles import list_profiles

    list_profiles()


def profile_show(name: str, json: o.Json = False) -> None:
    """A profile with everything it inherits, and its digest."""
    from footnotary.cli.library.profiles import show_profile

    show_profile(name, as_json=json)


def profile_check(path: Path) -> None:
    """Whether a profile of yours loads and keeps the contract."""
    from footnotary.cli.library.profiles import show_profile

    show_profile(str(path), as_json=False, brief=True)
    raise typer.Exit(ExitCode.OK)
