"""The `footnotary` command: every subcommand's options, each a few lines over the engine."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary import __version__
from footnotary.cli import options as o
from footnotary.cli.exits import Exit, errors_end_the_command, legacy

app = typer.Typer(
    name="footnotary",
    help="Answers from your documents only: every sentence cited and verified, or refused.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
profiles = typer.Typer(help="Show and check policy profiles.", no_args_is_help=True)
app.add_typer(profiles, name="profile")
documents = typer.Typer(help="List, show and delete the documents of a project.", no_args_is_help=True)
app.add_typer(documents, name="documents")

keys = typer.Typer(help="Make, list and revoke the service's API keys.", no_args_is_help=True)
app.add_typer(keys, name="keys")

audit = typer.Typer(help="The records of all outcomes, and proofs of them.", no_args_is_help=True)
app.add_typer(audit, name="audit")

evaluations = typer.Typer(help="Measure the product on labelled data.", no_args_is_help=True)
app.add_typer(evaluations, name="eval")


def main() -> None:
    """The console script."""
    with errors_end_the_command():
        app()


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        print(f"footnotary {__version__}")
        raise typer.Exit


@app.command()
def demo(home: o.Home = None) -> None:
    """Index the bundled corpus, ask it in every profile, and be refused once."""
    from footnotary.cli.demo import run_demo

    raise typer.Exit(run_demo(home))


@app.command()
def ingest(
    paths: Annotated[
        list[Path], typer.Argument(help="Files, folders or zips: PDF, scans, DOCX, HTML, Markdown, text, JSONL.")
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


@app.command()
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


@app.command()
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
    from footnotary.cli.asking import Asking, desk_for, show
    from footnotary.cli.conversation import converse
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
        code = show(
            given.outcome, desk.engine, style=style, as_json=json, verbose=verbose, strip=strip,
            answer_id=given.answer_id,
        )  # fmt: skip
    raise typer.Exit(legacy(code) if legacy_exit else code)


@app.command()
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


@app.command()
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


@app.command()
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


@app.command()
def calibrate(
    labelled: Annotated[list[Path], typer.Argument(help="Rows of claim, passages and label: .jsonl or .jsonl.gz.")],
    profile: o.ProfileName = None,
    risk: Annotated[
        float | None, typer.Option("--risk", help="Unsupported share accepted, such as 0.02.", show_default=False)
    ] = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", help="How sure, such as 0.95.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Profile to write, a .toml file.", show_default=False)
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Folder for the report and the scores.", show_default=False)
    ] = None,
    jobs: o.Jobs = 1,
    json: o.Json = False,
) -> None:
    """Choose the threshold that keeps a risk, on your own labelled answers; exit 3 where none does."""
    from footnotary.cli.calibrate import run_calibration

    raise typer.Exit(
        run_calibration(
            labelled, profile=profile, risk=risk, confidence=confidence, out=out, report=report, jobs=jobs, as_json=json
        )
    )


@app.command()
def conform(
    targets: Annotated[
        list[str],
        typer.Argument(help="engine, service, an address (http://localhost:8081/v1), or package.module:function."),
    ],
    family: Annotated[
        list[str] | None, typer.Option("--family", help="Only this family of cases; repeatable.", show_default=False)
    ] = None,
    cases: Annotated[
        Path | None, typer.Option("--cases", help="Cases of your own, a TOML file.", show_default=False)
    ] = None,
    profile: o.ProfileName = None,
    model: Annotated[str, typer.Option("--model", help="What an address is asked for as its model.")] = "guard",
    key: Annotated[
        list[str] | None,
        typer.Option("--key", help="Key for an address; a second one is another tenant's.", show_default=False),
    ] = None,
    refusal: Annotated[
        str | None, typer.Option("--refusal", help="Its text of refusal; learnt if not given.", show_default=False)
    ] = None,
    generator_port: Annotated[
        int, typer.Option("--generator-port", min=0, max=65535, help="Port of the scripted model; 0 takes a free one.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for conformance.md and .json.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Play scripted drafts through any answering system: a scorecard; exit 4 where it breaks the contract."""
    from footnotary.cli.conform import run_conform

    raise typer.Exit(
        run_conform(
            targets, cases=cases, families=family or [], profile=profile, model=model, keys=key or [], refusal=refusal,
            generator_port=generator_port, out=out, as_json=json,
        )
    )  # fmt: skip


@app.command()
def doctor(
    home: o.Home = None,
    embedder: o.EmbedderName = None,
    deep: Annotated[bool, typer.Option("--deep", help="Read every passage, vector and word of the index.")] = False,
    json: o.Json = False,
) -> None:
    """Check the installation, the weights and the index."""
    from footnotary.cli.doctor import run_doctor

    raise typer.Exit(run_doctor(home, embedder, deep=deep, as_json=json))


@app.command()
def migrate(
    to: Annotated[str, typer.Option("--to", help="embedded or qdrant: where documents are copied to.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    project: Annotated[
        str | None, typer.Option("--project", "-p", help="Only this project.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Copy documents from one store to the other, checked by counts and hashes; may be repeated."""
    from footnotary.cli.keeping import run_migrate

    raise typer.Exit(run_migrate(to, home, tenant, project, as_json=json))


@app.command()
def backup(
    into: Annotated[Path, typer.Argument(help="An empty folder, or one to be made.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Copy a tenant's documents and records into a folder, while everything goes on."""
    from footnotary.cli.keeping import run_backup

    raise typer.Exit(run_backup(into, home, tenant, as_json=json))


@app.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="What `backup` wrote.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Put a backup into a home where the tenant is not yet, and check every passage."""
    from footnotary.cli.keeping import run_restore

    raise typer.Exit(run_restore(backup, home, tenant, as_json=json))


@app.command()
def serve(
    home: o.Home = None,
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on.", show_default=False)] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Port to listen on (8081).", show_default=False)
    ] = None,
    embedder: o.EmbedderName = None,
    model: o.Model = None,
) -> None:
    """Run the HTTP service and the page: on this machine only, until a key was made."""
    from footnotary.cli.serve import run_serve

    raise typer.Exit(run_serve(home, host, port, embedder, model))


@app.command()
def mcp(
    http: Annotated[bool, typer.Option("--http", help="Over HTTP, at /mcp of the service, instead of stdio.")] = False,
    home: o.Home = None,
    project: o.Project = None,
    profile: o.ProfileName = None,
    embedder: o.EmbedderName = None,
    model: o.Model = None,
    host: Annotated[str | None, typer.Option("--host", help="With --http: address.", show_default=False)] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="With --http: port (8081).", show_default=False)
    ] = None,
) -> None:
    """Serve the tools of the Model Context Protocol: search, answer, verify, read a source."""
    from footnotary.cli.mcp import run_mcp

    given = {"home": home, "project": project, "profile": profile, "embedder": embedder, "model": model}
    raise typer.Exit(run_mcp({**given, "host": host, "port": port}, http=http))


@keys.command("create")
def keys_create(
    tenant: Annotated[str, typer.Option("--tenant", help="Whose documents it opens.")] = "local",
    role: Annotated[str, typer.Option("--role", help="reader, writer or admin.")] = "reader",
    name: Annotated[str, typer.Option("--name", help="What it is for, for the list.", show_default=False)] = "",
    days: Annotated[int | None, typer.Option("--days", min=1, help="Ends after so many.", show_default=False)] = None,
    home: o.Home = None,
    json: o.Json = False,
) -> None:
    """Make a key and print it, for the only time."""
    from footnotary.cli.keys import create_key

    raise typer.Exit(create_key(home, tenant, role, name, days, as_json=json))


@keys.command("list")
def keys_list(home: o.Home = None, json: o.Json = False) -> None:
    """Every key there ever was, without its secret."""
    from footnotary.cli.keys import list_keys

    raise typer.Exit(list_keys(home, as_json=json))


@keys.command("revoke")
def keys_revoke(key: Annotated[str, typer.Argument(help="Its id.")], home: o.Home = None, json: o.Json = False) -> None:
    """End a key; a service that runs refuses it from the next request on."""
    from footnotary.cli.keys import revoke_key

    raise typer.Exit(revoke_key(home, key, as_json=json))


@documents.command("list")
def documents_list(home: o.Home = None, project: o.Project = None, json: o.Json = False) -> None:
    """The documents of a project."""
    from footnotary.cli.documents import list_documents

    raise typer.Exit(list_documents(home, project, as_json=json))


@documents.command("show")
def documents_show(document: str, home: o.Home = None, project: o.Project = None, json: o.Json = False) -> None:
    """A document, its versions, when it holds, and the ids its passages are cited by."""
    from footnotary.cli.documents import show_document

    raise typer.Exit(show_document(document, home, project, as_json=json))


@documents.command("delete")
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
    from footnotary.cli.documents import delete_document

    raise typer.Exit(delete_document(document, home, project, keep_history=keep_history, as_json=json))


@evaluations.command("grounding")
def eval_grounding(
    datasets: Annotated[list[Path], typer.Argument(help="Labelled rows, .jsonl or .jsonl.gz, or folders of them.")],
    profile: o.ProfileName = None,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", min=0.0, max=1.0, help="In place of the profile's own.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the report and the scores.", show_default=False)
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many rows of each file.", show_default=False)
    ] = None,
    jobs: o.Jobs = 1,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", help="[DATASET:]MEASURE=LEAST; exit 4 where missed.", show_default=False),
    ] = None,
    json: o.Json = False,
) -> None:
    """Judge labelled claims as the product does, and measure it per dataset and task."""
    from footnotary.cli.evaluation import run_grounding

    raise typer.Exit(
        run_grounding(
            datasets, profile=profile, threshold=threshold, out=out, limit=limit, jobs=jobs,
            fail_under=fail_under or (), as_json=json,
        )
    )  # fmt: skip


@evaluations.command("run")
def eval_run(
    datasets: Annotated[list[Path], typer.Argument(help="Questions: .jsonl, SQuAD, RAGAS, or a folder of BEIR, TREC.")],
    home: o.Home = None,
    project: o.Project = None,
    profile: o.ProfileName = None,
    embedder: o.EmbedderName = None,
    top_k: o.TopK = None,
    model: o.Model = None,
    base_url: o.BaseUrl = None,
    form: Annotated[
        str | None,
        typer.Option("--form", help="rows, beir, squad, trec-rag, ragas or legal-seed.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the report and the outcomes.", show_default=False)
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="At most so many of each dataset.", show_default=False)
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Questions asked at once.")] = 1,
    price_in: Annotated[float, typer.Option("--price-in", min=0.0, help="Of a million tokens sent.")] = 0.0,
    price_out: Annotated[float, typer.Option("--price-out", min=0.0, help="Of a million tokens received.")] = 0.0,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", help="A further measure of ir-measures, such as RR@10.", show_default=False),
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", help="[DATASET:]MEASURE=LEAST; exit 4 where missed.", show_default=False),
    ] = None,
    fail_over: Annotated[
        list[str] | None,
        typer.Option("--fail-over", help="[DATASET:]MEASURE=MOST; exit 4 where exceeded.", show_default=False),
    ] = None,
    json: o.Json = False,
) -> None:
    """Ask the questions of datasets, and measure retrieval, citations, answers, refusals and time."""
    from footnotary.cli.evaluation_run import Running, run_evaluation

    raise typer.Exit(
        run_evaluation(
            datasets, Running(home, project, profile, embedder, top_k, model, base_url),
            form=form, out=out, limit=limit, jobs=jobs, price_in=price_in, price_out=price_out,
            further=measure or (), fail_under=fail_under or (), fail_over=fail_over or (), as_json=json,
        )
    )  # fmt: skip


@evaluations.command("compare")
def eval_compare(
    first: Annotated[Path, typer.Argument(help="Folder of a run, as given to `eval run --out`.")],
    second: Annotated[Path, typer.Argument(help="Folder of another run on the same questions.")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the report.", show_default=False)] = None,
    fail_worse: Annotated[
        list[str] | None,
        typer.Option("--fail-worse", help="MEASURE; exit 4 where the second is clearly worse.", show_default=False),
    ] = None,
    json: o.Json = False,
) -> None:
    """Compare two runs question by question, with intervals of what changed."""
    from footnotary.cli.evaluation_compare import run_comparison

    raise typer.Exit(run_comparison(first, second, out=out, fail_worse=fail_worse or (), as_json=json))


@evaluations.command("make")
def eval_make(
    out: Annotated[Path, typer.Option("--out", help="Folder for the questions, claims and the review.")],
    home: o.Home = None,
    project: o.Project = None,
    per_kind: Annotated[int, typer.Option("--per-kind", "-n", min=1, max=10_000, help="So many of each kind.")] = 25,
    json: o.Json = False,
) -> None:
    """Make an evaluation set from a project's documents, without a model, for you to review."""
    from footnotary.cli.evaluation_make import run_making

    raise typer.Exit(run_making(out, home=home, project=project, per_kind=per_kind, as_json=json))


@audit.command("list")
def audit_list(
    home: o.Home = None,
    tenant: o.Tenant = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100_000, help="So many of the latest.")] = 50,
    json: o.Json = False,
) -> None:
    """The latest records: number, time, answer id, outcome, question."""
    from footnotary.cli.audit import list_records

    raise typer.Exit(list_records(home, tenant, limit=limit, as_json=json))


@audit.command("show")
def audit_show(
    answer: Annotated[str, typer.Argument(help="An answer's id, or a record's number.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """One record, and what was kept of the outcome."""
    from footnotary.cli.audit import show_record

    raise typer.Exit(show_record(answer, home, tenant, as_json=json))


@audit.command("verify")
def audit_verify(
    home: o.Home = None,
    tenant: o.Tenant = None,
    key: o.PublicKeyFile = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", help="NUMBER:HASH or a bundle that must be in the log.", show_default=False),
    ] = None,
    json: o.Json = False,
) -> None:
    """Whether the log is as it was written; exit 4 and the first bad record where it is not."""
    from footnotary.cli.audit import verify_log

    raise typer.Exit(verify_log(home, tenant, key_file=key, anchors=anchor or [], as_json=json))


@audit.command("head")
def audit_head(home: o.Home = None, tenant: o.Tenant = None) -> None:
    """The last record as NUMBER:HASH, an anchor to keep elsewhere."""
    from footnotary.cli.audit import show_head

    raise typer.Exit(show_head(home, tenant))


@audit.command("key")
def audit_key(home: o.Home = None) -> None:
    """Print the public key that bundles and records are checked with."""
    from footnotary.cli.audit import show_key

    raise typer.Exit(show_key(home))


@audit.command("export")
def audit_export(
    answer: Annotated[str, typer.Argument(help="The answer's id.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    out: Annotated[Path | None, typer.Option("--out", help="File to write.", show_default=False)] = None,
) -> None:
    """Write the evidence bundle of an answer: everything it rests on, signed."""
    from footnotary.cli.audit import export_bundle

    raise typer.Exit(export_bundle(answer, home, tenant, out=out))


@audit.command("check")
def audit_check(
    bundle: Annotated[Path, typer.Argument(help="What `audit export` wrote.")],
    home: o.Home = None,
    key: o.PublicKeyFile = None,
    json: o.Json = False,
) -> None:
    """Check a bundle offline with the public key alone; exit 4 and what failed where it does not hold."""
    from footnotary.cli.audit import check_bundle

    raise typer.Exit(check_bundle(bundle, home, key_file=key, as_json=json))


@audit.command("replay")
def audit_replay(
    bundle: Annotated[Path, typer.Argument(help="What `audit export` wrote.")],
    home: o.Home = None,
    key: o.PublicKeyFile = None,
    json: o.Json = False,
) -> None:
    """Derive the outcome of a bundle again, bit for bit, from the recorded evidence and model output."""
    from footnotary.cli.audit import replay_bundle

    raise typer.Exit(replay_bundle(bundle, home, key_file=key, as_json=json))


@audit.command("feedback")
def audit_feedback(home: o.Home = None, tenant: o.Tenant = None) -> None:
    """Print what people judged as rows of evaluation data, JSONL."""
    from footnotary.cli.audit import export_feedback

    raise typer.Exit(export_feedback(home, tenant))


@audit.command("accept-loss")
def audit_accept_loss(home: o.Home = None, tenant: o.Tenant = None) -> None:
    """Go on with a log that lost records; the loss is recorded for good."""
    from footnotary.cli.audit import accept_loss

    raise typer.Exit(accept_loss(home, tenant))


@profiles.command("list")
def profile_list() -> None:
    """The profiles that come with Footnotary."""
    from footnotary.cli.profile import list_profiles

    list_profiles()


@profiles.command("show")
def profile_show(name: str, json: o.Json = False) -> None:
    """A profile with everything it inherits, and its digest."""
    from footnotary.cli.profile import show_profile

    show_profile(name, as_json=json)


@profiles.command("check")
def profile_check(path: Path) -> None:
    """Whether a profile of yours loads and keeps the contract."""
    from footnotary.cli.profile import show_profile

    show_profile(str(path), as_json=False, brief=True)
    raise typer.Exit(Exit.OK)


if __name__ == "__main__":
    main()
