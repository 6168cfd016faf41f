"""`query`: retrieval without an answer."""

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.cli.questions.ask_options import AskOptions
from footnotary.cli.questions.outcome_output import show_understanding
from footnotary.cli.questions.sessions import engine_for


def run_query(question: str, options: AskOptions, *, as_json: bool, verbose: bool = False) -> ExitCode:
    """Prints the passages found; exit code 3 if there are none. `verbose` says how the question was understood."""
    from footnotary.render.outcome_record import evidence_record

    with engine_for(options) as (engine, scope):
        evidence = engine.search(question, scope)
    if as_json:
        print_json(evidence_record(evidence))
    else:
        if verbose:
            show_understanding(evidence.query)
        for hit in evidence.hits:
            say(f"{hit.score:.2f}  [{hit.chunk.id}]  {' '.join(hit.chunk.text.split())[:200]}")
        if not evidence.hits:
            note("no passages found")
    return ExitCode.OK if evidence.hits else ExitCode.REFUSED
