"""One record per outcome: its fields, and how it is chained to the one before."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from footnotary.audit.bundle_content import Content, OutcomeProvenance, bundle_content, delivered_text
from footnotary.audit.canonical_json import canonical_json
from footnotary.domain.identity import sha256_hex
from footnotary.domain.outcome import Outcome, Refusal
from footnotary.profiles.schema import Profile
from footnotary.strict_json import loads_strictly

ContentStorage = Literal["clear", "sealed", "nothing"]

_HASH_PREFIX = b"footnotary audit record 1\n"
_SIGNATURE_PREFIX = b"footnotary audit signature 1\n"


def new_answer_id() -> str:
    """`ans_` and 26 letters and digits: 130 random bits, so that ids cannot be guessed."""
    return "ans_" + base64.b32encode(secrets.token_bytes(17)).decode()[:26].lower()


def answer_key(answer_id: str) -> str:
    """The key under which an answer is stored: it reveals nothing about the id itself."""
    return text_sha256(answer_id)


def text_sha256(text: str) -> str:
    """The hash of a text as UTF-8, as any other program computes it."""
    return sha256_hex(text.encode("utf-8", "surrogatepass"))


def new_conversation_id() -> str:
    """`conv_` and 26 letters and digits, as unguessable as an answer's id."""
    return new_answer_id().replace("ans_", "conv_")


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    """The place of a question in a conversation.

    `follows` is the id of the answer before it, None for the first question. `typed` is what the person wrote, if the
    question was asked as something else; None if it was asked as written. `conversation` is None where none is kept.
    """

    conversation: str | None = None
    follows: str | None = None
    typed: str | None = None


@dataclass(frozen=True, slots=True)
class RequestOrigin:
    """Who asked a question and through which channel; `principal` is the id of an API key, never the key.

    `turn` is the question's place in a conversation, if it has one.
    """

    tenant: str
    principal: str
    channel: str
    turn: ConversationTurn | None = None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An outcome to be recorded; `said` are the record's fields, `content` the bundle's content.

    With `withheld` neither the question nor anything that may repeat it is stored in clear: `said` does not contain it,
    and the content is encrypted with the answer's id, which the record does not contain either.
    """

    answer_id: str = field(repr=False)
    said: Mapping[str, Any] = field(repr=False)
    content: bytes = field(repr=False)
    withheld: bool


def make_audit_entry(
    outcome: Outcome,
    profile: Profile,
    circumstances: OutcomeProvenance,
    asker: RequestOrigin,
    *,
    answer_id: str | None = None,
    at: datetime | None = None,
    repeats: str | None = None,
    released_claims: int = 0,
) -> AuditEntry:
    """The entry for an outcome.

    `repeats` is the id of the answer that was delivered again from the cache. `released_claims` counts the claims that
    were already streamed when the rest was refused.
    """
    answer_id = answer_id or new_answer_id()
    when = (at or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="milliseconds")
    withheld = not profile.privacy.log_queries
    content: Content = bundle_content(outcome, profile, circumstances, answer_id, when)
    written = canonical_json(content)
    refused = isinstance(outcome, Refusal)
    said: dict[str, Any] = {
        "at": when,
        "answer": answer_key(answer_id),
        "answer_id": None if withheld else answer_id,
        "tenant": asker.tenant,
        "principal": asker.principal,
        "channel": asker.channel,
        "project": outcome.query.scope.project,
        "question": None if withheld else outcome.query.text,
        "outcome": "refused" if refused else "answered",
        "reason": outcome.reason.value if refused else None,
        "failed_checks": [verdict.check for verdict in outcome.verdicts if verdict.status != "pass"],
        "claims": 0 if refused else len(outcome.claims),
        "released_claims": released_claims,
        "drafted": outcome.draft is not None,
        "generator": outcome.draft.generator if outcome.draft else None,
        "profile": profile.name,
        "profile_digest": content["profile_digest"],
        "index_digest": circumstances.index_digest,
        "evidence": [[hit.chunk.id, hit.chunk.digest] for hit in outcome.evidence.hits],
        # A refusal's text is public; the plain hash of a withheld answer would let anyone test guesses.
        "answer_sha256": None if withheld and not refused else text_sha256(delivered_text(outcome)),
        "content_sha256": hashlib.sha256(written).hexdigest(),
        "repeats": None if withheld else repeats,
        "software": circumstances.software,
    }
    # A withheld record links to nothing: the id of the answer before it would decrypt that answer.
    if asker.turn is not None and not withheld:
        turn = {"conversation": asker.turn.conversation, "follows": asker.turn.follows, "typed": asker.turn.typed}
        said |= {name: value for name, value in turn.items() if value is not None}
    return AuditEntry(answer_id, said, written, withheld)


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """A record as stored in the log. `body` is JSON and contains its number, the log's id and the previous hash.

    `hash` is that of `body`; `signature`, if the installation has a key, signs the hash.
    """

    seq: int
    body: str
    hash: str
    signature: str

    @property
    def says(self) -> dict[str, Any]:
        return loads_strictly(self.body)


def record_hash(body: str) -> str:
    return hashlib.sha256(_HASH_PREFIX + body.encode("utf-8", "surrogatepass")).hexdigest()


def signed_message(record_hash_: str) -> bytes:
    """The bytes a record's signature covers."""
    return _SIGNATURE_PREFIX + record_hash_.encode("ascii", "replace")
