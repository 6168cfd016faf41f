"""Trains the small injection classifier and reports its rates, set by set.

    python -m training.injection.train_encoder --base minilm.npz --tokenizer minilm.tokenizer.json --rows FOLDER --minutes 2 --out FOLDER

The encoder of `training.verifier` with a sentence in place of a pair, and its first head alone; exported by
`training.verifier.export` like a verifier. The threshold is printed for several false positive rates.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training.verifier.base_weights import pack, unpack
from training.verifier.encoder import TwoHeadEncoder
from training.verifier.train import compute_logits, plain_state_dict, read, train

MAX_TOKENS = 128
FALSE_POSITIVE_RATES = (0.0005, 0.001, 0.002, 0.005)
REAL_TEXTS = ("HIPAA", "GDPR", "acts, curated", "privacy policies", "handbook")


def tokenise(texts: list[str], tokenizer: Tokenizer) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(np.array(e.ids, np.int32), np.array(e.type_ids, np.int8)) for e in tokenizer.encode_batch(texts)]


def report(rows: list[dict], logit: np.ndarray) -> None:
    """For every set, the share classified as injection at thresholds with the given false positive rates."""
    of: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        of[row["from"]].append(at)
    real = np.concatenate([logit[of[name]] for name in REAL_TEXTS])
    thresholds = [float(np.quantile(real, 1 - share)) for share in FALSE_POSITIVE_RATES]
    print(
        "thresholds",
        [
            f"{share:.2%}: logit {t:.2f}, p {1 / (1 + np.exp(-t)):.3f}"
            for share, t in zip(FALSE_POSITIVE_RATES, thresholds, strict=True)
        ],
    )
    for name, places in of.items():
        told = [f"{(logit[places] > t).mean():.3f}" for t in thresholds]
        print(f"  {name:32} n {len(places):5} y {rows[places[0]]['y']} classified as injection {' '.join(told)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--steps", type=int, default=0, help="stop after this number of steps, for a test run")
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--tokens", type=int, default=8_192)
    parser.add_argument("--bits", type=int, default=8)
    parser.add_argument("--round-from", type=float, default=0.6)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    shape, tensors = unpack(options.base)
    encoder = TwoHeadEncoder(shape)
    encoder.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in tensors.items()}, strict=False)
    encoder.to(device)
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    rows, dev = read(options.rows / "train.jsonl.gz"), read(options.rows / "dev.jsonl.gz")
    pairs = tokenise([row["text"] for row in rows], tokenizer)
    targets = np.array([row["y"] for row in rows], np.float32) * 0.998 + 0.001
    train(encoder, pairs, np.zeros(len(rows), np.int64), targets, options, device)
    logit = compute_logits(
        encoder, tokenise([row["text"] for row in dev], tokenizer), np.zeros(len(dev), np.int64), device
    )
    report(dev, logit)
    state = {name: value.detach().float().cpu().numpy() for name, value in plain_state_dict(encoder).items()}
    pack(shape, state, options.out / "orders.npz")


if __name__ == "__main__":
    main()
