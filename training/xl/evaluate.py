"""How well Yes and No part right rows from wrong ones: one figure a set, and the lead sets together."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch

from training.verifier.train import auroc, batches
from training.xl.model import YesNoModel
from training.xl.token_batches import padded

Row = dict[str, Any]
LEAD = ("ragtruth", "lfqa_verif", "attributionbench", "wice_claim", "summedits")
GRID = np.linspace(-6, 6, 121)


@torch.no_grad()
def scores(model: YesNoModel, ids: list[np.ndarray], words: tuple[int, int], device: str, until: float) -> np.ndarray:
    """Of each row the logit of Yes over No, and the logarithm of their share; rows not reached in time are not numbers."""
    out = np.full((len(ids), 2), np.nan, np.float32)
    todo = batches(np.array([len(row) for row in ids]), 65_536 if device == "cuda" else 4096, None)
    while todo and time.monotonic() < until:
        chosen = todo.pop()
        try:
            both, whole = model(*padded([ids[i] for i in chosen], device), words)
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
            if len(chosen) == 1:
                continue
            todo += [chosen[: len(chosen) // 2], chosen[len(chosen) // 2 :]]
            continue
        share = torch.logsumexp(both, 1) - whole
        out[chosen] = torch.stack([both[:, 0] - both[:, 1], share], 1).cpu().numpy()
    return out


def joined(rows: list[Row], logit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Score and label of each answer: the least of its sentences."""
    found: dict[str, tuple[float, int]] = {}
    for i, (row, score) in enumerate(zip(rows, logit, strict=True)):
        key = str(row.get("id", i))
        if not np.isnan(score):
            found[key] = (min(float(score), found.get(key, (1e9, 0))[0]), int(row["y"] >= 0.5))
    return np.array([s for s, _ in found.values()]), np.array([y for _, y in found.values()])


def balanced(s: np.ndarray, y: np.ndarray, threshold: float) -> float:
    return 50 * float((s[y == 1] >= threshold).mean() + (s[y == 0] < threshold).mean())


def print_set(name: str, rows: list[Row], logit: np.ndarray) -> None:
    s, y = joined(rows, logit[:, 0])
    if len(set(y.tolist())) < 2:
        print(f"  {name:20} n {len(y)}", flush=True)
        return
    best = max((balanced(s, y, t), t) for t in GRID)
    caught, refused = 100 * (s[y == 0] < 0).mean(), 100 * (s[y == 1] < 0).mean()
    # What is refused of the right where nine in ten of the wrong are caught.
    strict = 100 * (s[y == 1] < np.quantile(s[y == 0], 0.9)).mean()
    print(
        f"  {name:20} n {len(y):5} auroc {100 * auroc(s, y):5.1f} best {best[0]:5.1f} at {best[1]:5.1f}"
        f"  at 0: caught {caught:5.1f} refused {refused:5.1f}  refused at 90 caught {strict:5.1f}"
        f"  share {100 * np.exp(np.nanmean(logit[:, 1])):.2f}",
        flush=True,
    )


def print_lead(rows: list[Row], logit: np.ndarray) -> None:
    """The mean over the lead sets, each at its best threshold and all at one."""
    for kind in ("c", "w"):
        sets = []
        for name in LEAD:
            chosen = [i for i, row in enumerate(rows) if row["set"] == f"{kind}:{name}"]
            s, y = joined([rows[i] for i in chosen], logit[chosen])
            if len(set(y.tolist())) == 2:
                sets.append((s, y))
        if len(sets) == len(LEAD):
            best = np.mean([max(balanced(s, y, t) for t in GRID) for s, y in sets])
            one = max((float(np.mean([balanced(s, y, t) for s, y in sets])), t) for t in GRID)
            print(f"lead sets ({kind}): best {best:.1f}, one threshold {one[0]:.1f} at {one[1]:.1f}", flush=True)
