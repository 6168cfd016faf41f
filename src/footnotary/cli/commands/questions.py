"""The options of the commands that ingest documents, answer questions and verify answers."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o
from footnotary.cli.exit_codes import legacy_exit_code
from footnotary.cli.questions.ask_options import AskOptions, takes_ask_options


def demo(home: o.Home = None) -> None:
    """Index the bundled corpus, ask questions under every profile, and show one refusal."""
    from footnotary.cli.questions.demo import run_demo

    raise typer.Exit(run_demo(home))


def ingest(
    paths: Annotated[
        list[str],
        # A file that cannot be read is reported, and the others are still ingested.
        typer.Argument(
            help="Files, folders or zips: PDF, scans, DOCX, XLSX, CSV, PPTX, EPUB, e-mail, HTML, Markdown, text, "
            "JSONL; or URLs of allowed hosts.",
        ),
    ],
    home: o.Home = None,
    project: o.Project = None,
    embedder: o.EmbedderName = None,
    effective_from: o.EffectiveFrom = None,
    effective_to: o.EffectiveTo = None,
    supersedes: o.Supersedes = None,
    trust: o.TrustRules = None,
    json: o.Json = False,
) -> None:
    """Index documents; unchanged ones are skipped, changed ones are replaced as a whole."""
    from footnotary.cli.library.ingest import parse_validity_options, run_ingest

    given = parse_validity_options(effective_from, effective_to, supersedes)
    raise typer.Exit(
        run_ingest(paths, home=home, project=project, embedder=embedder, given=given, trust=trust or (), as_json=json)
    )


@takes_ask_options(without=("verifier", "min_sources", "model", "base_url", "use_llm"))
def query(
    question: str,
    options: AskOptions = AskOptions(),
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show how the question was understood.")] = False,
    json: o.Json = False,
) -> None:
    """Retrieval only: the passages an answer would be made from."""
    from footnotary.cli.questions.query import run_query

    raise typer.Exit(run_query(question, options, as_json=json, verbose=verbose))


@takes_ask_options()
def ask(
    question: Annotated[str | None, typer.Argument(show_default=False)] = None,
    interactive: Annotated[bool, typer.Option("-i", "--interactive", help="A conversation in the terminal.")] = False,
    options: AskOptions = AskOptions(),
    style: o.Style = None,
    strip: o.Strip = False,
    verbose: o.Verbose = False,
    json: o.Json = False,
    legacy_exit: o.LegacyExit = False,
) -> None:
    """Answer a question with verified citations, or refuse it."""
    from footnotary.cli.questions.conversation import converse
    from footnotary.cli.questions.outcome_output import show_outcome
    from footnotary.cli.questions.sessions import session_for
    from footnotary.errors import UsageError

    if interactive:
        raise typer.Exit(converse(options, question, style=style, verbose=verbose, strip=strip))
    if not question or not question.strip():
        raise UsageError("no question given", hint='footnotary ask "What is cheating?", or -i for a conversation')
    with session_for(options) as session:
        delivery = session.ask(question)
        code = show_outcome(
            delivery.outcome, session.engine, style=style, as_json=json, verbose=verbose, strip=strip,
            answer_id=delivery.answer_id,
        )  # fmt: skip
    raise typer.Exit(legacy_exit_code(code) if legacy_exit else code)


@takes_ask_options()
def synthesize(
    question: Annotated[str | None, typer.Argument(show_default=False)] = None,
    batch: Annotated[
        Path | None, typer.Option("--batch", help="File of questions: a line each, or JSONL.", show_default=False)
    ] = None,
    options: AskOptions = AskOptions(),
    verbose: o.Verbose = False,
    json: o.Json = False,
    legacy_exit: o.LegacyExit = False,
) -> None:
    """Answer from several sources, with the coverage of every claim; many questions with --batch."""
    from footnotary.cli.questions.synthesize import run_batch, run_synthesis

    if batch is not None:
        code = run_batch(batch, options, as_json=json)
    else:
        code = run_synthesis(question, options, as_json=json, verbose=verbose)
    raise typer.Exit(legacy_exit_code(code) if legacy_exit else code)


def verify(
    answer_file: Annotated[Path, typer.Option("--answer-file", help="Plain text, or what `ask --json` printed.")],
    chunks_file: Annotated[Path, typer.Option("--chunks-file", help="Chunks, or what `query --json` printed.")],
    profile: o.ProfileName = None,
    verifier: o.VerifierName = None,
    verbose: o.Verbose = False,
    json: o.Json = False,
    legacy_exit: o.LegacyExit = False,
) -> None:
    """Check any answer against any passages; exit 4 if the contract is violated."""
    from footnotary.cli.questions.verify import run_verify

    code = run_verify(answer_file, chunks_file, profile=profile, verifier=verifier, as_json=json, verbose=verbose)
    raise typer.Exit(legacy_exit_code(code) if legacy_exit else code)


def show(
    cited: Annotated[str, typer.Argument(help="The id in a citation, such as IPC_420_0.")],
    home: o.Home = None,
    project: o.Project = None,
    quote: Annotated[
        str | None, typer.Option("--quote", help="Only these words of the passage.", show_default=False)
    ] = None,
    version: Annotated[
        str | None,
        typer.Option(
            "--version", metavar="SHA256", help="The text in that version of the document.", show_default=False
        ),
    ] = None,
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the page with the words marked, as PNG.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Print the source of a citation: its text, page, offsets and file, also if it has been replaced since."""
    from footnotary.cli.questions.show import run_show

    raise typer.Exit(
        run_show(cited, home=home, project=project, quote=quote, version=version, image=image, as_json=json)
    )
