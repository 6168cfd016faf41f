"""OpenTelemetry spans, if it is installed: the only file that imports it. Without it nothing is traced.

Names and attributes follow the HTTP and the GenAI conventions. Spans contain numbers and codes: no prompt, no passage,
no answer, no name of a project or tenant.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope

from footnotary.errors import UsageError
from footnotary.ports import StageFact

ENDPOINT_VARIABLES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_GENAI_OPERATIONS = {"retrieve": "retrieval", "generate": "chat"}  # the steps with a GenAI convention


class Tracing:
    """Creates spans with the given tracer provider or the process's own; does nothing if none is installed.

    `model` is the chat model's name, None if answers are extractive.
    """

    def __init__(self, provider: Any = None, model: str | None = None) -> None:
        self._model = model
        self._api: Any = None
        self._tracer: Any = None
        try:
            from opentelemetry import propagate, trace
        except ImportError:
            return
        self._api, self._propagate = trace, propagate
        self._tracer = (provider or trace.get_tracer_provider()).get_tracer("footnotary")

    @contextmanager
    def request(self, scope: Scope) -> Generator[RequestSpan]:
        """The span of one request, a child of the caller's span if it sent a `traceparent`."""
        if self._tracer is None:
            yield RequestSpan(None)
            return
        headers = Headers(scope=scope)
        carrier = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
        with self._tracer.start_as_current_span(
            scope["method"],
            context=self._propagate.extract(carrier),
            kind=self._api.SpanKind.SERVER,
            attributes={"http.request.method": scope["method"], "url.scheme": scope.get("scheme", "http")},
            record_exception=False,  # an exception's message may quote a document or a question
            set_status_on_exception=False,
        ) as span:
            yield RequestSpan(span)

    def step(self, doing: str, seconds: float, facts: Mapping[str, StageFact]) -> None:
        """Records a step of answering that has just ended, as a child of the current span."""
        if self._tracer is None:
            return
        ended = time.time_ns()
        operation = _GENAI_OPERATIONS.get(doing)
        asks_model = operation == "chat" and self._model is not None
        attributes: dict[str, Any] = {f"footnotary.{name}": value for name, value in facts.items() if value is not None}
        if operation == "retrieval" or asks_model:
            attributes["gen_ai.operation.name"] = operation
        if asks_model:
            attributes |= {"gen_ai.provider.name": "openai", "gen_ai.request.model": self._model}
            attributes["gen_ai.request.temperature"] = 0.0
        span = self._tracer.start_span(
            f"chat {self._model}" if asks_model else operation if operation == "retrieval" else f"footnotary.{doing}",
            kind=self._api.SpanKind.CLIENT if asks_model else self._api.SpanKind.INTERNAL,
            start_time=ended - int(seconds * 1e9),
            attributes=attributes,
        )
        span.end(ended)


class RequestSpan:
    """The span of a request, completed with its route and status at the end."""

    def __init__(self, span: Any) -> None:
        self._span = span

    def end(self, route: str, status: int) -> None:
        if self._span is None:
            return
        self._span.set_attribute("http.response.status_code", status)
        if route != "none":
            self._span.set_attribute("http.route", route)
        if status >= 500:
            self._span.set_attribute("error.type", str(status))


def configure_tracing(model: str | None = None, environ: Mapping[str, str] = os.environ) -> Tracing:
    """Sends spans to the endpoint in the standard `OTEL_EXPORTER_OTLP_*` variables; nowhere if they are not set.

    Raises `UsageError` if an endpoint is set but the exporter is not installed, rather than losing spans silently.
    """
    if not any(environ.get(name) for name in ENDPOINT_VARIABLES):
        return Tracing(model=model)
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # pyright: ignore[reportMissingImports]
            OTLPSpanExporter,  # pyright: ignore[reportUnknownVariableType]
        )
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise UsageError(
            "an OTLP endpoint is set, but its exporter is not installed",
            hint="pip install 'footnotary[telemetry]', or unset OTEL_EXPORTER_OTLP_ENDPOINT",
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": "footnotary"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))  # pyright: ignore[reportUnknownArgumentType]
    return Tracing(provider, model)
