"""The options of the commands that measure: `eval`, `calibrate` and `conform`."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o


def eval_grounding(
    datasets: Annotated[list[Path], typer.Argument(help="Labelled rows, .jsonl or .jsonl.gz, or folders of them.")],
    profile: o.ProfileName = None,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", min=0.0, max=1.0, help="Instead of the profile's threshold.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the report and the scores.", show_default=False)
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most N rows of each file.", show_default=False)
    ] = None,
    jobs: o.Jobs = 1,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", help="[DATASET:]MEASURE=MINIMUM; exit 4 if below.", show_default=False),
    ] = None,
    json: o.Json = False,
) -> None:
    """Verify labelled claims as the product does, and report measures per dataset and task."""
    from footnotary.cli.evaluation.grounding import run_grounding

    raise typer.Exit(
        run_grounding(
            datasets, profile=profile, threshold=threshold, out=out, limit=limit, jobs=jobs,
            fail_under=fail_under or (), as_json=json,
        )
    )  # fmt: skip


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
        int | None,
        typer.Option("--limit", "-n", min=1, help="At most N questions of each dataset.", show_default=False),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Concurrent questions.")] = 1,
    price_in: Annotated[float, typer.Option("--price-in", min=0.0, help="Price of a million prompt tokens.")] = 0.0,
    price_out: Annotated[
        float, typer.Option("--price-out", min=0.0, help="Price of a million completion tokens.")
    ] = 0.0,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", help="An additional measure of ir-measures, such as RR@10.", show_default=False),
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", help="[DATASET:]MEASURE=MINIMUM; exit 4 if below.", show_default=False),
    ] = None,
    fail_over: Annotated[
        list[str] | None,
        typer.Option("--fail-over", help="[DATASET:]MEASURE=MAXIMUM; exit 4 if above.", show_default=False),
    ] = None,
    json: o.Json = False,
) -> None:
    """Ask the questions of datasets, and measure retrieval, citations, answers, refusals and time."""
    from footnotary.cli.evaluation.run import EvalRunOptions, run_evaluation

    raise typer.Exit(
        run_evaluation(
            datasets, EvalRunOptions(home, project, profile, embedder, top_k, model, base_url),
            form=form, out=out, limit=limit, jobs=jobs, price_in=price_in, price_out=price_out,
            further=measure or (), fail_under=fail_under or (), fail_over=fail_over or (), as_json=json,
        )
    )  # fmt: skip


def eval_compare(
    first: Annotated[Path, typer.Argument(help="Folder of a run: the `--out` of `eval run`.")],
    second: Annotated[Path, typer.Argument(help="Folder of another run on the same questions.")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the report.", show_default=False)] = None,
    fail_worse: Annotated[
        list[str] | None,
        typer.Option("--fail-worse", help="MEASURE; exit 4 if the second is significantly worse.", show_default=False),
    ] = None,
    json: o.Json = False,
) -> None:
    """Compare two runs question by question, with confidence intervals of the differences."""
    from footnotary.cli.evaluation.compare import run_comparison

    raise typer.Exit(run_comparison(first, second, out=out, fail_worse=fail_worse or (), as_json=json))


def eval_make(
    out: Annotated[Path, typer.Option("--out", help="Folder for the questions, claims and the review.")],
    home: o.Home = None,
    project: o.Project = None,
    per_kind: Annotated[
        int, typer.Option("--per-kind", "-n", min=1, max=10_000, help="Number of questions of each kind.")
    ] = 25,
    json: o.Json = False,
) -> None:
    """Generate an evaluation set from a project's documents, without a model, for you to review."""
    from footnotary.cli.evaluation.generate_dataset import run_make

    raise typer.Exit(run_make(out, home=home, project=project, per_kind=per_kind, as_json=json))


def calibrate(
    labelled: Annotated[
        list[Path] | None,
        typer.Argument(help="Rows of claim, passages and label: .jsonl or .jsonl.gz.", show_default=False),
    ] = None,
    questions: Annotated[
        list[Path] | None,
        typer.Option(
            "--questions",
            help="Rows of question, passages and answerable, instead: state how often the profile errs on them.",
            show_default=False,
        ),
    ] = None,
    endpoint: Annotated[
        Path | None,
        typer.Option(
            "--endpoint",
            metavar="FILE",
            help="Calibrate the model at verifier_url on both kinds of rows, and write this .json file.",
            show_default=False,
        ),
    ] = None,
    profile: o.ProfileName = None,
    risk: Annotated[
        float | None,
        typer.Option("--risk", help="Accepted share of unsupported claims, such as 0.02.", show_default=False),
    ] = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", help="Confidence level, such as 0.95.", show_default=False)
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
    """Choose the threshold that keeps a risk limit, on your own labelled answers; exit 3 if none does."""
    from footnotary.cli.evaluation.calibrate import run_calibration
    from footnotary.cli.evaluation.calibrate_answers import run_answer_calibration
    from footnotary.errors import UsageError

    if endpoint is not None:
        from footnotary.cli.evaluation.calibrate_endpoint import run_endpoint_calibration

        rows = [*(labelled or ()), *(questions or ())]
        raise typer.Exit(run_endpoint_calibration(endpoint, rows, profile=profile, report=report, as_json=json))
    if bool(labelled) == bool(questions):
        raise UsageError("give rows of claims, or questions with --questions", hint="calibrate one after the other")
    if questions:
        raise typer.Exit(run_answer_calibration(questions, profile=profile, out=out, as_json=json))
    raise typer.Exit(
        run_calibration(
            labelled or (),
            profile=profile,
            risk=risk,
            confidence=confidence,
            out=out,
            report=report,
            jobs=jobs,
            as_json=json,
        )
    )


def conform(
    targets: Annotated[
        list[str],
        typer.Argument(help="engine, service, a URL (http://localhost:8081/v1), or package.module:function."),
    ],
    family: Annotated[
        list[str] | None, typer.Option("--family", help="Only this family of cases; repeatable.", show_default=False)
    ] = None,
    cases: Annotated[
        Path | None, typer.Option("--cases", help="Cases of your own, a TOML file.", show_default=False)
    ] = None,
    profile: o.ProfileName = None,
    model: Annotated[str, typer.Option("--model", help="Model name to send to a URL.")] = "guard",
    key: Annotated[
        list[str] | None,
        typer.Option("--key", help="API key for a URL; a second one is that of another tenant.", show_default=False),
    ] = None,
    refusal: Annotated[
        str | None,
        typer.Option("--refusal", help="The target's refusal text; detected if not given.", show_default=False),
    ] = None,
    generator_port: Annotated[
        int, typer.Option("--generator-port", min=0, max=65535, help="Port of the scripted model; 0: any free port.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for conformance.md and .json.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Run scripted drafts through any answering system and print a scorecard; exit 4 on a contract violation."""
    from footnotary.cli.evaluation.conform import run_conform

    raise typer.Exit(
        run_conform(
            targets, cases=cases, families=family or [], profile=profile, model=model, keys=key or [], refusal=refusal,
            generator_port=generator_port, out=out, as_json=json,
        )
    )  # fmt: skip
