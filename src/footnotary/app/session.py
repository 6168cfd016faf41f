"""One path for the questions of every interface: ask, verify, record, deliver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from footnotary.app.delivery import Delivery, deliver, releasable_claims
from footnotary.app.follow_ups import asked_after
from footnotary.app.index_digests import IndexDigests
from footnotary.audit.record import RequestOrigin
from footnotary.audit.recorder import CachedOutcome, Notary
from footnotary.domain.conversation import AskedQuestion, EarlierTurn
from footnotary.domain.outcome import Answer, Outcome
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.errors import IndexChanging, UsageError
from footnotary.ports import NULL_OBSERVER, ManagedStore, Observer

_MAX_ATTEMPTS = 3


def _unchanged(observer: Observer) -> Observer:
    return observer


@dataclass(frozen=True, slots=True)
class Session:
    """Questions to one engine, each recorded before it is delivered. Threads may share it.

    `notary` is None where the settings turn the audit log off: nothing is recorded or cached then. With `answer_cache`
    a question that was recorded before, on the same index under the same profile, is not computed again. `watched`
    wraps the observer of an outcome that is computed, to measure it.
    """

    engine: Engine
    store: ManagedStore
    digests: IndexDigests
    notary: Notary | None
    answer_cache: bool = False
    watched: Callable[[Observer], Observer] = _unchanged

    def ask(
        self,
        question: str,
        scope: Scope,
        asker: RequestOrigin,
        observer: Observer = NULL_OBSERVER,
        *,
        streamed: bool = False,
        context: str = "",
    ) -> Delivery:
        """The outcome of a question, recorded durably before this returns.

        `streamed` says that claims are read as they come: those that a profile releases one by one may be delivered.
        `context` is an earlier question to search for too; such an answer is never taken from the cache.
        Raises like `Engine.ask`, `IndexChanging` if the index keeps changing, and `RecordingFailed`.
        """
        scope = replace(scope, as_of=scope.as_of or self.engine.today())
        before = self._digest(scope.project)
        known = None if context else self._recall(question, scope, before)
        if known is not None:
            observer.stage("done", answered=isinstance(known.outcome, Answer))
            outcome = known.outcome
        else:
            outcome = self._compute(question, scope, self.watched(observer), context)
        now = self._digest(scope.project)
        return deliver(
            outcome,
            self.engine.profile,
            self.notary,
            asker,
            index_digest=now,
            generator=self.engine.generator.name,
            repeats=known.answer_id if known else None,
            # If the index changed meanwhile, it is unknown which of the two it was answered from.
            remember=self.answer_cache and now == before and not context,
            released_claims=releasable_claims(outcome) if streamed else 0,
        )

    def understand_after(self, question: str, earlier: Sequence[EarlierTurn]) -> AskedQuestion:
        """A question of a conversation as it is asked: give its `text` and `context` to `ask`."""
        return asked_after(question, earlier, self.engine)

    def close(self) -> None:
        """Closes the audit log; the engine's store stays open."""
        if self.notary is not None:
            self.notary.close()

    def _digest(self, project: str) -> str:
        """What the index holds now; without a record, a number that changes with it is enough, and cheaper."""
        return self.digests.digest(project) if self.notary is not None else str(self.store.generation(project))

    def _recall(self, question: str, scope: Scope, index_digest: str) -> CachedOutcome | None:
        if self.notary is None or not self.answer_cache:
            return None
        if scope.project not in self.store.projects():  # a project without documents has the digest of no project
            return None
        return self.notary.recall(question, scope, self.engine.profile, index_digest, self.engine.generator.name)

    def _compute(self, question: str, scope: Scope, observer: Observer, context: str) -> Outcome:
        """An outcome whose citations resolve in the index as it is now, also if documents changed meanwhile.

        If they do not resolve, the question is asked again.
        """
        for _ in range(_MAX_ATTEMPTS):
            before = self._digest(scope.project)
            try:
                outcome = self.engine.ask(question, scope, observer, context)
            except UsageError:
                if self._digest(scope.project) == before:
                    raise
            else:
                if self._digest(scope.project) == before or self._citations_resolve(scope.project, outcome):
                    return outcome
            observer = NULL_OBSERVER  # it has seen each stage already
        raise IndexChanging(
            f"the index of project {scope.project!r} changed during each of {_MAX_ATTEMPTS} attempts to answer",
            hint="ask again when the documents are indexed",
        )

    def _citations_resolve(self, project: str, outcome: Outcome) -> bool:
        """Whether every passage an answer cites is still there, unchanged and in the same version of its document."""
        if not isinstance(outcome, Answer):
            return True
        chunks = self.store.chunks(project, [hit.chunk.id for hit in outcome.sources])
        held = {chunk.id: chunk.digest for chunk in chunks}
        versions = {document.id: document.sha256 for document in self.store.documents(project)}
        return all(held.get(hit.chunk.id) == hit.chunk.digest for hit in outcome.sources) and all(
            versions.get(citation.document_id) == citation.document_sha256 for citation in outcome.citations
        )
