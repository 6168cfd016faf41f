"""Prints an outcome: the answer with its sources, or the refusal with what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, get_args

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from footnotary.domain.outcome import Answer, Outcome, Refusal, RejectedDraft
    from footnotary.domain.query import Query
    from footnotary.domain.validity import ValidityStatus
    from footnotary.engine import Engine
    from footnotary.profiles.schema import MarkerStyle, Profile

_MARKS = {
    "injection": "it is an instruction to the model",
    "fiction": "the source calls itself fiction",
    "hypothetical": "the source calls it hypothetical",
    "superseded": "the source says that it is superseded",
}


def show_outcome(
    outcome: Outcome,
    engine: Engine,
    *,
    style: str | None = None,
    as_json: bool = False,
    verbose: bool = False,
    strip: bool = False,
    answer_id: str | None = None,
) -> ExitCode:
    """Prints an outcome and returns its exit code; `answer_id` is the id of its audit record."""
    from footnotary.app.suggested_questions import suggested_questions
    from footnotary.domain.outcome import Answer
    from footnotary.render.outcome_record import outcome_record

    marker_style = _citation_style(style, engine.profile)
    questions = suggested_questions(engine, outcome)
    if as_json:
        level = engine.profile.presentation.show_reading_level
        record = outcome_record(outcome, marker_style, strip=strip, reading_level=level)
        if questions:
            record["needed"]["questions"] = list(questions)
        print_json(record | ({"answer_id": answer_id} if answer_id else {}))
    elif isinstance(outcome, Answer):
        _show_answer(outcome, engine, marker_style, strip=strip)
        if outcome.quoted:
            note("quoted from the sources: the model's draft did not pass the checks and was not delivered")
        _show_not_in_force(outcome)
        for conflict in outcome.conflicts:
            note(f"sources disagree: [{conflict.id_a}] {conflict.value_a}, [{conflict.id_b}] {conflict.value_b}")
    else:
        _show_refusal(outcome, questions, verbose=verbose)
        if engine.profile.versions.in_force == "require":
            note(f"searched: documents in force on {outcome.query.scope.as_of}")
    if verbose and not as_json:
        show_understanding(outcome.query)
        _show_checks(outcome)
        if answer_id:
            note(f"audit record: footnotary audit show {answer_id}")
    return ExitCode.OK if isinstance(outcome, Answer) else ExitCode.REFUSED


def show_understanding(query: Query) -> None:
    """Notes the document that a question names and its parts, where it has them."""
    if query.named is not None:
        found = ", ".join(query.named.ids) or "no document of that name"
        note(f"named document: {query.named.phrase} ({found})")
        if query.named.asks:
            note(f"read as: {query.named.asks}")
    if len(query.facets) > 1:
        for number, facet in enumerate(query.facets, 1):
            note(f"part {number}: {facet.text}")


def _citation_style(name: str | None, profile: Profile) -> MarkerStyle:
    from footnotary.errors import UsageError
    from footnotary.profiles.schema import MarkerStyle

    if name is None:
        return profile.presentation.style
    if name not in get_args(MarkerStyle):
        raise UsageError(f"unknown citation style {name!r}", hint=f"choose from {', '.join(get_args(MarkerStyle))}")
    return cast("MarkerStyle", name)


def _show_answer(answer: Answer, engine: Engine, style: MarkerStyle, *, strip: bool) -> None:
    from footnotary.render.answer_text import render, text_without_markers
    from footnotary.render.citation_styles import source_names
    from footnotary.render.reading_level import reading_grade

    if strip:
        say(text_without_markers(answer))
        return
    rendered = render(answer, style)
    say(rendered.text)
    if not rendered.sources:
        say()
        for cited, name in source_names(answer).items():
            say(f"  [{cited}] {name}")
    if engine.profile.presentation.show_reading_level:
        grade = reading_grade(answer.text)
        if grade is not None:
            asked = answer.query.scope.filters.class_number
            note(f"reading level: grade {grade}" + (f", requested class {asked}" if asked is not None else ""))


def _show_not_in_force(answer: Answer) -> None:
    """Notes every source that is not in force, and why, and how far each is trusted if that was said."""
    for citation in answer.citations:
        for mark in citation.marks:
            note(f"[{citation.id}] is not stated as fact: {_MARKS[mark]}")
    for hit in answer.sources:
        if hit.standing is not None and hit.standing.validity.trust is not None:
            note(f"[{hit.chunk.id}] trust: {hit.standing.validity.trust}")
        if hit.standing is not None and not hit.standing.in_force:
            note(f"[{hit.chunk.id}] is not in force on {answer.query.scope.as_of}: {_validity_text(hit.standing)}")


def _validity_text(standing: ValidityStatus) -> str:
    if standing.superseded_by:
        return f"superseded by {', '.join(standing.superseded_by)}"
    validity = standing.validity
    return f"effective from {validity.effective_from or 'the beginning'} to {validity.effective_to or 'further notice'}"


def _show_refusal(refusal: Refusal, questions: Sequence[str], *, verbose: bool) -> None:
    from footnotary.render.refusal_explanation import explain_refusal
    from footnotary.render.verdict_text import verdict_text

    explained = explain_refusal(refusal)
    say(refusal.message)
    note(explained.sentence)
    if questions:
        note(f"you can ask: {' · '.join(questions)}")
    for number, (cited, name) in enumerate(explained.nearest):
        note(f"{'nearest passages:' if number == 0 else '                 '} {name} ({cited})")
    note(f"refused: {refusal.reason.value}")
    if verbose:
        note(f"missing: {refusal.needed.facet}")
        for verdict in refusal.verdicts:
            if verdict.status != "pass":
                note(f"because: {verdict_text(verdict)}")


def _show_rejected(rejected: RejectedDraft) -> None:
    """What the model drafted instead, and which checks rejected it."""
    from footnotary.render.verdict_text import verdict_text

    said = " ".join(claim.text for claim in rejected.draft.claims) or rejected.draft.raw.strip() or "nothing"
    say(f"\nrejected draft of {rejected.draft.generator}: {said}")
    for verdict in rejected.failed:
        say(f"✗ {verdict.check} ({verdict.reason})  {verdict_text(verdict)}".rstrip())


def _show_checks(outcome: Outcome) -> None:
    from footnotary.domain.outcome import Answer
    from footnotary.render.verdict_text import verdict_text

    marks = {"pass": "✓", "fail": "✗", "skip": "?"}
    say()
    for verdict in outcome.verdicts:
        say(f"{marks[verdict.status]} {verdict.check}  {verdict_text(verdict)}".rstrip())
    if isinstance(outcome, Answer):
        if outcome.rejected is not None:
            _show_rejected(outcome.rejected)
        for number, claim in enumerate(outcome.claims, 1):
            say(f"\nclaim {number}: {claim.text}")
            for citation in (c for c in outcome.citations if c.claim == number - 1):
                at = citation.source_span
                where = f" bytes {at.bytes.start}-{at.bytes.end}" if at and at.bytes else ""
                page = f" page {citation.page}" if citation.page is not None else ""
                say(f"  [{citation.id}] confidence {citation.confidence:.2f}  {citation.document_id}{page}{where}")
                if citation.decorative:
                    say("  redundant: the claim is supported without this citation")
                say(f"  “{citation.quote}”")
    else:
        for words in outcome.unsupported:
            said = outcome.draft.claims[words.claim].text if outcome.draft else ""
            say(f"\nclaim {words.claim + 1}: {said}\n  not borne out by its source: “{words.text}”")
        found = ", ".join(f"{hit.chunk.id} ({hit.score:.2f})" for hit in outcome.evidence.hits)
        say(f"\nretrieved: {found or 'nothing'}")
