"""The options of the commands that take documents in and give answers out."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o
from footnotary.cli.exits import legacy


def demo(home: o.Home = None) -> None:
    """Index the bundled corpus, ask it in every profile, and be refused once."""
    from footnotary.cli.demo import run_demo

    raise typer.Exit(run_demo(home))


def ingest(
    paths: Annotated[
        list[Path],
        # One that cannot be read is reported with the others, and stops none of them.
        typer.Argument(help="Files, folders or zips: PDF, scans, DOCX, HTML, Markdown, text, JSONL.", readable=False),
    ],
    home: o.Home = None,
    project: o.Project = None,
    embedder: o.EmbedderName = None,
    effective_from: o.EffectiveFrom = None,
    effective_to: o.EffectiveTo = None,
    supersedes: o.Supersedes = None,
    json: o.Json = False,
) -> None:
    """Index documents; what is unchanged is left alone, what changed is replaced whole."""
    from footnotary.cli.ingest import given_validity, run_ingest

    given = given_validity(effective_from, effective_to, supersedes)
    raise typer.Exit(run_ingest(paths, home=home, project=project, embedder=embedder, given=given, as_json=json))


def query(
    question: str,
    home: o.Home = None,
    project: o.Project = None,
    profile: o.ProfileName = None,
    embedder: o.EmbedderName = None,
    top_k: o.TopK = None,
    graph: o.Graph = False,
    act: o.Act = None,
    section: o.Section = None,
    chapter: o.Chapter = None,
    class_number: o.ClassNumber = None,
    subject: o.Subject = None,
    language: o.Language = None,
    document: o.Document = None,
    as_of: o.AsOf = None,
    json: o.Json = False,
) -> None:
    """Retrieval only: the passages an answer would be made from."""
    from footnotary.cli.asking import Asking
    from footnotary.cli.query import run_query

    asking = Asking(
        home, project, profile, embedder, top_k, None, graph, None, None, False,
        act, section, chapter, class_number, subject, language, document, as_of,
    )  # fmt: skip
    raise typer.Exit(run_query(question, asking, as_json=json))


def ask(
    question: Annotated[str | None, typer.Argument(show_default=False)] = None,
    interactive: Annotated[bool, typer.Option("-i", "--interactive", help="A conversation in the terminal.")] = False,
    home: o.Home = None,
    project: o.Project = None,
    profile: o.ProfileName = None,
    embedder: o.EmbedderName = None,
    top_k: o.TopK = None,
    min_sources: o.MinSources = None,
    graph: o.Graph = False,
    model: o.Model = None,
    base_url: o.BaseUrl = None,
    use_llm: o.UseLlm = False,
    act: o.Act = None,
    section: o.Section = None,
    chapter: o.Chapter = None,
    class_number: o.ClassNumber = None,
    subject: o.Subject = None,
    language: o.Language = None,
    document: o.Document = None,
    as_of: o.AsOf = None,
    style: o.Style = None,
    strip: o.Strip = False,
    verbose: o.Verbose = False,
    json: o.Json = False,
    legacy_exit: o.LegacyExit = False,
) -> None:
    """Answer a question with verified citations, or refuse it."""
    from footnotary.cli.asking import Asking, desk_for
    from footnotary.cli.conversation import converse
    from footnotary.cli.outcome import show_outcome
    from footnotary.errors import UsageError

    asking = Asking(
        home, project, profile, embedder, top_k, min_sources, graph, model, base_url, use_llm,
        act, section, chapter, class_number, subject, language, document, as_of,
    )  # fmt: skip
    if interactive:
        raise typer.Exit(converse(asking, question, style=style, verbose=verbose, strip=strip))
    if not question or not question.strip():
        raise UsageError("there is no question", hint='footnotary ask "What is cheating?", or -i for a conversation')
    with desk_for(asking) as desk:
        given = desk.ask(question)
        code = show_outcome(
            given.outcome, desk.engine, style=style, as_json=json, verbose=verbose, strip=strip,
            answer_id=given.answer_id,
        )  # fmt: skip
    raise typer.Exit(legacy(code) if legacy_exit else code)


def synthesize(
    question: Annotated[str | None, typer.Argument(show_default=False)] = None,
    batch: Annotated[
        Path | None, typer.Option("--batch", help="File of questions: a line each, or JSONL.", show_default=False)
    ] = None,
    home: o.Home = None,
    project: o.Project = None,
    profile: o.ProfileName = None,
    embedder: o.EmbedderName = None,
    top_k: o.TopK = None,
    min_sources: o.MinSources = None,
    graph: o.Graph = False,
    model: o.Model = None,
    base_url: o.BaseUrl = None,
    use_llm: o.UseLlm = False,
    act: o.Act = None,
    section: o.Section = None,
    chapter: o.Chapter = None,
    class_number: o.ClassNumber = None,
    subject: o.Subject = None,
    language: o.Language = None,
    document: o.Document = None,
    as_of: o.AsOf = None,
    verbose: o.Verbose = False,
    json: o.Json = False,
    legacy_exit: o.LegacyExit = False,
) -> None:
    """Answer from several sources, with the coverage of every claim; many questions with --batch."""
    from footnotary.cli.asking import Asking
    from footnotary.cli.synthesize import run_batch, run_synthesis

    asking = Asking(
        home, project, profile, embedder, top_k, min_sources, graph, model, base_url, use_llm,
        act, section, chapter, class_number, subject, language, document, as_of,
    )  # fmt: skip
    if batch is not None:
        code = run_batch(batch, asking, as_json=json)
    else:
        code = run_synthesis(question, asking, as_json=json, verbose=verbose)
    raise typer.Exit(legacy(code) if legacy_exit else code)


def verify(
    answer_file: Annotated[Path, typer.Option("--answer-file", help="Plain text, or what `ask --json` printed.")],
    chunks_file: Annotated[Path, typer.Option("--chunks-file", help="Chunks, or what `query --json` printed.")],
    profile: o.ProfileName = None,
    verbose: o.Verbose = False,
    json: o.Json = False,
    legacy_exit: o.LegacyExit = False,
) -> None:
    """Check any answer against any passages; exit 4 where the contract is violated."""
    from footnotary.cli.verify import run_verify

    code = run_verify(answer_file, chunks_file, profile=profile, as_json=json, verbose=verbose)
    raise typer.Exit(legacy(code) if legacy_exit else code)


def show(
    cited: Annotated[str, typer.Argument(help="The id in a citation, such as IPC_420_0.")],
    home: o.Home = None,
    project: o.Project = None,
    quote: Annotated[str | None, typer.Option("--quote", help="Only these words of it.", show_default=False)] = None,
    version: Annotated[
        str | None,
        typer.Option("--version", metavar="SHA256", help="As that version of the document says.", show_default=False),
    ] = None,
    image: Annotated[
        Path | None, typer.Option("--image", help="Draw the page with the words marked, as PNG.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Print what a citation points at: its text, page, offsets and file, also where it has since been replaced."""
    from footnotary.cli.show import run_show

    raise typer.Exit(
        run_show(cited, home=home, project=project, quote=quote, version=version, image=image, as_json=json)
    )
