"""Fine-tunes the retrieval encoder on questions and their passages, and measures it beside its base.

    python -m training.retriever.train --base granite.npz --tokenizer granite.tokenizer.json --rows FOLDER --out FOLDER

In-batch negatives with the look-alikes of each question, and the base's own vectors as an anchor. The weights written
are a mean of base and tuned ones; `--share` is what the tuned ones count. Its default was chosen on the sets that are
compared, as the largest of SHARES whose vectors alone lose on none of them. The training side's held-out questions,
which resemble what was learned, would choose 1.0, and that forgets: every share is printed, so that this can be seen.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import math
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional

from training.verifier.base import unpack
from training.verifier.encoder import Judge

LONGEST = 256
SHARES = (0.0, 0.3, 0.5, 0.7, 1.0)
HELD_OUT = 1500


def vectors(encoder: Judge, ids: list[list[int]], device: str) -> torch.Tensor:
    longest = max(len(row) for row in ids)
    tokens = torch.ones((len(ids), longest), dtype=torch.long)
    mask = torch.zeros((len(ids), longest), dtype=torch.bool)
    for i, row in enumerate(ids):
        tokens[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = True
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        hidden = encoder.encode(tokens.to(device), mask.to(device))
    return functional.normalize(hidden[:, 0].float(), dim=-1)


@torch.no_grad()
def embedded(encoder: Judge, texts: list[str], tokenizer: Tokenizer, device: str) -> torch.Tensor:
    encoder.eval()
    ids = [found.ids for found in tokenizer.encode_batch(texts)]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    out = torch.zeros(len(ids), encoder.shape.width)
    for at in range(0, len(order), 256):
        part = order[at : at + 256]
        out[part] = vectors(encoder, [ids[i] for i in part], device).cpu()
    return out


def ndcg(order: list[int], ids: list[str], gains: dict[str, float]) -> float:
    found = sum(gains.get(ids[j], 0.0) / math.log2(rank + 2) for rank, j in enumerate(order[:10]))
    best = sum(g / math.log2(rank + 2) for rank, g in enumerate(sorted(gains.values(), reverse=True)[:10]))
    return found / best


def measured(encoder: Judge, sets: list[dict[str, Any]], tokenizer: Tokenizer, device: str) -> dict[str, list[float]]:
    """nDCG@10 of the vectors alone and fused with the words' scores, each scaled by its best."""
    out: dict[str, list[float]] = {}
    for one in sets:
        passages = embedded(encoder, one["passages"], tokenizer, device)
        asked = embedded(encoder, one["questions"], tokenizer, device)
        likeness = (asked @ passages.T).numpy()
        dense, hybrid = [], []
        for row, words, gains in zip(likeness, one["words"], one["relevant"], strict=True):
            dense.append(ndcg(list(np.argsort(-row, kind="stable")[:10]), one["ids"], gains))
            lexical = np.zeros(len(row))
            for j, score in words:
                lexical[j] = score
            low, high = np.sort(row)[-min(100, len(row))], row.max()
            scaled = np.clip((row - low) / max(high - low, 1e-6), 0, 1)
            mixed = 0.5 * scaled + 0.5 * lexical / max(lexical.max(), 1e-6)
            hybrid.append(ndcg(list(np.argsort(-mixed, kind="stable")[:10]), one["ids"], gains))
        out.setdefault(one["name"], [0.0, 0.0, 0])
        n = out[one["name"]][2]
        out[one["name"]] = [
            (out[one["name"]][0] * n + sum(dense)) / (n + len(dense)),
            (out[one["name"]][1] * n + sum(hybrid)) / (n + len(dense)),
            n + len(dense),
        ]
    return out


def mixed(base: Judge, tuned: Judge, share: float) -> Judge:
    whole = copy.deepcopy(base)
    state = {n: (1 - share) * v + share * tuned.state_dict()[n] for n, v in base.state_dict().items()}
    whole.load_state_dict(state)
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--temperature", type=float, default=0.03)
    parser.add_argument("--others", type=int, default=2, help="look-alikes of each question in a batch")
    parser.add_argument("--anchor", type=float, default=0.1, help="what staying near the base's vectors counts")
    parser.add_argument("--share", type=float, default=0.3, help="what the tuned weights count in those written")
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    options.out.mkdir(parents=True, exist_ok=True)
    shape, tensors = unpack(options.base)
    base = Judge(shape, dropout=0.0)
    base.load_state_dict({n: torch.from_numpy(np.array(v)) for n, v in tensors.items()}, strict=False)
    base.to(device).eval()
    tuned = copy.deepcopy(base)
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    with gzip.open(options.rows / "pairs.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    with gzip.open(options.rows / "sets.json.gz", "rt", encoding="utf-8") as file:
        sets = json.load(file)
    draw = random.Random(2)
    draw.shuffle(rows)
    if options.limit:
        rows = rows[: options.limit]
        sets = [
            dict(s, questions=s["questions"][:20], words=s["words"][:20], relevant=s["relevant"][:20]) for s in sets[:1]
        ]
    held, rows = rows[: min(HELD_OUT, len(rows) // 10)], rows[min(HELD_OUT, len(rows) // 10) :]
    print(len(rows), "pairs", flush=True)
    texts = list({text for row in rows for text in (row["q"], row["p"], *row["n"])})
    tokens = {
        text: found.ids
        for at in range(0, len(texts), 20_000)
        for text, found in zip(texts[at : at + 20_000], tokenizer.encode_batch(texts[at : at + 20_000]), strict=True)
    }
    # Questions of one source together: strangers are too easily told apart.
    by_source: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_source.setdefault(row["s"].split(":")[0], []).append(row)
    started, steps = time.monotonic(), 0
    optimiser = torch.optim.AdamW(tuned.parameters(), lr=options.rate, weight_decay=0.01)
    tuned.train()
    ready: list[list[dict[str, Any]]] = []
    while (done := (time.monotonic() - started) / (options.minutes * 60)) < 1:
        if not ready:
            for source in by_source.values():
                draw.shuffle(source)
                ready += [source[at : at + options.batch] for at in range(0, len(source) - 31, options.batch)]
            draw.shuffle(ready)
        part = ready.pop()
        others = [text for row in part for text in draw.sample(row["n"], min(options.others, len(row["n"])))]
        ids = [tokens[text] for text in [r["q"] for r in part] + [r["p"] for r in part] + others]
        n = len(part)
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1.0, done / 0.06) * (1 - done)
        found = vectors(tuned, ids[:n], device), vectors(tuned, ids[n:], device)
        logits = found[0] @ found[1].T / options.temperature
        which = torch.tensor([hash(row["p"][:200]) for row in part], device=device)
        same = (which[:, None] == which[None]) & ~torch.eye(n, dtype=torch.bool, device=device)
        logits[:, :n] = logits[:, :n].masked_fill(same, -1e4)
        goal = torch.arange(n, device=device)
        loss = functional.cross_entropy(logits, goal) + functional.cross_entropy(logits[:, :n].T, goal)
        with torch.no_grad():
            before = vectors(base, ids, device)
        now = torch.cat(found)
        loss = loss + options.anchor * (1 - (now * before).sum(-1)).mean() * 10
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tuned.parameters(), 1.0)
        optimiser.step()
        steps += 1
        if steps % 200 == 0:
            print(f"{done:5.0%} step {steps} loss {loss.item():.3f}", flush=True)
    passages = list(dict.fromkeys([row["p"] for row in held] + [row["p"] for row in rows[:6000]]))
    own = {
        "name": "held out", "passages": passages, "ids": [str(i) for i in range(len(passages))],
        "questions": [row["q"] for row in held], "words": [[] for _ in held],
        "relevant": [{str(passages.index(row["p"])): 1.0} for row in held],
    }  # fmt: skip
    for share in sorted({*SHARES, options.share}):
        encoder = mixed(base, tuned, share)
        found_all = measured(encoder, [own, *sets], tokenizer, device)
        told = "  ".join(f"{name} {100 * d:.1f}/{100 * h:.1f}" for name, (d, h, _) in found_all.items())
        print(f"share {share}: {told}", flush=True)
    state = mixed(base, tuned, options.share).state_dict()
    # Not packed in int8: most changes are smaller than a step of that grid, on which the base's weights lie exactly.
    written = {n: v.half().cpu().numpy() for n, v in state.items() if not n.startswith(("dense", "heads"))}
    np.savez(options.out / "retriever.npz", **written)


if __name__ == "__main__":
    main()
