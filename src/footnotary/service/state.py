"""What the process holds open: the embedder, the keys, and each tenant's store, opened when first asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeAlias, TypeVar, cast

from fastapi import Request

from footnotary.audit.notary import Notary
from footnotary.corpus import Corpus
from footnotary.domain.identity import is_semantic_id
from footnotary.engine import Engine
from footnotary.ports import Embedder, ServedStore
from footnotary.profiles.adjust import adjusted
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.profiles.schema import Profile
from footnotary.service.jobs import JobQueue
from footnotary.service.keys import KeyRing
from footnotary.service.limits import Rates, Turns
from footnotary.service.problems import Problem
from footnotary.service.runner import JobRunner
from footnotary.service.telemetry import Telemetry
from footnotary.service.tracing import Tracing
from footnotary.settings import Settings
from footnotary.wiring import build_corpus, build_engine, open_embedder, open_notary, open_store, tenant_folder

T = TypeVar("T")
# Each project with how many changes it has seen.
Mark: TypeAlias = tuple[tuple[str, int], ...]

_ENGINES = 64
_THREADS_FOR_EXTRACTION = 2


@dataclass(frozen=True, slots=True)
class Policy:
    """The profile one request asks for, with what it changes of it; None leaves the profile's own."""

    profile: str
    k: int | None = None
    min_sources: int | None = None
    follow_references: bool | None = None
    extractive: bool = False


@dataclass(slots=True)
class TenantState:
    """All that belongs to one tenant; nothing of it is reached by another one's credential.

    Threads may share it. `engine` gives the same engine for the same policy.
    """

    name: str
    folder: Path
    settings: Settings
    store: ServedStore
    corpus: Corpus
    jobs: JobQueue
    notary: Notary
    telemetry: Telemetry
    embedder: Embedder
    _profile: Callable[[str], Profile]
    _engines: OrderedDict[Policy, Engine] = field(default_factory=OrderedDict[Policy, Engine])
    _digests: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    _guard: Lock = field(default_factory=Lock)

    def engine(self, policy: Policy) -> Engine:
        """Raises `Problem` where there is no such profile."""
        with self._guard:
            found = self._engines.get(policy)
            if found is None:
                found = self._engines[policy] = self._built(policy)
            self._engines.move_to_end(policy)
            while len(self._engines) > _ENGINES:
                self._engines.popitem(last=False)
            return found

    def mark(self) -> Mark:
        """What all that the tenant has is known by: another one after every change."""
        return tuple((project, self.store.generation(project)) for project in sorted(self.store.projects()))

    def index_digest(self, project: str) -> str:
        """The digest of all that can be found in a project now; read anew only after a change."""
        generation = self.store.generation(project)
        held = self._digests.get(project)
        if held is None or held[0] != generation:
            held = generation, self.store.index_digest(project)
            if generation:  # anybody can name a project that was never there
                self._digests[project] = held
        return held[1]

    def close(self) -> None:
        self.notary.close()
        self.jobs.close()
        self.store.close()

    def _built(self, policy: Policy) -> Engine:
        profile = adjusted(
            self._profile(policy.profile),
            k=policy.k,
            min_sources=policy.min_sources,
            follow_references=policy.follow_references,
        )
        settings = replace(self.settings, model=None) if policy.extractive else self.settings
        return build_engine(settings, profile, self.store, self.embedder)


class ServiceState:
    """One process's service. `tenant` opens what a credential stands for; `work` runs what takes time.

    `profiles` are those that requests may name: the built-in ones, the settings' own, and `<home>/profiles/*.toml`.
    A request never names a path.
    """

    def __init__(
        self, settings: Settings, embedder: Embedder | None = None, telemetry: Telemetry | None = None
    ) -> None:
        self.settings = settings
        self.embedder = embedder or open_embedder(settings.embedder)
        self.keys = KeyRing(settings.home)
        self.rates = Rates(settings.rate_per_minute)
        threads = settings.max_concurrency if settings.model else _THREADS_FOR_EXTRACTION
        self.turns = Turns(threads, settings.max_concurrency, settings.concurrency, settings.request_timeout_s)
        self.profiles = _profiles(settings)
        self.default_profile = load_profile(settings.profile).name
        self.telemetry = telemetry or Telemetry(Tracing(model=settings.model))
        self.telemetry.gauge("requests_in_flight", "Requests that run or wait for a thread.", lambda: self.turns.inside)
        self.runner = JobRunner(self.tenant, finished=self.telemetry.count_job)
        self._tenants: dict[str, TenantState] = {}
        self._guard = Lock()

    def tenant(self, name: str) -> TenantState:
        """The tenant's state, opened once. Blocks while it opens: call it from `work`."""
        with self._guard:
            if name not in self._tenants:
                self._tenants[name] = self._opened(name)
            return self._tenants[name]

    def profile(self, name: str) -> Profile:
        if name not in self.profiles:
            raise Problem("unknown_profile")
        return self.profiles[name]

    async def work(self, tenant: str, do: Callable[[TenantState], T]) -> T:
        """What `do` returns for the tenant, in a thread, when it is the tenant's turn.

        Raises `Problem` where there is no room or no time.
        """
        return await self.turns.run(tenant, partial(self._do, tenant, do))

    def start(self) -> None:
        """Begins to index what was accepted, also before an earlier process ended."""
        found = (path.parent.name for path in sorted((self.settings.home / "tenants").glob("*/jobs.db")))
        self.runner.start(name for name in found if is_semantic_id(name))

    def ready(self) -> None:
        """Raises where a question could not be answered now."""
        if self.turns.inside >= self.settings.max_concurrency:
            raise Problem("overloaded")

    def close(self) -> None:
        """Waits for what is under way, and closes everything."""
        self.runner.close()
        self.turns.close()
        with self._guard:
            for tenant in self._tenants.values():
                tenant.close()
            self._tenants.clear()
        self.keys.close()

    def _do(self, tenant: str, do: Callable[[TenantState], T]) -> T:
        return do(self.tenant(tenant))

    def _opened(self, name: str) -> TenantState:
        settings = replace(self.settings, tenant=name)
        store = open_store(settings, self.embedder)
        corpus = build_corpus(settings, store, self.embedder)
        folder = tenant_folder(settings)
        with ExitStack() as opened:
            opened.callback(store.close)
            jobs = JobQueue(folder)
            opened.callback(jobs.close)
            notary = open_notary(settings, self.embedder.name)
            opened.pop_all()
        return TenantState(
            name, folder, settings, store, corpus, jobs, notary, self.telemetry, self.embedder, self.profile
        )


async def service_of(request: Request) -> ServiceState:
    """The dependency of a route that needs the state."""
    return cast(ServiceState, request.app.state.service)


def _profiles(settings: Settings) -> dict[str, Profile]:
    own = [load_profile(path) for path in sorted((settings.home / "profiles").glob("*.toml"))]
    found = [*(load_profile(name) for name in BUILT_IN), *own, load_profile(settings.profile)]
    return {profile.name: profile for profile in found}
