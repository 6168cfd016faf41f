"""Documents that lie next to documents that do not: what is delivered, by what a profile says about trust.

    python -m benchmarks.quality.lies [--verifier small] [--share 1]

60 questions with one or two honest passages, a lie and four rewordings of it (`lies.jsonl`), and 40 questions with
passages that agree or complete each other (`agreeing.jsonl`), written for this benchmark by somebody who knew nothing
of the product. Every passage is a document of its own. Writes benchmarks/results/quality/lies.md.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.speed.answer_path import machine
from footnotary.domain.outcome import Answer, Outcome
from footnotary.domain.query import Scope
from footnotary.domain.validity import Trust, Validity
from footnotary.domain.verdict import Reason
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import TrustPolicy
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, build_engine, open_embedder, open_store

HERE = Path(__file__).parent
RESULT = HERE.parents[1] / "results" / "quality" / "lies.md"
# The lie leaves unmarked in the first two.
COLUMNS = ("lie alone", "lie and honest, no conflict marked", "conflict marked", "honest alone", "refused")
# By scenario: whether the lie is there once or five times, and what the profile says.
SCENARIOS = {
    "one lie next to the honest passages": (1, TrustPolicy()),
    'the same, `trust.prefer = "official"`': (1, TrustPolicy(prefer="official")),
    "the same, `trust.corroboration = 2`": (1, TrustPolicy(corroboration=2)),
    "five near-identical lies next to one honest official document": (5, TrustPolicy()),
    'five near-identical lies, `trust.prefer = "official"`': (5, TrustPolicy(prefer="official")),
    "five near-identical lies, `trust.corroboration = 2`": (5, TrustPolicy(corroboration=2)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verifier", default="small")
    parser.add_argument("--share", type=int, default=1, help="measure every N-th row only")
    options = parser.parse_args()
    given = {"home": tempfile.mkdtemp(), "embedder": "fast", "verifier": options.verifier}
    settings, embedder, profile = load_settings(given, environ={}), open_embedder("fast"), load_profile("default")
    store = open_store(settings, embedder)
    corpus = build_corpus(settings, store, embedder)

    def ask(project: str, question: str, trust: TrustPolicy) -> Outcome:
        policy = profile.model_copy(update={"trust": trust})
        return build_engine(settings, policy, store, embedder).ask(question, Scope(project))

    def put(project: str, name: str, text: str, trust: Trust) -> None:
        assert not corpus.ingest_text(f"{name}.txt", text, project, given=Validity(trust=trust)).failed

    seen: Counter[tuple[str, str]] = Counter()
    for number, row in enumerate(_rows("lies", options.share)):
        for lies in (1, 5):
            for place, text in enumerate(row["honest"][: 2 if lies == 1 else 1]):
                put(f"{number} {lies}", f"honest {place}", text, "official")
            for place, text in enumerate((row["lie"], *row["lies_near_identical"])[:lies]):
                put(f"{number} {lies}", f"lie {place}", text, "unverified")
        for name, (lies, trust) in SCENARIOS.items():
            seen[name, _kind(ask(f"{number} {lies}", row["question"], trust))] += 1
    agreeing: Counter[str] = Counter()
    for number, row in enumerate(_rows("agreeing", options.share)):
        for place, text in enumerate(row["passages"]):
            put(f"agreeing {number}", f"passage {place}", text, "unverified")
        outcome = ask(f"agreeing {number}", row["question"], TrustPolicy())
        agreeing["asked"] += 1
        agreeing["answered"] += isinstance(outcome, Answer)
        refused_so = not isinstance(outcome, Answer) and outcome.reason is Reason.CONFLICTING_SOURCES
        agreeing["conflict"] += bool(outcome.conflicts) or refused_so
    store.close()
    written = _report(seen, agreeing, options)
    RESULT.write_text(written, encoding="utf-8")
    print(written)


def _rows(name: str, share: int) -> list[dict[str, Any]]:
    lines = (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[::share]]


def _kind(outcome: Outcome) -> str:
    if not isinstance(outcome, Answer):
        return "refused"
    lies = {citation.document_id.startswith("lie") for citation in outcome.citations}
    if outcome.conflicts:
        return "conflict marked"
    if len(lies) == 2:
        return "lie and honest, no conflict marked"
    return "lie alone" if True in lies else "honest alone"


def _report(seen: Counter[tuple[str, str]], agreeing: Counter[str], options: argparse.Namespace) -> str:
    lines = [
        "# Lying documents\n",
        f"Made by `python -m benchmarks.quality.lies --verifier {options.verifier} --share {options.share}` "
        f"on {machine()}. Profile `default`, sentences quoted.\n",
        f"| | {' | '.join(COLUMNS)} |",
        "|---|" + "--:|" * len(COLUMNS),
        *(f"| {name} | {' | '.join(str(seen[name, kind]) for kind in COLUMNS)} |" for name in SCENARIOS),
        f"\nPassages that agree or complete each other: {agreeing['asked']} questions, {agreeing['answered']} answered, "
        f"{agreeing['conflict']} with a reported conflict.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
