"""Trains the adapter for a given time to say Yes or No, then measures it on held-out rows.

    python -m training.xl.train --model q.gguf --rows rows.jsonl.gz --dev dev.jsonl.gz --out FOLDER --minutes 8

The learning rate follows the clock. A second run goes on where the first stopped: give both the same `--state` file,
and say with `--from` and `--until` which part of the schedule each run is. Too little memory halves what is read at
once. The adapter is written in pieces, several times, as `adapter*.npz`; the logits of `dev` as `dev.npy`.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from footnotary.reader.language_model.prompt import NO, YES, answer_request, chat_text, support_request
from training.reader.language_model import read_gguf
from training.verifier.train import batches
from training.xl.evaluate import print_lead, print_set, scores
from training.xl.model import YesNoModel, load_pieces, rounded, save_pieces
from training.xl.stored_rows import read_rows
from training.xl.token_batches import TokenRows, padded, tokenise

Row = dict[str, Any]
CHUNK = 12_288
SMOOTHING = 0.03
BLIND = ("free", "blind")


def text_of(row: Row) -> str:
    return chat_text((support_request if row["k"] == "c" else answer_request)(row["e"], row["a"]))


class Trainer:
    def __init__(self, model: YesNoModel, words: tuple[int, int], rate: float, device: str) -> None:
        self.model, self.words, self.rate, self.device = model, words, rate, device
        self.optimiser = torch.optim.AdamW(model.trained(), lr=rate, betas=(0.9, 0.98), weight_decay=0.0)
        self.halvings = 0

    def step(self, parts: list[list[np.ndarray]], targets: list[np.ndarray], rate: float) -> tuple[float, float]:
        """One update by the mean of the parts; parts that do not fit into memory are read by halves from then on."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        while True:
            self.optimiser.zero_grad(set_to_none=True)
            try:
                loss = outside = torch.zeros((), device=self.device)
                for rows, target in zip(parts, targets, strict=True):
                    pieces = min(len(rows), 2**self.halvings)
                    for chosen in np.array_split(np.arange(len(rows)), pieces):
                        told, missed = self._backward([rows[i] for i in chosen], target[chosen], len(rows) * len(parts))
                        loss, outside = loss + told, outside + missed
                break
            except torch.cuda.OutOfMemoryError:
                if self.halvings >= 5:
                    raise
                self.halvings += 1
                self.model.save_memory = self.halvings >= 3
            self.optimiser.zero_grad(set_to_none=True)
            torch.cuda.empty_cache()
            print(f"out of memory: read in {2**self.halvings} pieces from now on", flush=True)
        nn.utils.clip_grad_norm_(self.model.trained(), 1.0)
        self.optimiser.step()
        return loss.item(), outside.item()

    def _backward(self, rows: list[np.ndarray], target: np.ndarray, share: int) -> tuple[torch.Tensor, torch.Tensor]:
        ids, last = padded(rows, self.device)
        both, whole = self.model(ids, last, self.words)
        wanted = torch.from_numpy(target).to(self.device)
        told = functional.binary_cross_entropy_with_logits(both[:, 0] - both[:, 1], wanted, reduction="sum") / share
        # The words Yes and No must be what the model says, not only right beside each other.
        outside = (whole - torch.logsumexp(both, 1)).sum() / share
        (told + 0.1 * outside).backward()
        return told.detach(), outside.detach()


def train(trainer: Trainer, rows: TokenRows, options: argparse.Namespace, at: int, seed: int) -> int:
    """Until the time is over; says at which row of the endless repetition of all rows the next run goes on."""
    draw, started, told, steps, tokens = random.Random(seed), time.monotonic(), 0.0, 0, 0
    saved, losses = 0.0, []
    while True:
        chunk = [i % len(rows.ids) for i in range(at, at + min(CHUNK, len(rows.ids)))]
        lengths = np.array([len(rows.ids[i]) for i in chunk])
        parts = batches(lengths, options.tokens, draw)
        for first in range(0, len(parts), options.parts):
            done = (time.monotonic() - started) / (options.minutes * 60)
            if options.steps:
                done = max(done, steps / options.steps)
            if done >= 1:
                at += len(chunk) * first // len(parts)
                print(
                    f"{steps} steps, {tokens / 1e6:.1f}M tokens, {time.monotonic() - started:.0f} s, row {at}",
                    flush=True,
                )
                return at
            place = options.start + (options.until - options.start) * done
            rate = (
                options.rate * min(1.0, place / 0.03 + 0.01) * (0.02 + 0.98 * (0.5 + 0.5 * math.cos(math.pi * place)))
            )
            chosen = [[chunk[i] for i in part] for part in parts[first : first + options.parts]]
            losses.append(
                trainer.step(
                    [[rows.ids[i] for i in part] for part in chosen], [rows.targets[part] for part in chosen], rate
                )
            )
            steps += 1
            tokens += sum(len(rows.ids[i]) for part in chosen for i in part)
            if time.monotonic() - told > 15:
                told = time.monotonic()
                loss, outside = np.mean(losses[-25:], axis=0)
                speed = tokens / (told - started)
                print(
                    f"{done:4.0%} step {steps} row {at} loss {loss:.4f} outside {outside:.5f} {speed:.0f} tokens/s",
                    flush=True,
                )
            if done - saved > 0.3:
                saved = done
                save_pieces(trainer.model.adapter(), options.out)
        at += len(chunk)


def blind_rows(folder: Path) -> list[Row]:
    rows: list[Row] = []
    for name in BLIND:
        path = folder / f"{name}.jsonl"
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            row = json.loads(line)
            rows.append({"set": name, "k": "c", "e": row["premise"], "a": row["claim"], "y": row["label"]})
    return rows


def mixed_rows(files: list[Path], skip: int, limit: int) -> list[Row]:
    rows = read_rows(files[0], limit and skip + limit)[skip:]
    for path in files[1:]:
        rows += read_rows(path, limit)
    if len(files) > 1:
        random.Random(6).shuffle(rows)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--rows", type=Path, nargs="+", required=True, help="files; those of several are mixed")
    parser.add_argument("--skip", type=int, default=0, help="rows of the first file that an earlier run has learned")
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--blind", type=Path, default=Path("benchmarks", "quality"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--eval-minutes", type=float, default=2.0)
    parser.add_argument("--from", dest="start", type=float, default=0.0)
    parser.add_argument("--until", type=float, default=1.0)
    parser.add_argument("--state", type=Path, help="read if it is there, written at the end")
    parser.add_argument("--adapter", type=Path, nargs="*", help="pieces to start from where there is no state")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--tokens", type=int, default=16_384, help="tokens read at once")
    parser.add_argument("--parts", type=int, default=2, help="how often before each update")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    began = time.monotonic()
    options.out.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    tensors, shape, tokenizer = read_gguf(options.model)
    model = YesNoModel(tensors, shape).to(device)
    del tensors
    words = tuple(tokenizer.encode(word).ids for word in (YES, NO))
    if any(len(word) != 1 for word in words):
        raise ValueError("Yes and No must be one token each")
    yes_no = (words[0][0], words[1][0])
    print(
        f"model read, {sum(p.numel() for p in model.trained()) / 1e6:.2f}M trained, {time.monotonic() - began:.0f} s",
        flush=True,
    )
    dev = blind_rows(options.blind) + read_rows(options.dev, options.limit)
    dev_ids = tokenise([text_of(row) for row in dev], tokenizer, most=4096)
    print(f"{len(dev)} held-out rows, {time.monotonic() - began:.0f} s", flush=True)
    read_in = mixed_rows(options.rows, options.skip, options.limit)
    ids = tokenise([text_of(row) for row in read_in], tokenizer, most=0)
    rows = TokenRows.of(ids, [row["y"] for row in read_in], SMOOTHING)
    del read_in, ids
    print(
        f"{len(rows.ids)} rows, {sum(map(len, rows.ids)) / 1e6:.1f}M tokens, {time.monotonic() - began:.0f} s",
        flush=True,
    )
    free = [i for i, row in enumerate(dev) if row["set"] == BLIND[0]]
    before = scores(model, [dev_ids[i] for i in free], yes_no, device, time.monotonic() + 60)
    print_set("before", [dev[i] for i in free], before)

    trainer = Trainer(model, yes_no, options.rate, device)
    at = 0
    if options.state and options.state.exists():
        state = torch.load(options.state, map_location=device, weights_only=False)
        model.load(state["adapter"])
        trainer.optimiser.load_state_dict(state["optimiser"])
        at = 0 if options.skip else state["at"]
        print(f"goes on at row {at}", flush=True)
    elif options.adapter:
        model.load(load_pieces(options.adapter))
    if options.minutes > 0:
        model.train()
        at = train(trainer, rows, options, at, options.seed + at)
    print([path.name for path in save_pieces(model.adapter(), options.out)], flush=True)
    if options.state:
        whole = {name: values.astype(np.float32) for name, values in model.adapter().items()}
        torch.save({"adapter": whole, "optimiser": trainer.optimiser.state_dict(), "at": at}, options.state)

    # What is shipped is rounded, so that is what is measured.
    model.load(rounded(model.adapter()))
    model.eval()
    until = time.monotonic() + options.eval_minutes * 60
    logit = np.full((len(dev), 2), np.nan, np.float32)
    for name in dict.fromkeys(row["set"] for row in dev):
        chosen = [i for i, row in enumerate(dev) if row["set"] == name]
        logit[chosen] = scores(model, [dev_ids[i] for i in chosen], yes_no, device, until)
        print_set(name, [dev[i] for i in chosen], logit[chosen])
        np.save(options.out / "dev.npy", logit)
    print_lead(dev, logit[:, 0])
    print(f"all {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
