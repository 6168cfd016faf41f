"""`query`: retrieval only."""

from footnotary.cli.asking import Asking, engine_for
from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, note, say
from footnotary.errors import UnknownProject


def run_query(question: str, asking: Asking, *, as_json: bool) -> Exit:
    """Prints what was found; 3 where nothing was."""
    from footnotary.render.record import evidence_record

    with engine_for(asking) as (engine, scope):
        known = engine.store.projects()
        if scope.project not in known:
            raise UnknownProject(
                f"there is no project {scope.project!r}",
                hint=f"known are {', '.join(known)}" if known else "index something first: footnotary ingest PATH",
            )
        evidence = engine.search(question, scope)
    if as_json:
        emit_json(evidence_record(evidence))
    else:
        for hit in evidence.hits:
            say(f"{hit.score:.2f}  [{hit.chunk.id}]  {' '.join(hit.chunk.text.split())[:200]}")
        if not evidence.hits:
            note("nothing was found")
    return Exit.OK if evidence.hits else Exit.REFUSED
