"""Speed and memory of ingesting a long PDF (boxes, structure, embedding) next to other parsers, also with ten times the pages.

    python -m benchmarks.ingest.speed [--peer-python PATH] [--file PDF]

The file is the official print of the Indian Penal Code in the data folder. Peers are timed where PATH is a Python that
has them (pdfplumber, docling). Writes benchmarks/results/ingest/ingest-speed.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]

from benchmarks.ingest.documents import machine
from benchmarks.ingest.peer_parsers import READERS
from benchmarks.ingest.test_set import DATA, RESULTS

IPC = DATA / "corpora" / "in_codes_civictech" / "ipc_official.pdf"
TIMES = 10
PARSE = """
import sys
from pathlib import Path
from footnotary.domain.document import Source
from footnotary.ingest.chunking.chunk_builder import build_chunks
from footnotary.ingest.sandbox.worker_pool import ParserPool
from footnotary.ingest.file_type import sniff
from footnotary.ingest.structure.recovery import build_document
data = Path(sys.argv[1]).read_bytes()
with ParserPool(count=1) as workers:
    parsed = workers.parse(data, sniff(data, "a.pdf")).result()
document, units = build_document("a.pdf", Source("a.pdf", "application/pdf", "", "a.pdf", "binary"), parsed)
build_chunks(document, units)
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One reader on one file, as time that passed and as processor time of all its processes.

    Memory is the most that all its processes held at a time, in megabytes.
    """

    what: str
    pages: int
    seconds: float
    cpu_s: float
    peak_mb: float
    error: str = ""

    def rate(self, seconds: float) -> float:
        return self.pages / seconds if seconds else 0.0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--peer-python", type=Path, help="a Python with pdfplumber and docling")
    arguments.add_argument("--file", type=Path, default=IPC)
    options = arguments.parse_args()
    if not options.file.is_file():
        raise SystemExit(f"no file {options.file}; set FOOTNOTARY_DATA")
    load = os.getloadavg()[0]
    runs: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        long = repeated(options.file, Path(folder) / "long.pdf")
        pages = len(pypdfium2.PdfDocument(options.file))
        for file, count in ((options.file, pages), (long, TIMES * pages)):
            named = f"{count:,} pages"
            runs.append(timed(f"ours, text, boxes and structure, {named}", [sys.executable, "-c", PARSE, file], count))
            for embedder in ("fast", "default"):
                home = Path(folder) / f"{embedder}-{count}"
                command = [
                    sys.executable,
                    "-m",
                    "footnotary.cli.main",
                    "ingest",
                    "--home",
                    home,
                    "--embedder",
                    embedder,
                ]
                runs.append(timed(f"ours, all of it, {embedder} embedder, {named}", [*command, file], count))
            print("\n".join(row(run) for run in runs), flush=True)
        if options.peer_python:
            script = Path(__file__).with_name("peer_parsers.py")
            runs += [timed(peer, [options.peer_python, script, peer, options.file], pages) for peer in READERS]
    text = report(runs, options.file, load)
    print(text)
    about = {"command": "python -m benchmarks.ingest.speed", "machine": machine(), "load": load}
    rows = about | {"runs": [asdict(run) for run in runs]}
    (RESULTS / "ingest-speed.json").write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    (RESULTS / "ingest-speed.md").write_text(text, "utf-8")


def repeated(file: Path, to: Path) -> Path:
    """The same pages over and over."""
    source, long = pypdfium2.PdfDocument(file), pypdfium2.PdfDocument.new()
    for _ in range(TIMES):
        long.import_pages(source)
    long.save(to)
    return to


def timed(what: str, command: list[str | Path], pages: int) -> Run:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}  # a peer without its models fails immediately
    started, before = time.perf_counter(), _processor_s()
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    peak, done = [0.0], threading.Event()
    watch = threading.Thread(target=_watch, args=(process.pid, peak, done))
    watch.start()
    out, _ = process.communicate()
    seconds = time.perf_counter() - started
    done.set()
    watch.join()
    said = json.loads(out.splitlines()[-1]) if out.strip().startswith(b"{") else {}
    error = said.get("error", "") or (f"exit code {process.returncode}" if process.returncode else "")
    return Run(what, 0 if error else pages, seconds, _processor_s() - before, peak[0], error)


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(root: int, peak: list[float], done: threading.Event) -> None:
    while not done.wait(0.05):
        peak[0] = max(peak[0], sum(_resident(process) for process in _tree(root)) / 1024)


def _tree(root: int) -> list[int]:
    """A process and all that it has started."""
    found, todo = [root], [root]
    while todo:
        try:  # a process has those as children that any of its threads has started
            tasks = list(Path(f"/proc/{todo.pop()}/task").iterdir())
            started = [int(child) for task in tasks for child in (task / "children").read_text().split()]
        except OSError:
            continue
        found += started
        todo += started
    return found


def _resident(process: int) -> int:
    """Kilobytes in memory, pages shared with others counted in part."""
    try:
        rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(row.split()[1]) for row in rows if row.startswith("Pss:")), 0)


def row(run: Run) -> str:
    if run.error:
        return f"| {run.what} | did not run: {run.error} | | | | |"
    rates = f"{run.rate(run.seconds):.1f} | {run.cpu_s:.1f} | {run.rate(run.cpu_s):.1f}"
    return f"| {run.what} | {run.seconds:.1f} | {rates} | {run.peak_mb:.0f} |"


def report(runs: list[Run], file: Path, load: float) -> str:
    ours = [run for run in runs if run.what.startswith("ours")]
    half = len(ours) // 2
    growth = [
        f"{short.what.removeprefix('ours, ').rpartition(',')[0]}: "
        f"{long.seconds / short.seconds:.1f} times the time, {long.cpu_s / short.cpu_s:.1f} times the processor time"
        for short, long in zip(ours[:half], ours[half:], strict=True)
    ]
    return (
        "\n".join(
            [
                "# Speed of taking in a long PDF\n",
                f"Made by `python -m benchmarks.ingest.speed` on {machine()}; load of the machine at the start {load:.1f}.",
                f"The file is {file.name}, and the same pages {TIMES} times over. Seconds from the start of the process to its end,",
                "imports and weights included; memory is the peak of all processes of a run together.\n",
                "| | seconds | pages/s | processor seconds | pages per processor second | peak MB |",
                "|---|--:|--:|--:|--:|--:|",
                *map(row, runs),
                "",
                f"{TIMES} times the pages take: {'; '.join(growth)}.",
            ]
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
