"""What a bundle says, held against itself: record, hashes, citations, verdicts and text must all fit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from footnotary.audit.canonical import canonical, parsed
from footnotary.audit.record import answer_key, record_hash, signed_message, text_sha256
from footnotary.audit.signing import PublicKey

_UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError, UnicodeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of a bundle; `problem` says what does not fit, and is empty where all does."""

    check: str
    problem: str = ""

    @property
    def passed(self) -> bool:
        return not self.problem


def findings_on(statement: Any, key: PublicKey) -> tuple[Finding, ...]:
    """Every check on the statement, each by itself; a part that cannot be read is a part that does not fit."""
    return tuple(Finding(name, _problem(check, statement, key)) for name, check in _CHECKS)


def _problem(check: Callable[[Any, PublicKey], str], statement: Any, key: PublicKey) -> str:
    try:
        return check(statement, key)
    except _UNREADABLE as error:
        return f"it cannot be read ({type(error).__name__})"


def _record(statement: Any, key: PublicKey) -> str:
    record = statement["predicate"]["record"]
    body = parsed(record["body"])
    if record_hash(record["body"]) != record["hash"]:
        return "the record's hash is not that of its body"
    if record["signature"] and not key.signed(signed_message(record["hash"]), bytes.fromhex(record["signature"])):
        return "the record's signature is not that of the key"
    if body["seq"] != record["seq"]:
        return f"the record was written as number {body['seq']}"
    return ""


def _content(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content, body = _content_of(statement), _body_of(statement)
    if hashlib.sha256(canonical(content)).hexdigest() != body["content_sha256"]:
        return "the content is not what the record was made of"
    return ""


def _agreement(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    """The record says the same as the content, in what both say."""
    content, body = _content_of(statement), _body_of(statement)
    outcome = content["outcome"]
    refused = outcome["kind"] == "refusal"
    said = {
        "at": content["at"],
        "answer": answer_key(content["answer_id"]),
        "outcome": "refused" if refused else "answered",
        "reason": outcome["reason"] if refused else None,
        "profile_digest": content["profile_digest"],
        "index_digest": content["index_digest"],
        "evidence": [[hit["chunk"]["id"], hit["chunk"]["digest"]] for hit in content["evidence"]],
        "software": content["software"],
        "project": content["query"]["scope"]["project"],
    }
    wrong = [name for name, value in said.items() if body[name] != value]
    if body["question"] not in (None, content["query"]["text"]):
        wrong.append("question")
    return f"record and content do not agree on {', '.join(wrong)}" if wrong else ""


def _subject(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    digest = {"sha256": text_sha256(content["outcome"]["text"])}
    if statement["subject"] != [{"name": content["answer_id"], "digest": digest}]:
        return "the subject is not the answer and its hash"
    return ""


def _profile(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    # As `Profile.digest` has it. The schema of the version that wrote it may be another one than ours.
    written = json.dumps(content["profile"], sort_keys=True, ensure_ascii=False)
    if hashlib.sha256(written.encode()).hexdigest() != content["profile_digest"]:
        return "the profile is not the one its digest names"
    if content["outcome"]["profile_digest"] != content["profile_digest"]:
        return "the outcome was decided under another profile"
    return ""


def _evidence(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    for hit in _content_of(statement)["evidence"]:
        chunk = hit["chunk"]
        if hashlib.sha256(chunk["text"].encode("utf-8", "replace")).hexdigest() != chunk["digest"]:
            return f"the text of passage {chunk['id']} is not the one its hash names"
    return ""


def _draft(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    draft, outcome = content["draft"], content["outcome"]
    if outcome["kind"] == "answer" and draft is None:
        return "there is an answer, and no draft it came from"
    if draft is not None and draft["request"] is not None and not draft["prompt_sha256"]:
        return "a model was asked, and the hash of what it was asked is missing"
    return ""


def _citations(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    outcome = content["outcome"]
    if outcome["kind"] == "answer":
        return _cited(outcome, content["evidence"])
    if outcome.get("citations") or outcome.get("claims"):
        return "a refusal claims and cites nothing"
    return _cited(outcome["beginning"], content["evidence"]) if outcome["beginning"] else ""


def _cited(answer: Any, evidence: Any) -> str:
    """Every quote stands where its citation says, every claim has what it cites, and nothing else is cited."""
    passages = {hit["chunk"]["id"]: hit["chunk"] for hit in evidence}
    claims = answer["claims"]
    for citation in answer["citations"]:
        passage = passages.get(citation["id"])
        if passage is None:
            return f"passage {citation['id']} is cited, and is no part of the evidence"
        span, place = citation["chunk_span"], citation["answer_span"]
        if passage["text"][span["start"] : span["end"]] != citation["quote"] or not citation["quote"]:
            return f"the quote from passage {citation['id']} does not stand there"
        if passage["document_id"] != citation["document_id"]:
            return f"passage {citation['id']} is not of the document it is cited from"
        if answer["text"][place["start"] : place["end"]] != claims[citation["claim"]]["text"]:
            return f"the citation of {citation['id']} does not belong to its claim"
    cited = {(citation["claim"], citation["id"]) for citation in answer["citations"]}
    wanted = {(number, one) for number, claim in enumerate(claims) for one in claim["cites"]}
    if not claims or cited != wanted or {number for number, _ in cited} != set(range(len(claims))):
        return "a claim and its citations do not fit"
    return ""


def _verdicts(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    outcome = content["outcome"]
    failed = [verdict for verdict in outcome["verdicts"] if verdict["status"] != "pass"]
    if outcome["kind"] == "answer":
        missing = set(content["profile"]["verification"]["checks"]) - {v["check"] for v in outcome["verdicts"]}
        if failed:
            return f"there is an answer, and {failed[0]['check']} did not pass"
        if missing:
            return f"there is an answer, and {min(missing)} did not run"
    elif outcome["reason"] not in {verdict["reason"] for verdict in failed}:
        return "no verdict gives the refusal's reason"
    return ""


def _answer(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    outcome = content["outcome"]
    if outcome["kind"] == "answer":
        if outcome["text"] != " ".join(claim["text"] for claim in outcome["claims"]):
            return "the text is not that of the claims"
    elif outcome["kind"] == "refusal":
        texts = content["profile"]["refusal"].values()
        if outcome["text"] != outcome["message"] or outcome["message"] not in texts:
            return "the refusal's text is not the profile's"
    else:
        return "it is neither an answer nor a refusal"
    return ""


def _content_of(statement: Any) -> Any:
    return statement["predicate"]["content"]


def _body_of(statement: Any) -> Any:
    return parsed(statement["predicate"]["record"]["body"])


_CHECKS: tuple[tuple[str, Callable[[Any, PublicKey], str]], ...] = (
    ("record", _record),
    ("content", _content),
    ("agreement", _agreement),
    ("subject", _subject),
    ("profile", _profile),
    ("evidence", _evidence),
    ("draft", _draft),
    ("citations", _citations),
    ("verdicts", _verdicts),
    ("answer", _answer),
)
