"""Collects what the adapter learns from, claims and questions over whole passages, in one file.

    python -m training.xl.rows --data FOLDER --rows FOLDER --out rows.jsonl.gz --dev dev.jsonl.gz

`--rows` holds `questions.jsonl.gz`, `claims.jsonl.gz` and `dev.jsonl.gz` of `training.reader.rows`, and `made.jsonl.gz`
of `training.verifier.generated`. Rows are `{set, k, p, a, y}`: k is "c" (claim) or "q" (question), p the numbers of
the passages, each with its heading. The file holds the passages first, then the rows in random order, so that
training may stop anywhere.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.reader.evidence_window import window_for
from harness.grounding_rows import LEARNED, learned, passages_of
from training.verifier.rows import read
from training.xl.claim_sets import DEV_PASSES, TRAIN2_PASSES, TRAIN_PASSES, UNLICENSED, claims_of, held_out_table
from training.xl.question_rows import hindi_questions, question_rows, ten_passages
from training.xl.stored_rows import read_rows, write

Row = dict[str, Any]
MOST_WORDS = 620
DEV_WORDS = 620
MADE_BESIDE_OTHERS = 0.4
HEADINGS = ("Overview", "General", "Details", "Introduction", "Section 4", "FAQ", "Notes", "Summary", "Part II")
LEAD = ("ragtruth", "lfqa_verif", "attributionbench", "wice_claim", "summedits")


def claim_row(name: str, claim: str, passages: list[str], label: int, draw: random.Random) -> Row:
    """A claim over its passages, whole where they are short enough, else over a window of random size."""
    if sum(len(passage.split()) for passage in passages) > MOST_WORDS:
        # Most windows are smaller than the limit: in use evidence is chosen, and short rows are cheap to learn from.
        passages = [window_for(claim, passages, draw.choice((120, 200, 300, 400, MOST_WORDS)))]
    heading = draw.choice(HEADINGS) if draw.random() < 0.08 else ""
    shown = [(heading if i == 0 else "", passage) for i, passage in enumerate(passages)]
    return {"set": name, "k": "c", "e": shown, "a": claim, "y": label}


def times(passes: float, draw: random.Random) -> int:
    return int(passes) + (draw.random() < passes % 1)


def labelled_claims(data: Path, draw: random.Random) -> Iterator[Row]:
    for folder, shares in (("train", TRAIN_PASSES), ("train2", TRAIN2_PASSES)):
        for name, passes in shares.items():
            for row in read(data / "grounding" / folder / f"{name}.train.jsonl.gz"):
                if row["level"] == "question" or held_out_table(name, row):
                    continue
                for claim, label in claims_of(row, draw):
                    # Supported sentences of long answers are many and easy: the unsupported ones count more.
                    share = passes if name != "ragtruth" else 1.9 if not label else 0.45
                    for _ in range(times(share, draw)):
                        yield claim_row(name, claim, passages_of(row["premise"]), label, draw)
    for name in LEARNED:
        passes = DEV_PASSES.get(name, 0)
        for row in read(data / "grounding" / "dev" / f"{name}.dev.jsonl.gz"):
            if row["level"] != "question" and learned(name, row):
                for claim, label in claims_of(row, draw):
                    for _ in range(times(passes, draw)):
                        yield claim_row(f"dev:{name}", claim, passages_of(row["premise"]), label, draw)


def made_claims(path: Path, draw: random.Random) -> Iterator[Row]:
    """Made rows; a part of them among other passages of their source."""
    others: dict[str, list[str]] = {}
    for row in read(path):
        if row["kind"].startswith("verbatim") and draw.random() < 0.5:
            continue
        near = others.setdefault(row["source"], [])
        passages = [row["premise"]]
        if near and draw.random() < MADE_BESIDE_OTHERS:
            passages = draw.sample(near, min(len(near), draw.randint(1, 4)))
            passages.insert(draw.randint(0, len(passages)), row["premise"])
        near.append(row["premise"])
        del near[:-60]
        yield claim_row(f"made:{row['kind']}", row["claim"], passages, row["label"], draw)


def altered_claims(path: Path, draw: random.Random) -> Iterator[Row]:
    for row in read(path):
        if row["set"].startswith("altered:"):
            yield claim_row(row["set"], row["a"], row["b"].split("\n"), row["y"], draw)


def dev_rows(data: Path, rows: Path, draw: random.Random) -> Iterator[Row]:
    """Held-out rows: those of the reader as they are, lead sets over whole passages, ten passages, and Hindi."""
    for row in read(rows / "dev.jsonl.gz"):
        if row["set"] == "q:squad2_dev500":
            continue
        shown = [(row["h"], " ".join(row["s"]))] if "s" in row else [("", row["b"])]
        kept = {"set": row["set"], "k": row["set"][0], "e": shown, "a": row["a"], "y": row["y"]}
        yield kept | ({"id": row["id"]} if "id" in row else {})
    for name in LEAD:
        held = [row for row in read(data / "grounding" / "dev" / f"{name}.dev.jsonl.gz") if not learned(name, row)]
        for row in draw.sample(held, min(len(held), 900)):
            for claim, _ in claims_of(row | {"level": "sentences" if row["level"] == "response" else "claim"}, draw):
                passages = passages_of(row["premise"])
                if sum(len(passage.split()) for passage in passages) > DEV_WORDS:
                    passages = [window_for(claim, passages, DEV_WORDS)]
                shown = [("", passage) for passage in passages]
                yield {"set": f"w:{name}", "k": "c", "e": shown, "a": claim, "y": int(row["label"]), "id": row["id"]}
    squad = list(read(data / "grounding" / "dev" / "squad2.dev.jsonl.gz"))
    seen = {" ".join(row["premise"].split()) for row in squad if learned("squad2", row)}
    for row in read(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz"):
        if " ".join(row["passage"].split()) not in seen:
            shown = [("", row["passage"])]
            yield {"set": "q:squad2_dev500", "k": "q", "e": shown, "a": row["question"], "y": int(row["answerable"])}
    yield from ten_passages([row for row in squad if not learned("squad2", row)], "q:ten", draw)
    yield from hindi_questions(data, draw, wanted=False)
    for row in read(data / "grounding" / "train2" / "infotabs_hi.train.jsonl.gz"):
        if held_out_table("infotabs_hi", row):
            yield {"set": "c:infotabs_hi", "k": "c", "e": [("", row["premise"])], "a": row["claim"], "y": row["label"]}


def wording(text: str) -> str:
    """Claims of one set recur in others: those that are measured are not learned from elsewhere."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--most", type=int, default=260_000, help="rows")
    options = parser.parse_args()
    draw = random.Random(31)
    print("dev", write(options.dev, dev_rows(options.data, options.rows, random.Random(7))), flush=True)
    rows = list(labelled_claims(options.data, draw))
    print("claims", len(rows), flush=True)
    rows += made_claims(options.rows / "made.jsonl.gz", draw)
    rows += altered_claims(options.rows / "claims.jsonl.gz", draw)
    claims = len(rows)
    rows += question_rows(options.data, options.rows / "questions.jsonl.gz", draw)
    rows = [row for row in rows if row["set"].split(":")[-1] not in UNLICENSED]
    print("claims", claims, "questions", len(rows) - claims, flush=True)
    measured = {wording(row["a"]) for row in read_rows(options.dev) if row["k"] == "c"}
    rows = [row for row in rows if row["k"] == "q" or wording(row["a"]) not in measured]
    draw.shuffle(rows)
    # The learned halves of the lead sets are small: all of them are kept.
    kept = [row for row in rows if row["set"].startswith("dev:")]
    kept += [row for row in rows if not row["set"].startswith("dev:")][: options.most - len(kept)]
    draw.shuffle(kept)
    counts = write(options.out, kept)
    for kind in ("c", "q"):
        labels = Counter(int(row["y"] >= 0.5) for row in kept if row["k"] == kind)
        print(kind, dict(labels), flush=True)
    print(counts.most_common(), flush=True)
    print(f"{sum(counts.values())} rows, {options.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
