"""Guard mode: the request brings its own passages, a model drafts from them, and the same contract is enforced."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, cast

from footnotary.app.delivery import Delivery, releasable_claims
from footnotary.domain.document import Labels
from footnotary.domain.identity import is_semantic_id
from footnotary.domain.query import Scope
from footnotary.external.passage_ranking import rank_passages
from footnotary.external.passages import (
    answer_from_given_evidence,
    first_text_field,
    make_evidence,
    make_hit,
)
from footnotary.gate.intent import understand
from footnotary.gate.reader_decision import MOST_READ, is_read
from footnotary.ports import Observer
from footnotary.service.answering import deliver, require_unambiguous_ids
from footnotary.service.auth.authentication import Credential
from footnotary.service.problems import Problem
from footnotary.service.schemas.chat import MAX_DOCUMENTS, ChatMessage, ChatRequest
from footnotary.service.state import Policy, TenantState
from footnotary.wiring import open_generator

GUARD_PROJECT = "request"
_NO_MODEL_SERVER = (
    "This service has no model server, so `model` cannot name one of its models; use `guard` or `guard@PROFILE`."
)
# <passage id="HR_7" title="Leave">…</passage>: neither the attributes nor the text can hold what ends them.
_PASSAGE_TAG = re.compile(r'<passage id="([^"<>]{1,200})"(?: title="([^"<>]{0,500})")?>')
_PASSAGE_END = "</passage>"
_PASSAGES_TAG = re.compile(r"</?passages>")
_LIST_FIELDS = ("documents", "passages", "results", "chunks", "sources", "data")

RequestPassage = tuple[str | None, str, str | None]


def read_passages(asked: ChatRequest) -> list[tuple[str, str, str | None]]:
    """The passages of a request as (id, text, title), from the first of these places that has any.

    The field `documents`; tool messages; `<passage>` blocks in system or developer messages; such blocks in user
    messages. So passages of the application take precedence over passages of a user. Assistant messages are ignored. A
    passage without an id is named `D1`, `D2`, ... in order, skipping ids that are in use. Raises `Problem` for an
    invalid id, for one id with two texts, for more than `MAX_DOCUMENTS` passages, and for JSON in a tool message that
    does not decode to valid text.
    """
    places: tuple[Iterable[RequestPassage], ...] = (
        ((d.id, d.passage, d.title) for d in asked.documents or ()),
        (given for m in asked.messages if m.role in ("tool", "function") for given in _tool_passages(m)),
        (given for m in asked.messages if m.role in ("system", "developer") for given in _passage_blocks(m.text)),
        (given for m in asked.messages if m.role == "user" for given in _passage_blocks(m.text)),
    )
    for place in places:
        if found := [given for given in place if given[1].strip()]:
            if len(found) > MAX_DOCUMENTS:
                raise Problem("unusable", f"A request may have at most {MAX_DOCUMENTS} passages.")
            named = list(_passage_ids(found))
            require_unambiguous_ids((cited, given[1]) for cited, given in zip(named, found, strict=True))
            return [(cited, given[1], given[2]) for cited, given in zip(named, found, strict=True)]
    return []


def strip_passages(text: str) -> str:
    """A message without its `<passage>` blocks: the question itself."""
    parts: list[str] = []
    at = 0
    while (opened := _PASSAGE_TAG.search(text, at)) and (end := text.find(_PASSAGE_END, opened.end())) >= 0:
        parts.append(text[at : opened.start()])
        at = end + len(_PASSAGE_END)
    return _PASSAGES_TAG.sub(" ", "".join((*parts, text[at:]))).strip()


def answer_from_passages(
    tenant: TenantState,
    principal: Credential,
    question: str,
    asked: ChatRequest,
    policy: Policy,
    upstream: str | None,
    observer: Observer,
    *,
    streamed: bool,
) -> Delivery:
    """Answers a question from the passages of its own request, and records the outcome. Blocks.

    `upstream` is the drafting model on the configured server; None means the configured model, or extractive answers.
    """
    if upstream is not None and tenant.settings.base_url is None:
        raise Problem("backend_unavailable", _NO_MODEL_SERVER)
    passages = read_passages(asked)  # before the first stage, so that an error still sets the status code
    engine, observer = tenant.engine(policy), tenant.telemetry.watched(observer)
    query = understand(question, Scope(GUARD_PROJECT, tenant.name, as_of=engine.today()), engine.profile)
    observer.stage("understood", type=query.type, language=query.language, facets=len(query.facets))
    # The caller vouches that its passages are relevant; the gate and the checks decide the rest.
    given = (make_hit(cited, text, 1.0, Labels(title=title)) for cited, text, title in passages)
    evidence = make_evidence(query, given)
    if len(evidence.hits) > MOST_READ and is_read(query, engine.profile, engine.reader):  # else all are considered
        evidence = replace(evidence, hits=rank_passages(query, evidence.hits, engine.embedder))
    observer.stage("retrieved", hits=len(evidence.hits))
    generator = engine.generator
    if upstream is not None:
        generator = open_generator(replace(tenant.settings, model=upstream), engine.profile)
    outcome = answer_from_given_evidence(evidence, generator, engine.profile, engine.checks, observer, engine.reader)
    released = releasable_claims(outcome) if streamed else 0
    return deliver(tenant, principal, outcome, engine.profile, channel="guard", released_claims=released)


def _passage_ids(found: Sequence[RequestPassage]) -> Iterable[str]:
    """The id of each passage; an unused one for a passage without an id."""
    taken = {given[0] for given in found}
    for number, (named, _, _) in enumerate(found, 1):
        if named is None:
            # In steps of the list's length, so that no two passages get the same number.
            yield next(name for n in count(number, len(found)) if (name := f"D{n}") not in taken)
        elif is_semantic_id(named):
            yield named
        else:
            raise Problem("unusable", "A passage id must consist of letters and digits, joined by _ or inner dots.")


def _passage_blocks(text: str) -> Iterable[RequestPassage]:
    at = 0
    while (opened := _PASSAGE_TAG.search(text, at)) and (end := text.find(_PASSAGE_END, opened.end())) >= 0:
        yield opened.group(1), text[opened.end() : end].strip(), opened.group(2)
        at = end + len(_PASSAGE_END)


def _tool_passages(message: ChatMessage) -> Iterable[RequestPassage]:
    """The passages of a tool message: a JSON list, or an object that holds one; anything else is one passage.

    A list item may also be a plain string.
    """
    rows = _json_rows(message.text)
    if rows is None:
        return [(None, message.text, None)]
    try:
        return [given for given in map(_row_passage, rows) if given[1]]
    except (UnicodeEncodeError, RecursionError):
        raise Problem("unusable", "A passage in a tool message is not valid text.") from None


def _row_passage(row: Mapping[str, Any]) -> RequestPassage:
    given = (
        first_text_field(row, "id", "semantic_id", "source_id", "chunk_id"),
        _row_text(row),
        first_text_field(row, "title"),
    )
    "".join(part or "" for part in given).encode("utf-8")  # a lone surrogate can be neither recorded nor sent
    return given


def _row_text(row: Mapping[str, Any]) -> str:
    return first_text_field(row, "text", "content", "content_snippet", "snippet") or ""


def _json_rows(text: str) -> Sequence[Mapping[str, Any]] | None:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        held = cast("dict[str, object]", value)
        value = next((held[name] for name in _LIST_FIELDS if isinstance(held.get(name), list)), [held])
    if not isinstance(value, list):
        return None
    rows = ({"text": row} if isinstance(row, str) else row for row in cast("list[object]", value))
    return [cast("Mapping[str, Any]", row) for row in rows if isinstance(row, dict)]
