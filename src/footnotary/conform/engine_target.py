"""The product's own engine as a target, in process: passages are indexed, retrieved and answered from."""

import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from footnotary.conform.case import TargetReply, Tenant, Turn
from footnotary.conform.scripted_model_server import MODEL_NAME
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.errors import BackendError
from footnotary.profiles.load import load_profile
from footnotary.render.answer_text import render
from footnotary.settings import Settings
from footnotary.wiring import Opened, opened


@dataclass(frozen=True, slots=True)
class EngineTarget:
    """Each tenant has its own store, each case its own project; passages that a turn no longer has are deleted."""

    tenants: dict[Tenant, Opened]
    name: str = "Footnotary, engine"
    streams: bool = False
    has_tenants: bool = True

    def ask(self, turn: Turn, project: str) -> TargetReply:
        tenant = self.tenants[turn.tenant]
        self._holds(tenant, turn, project)
        started = time.perf_counter()
        outcome = tenant.engine.ask(turn.question, Scope(project, tenant.settings.tenant))
        seconds = time.perf_counter() - started
        if not isinstance(outcome, Answer):
            return TargetReply(outcome.message, (), True, seconds)
        cited = dict.fromkeys(_passage_id(citation.path) for citation in outcome.citations)
        text = render(outcome, tenant.engine.profile.presentation.style).text
        quoted = tuple(claim.text for claim in outcome.claims) if outcome.quoted else ()
        return TargetReply(text, tuple(cited), False, seconds, quoted)

    def _holds(self, tenant: Opened, turn: Turn, project: str) -> None:
        if project in tenant.store.projects():
            kept = {passage.id for passage in turn.passages}
            for document in tenant.corpus.documents(project):
                if _passage_id(document.path) not in kept:
                    tenant.corpus.delete(project, document.id)
        for passage in turn.passages:
            report = tenant.corpus.ingest_text(f"{passage.id}.txt", passage.text, project)
            if report.failed:
                raise BackendError(f"cannot ingest {passage.id}: {report.failed[0].message}")


def _passage_id(path: str) -> str:
    """The id of the passage that was ingested as `text:HR_7.txt`."""
    return path.rpartition(":")[2].removesuffix(".txt")


@contextmanager
def engine_target(base_url: str, settings: Settings) -> Generator[EngineTarget]:
    """An engine over empty stores that drafts with the model at `base_url`; the stores are deleted at the end."""
    policy = load_profile(settings.profile)
    with tempfile.TemporaryDirectory() as home, ExitStack() as open_stores:
        tenants: dict[Tenant, Opened] = {}
        for tenant in ("first", "second"):
            own = replace(settings, home=Path(home), tenant=tenant, model=MODEL_NAME, base_url=base_url, api_key="none")
            tenants[tenant] = open_stores.enter_context(opened(own, policy))
        yield EngineTarget(tenants)
