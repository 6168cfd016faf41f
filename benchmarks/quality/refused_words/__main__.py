"""Which words of a refused sentence are named, against the spans that people marked in RAGTruth (development set).

    python -m benchmarks.quality.refused_words [--verifier large|small|lexical] [--leave-one-out N] [--cap N]

Every sentence with a marked span that the product refuses counts, each against the passages its response was written
from. Characters and words are counted over all sentences; "whole sentence" and "absent words" are what it must beat.
Rules were chosen on one half of the source documents and are reported on the other. Leaving out phrase by phrase with
the model is slow, and is measured on the first N sentences. Writes refused-words.json and .md in benchmarks/results/quality/refused_words.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.refused_words.scores import CachedSupport
from footnotary.domain.document import Labels
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.identity import Span
from footnotary.domain.query import Scope
from footnotary.external.passages import make_evidence, make_hit
from footnotary.gate.intent import understand
from footnotary.ports import Submission, Verifier
from footnotary.profiles.load import load_profile
from footnotary.reader.shipped import open_verifier
from footnotary.text.stopwords import STOP_WORDS
from footnotary.text.tokens import stem, terms_of, word_places
from footnotary.verify.run import checks_for, verify
from footnotary.verify.unsupported_words import phrases, unsupported_words, without_phrase

ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
CACHE = Path(os.environ.get("FOOTNOTARY_BENCHMARK_CACHE", Path.home() / ".cache" / "footnotary-benchmarks"))
RESULTS = ROOT / "benchmarks" / "results" / "quality" / "refused_words"
PROFILE = load_profile("default")


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    text: str
    passage: str
    marked: tuple[Span, ...]
    half: str


Method = Callable[[MarkedSentence], Sequence[Span]]


def marked_sentences(path: Path) -> list[MarkedSentence]:
    found: list[MarkedSentence] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        premise = row["premise"] if isinstance(row["premise"], str) else "\n".join(row["premise"])
        half = "chosen on" if int(hashlib.sha256(row["group"].encode()).hexdigest(), 16) % 2 else "reported"
        for start, end, _ in row["sentences"]:
            spans = [s for s in row["spans"] if s["start"] < end and s["end"] > start]
            marked = tuple(Span(max(s["start"], start) - start, min(s["end"], end) - start) for s in spans)
            if marked:
                found.append(MarkedSentence(row["claim"][start:end], premise, marked, half))
    return found


def submitted(sentence: MarkedSentence) -> Submission:
    hits = [make_hit("SOURCE_1", sentence.passage, 1.0, Labels())]
    evidence = make_evidence(understand("", Scope("given"), PROFILE), hits)
    return Submission(evidence.query, evidence, Draft((Claim(sentence.text, ("SOURCE_1",)),), "given"))


def absent_words(sentence: MarkedSentence) -> list[Span]:
    held = terms_of(sentence.passage)
    places = word_places(sentence.text)
    return [Span(start, end) for start, end, word in places if word not in STOP_WORDS and stem(word) not in held]


def left_out_one_by_one(by: Verifier) -> Method:
    """The phrases whose removal raises the model's probability."""

    def method(sentence: MarkedSentence) -> list[Span]:
        parts = phrases(sentence.text)
        texts = (sentence.text, *(without_phrase(sentence.text, part) for part in parts))
        whole, *rest = by.support([(text, (sentence.passage,)) for text in texts])
        return [part for part, value in zip(parts, rest, strict=True) if value > whole]

    return method


def figures(sentences: Sequence[MarkedSentence], method: Method) -> dict[str, float]:
    characters, tokens = [0, 0, 0], [0, 0, 0]
    for sentence in sentences:
        marked = {place for span in sentence.marked for place in range(span.start, span.end)}
        named = {place for span in method(sentence) for place in range(span.start, span.end)}
        words = {start for start, _, _ in word_places(sentence.text)}
        for counted, (a, b) in ((characters, (marked, named)), (tokens, (marked & words, named & words))):
            counted[0] += len(a & b)
            counted[1] += len(b)
            counted[2] += len(a)
    rates = {}
    for unit, (both, named, marked) in (("character", characters), ("word", tokens)):
        rates[f"{unit}_precision"] = both / named if named else 0.0
        rates[f"{unit}_recall"] = both / marked if marked else 0.0
        rates[f"{unit}_f1"] = 2 * both / (named + marked) if named + marked else 0.0
    share = sum(sum(len(span.of(s.text)) for span in method(s)) / len(s.text) for s in sentences) / len(sentences)
    return {name: round(100 * rate, 1) for name, rate in (rates | {"share_named": share}).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verifier", default="large", choices=("large", "small", "lexical"))
    parser.add_argument("--leave-one-out", type=int, default=0, metavar="N", help="sentences of each half")
    parser.add_argument("--cap", type=int, default=1000, help="sentences in all")
    options = parser.parse_args()
    path = DATA / "grounding" / "dev" / "ragtruth.dev.jsonl.gz"
    if not path.is_file():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        raise SystemExit(1)
    opened = open_verifier(options.verifier)
    by = opened and CachedSupport(opened, CACHE / "refused_words")
    checks = checks_for(PROFILE, by)
    sentences = marked_sentences(path)[: options.cap]
    verdicts = {s: verify(submitted(s), checks) for s in sentences}
    refused = [s for s in sentences if any(v.status == "fail" for v in verdicts[s])]
    methods: dict[str, Method] = {
        "whole sentence": lambda s: [Span(0, len(s.text))],
        "absent words": absent_words,
        "shipped": lambda s: [words.span for words in unsupported_words(submitted(s), verdicts[s], by)],
    }
    rows = {
        half: {name: figures([s for s in refused if s.half == half], method) for name, method in methods.items()}
        for half in ("chosen on", "reported")
    }
    if by is not None and options.leave_one_out:
        few = [s for s in refused if s.half == "reported"][: options.leave_one_out]
        methods["leave one phrase out"] = left_out_one_by_one(by)
        rows[f"reported, first {len(few)}"] = {name: figures(few, method) for name, method in methods.items()}
    result = {
        "verifier": by.name if by else "lexical",
        "marked_sentences": len(sentences),
        "refused": len(refused),
        "of_each_half": {half: sum(s.half == half for s in refused) for half in ("chosen on", "reported")},
        "figures": rows,
    }
    write(result, options.verifier)


def write(result: dict[str, object], verifier: str) -> None:
    lines = [
        "# Which words of a refused sentence are named",
        "",
        f"`python -m benchmarks.quality.refused_words --verifier {verifier}`: RAGTruth, development set, "
        f"{result['marked_sentences']} sentences with marked spans, {result['refused']} refused ({result['verifier']}).",
        "Per cent, characters (and words) over all sentences of a half; `named` is the mean share of a sentence named.",
        "",
        "| half | method | precision | recall | F1 | named |",
        "|---|---|--:|--:|--:|--:|",
    ]
    tables: dict[str, dict[str, dict[str, float]]] = result["figures"]  # type: ignore[assignment]
    for half, methods in tables.items():
        for name, f in methods.items():
            cells = " | ".join(f"{f[f'character_{r}']} ({f[f'word_{r}']})" for r in ("precision", "recall", "f1"))
            lines.append(f"| {half} | {name} | {cells} | {f['share_named']} |")
    print("\n".join(lines))
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "refused-words.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "refused-words.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
