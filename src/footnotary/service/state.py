"""What the process keeps open: the embedder, the keys, and each tenant's store, opened at its first request."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeAlias, TypeVar, cast

from fastapi import Request

from footnotary.app.index_digests import IndexDigests
from footnotary.app.session import Session
from footnotary.audit.recorder import Notary
from footnotary.corpus import Corpus
from footnotary.domain.identity import is_semantic_id
from footnotary.engine import Engine
from footnotary.ports import Embedder, ManagedStore
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.profiles.schema import Profile
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.service.engine_cache import EngineCache, Policy
from footnotary.service.jobs.queue import JobQueue
from footnotary.service.jobs.runner import JobRunner
from footnotary.service.observability.metrics import Telemetry
from footnotary.service.observability.opentelemetry_tracing import Tracing
from footnotary.service.problems import Problem, choice_of
from footnotary.service.rate_limits import ConcurrencyLimiter, InFlight, RateLimiter
from footnotary.settings import Settings
from footnotary.wiring import build_corpus, build_engine, open_embedder, open_notary, open_store, tenant_folder

T = TypeVar("T")
# Each project with the number of changes it has seen.
DocumentsVersion: TypeAlias = tuple[tuple[str, int], ...]

_THREADS_FOR_EXTRACTION = 2


@dataclass(slots=True)
class TenantState:
    """Everything of one tenant; no other tenant's credential reaches it. Threads may share it."""

    name: str
    folder: Path
    settings: Settings
    store: ManagedStore
    corpus: Corpus
    jobs: JobQueue
    notary: Notary
    telemetry: Telemetry
    embedder: Embedder
    _profile: Callable[[str], Profile]
    _engines: EngineCache = field(init=False)
    _digests: IndexDigests = field(init=False)

    def __post_init__(self) -> None:
        self._engines = EngineCache(self._build)
        self._digests = IndexDigests(self.store)

    def engine(self, policy: Policy) -> Engine:
        """The engine of a policy, the same object each time. Raises `Problem` for an unknown profile."""
        return self._engines.engine(policy)

    def session(self, policy: Policy) -> Session:
        """A session under a policy: what is asked in it is recorded. Raises `Problem` for an unknown profile."""
        return Session(
            self.engine(policy),
            self.store,
            self._digests,
            self.notary,
            answer_cache=self.settings.answer_cache == "on",
            watched=self.telemetry.watched,
        )

    def projects(self) -> list[str]:
        """The names of the tenant's projects in order, with those that have no document yet."""
        return sorted({*self.store.projects(), *self.jobs.projects()})

    def require_project(self, name: str) -> None:
        """Raises `Problem`, with the names of the projects that exist, if the tenant has no such project."""
        known = self.projects()
        if name not in known:
            created = "uploading a document to a new project creates it"
            choice = choice_of(known, "projects") if known else f"there is none yet: {created}"
            raise Problem("unknown_project", f"This project does not exist; {choice}.")

    def mark(self) -> DocumentsVersion:
        """What identifies the state of all projects of the tenant: it differs after every change."""
        return tuple((project, self.store.generation(project)) for project in sorted(self.store.projects()))

    def close(self) -> None:
        self.notary.close()
        self.jobs.close()
        self.store.close()

    def _build(self, profile: str, extractive: bool) -> Engine:
        settings = replace(self.settings, model=None) if extractive else self.settings
        engine = build_engine(settings, self._profile(profile), self.store, self.embedder)
        return replace(engine, created_projects=self.jobs.projects)


class ServiceState:
    """The service of one process. `tenant` opens the tenant of a credential; `work` runs blocking calls in threads.

    `profiles` are those that requests may name: the built-in ones, the settings' own, and `<home>/profiles/*.toml`.
    A request never names a path. Workers share `rates` and `in_flight`; one process counts for itself.
    """

    def __init__(
        self,
        settings: Settings,
        embedder: Embedder | None = None,
        telemetry: Telemetry | None = None,
        *,
        rates: RateLimiter | None = None,
        in_flight: InFlight | None = None,
    ) -> None:
        self.settings = settings
        self.embedder = embedder or open_embedder(settings.embedder)
        self.keys = ApiKeyStore(settings.home)
        self.rates = rates or RateLimiter(settings.rate_per_minute)
        threads = settings.max_concurrency if settings.model else _THREADS_FOR_EXTRACTION
        self.limiter = ConcurrencyLimiter(
            threads, settings.max_concurrency, settings.concurrency, settings.request_timeout_s, in_flight
        )
        self.profiles = _profiles(settings)
        self.default_profile = load_profile(settings.profile).name
        self.telemetry = telemetry or Telemetry(Tracing(model=settings.model))
        self.telemetry.gauge(
            "requests_in_flight", "Requests that run or wait for a thread.", lambda: self.limiter.in_flight_here
        )
        self.runner = JobRunner(self.tenant, finished=self.telemetry.count_job)
        self._tenants: dict[str, TenantState] = {}
        self._guard = Lock()

    def tenant(self, name: str) -> TenantState:
        """The tenant's state, opened once. Blocks while it opens: call it from `work`."""
        with self._guard:
            if name not in self._tenants:
                self._tenants[name] = self._open_tenant(name)
            return self._tenants[name]

    def profile(self, name: str) -> Profile:
        if name not in self.profiles:
            raise Problem(
                "unknown_profile", f"This profile does not exist; {choice_of(list(self.profiles), 'profiles')}."
            )
        return self.profiles[name]

    async def work(self, tenant: str, do: Callable[[TenantState], T]) -> T:
        """What `do` returns for the tenant, in a thread, as soon as the concurrency limits allow it.

        Raises `Problem` at capacity and on timeout.
        """
        return await self.limiter.run(tenant, partial(self._do, tenant, do))

    def start(self) -> None:
        """Starts to index accepted files, those of an earlier process too."""
        found = (path.parent.name for path in sorted((self.settings.home / "tenants").glob("*/jobs.db")))
        self.runner.start(name for name in found if is_semantic_id(name))

    def ready(self) -> None:
        """Raises `Problem` at capacity."""
        if self.limiter.in_flight >= self.settings.max_concurrency:
            raise Problem("overloaded")

    def close(self) -> None:
        """Waits for running work, and closes everything."""
        self.runner.close()
        self.limiter.close()
        with self._guard:
            for tenant in self._tenants.values():
                tenant.close()
            self._tenants.clear()
        self.keys.close()

    def _do(self, tenant: str, do: Callable[[TenantState], T]) -> T:
        return do(self.tenant(tenant))

    def _open_tenant(self, name: str) -> TenantState:
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
