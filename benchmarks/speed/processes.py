"""Times around the answer path: starting the command, a question in a new process, verifying a verbatim answer."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from footnotary.cli.questions.demo import DEMO_PROJECT, corpus_folder
from footnotary.domain.draft import Claim
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.testing.builders import chunk_of, submission_of
from footnotary.text.sentences.splitter import sentences
from footnotary.verify.run import acceptable, checks_for, verify
from footnotary.wiring import opened

STARTS = 9
CLAIMS = 3
QUESTION = "What is the punishment for cheating and dishonestly inducing delivery of property?"


@dataclass(frozen=True, slots=True)
class ProcessTime:
    """A median, as time that passed and as processor time."""

    what: str
    wall_ms: float
    cpu_ms: float


def cli_import() -> list[ProcessTime]:
    """Importing the command line, less the start of Python itself."""
    bare = _median("start of Python", [sys.executable, "-c", "pass"])
    whole = _median("", [sys.executable, "-c", "import footnotary.cli.main"])
    own = ProcessTime(
        "importing the CLI, start of Python taken off", whole.wall_ms - bare.wall_ms, whole.cpu_ms - bare.cpu_ms
    )
    return [own, bare]


def one_question(home: Path) -> ProcessTime:
    """`footnotary ask` in a process of its own: imports, weights and index are all loaded for one question."""
    with opened(load_settings({"home": home, "project": DEMO_PROJECT})) as open_:
        open_.corpus.ingest([corpus_folder()], DEMO_PROJECT)
    ask = [sys.executable, "-m", "footnotary.cli.main", "ask", "--home", str(home), "--project", DEMO_PROJECT]
    return _median("`footnotary ask` in a new process, demo corpus", [*ask, "--profile", "legal", QUESTION])


def verbatim_verification() -> ProcessTime:
    """Every check of a profile on three sentences of one passage, each passage seen for the first time."""
    checks = checks_for(load_profile("legal"))
    paragraphs = [
        p for path in sorted(corpus_folder().glob("*digest.txt")) for p in path.read_text("utf-8").split("\n")
    ]
    wall: list[float] = []
    cpu: list[float] = []
    for paragraph in paragraphs:
        said = sentences(paragraph)
        if len(said) < CLAIMS:
            continue
        chunk = chunk_of("IPC_1_0", paragraph)
        submission = submission_of("law", (chunk,), *(Claim(text, (chunk.id,)) for text in said[:CLAIMS]))
        wall_started, cpu_started = time.perf_counter(), time.process_time()
        verdicts = verify(submission, checks)
        wall.append(time.perf_counter() - wall_started)
        cpu.append(time.process_time() - cpu_started)
        if not acceptable(verdicts):
            raise SystemExit(f"verbatim sentences were refused: {[v for v in verdicts if v.status != 'pass']}")
    # The first passages teach the stemmer the words of the language.
    warm = slice(len(wall) // 4, None)
    return ProcessTime(
        "verifying a verbatim answer of three claims",
        statistics.median(wall[warm]) * 1000,
        statistics.median(cpu[warm]) * 1000,
    )


def _median(what: str, command: list[str]) -> ProcessTime:
    wall: list[float] = []
    cpu: list[float] = []
    for _ in range(STARTS):
        before, started = _processor_s(), time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        wall.append(time.perf_counter() - started)
        cpu.append(_processor_s() - before)
    return ProcessTime(what, statistics.median(wall) * 1000, statistics.median(cpu) * 1000)


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
