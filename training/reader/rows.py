"""Collects what the reader learns from: labelled questions, contexts to write questions about, and claims.

    python -m training.reader.rows --data FOLDER --made made.jsonl.gz --out FOLDER

Writes `questions.jsonl.gz` (rows of people, each with its sentences and the place of the answer where it is known),
`contexts.jsonl.gz` (passages with one sentence to ask about and the passages nearest to it), `claims.jsonl.gz` and `dev.jsonl.gz`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from footnotary.reader.evidence_window import window_for
from footnotary.text.sentences.splitter import sentences
from harness.grounding_rows import learned, passages_of
from training.reader.free_claims import free_claims
from training.reader.questions import (
    NEAREST,
    NearestPassages,
    code_sections,
    half,
    labelled_questions,
    policy_questions,
    question_row,
    split_passage,
)
from training.reader.written_rows import written_claims, written_questions
from training.verifier.provision_questions import sections_of
from training.verifier.rows import ACTS, HELD_OUT, altered_rows, learned_rows, made_rows, read, write
from training.xl.claim_sets import UNLICENSED

Row = dict[str, Any]
CLAIM_SETS = {
    "ambient_disamb": 1, "apt_human": 1, "aggrefact_cliff_goyal": 1, "citation_integrity": 1, "contractnli": 1, "cb": 1,
    "dnc_recast": 0.3, "ecare_direction": 0.3, "entailmentbank": 0.3, "expertqa": 1, "folio": 0.5, "fracas": 1,
    "gofigure_cnndm": 1, "hans_gen": 0.3, "help_monotonicity": 0.4, "infotabs": 0.4, "med_monotonicity": 0.5, "monli": 0.6,
    "mpe": 0.3, "mrpc": 0.6, "negation_nli": 0.6, "nyu_crowd_mc": 1, "parade": 0.5, "paws": 0.7, "politihop": 0.5,
    "propsegment": 1, "realsumm_scu": 0.4, "semiauto_wiki_nli": 0.5, "sni_paraphrase": 1, "tabfact_pairs": 0.5,
    "temporal_nli": 0.3, "timex_nli": 0.3, "torque_claims": 0.3, "tracie": 0.3, "vitaminc_mini": 3, "qasc_compose": 0.2,
}  # fmt: skip
TRAIN_SHARE = {
    "snli": 0.05, "mnli": 0.3, "mnli_ni": 0.2, "conjnli": 0.2, "fever_nli": 0.4, "scitail": 0.4, "rte": 0.5, "defacto": 0.7,
    "multirc_answerability": 0.0, "ragtruth": 1.0, "cg2c": 0.8, "nli4ct": 0.4, "covidfact": 0.5, "wice_tokens": 1.5,
}  # fmt: skip
CLAIM_WORDS = (60, 230)
WRITTEN_CLAIMS = 6
FREE_CLAIMS = 2
PASSAGE_WORDS = 320
WHOLE_DOCUMENTS = ("acts", "codes", "policies", "cuad_windows")  # neighbours are taken from the same one
CONTEXTS = {
    "acts": 11_000, "codes": 4_000, "gdpr": 900, "policies": 1_800, "squad_fre": 4_000, "nq_ud": 3_500, "musique_ud": 6_000,
    "squad2_ud": 2_500, "boolq_dev_contrast": 2_500, "ragtruth": 2_000, "fever_nli": 2_500, "qasper_ni": 1_500,
    "doqa_ni": 1_500, "covidqa_od": 1_200, "bioasq6_9_golden": 2_000, "cuad_windows": 2_500, "tatqa_dev": 800,
    "infotabs": 1_200,
}  # fmt: skip


def passages_to_ask_about(data: Path) -> Iterator[tuple[str, str, str, list[str]]]:
    """(set, group, heading, sentences)."""
    for act, rows in sections_of(data / ACTS, HELD_OUT, read).items():
        for row in rows:
            yield "acts", str(act), f"{row['act']} > {row['title']}", sentences(row["text"])
    for code, rows in code_sections(data).items():
        for row in rows:
            yield "codes", code, f"{row['act']} > {row['title']}", sentences(row["text"])
    for line in (data / "corpora" / "gdpr" / "gdpr_articles_recitals.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield "gdpr", "gdpr", f"GDPR > {row['chapter']} > {row['title']}", sentences(row["text"])
    for row in read(data / "rag" / "policyqa" / "dev.jsonl.gz"):
        if half(row["policy"]):
            yield "policies", row["policy"], "Privacy Policy", sentences(row["passage"])
    for name in sorted(CONTEXTS.keys() - set(UNLICENSED)):
        for folder in ("train2", "train"):
            path = data / "grounding" / folder / f"{name}.train.jsonl.gz"
            if path.exists():
                for row in read(path):
                    for passage in passages_of(row["premise"]):
                        yield name, str(row["group"]), row.get("title") or "", sentences(passage)


def contexts(data: Path, draw: random.Random) -> Iterator[Row]:
    """Passages of 35 to 150 words, each with one sentence to ask about and two of those nearest to it."""
    pool: dict[str, list[Row]] = defaultdict(list)
    seen: set[str] = set()
    for name, group, heading, parts in passages_to_ask_about(data):
        parts = [p for p in parts if p.strip()]
        good = [i for i, p in enumerate(parts) if 6 <= len(p.split()) <= 60]
        for target in draw.sample(good, min(len(good), 2 if len(parts) > 4 else 1)):
            first = last = target
            size, most = len(parts[target].split()), draw.randint(45, 150)
            while True:
                grown = False
                for step in draw.sample((-1, 1), 2):
                    i = first - 1 if step < 0 else last + 1
                    if 0 <= i < len(parts) and size + len(parts[i].split()) <= most:
                        first, last = min(first, i), max(last, i)
                        size += len(parts[i].split())
                        grown = True
                if not grown:
                    break
            key = parts[target][:80]
            if (size >= 35 or (first == 0 and last == len(parts) - 1 and size >= 20)) and key not in seen:
                seen.add(key)
                kept = parts[first : last + 1]
                pool[name].append({"set": name, "g": group, "h": heading[:160], "s": kept, "t": target - first})
    for name, most in CONTEXTS.items():
        places: dict[str, list[Row]] = defaultdict(list)
        for row in pool[name]:
            places[row["g"] if name in WHOLE_DOCUMENTS else ""].append(row)
        indexes = {place: NearestPassages([as_text(row) for row in rows]) for place, rows in places.items()}
        for row in draw.sample(pool[name], min(len(pool[name]), most)):
            place = row["g"] if name in WHOLE_DOCUMENTS else ""
            near = [places[place][i] for i in indexes[place].to(row["s"][row["t"]], 3 * NEAREST)]
            near = [other for other in near if not set(other["s"]) & set(row["s"])][:NEAREST]
            yield row | {"n": [{"h": o["h"], "s": o["s"]} for o in draw.sample(near, min(len(near), 2))]}


def as_text(row: Row) -> str:
    return f"{row['h']} {' '.join(row['s'])}"


def claims(data: Path, made: Path | None, draw: random.Random) -> Iterator[Row]:
    for folder, shares in (("train", TRAIN_SHARE), ("train2", CLAIM_SETS)):
        for path in sorted((data / "grounding" / folder).glob("*.jsonl.gz")):
            name = path.name.split(".")[0]
            if name in ("anli", "averitec", *UNLICENSED) or (folder == "train2" and name not in shares):
                continue
            share = shares.get(name, 0.6)
            for row in read(path):
                if row["level"] == "question":
                    continue
                for claim, label in _claims(row):
                    for _ in range(int(share) + (draw.random() < share % 1)):
                        b = window_for(claim, passages_of(row["premise"]), draw.randint(*CLAIM_WORDS))
                        yield {"set": name, "a": claim, "b": b, "y": label}
    kept = (
        (learned_rows(data, draw, both=False), 0.4),
        (altered_rows(data, draw), 0.35),
        (made_rows(made, draw) if made else iter(()), 1.0),
    )
    for rows, share in kept:
        for row in rows:
            if row["head"] == 0 and draw.random() < share:
                yield {"set": row["set"], "a": row["a"], "b": row["b"], "y": row["y"]}

    for _ in range(WRITTEN_CLAIMS):
        yield from written_claims(draw, held_out=False)
    for _ in range(FREE_CLAIMS):
        yield from free_claims(data, held_out=False)


def _claims(row: Row) -> Iterator[tuple[str, int]]:
    claim = row["claim"].strip()
    if row.get("sentences"):
        for start, end, label in row["sentences"]:
            if len(claim[start:end].split()) >= 4:
                yield claim[start:end].strip(), int(label)
    elif len(claim.split()) <= 120:
        yield claim, int(row["label"])


def dev(data: Path, draw: random.Random) -> Iterator[Row]:
    """Held-out rows: questions of three kinds, the lead claim sets, and headings of every kind over one passage."""
    for name in ("squad2", "mtrag_un"):
        for row in read(data / "grounding" / "dev" / f"{name}.dev.jsonl.gz"):
            if row["level"] == "question" and not learned(name, row):
                yield question_row(f"q:{name}", row["claim"], split_passage(row), row["label"], [])
    for row in policy_questions(data, draw, wanted=False):
        yield row | {"set": "q:policies"}
    for row in written_questions(data, draw, held_out=True):
        yield row | {"set": f"q:{row['set']}"}
    for row in read(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz"):
        yield question_row("q:squad2_dev500", row["question"], sentences(row["passage"]), int(row["answerable"]), [])
    for row in written_claims(draw, held_out=True):
        yield row | {"set": "c:written"}
    for row in free_claims(data, held_out=True):
        yield row | {"set": "c:free"}
    for name in ("ragtruth", "lfqa_verif", "attributionbench", "wice_claim", "summedits", "fm2", "vitaminc"):
        path = data / "grounding" / "dev" / f"{name}.dev.jsonl.gz"
        rows = [row for row in read(path) if not learned(name, row)] if path.exists() else []
        for row in draw.sample(rows, min(len(rows), 900)):
            for claim in sentences(row["claim"]) if row["level"] == "response" else [row["claim"]]:
                if len(claim.split()) >= 3:
                    b = window_for(claim, passages_of(row["premise"]), 230)
                    yield {"set": f"c:{name}", "a": claim, "b": b, "y": int(row["label"]), "id": row["id"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--made", type=Path, help="what training.verifier.generated wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=("questions", "contexts", "claims", "dev"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    makers = {
        "dev": lambda draw: dev(options.data, draw),
        "questions": lambda draw: labelled_questions(options.data, draw),
        "contexts": lambda draw: contexts(options.data, draw),
        "claims": lambda draw: claims(options.data, options.made, draw),
    }
    for name, make in makers.items():
        if options.only in (None, name):
            print(name, write(options.out / f"{name}.jsonl.gz", make(random.Random(17))), flush=True)


if __name__ == "__main__":
    main()
