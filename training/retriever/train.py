"""Fine-tunes the retrieval encoder on questions and their passages.

    python -m training.retriever.train --base granite.npz --tokenizer granite.tokenizer.json --rows FOLDER --out FOLDER

In-batch negatives with the look-alikes of each question, and the base's own vectors as an anchor. What is written has
learned its rows too well to be shipped as it is: `training.retriever.mix` takes several trainings and their base
together, and measures the mixture.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional

from training.verifier.base_weights import unpack
from training.verifier.encoder import TwoHeadEncoder

MAX_TOKENS = 256
HELD_OUT = 1500

Row = dict[str, Any]


def encoder_from(path: Path, device: str) -> TwoHeadEncoder:
    """The encoder in a file of base weights, on `device`."""
    shape, tensors = unpack(path)
    encoder = TwoHeadEncoder(shape, dropout=0.0)
    encoder.load_state_dict({n: torch.from_numpy(np.array(v)) for n, v in tensors.items()}, strict=False)
    return encoder.to(device).eval()


def tokenizer_from(path: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def learned_and_held_out(folder: Path, limit: int = 0) -> tuple[list[Row], list[Row]]:
    """The pairs to learn from and the questions kept back, the same in every run."""
    with gzip.open(folder / "pairs.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    random.Random(2).shuffle(rows)
    rows = rows[:limit] if limit else rows
    held = min(HELD_OUT, len(rows) // 10)
    return rows[held:], rows[:held]


def embed(encoder: TwoHeadEncoder, ids: list[list[int]], device: str) -> torch.Tensor:
    """One unit vector a text."""
    longest = max(len(row) for row in ids)
    tokens = torch.ones((len(ids), longest), dtype=torch.long)
    mask = torch.zeros((len(ids), longest), dtype=torch.bool)
    for i, row in enumerate(ids):
        tokens[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = True
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        hidden = encoder.encode(tokens.to(device), mask.to(device))
    return functional.normalize(hidden[:, 0].float(), dim=-1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--temperature", type=float, default=0.03)
    parser.add_argument("--others", type=int, default=2, help="look-alikes of each question in a batch")
    parser.add_argument("--anchor", type=float, default=0.3, help="what staying near the base's vectors counts")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    draw = random.Random(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    base = encoder_from(options.base, device)
    tuned = copy.deepcopy(base)
    tokenizer = tokenizer_from(options.tokenizer)
    rows, _ = learned_and_held_out(options.rows, options.limit)
    print(len(rows), "pairs", flush=True)
    texts = list({text for row in rows for text in (row["q"], row["p"], *row["n"])})
    tokens = {
        text: found.ids
        for at in range(0, len(texts), 20_000)
        for text, found in zip(texts[at : at + 20_000], tokenizer.encode_batch(texts[at : at + 20_000]), strict=True)
    }
    # Batches of one source: negatives from other sources are too easy.
    by_source: dict[str, list[Row]] = {}
    for row in rows:
        by_source.setdefault(row["s"].split(":")[0], []).append(row)
    started, steps = time.monotonic(), 0
    optimiser = torch.optim.AdamW(tuned.parameters(), lr=options.rate, weight_decay=0.01)
    tuned.train()
    ready: list[list[Row]] = []
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
        found = embed(tuned, ids[:n], device), embed(tuned, ids[n:], device)
        logits = found[0] @ found[1].T / options.temperature
        which = torch.tensor([hash(row["p"][:200]) for row in part], device=device)
        same = (which[:, None] == which[None]) & ~torch.eye(n, dtype=torch.bool, device=device)
        logits[:, :n] = logits[:, :n].masked_fill(same, -1e4)
        goal = torch.arange(n, device=device)
        loss = functional.cross_entropy(logits, goal) + functional.cross_entropy(logits[:, :n].T, goal)
        with torch.no_grad():
            before = embed(base, ids, device)
        now = torch.cat(found)
        loss = loss + options.anchor * (1 - (now * before).sum(-1)).mean() * 10
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tuned.parameters(), 1.0)
        optimiser.step()
        steps += 1
        if steps % 100 == 0:
            print(f"{done:5.0%} step {steps} loss {loss.item():.3f}", flush=True)
    print(steps, "steps", flush=True)
    # Not packed in int8: most changes are smaller than a step of that grid, on which the base's weights lie exactly.
    written = {n: v.half().cpu().numpy() for n, v in tuned.state_dict().items() if not n.startswith(("dense", "heads"))}
    np.savez(options.out / "retriever.npz", **written)


if __name__ == "__main__":
    main()
