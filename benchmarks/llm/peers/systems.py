"""The peers, each in its own process with its own packages, asked over HTTP with the passages in the request."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.llm.peers.ours import SystemOutcome
from benchmarks.llm.peers.questions import PeerQuestion

ROOT = Path(__file__).parents[3]
PEERS = {
    "llamaindex": "LlamaIndex CitationQueryEngine",
    "haystack": "Haystack AnswerBuilder",
    "langchain-cited": "LangChain, structured citations",
}
PACKAGES = ("llama-index-core", "haystack-ai", "langchain-core", "langchain-openai")
START_S = 120


class PeerSystem:
    """One peer behind its port."""

    def __init__(self, name: str, port: int) -> None:
        self.name = name
        self._url = f"http://127.0.0.1:{port}/v1/chat/completions"

    def answer(self, question: PeerQuestion) -> SystemOutcome:
        documents = [{"id": passage.id, "title": "", "text": passage.with_heading()} for passage in question.passages]
        body = {"messages": [{"role": "user", "content": question.question}], "documents": documents}
        request = urllib.request.Request(
            self._url, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )  # fmt: skip
        try:
            with urllib.request.urlopen(request, timeout=600) as response:
                said: dict[str, Any] = json.load(response)
                took = response.headers.get("Server-Timing", "dur=0").rpartition("=")[2]
        except urllib.error.HTTPError as error:
            return SystemOutcome("", failed=True, why=str(json.load(error).get("error", ""))[:200])
        message = said["choices"][0]["message"]
        cited = (str(one["url_citation"]["title"]) for one in message["annotations"])
        return SystemOutcome(message["content"] or "", tuple(dict.fromkeys(cited)), seconds=float(took) / 1000)


@contextmanager
def running_peer(name: str, python: Path, model_url: str, max_tokens: int) -> Iterator[PeerSystem]:
    """The peer while it runs; `python` is that of the environment it is installed in."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(python), "-m", "benchmarks.peers", name, model_url, str(port), str(max_tokens)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        for _ in range(START_S * 10):
            time.sleep(0.1)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None:
                raise SystemExit(f"{name} did not start: {' '.join(command)}")
        yield PeerSystem(name, port)
    finally:
        process.terminate()
        process.wait(10)


def package_versions(python: Path) -> list[str]:
    """The versions that the peers' environment has."""
    code = f"from importlib.metadata import version as v\nprint(*(p + ' ' + v(p) for p in {PACKAGES!r}), sep='\\n')"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
