"""Public injections, harmless prompts and sentences of real texts, read in place, and which half of each is held out."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from footnotary.text.sentences.splitter import sentences

# What is trained on; of what is in both, one half of the documents each. The HIPAA rules and the GDPR only measure.
TRAINED = {
    "acts": "corpora/in_acts/all_acts_en_sections.jsonl.gz",
    "Hindi acts": "corpora/in_acts/curated_hi_pages.jsonl.gz",
    "Hindi school books": "corpora/ncert_class10/hindi_ocr_chunks.jsonl.gz",
    "encyclopaedia": "rag/squad2_dev500/squad2_dev500.jsonl.gz",
    "Hindi encyclopaedia": "rag/xquad_en_hi/xquad_hi.jsonl.gz",
    "handbook": "rag/gitlab_handbook_rag250/docs.jsonl.gz",
    "privacy policies": "rag/policyqa/dev.jsonl.gz",
}
HELD_OUT_TEXTS = {
    "HIPAA": "corpora/hipaa_cfr/hipaa_160_162_164.jsonl.gz",
    "GDPR": "corpora/gdpr/gdpr_articles_recitals.jsonl",
    "acts, curated": "corpora/in_acts/curated_en_sections.jsonl.gz",
    "privacy policies": "rag/policyqa/dev.jsonl.gz",
    "handbook": "rag/gitlab_handbook_rag250/docs.jsonl.gz",
    "Hindi acts": "corpora/in_acts/curated_hi_pages.jsonl.gz",
}
_IN_BOTH = ("handbook", "Hindi acts", "privacy policies")
PIARENA = ("dolly_closed_qa", "dolly_information_extraction", "dolly_summarization", "hotpotqa_long", "qasper_long")


def rows(path: Path) -> list[dict[str, str]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def training_texts(data: Path, at_most: int, rng: random.Random) -> dict[str, list[str]]:
    measured = {row["act"] for row in rows(data / HELD_OUT_TEXTS["acts, curated"])}
    found: dict[str, list[str]] = {}
    for name, path in TRAINED.items():
        held = rows(data / path)
        if name in _IN_BOTH:
            held = _half(held, 0)
        if name == "acts":
            held = [row for row in held if row["act"] not in measured]
        rng.shuffle(held)
        found[name] = _sample(held, at_most)
    return found


def held_out_texts(data: Path, at_most: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, path in HELD_OUT_TEXTS.items():
        held = rows(data / path)
        found[name] = _sample(_half(held, 1) if name in _IN_BOTH else held, at_most)
    return found


def _half(held: list[dict[str, str]], which: int) -> list[dict[str, str]]:
    """Every other document: rows of one policy stay together."""
    names = [row.get("policy") or row.get("id") or row["path"] for row in held]
    chosen = set(sorted(set(names))[which::2])
    return [row for row, name in zip(held, names, strict=True) if name in chosen]


def _sample(held: Iterable[dict[str, str]], at_most: int) -> list[str]:
    found: dict[str, None] = {}
    for row in held:
        text = row.get("text") or row.get("passage") or ""
        for sentence in sentences(text[:20_000]):
            if len(sentence) > 15:
                found[sentence] = None
        if len(found) >= at_most:
            break
    return list(found)[:at_most]


def public_prompts(data: Path, label: int, half: int) -> Iterator[tuple[str, str]]:
    """(set, sentence) of one half of each public set of injections, or of harmless prompts: 0 is learned, 1 measures."""
    for name, text in _injections(data / "injection") if label else _prompts(data / "injection"):
        if hashlib.sha256(text.encode()).digest()[0] % 2 == half:
            yield name, text


def _injections(folder: Path) -> Iterator[tuple[str, str]]:
    for name in PIARENA:
        yield from (("PIArena", row["injected_task"]) for row in rows(folder / "piarena" / f"{name}.jsonl.gz"))
    for name in ("dh", "ds"):
        held = rows(folder / "injecagent" / f"test_cases_{name}_base.jsonl.gz")
        yield from (("InjecAgent", text) for text in dict.fromkeys(row["Attacker Instruction"] for row in held))
    yield from (("Hinglish", row["hinglish"]) for row in rows(folder / "hinglish" / "hinglish-stealth-250.jsonl"))


def _prompts(folder: Path) -> Iterator[tuple[str, str]]:
    held = rows(folder / "hinglish" / "hinglish-clean-500.jsonl")
    yield from (("Hinglish, harmless", row["hinglish"]) for row in held)
