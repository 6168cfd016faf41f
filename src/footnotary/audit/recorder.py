"""The notary: records one tenant's outcomes before they are delivered, queues them for review and caches them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from footnotary.audit.answer_cache import AnswerCache, cache_key
from footnotary.audit.bundle import Envelope, make_bundle
from footnotary.audit.bundle_content import OutcomeProvenance
from footnotary.audit.feedback import FeedbackStore
from footnotary.audit.log import AuditLog
from footnotary.audit.record import AuditRecord, RequestOrigin, make_audit_entry
from footnotary.audit.signing import Signer
from footnotary.domain.outcome import Outcome
from footnotary.domain.query import Scope
from footnotary.errors import UsageError
from footnotary.profiles.schema import Profile


@dataclass(frozen=True, slots=True)
class OutcomeReceipt:
    """A recorded outcome: it may be delivered."""

    answer_id: str
    seq: int


@dataclass(frozen=True, slots=True)
class CachedOutcome:
    """A cached outcome, and the id it was first delivered under."""

    outcome: Outcome
    answer_id: str


class Notary:
    """Recorder of outcomes: the audit log, feedback store and answer cache of one tenant. Threads may share it.

    `software` and, for a profile, `models` name what produces the outcomes; they go into every record.
    """

    def __init__(
        self,
        folder: Path,
        head_path: Path,
        *,
        signer: Signer | None,
        software: str,
        models: Callable[[Profile], Mapping[str, str]],
    ) -> None:
        self.signer = signer
        self._software = software
        self._models = models
        self.log = AuditLog(folder / "audit.db", head_path, signer)
        try:
            self.feedback = FeedbackStore(folder / "feedback.db")
            self._cache = AnswerCache(folder / "cache.db", self.log)
        except BaseException:
            self.log.close()
            raise

    def close(self) -> None:
        self._cache.close()
        self.feedback.close()
        self.log.close()

    def recall(
        self, question: str, scope: Scope, profile: Profile, index_digest: str, generator: str
    ) -> CachedOutcome | None:
        """The outcome of the same question to the same index under the same profile, if it was recorded before.

        `scope.as_of` must be set. Record it again, with `repeats`, before it is delivered again.
        """
        key = cache_key(question, scope, profile, self._circumstances(profile, index_digest), generator)
        found = key and self._cache.get(key)
        return CachedOutcome(found[1], found[0]) if found else None

    def record(
        self,
        outcome: Outcome,
        profile: Profile,
        asker: RequestOrigin,
        *,
        index_digest: str,
        generator: str,
        repeats: str | None = None,
        released_claims: int = 0,
        remember: bool = False,
    ) -> OutcomeReceipt:
        """Records an outcome: on disk when this returns. Raises `BackendError`, and then nothing may be delivered.

        A rejected draft goes to the review queue. With `remember`, `recall` finds the outcome again.
        """
        circumstances = self._circumstances(profile, index_digest)
        entry = make_audit_entry(
            outcome,
            profile,
            circumstances,
            asker,
            repeats=repeats,
            released_claims=released_claims,
        )
        record = self.log.append(entry)
        self.feedback.queue_rejected(record)
        query = outcome.query
        key = cache_key(query.text, query.scope, profile, circumstances, generator) if remember else None
        if key is not None and repeats is None:
            self._cache.put(key, entry.answer_id, outcome)
        return OutcomeReceipt(entry.answer_id, record.seq)

    def bundle(self, answer_id: str) -> Envelope | None:
        """The signed bundle of an answer; None if there is no such answer, or its content was not stored."""
        record, content = self.found(answer_id)
        if record is None or content is None:
            return None
        if self.signer is None:
            raise UsageError("bundles must be signed, but there is no key", hint="pip install 'footnotary[audit]'")
        return make_bundle(record, content, self.signer)

    def found(self, answer_id: str) -> tuple[AuditRecord | None, dict[str, object] | None]:
        """The record of an answer and its stored content."""
        record = self.log.find(answer_id)
        return (None, None) if record is None else (record, self.log.content(answer_id))

    def _circumstances(self, profile: Profile, index_digest: str) -> OutcomeProvenance:
        return OutcomeProvenance(self._software, index_digest, self._models(profile))
