"""Has a language model write questions about passages, and says with its adapter which passages answer them.

    python -m training.reader.make_questions --model q.gguf --adapter lora0.pt lora1.pt lora2.pt \
        --contexts contexts.jsonl.gz --out generated.jsonl.gz --writing 3 --labelling 5

For each context it writes a question that the chosen sentence answers and a like one that the passage does not answer.
Each is read with its passage, with the passage without that sentence, with single sentences, and with the nearest
passage of another place; the label is the probability that the adapted model gives. Both steps are limited in time
and take the contexts in random order.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.reader.language_model import LanguageModel, load_adapter, merge_adapter, read_gguf

Row = dict[str, Any]
STYLES = (
    "as a customer would type it, in plain everyday words",
    "in as few words as possible",
    "in careful, formal words",
    "in other words than the text uses",
    "starting with When, Who, Where, How many, How long or How much, if that fits",
    "that can be answered with yes or no",
    "starting with Why, How or What",
    "about what somebody must, may or may not do, if that fits",
)
ADAPTER_RANK = 16
STARTS = ("A:", "B:")
BUCKETS = 1 << 16


def prompt(row: Row, draw: random.Random) -> str:
    text = " ".join(row["s"])
    head = f"{row['h']}\n" if row["h"] else ""
    return (
        "<|im_start|>system\nYou write short questions.<|im_end|>\n<|im_start|>user\n"
        f"Text:\n{head}{text}\n\nSentence of the text: {row['s'][row['t']]}\n\n"
        f"Write two questions, each on its own line and complete in itself, naming what it is about.\n"
        f"A: a question {draw.choice(STYLES)}, that the sentence answers.\n"
        "B: a similar question that the text does not answer, about another person, thing, year, amount or aspect.\n"
        "Do not speak of the text or the sentence.<|im_end|>\n<|im_start|>assistant\nA:"
    )


def two_questions(reply: str) -> tuple[str, str] | None:
    lines = [line.strip() for line in ("A:" + reply).splitlines() if line.strip()]
    found: dict[str, str] = {}
    for line in lines:
        for start in STARTS:
            if line.startswith(start) and start not in found:
                found[start] = re.sub(r"^[\s\"'*]+|[\s\"'*]+$", "", line[2:])
    a, b = (found.get(start, "") for start in STARTS)
    if not (3 <= len(a.split()) <= 32) or not (3 <= len(b.split()) <= 32) or a == b:
        return None
    return a, b


def write_questions(model: LanguageModel, tokenizer: Any, rows: list[Row], minutes: float, batch: int) -> list[Row]:
    draw, started, out = random.Random(5), time.monotonic(), []
    prompts = tokenizer.encode_batch([prompt(row, draw) for row in rows])
    stop = {tokenizer.token_to_id("<|im_end|>"), tokenizer.token_to_id("<|endoftext|>")}
    groups = [list(range(at, min(at + batch * 8, len(rows)))) for at in range(0, len(rows), batch * 8)]
    for group in groups:
        group.sort(key=lambda i: len(prompts[i].ids))
        for at in range(0, len(group), batch):
            chosen = group[at : at + batch]
            if time.monotonic() - started > minutes * 60:
                return out
            replies = model.sample([prompts[i].ids for i in chosen], 64, 0.7, stop)
            for i, reply in zip(chosen, replies, strict=True):
                if (asked := two_questions(tokenizer.decode(reply))) is not None:
                    out.append(rows[i] | {"A": asked[0], "B": asked[1]})
        print(f"written {len(out)} in {time.monotonic() - started:.0f} s", flush=True)
    return out


def nearest(questions: list[str], rows: list[Row], device: str) -> list[int]:
    """For each question a passage of another place that shares many rare words with it: one of the eight nearest."""

    def counts(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        at, words = [], []
        for i, text in enumerate(texts):
            for word in set(re.findall(r"[a-z0-9]{3,}", text.lower())):
                at.append(i)
                words.append(zlib.crc32(word[:7].encode()) % BUCKETS)
        return np.array(at), np.array(words)

    passages = [f"{row['h']} {' '.join(row['s'])}" for row in rows]
    where, word = counts(passages)
    spread = np.bincount(word, minlength=BUCKETS)
    weight = np.log(len(rows) / np.maximum(spread, 1)).clip(0)
    kind = torch.float16 if device == "cuda" else torch.float32
    table = torch.zeros(len(rows), BUCKETS, dtype=kind, device=device)
    table[torch.from_numpy(where), torch.from_numpy(word)] = torch.from_numpy(weight[word]).to(kind).to(device)
    table /= table.float().norm(dim=1, keepdim=True).clamp(min=1e-6).to(kind)
    draw, out = random.Random(9), []
    for first in range(0, len(questions), 2048):
        part = questions[first : first + 2048]
        at, words = counts(part)
        asked = torch.zeros(len(part), BUCKETS, dtype=kind, device=device)
        if len(at):
            asked[torch.from_numpy(at), torch.from_numpy(words)] = 1.0
        near = (asked @ table.T).topk(min(12, len(rows)), 1).indices.tolist()
        for i, found in enumerate(near):
            own = first + i
            others = [j for j in found if j != own and rows[j]["s"][0] not in rows[own]["s"]][:8]
            out.append(draw.choice(others) if others else -1)
    return out


def pairs_of(rows: list[Row], device: str, draw: random.Random) -> list[Row]:
    near = nearest([row["A"] for row in rows], rows, device)
    out: list[Row] = []

    def add(row: Row, kind: str, asked: str, parts: list[str], at: list[int], heading: str | None = None) -> None:
        head = row["h"] if heading is None else heading
        out.append({"set": f"{kind}:{row['set']}", "a": asked, "h": head, "s": parts, "at": at, "g": row["g"]})

    for row, other in zip(rows, near, strict=True):
        parts, target = row["s"], row["t"]
        rest = parts[:target] + parts[target + 1 :]
        add(row, "whole", row["A"], parts, [target])
        add(row, "like", row["B"], parts, [])
        if len(" ".join(rest).split()) > 15 and draw.random() < 0.8:
            add(row, "without", row["A"], rest, [])
        if other >= 0:
            add(rows[other], "near", row["A"], rows[other]["s"], [])
        add(row, "sentence", row["A"], [parts[target]], [0])
        if rest and draw.random() < 0.7:
            add(row, "neighbour", row["A"], [draw.choice(rest)], [])
        if draw.random() < 0.4:
            add(row, "like_sentence", row["B"], [parts[target]], [])
    return out


def label(
    model: LanguageModel, tokenizer: Any, pairs: list[Row], minutes: float, device: str, tokens: int
) -> list[Row]:
    started, out = time.monotonic(), []
    texts = [
        f"Evidence:\n{(p['h'] + chr(10)) if p['h'] else ''}{' '.join(p['s'])}\n\nQuestion: {p['a']}\nAnswered by the evidence?"
        for p in pairs
    ]
    for first in range(0, len(pairs), 16_384):
        ids = [np.array(e.ids[-700:]) for e in tokenizer.encode_batch(texts[first : first + 16_384])]
        order, batches, longest = sorted(range(len(ids)), key=lambda i: len(ids[i])), [[]], 0
        for i in order:
            longest = max(longest, len(ids[i]))
            if batches[-1] and longest * (len(batches[-1]) + 1) > tokens:
                batches.append([])
                longest = len(ids[i])
            batches[-1].append(i)
        for batch in batches:
            if time.monotonic() - started > minutes * 60:
                return out
            padded = torch.zeros(len(batch), max(len(ids[i]) for i in batch), dtype=torch.long)
            for k, i in enumerate(batch):
                padded[k, : len(ids[i])] = torch.from_numpy(ids[i])
            last = torch.tensor([len(ids[i]) - 1 for i in batch])
            logits = model.judge(padded.to(device), last.to(device))[:, 1].float().cpu()
            for i, p in zip(batch, torch.sigmoid(logits).tolist(), strict=True):
                out.append(pairs[first + i] | {"y": round(p, 4)})
        print(f"labelled {len(out)} of {len(pairs)} in {time.monotonic() - started:.0f} s", flush=True)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, nargs="+", required=True)
    parser.add_argument("--contexts", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--writing", type=float, default=3.0, help="minutes")
    parser.add_argument("--labelling", type=float, default=5.0, help="minutes")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--batch", type=int, default=512)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    started = time.monotonic()
    torch.manual_seed(3)
    with gzip.open(options.contexts, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    random.Random(2).shuffle(rows)
    rows = rows[: options.limit] if options.limit else rows
    tensors, shape, tokenizer = read_gguf(options.model)
    model = LanguageModel(tensors, shape, ADAPTER_RANK).to(device).eval()
    del tensors
    print(f"model read, {time.monotonic() - started:.0f} s", flush=True)
    written = write_questions(model, tokenizer, rows, options.writing, options.batch)
    for row in written[:12]:
        print("S:", row["s"][row["t"]][:160], "\n A:", row["A"], "\n B:", row["B"], flush=True)
    load_adapter(model, options.adapter)
    model.to(device)
    merge_adapter(model, 1.0)
    draw = random.Random(4)
    pairs = pairs_of(written, device, draw)
    draw.shuffle(pairs)
    torch.cuda.empty_cache()
    labelled = label(model, tokenizer, pairs, options.labelling, device, 131_072 if device == "cuda" else 2048)
    with gzip.open(options.out, "wt", encoding="utf-8", compresslevel=4) as out:
        for row in labelled:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    kinds: dict[str, list[float]] = {}
    for row in labelled:
        kinds.setdefault(row["set"].split(":")[0], []).append(row["y"])
    print({kind: (len(ys), round(sum(ys) / len(ys), 3)) for kind, ys in kinds.items()})
    print(f"all {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
