"""What the process tells about itself: numbers and codes from closed lists, and never a word of content."""

import asyncio
import json
import logging
from types import SimpleNamespace

import pytest

from footnotary.errors import UsageError
from footnotary.service.observability.metrics import Telemetry, TelemetryMiddleware
from footnotary.service.observability.opentelemetry_tracing import Tracing, configure_tracing

SECRET = "canary-7731"


@pytest.fixture
def log(logs):
    logging.getLogger().setLevel(logging.INFO)
    return lambda: [json.loads(line) for line in logs.getvalue().splitlines()]


def call(app, path="/v1/ask", route="/v1/projects/{project}/documents", method="POST", headers=()):
    """Sends one request through an ASGI app; what it sent back."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": SECRET.encode()}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "headers": list(headers), "query_string": b""}
    if route:
        scope["route"] = SimpleNamespace(path=route)
    asyncio.run(app(scope, receive, send))
    return sent


async def fine(scope, receive, send):
    scope["state"] = {"request_id": "req_1", "credential": SimpleNamespace(tenant="acme", key_id="k1")}
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": SECRET.encode()})


async def broken(scope, receive, send):
    raise RuntimeError(SECRET)


def sample(telemetry, name, **labels):
    text = telemetry.exposition().decode()
    wanted = "{" + ",".join(f'{key}="{value}"' for key, value in labels.items()) + "}" if labels else ""
    return next((float(line.split()[-1]) for line in text.splitlines() if line.startswith(f"{name}{wanted} ")), None)


def test_a_request_is_counted_and_timed_by_its_declared_address():
    telemetry = Telemetry()
    call(TelemetryMiddleware(fine, telemetry), path=f"/v1/projects/{SECRET}/documents")
    route = "/v1/projects/{project}/documents"
    assert sample(telemetry, "footnotary_http_requests_total", method="POST", route=route, status="200") == 1
    assert sample(telemetry, "footnotary_http_request_seconds_count", route=route) == 1
    assert sample(telemetry, "footnotary_http_requests_in_progress") == 0
    assert SECRET not in telemetry.exposition().decode()


def test_methods_and_addresses_that_are_not_ours_are_one_label():
    telemetry = Telemetry()
    for number in range(50):
        call(TelemetryMiddleware(fine, telemetry), path=f"/{SECRET}/{number}", route=None, method=f"BREW{number}")
    assert sample(telemetry, "footnotary_http_requests_total", method="other", route="none", status="200") == 50


def test_a_request_that_breaks_off_is_counted_and_no_longer_under_way():
    telemetry = Telemetry()
    with pytest.raises(RuntimeError):
        call(TelemetryMiddleware(broken, telemetry))
    assert sample(telemetry, "footnotary_http_requests_in_progress") == 0
    assert "499" in telemetry.exposition().decode()


def test_a_log_line_says_who_what_and_how_long_and_nothing_else(log):
    call(TelemetryMiddleware(fine, Telemetry()), path=f"/{SECRET}", headers=[(b"authorization", SECRET.encode())])
    (line,) = log()
    assert line.pop("seconds") >= 0
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "footnotary.requests",
        "event": "request",
        "request_id": "req_1",
        "method": "POST",
        "route": "/v1/projects/{project}/documents",
        "status": 200,
        "tenant": "acme",
        "key": "k1",
    }


def test_what_a_library_or_an_exception_says_is_not_written(log):
    logging.getLogger("somewhere").warning("could not parse %s", SECRET)
    logging.getLogger("footnotary.x").warning("event", extra={"question": SECRET, "reason": "no_text"})
    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger("somewhere").exception(f"while reading {SECRET}")
    lines = log()
    assert SECRET not in json.dumps(lines)
    assert [line["event"] for line in lines] == ["message", "event", "exception"]
    assert lines[1]["reason"] == "no_text"
    assert lines[2]["error"] == "ValueError"


def test_a_line_is_one_line_whatever_is_in_it(log):
    logging.getLogger("footnotary.x").warning("event", extra={"reason": "a\nb\u2028c\x1b[31m"})
    assert len(log()) == 1


def test_logs_go_where_they_are_sent_and_addresses_are_not_logged(logs):
    logging.getLogger("footnotary.service").info("started")
    logging.getLogger("uvicorn.access").info('"GET /%s"', SECRET)
    assert [json.loads(line)["event"] for line in logs.getvalue().splitlines()] == ["started"]


def test_the_steps_of_a_question_are_timed_and_passed_on():
    heard = []
    telemetry = Telemetry()
    watched = telemetry.watched(SimpleNamespace(stage=lambda name, **facts: heard.append((name, facts))))
    for stage, facts in (("understood", {}), ("retrieved", {"hits": 3}), ("gated", {}), ("done", {})):
        watched.stage(stage, **facts)
    assert heard == [("understood", {}), ("retrieved", {"hits": 3}), ("gated", {}), ("done", {})]
    for doing in ("understand", "retrieve", "gate"):
        assert sample(telemetry, "footnotary_stage_seconds_count", stage=doing) == 1


def exported():
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return exporter, provider


def test_spans_follow_the_conventions_and_carry_no_content():
    pytest.importorskip("opentelemetry.sdk")
    exporter, provider = exported()
    telemetry = Telemetry(Tracing(provider, model="gpt-x"))

    async def asking(scope, receive, send):
        watched = telemetry.watched()
        watched.stage("understood")
        watched.stage("retrieved", hits=2)
        watched.stage("gated", verdict="pass", reason=None)
        watched.stage("drafting")
        watched.stage("drafted", claims=1)
        watched.stage("verified", passed=True)
        await fine(scope, receive, send)

    parent = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    call(TelemetryMiddleware(asking, telemetry), path=f"/{SECRET}", headers=[(b"traceparent", parent)])
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert set(spans) == {
        "footnotary.understand",
        "retrieval",
        "footnotary.gate",
        "chat gpt-x",
        "footnotary.verify",
        "POST",
    }
    server, chat = spans["POST"], spans["chat gpt-x"]
    assert format(server.context.trace_id, "032x") == "0af7651916cd43dd8448eb211c80319c"
    assert server.attributes["http.route"] == "/v1/projects/{project}/documents"
    assert server.attributes["http.response.status_code"] == 200
    assert chat.parent.span_id == server.context.span_id
    assert chat.attributes["gen_ai.operation.name"] == "chat"
    assert chat.attributes["gen_ai.request.model"] == "gpt-x"
    assert spans["retrieval"].attributes["footnotary.hits"] == 2
    assert SECRET not in "".join(span.to_json() for span in exporter.get_finished_spans())


def test_an_extractive_draft_is_no_chat():
    pytest.importorskip("opentelemetry.sdk")
    exporter, provider = exported()
    telemetry = Telemetry(Tracing(provider))
    telemetry.watched().stage("drafted", claims=1)
    (span,) = exporter.get_finished_spans()
    assert span.name == "footnotary.generate"
    assert "gen_ai.operation.name" not in span.attributes


def test_an_exception_in_a_request_leaves_no_words_in_its_span():
    pytest.importorskip("opentelemetry.sdk")
    exporter, provider = exported()
    with pytest.raises(RuntimeError):
        call(TelemetryMiddleware(broken, Telemetry(Tracing(provider))))
    assert SECRET not in "".join(span.to_json() for span in exporter.get_finished_spans())


def test_spans_that_would_get_lost_are_said_to(monkeypatch):
    assert configure_tracing(environ={}) is not None
    import sys

    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(UsageError, match="exporter"):
        configure_tracing(environ={"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})


def test_without_opentelemetry_nothing_is_traced_and_all_works(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    telemetry = Telemetry(Tracing())
    call(TelemetryMiddleware(fine, telemetry))
    telemetry.watched().stage("retrieved", hits=1)
