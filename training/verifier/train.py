"""Trains a verifier for a given time, evaluates it on the dev rows, and writes its weights in pieces.

    python -m training.verifier.train --base mpnet.npz --tokenizer mpnet.tokenizer.json --rows FOLDER --minutes 8 \
        --out FOLDER [--teacher FOLDER] [--bits 4]

The learning rate follows the clock, so that a run ends when it should. With `--bits` the last part of the training
sees the matrices as they will be shipped, rounded block by block (straight-through). With `--teacher` the targets are
the mean of the label and the teacher's probability.
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

from training.verifier.base_weights import pack, unpack
from training.verifier.encoder import TwoHeadEncoder

MAX_TOKENS = 512
BLOCK = 32
FILES = ("train", "learned", "questions", "scope", "altered", "made")
Row = dict[str, Any]


class RoundedWeight(nn.Module):
    """A matrix as blockwise 4- or 8-bit integers would hold it; the gradient passes as if it were not rounded."""

    def __init__(self, bits: int) -> None:
        super().__init__()
        self.most = 2 ** (bits - 1)

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight + (round_to_grid(weight.detach(), self.most) - weight).detach()


def round_to_grid(weight: torch.Tensor, most: int) -> torch.Tensor:
    """Each block of 32 along a row as signed integers: the largest value, with its sign, is the end of the range."""
    groups = weight.float().reshape(weight.shape[0], -1, BLOCK)
    largest = groups.gather(2, groups.abs().argmax(2, keepdim=True))
    scale = largest / -most
    scale = torch.where(scale == 0, torch.full_like(scale, 1e-8), scale)
    return (torch.round(groups / scale).clamp(-most, most - 1) * scale).reshape(weight.shape).to(weight.dtype)


def round_matrices(encoder: TwoHeadEncoder, bits: int) -> None:
    for block in encoder.blocks:
        for name in ("qkv", "ao", "f1", "f2"):
            nn.utils.parametrize.register_parametrization(getattr(block, name), "weight", RoundedWeight(bits))


def read(path: Path) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def tokenise(rows: list[Row], tokenizer: Tokenizer) -> list[tuple[np.ndarray, np.ndarray]]:
    """Ids and kinds of each pair, the claim first; the evidence is cut where the pair is too long."""
    out: list[tuple[np.ndarray, np.ndarray]] = []
    for at in range(0, len(rows), 20_000):
        pairs = [(row["a"], row["b"]) for row in rows[at : at + 20_000]]
        for found in tokenizer.encode_batch(pairs):
            out.append((np.array(found.ids, np.int32), np.array(found.type_ids, np.int8)))
    return out


def batches(lengths: np.ndarray, tokens: int, draw: random.Random | None) -> list[list[int]]:
    """Rows of about one length together, at most `tokens` tokens in a batch; in random order if `draw` is given."""
    order = np.argsort(lengths + (np.array([draw.random() for _ in lengths]) * 16 if draw else 0), kind="stable")
    out: list[list[int]] = [[]]
    longest = 0
    for i in order:
        longest = max(longest, int(lengths[i]))
        if out[-1] and longest * (len(out[-1]) + 1) > tokens:
            out.append([])
            longest = int(lengths[i])
        out[-1].append(int(i))
    if draw:
        draw.shuffle(out)
    return out


def pad(pairs: list[tuple[np.ndarray, np.ndarray]], device: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    longest = -(-max(len(ids) for ids, _ in pairs) // 8) * 8
    ids = np.ones((len(pairs), longest), np.int64)
    kinds = np.zeros((len(pairs), longest), np.int64)
    mask = np.zeros((len(pairs), longest), bool)
    for i, (row, kind) in enumerate(pairs):
        ids[i, : len(row)], kinds[i, : len(row)], mask[i, : len(row)] = row, kind, True
    moved = [torch.from_numpy(array).to(device, non_blocking=True) for array in (ids, mask, kinds)]
    return moved[0], moved[1], moved[2]


@torch.no_grad()
def compute_logits(
    encoder: TwoHeadEncoder, pairs: list[tuple[np.ndarray, np.ndarray]], heads: np.ndarray, device: str
) -> np.ndarray:
    """The logit of each pair under its head."""
    encoder.eval()
    out = np.zeros(len(pairs), np.float32)
    lengths = np.array([len(ids) for ids, _ in pairs])
    for batch in batches(lengths, 65_536, None):
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            logits = encoder(*pad([pairs[i] for i in batch], device))
        out[batch] = logits.float().cpu().numpy()[np.arange(len(batch)), heads[batch]]
    encoder.train()
    return out


def train(
    encoder: TwoHeadEncoder,
    pairs: list[tuple[np.ndarray, np.ndarray]],
    heads: np.ndarray,
    targets: np.ndarray,
    options: argparse.Namespace,
    device: str,
) -> None:
    draw = random.Random(options.seed)
    lengths = np.array([len(ids) for ids, _ in pairs])
    learned = [(n, p) for n, p in encoder.named_parameters() if p.requires_grad]
    decayed = [p for n, p in learned if p.ndim == 2 and "ln" not in n]
    others = [p for n, p in learned if not (p.ndim == 2 and "ln" not in n)]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=device == "cuda")
    started, steps, seen, told, rounding = time.monotonic(), 0, 0, 0.0, False
    running, epoch = 0.0, 0
    heads_on, targets_on = torch.from_numpy(heads).long(), torch.from_numpy(targets).float()
    encoder.train()
    while True:
        for batch in batches(lengths, options.tokens, draw):
            done = (time.monotonic() - started) / (options.minutes * 60)
            if done >= 1 or (options.steps and steps >= options.steps):
                print(f"{steps} steps, {seen} rows, {epoch} epochs, {time.monotonic() - started:.0f} s", flush=True)
                return
            if options.bits and not rounding and done >= options.round_from:
                rounding = True
                round_matrices(encoder, options.bits)
            warm = min(1.0, done / 0.05)
            for group in optimiser.param_groups:
                group["lr"] = options.rate * warm * (0.5 + 0.5 * math.cos(math.pi * done))
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                logits = encoder(*pad([pairs[i] for i in batch], device))
            index = torch.tensor(batch)
            chosen = logits.gather(1, heads_on[index].to(device)[:, None])[:, 0]
            loss = functional.binary_cross_entropy_with_logits(chosen, targets_on[index].to(device))
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimiser.step()
            steps += 1
            seen += len(batch)
            if steps % 50 == 0:
                running = 0.9 * running + 0.1 * loss.item() if running else loss.item()
            if time.monotonic() - told > 20:
                told = time.monotonic()
                print(f"{done:5.0%} step {steps} rows {seen} loss {running:.4f}", flush=True)
        epoch += 1


def balanced_accuracy(score: np.ndarray, label: np.ndarray, threshold: float) -> float:
    accepted = score >= threshold
    return 50 * (accepted[label == 1].mean() + (~accepted[label == 0]).mean())


def auroc(score: np.ndarray, label: np.ndarray) -> float:
    _, rank, counts = np.unique(score, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    ranks = middle[rank]
    positive = (label == 1).sum()
    return float((ranks[label == 1].sum() - positive * (positive + 1) / 2) / (positive * (label == 0).sum()))


LEAD_SETS = ("ragtruth", "lfqa_verif", "attributionbench", "wice_claim", "summedits")


def report(rows: list[Row], logit: np.ndarray) -> None:
    """Per dev set and window: the best balanced accuracy, with one threshold for all, and AUROC."""
    for words in sorted({row["words"] for row in rows}):
        for whole in (False, True):
            sets: dict[str, dict[str, tuple[float, int]]] = {}
            have_whole = {(r["set"], r["id"]) for r in rows if r["whole"] and r["words"] == words}
            for row, score in zip(rows, logit, strict=True):
                if row["words"] != words or (row["whole"] != whole and (row["set"], row["id"]) in have_whole):
                    continue
                found = sets.setdefault(row["set"], {})
                least = min(float(score), found.get(row["id"], (1e9, 0))[0])
                found[row["id"]] = (least, row["y"])
            ready = {
                name: (np.array([s for s, _ in found.values()]), np.array([y for _, y in found.values()]))
                for name, found in sets.items()
            }
            grid = np.quantile(np.concatenate([s for s, _ in ready.values()]), np.linspace(0.02, 0.98, 97))
            lead = [ready[name] for name in LEAD_SETS if name in ready]
            common = max(grid, key=lambda t: np.mean([balanced_accuracy(s, y, t) for s, y in lead])) if lead else 0.0
            print(f"\nwords {words} whole {whole} common threshold {common:.2f}")
            means: list[tuple[float, float]] = []
            for name, (s, y) in ready.items():
                if len(set(y)) < 2:
                    continue
                best = max(balanced_accuracy(s, y, t) for t in grid)
                one = balanced_accuracy(s, y, common)
                if name in LEAD_SETS:
                    means.append((best, one))
                if whole is False or any(n == name for n, _ in have_whole):
                    print(f"  {name:18} n {len(y):5} best {best:5.1f} one {one:5.1f} auroc {100 * auroc(s, y):5.1f}")
            if means:
                print(f"  LEAD mean best {np.mean([m[0] for m in means]):.2f} one {np.mean([m[1] for m in means]):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--steps", type=int, default=0, help="stop after this number of steps, for a test run")
    parser.add_argument("--limit", type=int, default=0, help="rows of each file, for a trial")
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--tokens", type=int, default=32_768)
    parser.add_argument("--bits", type=int, default=0)
    parser.add_argument("--round-from", type=float, default=0.6, help="share of the time after which --bits is seen")
    parser.add_argument("--teacher", type=Path, help="folder with the teacher's train.npy")
    parser.add_argument("--trust", type=float, default=0.7, help="share of the teacher in the targets")
    parser.add_argument("--teach", action="store_true", help="write this model's probability of every training row")
    parser.add_argument("--evaluate", action="store_true", help="train nothing: report the base, rounded to --bits")
    parser.add_argument("--keep-distance", action="store_true", help="leave MPNet's bias by distance as it is")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    shape, tensors = unpack(options.base)
    encoder = TwoHeadEncoder(shape)
    encoder.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in tensors.items()}, strict=False)
    encoder.to(device)
    if options.keep_distance and encoder.distance is not None:
        # The gradient of the attention's bias is as large as the attention itself: without it a step is far quicker.
        encoder.distance.requires_grad_(False)
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
    if options.evaluate:
        if options.bits:
            round_matrices(encoder, options.bits)
        dev = _read_rows(options, "dev")
        report(dev, compute_logits(encoder, tokenise(dev, tokenizer), np.array([row["head"] for row in dev]), device))
        return
    rows = [row for name in FILES for row in _read_rows(options, name)]
    rows = [row for row in rows if row["a"].strip() and row["b"].strip() and len(row["a"].split()) < 220]
    pairs = tokenise(rows, tokenizer)
    heads = np.array([row["head"] for row in rows])
    targets = np.array([row["y"] for row in rows], np.float32)
    print(
        f"{len(rows)} rows, {sum(len(p[0]) for p in pairs) / 1e6:.1f}M tokens, {time.monotonic() - began:.0f} s",
        flush=True,
    )
    if options.teacher is not None:
        taught = np.load(options.teacher / "train.npy")
        targets = options.trust * taught[: len(targets)] + (1 - options.trust) * targets
    else:
        targets = targets * 0.96 + 0.02
    train(encoder, pairs, heads, targets, options, device)
    dev = _read_rows(options, "dev")
    logit = compute_logits(encoder, tokenise(dev, tokenizer), np.array([row["head"] for row in dev]), device)
    np.save(options.out / "dev.npy", logit.astype(np.float16))
    if options.teach:
        probability = 1 / (1 + np.exp(-compute_logits(encoder, pairs, heads, device)))
        np.save(options.out / "train.npy", probability.astype(np.float32))
    state = {name: value.detach().float().cpu().numpy() for name, value in plain_state_dict(encoder).items()}
    pack(shape, state, options.out / "verifier.npz")
    report(dev, logit)
    print(f"all {time.monotonic() - began:.0f} s")


def _read_rows(options: argparse.Namespace, name: str) -> list[Row]:
    path = options.rows / f"{name}.jsonl.gz"
    rows = read(path) if path.exists() else []
    return random.Random(1).sample(rows, min(options.limit, len(rows))) if options.limit else rows


def plain_state_dict(encoder: TwoHeadEncoder) -> dict[str, torch.Tensor]:
    """The parameters by their own names; a rounded matrix as it is rounded."""
    plain = {name: value for name, value in encoder.state_dict().items() if "parametrizations" not in name}
    for name, module in encoder.named_modules():
        if nn.utils.parametrize.is_parametrized(module):
            plain[f"{name}.weight"] = module.weight  # type: ignore[assignment]
    return plain


if __name__ == "__main__":
    main()
