"""Evidence bundles: an outcome and everything it is based on, as an in-toto statement in a signed DSSE envelope.

A bundle is verified with the public key alone: no index, no service, no network. `replay` in `footnotary.replay`
also derives the outcome again.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, cast

from footnotary.audit.bundle_checks import BundleFinding, check_statement
from footnotary.audit.bundle_content import Content
from footnotary.audit.canonical_json import canonical_json
from footnotary.audit.record import AuditRecord, text_sha256
from footnotary.audit.signing import PublicKey, Signer
from footnotary.strict_json import loads_strictly

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:footnotary:evidence-bundle:1"

Envelope = dict[str, Any]


def make_bundle(record: AuditRecord, content: Content, signer: Signer) -> Envelope:
    """The bundle of a recorded outcome. The same record and key always give the same bytes."""
    payload = canonical_json(
        {
            "_type": STATEMENT_TYPE,
            "subject": [
                {"name": content["answer_id"], "digest": {"sha256": text_sha256(content["outcome"]["text"])}},
            ],
            "predicateType": PREDICATE_TYPE,
            "predicate": {
                "record": {
                    "seq": record.seq,
                    "body": record.body,
                    "hash": record.hash,
                    "signature": record.signature,
                },
                "content": content,
            },
        }
    )
    signature = signer.sign(pre_authentication_encoding(PAYLOAD_TYPE, payload))
    return {
        "payloadType": PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode("ascii"),
        "signatures": [{"keyid": signer.public.id, "sig": base64.b64encode(signature).decode("ascii")}],
    }


def verify_bundle(envelope: object, key: PublicKey) -> tuple[BundleFinding, ...]:
    """Every check of a bundle in order, passed or failed; no input raises. The bundle is valid exactly if all passed.

    All checks run: if the signature fails, the others still name the part that does not match.
    """
    form, payload = _open_envelope(envelope)
    if payload is None:
        return (BundleFinding("envelope", form),)
    found = [
        BundleFinding("envelope"),
        BundleFinding("signature", _check_signature(cast("Envelope", envelope), payload, key)),
    ]
    try:
        statement = loads_strictly(payload)
    except ValueError as error:
        return (*found, BundleFinding("statement", f"the payload is not JSON: {error}"))
    return (*found, BundleFinding("statement", _check_statement(statement)), *check_statement(statement, key))


def statement_in(envelope: object) -> dict[str, Any]:
    """The statement, not verified. Raises `ValueError` if there is none."""
    form, payload = _open_envelope(envelope)
    if payload is None:
        raise ValueError(form)
    statement = loads_strictly(payload)
    if problem := _check_statement(statement):
        raise ValueError(problem)
    return statement


def content_in(envelope: object) -> Content:
    """The content of a bundle, not verified: `verify_bundle` says whether it can be trusted. Raises `ValueError`."""
    content = statement_in(envelope)["predicate"].get("content")
    if not isinstance(content, dict):
        raise ValueError("the statement has no content")
    return cast("Content", content)


def pre_authentication_encoding(payload_type: str, payload: bytes) -> bytes:
    """What DSSE signs: type and payload with their lengths, so that nothing can be read as anything else."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def _open_envelope(envelope: object) -> tuple[str, bytes | None]:
    """What is wrong with the envelope's format, or its payload."""
    if not isinstance(envelope, dict):
        return "it is not a JSON object", None
    members = cast("Envelope", envelope)
    if set(members) != {"payloadType", "payload", "signatures"}:
        return "its members are not payloadType, payload and signatures", None
    if members["payloadType"] != PAYLOAD_TYPE:
        return f"its payloadType is not {PAYLOAD_TYPE}", None
    payload = _decode_base64(members["payload"])
    return ("", payload) if payload is not None else ("its payload is not base64", None)


def _check_signature(envelope: Envelope, payload: bytes, key: PublicKey) -> str:
    given = envelope["signatures"]
    match given:
        case [{"keyid": keyid, "sig": sig, **others}] if not others:
            pass
        case _:
            return "there is not exactly one signature with keyid and sig"
    if keyid != key.id:
        return "it was signed with another key"
    signature = _decode_base64(sig)
    if signature is None or not key.signed(pre_authentication_encoding(PAYLOAD_TYPE, payload), signature):
        return "it does not match the payload: something in it was changed"
    return ""


def _check_statement(statement: object) -> str:
    if not isinstance(statement, dict):
        return "it is not a JSON object"
    members = cast("dict[str, Any]", statement)
    if set(members) != {"_type", "subject", "predicateType", "predicate"}:
        return "its members are not those of an in-toto statement"
    if members["_type"] != STATEMENT_TYPE or members["predicateType"] != PREDICATE_TYPE:
        return f"it is not of type {STATEMENT_TYPE} with {PREDICATE_TYPE}"
    if not isinstance(members["predicate"], dict):
        return "its predicate is not a JSON object"
    predicate = cast("dict[str, Any]", members["predicate"])
    return "" if set(predicate) == {"record", "content"} else "its predicate is not a record and its content"


def _decode_base64(text: object) -> bytes | None:
    """Base64 in its canonical form: other forms decode to the same bytes but were not written by us."""
    if not isinstance(text, str):
        return None
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None
