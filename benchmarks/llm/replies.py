"""How many replies of a real model can be used, for each form in which a server can be asked.

    python -m benchmarks.llm.replies --model smallest|best [--n 15] [--k 3] [--threads 2] [--server URL] [--forms ...]

A reply is usable if it can be parsed, names only slots that exist, cites a source for every claim, and has no invented
markers; a reply that declines is usable. Whether it is true is not asked here. The passages are those that retrieval
finds; neither gate nor checks decide. Writes benchmarks/results/llm/replies.json and .md.
"""

from __future__ import annotations

import argparse
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
from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.errors import ModelError
from footnotary.generate.chat.generator import ChatGenerator, ReplyForm, SchemaUnsupported
from footnotary.generate.chat.openai_model import OpenAIModel
from footnotary.profiles.load import load_profile
from footnotary.profiles.overrides import override_profile
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, build_engine, open_embedder, open_store

RESULTS = Path(__file__).parents[1] / "results" / "llm"
CONTEXT = 8192
TIMEOUT_S = 600.0
FORMS: tuple[ReplyForm, ...] = ("schema", "json", "text")
USABLE = ("declined", "claims")


class OneForm:
    """A chat model on a server that offers one form of reply only."""

    def __init__(self, model: OpenAIModel, form: ReplyForm) -> None:
        self._model, self._form = model, form

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages, schema=None):
        offered = "text" if schema is None else "json" if schema == {"type": "object"} else "schema"
        if offered != self._form:
            raise SchemaUnsupported(f"only {self._form}")
        return self._model.complete(messages, schema)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", choices=WEIGHTS, default="smallest")
    arguments.add_argument("--n", type=int, default=15, help="questions of each of the four sets")
    arguments.add_argument("--k", type=int, default=3, help="passages for each question")
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--server", help="base URL of a server that has the model already; none is started")
    arguments.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS)
    options = arguments.parse_args()
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    weights = WEIGHTS[options.model]
    at = nullcontext(options.server) if options.server else serving(fetched(weights), CONTEXT, options.threads)
    rows: list[dict[str, object]] = []
    with at as base_url, tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"home": folder, "embedder": "fast"}, environ={})
        embedder = open_embedder("fast")
        store = open_store(settings, embedder)
        asked: list[tuple[str, Engine, Row]] = []
        for of_set in question_sets(build_corpus(settings, store, embedder), options.n, Path(folder)):
            profile = override_profile(load_profile(of_set.profile), k=options.k)
            engine = build_engine(settings, profile, store, embedder)
            asked += [(of_set.name, engine, row) for row in of_set.rows]
        for form in options.forms:
            for name, engine, row in asked:
                evidence = engine.search(row.question, Scope(row.project))
                model = OpenAIModel(
                    weights.name,
                    base_url,
                    timeout_s=TIMEOUT_S,
                    max_tokens=engine.profile.generation.max_tokens,
                    transport_retries=0,
                )
                generator = ChatGenerator(OneForm(model, form), engine.profile)
                rows.append({"form": form, "set": name, "question": row.question} | reply(generator, evidence))
                print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
        store.close()
    keep(options, weights.name, rows)


def reply(generator: ChatGenerator, evidence: Evidence) -> dict[str, object]:
    begun = time.monotonic()
    try:
        draft = generator.generate(evidence.query, evidence)
    except ModelError as error:
        found: dict[str, object] = {"kind": error.message.partition(":")[2].strip() or error.message}
    else:
        found = {"kind": kind(draft, evidence), "reply": draft.raw}
    return found | {"seconds": round(time.monotonic() - begun, 1)}


def kind(draft: Draft, evidence: Evidence) -> str:
    if draft.declined:
        return "declined"
    if draft.malformed:
        return "invented markers"
    if not draft.claims:
        return "nothing claimed"
    if any(cited not in evidence.ids for claim in draft.claims for cited in claim.cites):
        return "slot that does not exist"
    return "claims" if all(claim.cites for claim in draft.claims) else "claim without a slot"


def keep(options: argparse.Namespace, name: str, rows: list[dict[str, object]]) -> None:
    path = RESULTS / "replies.json"
    runs = json.loads(path.read_text()) if path.is_file() else {}
    command = f"python -m benchmarks.llm.replies --model {options.model} --n {options.n} --k {options.k}"
    by = "a server that was given" if options.server else RUNTIME
    counted = {
        form: dict(Counter(str(row["kind"]) for row in rows if row["form"] == form).most_common())
        for form in options.forms
    }
    runs[name] = {"command": command, "machine": machine(), "runtime": by, "forms": counted}
    path.write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(report(runs), encoding="utf-8")
    print(report(runs))


def report(runs: dict[str, dict[str, object]]) -> str:
    lines = [
        "# Usable replies of small models\n",
        "A reply is usable if it can be parsed, names only slots that exist, cites a source for every claim and has no "
        "invented markers; one that declines is usable too. Whether it is true is for the checks. The forms are those "
        "in which a server can be asked: a JSON schema, any JSON object, text with numbered slots.\n",
        "| model | form | asked | usable | declined | not usable because |",
        "|---|---|--:|--:|--:|---|",
    ]
    for name, run in runs.items():
        forms: dict[str, dict[str, int]] = run["forms"]  # pyright: ignore[reportAssignmentType]
        for form, kinds in forms.items():
            asked = sum(kinds.values())
            usable = sum(kinds.get(one, 0) for one in USABLE)
            why = ", ".join(f"{one} {count}" for one, count in kinds.items() if one not in USABLE) or "-"
            share = f"{usable} ({100 * usable / asked:.0f} %)"
            lines.append(f"| {name} | {form} | {asked} | {share} | {kinds.get('declined', 0)} | {why} |")
    lines += ["", *(f"{name}: `{run['command']}`, {run['machine']}, {run['runtime']}." for name, run in runs.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
