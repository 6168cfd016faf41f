"""Structured logs: one JSON object per line with allowlisted fields only, so that no content can leak into them."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import IO

# Only these fields are written. Questions, answers and passages have no field.
LOG_FIELDS = (
    "request_id",
    "method",
    "route",
    "status",
    "seconds",
    "tenant",
    "key",
    "job",
    "state",
    "attempts",
    "bytes",
    "reason",
    "kind",
    "place",
    "error",
)


class JsonLogFormatter(logging.Formatter):
    """Our own records with event and fields; those of libraries with logger and level.

    A library's message may quote its input. It is written only if it is a constant: no arguments and no exception. Of
    an exception only the type is logged.
    """

    def format(self, record: logging.LogRecord) -> str:
        is_ours = record.name.split(".")[0] == "footnotary"
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.msg if isinstance(record.msg, str) and (is_ours or not record.args) else "message",
        }
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
            line["event"] = record.msg if is_ours else "exception"
        line |= {name: value for name in LOG_FIELDS if (value := record.__dict__.get(name)) is not None}
        return json.dumps(line, ensure_ascii=True)


def configure_logs(stream: IO[str] | None = None, level: int = logging.INFO) -> None:
    """Sends all logs of this process to `stream`, standard error by default, as JSON lines."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLogFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("footnotary").setLevel(level)
    # Its access log contains raw URLs, with names of projects and documents.
    logging.getLogger("uvicorn.access").disabled = True
