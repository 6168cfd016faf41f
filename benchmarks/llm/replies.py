"""How many replies of a real model can be used, for each form in which a server can be asked.

    python -m benchmarks.llm.replies --model smallest|best [--n 15] [--k 3] [--threads 2] [--server URL] [--forms ...]
    python -m benchmarks.llm.replies --model best --recorded FOLDER

A reply is usable if it can be parsed, names only slots that exist, cites a source for every claim, and has no invented
markers; a reply that declines is usable. Whether it is true is not asked here. The passages are those that retrieval
finds; neither gate nor checks decide. With `--recorded` the replies are those that `benchmarks.llm.peers` keeps in the
folder. Writes benchmarks/results/llm/replies.json and .md; a form keeps its last run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks.llm.peers.complete import recorded_replies
from benchmarks.llm.peers.model_server import RecordingServer
from benchmarks.llm.peers.ours import drafting, given_evidence
from benchmarks.llm.peers.questions import read_questions
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
from footnotary.ports import Generator, Message
from footnotary.profiles.load import load_profile
from footnotary.profiles.overrides import override_profile
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, build_engine, open_embedder, open_store

RESULTS = Path(__file__).parents[1] / "results" / "llm"
CONTEXT = 8192
TIMEOUT_S = 600.0
FORMS: tuple[ReplyForm, ...] = ("schema", "json", "text")
COPY = "repeats the example"
USABLE = ("declined", "claims", COPY)
MAX_TOKENS = 200


class OneForm:
    """A chat model on a server that offers one form of reply only."""

    def __init__(self, model: OpenAIModel, form: ReplyForm) -> None:
        self._model, self._form = model, form

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:
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
    arguments.add_argument("--recorded", type=Path, help="folder with questions and replies of benchmarks.llm.peers")
    options = arguments.parse_args()
    if options.recorded:
        rows = list(recorded(options.recorded))
        return keep(options, WEIGHTS[options.model].name, rows, "--recorded FOLDER", "replies generated on a GPU")
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return None
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
    how = f"--n {options.n} --k {options.k} --forms {' '.join(options.forms)}"
    return keep(options, weights.name, rows, how, "a server that was given" if options.server else RUNTIME)


def recorded(folder: Path) -> Iterator[dict[str, object]]:
    """The replies to our own requests among the recorded ones."""
    replies = recorded_replies(folder / "replies.jsonl.gz")
    with RecordingServer(replies) as server:
        for question in read_questions(folder / "questions.jsonl.gz"):
            evidence = given_evidence(question, load_profile(question.profile))
            found = reply(drafting(question, server.base_url, MAX_TOKENS), evidence)
            if not server.missing:
                yield {"form": question.form, "question": question.question} | found
            server.missing = 0


def reply(generator: Generator, evidence: Evidence) -> dict[str, object]:
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
    if not all(claim.cites for claim in draft.claims):
        return "claim without a slot"
    return COPY if all(claim.text in draft.prompt for claim in draft.claims) else "claims"


def keep(options: argparse.Namespace, name: str, rows: list[dict[str, object]], how: str, by: str) -> None:
    path = RESULTS / "replies.json"
    runs = json.loads(path.read_text()) if path.is_file() else {}
    command = f"python -m benchmarks.llm.replies --model {options.model} {how}"
    for form in dict.fromkeys(str(row["form"]) for row in rows):
        counted = Counter(str(row["kind"]) for row in rows if row["form"] == form)
        run = {"command": command, "machine": machine(), "runtime": by, "replies": dict(counted.most_common())}
        runs.setdefault(name, {})[form] = run
    path.write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(report(runs), encoding="utf-8")
    print(report(runs))


def report(runs: dict[str, dict[str, Any]]) -> str:
    lines = [
        "# Usable replies of small models\n",
        "A reply is usable if it can be parsed, names only slots that exist, cites a source for every claim and has no "
        "invented markers; one that declines is usable too. Whether it is true is for the checks, which also reject a reply that only repeats the "
        "example of the prompt. The forms are those "
        "in which a server can be asked: a JSON schema, any JSON object, text with numbered slots. Recorded replies "
        f"had at most {MAX_TOKENS} tokens, others as many as the profile gives them.\n",
        "| model | form | asked | usable | declined | repeats the example | not usable because |",
        "|---|---|--:|--:|--:|--:|---|",
    ]
    for name, forms in runs.items():
        for form, run in forms.items():
            kinds: dict[str, int] = run["replies"]
            asked, usable = sum(kinds.values()), sum(kinds.get(one, 0) for one in USABLE)
            why = ", ".join(f"{one} {count}" for one, count in kinds.items() if one not in USABLE) or "-"
            share = f"{usable} ({100 * usable / asked:.1f} %)"
            known = f"{kinds.get('declined', 0)} | {kinds.get(COPY, 0)}"
            lines.append(f"| {name} | {form} | {asked} | {share} | {known} | {why} |")
    made = dict.fromkeys(
        f"- `{run['command']}`, {run['machine']}, {run['runtime']}" for forms in runs.values() for run in forms.values()
    )
    return "\n".join([*lines, "", *made]) + "\n"


if __name__ == "__main__":
    main()
