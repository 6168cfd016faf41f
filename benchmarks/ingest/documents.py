"""All files of the ingestion test set: what they give, how like the truth it is, and whether quotes lead back.

    python -m benchmarks.ingest.documents [--only PART_OF_NAME]

Needs the data folder (FOOTNOTARY_DATA, or ../shared/data next to the repository), Tesseract with eng and hin, and, for
a second opinion on born-digital pages, poppler's pdftotext. Writes benchmarks/results/ingest/ingest.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import mean

from benchmarks.ingest.page_tests import page_tests, passed
from benchmarks.ingest.quote_provenance import Tally, follow
from benchmarks.ingest.test_set import (
    FOLDER,
    RESULTS,
    TestFile,
    pages_of,
    second_reader,
    stored_text,
    test_files,
    without_running_lines,
)
from benchmarks.ingest.text_similarity import common, plain, shared_runs, shared_words
from footnotary.domain.document import Source
from footnotary.errors import DocumentError
from footnotary.ingest.chunking.chunk_builder import build_chunks
from footnotary.ingest.file_type import sniff
from footnotary.ingest.parse.zip_archive import UnpackedArchive
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.sandbox.worker_pool import ParserPool
from footnotary.ingest.structure.recovery import build_document


@dataclass(slots=True)
class Result:
    """What one file gave. Likenesses are None where there is nothing to compare with."""

    file: str
    outcome: str
    wall_s: float
    pages: int = 0
    characters: int = 0
    truth: float | None = None
    truth_words: float | None = None
    in_order: float | None = None
    runs: float | None = None
    words: float | None = None
    tests: list[str] = field(default_factory=list[str])
    failed_tests: list[str] = field(default_factory=list[str])
    seen: dict[str, int] = field(default_factory=dict[str, int])
    held: dict[str, int] = field(default_factory=dict[str, int])
    wrong: list[str] = field(default_factory=list[str])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", default="", help="files whose path in the set holds this")
    options = arguments.parse_args()
    if not FOLDER.is_dir():
        raise SystemExit(f"no test set at {FOLDER}; set FOOTNOTARY_DATA")
    results: list[Result] = []
    with ParserPool(count=1) as workers:
        for file in test_files():
            if options.only in file.name:
                results.append(measured(file, workers))
                print(line(results[-1]), flush=True)
    text = report(results)
    print(text)
    if not options.only:
        RESULTS.mkdir(exist_ok=True)
        about = {"command": "python -m benchmarks.ingest.documents", "machine": machine()}
        rows = about | {"files": [asdict(result) for result in results]}
        (RESULTS / "ingest.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")
        (RESULTS / "ingest.md").write_text(text, "utf-8")


def measured(file: TestFile, workers: ParserPool) -> Result:
    started = time.perf_counter()
    try:
        parsed = workers.parse(file.data, sniff(file.data, file.name)).result()
    except DocumentError as error:
        asked = [test["id"] for test in page_tests(file.name)]
        spent = time.perf_counter() - started
        return Result(file.name, f"{error.reason}: {error.message}", spent, failed_tests=asked)
    assert not isinstance(parsed, UnpackedArchive)
    assert parsed.layout
    result = Result(file.name, "text", time.perf_counter() - started, len(parsed.layout.pages), len(parsed.text))
    if parsed.pages_without_text:
        result.outcome = f"text; no text on pages {', '.join(map(str, parsed.pages_without_text))}"
    compare(file, parsed, result)
    for test in page_tests(file.name):
        (result.tests if passed(test, parsed.text) else result.failed_tests).append(test["id"])
    tally = followed(file, parsed)
    result.seen, result.held, result.wrong = dict(tally.seen), dict(tally.held), tally.wrong
    return result


def compare(file: TestFile, parsed: ParsedFile, result: Result) -> None:
    ours = [plain(page) for page in pages_of(parsed, result.pages)]
    if file.truth:
        truth = [plain(page) for page in without_running_lines(list(file.truth))]
        result.truth, result.truth_words = in_order(ours, truth), shared_words(" ".join(ours), " ".join(truth))
    if not file.is_born_digital:
        return
    readings = [stored_text(file.data), second_reader(file.data), second_reader(file.data, "-layout")]
    others = [[plain(page) for page in without_running_lines(pages)] for pages in readings if pages]
    result.in_order = max(in_order(ours, other) for other in others)
    result.runs = max(shared_runs(" ".join(ours), " ".join(other)) for other in others)
    result.words = max(shared_words(" ".join(ours), " ".join(other)) for other in others)


def in_order(ours: Sequence[str], theirs: Sequence[str]) -> float:
    """Similarity in reading order, page by page, over all pages."""
    letters = sum(map(len, ours)) + sum(map(len, theirs))
    return sum(2 * common(a, b) for a, b in zip(ours, theirs, strict=True)) / letters if letters else 1.0


def followed(file: TestFile, parsed: ParsedFile) -> Tally:
    document, units = build_document(file.name, Source(file.name, "application/pdf", "", file.name, "binary"), parsed)
    return follow(file.name, file.data, document, build_chunks(document, units))


def line(result: Result) -> str:
    shown = [
        f"{name} {value:.4f}" for name in ("truth", "in_order", "runs", "words") if (value := getattr(result, name))
    ]
    held = " ".join(f"{what} {result.held.get(what, 0)}/{count}" for what, count in result.seen.items())
    tests = f"tests {len(result.tests)}/{len(result.tests) + len(result.failed_tests)}"
    return f"{result.file}: {result.outcome} ({result.wall_s:.1f} s) {' '.join(shown)} {tests} {held}"


def machine() -> str:
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}"
    )


def report(results: Sequence[Result]) -> str:
    seen, held = Counter[str](), Counter[str]()
    for result in results:
        seen.update(result.seen)
        held.update(result.held)
    right, tests = sum(len(r.tests) for r in results), sum(len(r.tests) + len(r.failed_tests) for r in results)
    truths = [r for r in results if r.truth is not None]
    born = [r for r in results if r.in_order is not None]
    read = sum(result.outcome.startswith("text") for result in results)
    parts = [
        "# Real documents in\n",
        f"Made by `python -m benchmarks.ingest.documents` on {machine()}.\n",
        f"{len(results)} files: {read} give text, {len(results) - read} say why not, none crashes or hangs. "
        f"Of the unit tests that come with some pages, {right} of {tests} hold.\n",
        "**Quotes.** Every chunk, and five random spans of each, located in the original: the\n"
        "characters of the page's text layer as pdfium numbers them, and the boxes around those characters; for scans, boxes\n"
        "around every letter, and some quotes read again by Tesseract from nothing but what their words' boxes cut out of the page.\n",
        "| | held | of |\n|---|--:|--:|",
        *(f"| {what} | {held[what]:,} | {seen[what]:,} |" for what in seen),
        "",
        "**Similarity.** Two times the longest common subsequence of characters over both lengths, page by page in reading order,\n"
        "after NFKC, straight quotes, words cut at a line's end joined, white space as single blanks. Lines that pages repeat at\n"
        "their edges, and page numbers, are removed from the reference: the product leaves them out.\n",
        _truths(truths),
        _born(born),
        "| file | outcome | seconds | pages | characters |\n|---|---|--:|--:|--:|",
        *(
            f"| {r.file} | {r.outcome} | {r.wall_s:.1f} | {r.pages or ''} | {f'{r.characters:,}' if r.characters else ''} |"
            for r in results
        ),
    ]
    failed = [f"`{test}`" for result in results for test in result.failed_tests]
    if failed:
        parts += ["", f"Unit tests that do not hold: {', '.join(failed)}."]
    return "\n".join(parts) + "\n"


def _truths(rows: Sequence[Result]) -> str:
    if not rows:
        return ""
    table = "\n".join(f"| {r.file} | {r.truth:.4f} | {r.truth_words:.4f} |" for r in rows)
    whole = f"| mean | {mean(r.truth or 0 for r in rows):.4f} | {mean(r.truth_words or 0 for r in rows):.4f} |"
    return f"Scans with a ground truth, and a page whose text layer is broken:\n\n| file | similarity | words (F1) |\n|---|--:|--:|\n{table}\n{whole}\n"


def _born(rows: Sequence[Result]) -> str:
    if not rows:
        return ""
    table = "\n".join(f"| {r.file} | {r.in_order:.4f} | {r.runs:.4f} | {r.words:.4f} |" for r in rows)
    return (
        "Born-digital files have no ground truth here. They are compared with three other parsers: the text layer in the order\n"
        "in which it is stored, and `pdftotext` with and without `-layout`; the best is shown, as any of them may be wrong where\n"
        "there are columns, notes or tables. Runs are spans of 30 characters that both have (F1): order within blocks.\n\n"
        f"| file | similarity in order | runs | words (F1) |\n|---|--:|--:|--:|\n{table}\n"
    )


if __name__ == "__main__":
    main()
