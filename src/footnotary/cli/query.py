"""`query`: retrieval without an answer."""

from footnotary.cli.ask_options import AskOptions
from footnotary.cli.exits import Exit
from footnotary.cli.sessions import engine_for
from footnotary.cli.terminal import emit_json, note, say
from footnotary.errors import UnknownProject


def run_query(question: str, options: AskOptions, *, as_json: bool) -> Exit:
    """Prints the passages found; exit code 3 if there are none."""
    from footnotary.render.record import evidence_record

    with engine_for(options) as (engine, scope):
        known = engine.store.projects()
        if scope.project not in known:
            raise UnknownProject(
                f"there is no project {scope.project!r}",
                hint=f"choose from {', '.join(known)}" if known else "index documents first: footnotary ingest PATH",
            )
        evidence = engine.search(question, scope)
    if as_json:
        emit_json(evidence_record(evidence))
    else:
        for hit in evidence.hits:
            say(f"{hit.score:.2f}  [{hit.chunk.id}]  {' '.join(hit.chunk.text.split())[:200]}")
        if not evidence.hits:
            note("no passages found")
    return Exit.OK if evidence.hits else Exit.REFUSED
