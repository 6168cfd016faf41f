"""How many sections of acts, regulations and textbooks are found again, with the right ids.

    python -m benchmarks.quality.structure [--acts N] [--show NAME]

Needs the data folder (FOOTNOTARY_DATA, or ../shared/data next to the repository). Real PDFs are compared with their
section-by-section text; acts drawn at random are set in the styles that acts are printed in, as PDF and as text, and
read back. Prints tables and writes benchmarks/results/quality/structure.json and .md.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import os
import platform
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2 as pdfium

from benchmarks.quality.printed_acts import STYLES, Act, act_of, as_pdf, as_text
from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source
from footnotary.domain.identity import slug
from footnotary.ingest.chunking.chunk_builder import build_chunks
from footnotary.ingest.file_type import sniff
from footnotary.ingest.parser_selection import parse
from footnotary.ingest.structure.acts.title_page import standard_act_code
from footnotary.ingest.structure.id_names import code_from_title
from footnotary.ingest.structure.recovery import build_document

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
CORPORA = DATA / "corpora"
RESULTS = ROOT / "benchmarks" / "results" / "quality"
SEED = 4099  # no act of this draw was looked at while the rules were made
MOST_SECTIONS = 120
LONGEST_TEXT = 500_000


@dataclass(slots=True)
class Score:
    """Of how many sections `found` came back under the right id with their own words, and how many were too many."""

    expected: int = 0
    found: int = 0
    titled: int = 0
    extra: int = 0
    faults: list[str] = field(default_factory=list[str])

    def add(self, other: Score) -> None:
        self.expected += other.expected
        self.found += other.found
        self.titled += other.titled
        self.extra += other.extra
        self.faults += other.faults


@dataclass(frozen=True, slots=True)
class ExpectedStructure:
    """A section that should be found: its id, what its text begins with, its title; `text` where it may be reworded."""

    id: str
    number: str
    opening: str
    title: str
    text: str = ""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--acts", type=int, default=60, help="how many acts to draw")
    arguments.add_argument("--seed", type=int, default=SEED, help="what the draw begins with")
    arguments.add_argument("--show", help="print what was missed in the rows whose name has this in it")
    options = arguments.parse_args()
    if not CORPORA.is_dir():
        raise SystemExit(f"no data at {CORPORA}; set FOOTNOTARY_DATA")
    started = time.perf_counter()
    tables = {
        "Real PDFs, by their section-by-section text": real_pdfs(),
        "Regulation (EU) 2016/679, as text and as a web page": regulation(),
        "Chapters of textbooks, by what their pages announce": textbooks(),
        "Acts as text came out of their PDFs, by the list of sections in front": raw_prints(),
        f"{options.acts} acts drawn at random, printed and read back": printed(options.acts, options.seed),
    }
    took = time.perf_counter() - started
    text = report(tables, options.acts, took)
    print(text)
    if options.show:
        for rows in tables.values():
            for name, score in rows.items():
                if options.show in name:
                    print(f"\n{name}", *score.faults, sep="\n  ")
        return
    RESULTS.mkdir(exist_ok=True)
    about = {"command": f"python -m benchmarks.quality.structure --acts {options.acts}", "machine": machine()}
    kept = {
        title: {
            n: {"expected": s.expected, "found": s.found, "titled": s.titled, "extra": s.extra} for n, s in rows.items()
        }
        for title, rows in tables.items()
    }
    (RESULTS / "structure.json").write_text(json.dumps(about | kept, indent=1) + "\n", "utf-8")
    (RESULTS / "structure.md").write_text(text, "utf-8")


def ingested(data: bytes, name: str) -> tuple[Document, tuple[Chunk, ...]]:
    sniffed = sniff(data, name)
    source = Source(name, sniffed.media_type, "", name, sniffed.encoding or "binary")
    document, units = build_document(name, source, parse(data, sniffed))
    return document, build_chunks(document, units)


def letters(text: str) -> str:
    """Only what is read of a text: spacing, marks and the numbers of notes differ from print to print."""
    return re.sub(r"[\W\d_]", "", text).casefold()


def scored(name: str, wanted: Sequence[ExpectedStructure], chunks: Iterable[Chunk]) -> Score:
    by_id: dict[str, Chunk] = {}
    numbers: set[str] = set()
    whole: dict[str, list[str]] = defaultdict(list)
    for chunk in chunks:
        by_id[chunk.id] = chunk
        numbers.add(slug(chunk.labels.section) if chunk.labels.section else "")
        whole[chunk.id.rpartition("_")[0]].append(chunk.text)
    score = Score(len(wanted))
    for want in wanted:
        chunk = by_id.get(f"{want.id}_0")
        text = letters(" ".join(whole[want.id])[:4000])
        if chunk is None or not (want.opening in text or alike(want.text, " ".join(whole[want.id]))):
            where = "not there" if chunk is None else f"reads {chunk.text[:90]!r}, not {want.opening!r}"
            score.faults.append(f"{name}: {want.id} ({want.title}) {where}")
            continue
        score.found += 1
        if same_title(letters(chunk.labels.title or ""), letters(want.title), reworded=bool(want.text)):
            score.titled += 1
        else:
            score.faults.append(f"{name}: {want.id} is titled {chunk.labels.title!r}, not {want.title!r}")
    extra = numbers - {slug(want.number) for want in wanted} - {""}
    score.extra = len(extra)
    score.faults += [f"{name}: no section {number}" for number in sorted(extra)]
    return score


def real_pdfs() -> dict[str, Score]:
    """PDFs of which the sections are known one by one; where they are worded otherwise, most words must be there."""
    curated: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows_of(CORPORA / "in_acts" / "curated_en_sections.jsonl.gz"):
        curated[row["code"]].append(row)
    parts: dict[str, dict[str, str]] = {}
    for row in rows_of(CORPORA / "hipaa_cfr" / "hipaa_160_162_164.jsonl.gz"):
        if re.fullmatch(r"\d+\.\d+", row.get("section", "")):  # long sections come in several rows, and parts in one
            held = parts.setdefault(row["section"], {**row, "text": ""})
            held["text"] += f"{row['text']}\n"
    cfr = list(parts.values())
    born = CORPORA / "pdf_testset" / "legal_born_digital"
    sources: list[tuple[Path, str, list[dict[str, str]]]] = [
        (
            CORPORA / "in_codes_civictech" / "ipc_official.pdf",
            "IPC",
            rows_of(CORPORA / "in_codes_civictech" / "ipc.jsonl"),
        ),
        (born / "BNS_2023.pdf", "BNS", curated["BNS"]),
        (born / "PWDVA_2005.pdf", "ProtectionOfWomenFromDomesticViolenceAct", curated["PWDVA"]),
        (born / "Hindu_Marriage_Act.pdf", "HinduMarriageAct", curated["HMA"]),
        (born / "Dowry_Prohibition_Act_1961.pdf", "DowryProhibitionAct", curated["DPA"]),
        (CORPORA / "hipaa_cfr" / "hipaa_combined.pdf", "HIPAA", cfr),
        (CORPORA / "hipaa_cfr" / "CFR-2024-title45-vol2-part160.pdf", "CFR45", [r for r in cfr if r["part"] == "160"]),
    ]
    for letter in "CE":
        path = next((CORPORA / "hipaa_cfr").glob(f"45_CFR_Part_164_Subpart_{letter}_*.pdf"), Path())
        sources.append((path, "CFR45", [r for r in cfr if r["part"] == "164" and r["subpart"].startswith(letter)]))
    scores: dict[str, Score] = {}
    for path, code, rows in sources:
        wanted = [
            ExpectedStructure(
                f"{code}_{slug(row['section'])}",
                row["section"],
                letters(row["text"])[:40],
                row.get("title", "").strip(" ."),
                row["text"],
            )
            for row in rows
        ]
        scores[path.stem] = scored(path.stem, wanted, ingested(path.read_bytes(), path.name)[1])
    return scores


def regulation() -> dict[str, Score]:
    """The articles and recitals of the GDPR, set as EUR-Lex prints them."""
    parts = ["REGULATION (EU) 2016/679 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL", "of 27 April 2016"]
    parts += ["on the protection of natural persons (General Data Protection Regulation)", "Whereas:"]
    wanted: list[ExpectedStructure] = []
    rows = rows_of(CORPORA / "gdpr" / "gdpr_articles_recitals.jsonl")
    for row in sorted(rows, key=lambda row: row["section"].startswith("Article")):
        kind, number = row["section"].split()
        chapter, _, chapter_title = row["chapter"].partition(" ")
        if kind == "Recital":
            parts.append(f"({number}) {row['text'].strip()}")
            wanted.append(
                ExpectedStructure(f"GDPR_R{number}", row["section"], letters(row["text"])[:40], row["section"])
            )
            continue
        if number == "1":
            parts.append("HAVE ADOPTED THIS REGULATION:")
        if f"CHAPTER {chapter}\n{chapter_title}" not in parts:
            parts.append(f"CHAPTER {chapter}\n{chapter_title}")
        text = re.sub(r"(?m)^\((\d+)\) (?=[A-Z])", r"\1.   ", row["text"].strip())
        parts.append(f"Article {number}\n{row['title']}\n{text}")
        wanted.append(ExpectedStructure(f"GDPR_{number}", number, letters(text)[:40], row["title"]))
    text = "\n\n".join(parts)
    page = "".join(f"<p>{html.escape(line)}</p>" for line in text.splitlines() if line)
    web = f"<!doctype html><html><head><title>EUR-Lex</title></head><body>{page}</body></html>"
    return {
        "text": scored("text", wanted, ingested(text.encode(), "regulation.txt")[1]),
        "HTML": scored("HTML", wanted, ingested(web.encode(), "regulation.html")[1]),
    }


_ANNOUNCED = {
    "examples": re.compile(r"^\W*(Example)\s+(\d+)\*?\s*:", re.M),
    "theorems": re.compile(r"^\W*(Theorem)\s+(\d+\.\d+)", re.M),
    "exercises": re.compile(r"^(EXERCISE)\s+(\d+\.\d+)", re.M),
    "activities": re.compile(r"^\W*(Activity)\s+(\d+(?:\.\d+)?)(?=\s*:|\s*$|\s+Activity)", re.M),
}
_KINDS = {"examples": "example", "theorems": "theorem", "exercises": "exercise", "activities": "exercise"}


def textbooks() -> dict[str, Score]:
    """What the text layer of each chapter announces at the head of a line, held against the typed blocks found."""
    scores: dict[str, Score] = {name: Score() for name in ("sections", *_ANNOUNCED)}
    for path in sorted((CORPORA / "ncert_class10").glob("*.pdf")):
        with pdfium.PdfDocument(path) as file:
            raw = "\n".join(page.get_textpage().get_text_range() for page in file).replace("\r", "")
        chunks = ingested(path.read_bytes(), path.name)[1]
        chapter = str(int(path.stem[-2:]))
        own = [chunk for chunk in chunks if chunk.labels.chapter == chapter]
        for name, announced in _ANNOUNCED.items():
            found = {chunk.section[-1].rstrip("*") for chunk in own if chunk.kind == _KINDS[name]}
            found = {" ".join(label.split()[:2]) for label in found}
            count(scores[name], path.stem, {" ".join(match) for match in announced.findall(raw)}, found)
        heads = re.findall(rf"^({chapter}\.\d+(?:\.\d+)?)\s+(?:[A-Z][A-Za-z]|nth)", raw, re.M)
        # A section that has all its text in sections of its own is found with them.
        found = {
            ".".join(chunk.labels.section.split(".")[:depth])
            for chunk in own
            if chunk.labels.section
            for depth in (2, 3)
        }
        count(scores["sections"], path.stem, set(heads), found)
    return scores


def count(score: Score, name: str, wanted: set[str], found: set[str]) -> None:
    score.expected += len(wanted)
    score.found += len(wanted & found)
    score.titled += len(wanted & found)
    score.faults += [f"{name}: {missing} not there" for missing in sorted(wanted - found)]


def same_title(found: str, wanted: str, *, reworded: bool) -> bool:
    """Exact titles; if the other edition's wording differs, one may be a prefix of the other."""
    return found == wanted or (reworded and (not wanted or found.startswith(wanted[:60]) or wanted.startswith(found)))


def alike(wanted: str, found: str) -> bool:
    """Whether most words of a section are there: editions differ in a word here and there."""
    if letters(wanted).startswith(("rep", "omit")):  # "Repealed by ..." in one is "Rep. by ..." in the other
        return bool(re.search(r"\bRep\b|Repealed|Omitted", found))
    words = set(re.findall(r"[^\W\d_]{3,}", wanted.casefold()))
    return bool(words) and len(words & set(re.findall(r"[^\W\d_]{3,}", found.casefold()))) >= 0.8 * len(words)


def rows_of(path: Path) -> list[dict[str, str]]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.decode().splitlines()]


def act_rows() -> dict[str, list[dict[str, str]]]:
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows_of(CORPORA / "in_acts" / "all_acts_en_sections.jsonl.gz"):
        rows[row["slug"]].append(row)
    return {
        name: held
        for name, held in rows.items()
        if all("section" in row for row in held)
        and 3 <= len({row["section"] for row in held}) == len(held) <= MOST_SECTIONS
    }


def raw_prints() -> dict[str, Score]:
    """Acts of which only the text of the pages is there, spaced and broken as it came.

    Expected is what the list in front has before its schedules, as far as that number opens a line of the act itself.
    """
    pages: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows_of(CORPORA / "in_acts" / "all_acts_en_sections.jsonl.gz"):
        if "page" in row:
            pages[row["slug"]].append(row)
    entry = re.compile(r"(?m)^(?:\d{0,2} ?\[ ?)?(\d{1,3}(?:-?[A-Z]{1,3})?)\. ?(?=[A-Z\[“‘])")
    total = Score()
    for name, rows in sorted(pages.items()):
        text = "\n".join(row["text"] for row in sorted(rows, key=lambda row: int(row["page"])))
        front, *act = re.split(r"(?m)^\W*A ?CT N ?[Oo]\b|^An Act to ", text, maxsplit=1)
        listed = re.split(r"(?m)^(?:THE )?(?:[A-Z]+ )?SCHEDULE", front.partition("ARRANGEMENT")[2])[0]
        wanted = {number.replace("-", "") for number in entry.findall(listed)}
        wanted &= {number.replace("-", "") for number in entry.findall("".join(act))}
        if len(wanted) >= 5 and len(text) < LONGEST_TEXT:
            chunks = ingested(text.encode(), f"{name}.txt")[1]
            count(total, name, wanted, {slug(chunk.labels.section) for chunk in chunks if chunk.labels.section})
    return {"all that have a list": total}


def printed(acts: int, seed: int) -> dict[str, Score]:
    """Each act in one style, as PDF and as text."""
    draw = random.Random(seed)
    rows = act_rows()
    scores: dict[str, Score] = {}
    for at, name in enumerate(draw.sample(sorted(rows), acts)):
        style = STYLES[at % len(STYLES)]
        act = act_of(rows[name], draw)
        wanted = _wanted(act)
        for form, data, file in (
            ("PDF", as_pdf(act, style), f"{name}.pdf"),
            ("text", as_text(act, style, draw).encode(), f"{name}.txt"),
        ):
            if (style, form) != ("gazette", "text"):  # a margin is there on a page only
                scores.setdefault(f"{style}, {form}", Score()).add(scored(name, wanted, ingested(data, file)[1]))
    return dict(sorted(scores.items()))


def _wanted(act: Act) -> list[ExpectedStructure]:
    code = standard_act_code(re.sub(r"^The |, \d{4}$", "", act.name)) or code_from_title(act.name)
    return [
        ExpectedStructure(f"{code}_{slug(s.number)}", s.number, letters(s.text)[:40], s.title) for s in act.sections
    ]


def report(tables: dict[str, dict[str, Score]], acts: int, took: float) -> str:
    lines = ["# Structure: how many sections are found again, with the right ids", ""]
    lines += [f"`python -m benchmarks.quality.structure --acts {acts}`, {machine()}, {took:.0f} s.", ""]
    for title, rows in tables.items():
        lines += [
            f"## {title}",
            "",
            "| | expected | found, right id and text | right title | too many |",
            "|---|---|---|---|---|",
        ]
        total = Score()
        for name, score in rows.items():
            total.add(score)
            lines.append(row_of(name, score))
        lines += [row_of("**all**", total), ""]
    return "\n".join(lines)


def row_of(name: str, score: Score) -> str:
    return f"| {name} | {score.expected} | {share(score.found, score.expected)} | {share(score.titled, score.expected)} | {score.extra} |"


def share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)" if whole else "-"


def machine() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
