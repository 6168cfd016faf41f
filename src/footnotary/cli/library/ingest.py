"""`ingest`: indexes documents, with a progress bar on a terminal and a report at the end."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import counted, note, print_json, say
from footnotary.cli.progress import progress_bars

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from footnotary.corpus import IngestReport, IngestStep
    from footnotary.domain.validity import Validity
    from footnotary.ports import StoredDocument

_MAX_NOTED, _MAX_NOTED_CHARACTERS = 5, 160
NO_VALUE = "none"  # removes a value given before, or overrides what the file says


def parse_validity_options(
    effective_from: str | None, effective_to: str | None, supersedes: Sequence[str] | None
) -> Validity:
    """The validity given by the options. Raises `UsageError`."""
    from footnotary.cli.dates import parse_day_option
    from footnotary.domain.validity import Validity
    from footnotary.errors import UsageError

    def day(option: str, text: str | None) -> date | None:
        return None if text is None or text.strip().lower() == NO_VALUE else parse_day_option(option, text)

    options = {"effective_from": effective_from, "effective_to": effective_to, "supersedes": supersedes or None}
    names = tuple(dict.fromkeys(name for name in supersedes or () if name.strip().lower() != NO_VALUE))
    try:
        return Validity(
            day("--effective-from", effective_from),
            day("--effective-to", effective_to),
            names,
            frozenset(name for name, value in options.items() if value is not None),
        )
    except ValueError as error:
        raise UsageError(str(error), hint="the last day must not be before the first") from None


def run_ingest(
    paths: Sequence[str],
    *,
    home: Path | None,
    project: str | None,
    embedder: str | None,
    given: Validity,
    trust: Sequence[str] = (),
    as_json: bool,
) -> ExitCode:
    """Indexes and reports; exit code 1 if a document failed; all others are indexed anyway."""
    from footnotary.cli.library.web_download import is_url
    from footnotary.cli.library.web_ingest import ingest_url, merge_reports
    from footnotary.ingest.trust_rules import parse_trust_options, with_trust_rules
    from footnotary.settings import load_settings
    from footnotary.wiring import opened

    rules = parse_trust_options(trust)
    settings = load_settings({"home": home, "project": project, "embedder": embedder})
    with opened(settings) as open_, ingest_progress_bars() as progress:
        files = [Path(path) for path in paths if not is_url(path)]
        reports = [
            ingest_url(url, settings, open_, with_trust_rules(given, rules, url), progress)
            for url in paths
            if is_url(url)
        ]
        if files or not reports:
            reports.append(open_.corpus.ingest(files, settings.project, given=given, trust=rules, progress=progress))
        report = merge_reports(reports)
        documents = open_.store.documents(settings.project)
    if as_json:
        print_json(report_record(report))
    else:
        show_report(report, settings.project, sum(document.chunks for document in documents))
    _note_unknown_superseded(report, documents)
    if report.interrupted:
        note("interrupted: the documents listed are indexed; run the same command to continue")
        return ExitCode.FAILURE
    return ExitCode.FAILURE if report.failed else ExitCode.OK


def show_report(report: IngestReport, project: str, passages: int) -> None:
    """Prints the totals on standard output and the problems on standard error. `passages` is the number of passages in
    the project now."""
    counts = ", ".join(
        f"{len(entries)} {name}"
        for name, entries in (
            ("added", report.added),
            ("replaced", report.replaced),
            ("unchanged", report.unchanged),
            ("skipped", report.skipped),
            ("failed", report.failed),
        )
    )
    say(f"{counts}; {counted(passages, 'passage')} in project {project!r}, {report.seconds:.1f} s")
    for entry in (*report.unchanged, *report.replaced):
        if kept := entry.duplicate_of:
            note(f"same content: {entry.path} is stored as {kept}; ingest it again if {kept} changes or is deleted")
    for entry in (*report.added, *report.replaced):
        if entry.pages_without_text:
            note(f"{entry.path}: pages without text: {', '.join(map(str, entry.pages_without_text))}")
        for left_out in entry.left_out:
            note(f"{entry.path}: not read: {left_out}")
        note_flagged(entry.path, entry.flagged)
        for kind in entry.declared:
            note(f"{entry.path}: says of itself that it is {kind}; what is quoted from it is marked")
    for left in (*report.failed, *report.skipped):
        note(f"{left.path}: {left.reason}: {left.message}" + (f" ({left.hint})" if left.hint else ""))


def note_flagged(path: str, flagged: Sequence[str]) -> None:
    """Notes the sentences of a document that no answer is drafted from, the first few in full."""
    for text in flagged[:_MAX_NOTED]:
        shown = text if len(text) <= _MAX_NOTED_CHARACTERS else f"{text[:_MAX_NOTED_CHARACTERS]}…"
        note(f"{path}: flagged as an instruction to the model, no answer is drafted from it: {shown!r}")
    if len(flagged) > _MAX_NOTED:
        note(f"{path}: and {len(flagged) - _MAX_NOTED} more flagged sentences: footnotary documents show ID")


def _note_unknown_superseded(report: IngestReport, documents: Sequence[StoredDocument]) -> None:
    """Notes superseded ids that are not in the project: the document may have another id there."""
    taken = {entry.document_id for entry in (*report.added, *report.replaced)}
    known = {document.id for document in documents}
    for document in documents:
        for name in document.validity.supersedes:
            if document.id in taken and name not in known:
                note(f"{document.id} supersedes {name!r}, which is not in the project: see `footnotary documents list`")


def report_record(report: IngestReport) -> dict[str, Any]:
    """The report as JSON data."""
    return {**asdict(report), "chunks": report.chunks}


@contextmanager
def ingest_progress_bars() -> Generator[Callable[[IngestStep], None] | None]:
    """Progress bars for files and passages on a terminal; None elsewhere."""
    with progress_bars() as progress:
        if progress is None:
            yield None
            return
        files = progress.add_task("files")
        passages = progress.add_task("passages", total=None)

        def step(at: IngestStep) -> None:
            progress.update(files, total=at.total, completed=at.number - (at.stage != "done"))
            progress.update(passages, total=at.chunks_total or None, completed=at.chunks_done)

        yield step
