"""A real language model drafts the answers: how often it answers, declines, is caught, and what was let through.

    python -m benchmarks.llm.run --model smallest|best [--n 12] [--k 3] [--max-tokens 160] [--threads 2] [--server URL]

Fetches the model and llama.cpp's server into a cache, serves it on loopback and asks through the engine as `ask` does,
with the shipped verifiers. Every outcome is written to benchmarks/results/llm/llm.json and .md as it comes, so that a
run that is stopped has measured what it has.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

from benchmarks.llm.server import RUNTIME, serving
from benchmarks.llm.sets import DATA, Row, question_sets
from benchmarks.llm.weights import WEIGHTS, fetched
from benchmarks.speed.answer_path import machine
from footnotary.domain.draft import Draft
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.errors import ModelError
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.chat.openai_model import OpenAIModel
from footnotary.profiles.load import load_profile
from footnotary.profiles.overrides import override_profile
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, build_engine, open_embedder, open_store

RESULTS = Path(__file__).parents[1] / "results" / "llm"
CONTEXT = 8192
TIMEOUT_S = 1_800.0
BEFORE, FAULTY, DECLINED, CAUGHT, DELIVERED = "refused before it", "no usable reply", "declined", "caught", "delivered"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", choices=WEIGHTS, default="smallest")
    arguments.add_argument("--n", type=int, default=12, help="questions of each set")
    arguments.add_argument("--k", type=int, default=3, help="passages retrieved for each question")
    arguments.add_argument("--max-tokens", type=int, default=160)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--server", help="base URL of a server that has the model already; none is started")
    options = arguments.parse_args()
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    weights = WEIGHTS[options.model]
    at = nullcontext(options.server) if options.server else serving(fetched(weights), CONTEXT, options.threads)
    with at as base_url, tempfile.TemporaryDirectory() as folder:
        # Asked once per question: a second try after a time-out would be a second draft.
        model = OpenAIModel(
            weights.name, base_url, timeout_s=TIMEOUT_S, max_tokens=options.max_tokens, transport_retries=0
        )
        settings = load_settings({"home": folder, "embedder": "fast"}, environ={})
        embedder = open_embedder("fast")
        store = open_store(settings, embedder)
        kept: dict[str, list[dict[str, object]]] = {}
        sets = list(question_sets(build_corpus(settings, store, embedder), options.n, Path(folder)))
        engines: dict[str, Engine] = {}
        for asked in sets:
            policy = override_profile(load_profile(asked.profile), k=options.k)
            engine = build_engine(settings, policy, store, embedder)
            engines[asked.name] = dataclasses.replace(engine, generator=ChatGenerator(model, policy))
        # In turns, so that a run that is stopped has asked about the same number of each set.
        for number in range(options.n):
            for asked in (asked for asked in sets if number < len(asked.rows)):
                kept.setdefault(asked.name, []).append(outcome(engines[asked.name], asked.rows[number]))
                keep(options, weights.name, kept)
                print(asked.name, kept[asked.name][-1], flush=True)
        store.close()
    print(report(json.loads((RESULTS / "llm.json").read_text())))


def outcome(engine: Engine, row: Row) -> dict[str, object]:
    """What became of one question, and of what the model drafted for it."""
    begun = time.monotonic()
    found: dict[str, object] = {"question": row.question}
    draft: Draft | None = None
    try:
        outcome = engine.ask(row.question, Scope(row.project))
    except ModelError as error:
        found |= {"outcome": FAULTY, "why": error.message}
    else:
        draft = outcome.draft
        if isinstance(outcome, Answer):
            cited = frozenset(citation.id for citation in outcome.citations)
            found |= {"outcome": DELIVERED, "answer": outcome.text, "cited": sorted(cited)}
            found |= {"by gold": row.rated(outcome.text, cited)}
        else:
            what = DECLINED if outcome.reason in (Reason.GENERATOR_DECLINED, Reason.EMPTY_ANSWER) else CAUGHT
            found |= {"outcome": BEFORE if draft is None else what, "why": outcome.reason.value}
    if draft is not None:
        found |= {"drafted": draft.raw[:600], "obeyed": row.obeyed(draft.raw)}
    return found | {"seconds": round(time.monotonic() - begun, 1)}


def keep(options: argparse.Namespace, name: str, sets: dict[str, list[dict[str, object]]]) -> None:
    path = RESULTS / "llm.json"
    all_of_them = json.loads(path.read_text()) if path.is_file() else {}
    command = f"python -m benchmarks.llm.run --model {options.model} --n {options.n} --k {options.k}"
    command += f" --max-tokens {options.max_tokens} --threads {options.threads}"
    by = "a server that was given" if options.server else RUNTIME
    all_of_them[name] = {"command": command, "machine": machine(), "runtime": by, "sets": sets}
    path.write_text(json.dumps(all_of_them, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(report(all_of_them), encoding="utf-8")


def report(runs: dict[str, dict[str, object]]) -> str:
    lines = [
        "# A real model in the loop\n",
        "A small language model, served by llama.cpp on loopback, drafts the answers; the engine asks it as `ask` does, "
        "with the shipped checks and verifiers. *Caught* drafts failed a check and were refused. *Let through* are "
        "delivered answers that differ from the gold answer: they cite another section, or say something else; "
        "for questions without an answer, any answer. Each passed all checks against the passage it cites. "
        "An *injection followed* is a draft that follows an instruction in a document. *No usable reply* is one that was not "
        "whole within the tokens allowed, or out of form. A model without a section here has not been run.\n",
    ]
    for name, run in runs.items():
        lines += [f"## {name}\n", f"`{run['command']}` on {run['machine']}, {run['runtime']}.\n"]
        lines += [
            "| set | asked | refused before the model | no usable reply | declined | caught | delivered "
            "| right by gold | let through | injections followed in drafts | injections delivered |",
            "|---" + "|--:" * 10 + "|",
        ]
        sets: dict[str, list[dict[str, object]]] = run["sets"]  # pyright: ignore[reportAssignmentType]
        for asked, rows in sets.items():
            ended, gold = Counter(str(row["outcome"]) for row in rows), Counter(row.get("by gold") for row in rows)
            ends = [ended[what] for what in (BEFORE, FAULTY, DECLINED, CAUGHT, DELIVERED)]
            obeyed = sum(bool(row.get("obeyed")) for row in rows)
            figures = [len(rows), *ends, gold["right"], gold["wrong"], obeyed, gold["attack"]]
            lines.append(f"| {asked} | {' | '.join(map(str, figures))} |")
        why = Counter(str(row["why"]) for rows in sets.values() for row in rows if row["outcome"] == CAUGHT)
        lines.append("\nCaught by: " + (", ".join(f"{r} {n}" for r, n in why.most_common()) or "nothing") + ".\n")
        delivered = [(asked, row) for asked, rows in sets.items() for row in rows if row["outcome"] == DELIVERED]
        lines += [f"- {asked}, {row['by gold']}: *{row['question']}* {row['answer']}" for asked, row in delivered]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    main()
