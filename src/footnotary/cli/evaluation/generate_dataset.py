"""`eval make`: builds an evaluation set from the user's own corpus by rule, for human review."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from footnotary.cli.evaluation.grounding import write_errors_as_usage
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import counted, note, print_json, say
from footnotary.errors import UnknownProject


def run_make(out: Path, *, home: Path | None, project: str | None, per_kind: int, as_json: bool) -> ExitCode:
    """Writes questions.jsonl, claims.jsonl and REVIEW.md; exit code 1 if no question could be made."""
    from footnotary.evaluate.datasets.corrupted_claims import corrupted_claims
    from footnotary.evaluate.datasets.generated_questions import generate_questions
    from footnotary.evaluate.datasets.review_files import CLAIMS_FILE, QUESTIONS_FILE, REVIEW_FILE, write_generated
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings, read_only=True) as store:
        if settings.project not in store.projects():
            raise UnknownProject(f"there is no project {settings.project!r}", hint="ingest documents first")
        chunks = [
            chunk
            for document in store.documents(settings.project)
            for chunk in store.chunks(settings.project, store.passage_ids(settings.project, document.id))
        ]
    questions, claims = generate_questions(chunks, per_kind), corrupted_claims(chunks, per_kind)
    with write_errors_as_usage(out):
        reviewed = write_generated(out, questions, claims)
    kinds = Counter(made.kind for made in questions)
    tasks = Counter(made.task for made in claims)
    if as_json:
        print_json({"passages": len(chunks), "questions": kinds, "claims": tasks, "reviewed_before": reviewed})
    else:
        say(f"{counted(len(chunks), 'passage')} in project {settings.project}")
        say(f"questions: {', '.join(f'{kind} {count}' for kind, count in kinds.items()) or 'none'}")
        say(f"claims: {', '.join(f'{task} {count}' for task, count in tasks.items()) or 'none'}")
    if reviewed:
        note(f"{reviewed} rows that were already reviewed are unchanged")
    note(
        f"next: review {out / REVIEW_FILE}, then run footnotary eval run {out / QUESTIONS_FILE}, "
        f"eval grounding {out / CLAIMS_FILE}"
    )
    return ExitCode.OK if questions else ExitCode.FAILURE
