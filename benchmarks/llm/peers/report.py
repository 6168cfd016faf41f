"""Counts of all scores by system and kind, and the pages made of them: figures only, no text of any set."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.llm.peers.passage_sets import ATTACKS
from benchmarks.llm.peers.questions import PeerQuestion
from benchmarks.llm.peers.replay import SHIPPED, STORED, PlayedOutcome
from benchmarks.llm.peers.scoring import FAILED, OTHER, REFUSED, RIGHT, Score, scored
from benchmarks.llm.peers.systems import PEERS
from benchmarks.speed.answer_path import machine

RESULTS = Path(__file__).parents[2] / "results" / "llm"
LABELS = {**PEERS, **{tier: f"Footnotary, `{tier}`" for tier in (*SHIPPED, STORED)}}
HOW = (
    "Every system is given the same passages in the same order: what Footnotary's retrieval finds, with the labels of a "
    "passage in its text for systems that know none. All ask the same model at temperature 0, for at most 200 tokens. "
    "LlamaIndex, Haystack and LangChain run with their own prompts and one request for a question; Footnotary's model is "
    "shown all passages, too, and its drafts are the same for every tier of the reader. Drafts were generated once and "
    "played back, so that the tables differ by the systems alone.",
    "Counted by rules from the gold answers, the same for all: *right* says the expected answer; *another answer* does not, "
    "be it false, beside the question or worded in a way that the rules do not see; a text whose first sentence says that "
    "the sources do not say it has *refused*. Where no passage answers (the passage or section is left out, or the question "
    "was written to have no answer) any answer is a false one; in policies and law another passage may answer all the same. "
    "*Figures no passage has* counts delivered answers with a number that was in nothing given to the system. *Quoted* are "
    "Footnotary's answers that quote the passages in place of a rejected draft, as its default profile does and the legal "
    "one, used for law, does not.",
)


@dataclass(frozen=True, slots=True)
class ScoredOutcome:
    question: PeerQuestion
    played: PlayedOutcome
    score: Score


def all_scored(
    questions: Sequence[PeerQuestion], outcomes: Mapping[str, Sequence[PlayedOutcome]]
) -> dict[str, list[ScoredOutcome]]:
    return {
        system: [ScoredOutcome(q, p, scored(q, p.outcome)) for q, p in zip(questions, played, strict=True)]
        for system, played in outcomes.items()
    }


def figures(rows: Iterable[ScoredOutcome]) -> dict[str, Any]:
    """The counts of some outcomes: both sides, citations, attacks, seconds and tokens."""
    listed = list(rows)
    there = [row for row in listed if row.question.answerable]
    absent = [row for row in listed if not row.question.answerable]
    attacked = [row for row in listed if row.question.payload]
    answered = [row for row in there if row.score.answered]
    seconds = [row.played.outcome.seconds for row in listed]
    return {
        "answerable": len(there),
        **{name: sum(row.score.ended == name for row in there) for name in (RIGHT, OTHER, REFUSED, FAILED)},
        "cites nothing": sum(not row.score.cites for row in answered),
        "cites a passage with the answer": sum(row.score.cites_gold for row in answered),
        "unanswerable": len(absent),
        "false answers": sum(row.score.answered for row in absent),
        "right by quotation": sum(row.score.ended == RIGHT and row.score.quoted for row in there),
        "other by quotation": sum(row.score.ended == OTHER and row.score.quoted for row in there),
        "false answers by quotation": sum(row.score.answered and row.score.quoted for row in absent),
        "answers with a figure no passage has": sum(row.score.new_figure for row in listed),
        "attacks": len(attacked),
        "attacks followed": sum(row.score.followed for row in attacked),
        "median seconds of the system": round(statistics.median(seconds), 4) if seconds else 0.0,
        "model asked": sum(row.played.asked for row in listed),
        "tokens read": sum(row.played.tokens_in for row in listed),
        "tokens written": sum(row.played.tokens_out for row in listed),
    }


def record(found: Mapping[str, Sequence[ScoredOutcome]], command: str, about: Mapping[str, Any]) -> dict[str, Any]:
    kinds = list(dict.fromkeys(row.question.kind for rows in found.values() for row in rows))
    return {
        "command": command,
        "machine": machine(),
        **about,
        "all": {system: figures(row for row in rows if not row.question.payload) for system, rows in found.items()},
        "kinds": {
            kind: {system: figures(row for row in rows if row.question.kind == kind) for system, rows in found.items()}
            for kind in kinds
        },
        "refused by": {
            system: dict(sorted(_reasons(rows).items(), key=lambda held: -held[1]))
            for system, rows in found.items()
            if system not in PEERS
        },
    }


def _reasons(rows: Sequence[ScoredOutcome]) -> dict[str, int]:
    """Why drafts for answerable questions without an attack were not delivered, quoted or not."""
    counts: dict[str, int] = {}
    for row in rows:
        if row.question.answerable and not row.question.payload and row.played.outcome.why:
            why = row.played.outcome.why
            counts[why] = counts.get(why, 0) + 1
    return counts


def page(results: Mapping[str, Any]) -> str:
    """The record as Markdown."""
    lines = [
        "# The same model beside peers\n",
        f"`{results['command']}` on {results['machine']}. Model: {results['model']}; {', '.join(results['versions'])}.\n",
        *(f"{line}\n" for line in results["how"]),
        "## All questions without an attack\n",
        *_table(results["all"]),
        "",
    ]
    for kind, held in results["kinds"].items():
        lines += [f"## {kind.capitalize()}\n", *(_attack_table(held) if kind == ATTACKS else _table(held)), ""]
    lines += ["## Why drafts for answerable questions were not delivered\n"]
    for system, why in results["refused by"].items():
        lines.append(f"- {LABELS[system]}: {', '.join(f'{name} {count}' for name, count in why.items()) or 'none'}.")
    if lost := {name: count for name, count in results["requests without a recorded reply"].items() if count}:
        lines.append(f"\nRequests without a recorded reply, counted as no usable reply: {lost}.")
    if readings := results.get("readings of xl"):
        lines.append(f"\nReadings of `xl`: {', '.join(f'{count} {name}' for name, count in readings.items())}.")
    lines += [
        "",
        "## Time and tokens\n",
        "Measured on a busy machine: compare within the table.\n",
        *_costs(results["all"]),
        "",
    ]
    if results.get("read one by one"):
        lines += ["## Read one by one\n", *_read(results["read one by one"]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _table(systems: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [
        "| system | answerable | right | another answer | refused | no usable reply | cites a passage with the answer | "
        "cites nothing | unanswerable | answered all the same | figures no passage has |",
        "|---" + "|--:" * 10 + "|",
        *(
            f"| {LABELS[name]} | {f['answerable']} | {_quoted(f[RIGHT], f['right by quotation'])} | "
            f"{_quoted(f[OTHER], f['other by quotation'])} | {f[REFUSED]} | {f[FAILED]} | "
            f"{f['cites a passage with the answer']} of {f[RIGHT] + f[OTHER]} | {f['cites nothing']} | "
            f"{f['unanswerable']} | {_quoted(f['false answers'], f['false answers by quotation'])} | "
            f"{f['answers with a figure no passage has']} |"
            for name, f in systems.items()
        ),
    ]


def _quoted(count: int, quoted: int) -> str:
    return f"{count} ({quoted} quoted)" if quoted else str(count)


def _attack_table(systems: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [
        "| system | attacks | followed and delivered | right answer | another answer | refused | no usable reply |",
        "|---" + "|--:" * 6 + "|",
        *(
            f"| {LABELS[name]} | {f['attacks']} | {f['attacks followed']} | {f[RIGHT]} | {f[OTHER]} | {f[REFUSED]} | "
            f"{f[FAILED]} |"
            for name, f in systems.items()
        ),
    ]


def _costs(systems: Mapping[str, Mapping[str, Any]]) -> list[str]:
    lines = ["| system | median seconds without the model's | model asked | tokens read | tokens written |"]
    lines += ["|---" + "|--:" * 4 + "|"]
    for name, f in systems.items():
        seconds = f["median seconds of the system"]
        lines.append(
            f"| {LABELS[name]} | {seconds:.3f} | {f['model asked']} of {f['answerable'] + f['unanswerable']} | "
            f"{f['tokens read']:,} | {f['tokens written']:,} |"
        )
    return lines


def _read(verdicts: Mapping[str, Mapping[str, int]]) -> list[str]:
    lines = [
        "The first answers by id of each system, read with their passages, and what the rules above say of them.\n"
    ]
    for name, counts in verdicts.items():
        lines.append(f"- {name}: " + ", ".join(f"{what} {count}" for what, count in counts.items()) + ".")
    return lines


def write(results: Mapping[str, Any], folder: Path = RESULTS) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "peers.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "peers.md").write_text(page(results), encoding="utf-8")
