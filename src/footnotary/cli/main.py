"""The `footnotary` command: its subcommands, in the order its help lists them."""

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from io import TextIOWrapper
from typing import Annotated, TextIO

import typer

from footnotary import __version__
from footnotary.cli.commands import audit, evaluation, library, models, operations, questions
from footnotary.cli.environment import note_unknown_variables
from footnotary.cli.exit_codes import exit_on_error
from footnotary.deprecated import FootnotaryDeprecationWarning

app = typer.Typer(
    name="footnotary",
    help="Answers from your documents only: every sentence cited and verified, or refused.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # characters the terminal's encoding lacks are shown as escapes
            stream.reconfigure(errors="backslashreplace")
    show_deprecations_as_notes()
    note_unknown_variables(os.environ)
    with exit_on_error():
        app()


def show_deprecations_as_notes() -> None:
    """Prints the warning about a former name as one line on standard error, without the place in our code."""
    usual = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, FootnotaryDeprecationWarning):
            print(f"warning: {message}", file=sys.stderr)
        else:
            usual(message, category, filename, lineno, file, line)

    warnings.showwarning = show


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        print(f"footnotary {__version__}")
        raise typer.Exit


def _add_group(name: str, about: str, commands: Mapping[str, Callable[..., None]]) -> None:
    group = typer.Typer(help=about, no_args_is_help=True)
    for subcommand, function in commands.items():
        group.command(subcommand)(function)
    app.add_typer(group, name=name)


for command in (
    questions.demo,
    questions.ingest,
    library.watch,
    questions.query,
    questions.ask,
    questions.synthesize,
    questions.verify,
    questions.show,
    evaluation.calibrate,
    evaluation.conform,
    operations.doctor,
    operations.migrate,
    operations.reindex,
    operations.reembed,
    operations.examine,
    operations.backup,
    operations.restore,
    operations.serve,
    operations.mcp,
):
    app.command()(command)

_add_group(
    "profile",
    "Show and check policy profiles.",
    {"list": library.profile_list, "show": library.profile_show, "check": library.profile_check},
)
_add_group(
    "documents",
    "List, show and delete the documents of a project, and clear wrong flags.",
    {
        "list": library.documents_list,
        "show": library.documents_show,
        "clear": library.documents_clear,
        "delete": library.documents_delete,
    },
)
_add_group(
    "keys",
    "Create, list and revoke the service's API keys.",
    {"create": operations.keys_create, "list": operations.keys_list, "revoke": operations.keys_revoke},
)
_add_group(
    "models",
    "List the models, and run the largest reader on this machine.",
    {
        "list": models.models_list,
        "add": models.models_add,
        "start": models.models_start,
        "export": models.models_export,
    },
)
_add_group(
    "audit",
    "Show, verify and export the audit records of all outcomes.",
    {
        "list": audit.audit_list,
        "show": audit.audit_show,
        "verify": audit.audit_verify,
        "head": audit.audit_head,
        "key": audit.audit_key,
        "export": audit.audit_export,
        "check": audit.audit_check,
        "replay": audit.audit_replay,
        "feedback": audit.audit_feedback,
        "accept-loss": audit.audit_accept_loss,
    },
)
_add_group(
    "eval",
    "Evaluate answers and grounding on labelled data.",
    {
        "grounding": evaluation.eval_grounding,
        "run": evaluation.eval_run,
        "compare": evaluation.eval_compare,
        "make": evaluation.eval_make,
    },
)

if __name__ == "__main__":
    main()
