"""Fits the weights that turn key-term coverage and cosine into a relevance between 0 and 1.

    python -m benchmarks.quality.encoder_calibration footnotary-30m --data ../shared/data [--write]

The examples are the best hits of real questions: against the collection that answers them (relevant when the right
passage comes first), against collections about something else (not relevant), and against their own collection without
the right passage (near misses: on the subject, so worth a quarter). Each group counts the same, and so does each set in
its group. `--write` puts the weights into the folder's config.json and keeps the dense weight.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.encoder_sets import Bm25, Passage, read, sections
from benchmarks.quality.encoders import ROOT, SHIPPED, CachedVectors, open_folder, weighted
from footnotary.domain.query import KeyTerm, Scope
from footnotary.gate.intent import understand
from footnotary.profiles.load import load_profile

NEAR_MISS = 0.25
THRESHOLD = 0.3
ELSEWHERE = (("xquad en", "ipc"), ("ipc", "xquad en"), ("ipc", "hipaa"), ("squad", "ipc"), ("squad", "hipaa"))
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question as the product understands it, the passage that answers it, and that passage's article."""

    text: str
    subject: tuple[KeyTerm, ...]
    terms: tuple[str, ...]
    answer: str
    article: str


@dataclass(frozen=True, slots=True)
class Examples:
    """Coverage and cosine of the best hit of each question, and what such a hit is worth."""

    group: str
    name: str
    features: Matrix
    worth: float


class SearchableCollection:
    """Passages with both indexes over them."""

    def __init__(self, passages: Sequence[Passage], embedder: CachedVectors) -> None:
        self.ids = [passage.id for passage in passages]
        self.held = [set(passage.terms(1)) for passage in passages]
        self.words = Bm25([passage.terms(3) for passage in passages])
        self.vectors = embedder.passages([passage.embedded for passage in passages]).astype(np.float64)

    def best(
        self, asked: LabelledQuestion, vector: Matrix, dense_weight: float, without: str = ""
    ) -> tuple[str, float, float]:
        """The id, coverage and cosine of the best hit that is neither `without` nor a part of that article."""
        lexical, dense = self.words.scores(asked.terms), self.vectors @ vector
        if without:
            away = [i for i, name in enumerate(self.ids) if name == without or name.rsplit("_", 1)[0] == without]
            lexical[away], dense[away] = 0.0, dense.min()
        place = int(np.argmax(weighted(dense_weight)(lexical[None], dense[None])[0]))
        met = sum(key.stands_in(self.held[place]) for key in asked.subject)
        return self.ids[place], met / max(len(asked.subject), 1), float(dense[place])


def understood(rows: Sequence[tuple[str, str, str]]) -> list[LabelledQuestion]:
    profile = load_profile("default")
    asked: list[LabelledQuestion] = []
    for text, answer, article in rows:
        query = understand(text, Scope("calibration"), profile)
        subject = tuple(key for facet in query.facets for key in facet.subject)
        asked.append(LabelledQuestion(text, subject, query.terms, answer, article))
    return asked


def examples(data: Path, embedder: CachedVectors, dense_weight: float) -> list[Examples]:
    """The examples of all groups, for the languages the embedder knows."""
    passages, questions = _collections(data, embedder.embedder.languages)
    searched = {name: SearchableCollection(found, embedder) for name, found in passages.items()}
    vectors = {
        name: embedder.questions([one.text for one in asked]).astype(np.float64) for name, asked in questions.items()
    }

    def hits(name: str, where: str, without: str) -> list[tuple[str, float, float]]:
        return [
            searched[where].best(one, vector, dense_weight, getattr(one, without) if without else "")
            for one, vector in zip(questions[name], vectors[name], strict=True)
        ]

    found: list[Examples] = []
    for name, asked in questions.items():
        right = [hit for hit, one in zip(hits(name, name, ""), asked, strict=True) if hit[0] == one.answer]
        found.append(_examples("present", f"{name} in its own", right, 1.0))
        found.append(_examples("near", f"{name} without the answer", hits(name, name, "answer"), NEAR_MISS))
        if name.startswith("xquad"):
            found.append(_examples("absent", f"{name} without its article", hits(name, name, "article"), 0.0))
    found += [_examples("absent", f"{name} in {where}", hits(name, where, ""), 0.0) for name, where in ELSEWHERE]
    return found


def _examples(group: str, name: str, hits: Sequence[tuple[str, float, float]], worth: float) -> Examples:
    return Examples(group, name, np.array([hit[1:] for hit in hits]), worth)


def _collections(
    data: Path, languages: Sequence[str]
) -> tuple[dict[str, Sequence[Passage]], dict[str, list[LabelledQuestion]]]:
    law = data / "corpora" / "law_mix"
    squad = [row for row in read(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz") if row["answerable"]]
    place = {text: f"p{number}" for number, text in enumerate(dict.fromkeys(row["passage"] for row in squad))}
    passages: dict[str, Sequence[Passage]] = {
        "ipc": sections(read(law / "ipc_1860.jsonl")),
        "hipaa": sections(read(law / "hipaa_45cfr_160_164.jsonl")),
        "squad": [Passage(name, "", text) for text, name in place.items()],
    }
    law_questions = read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")
    questions = {
        "ipc": understood([(row["question"], row["gold_id"], "") for row in law_questions]),
        "squad": understood([(row["question"], place[row["passage"]], "") for row in squad]),
    }
    for language in languages:
        rows = read(data / "rag" / "xquad_en_hi" / f"xquad_{language}.jsonl.gz")
        texts = {row["para_id"]: row["passage"] for row in rows}
        passages[f"xquad {language}"] = [Passage(name, "", text) for name, text in texts.items()]
        questions[f"xquad {language}"] = understood([(r["question"], r["para_id"], r["title"]) for r in rows])
    return passages, questions


def fitted(found: Sequence[Examples], columns: Sequence[int]) -> Matrix:
    """Logistic regression by Newton's method: the intercept, then one weight per column."""
    groups = [example.group for example in found]
    x = np.concatenate([np.c_[np.ones(len(e.features)), e.features[:, columns]] for e in found])
    worth = np.concatenate([np.full(len(e.features), e.worth) for e in found])
    mass = np.concatenate([np.full(len(e.features), 1e3 / len(e.features) / groups.count(e.group)) for e in found])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = _logistic(x @ weights)
        curvature = (x * (mass * p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(curvature, x.T @ (mass * (worth - p)) - 1e-3 * weights)
    return weights


def _logistic(value: Matrix) -> Matrix:
    return 1.0 / (1.0 + np.exp(-value))


def report(found: Sequence[Examples], both: Matrix, words: Matrix) -> None:
    print(f"{'':34s}{'n':>6s}  relevance >= {THRESHOLD}, median  | by words only")
    for example in found:
        x = np.c_[np.ones(len(example.features)), example.features]
        p, q = _logistic(x @ both), _logistic(x[:, :2] @ words)
        shares = (
            f"{100 * np.mean(p >= THRESHOLD):17.1f} %  {np.median(p):.2f}   | {100 * np.mean(q >= THRESHOLD):6.1f} %"
        )
        print(f"{example.group:8s}{example.name:26s}{len(p):6d}{shares}  {np.median(q):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.environ.get("FOOTNOTARY_DATA", str(ROOT.parent / "shared" / "data"))
    parser.add_argument("weights", choices=sorted(SHIPPED))
    parser.add_argument("--data", type=Path, default=Path(default), help="the data folder (or FOOTNOTARY_DATA)")
    parser.add_argument("--vectors", type=Path, help="a folder to keep vectors in between runs")
    parser.add_argument("--write", action="store_true", help="put the weights into config.json")
    arguments = parser.parse_args()
    folder = ROOT / "src" / "footnotary" / "weights" / arguments.weights
    embedder = CachedVectors(open_folder(folder), arguments.vectors)
    found = examples(arguments.data, embedder, embedder.embedder.calibration.dense_weight)
    both, words = fitted(found, [0, 1]), fitted(found, [0])
    names = ("intercept", "coverage", "cosine", "words_only_intercept", "words_only_coverage")
    calibration: Mapping[str, float] = {n: round(float(v), 2) for n, v in zip(names, (*both, *words), strict=True)}
    print(json.dumps(calibration, indent=2))
    report(found, both, words)
    if arguments.write:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        text = json.dumps(config | {"calibration": config["calibration"] | calibration}, indent=2) + "\n"
        (folder / "config.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
