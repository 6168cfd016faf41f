"""Questions and titles paired with the passages that answer them, for the retriever.

    python -m training.retriever.pairs --data FOLDER --out FOLDER

Writes pairs.jsonl.gz ({q, p, n}: question, passage, passages that only look like it) and sets.json.gz, the
collections the encoders are compared on.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.quality.encoder_sets import Bm25, Collection, Passage, collections
from benchmarks.quality.encoder_sets import read as read_rows
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import content_terms, terms_of
from harness.grounding_rows import passages_of
from training.verifier import questions
from training.verifier.rows import HELD_OUT, read

Row = dict[str, Any]
MAX_CHARACTERS = 1600


def statutes(data: Path, draw: random.Random) -> Iterator[Row]:
    """Section titles, verbatim and as questions; negatives are from the same act."""
    acts: dict[str, list[Row]] = defaultdict(list)
    for row in read(data / "corpora" / "in_acts" / "all_acts_en_sections.jsonl.gz"):
        if row.get("section") and len(row["text"].split()) >= 12 and not any(h in row["slug"] for h in HELD_OUT):
            acts[row["slug"]].append(row)
    for rows in acts.values():
        terms = [terms_of(f"{row['title']} {row['text'][:MAX_CHARACTERS]}") for row in rows]
        for i, row in enumerate(rows):
            asked = questions.from_title(row["title"], row["act"], draw)
            if asked is None:
                continue
            body = " ".join(row["text"].split())
            wanted = terms_of(asked)
            near = sorted((j for j in range(len(rows)) if j != i), key=lambda j: -len(terms[j] & wanted))[:4]
            others = [" ".join(rows[j]["text"].split())[:MAX_CHARACTERS] for j in near]
            # With its title in front a section is found by the title's words alone, which teaches nothing.
            yield {"s": "titles", "q": asked, "p": body[:MAX_CHARACTERS], "n": others}
            made = [q for part in sentences(row["text"])[:8] if (q := questions.from_sentence(part, draw)) is not None]
            if made:
                titled = f"{row['title']}\n{body}"[:MAX_CHARACTERS]
                yield {"s": "statutes", "q": draw.choice(made), "p": titled, "n": others}


def claims(data: Path, draw: random.Random) -> Iterator[Row]:
    """Claims with the evidence that supports or refutes them, and questions with their passages."""
    for name in ("fever_nli", "climate_fever", "covidfact", "scitail", "feverous", "cg2c", "nli4ct", "factcheck_gpt"):
        found: dict[str, list[Row]] = defaultdict(list)
        for row in read(data / "grounding" / "train" / f"{name}.train.jsonl.gz"):
            if row["label"] == 1 or row.get("label_orig") in ("refutes", "REFUTES", "Contradiction"):
                found[row["claim"]].append(row)
        for claim, rows in found.items():
            text = " ".join(" ".join(passages_of(draw.choice(rows)["premise"])).split())
            if len(text.split()) >= 12:
                yield {"s": name, "q": claim, "p": text[:MAX_CHARACTERS], "n": []}
    web: dict[str, list[str]] = {}
    for row in read(data / "grounding" / "train" / "ragtruth.train.jsonl.gz"):
        web[row["question"]] = passages_of(row["premise"])
    for question, passages in web.items():
        for passage in passages:
            if len(terms_of(question) & terms_of(passage)) >= 0.5 * len(terms_of(question)):
                yield {"s": "web", "q": question, "p": passage[:MAX_CHARACTERS], "n": []}
    for row in read(data / "rag" / "policyqa" / "dev.jsonl.gz"):
        yield {"s": "policies", "q": row["question"], "p": row["passage"][:MAX_CHARACTERS], "n": []}


def prose(data: Path, draw: random.Random) -> Iterator[Row]:
    """Generated questions on sentences of longer texts, with the part of the text they come from."""
    for name in ("defacto", "fib", "cg2c", "control", "ragtruth", "factcheck_gpt", "fever_nli"):
        seen: set[str] = set()
        for row in read(data / "grounding" / "train" / f"{name}.train.jsonl.gz"):
            text = " ".join(passages_of(row["premise"]))
            if text[:80] in seen:
                continue
            seen.add(text[:80])
            parts = sentences(text)
            made = [(i, q) for i, part in enumerate(parts) if (q := questions.from_sentence(part, draw)) is not None]
            for i, question in draw.sample(made, min(2, len(made))):
                start = max(0, i - draw.randint(0, 4))
                near = [" ".join(parts[j : j + 5]) for j in (start - 6, start + 7) if 0 <= j < len(parts) - 2]
                yield {
                    "s": f"prose:{name}",
                    "q": question,
                    "p": " ".join(parts[start : start + 7])[:MAX_CHARACTERS],
                    "n": near,
                }


def evaluation_collections(data: Path) -> Iterator[Collection]:
    """The sets of the encoder benchmark, and two more that nothing here was chosen on."""
    yield from collections(data)
    rows = list(read_rows(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz"))
    key = "context" if "context" in rows[0] else "passage"
    texts = {row[key]: f"p{i}" for i, row in enumerate(rows)}
    asked = [row for row in rows if row.get("answers") or row.get("answerable")]
    yield Collection(
        "squad2", "nDCG@10", "en", tuple(Passage(i, "", t) for t, i in texts.items()),
        tuple(row["question"] for row in asked), tuple({texts[row[key]]: 1.0} for row in asked),
    )  # fmt: skip
    health = list(read(data / "grounding" / "dev" / "healthver.dev.jsonl.gz"))
    health += list(read(data / "grounding" / "dev" / "covidfact.dev.jsonl.gz"))
    health += list(read(data / "grounding" / "dev" / "fm2.dev.jsonl.gz"))
    gains: dict[str, dict[str, float]] = defaultdict(dict)
    names: dict[str, str] = {}
    for row in health:
        text = " ".join(passages_of(row["premise"]))
        names.setdefault(text, f"h{len(names)}")
        gains[row["claim"]][names[text]] = 1.0
    yield Collection(
        "claims", "nDCG@10", "en", tuple(Passage(i, "", t) for t, i in names.items()), tuple(gains),
        tuple(gains.values()),
    )  # fmt: skip


def as_row(collection: Collection) -> Row:
    lexical = Bm25([passage.terms(3) for passage in collection.passages])
    words = [lexical.scores(content_terms(question)) for question in collection.questions]
    best = [sorted(range(len(row)), key=lambda j: -row[j])[:200] for row in words]
    return {
        "name": collection.name,
        "passages": [passage.embedded for passage in collection.passages],
        "ids": [passage.id for passage in collection.passages],
        "questions": list(collection.questions),
        "relevant": [dict(gains) for gains in collection.relevant],
        "words": [
            [[j, round(float(row[j]), 3)] for j in near if row[j] > 0] for row, near in zip(words, best, strict=True)
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    draw = random.Random(5)
    count = 0
    with gzip.open(options.out / "pairs.jsonl.gz", "wt", encoding="utf-8") as out:
        for source in (claims, prose, statutes):
            for row in source(options.data, draw):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
    print(count, "pairs", flush=True)
    sets = [as_row(collection) for collection in evaluation_collections(options.data) if collection.language == "en"]
    with gzip.open(options.out / "sets.json.gz", "wt", encoding="utf-8") as out:
        json.dump(sets, out, ensure_ascii=False)
    print([(s["name"], len(s["passages"]), len(s["questions"])) for s in sets])


if __name__ == "__main__":
    main()
