"""Whole answers on public question sets, by `footnotary eval run` as any user runs it.

    python -m benchmarks.quality.evaluation [--n 100] [--embedder default] [--work FOLDER]

Reads the sets in place, asks `n` questions of each, and writes benchmarks/results/quality/evaluation.md and .json. What is
in the work folder is not asked again.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from benchmarks.quality.answers import learned_passages
from benchmarks.quality.encoder_sets import read
from footnotary.cli.evaluation.run import EvalRunOptions, run_evaluation
from footnotary.wiring import open_corpus

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
HANDBOOK = Path("rag", "gitlab_handbook_rag250")
COLUMNS = (
    "recall@5", "source_recall", "citation_precision", "citation_recall", "false_answer_rate", "false_refusal_rate",
    "token_f1", "answer_contained", "words_per_answer", "unsupported_claim_rate", "contract_escapes", "mean_ms",
)  # fmt: skip


def penal_code(data: Path, folder: Path) -> Path:
    """Questions on the Penal Code with the section that answers them; every fourth with that section hidden."""
    rows = []
    for number, row in enumerate(read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")):
        gold = row["gold_id"].rsplit("_", 1)[0]
        asked = {"id": row["id"], "question": row["question"], "group": gold}
        if number % 4 == 3:
            rows.append(asked | {"expected": "refusal", "without": [gold], "tags": ["section hidden"]})
        else:
            rows.append(asked | {"answer": row["answer"], "relevant": [gold], "tags": ["answer there"]})
    return _written(folder / "penal_code.jsonl", rows)


def squad(data: Path, folder: Path) -> Path:
    rows = _unseen(data, read(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz"))
    return _written(
        folder / "squad2.jsonl",
        [row | {"tags": ["answerable" if row["answerable"] else "unanswerable"]} for row in rows],
    )


def xquad(data: Path, folder: Path, language: str) -> Path:
    rows = _unseen(data, read(data / "rag" / "xquad_en_hi" / f"xquad_{language}.jsonl.gz"))
    return _written(folder / f"xquad_{language}.jsonl", rows)


def _unseen(data: Path, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The questions on passages that the verifier was not trained on."""
    seen = learned_passages(data)
    return [row for row in rows if " ".join(row["passage"].split()) not in seen]


def handbook(data: Path, folder: Path) -> Path:
    """Questions on a company's handbook and the pages that answer them; every fourth with those pages hidden."""
    pages = [str(row["path"]) for row in read(data / HANDBOOK / "docs.jsonl.gz")]
    rows = []
    for number, line in enumerate((data / HANDBOOK / "questions.jsonl").read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        gold = [_page(named, pages) for found in row["retrieval"] for named in found]
        asked = {"id": str(number), "question": row["question"], "group": gold[0]}
        if number % 4 == 3:
            rows.append(asked | {"expected": "refusal", "without": gold, "tags": ["page hidden"]})
        else:
            rows.append(asked | {"answer": row["answer"], "relevant": gold, "tags": [row["type"].lower()]})
    return _written(folder / "handbook.jsonl", rows)


def handbook_pages(data: Path, folder: Path) -> Path:
    for row in read(data / HANDBOOK / "docs.jsonl.gz"):
        page = folder / "pages" / _page_name(str(row["path"]))
        page.parent.mkdir(exist_ok=True)
        page.write_text(str(row["text"]), encoding="utf-8")
    return folder / "pages"


def _page(named: str, pages: list[str]) -> str:
    forms = (named, named.replace(".md", "/_index.md"))
    return _page_name(next(page for page in pages if page.endswith(forms)))


def _page_name(path: str) -> str:
    return path.removeprefix("content/handbook/").replace("/", "--")


def multihop(data: Path, folder: Path) -> Path:
    """Questions that join several facts of the news, and some that none of the facts answers."""
    rows = []
    for row in read(data / "rag" / "multihop_rag500" / "multihop_rag500.jsonl.gz"):
        facts = [{"title": fact["title"], "text": f"{fact['source']}: {fact['fact']}"} for fact in row["evidence"]]
        asked = {"id": row["id"], "question": row["question"], "tags": [row["type"]], "passages": facts}
        rows.append(asked | ({"answer": row["answer"]} if facts else {"expected": "refusal"}))
    return _written(folder / "multihop.jsonl", rows)


def _written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--n", type=int, default=100)
    arguments.add_argument("--embedder", default="default")
    arguments.add_argument("--work", type=Path)
    options = arguments.parse_args()
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    work = options.work or Path(mkdtemp())
    work.mkdir(parents=True, exist_ok=True)
    sets = [
        (penal_code(DATA, work), "legal"),
        (handbook(DATA, work), "default"),
        (squad(DATA, work), "default"),
        (multihop(DATA, work), "default"),
        (xquad(DATA, work, "en"), "default"),
        (xquad(DATA, work, "hi"), "default"),
    ]
    found: dict[str, dict[str, object]] = {}
    home = work / "home"
    corpus = open_corpus(home=home, embedder=options.embedder)
    corpus.ingest([DATA / "corpora" / "law_mix" / "ipc_1860.jsonl"], "penal_code")
    corpus.ingest([handbook_pages(DATA, work)], "handbook")
    for path, profile in sets:
        run_evaluation(
            [path], EvalRunOptions(home=home, project=path.stem, profile=profile, embedder=options.embedder), form="rows", out=work / path.stem, limit=options.n,
            jobs=1, price_in=0.0, price_out=0.0, further=(), fail_under=(), fail_over=(), as_json=False,
        )  # fmt: skip
        found[path.stem] = json.loads((work / path.stem / "report.json").read_text(encoding="utf-8"))
        write(options, found)


def write(options: argparse.Namespace, found: dict[str, dict[str, object]]) -> None:
    """The table so far, so that a run cut short leaves what it measured."""
    command = f"python -m benchmarks.quality.evaluation --n {options.n} --embedder {options.embedder}"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    lines = [
        "# Whole answers on public sets\n",
        f"`{command}` on {machine}. {options.n} questions of each set, extractive answers, percent with 95 % intervals.\n",
        "Citation precision and recall are ALCE's with the product's own verifier; extractive claims are copies of their",
        "sources, so they come out full by design. `source_recall`, `answer_contained` and the two false rates are",
        "independent of it. In `penal_code` every fourth question is asked with its section hidden: some of those are",
        "answered by another section too, and count as false all the same. So it is with every fourth page of `handbook`.",
        "Questions of `multihop` ask to compare and conclude, which an extractive answer does not.\n",
        f"| set | questions | {' | '.join(COLUMNS)} |",
        "|---" + "|--:" * (len(COLUMNS) + 1) + "|",
    ]
    record: dict[str, object] = {"command": command, "machine": machine, "sets": {}}
    for name, report in found.items():
        record["sets"][name] = {
            k: report[k]
            for k in ("profile", "embedder", "verifier", "answerability", "all", "stages_ms", "refusal_reasons")
        }
        for part, values in [
            (name, report["all"]),
            *((f"– {tag}", v) for tag, v in report["datasets"][name]["tags"].items()),
        ]:
            cells = [_cell(values["measures"][column], column) for column in COLUMNS]
            lines.append(f"| {part} | {values['questions']} | {' | '.join(cells)} |")
    results = ROOT / "benchmarks" / "results" / "quality"
    (results / "evaluation.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    (results / "evaluation.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _cell(measure: dict[str, float | None], name: str) -> str:
    value, low, high = (measure[key] for key in ("value", "low", "high"))
    if value is None:
        return "–"
    if name in ("mean_ms", "words_per_answer"):
        return f"{value:.0f}"
    return f"{100 * value:.1f}" + ("" if low is None else f" ({100 * low:.1f}–{100 * high:.1f})")


if __name__ == "__main__":
    main()
