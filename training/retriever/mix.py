"""Averages several trained retrievers with their base, and measures the average next to the base.

    python -m training.retriever.mix --base granite.npz --tokenizer granite.tokenizer.json --rows FOLDER \\
        --tuned A/retriever.npz --tuned B/retriever.npz --share 0.5 --out retriever.npz

The weights written are a mean of the base's and of the tuned ones' mean; `--share` is the weight of the tuned ones. The
training side's held-out questions, which resemble what was learned, would choose 1.0, and that forgets: every share
asked for is printed, so that this can be seen.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from training.retriever.train import embed as embed_batch
from training.retriever.train import encoder_from, learned_and_held_out, tokenizer_from
from training.verifier.encoder import TwoHeadEncoder

OTHER_PASSAGES = 6000  # next to those that answer the held-out questions


@torch.no_grad()
def embed(encoder: TwoHeadEncoder, texts: list[str], tokenizer: Tokenizer, device: str) -> torch.Tensor:
    ids = [found.ids for found in tokenizer.encode_batch(texts)]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    out = torch.zeros(len(ids), encoder.shape.width)
    for at in range(0, len(order), 256):
        part = order[at : at + 256]
        out[part] = embed_batch(encoder, [ids[i] for i in part], device).cpu()
    return out


def ndcg(order: list[int], ids: list[str], gains: dict[str, float]) -> float:
    found = sum(gains.get(ids[j], 0.0) / math.log2(rank + 2) for rank, j in enumerate(order[:10]))
    best = sum(g / math.log2(rank + 2) for rank, g in enumerate(sorted(gains.values(), reverse=True)[:10]))
    return found / best


def evaluate(
    encoder: TwoHeadEncoder, sets: list[dict[str, Any]], tokenizer: Tokenizer, device: str
) -> dict[str, list[float]]:
    """nDCG@10 of the vectors alone and fused with the words' scores, each scaled by its best."""
    out: dict[str, list[float]] = {}
    for one in sets:
        passages = embed(encoder, one["passages"], tokenizer, device)
        asked = embed(encoder, one["questions"], tokenizer, device)
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


def held_out_set(folder: Path) -> dict[str, Any]:
    """The questions kept back from training, among their passages and many that were learned."""
    rows, held = learned_and_held_out(folder)
    passages = list(dict.fromkeys([row["p"] for row in held] + [row["p"] for row in rows[:OTHER_PASSAGES]]))
    place = {text: str(i) for i, text in enumerate(passages)}
    return {
        "name": "held out", "passages": passages, "ids": list(place.values()),
        "questions": [row["q"] for row in held], "words": [[] for _ in held],
        "relevant": [{place[row["p"]]: 1.0} for row in held],
    }  # fmt: skip


def interpolate(base: TwoHeadEncoder, tuned: list[dict[str, torch.Tensor]], share: float) -> TwoHeadEncoder:
    whole = copy.deepcopy(base)
    state = base.state_dict()
    for name in tuned[0]:
        mean = torch.stack([one[name].float() for one in tuned]).mean(0).to(state[name].device)
        state[name] = (1 - share) * state[name] + share * mean
    whole.load_state_dict(state)
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--tuned", type=Path, action="append", required=True)
    parser.add_argument("--share", type=float, default=0.5, help="the weight of the tuned weights in the average")
    parser.add_argument("--shares", type=float, nargs="*", default=[0.0, 0.3, 0.5, 0.7, 1.0], help="those measured")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    base = encoder_from(options.base, device)
    tuned: list[dict[str, torch.Tensor]] = []
    for path in options.tuned:
        with np.load(path) as held:
            tuned.append({name: torch.from_numpy(held[name]) for name in held.files})
    state = interpolate(base, tuned, options.share).state_dict()
    written = {n: v.half().cpu().numpy() for n, v in state.items() if not n.startswith(("dense", "heads"))}
    np.savez(options.out, **written)
    tokenizer = tokenizer_from(options.tokenizer)
    with gzip.open(options.rows / "sets.json.gz", "rt", encoding="utf-8") as file:
        sets = json.load(file)
    own = held_out_set(options.rows)
    for share in options.shares:
        found = evaluate(interpolate(base, tuned, share), [own, *sets], tokenizer, device)
        told = "  ".join(f"{name} {100 * d:.1f}/{100 * h:.1f}" for name, (d, h, _) in found.items())
        print(f"share {share}: {told}", flush=True)


if __name__ == "__main__":
    main()
