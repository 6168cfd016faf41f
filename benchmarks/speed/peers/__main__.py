"""LlamaIndex, Haystack, LangChain, Chroma, LanceDB and FAISS next to Footnotary: ingest, search, answers, memory, install.

    python -m benchmarks.speed.peers [--n 2000] [--turns 2] [--environments FOLDER] [--only NAME ...]

Every system gets the same passages (pieces of real acts, and ten short ones that answer the questions), the same
questions and the same vectors, which the fast embedder of Footnotary has computed before: no peer embeds anything. A
local model replies immediately with the sentence that answers. Each peer is installed in an environment of its own under
FOLDER (default .cache/speed-peers) and measured in a process of its own, in turns; the better time counts.
What cannot be installed is named with the reason. Writes benchmarks/results/speed/peers.json and .md, unless `--only`
is given.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scale.passages import questions as headings
from benchmarks.speed.answer_path import RESULTS, machine
from benchmarks.speed.corpora import pieces, where_from
from benchmarks.speed.peers.environments import PACKAGES, ROOT, made, python_of
from benchmarks.speed.peers.facts import FACTS
from benchmarks.speed.peers.report import as_markdown
from footnotary.conform.case import Turn
from footnotary.conform.scripted_model_server import ScriptedModelServer, request_text
from footnotary.wiring import open_embedder

COMMAND = "python -m benchmarks.speed.peers"
OURS = ("footnotary-store", "footnotary-lexical", "footnotary-small")
HEADINGS, TIMEOUT_S = 40, 240
_NUMBER = re.compile(r"(?:Source |\[)(\d{1,3})")


class ImmediateModel(ScriptedModelServer):
    """Replies with the sentence that answers the question, and the number of the source that has it."""

    def _answer(self, request: dict[str, Any]) -> Any:
        prompt = request_text(request)
        asked = [fact for fact in FACTS if fact[1] in prompt]
        self.playing = Turn("", (), verbatim=_reply(prompt, asked[-1][2]) if asked else "I cannot answer.")
        return super()._answer(request)


def _reply(prompt: str, answer: str) -> str:
    place = prompt.rfind(answer)
    numbers = _NUMBER.findall(prompt[:place]) if place >= 0 else []
    return f"{answer} [{numbers[-1]}]" if numbers else "I cannot answer."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=2_000, help="number of passages")
    parser.add_argument(
        "--turns", type=int, default=2, help="how often each system is measured; the better time counts"
    )
    parser.add_argument("--environments", type=Path, default=ROOT / ".cache" / "speed-peers")
    parser.add_argument("--only", nargs="*", help="measure these, and write nothing")
    given = parser.parse_args()
    load, environments, systems = os.getloadavg()[0], dict[str, dict[str, Any]](), dict[str, dict[str, Any]]()
    for name in PACKAGES:
        if given.only is None or name in given.only:
            environments[name] = made(name, given.environments)
            print(name, environments[name], flush=True)
    pythons = {name: str(python_of(given.environments / name)) for name in environments if name != "footnotary"}
    pythons |= {name: sys.executable for name in OURS if given.only is None or name in given.only}
    with tempfile.TemporaryDirectory() as folder, ImmediateModel() as model:
        dimensions = prepare(Path(folder), given.n)
        for _ in range(given.turns):
            for name, python in pythons.items():
                if "error" in environments.get(name, {}):
                    continue
                found = measured(name, python, folder, model.base_url)
                print(name, found, flush=True)
                systems[name] = _better(systems.get(name), found)
    record = {
        "command": f"{COMMAND} --n {given.n} --turns {given.turns}",
        "machine": machine(),
        "load": load,
        "texts": where_from(),
        "passages": given.n,
        "dimensions": dimensions,
        "environments": environments,
        "systems": systems,
    }
    text = as_markdown(record)
    print(text)
    if given.only is None:
        (RESULTS / "peers.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        (RESULTS / "peers.md").write_text(text, encoding="utf-8")


def prepare(folder: Path, count: int) -> int:
    """Writes texts and questions with their vectors, whose dimensions it returns; the first questions have an answer."""
    texts = [str(row["text"]) for row in islice(pieces(500), count - len(FACTS))]
    texts += [fact[0] for fact in FACTS]
    asked = [fact[1] for fact in FACTS] + headings()[:HEADINGS]
    embedder = open_embedder("fast")
    (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    (folder / "questions.json").write_text(json.dumps(asked), encoding="utf-8")
    np.save(folder / "vectors.npy", embedder.embed_passages(texts))
    np.save(folder / "question_vectors.npy", np.stack([embedder.embed_question(question) for question in asked]))
    return embedder.dimensions


def measured(name: str, python: str, folder: str, url: str) -> dict[str, Any]:
    command = [python, "-m", "benchmarks.speed.peers.measure", name, folder, url]
    quiet = {"HF_HUB_OFFLINE": "1", "HAYSTACK_TELEMETRY_ENABLED": "False", "ANONYMIZED_TELEMETRY": "False"}
    environment = {**os.environ, **quiet}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return {"error": f"not done within {TIMEOUT_S} s"}
    if done.returncode or not done.stdout.strip():
        return {"error": (done.stderr.strip() or "no output").splitlines()[-1][:160]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def _better(one: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any]:
    """The least time and memory of two measurements; shares are the same in both."""
    if one is None or "error" in one or "error" in other:
        return other if one is None or "error" in one else one
    return {key: min(one[key], value) if value is not None else None for key, value in other.items()}


if __name__ == "__main__":
    main()
