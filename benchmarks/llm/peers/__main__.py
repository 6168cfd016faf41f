"""The same model, passages and questions through LlamaIndex, Haystack, LangChain and Footnotary.

    python -m venv /some/where && /some/where/bin/pip install llama-index-core llama-index-llms-openai-like haystack-ai \\
        langchain-core langchain-openai
    python -m benchmarks.llm.peers --peers-python /some/where/bin/python --server http://127.0.0.1:8080/v1

Three steps, each of which can be run alone by its name: `collect` writes the requests of all systems to --folder,
`complete` has the server answer them (greedily, once), and `report` plays the replies back to every system, scores what
each delivers and writes benchmarks/results/llm/peers.json and .md. Replies that another machine made from
requests.jsonl.gz are used in the same way: put them into replies.jsonl.gz. `pairs` writes what a reader is asked, so
that the `xl` tier can be played from its scores (--scores) as well. Data are read from FOOTNOTARY_DATA.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from benchmarks.llm.peers import collect, ours, replay, report
from benchmarks.llm.peers.complete import complete, recorded_replies
from benchmarks.llm.peers.picture import write_picture
from benchmarks.llm.peers.question_sets import comparison, for_drafts
from benchmarks.llm.peers.questions import PeerQuestion, read_questions, read_rows, write_questions, write_rows
from benchmarks.llm.peers.reading import read_verdicts, write_outcomes
from benchmarks.llm.peers.stored_reader import stored_table, write_asked
from benchmarks.llm.peers.systems import PEERS, package_versions
from benchmarks.llm.sets import DATA
from benchmarks.llm.weights import CACHE, WEIGHTS
from benchmarks.quality.answering.asking import program_digest

STEPS = ("collect", "complete", "report")


def main() -> None:
    options = _options()
    if not DATA.is_dir() and not (options.folder / "questions.jsonl.gz").is_file():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    asked = _questions(options)
    requests, replies = options.folder / "requests.jsonl.gz", options.folder / "replies.jsonl.gz"
    steps = options.step or [step for step in STEPS if step != "complete" or options.server]
    if "collect" in steps:
        _collect(options, asked, requests)
    if "complete" in steps:
        complete(read_rows(requests), replies, options.server, options.model)
    compared = [question for question in asked if question.part == "peers"][:: options.every]
    if "pairs" in steps:
        readers = replay.asking_readers(compared, recorded_replies(replies), options.max_tokens)
        print(write_asked(options.folder, readers), "requests to a reader", file=sys.stderr)
    if "report" in steps:
        _report(options, compared, replies)


def _questions(options: argparse.Namespace) -> list[PeerQuestion]:
    """Those of an earlier step, or new ones."""
    path = options.folder / "questions.jsonl.gz"
    if not path.is_file():
        vectors = options.folder / "vectors"
        found = list(comparison(DATA, vectors, options.n))
        if options.drafts:
            found += for_drafts(DATA, vectors, {question.question for question in found})
        write_questions(path, found)
    return read_questions(path)


def _collect(options: argparse.Namespace, asked: list[PeerQuestion], path: Path) -> None:
    """Requests of the systems named; those of others stay as they are."""
    kept = [row for row in read_rows(path) if row["system"] not in options.systems] if path.is_file() else []
    new = collect.collected(asked, options.peers_python, options.max_tokens, options.systems)
    print(write_rows(path, [*kept, *new]), "requests", file=sys.stderr)


def _report(options: argparse.Namespace, asked: list[PeerQuestion], path: Path) -> None:
    replies = recorded_replies(path)
    if not replies:
        raise SystemExit(f"no replies in {path}; give a --server, or have the requests answered elsewhere")
    table = stored_table(options.folder, options.scores) if options.scores else None
    systems = [*(PEERS if options.peers_python else ()), *options.tiers, *([replay.STORED] if table else ())]
    outcomes, missing = replay.played(
        systems, asked, options.folder, replies, options.peers_python, options.max_tokens, table
    )  # fmt: skip
    found = report.all_scored(asked, outcomes)
    write_outcomes(options.folder, found)
    about: dict[str, Any] = {
        "model": options.model,
        "versions": package_versions(options.peers_python) if options.peers_python else ["no peers"],
        "program": program_digest(),
        "requests without a recorded reply": missing,
        "how": report.HOW,
        "read one by one": read_verdicts(found),
    }
    results = report.record(found, _command(options), about)
    print(report.page(results))
    if options.every == 1:
        report.write(results)
        write_picture(results)


def _command(options: argparse.Namespace) -> str:
    table = " --scores XL" if options.scores else ""
    return f"python -m benchmarks.llm.peers report --peers-python PYTHON --n {options.n}{table}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", nargs="*", choices=(*STEPS, "pairs"), help="default: all that can be done")
    parser.add_argument("--folder", type=Path, default=CACHE / "peers", help="questions, requests and replies")
    parser.add_argument("--peers-python", type=Path, help="python of the environment that the peers are installed in")
    parser.add_argument("--server", help="base URL of an OpenAI-compatible server that has the model")
    parser.add_argument("--model", default=WEIGHTS["best"].name, help="the model's name, for the server and the report")
    parser.add_argument("--n", type=int, default=60, help="questions of each kind")
    parser.add_argument("--max-tokens", type=int, default=200)
    parser.add_argument("--drafts", action="store_true", help="also collect drafts of ours alone, for a study of them")
    parser.add_argument("--systems", nargs="*", default=[ours.NAME, *PEERS], help="whose requests are collected")
    parser.add_argument("--tiers", nargs="*", default=[*replay.SHIPPED], help="tiers of our reader in the report")
    parser.add_argument(
        "--scores", type=Path, help="scores of `xl` for the requests that `pairs` wrote (training.xl.score)"
    )
    parser.add_argument("--every", type=int, default=1, help="ask only each n-th question, and write nothing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
