"""The same law as a PDF and as section-by-section text: does a question get the same sections from both?

    python -m benchmarks.quality.same_sections [--embedder default|fast] [--vectors FOLDER] [--show N]

Every question is asked of both sides in the legal profile. Compared are the sections that the answers cite and the sections
that retrieval puts first; what differs is listed with its cause. Prints a table and writes
benchmarks/results/retrieval/same-sections-<embedder>.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.quality.encoder_sets import read
from benchmarks.quality.product import PROJECT, CachingEmbedder, open_cached_embedder
from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.profiles.load import load_profile
from footnotary.verify.run import checks_for

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
EVERY = 3  # number of titles that make a question


@dataclass(frozen=True, slots=True)
class SectionQuestion:
    question: str
    gold: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """One law twice, and what to ask."""

    name: str
    pdfs: tuple[Path, ...]
    rows: list[dict[str, object]]
    asked: list[SectionQuestion]


@dataclass(frozen=True, slots=True)
class SideResult:
    """The result of one side: the cited sections in order (none: refused), those retrieved, and the answer text."""

    cited: tuple[str, ...]
    found: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Difference:
    question: str
    gold: str | None
    cause: str
    pdf: SideResult
    text: SideResult


def pairs(data: Path) -> list[Pair]:
    ipc = read(data / "corpora" / "law_mix" / "ipc_1860.jsonl")
    questions = read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")
    cfr = data / "corpora" / "hipaa_cfr"
    hipaa = [row for row in read(cfr / "hipaa_160_162_164.jsonl.gz") if row.get("section")]
    asked = [SectionQuestion(row["question"]) for row in read(cfr / "dev_questions_12.jsonl")]
    single = [row for row in hipaa if _in_single_files(str(row["section"]))]
    files = (
        "CFR-2024-title45-vol2-part160.pdf",
        "45_CFR_Part_164_Subpart_C_up_to_date_as_of_12-29-2025.pdf",
        "45_CFR_Part_164_Subpart_E_up_to_date_as_of_12-29-2025.pdf",
    )
    return [
        Pair(
            "penal code, questions", (data / "corpora" / "law_mix" / "ipc_official.pdf",), ipc,
            [SectionQuestion(row["question"], row["gold_section"]) for row in questions],
        ),
        Pair("penal code, titles", (data / "corpora" / "law_mix" / "ipc_official.pdf",), ipc, by_title(ipc)),
        Pair("CFR combined, questions", (cfr / "hipaa_combined.pdf",), hipaa, asked),
        Pair("CFR combined, titles", (cfr / "hipaa_combined.pdf",), hipaa, by_title(hipaa)),
        Pair("CFR single files, questions", tuple(cfr / name for name in files), single, asked),
        Pair("CFR single files, titles", tuple(cfr / name for name in files), single, by_title(single)),
    ]  # fmt: skip


def _in_single_files(section: str) -> bool:
    return section.startswith(("160.", "164.3", "164.5"))


def by_title(rows: Sequence[dict[str, object]]) -> list[SectionQuestion]:
    """Every third section, asked for by its title; titles that are shared or that name a part are left out."""
    titles = {str(row["section"]): str(row.get("title") or "").strip(" .") for row in rows}
    titles = {section: title for section, title in titles.items() if "[" not in title}
    shared = Counter(title.casefold() for title in titles.values())
    own = [(section, title) for section, title in titles.items() if title and shared[title.casefold()] == 1]
    return [SectionQuestion(f"Which section deals with: {title}?", section) for section, title in own[::EVERY]]


@contextmanager
def engine_over(paths: Sequence[Path], embedder: CachingEmbedder) -> Iterator[Engine]:
    policy = load_profile("legal")
    with TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder) / "store", embedder.name, embedder.dimensions)
        report = Corpus(store, embedder).ingest(paths, PROJECT)
        if report.failed:
            raise SystemExit(f"the set does not go in: {report.failed[0].message}")
        embedder.save()
        yield Engine(store, embedder, ExtractiveGenerator(policy), policy, checks_for(policy))
        store.close()


def got(engine: Engine, question: str) -> SideResult:
    outcome = engine.ask(question, Scope(PROJECT))
    found = dict.fromkeys(hit.chunk.labels.section or "-" for hit in outcome.evidence.hits)
    if not isinstance(outcome, Answer):
        return SideResult((), tuple(found), outcome.reason.value)
    cited = dict.fromkeys(citation.labels.section or "-" for citation in outcome.citations)
    return SideResult(tuple(cited), tuple(found), outcome.text)


def cause_of(pdf: SideResult, text: SideResult) -> str:
    """Why the two cite differently, as far as can be seen from outside."""
    if not pdf.cited or not text.cited:
        return f"only the {'PDF' if not pdf.cited else 'text'} refuses"
    if set(pdf.cited) & set(text.cited):
        return "one cites a further section"
    if not set(text.cited) & set(pdf.found) or not set(pdf.cited) & set(text.found):
        return "other sections found"
    return "other sentence chosen from the same sections"


def compared(pair: Pair, embedder: CachingEmbedder) -> tuple[dict[str, float], list[Difference]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sections.jsonl"
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in pair.rows), encoding="utf-8")
        with engine_over([path], embedder) as engine:
            texts = [got(engine, asked.question) for asked in pair.asked]
    with engine_over(pair.pdfs, embedder) as engine:
        pdfs = [got(engine, asked.question) for asked in pair.asked]
    embedder.save()
    counts: Counter[str] = Counter()
    differences: list[Difference] = []
    for asked, pdf, text in zip(pair.asked, pdfs, texts, strict=True):
        counts["same"] += set(pdf.cited) == set(text.cited)
        counts["common"] += bool(set(pdf.cited) & set(text.cited)) or pdf.cited == text.cited
        counts["first"] += pdf.found[:1] == text.found[:1]
        for side, given in (("PDF", pdf), ("text", text)):
            counts[f"{side} answered"] += bool(given.cited)
            if asked.gold:
                counts[f"{side} Hit@1"] += asked.gold in given.found[:1]
                counts[f"{side} Hit@5"] += asked.gold in given.found[:5]
                counts[f"{side} gold cited"] += asked.gold in given.cited
        if set(pdf.cited) != set(text.cited):
            differences.append(Difference(asked.question, asked.gold, cause_of(pdf, text), pdf, text))
    columns = ["same", "common", "first"]
    columns += [f"{side} {what}" for what in ("answered", "Hit@1", "Hit@5", "gold cited") for side in ("PDF", "text")]
    has_gold = any(asked.gold for asked in pair.asked)
    shares = {c: round(100 * counts[c] / len(pair.asked), 1) for c in columns if has_gold or " " not in c or "ans" in c}
    return {"questions": len(pair.asked), **shares}, differences


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--embedder", default="default")
    arguments.add_argument("--vectors", type=Path)
    arguments.add_argument("--only", help="pairs whose name contains this; nothing is written")
    arguments.add_argument("--show", type=int, default=0, help="number of differences of each pair printed in full")
    options = arguments.parse_args()
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    embedder = open_cached_embedder(options.embedder, options.vectors)
    table: dict[str, dict[str, float]] = {}
    listed: dict[str, list[Difference]] = {}
    for pair in pairs(DATA):
        if (options.only or "") not in pair.name:
            continue
        table[pair.name], listed[pair.name] = compared(pair, embedder)
        print(pair.name, table[pair.name], dict(Counter(one.cause for one in listed[pair.name])))
        for one in listed[pair.name][: options.show]:
            print(f"  {one.question}  gold {one.gold}: {one.cause}")
            for side, given in (("PDF ", one.pdf), ("text", one.text)):
                print(f"      {side} cites {given.cited} of {given.found}: {given.said[:200]}")
    if options.only is None:
        write(options.embedder, table, listed)


def write(embedder: str, table: dict[str, dict[str, float]], listed: dict[str, list[Difference]]) -> None:
    command = f"python -m benchmarks.quality.same_sections --embedder {embedder}"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    results = ROOT / "benchmarks" / "results" / "retrieval"
    differences = {
        name: [
            {"question": one.question, "gold": one.gold, "cause": one.cause}
            | {side: {"cited": given.cited, "found": given.found} for side, given in (("pdf", one.pdf), ("text", one.text))}
            for one in found
        ]
        for name, found in listed.items()
    }  # fmt: skip
    record = {"command": command, "machine": machine, "pairs": table, "differences": differences}
    path = results / f"same-sections-{embedder}.json"
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    columns = list(dict.fromkeys(key for row in table.values() for key in row))
    lines = [
        f"# One law as PDF and as text by section, embedder `{embedder}`\n",
        f"`{command}` on {machine}. Shares in %: `same` cites the same sections or refuses on both sides, `common` cites "
        "at least one in common, `first` finds the same section first.\n",
        f"| pair | {' | '.join(columns)} |",
        "|---" * (len(columns) + 1) + "|",
        *(f"| {name} | {' | '.join(str(row.get(c, '')) for c in columns)} |" for name, row in table.items()),
        "\nWhere the cited sections differ, by cause:\n",
        "| pair | cause | questions |",
        "|---|---|---|",
    ]
    for name, found in listed.items():
        lines += [f"| {name} | {cause} | {n} |" for cause, n in Counter(one.cause for one in found).most_common()]
    path.with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
