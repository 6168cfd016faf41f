"""Structured output: the client's JSON schema selects fields of an answer, and nothing is made up to fit it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, TypeAlias, cast

from footnotary.app.delivery import Delivery
from footnotary.domain.outcome import Answer, Citation
from footnotary.render.citation_styles import source_names
from footnotary.service.openai_api.citation_urls import citation_url
from footnotary.service.problems import Problem
from footnotary.service.schemas.structured import (
    StructuredAnswer,
    StructuredCitation,
    StructuredClaim,
    StructuredConflict,
)
from footnotary.service.streaming import released_answer

Schema: TypeAlias = Mapping[str, Any]
# The fields to keep: of an object by name, of a list those of its items; None keeps a value as it is.
Selection: TypeAlias = "dict[str, Selection] | list[Selection] | None"

_OURS = StructuredAnswer.model_json_schema()
_ANNOTATIONS = frozenset({"title", "description", "default", "examples", "$schema", "$defs", "definitions", "$id"})
_STRUCTURE = frozenset({"type", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf", "$ref"})
_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
_MAX_REFS = 32


def select_fields(schema: Schema) -> Selection:
    """The fields of an answer that a client's JSON schema asks for, so that every answer satisfies it.

    Raises `Problem` if some answer would not: an unknown required field, another type, null where it is not allowed,
    or a limit on values. Messages name our fields only.
    """
    return _select(schema, _OURS, schema, "")


def structured_text(delivered: Delivery, base_url: str | None, selection: Selection) -> str:
    """The answer as JSON text with the selected fields."""
    return json.dumps(
        _apply_selection(structured_answer(delivered, base_url).model_dump(), selection), ensure_ascii=False
    )


def structured_answer(delivered: Delivery, base_url: str | None) -> StructuredAnswer:
    """What is delivered, as one object."""
    outcome, good = delivered.outcome, released_answer(delivered)
    refusal = None if isinstance(outcome, Answer) else outcome
    project = None if delivered.from_request else outcome.query.scope.project
    names = {} if good is None else source_names(good)
    cited = [(one.claim, _citation(one, names[one.id], project, base_url)) for one in (good.citations if good else ())]
    return StructuredAnswer(
        question=outcome.query.text,
        answer=good.text if good is not None else refusal.message if refusal is not None else "",
        refused=good is None,
        refusal_reason=refusal and refusal.reason.value,
        complete=good is None or refusal is None,
        claims=[
            StructuredClaim(text=claim.text, citations=[one for at, one in cited if at == number])
            for number, claim in enumerate(() if good is None else good.claims)
        ],
        citations=[one for _, one in cited],
        conflicts=[StructuredConflict.model_validate(asdict(conflict)) for conflict in (good or outcome).conflicts],
        answer_id=delivered.answer_id,
    )


def _citation(citation: Citation, title: str, project: str | None, base_url: str | None) -> StructuredCitation:
    return StructuredCitation(
        id=citation.id,
        quote=citation.quote,
        title=title,
        url=citation_url(citation, project, base_url),
        document=citation.document_id,
        page=citation.page,
        confidence=citation.confidence,
    )


def _apply_selection(value: Any, selection: Selection) -> Any:
    if isinstance(selection, dict):
        return {name: _apply_selection(value[name], inner) for name, inner in selection.items()}
    if isinstance(selection, list):
        return [_apply_selection(item, selection[0]) for item in value]
    return value


# -- the client's schema against ours --------------------------------------------------------------------------------


def _select(wanted: object, ours: Schema, root: Schema, at: str) -> Selection:
    branches = list(_branches(wanted, root, at))
    own, own_null = _own_type(ours)
    if own_null and not any("null" in types for types, _ in branches):
        raise _misfit(at, "can be null, and the schema does not allow that")
    fitting = [branch for types, branch in branches if own["type"] in types]
    if not fitting:
        raise _misfit(at, f"is of type {own['type']}, and the schema wants another")
    chosen = fitting[0]
    if own["type"] == "object":
        return _select_properties(chosen, own, root, at)
    if own["type"] == "array":
        inner = chosen.get("items")
        return None if inner is None else [_select(inner, _resolve_references(own["items"], _OURS, at), root, at)]
    return None


def _select_properties(wanted: Schema, own: Schema, root: Schema, at: str) -> Selection:
    properties: object = wanted.get("properties", {})
    required: object = wanted.get("required", [])
    fields = cast("Mapping[str, Schema]", own["properties"])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        raise _misfit(at, "has properties or required names that are not valid JSON Schema")
    if any(name not in fields for name in map(str, cast("list[object]", required))):
        raise _misfit(at, f"has the fields {', '.join(fields)}, and the schema requires another")
    if not properties:
        return None if wanted.get("additionalProperties", True) is not False else {}
    return {
        name: _select(inner, _resolve_references(fields[name], _OURS, at), root, f"{at}/{name}")
        for name, inner in cast("Mapping[str, object]", properties).items()
        if name in fields
    }


def _branches(wanted: object, root: Schema, at: str) -> Iterator[tuple[frozenset[str], Schema]]:
    """The alternatives of a schema, each with the types it allows."""
    schema = _resolve_references(wanted, root, at)
    if set(schema) - _ANNOTATIONS - _STRUCTURE:
        raise _misfit(at, "is limited by a keyword that is not supported; use types, properties, items and required")
    alternatives = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(alternatives, list):
        for one in cast("list[object]", alternatives):
            yield from ((_types(inner), inner) for inner in (_checked(_resolve_references(one, root, at), at),))
        return
    yield _types(schema), schema


def _checked(schema: Schema, at: str) -> Schema:
    if set(schema) - _ANNOTATIONS - _STRUCTURE or "anyOf" in schema or "oneOf" in schema:
        raise _misfit(at, "is described by nested alternatives or limits, which are not supported")
    return schema


def _types(schema: Schema) -> frozenset[str]:
    given: object = schema.get("type", list(_TYPES))
    named = {str(one) for one in cast("list[object]", given)} if isinstance(given, list) else {str(given)}
    return frozenset(named | ({"integer"} if "number" in named else set()))


def _own_type(ours: Schema) -> tuple[Schema, bool]:
    """Our schema without null, and whether null is allowed."""
    if "anyOf" not in ours:
        return ours, False
    return next(one for one in ours["anyOf"] if one["type"] != "null"), True


def _resolve_references(schema: object, root: Schema, at: str) -> Schema:
    """The schema that a chain of local references ends at."""
    for _ in range(_MAX_REFS):
        if not isinstance(schema, Mapping):
            break
        found = cast(Schema, schema)
        if "$ref" not in found:
            return found
        schema = _at_pointer(root, str(found["$ref"]))
    raise _misfit(at, "is described by something that is not a schema or by a reference that leads nowhere")


def _at_pointer(root: Schema, reference: str) -> object:
    place: object = root
    for step in reference.removeprefix("#").split("/")[1:]:
        place = cast("Mapping[str, object]", place).get(step) if isinstance(place, Mapping) else None
    return place if reference.startswith("#") else None


def _misfit(at: str, why: str) -> Problem:
    return Problem("unusable", f"`response_format` does not fit an answer: `{at or '/'}` {why}.")
