"""Guard mode: the request brings its own passages, a model drafts from them, and the same contract is enforced."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, cast

from footnotary.app.delivery import Delivery, releasable_claims
from footnotary.contracts.given import ambiguous, answer_given, evidence_of, hit_of, text_of
from footnotary.domain.document import Labels
from footnotary.domain.identity import is_semantic_id
from footnotary.domain.query import Scope
from footnotary.gate.intent import understand
from footnotary.ports import Observer
from footnotary.service.answering import deliver
from footnotary.service.auth import Credential
from footnotary.service.problems import Problem
from footnotary.service.schemas_chat import ChatAsked, ChatMessage
from footnotary.service.state import Policy, TenantState
from footnotary.wiring import open_generator

PROJECT = "request"
_MOST = 200
# <passage id="HR_7" title="Leave">…</passage>: neither the attributes nor the text can hold what ends them.
_PASSAGE = re.compile(r'<passage id="([^"<>]{1,200})"(?: title="([^"<>]{0,500})")?>')
_END = "</passage>"
_ENCLOSING = re.compile(r"</?passages>")
_LISTS = ("documents", "passages", "results", "chunks", "sources", "data")

Given = tuple[str | None, str, str | None]


def evidence_in(asked: ChatAsked) -> list[tuple[str, str, str | None]]:
    """The passages of a request as (id, text, title), from the first of these places that has any.

    The field `documents`; tool messages; `<passage>` blocks in system or developer messages; such blocks in user
    messages. So passages of the application take precedence over passages of a user. Assistant messages are ignored. A
    passage without an id is named `D1`, `D2`, ... in order, skipping ids that are in use. Raises `Problem` for an
    invalid id, for one id with two texts, and for JSON in a tool message that does not decode to valid text.
    """
    places: tuple[Iterable[Given], ...] = (
        ((d.id, d.text or d.content or "", d.title) for d in asked.documents or ()),
        (given for m in asked.messages if m.role in ("tool", "function") for given in _replied(m)),
        (given for m in asked.messages if m.role in ("system", "developer") for given in _blocks(m.text)),
        (given for m in asked.messages if m.role == "user" for given in _blocks(m.text)),
    )
    for place in places:
        if found := [given for given in place if given[1].strip()][:_MOST]:
            named = list(_ids(found))
            one_text_each((cited, given[1]) for cited, given in zip(named, found, strict=True))
            return [(cited, given[1], given[2]) for cited, given in zip(named, found, strict=True)]
    return []


def one_text_each(passages: Iterable[tuple[str, str]]) -> None:
    """Raises `Problem` if one id has two texts. The message gives positions: it must not repeat the caller's ids."""
    if (two := ambiguous(passages)) is not None:
        first, second = two
        detail = f"Passages {first} and {second} have the same id but different texts; give each passage its own id."
        raise Problem("unusable", detail)


def without_passages(text: str) -> str:
    """A message without its `<passage>` blocks: the question itself."""
    parts: list[str] = []
    at = 0
    while (opened := _PASSAGE.search(text, at)) and (end := text.find(_END, opened.end())) >= 0:
        parts.append(text[at : opened.start()])
        at = end + len(_END)
    return _ENCLOSING.sub(" ", "".join((*parts, text[at:]))).strip()


def guarded(
    tenant: TenantState,
    principal: Credential,
    question: str,
    asked: ChatAsked,
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
        raise Problem("backend_unavailable")
    passages = evidence_in(asked)  # before the first stage, so that an error still sets the status code
    engine, observer = tenant.engine(policy), tenant.telemetry.watched(observer)
    query = understand(question, Scope(PROJECT, tenant.name, as_of=engine.today()), engine.profile)
    observer.stage("understood", type=query.type, language=query.language, facets=len(query.facets))
    # The caller vouches that its passages are relevant; the gate and the checks decide the rest.
    given = (hit_of(cited, text, 1.0, Labels(title=title)) for cited, text, title in passages)
    evidence = evidence_of(query, given)
    observer.stage("retrieved", hits=len(evidence.hits))
    generator = engine.generator
    if upstream is not None:
        generator = open_generator(replace(tenant.settings, model=upstream), engine.profile)
    outcome = answer_given(evidence, generator, engine.profile, engine.checks, observer, engine.answerability)
    released = releasable_claims(outcome) if streamed else 0
    return deliver(tenant, principal, outcome, engine.profile, channel="guard", released_claims=released)


def _ids(found: Sequence[Given]) -> Iterable[str]:
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


def _blocks(text: str) -> Iterable[Given]:
    at = 0
    while (opened := _PASSAGE.search(text, at)) and (end := text.find(_END, opened.end())) >= 0:
        yield opened.group(1), text[opened.end() : end].strip(), opened.group(2)
        at = end + len(_END)


def _replied(message: ChatMessage) -> Iterable[Given]:
    """The passages of a tool message: a JSON list, or an object that holds one; anything else is one passage.

    A list item may also be a plain string.
    """
    rows = _rows(message.text)
    if rows is None:
        return [(None, message.text, None)]
    try:
        return [given for given in map(_passage, rows) if given[1]]
    except (UnicodeEncodeError, RecursionError):
        raise Problem("unusable", "A passage in a tool message is not valid text.") from None


def _passage(row: Mapping[str, Any]) -> Given:
    given = text_of(row, "id", "semantic_id", "source_id", "chunk_id"), _text(row), text_of(row, "title")
    "".join(part or "" for part in given).encode("utf-8")  # a lone surrogate can be neither recorded nor sent
    return given


def _text(row: Mapping[str, Any]) -> str:
    return text_of(row, "text", "content", "content_snippet", "snippet") or ""


def _rows(text: str) -> Sequence[Mapping[str, Any]] | None:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        held = cast("dict[str, object]", value)
        value = next((held[name] for name in _LISTS if isinstance(held.get(name), list)), [held])
    if not isinstance(value, list):
        return None
    rows = ({"text": row} if isinstance(row, str) else row for row in cast("list[object]", value))
    return [cast("Mapping[str, Any]", row) for row in rows if isinstance(row, dict)]
