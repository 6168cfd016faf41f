"""Telemetry: Prometheus metrics, one log line per request, and spans. None of them contains content.

Labels come from closed lists: methods, route templates (never the raw path), status codes, stages, reasons and
profiles. None contains a question, the name of a document or project, or a tenant.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from footnotary import __version__
from footnotary.deprecated import METRICS
from footnotary.domain.outcome import Answer, Outcome
from footnotary.ports import NULL_OBSERVER, Observer, Stage, StageFact
from footnotary.service.jobs.job import IndexingJob
from footnotary.service.observability.opentelemetry_tracing import Tracing

EXPOSITION_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

disable_created_metrics()  # an extra series per metric that nobody uses

_log = logging.getLogger("footnotary.requests")
_LATENCY_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
# The step that ends when a stage is reported; "drafting" and "done" only mark a beginning and an end.
_STEP_BY_STAGE: dict[Stage, str] = {
    "understood": "understand",
    "retrieved": "retrieve",
    "gated": "gate",
    "drafted": "generate",
    "verified": "verify",
    "quoted": "quote",
}


class Telemetry:
    """The metrics of one process. Threads may share an instance; two instances are independent."""

    def __init__(self, tracing: Tracing | None = None) -> None:
        self.tracing = tracing or Tracing()
        self._exposed: Callable[[], bytes] = self.own_exposition
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        self._build = Gauge("footnotary_build_info", "The running version.", ["version"], registry=registry)
        self._build.labels(__version__).set(1)
        self._requests = Counter(
            "footnotary_http_requests", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        self._request_s = Histogram(
            "footnotary_http_request_seconds",
            "Time from the first byte of a request to the last byte of its response.",
            ["route"],
            buckets=_LATENCY_BUCKETS_S,
            registry=registry,
        )
        self._shed = Counter("footnotary_requests_shed", "Requests rejected unread, at capacity.", registry=registry)
        self._in_progress = self._gauge("footnotary_http_requests_in_progress", "Requests being answered.")
        self._outcomes = Counter(
            "footnotary_outcomes", "Questions answered or refused.", ["outcome", "reason", "profile"], registry=registry
        )
        self._claims = Counter("footnotary_claims", "Verified claims delivered.", registry=registry)
        self._stage_s = Histogram(
            "footnotary_stage_seconds",
            "Duration of a step of answering.",
            ["stage"],
            buckets=_LATENCY_BUCKETS_S,
            registry=registry,
        )
        self._jobs = Counter(
            "footnotary_jobs_finished", "Indexing jobs finished, by final state.", ["state"], registry=registry
        )
        self._job_s = Histogram(
            "footnotary_job_seconds",
            "Duration of an indexing job.",
            buckets=(0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0),
            registry=registry,
        )

    def gauge(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """Adds a gauge whose value is read at scrape time."""
        for gauge in self._gauge(f"footnotary_{name}", help_text):
            gauge.set_function(value)

    def exposition(self) -> bytes:
        """The metrics of the service: of this process, or of all workers."""
        return self._exposed()

    def own_exposition(self) -> bytes:
        """The metrics of this process."""
        return generate_latest(self._registry)

    def expose(self, exposition: Callable[[], bytes]) -> None:
        """Answers `exposition` with another text from now on."""
        self._exposed = exposition

    def watched(self, observer: Observer = NULL_OBSERVER) -> MeasuringObserver:
        """An observer for one question that measures each stage and forwards it."""
        return MeasuringObserver(self, observer)

    def observe_stage(self, doing: str, seconds: float) -> None:
        self._stage_s.labels(doing).observe(seconds)

    def count_outcome(self, outcome: Outcome) -> None:
        is_answer = isinstance(outcome, Answer)
        reason = "" if is_answer else outcome.reason.value
        self._outcomes.labels("answer" if is_answer else "refusal", reason, outcome.profile).inc()
        if is_answer:
            self._claims.inc(len(outcome.claims))

    def count_job(self, tenant: str, job: IndexingJob) -> None:
        """Counts a finished job and logs its result."""
        seconds = float((job.result or {}).get("seconds", 0.0))
        self._jobs.labels(job.state).inc()
        self._job_s.observe(seconds)
        failed = cast("list[dict[str, str]]", (job.result or {}).get("failed", []))
        _log.info(
            "job",
            extra={
                "tenant": tenant,
                "job": job.id,
                "state": job.state,
                "attempts": job.attempts,
                "bytes": job.size,
                "seconds": seconds,
                "reason": failed[0]["reason"] if failed else None,
            },
        )

    def count_request(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = route_template(scope)
        self._requests.labels(method, route, str(status)).inc()
        self._request_s.labels(route).observe(seconds)
        state: dict[str, Any] = scope.get("state", {})
        credential = state.get("credential")
        _log.info(
            "request",
            extra={
                "request_id": state.get("request_id"),
                "method": method,
                "route": route,
                "status": status,
                "seconds": round(seconds, 4),
                "tenant": credential and credential.tenant,
                "key": credential and credential.key_id,
            },
        )

    def count_shed(self) -> None:
        self._shed.inc()

    def request_started(self) -> None:
        for gauge in self._in_progress:
            gauge.inc()

    def request_finished(self) -> None:
        for gauge in self._in_progress:
            gauge.dec()

    def _gauge(self, name: str, help_text: str) -> tuple[Gauge, ...]:
        """The gauge, and one for each former name of it."""
        former = [old for old, present in METRICS.items() if present == name]
        return (
            Gauge(name, help_text, registry=self._registry),
            *(Gauge(old, f"Deprecated: use {name}.", registry=self._registry) for old in former),
        )


class MeasuringObserver:
    """Measures the steps of one question, and records a span for each."""

    def __init__(self, telemetry: Telemetry, observer: Observer) -> None:
        self._telemetry = telemetry
        self._observer = observer
        self._last = time.perf_counter()

    def stage(self, name: Stage, **facts: StageFact) -> None:
        now = time.perf_counter()
        if doing := _STEP_BY_STAGE.get(name):
            self._telemetry.observe_stage(doing, now - self._last)
            self._telemetry.tracing.step(doing, now - self._last, facts)
        self._last = now
        self._observer.stage(name, **facts)


class TelemetryMiddleware:
    """Counts, times, logs and traces every request; outside all other middleware but load shedding."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self._app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._telemetry.request_started()
        with self._telemetry.tracing.request(scope) as span:
            try:
                await self._app(scope, receive, sending)
            finally:
                # 499, as nginx writes it: the client disconnected before there was a response.
                self._telemetry.request_finished()
                self._telemetry.count_request(scope, status or 499, time.perf_counter() - started)
                span.end(route_template(scope), status or 499)


def route_template(scope: Scope) -> str:
    """The route template of a request; an unknown path is not repeated."""
    return str(getattr(scope.get("route"), "path", "none"))
