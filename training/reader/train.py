"""Trains a reader from shipped weights for a given time: thin updates of its matrices, three heads, integers as shipped.

    python -m training.reader.train --weights judge-large --size large --rows FOLDER --out FOLDER --minutes 8

`--rows` holds what `rows` and `make_questions` wrote. With `--support` only claims are learned, by thin updates in floats
and the head of support, so that the rest of the base stays as it is. Headings are shown, left out, shortened or taken from elsewhere at
random, so that they tell nothing about the label. The update is written as `update.npz`, with the logits of `dev`.
"""

from __future__ import annotations

import argparse
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
from torch import nn
from torch.nn import functional

from training.reader.model import LowRankUpdate, ReaderEncoder, add_low_rank_updates, set_rounded
from training.reader.shipped_weights import LARGE, SMALL, read_shipped
from training.reader.shown_rows import as_pair, other_questions, shown_heading
from training.reader.teacher import soft_labels
from training.verifier.train import auroc, batches

Row = dict[str, Any]
MAX_TOKENS = 448
RANKS = {"large": 32, "small": 64}
SUPPORT_RANK = 16
NO_TOKENS, IGNORED = 0, -1


def read(path: Path, limit: int) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return random.Random(1).sample(rows, min(limit, len(rows))) if limit else rows


def tokenise(
    rows: list[Row], tokenizer: Tokenizer, draw: random.Random | None
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Ids, kinds and token labels of each row: 1 in the answer's sentences, 0 beside them, -1 where nothing is known."""
    headings = [row["h"].split(" > ")[-1] for row in rows if row.get("h")] or ["Notes"]
    texts: list[tuple[str, str]] = []
    marks: list[list[tuple[int, int]] | None] = []
    for row in rows:
        if "b" in row:
            texts.append((" ".join(row["a"].split()), " ".join(row["b"].split())))
            marks.append(None)
            continue
        a, b, spans = as_pair(row, shown_heading(row, headings, draw) if draw else row["h"])
        if draw and draw.random() < 0.2:
            a = a.lower().rstrip("?")
        texts.append((a, b))
        known = row["at"] if row["y"] >= 0.5 else ([] if row["y"] <= 0.2 else None)
        marks.append(
            None if known is None or (row["y"] >= 0.5 and not known) else [spans[i] for i in known if i < len(spans)]
        )
    out: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for at in range(0, len(rows), 20_000):
        for found, marked in zip(tokenizer.encode_batch(texts[at : at + 20_000]), marks[at : at + 20_000], strict=True):
            labels = np.full(len(found.ids), IGNORED, np.int8)
            if marked is not None:
                second = np.array([s == 1 for s in found.sequence_ids])
                starts = np.array([o[0] for o in found.offsets])
                labels[second] = NO_TOKENS
                for first, last in marked:
                    labels[second & (starts >= first) & (starts < last)] = 1
            out.append((np.array(found.ids, np.int32), np.array(found.type_ids, np.int8), labels))
    return out


def pad(pairs: list[tuple[np.ndarray, np.ndarray, np.ndarray]], device: str) -> tuple[torch.Tensor, ...]:
    longest = -(-max(len(ids) for ids, _, _ in pairs) // 8) * 8
    ids = np.ones((len(pairs), longest), np.int64)
    kinds, mask = np.zeros_like(ids), np.zeros(ids.shape, bool)
    labels = np.full(ids.shape, IGNORED, np.int64)
    for i, (row, kind, marked) in enumerate(pairs):
        n = len(row)
        ids[i, :n], kinds[i, :n], mask[i, :n], labels[i, :n] = row, kind, True, marked
    return tuple(torch.from_numpy(array).to(device, non_blocking=True) for array in (ids, mask, kinds, labels))


class RoundedInput:
    """A hook that rounds what a layer is given, token by token, as the shipped graph does; the gradient passes."""

    def __init__(self) -> None:
        self.on = False

    def __call__(self, _: nn.Module, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...] | None:
        if not self.on:
            return None
        x = given[0]
        with torch.no_grad():
            step = (x.detach().float().abs().amax(-1, keepdim=True) / 127).clamp(min=1e-9)
            moved = (torch.round(x.detach().float() / step) * step).to(x.dtype) - x.detach()
        return (x + moved,)


@torch.no_grad()
def logits_of(reader: ReaderEncoder, pairs: list[Any], heads: np.ndarray, device: str) -> np.ndarray:
    reader.eval()
    out = np.zeros(len(pairs), np.float32)
    for batch in batches(np.array([len(p[0]) for p in pairs]), 65_536, None):
        ids, mask, kinds, _ = pad([pairs[i] for i in batch], device)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            both, _ = reader.read(ids, mask, kinds)
        out[batch] = both.cpu().numpy()[np.arange(len(batch)), heads[batch]]
    reader.train()
    return out


def report(rows: list[Row], logit: np.ndarray) -> None:
    sets: dict[str, dict[str, tuple[float, int]]] = {}
    for i, (row, score) in enumerate(zip(rows, logit, strict=True)):
        found, key = sets.setdefault(row["set"], {}), str(row.get("id", i))
        found[key] = (min(float(score), found.get(key, (1e9, 0))[0]), int(row["y"] >= 0.5))
    for name, found in sorted(sets.items()):
        s, y = np.array([v[0] for v in found.values()]), np.array([v[1] for v in found.values()])
        if len(set(y)) == 2:
            grid = np.quantile(s, np.linspace(0.01, 0.99, 99))
            best = max((50 * ((s[y == 1] >= t).mean() + (s[y == 0] < t).mean()), t) for t in grid)
            false, refused = 100 * (s[y == 0] >= 0).mean(), 100 * (s[y == 1] < 0).mean()
            print(
                f"  {name:20} n {len(y):5} auroc {100 * auroc(s, y):5.1f} best {best[0]:5.1f} at {1 / (1 + math.exp(-best[1])):.2f}"
                f"  at 0.5: accepted wrong {false:4.1f} refused right {refused:4.1f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--size", choices=("large", "small"), required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--tokens", type=int, default=32_768)
    parser.add_argument("--round-from", type=float, default=0.35)
    parser.add_argument("--swapped", type=float, default=0.25, help="share of answered questions to make others of")
    parser.add_argument("--update", type=Path, help="an earlier update to go on from")
    parser.add_argument("--claims", type=float, default=0.5, help="share of the claims to learn beside the questions")
    parser.add_argument("--keep", type=float, default=0.5, help="weight of what the base says in the labels of claims")
    parser.add_argument("--teacher", type=Path, nargs=2, help="weights and update of a large reader to learn from too")
    parser.add_argument("--taught", type=float, default=0.6, help="weight of what the teacher says in the labels")
    parser.add_argument("--support", action="store_true", help="an update for claims alone, in floats")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    shape = LARGE if options.size == "large" else SMALL
    reader = ReaderEncoder(shape)
    reader.load_state_dict(
        {n: torch.from_numpy(v) for n, v in read_shipped(options.weights, shape).items()}, strict=False
    )
    if options.support:
        options.claims, options.swapped, options.round_from = 1.0, 0.0, 2.0
        add_low_rank_updates(reader, SUPPORT_RANK, pooling=True)
        for name, parameter in reader.named_parameters():
            parameter.requires_grad_(name.endswith((".up", ".down")) or name.startswith("heads"))
    else:
        add_low_rank_updates(reader, RANKS[options.size])
    if options.update:
        load_update(reader, options.update)
    reader.to(device)
    hook = RoundedInput()
    for block in reader.blocks:
        for name in ("qkv", "ao", "f1", "f2"):
            getattr(block, name).register_forward_pre_hook(hook)
    tokenizer = Tokenizer.from_file(str(options.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
    draw = random.Random(options.seed)
    dev = read(options.rows / "dev.jsonl.gz", options.limit)
    if options.support:
        dev = [row for row in dev if "b" in row]
    dev_pairs = tokenise(dev, tokenizer, None)
    dev_heads = np.array([int("b" not in row) for row in dev])
    print("before")
    report(dev, logits_of(reader, dev_pairs, dev_heads, device))
    rows = [
        row
        for name in (("claims",) if options.support else ("questions", "generated", "claims"))
        for row in read(options.rows / f"{name}.jsonl.gz", options.limit)
        if (name != "claims" or draw.random() < options.claims)
        and row["a"].strip()
        and len(row["a"].split()) < 150
        and (row.get("b") or "".join(row.get("s", ()))).strip()
    ]
    rows += other_questions([row for row in rows if "b" not in row], options.swapped, draw)
    pairs = tokenise(rows, tokenizer, draw)
    heads = torch.tensor([int("b" not in row) for row in rows])
    targets = torch.tensor([float(row["y"]) for row in rows]) * 0.96 + 0.02
    if options.keep and (
        claims := [i for i, row in enumerate(rows) if "b" in row and not row["set"].startswith("written")]
    ):
        # What the base knows about claims is learned again with them, so that questions do not push it out.
        base_says = logits_of(reader, [pairs[i] for i in claims], np.zeros(len(claims), np.int64), device)
        targets[claims] += options.keep * (torch.sigmoid(torch.from_numpy(base_says)) - targets[claims])
    if options.teacher:
        asked = [i for i, row in enumerate(rows) if "b" not in row]
        says = soft_labels(*options.teacher, [rows[i] for i in asked], device, tokenise, logits_of)
        targets[asked] += options.taught * (says - targets[asked])
    lengths = np.array([len(p[0]) for p in pairs])
    print(f"{len(rows)} rows, {lengths.sum() / 1e6:.1f}M tokens, {time.monotonic() - began:.0f} s", flush=True)

    trained = [(n, p) for n, p in reader.named_parameters() if p.requires_grad]
    fresh = [p for n, p in trained if n.startswith("token")]
    thin = [p for n, p in trained if n.endswith((".up", ".down"))]
    others = [p for n, p in trained if not n.startswith("token") and not n.endswith((".up", ".down"))]
    rates = (options.rate, options.rate, options.rate / 10)
    groups = [{"params": ps, "lr": r, "base": r} for ps, r in zip((thin, fresh, others), rates, strict=True) if ps]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.0, fused=device == "cuda")
    print(f"{sum(p.numel() for _, p in trained) / 1e6:.1f}M trained", flush=True)
    started, told, steps, seen, losses, epoch, done = time.monotonic(), 0.0, 0, 0, [0.0, 0.0], 0, 0.0
    reader.train()
    while done < 1:
        if epoch:
            pairs = tokenise(rows, tokenizer, draw)
            lengths = np.array([len(p[0]) for p in pairs])
        for batch in batches(lengths, options.tokens, draw):
            done = (time.monotonic() - started) / (options.minutes * 60)
            if options.steps:
                done = max(done, steps / options.steps)
            if done >= 1:
                break
            if done >= options.round_from and not hook.on:
                hook.on = True
                set_rounded(reader)
            for group in optimiser.param_groups:
                group["lr"] = group["base"] * min(1.0, done / 0.04 + 0.01) * (0.5 + 0.5 * math.cos(math.pi * done))
            ids, mask, kinds, labels = pad([pairs[i] for i in batch], device)
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                both, token = reader.read(ids, mask, kinds)
            index = torch.tensor(batch)
            chosen = both.gather(1, heads[index].to(device)[:, None])[:, 0]
            loss = functional.binary_cross_entropy_with_logits(chosen, targets[index].to(device))
            known = labels >= 0
            marked = functional.binary_cross_entropy_with_logits(token, labels.clamp(min=0).float(), reduction="none")
            token_loss = (marked * known).sum() / known.sum().clamp(min=1)
            optimiser.zero_grad(set_to_none=True)
            (loss + 0.5 * token_loss).backward()
            nn.utils.clip_grad_norm_([p for _, p in trained], 1.0)
            optimiser.step()
            steps += 1
            seen += len(batch)
            if time.monotonic() - told > 20:
                told, losses = time.monotonic(), [loss.item(), token_loss.item()]
                print(f"{done:5.0%} step {steps} rows {seen} loss {losses[0]:.4f} tokens {losses[1]:.4f}", flush=True)
        epoch += 1
    print(f"{steps} steps, {seen} rows, {seen / len(rows):.2f} epochs, {time.monotonic() - started:.0f} s", flush=True)
    if not options.support:
        hook.on = True
        set_rounded(reader)
    logit = logits_of(reader, dev_pairs, dev_heads, device)
    report(dev, logit)
    np.save(options.out / "dev.npy", logit.astype(np.float32))
    save_update(reader, options.out / "update.npz")
    print(f"all {time.monotonic() - began:.0f} s", flush=True)


@torch.no_grad()
def load_update(reader: ReaderEncoder, path: Path) -> None:
    """What `save_update` wrote."""
    with np.load(path) as stored:
        kept = {name: torch.from_numpy(stored[name].astype(np.float32)) for name in stored.files}
    for name, module in reader.named_modules():
        if isinstance(module, LowRankUpdate):
            layer = name.split(".parametrizations")[0]
            module.down.copy_(kept.pop(f"{layer}.down"))
            module.up.copy_(kept.pop(f"{layer}.up"))
    for name, value in reader.named_parameters():
        if value.requires_grad and not name.endswith((".up", ".down")):
            value.copy_(kept.pop(name))
    if kept:
        raise ValueError(f"the update holds what this reader has not: {sorted(kept)[:3]}")


def save_update(reader: ReaderEncoder, path: Path) -> None:
    """What differs from the shipped weights: thin matrices in float16, the other trained tensors as they are."""
    out: dict[str, np.ndarray] = {}
    for name, module in reader.named_modules():
        if isinstance(module, LowRankUpdate):
            layer = name.split(".parametrizations")[0]
            out[f"{layer}.down"] = module.down.detach().cpu().numpy().astype(np.float16)
            out[f"{layer}.up"] = module.up.detach().cpu().numpy().astype(np.float16)
    for name, value in reader.named_parameters():
        if value.requires_grad and not name.endswith((".up", ".down")):
            kind = np.float16 if value.ndim == 2 and value.numel() > 100_000 else np.float32
            out[name] = value.detach().float().cpu().numpy().astype(kind)
    np.savez(path, **out)


if __name__ == "__main__":
    main()
