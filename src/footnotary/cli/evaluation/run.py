"""`eval run`: asks questions as a user would and measures the outcomes; outcomes of an earlier run are reused."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from footnotary.cli.evaluation.grounding import write_errors_as_usage
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.cli.progress import progress_counter
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.evaluate.answers.evaluation import AnswerEvaluation, AnswerProgressCallback, ProductIdentity
    from footnotary.evaluate.answers.question_runner import FailedQuestion, QuestionRunner
    from footnotary.evaluate.answers.recorded_outcome import RecordedOutcome
    from footnotary.evaluate.datasets.questions import Dataset, Question
    from footnotary.profiles.schema import Profile
    from footnotary.settings import Settings

CORPUS_FOLDER = "corpus"
_MAX_COLUMNS = 4
_SHOWN_METRICS = (
    "recall@5", "source_recall", "citation_precision", "citation_recall", "false_answer_rate", "false_refusal_rate",
    "answer_contained", "unsupported_claim_rate", "contract_escapes", "mean_ms",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EvalRunOptions:
    """The options of a run that select the configuration under test."""

    home: Path | None = None
    project: str | None = None
    profile: str | None = None
    embedder: str | None = None
    k: int | None = None
    model: str | None = None
    base_url: str | None = None


def run_evaluation(
    datasets: Sequence[Path],
    running: EvalRunOptions,
    *,
    form: str | None,
    out: Path | None,
    limit: int | None,
    jobs: int,
    price_in: float,
    price_out: float,
    further: Sequence[str],
    fail_under: Sequence[str],
    fail_over: Sequence[str],
    as_json: bool,
) -> ExitCode:
    """Asks, measures and reports; exit code 4 if a gate was missed, 1 if interrupted or a question failed."""
    from footnotary.evaluate.answers import ir_measures_ranking
    from footnotary.evaluate.answers.evaluation import measure_outcomes, summarize_results
    from footnotary.evaluate.answers.metrics import Prices
    from footnotary.evaluate.answers.question_runner import FailedQuestion
    from footnotary.evaluate.answers.report import evaluation_record, write_evaluation
    from footnotary.evaluate.answers.thresholds import failed_answer_gates, parse_answer_gate, require_known_datasets
    from footnotary.evaluate.datasets.readers import read_dataset
    from footnotary.profiles.load import load_profile
    from footnotary.profiles.overrides import override_profile
    from footnotary.settings import load_settings

    if further and not ir_measures_ranking.is_available():
        raise UsageError("--measure needs ir-measures", hint="pip install 'footnotary[eval]'")
    if further:
        ir_measures_ranking.require_measures(further)
    gates = [parse_answer_gate(text, "under", further) for text in fail_under]
    gates += [parse_answer_gate(text, "over") for text in fail_over]
    given = [read_dataset(path, form).first(limit) for path in datasets]
    _require_unique_names(given)
    require_known_datasets(gates, [dataset.name for dataset in given])
    settings = load_settings(
        {
            "home": running.home, "project": running.project, "profile": running.profile,
            "embedder": running.embedder, "model": running.model, "base_url": running.base_url,
        }
    )  # fmt: skip
    profile = override_profile(load_profile(settings.profile), k=running.k)
    product = describe_product(settings, profile)
    outcomes: list[tuple[Question, RecordedOutcome | FailedQuestion]] = []
    with progress_counter("questions") as step:
        try:
            for dataset in given:
                outcomes += _ask_dataset(dataset, settings, profile, product, out, jobs, step)
        except KeyboardInterrupt:
            on = "run the same command to continue" if out else "use --out to make a run resumable"
            note(f"interrupted after {len(outcomes)} questions of completed datasets; {on}")
            return ExitCode.FAILURE
    rows = measure_outcomes(outcomes, Prices(price_in, price_out), further)
    found = summarize_results(rows, product, further)
    missed = failed_answer_gates(found, gates)
    unread = sum(question.reviewed is False for question, _ in outcomes)
    about = {"limit": limit, "not_reviewed": unread, "top_k": profile.retrieval.k}
    if out is not None:
        with write_errors_as_usage(out):
            write_evaluation(out, found, about)
    if as_json:
        print_json(evaluation_record(found, about) | {"gates_missed": missed})
    else:
        show_answers(found)
    if out is not None:
        note(f"report: {out / 'report.html'}")
    if unread:
        note(f"{unread} of {len(outcomes)} questions were made by `eval make` and are not reviewed yet")
    failed = [one for _, one in outcomes if isinstance(one, FailedQuestion)]
    if failed:
        note(f"failed: {len(failed)} questions; first error: {failed[0].error}")
    for text in missed:
        note(f"gate missed: {text}")
    if missed:
        return ExitCode.VIOLATION
    return ExitCode.FAILURE if failed else ExitCode.OK


def describe_product(settings: Settings, profile: Profile) -> ProductIdentity:
    """The configuration under test, by the names of its parts."""
    from footnotary import __version__
    from footnotary.evaluate.answers.evaluation import ProductIdentity
    from footnotary.wiring import open_embedder, open_generator, verifier_names

    names = verifier_names(profile, settings)
    generator = open_generator(settings, profile).name
    embedder = open_embedder(settings.embedder).name
    return ProductIdentity(
        __version__, profile.name, profile.digest, generator, embedder, names["verifier"], names["answerability"]
    )


def _ask_dataset(
    dataset: Dataset,
    settings: Settings,
    profile: Profile,
    product: ProductIdentity,
    out: Path | None,
    jobs: int,
    step: AnswerProgressCallback | None,
) -> list[tuple[Question, RecordedOutcome | FailedQuestion]]:
    from footnotary.evaluate.answers.evaluation import run_questions
    from footnotary.evaluate.answers.resumable_outcomes import open_outcome_file

    with _open_session(dataset, settings, profile, out) as (session, asked, index):
        name = f"project {session.scope.project}"
        path = out and out / f"outcomes-{_file_name(dataset.name)}.jsonl"
        with open_outcome_file(path, product.identity(index, name)) as kept:
            failed = run_questions(asked.questions, kept, session, jobs=jobs, step=step)
            return [(q, failed[q.id] if q.id in failed else kept[q]) for q in asked.questions]


@contextmanager
def _open_session(
    dataset: Dataset, settings: Settings, profile: Profile, out: Path | None
) -> Generator[tuple[QuestionRunner, Dataset, str]]:
    """The engine and project to ask: the user's project, or one built from the passages in the dataset."""
    from footnotary.domain.query import Scope
    from footnotary.evaluate.answers.dataset_project import ingest_passages, with_project_ids
    from footnotary.evaluate.answers.question_runner import QuestionRunner, product_verifier
    from footnotary.evaluate.answers.token_usage import ModelUsage, UsageCountingModel
    from footnotary.generate.chat.generator import ChatGenerator
    from footnotary.wiring import open_model, open_verifier_for, opened

    with ExitStack() as stack:
        home = settings.home
        if dataset.passages:
            home = out / CORPUS_FOLDER if out else Path(stack.enter_context(TemporaryDirectory()))
            dataset = with_project_ids(dataset)
        open_ = stack.enter_context(opened(replace(settings, home=home), profile))
        project = settings.project
        if dataset.passages:
            project = ingest_passages(dataset, open_.corpus, home / "passages" / _file_name(dataset.name))
        engine, spent = open_.engine, ModelUsage
        model = open_model(settings, profile)
        if model is not None:
            metered = UsageCountingModel(model)
            engine, spent = replace(engine, generator=ChatGenerator(metered, profile)), metered.spent
        known = project in open_.store.projects()
        if not known:
            raise UsageError(
                f"there is no project {project!r}", hint="ingest documents first, or name a project with -p"
            )
        index = open_.store.index_digest(project)
        supports = product_verifier(profile, open_verifier_for(profile, settings))
        yield QuestionRunner(engine, Scope(project, settings.tenant), supports, spent), dataset, index


def show_answers(found: AnswerEvaluation) -> None:
    """Prints the table: datasets, their tags indented, and the total."""
    from footnotary.evaluate.answers.metrics import measure_of
    from footnotary.evaluate.answers.summary import format_measure, shown_parts, summary_line

    say(summary_line(found))
    names = [name for name in _SHOWN_METRICS if found.whole.estimates[name].value is not None]
    parts = list(shown_parts(found))
    labels = [f"  {part.tag}" if part.tag else part.dataset for part in parts]
    if len(parts) > _MAX_COLUMNS:  # one part per row, without the intervals
        rows = [["", "questions", *names]]
        for label, part in zip(labels, parts, strict=True):
            rows.append(
                [label, f"{part.questions:,}", *(format_measure(part, name).partition(" (")[0] for name in names)]
            )
    else:
        rows = [["", *labels], ["questions", *(f"{part.questions:,}" for part in parts)]]
        rows += [[measure_of(name).title, *(format_measure(part, name) for part in parts)] for name in names]
    show_table(rows)


def show_table(rows: Sequence[Sequence[str]]) -> None:
    """Prints aligned columns, the first left-aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        say("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())


def _require_unique_names(given: Sequence[Dataset]) -> None:
    names = [dataset.name for dataset in given]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two datasets have the same name {twice!r}", hint="rename one of the files")


def _file_name(name: str) -> str:
    """The name made safe for use in a file name."""
    return "".join(char if char.isalnum() or char in "-_" else "_" for char in name)[:80]
