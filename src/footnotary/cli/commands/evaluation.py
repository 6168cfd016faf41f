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
    from footnotary.cli.evaluation.run import EvalRunOptions, run_evaluation

    raise typer.Exit(
        run_evaluation(
            datasets, EvalRunOptions(home, project, profile, embedder, top_k, model, base_url),
            form=form, out=out, limit=limit, jobs=jobs, price_in=price_in, price_out=price_out,
            further=measure or (), fail_under=fail_under or (), fail_over=fail_over or (), as_json=json,
        )
    )  # fmt: skip


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
    from footnotary.cli.evaluation.compare import run_comparison

    raise typer.Exit(run_comparison(first, second, out=out, fail_worse=fail_worse or (), as_json=json))


def eval_make(
    out: Annotated[Path, typer.Option("--out", help="Folder for the questions, claims and the review.")],
    home: o.Home = None,
    project: o.Project = None,
    per_kind: Annotated[int, typer.Option("--per-kind", "-n", min=1, max=10_000, help="So many of each kind.")] = 25,
    json: o.Json = False,
) -> None:
    """Make an evaluation set from a project's documents, without a model, for you to review."""
    from footnotary.cli.evaluation.generate_dataset import run_make

    raise typer.Exit(run_make(out, home=home, project=project, per_kind=per_kind, as_json=json))


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
    from footnotary.cli.evaluation.calibrate import run_calibration

    raise typer.Exit(
        run_calibration(
            labelled, profile=profile, risk=risk, confidence=confidence, out=out, report=report, jobs=jobs, as_json=json
        )
    )


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
    from footnotary.cli.evaluation.conform import run_conform

    raise typer.Exit(
        run_conform(
            targets, cases=cases, families=family or [], profile=profile, model=model, keys=key or [], refusal=refusal,
            generator_port=generator_port, out=out, as_json=json,
        )
    )  # fmt: skip
