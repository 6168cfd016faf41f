"""Consistency checks of a bundle: record, hashes, citations, verdicts and text must all match."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from footnotary.audit.canonical_json import canonical_json
from footnotary.audit.record import answer_key, record_hash, signed_message, text_sha256
from footnotary.audit.signing import PublicKey
from footnotary.strict_json import loads_strictly

_UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError, UnicodeError, RecursionError)


@dataclass(frozen=True, slots=True)
class BundleFinding:
    """The result of one check of a bundle; `problem` says what does not match, and is empty if it passed."""

    check: str
    problem: str = ""

    @property
    def passed(self) -> bool:
        return not self.problem


def check_statement(statement: Any, key: PublicKey) -> tuple[BundleFinding, ...]:
    """Every check of the statement, independent of the others; a part that cannot be read fails its check."""
    return tuple(BundleFinding(name, _run_check(check, statement, key)) for name, check in _CHECKS)


def _run_check(check: Callable[[Any, PublicKey], str], statement: Any, key: PublicKey) -> str:
    try:
        return check(statement, key)
    except _UNREADABLE as error:
        return f"it cannot be read ({type(error).__name__})"


def _check_record(statement: Any, key: PublicKey) -> str:
    record = statement["predicate"]["record"]
    body = loads_strictly(record["body"])
    if record_hash(record["body"]) != record["hash"]:
        return "the record's hash does not match its body"
    if record["signature"] and not key.signed(signed_message(record["hash"]), bytes.fromhex(record["signature"])):
        return "the record's signature was not made with the key"
    if body["seq"] != record["seq"]:
        return f"the record was written as number {body['seq']}"
    return ""


def _check_content(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content, body = _content_of(statement), _body_of(statement)
    if hashlib.sha256(canonical_json(content)).hexdigest() != body["content_sha256"]:
        return "the content does not match the record's hash"
    return ""


def _check_agreement(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    """Record and content agree in every field that both have."""
    content, body = _content_of(statement), _body_of(statement)
    outcome = content["outcome"]
    refused = outcome["kind"] == "refusal"
    said = {
        "at": content["at"],
        "answer": answer_key(content["answer_id"]),
        "outcome": "refused" if refused else "answered",
        "reason": outcome["reason"] if refused else None,
        "failed_checks": [verdict["check"] for verdict in outcome["verdicts"] if verdict["status"] != "pass"],
        "claims": 0 if refused else len(outcome["claims"]),
        "drafted": content["draft"] is not None,
        "generator": content["draft"]["generator"] if content["draft"] is not None else None,
        "profile": content["profile"]["name"],
        "profile_digest": content["profile_digest"],
        "index_digest": content["index_digest"],
        "evidence": [[hit["chunk"]["id"], hit["chunk"]["digest"]] for hit in content["evidence"]],
        "software": content["software"],
        "project": content["query"]["scope"]["project"],
    }
    # For a withheld question these fields are null in the record, and null contradicts nothing.
    unless_withheld = {
        "answer_id": content["answer_id"],
        "question": content["query"]["text"],
        "answer_sha256": text_sha256(outcome["text"]),
    }
    said |= {name: value for name, value in unless_withheld.items() if body[name] is not None}
    # Compared as JSON, in which true is not 1.
    wrong = [name for name, value in said.items() if canonical_json(body[name]) != canonical_json(value)]
    beginning = outcome["beginning"] if refused else None
    if type(body["released_claims"]) is not int or not (
        0 <= body["released_claims"] <= (len(beginning["claims"]) if beginning else 0)
    ):
        wrong.append("released_claims")
    return f"record and content do not agree on {', '.join(wrong)}" if wrong else ""


def _check_subject(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    digest = {"sha256": text_sha256(content["outcome"]["text"])}
    if statement["subject"] != [{"name": content["answer_id"], "digest": digest}]:
        return "the subject is not the answer and its hash"
    return ""


def _check_profile(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    # As `Profile.digest` computes it. The version that wrote it may have another schema than ours.
    written = json.dumps(content["profile"], sort_keys=True, ensure_ascii=False)
    if hashlib.sha256(written.encode()).hexdigest() != content["profile_digest"]:
        return "the profile does not match its digest"
    for part in _outcome_parts(content["outcome"]):
        if (part["profile"], part["profile_digest"]) != (content["profile"]["name"], content["profile_digest"]):
            return "the outcome was decided under another profile"
    return ""


def _check_evidence(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    for hit in _content_of(statement)["evidence"]:
        chunk = hit["chunk"]
        if hashlib.sha256(chunk["text"].encode("utf-8", "replace")).hexdigest() != chunk["digest"]:
            return f"the text of passage {chunk['id']} does not match its hash"
    return ""


def _check_draft(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    draft, outcome = content["draft"], content["outcome"]
    if outcome["kind"] == "answer" and draft is None:
        return "there is an answer, but no draft it came from"
    if draft is not None and draft["request"] is not None and not draft["prompt_sha256"]:
        return "a model generated the draft, but the hash of its prompt is missing"
    rejected = content.get("rejected")
    if rejected is not None and (outcome["kind"] != "answer" or not _was_rejected(rejected)):
        return "the draft that the sources are quoted for was not rejected"
    for answer in _delivered_answers(outcome):
        if draft is None or answer["generator"] != draft["generator"]:
            return "the answer and the draft name different generators"
        left = _remaining_draft_claims(answer, draft)
        if left is None or (outcome["kind"] == "answer" and left):
            return "the claims of the answer are not those of the draft"
    return ""


def _was_rejected(rejected: Any) -> bool:
    return any(verdict["status"] != "pass" for verdict in rejected["verdicts"]) and not rejected["draft"]["declined"]


def _remaining_draft_claims(answer: Any, draft: Any) -> list[Any] | None:
    """The claims of the draft after those the answer has, in order; None if the answer has other claims.

    To an extractive draft the other side of a conflict may have been added.
    """
    sides = [(c[f"quote_{side}"], [c[f"id_{side}"]]) for c in answer["conflicts"] for side in "ab"]
    left = list(draft["claims"])
    for claim in answer["claims"]:
        if left and claim == left[0]:
            del left[0]
        elif not draft["extractive"] or (claim["text"], claim["cites"]) not in sides:
            return None
    return left


def _check_citations(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    outcome = content["outcome"]
    if outcome["kind"] != "answer" and (outcome.get("citations") or outcome.get("claims")):
        return "a refusal must have no claims and no citations"
    problems = (_check_answer_citations(answer, content) for answer in _delivered_answers(outcome))
    return next((problem for problem in problems if problem), "")


def _check_answer_citations(answer: Any, content: Any) -> str:
    """Every quote is where its citation says, every claim has its citations, and nothing else is cited."""
    hits = {hit["chunk"]["id"]: hit for hit in content["evidence"]}
    claims = answer["claims"]
    originals: dict[str, tuple[str, str]] = {}
    for citation in answer["citations"]:
        hit = hits.get(citation["id"])
        if hit is None:
            return f"passage {citation['id']} is cited, but is not part of the evidence"
        passage = hit["chunk"]
        span, place = citation["chunk_span"], citation["answer_span"]
        if passage["text"][span["start"] : span["end"]] != citation["quote"] or not citation["quote"]:
            return f"the quote is not in passage {citation['id']} at the cited position"
        if passage["document_id"] != citation["document_id"]:
            return f"passage {citation['id']} is not in the document it is cited from"
        if [citation["page"], citation["labels"], citation["standing"]] != [
            passage["page"],
            passage["labels"],
            hit["standing"],
        ]:
            return f"passage {citation['id']} is cited with a wrong page, label or standing"
        original = citation["document_sha256"], citation["path"]
        if originals.setdefault(citation["document_id"], original) != original:
            return f"document {citation['document_id']} is cited from two files"
        # Evidence sent with the request has no index, and each passage is its own original.
        if not content["index_digest"] and original != (passage["digest"], ""):
            return f"passage {citation['id']} was sent with the request, but is cited from another file"
        if answer["text"][place["start"] : place["end"]] != claims[citation["claim"]]["text"]:
            return f"the citation of {citation['id']} does not belong to its claim"
    cited = {(citation["claim"], citation["id"]) for citation in answer["citations"]}
    wanted = {(number, one) for number, claim in enumerate(claims) for one in claim["cites"]}
    if not claims or cited != wanted or {number for number, _ in cited} != set(range(len(claims))):
        return "a claim and its citations do not match"
    return ""


def _check_verdicts(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    outcome = content["outcome"]
    for answer in _delivered_answers(outcome):
        failed = [verdict for verdict in answer["verdicts"] if verdict["status"] != "pass"]
        missing = set(content["profile"]["verification"]["checks"]) - {v["check"] for v in answer["verdicts"]}
        if failed:
            return f"there is an answer, but {failed[0]['check']} did not pass"
        if missing:
            return f"there is an answer, but {min(missing)} did not run"
    if outcome["kind"] != "answer":
        failed = [verdict for verdict in outcome["verdicts"] if verdict["status"] != "pass"]
        if outcome["reason"] not in {verdict["reason"] for verdict in failed}:
            return "no verdict has the refusal's reason"
    return ""


def _check_answer(statement: Any, key: PublicKey) -> str:  # noqa: ARG001
    content = _content_of(statement)
    outcome = content["outcome"]
    for answer in _delivered_answers(outcome):
        if answer["text"] != " ".join(claim["text"] for claim in answer["claims"]):
            return "the text does not match the claims"
    if outcome["kind"] == "refusal":
        texts = content["profile"]["refusal"].values()
        if outcome["text"] != outcome["message"] or outcome["message"] not in texts:
            return "the refusal's text does not match the profile's"
    elif outcome["kind"] != "answer":
        return "it is neither an answer nor a refusal"
    return ""


def _outcome_parts(outcome: Any) -> list[Any]:
    """The outcome, and the verified prefix of a refused draft if there is one."""
    return [outcome, outcome["beginning"]] if outcome.get("beginning") else [outcome]


def _delivered_answers(outcome: Any) -> list[Any]:
    """What may have been delivered as an answer: the whole one, or the verified prefix of a refused draft."""
    return [outcome] if outcome["kind"] == "answer" else _outcome_parts(outcome)[1:]


def _content_of(statement: Any) -> Any:
    return statement["predicate"]["content"]


def _body_of(statement: Any) -> Any:
    return loads_strictly(statement["predicate"]["record"]["body"])


_CHECKS: tuple[tuple[str, Callable[[Any, PublicKey], str]], ...] = (
    ("record", _check_record),
    ("content", _check_content),
    ("agreement", _check_agreement),
    ("subject", _check_subject),
    ("profile", _check_profile),
    ("evidence", _check_evidence),
    ("draft", _check_draft),
    ("citations", _check_citations),
    ("verdicts", _check_verdicts),
    ("answer", _check_answer),
)
