"""Answers collected requests with a live OpenAI-compatible server, one after the other; a stopped run continues."""

from __future__ import annotations

import gzip
import json
import sys
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from benchmarks.llm.peers.model_server import RecordedReply
from benchmarks.llm.peers.questions import read_rows

TIMEOUT_S = 1_800


def recorded_replies(path: Path) -> dict[str, RecordedReply]:
    """The replies of a file by the id of their request; none where there is no file."""
    if not path.is_file():
        return {}
    names = ("text", "finish", "tokens_in", "tokens_out")
    return {row["id"]: RecordedReply(**{name: row[name] for name in names}) for row in read_rows(path)}


def complete(requests: Iterable[dict[str, Any]], path: Path, server: str, model: str) -> None:
    """Asks the server for every reply that the file does not have yet, and adds each to it at once."""
    known = recorded_replies(path)
    missing = list({row["id"]: row for row in requests if row["id"] not in known}.values())
    for row in track(missing, "replies", console=Console(stderr=True), disable=not sys.stderr.isatty()):
        reply = _asked(row, server, model)
        with gzip.open(path, "at", encoding="utf-8") as file:
            file.write(json.dumps({"id": row["id"], **reply}, ensure_ascii=False) + "\n")


def _asked(row: dict[str, Any], server: str, model: str) -> dict[str, Any]:
    body: dict[str, Any] = {"model": model, "messages": row["messages"], "temperature": 0.0, "seed": 0}
    if row["max_tokens"]:
        body["max_tokens"] = row["max_tokens"]
    if row["schema"]:
        form = {"name": "reply", "strict": True, "schema": row["schema"]}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    url = f"{server.rstrip('/')}/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
        said: dict[str, Any] = json.load(response)
    choice, usage = said["choices"][0], said.get("usage") or {}
    return {
        "text": choice["message"]["content"] or "",
        "finish": choice["finish_reason"] or "stop",
        "tokens_in": usage.get("prompt_tokens", 0),
        "tokens_out": usage.get("completion_tokens", 0),
    }
