"""`eval make`: builds an evaluation set from the user's own corpus by rule, for human review."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from footnotary.cli.evaluation import written
from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, note, say
from footnotary.errors import UnknownProject


def run_making(out: Path, *, home: Path | None, project: str | None, per_kind: int, as_json: bool) -> Exit:
    """Writes questions.jsonl, claims.jsonl and REVIEW.md; exit code 1 if no question could be made."""
    from footnotary.evaluate.made_claims import corrupted_claims
    from footnotary.evaluate.made_questions import made_questions
    from footnotary.evaluate.review import CLAIMS, QUESTIONS, REVIEW, write_made
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
    questions, claims = made_questions(chunks, per_kind), corrupted_claims(chunks, per_kind)
    with written(out):
        reviewed = write_made(out, questions, claims)
    kinds = Counter(made.kind for made in questions)
    tasks = Counter(made.task for made in claims)
    if as_json:
        emit_json({"passages": len(chunks), "questions": kinds, "claims": tasks, "reviewed_before": reviewed})
    else:
        say(f"{len(chunks):,} passages in project {settings.project}")
        say(f"questions: {', '.join(f'{kind} {count}' for kind, count in kinds.items()) or 'none'}")
        say(f"claims: {', '.join(f'{task} {count}' for task, count in tasks.items()) or 'none'}")
    if reviewed:
        note(f"{reviewed} rows that were already reviewed are unchanged")
    note(f"next: review {out / REVIEW}, then run footnotary eval run {out / QUESTIONS}, eval grounding {out / CLAIMS}")
    return Exit.OK if questions else Exit.FAILURE
