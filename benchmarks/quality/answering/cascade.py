"""Does a small first-stage reader keep the large one's verdicts? And where should the large one stop reading?

    python -m benchmarks.quality.answering.cascade [--limit N] [--sets NAME ...]

Asks the gate questions of several kinds, with the large reader alone, the small one alone, and both as two stages with several
cut-offs (`footnotary.reader.cascade`). Those are chosen on some kinds and reported on others: of the cut-offs that make
no more errors than the large reader alone, those that agree with it most often, and of these the fewest readings by it. Also counts how often a passage that
answers is first, or among the first three, as found and as each reader would reorder them. What was read is kept in the
cache folder (FOOTNOTARY_BENCHMARK_CACHE) until the weights change. A run over all kinds writes
benchmarks/results/answering/cascade.json and .md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.quality.answering.__main__ import CACHE
from benchmarks.quality.answering.asking import opened_bench
from benchmarks.quality.answering.own_sets import own_kinds
from benchmarks.quality.answering.public_sets import public_kinds
from benchmarks.quality.answering.trials import QuestionKind
from benchmarks.quality.answers import DATA
from footnotary.domain.evidence import Evidence
from footnotary.gate import reader_decision
from footnotary.gate.sufficiency import check_sufficiency
from footnotary.ports import PassageText, Reader
from footnotary.profiles.load import load_profile
from footnotary.reader.cascade import LIKELY, WORTH_READING, CascadeReader
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.passage_text import passage_text
from footnotary.reader.shipped import open_verifier

RESULTS = Path(__file__).parents[2] / "results" / "answering"
CHOSEN_ON = ("small documents", "all passages", "whole policy")
REPORTED_ON = ("demo corpus", "law in lay words", "ten passages", "handbook")
WORTH = (0.05, 0.1, 0.2, 0.3, 0.4)
LIKELIES = (0.4, 0.5, 0.6)
REORDERED = 20
READERS = ("large", "small", "cascade")


class KeptReader:
    """A reader whose probabilities are kept in a file; `pairs` counts the different ones asked since it was cleared."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self._reader, self.name, self.languages = reader, reader.name, reader.languages
        self.fusion_weights, self.best_of, self.support, self.read = (
            reader.fusion_weights, reader.best_of, reader.support, reader.read,
        )  # fmt: skip
        self.pairs: set[str] = set()
        self._path = folder / f"{reader.name}.jsonl"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._known: dict[str, float] = {}
        if self._path.is_file():
            self._known = dict(json.loads(line) for line in self._path.read_text("utf-8").splitlines())

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        keys = [hashlib.sha256(repr((asked, [*map(str, texts)])).encode()).hexdigest()[:24] for asked, texts in pairs]
        self.pairs |= set(keys)
        missing = [number for number, key in enumerate(keys) if key not in self._known]
        found = self._reader.answers([pairs[number] for number in missing]) if missing else []
        with self._path.open("a", encoding="utf-8") as file:
            for number, probability in zip(missing, found, strict=True):
                self._known[keys[number]] = probability
                file.write(json.dumps([keys[number], round(probability, 6)]) + "\n")
        return [self._known[key] for key in keys]


@dataclass(frozen=True, slots=True)
class AskedGate:
    """A question with what was found for it, and which of that answers, where it is known."""

    kind: str
    answerable: bool
    profile: str
    evidence: Evidence
    gold: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class GateErrors:
    """Both kinds of errors over some questions, how often the verdict is the large reader's, and pairs read by each."""

    answerable: int
    unanswerable: int
    wrong_refusals: int
    false_answers: int
    agreement: float
    large: float
    small: float

    @property
    def error(self) -> float:
        """The mean of both shares."""
        return (self.wrong_refusals / max(self.answerable, 1) + self.false_answers / max(self.unanswerable, 1)) / 2


def found_for(kind: QuestionKind, limit: int) -> Iterator[AskedGate]:
    """What the product finds for a sample of the questions that have one part."""
    with opened_bench(kind, "lexical", CACHE / "vectors") as bench:
        for question in kind.sampled(limit, 0):
            evidence = bench.found(question, REORDERED)
            if len(evidence.query.facets) == 1:
                gold = tuple(
                    bool({hit.chunk.document_id, hit.chunk.id.rsplit("_", 1)[0]} & question.gold)
                    for hit in evidence.hits
                )
                yield AskedGate(kind.name, question.answerable, question.profile, evidence, gold)


def gated(asked: Sequence[AskedGate], reader: Reader, worth: float, likely: float) -> list[bool]:
    """Whether the gate lets each question pass."""
    with patch.multiple(reader_decision, WORTH_READING=worth, LIKELY=likely):
        return [
            check_sufficiency(
                replace(one.evidence, hits=one.evidence.hits[: reader_decision.MOST_READ]),
                load_profile(one.profile),
                reader,
            ).verdict.status
            == "pass"
            for one in asked
        ]


class Trial:
    """The readers, over questions that were searched already."""

    def __init__(self, small: KeptReader, large: KeptReader) -> None:
        self._small, self._large = small, large

    def errors(self, asked: Sequence[AskedGate], of: str, worth: float, likely: float) -> GateErrors:
        readers = {"large": self._large, "small": self._small, "cascade": CascadeReader(self._small, self._large)}
        alone = gated(asked, self._large, 0.0, 0.0)
        self._small.pairs.clear()
        self._large.pairs.clear()
        passed = gated(asked, readers[of], worth, likely) if of == "cascade" else gated(asked, readers[of], 0.0, 0.0)
        rows = list(zip(asked, passed, strict=True))
        return GateErrors(
            sum(one.answerable for one in asked),
            sum(not one.answerable for one in asked),
            sum(one.answerable and not answered for one, answered in rows),
            sum(answered and not one.answerable for one, answered in rows),
            sum(a == b for a, b in zip(alone, passed, strict=True)) / max(len(asked), 1),
            len(self._large.pairs) / max(len(asked), 1),
            len(self._small.pairs) / max(len(asked), 1),
        )

    def chosen(self, asked: Sequence[AskedGate]) -> tuple[tuple[float, float], dict[str, GateErrors]]:
        """The cut-offs, and what each of those tried does."""
        tried = {cut: self.errors(asked, "cascade", *cut) for cut in product(WORTH, LIKELIES)}
        alone = self.errors(asked, "large", WORTH_READING, LIKELY)
        good = [cut for cut, found in tried.items() if found.error <= alone.error]
        best = min(good or tried, key=lambda cut: (-round(tried[cut].agreement, 2), tried[cut].large))
        return best, {f"{worth}, {likely}": found for (worth, likely), found in tried.items()}

    def first_places(self, asked: Sequence[AskedGate]) -> dict[str, dict[str, float]]:
        """How often a passage that answers is first, and among the first three, of the questions for which one is found."""
        known = [one for one in asked if any(one.gold)]
        orders: dict[str, list[list[bool]]] = {"as found": [list(one.gold) for one in known]}
        for name, reader, most in (("small, 20", self._small, 20), ("small, 10", self._small, 10)):
            orders[name] = [_reordered(one, reader, most) for one in known]
        return {
            name: {f"hit@{k}": round(sum(any(o[:k]) for o in order) / max(len(known), 1), 3) for k in (1, 3)}
            | {"questions": len(known)}
            for name, order in orders.items()
        }


def _reordered(one: AskedGate, reader: KeptReader, most: int) -> list[bool]:
    hits = one.evidence.hits[:most]
    said = reader.answers([(one.evidence.query.asks, (passage_text(hit.chunk),)) for hit in hits])
    order = sorted(range(len(hits)), key=lambda place: (-round(said[place], 4), place))
    return [one.gold[place] for place in order]


def main() -> None:
    options = _options()
    kinds = [kind for kind in (*own_kinds(DATA), *public_kinds(DATA)) if kind.name in options.sets]
    asked: list[AskedGate] = []
    trial = Trial(*(KeptReader(_shipped(tier), CACHE / "cascade") for tier in ("small", "large")))
    figures: dict[str, Any] = {}
    for kind in kinds:
        start = time.monotonic()
        some = list(found_for(kind, options.limit))
        asked += some
        figures[kind.name] = _figures(trial, some)
        print(f"{kind.name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    on = [one for one in asked if one.kind in CHOSEN_ON]
    cuts, tried = trial.chosen(on) if on else ((WORTH_READING, LIKELY), {})
    record = {
        "command": f"python -m benchmarks.quality.answering.cascade --limit {options.limit}",
        "in use": {"WORTH_READING": WORTH_READING, "LIKELY": LIKELY},
        "chosen": {"WORTH_READING": cuts[0], "LIKELY": cuts[1]},
        "tried": {name: asdict(found) for name, found in tried.items()},
        "kinds": figures,
        "reported together": _figures(trial, [one for one in asked if one.kind in REPORTED_ON]),
    }
    page = as_markdown(record)
    print(page)
    if set(options.sets) == {*CHOSEN_ON, *REPORTED_ON}:
        (RESULTS / "cascade.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        (RESULTS / "cascade.md").write_text(page, encoding="utf-8")


def _shipped(tier: str) -> OnnxReader:
    found = open_verifier(tier)
    assert isinstance(found, OnnxReader)
    return found


def _figures(trial: Trial, asked: Sequence[AskedGate]) -> dict[str, Any]:
    errors = {of: asdict(trial.errors(asked, of, WORTH_READING, LIKELY)) for of in READERS}
    return {"gate": errors, "order": trial.first_places(asked)}


def as_markdown(record: dict[str, Any]) -> str:
    lines = [
        "# Two-stage reading: a small first stage, then the large reader\n",
        f"`{record['command']}`. In use: {record['in use']}; this run would choose {record['chosen']}, on {', '.join(CHOSEN_ON)}.\n",
        "The gate alone, before anything is drafted: wrong refusals and false answers, how often the verdict is that of the",
        "large reader alone, and the pairs read for a question. Questions of one part.\n",
        "| kind | reader | wrong refusals | false answers | same verdict | read by large | by small |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    together = {**record["kinds"], "**reported on**": record["reported together"]}
    for kind, figures in together.items():
        for of, found in figures["gate"].items():
            lines.append(
                f"| {kind} | {of} | {found['wrong_refusals']} of {found['answerable']} | {found['false_answers']} of "
                f"{found['unanswerable']} | {100 * found['agreement']:.0f} % | {found['large']:.1f} | {found['small']:.1f} |"
            )
    lines += ["", "| `WORTH_READING`, `LIKELY` | wrong refusals | false answers | same verdict | read by large |"]
    lines += ["|---|--:|--:|--:|--:|"]
    lines += [
        f"| {cut} | {one['wrong_refusals']} | {one['false_answers']} | {100 * one['agreement']:.0f} % | {one['large']:.2f} |"
        for cut, one in record["tried"].items()
    ]
    lines += [
        "",
        "A passage that answers is first, and among the first three:\n",
        "| kind | order | first | first three | of |",
    ]
    lines += ["|---|---|--:|--:|--:|"]
    for kind, figures in together.items():
        for order, found in figures["order"].items():
            lines.append(f"| {kind} | {order} | {found['hit@1']} | {found['hit@3']} | {found['questions']} |")
    return "\n".join(lines) + "\n"


def _options() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--limit", type=int, default=20, help="questions of each side of each kind")
    arguments.add_argument("--sets", nargs="*", default=[*CHOSEN_ON, *REPORTED_ON])
    return arguments.parse_args()


if __name__ == "__main__":
    main()
