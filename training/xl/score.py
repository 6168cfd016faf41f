"""Asks the adapted language model stored requests, many at once.

    python -m training.xl.score --model q.gguf --adapter adapter0.npz adapter1.npz --requests requests.jsonl.gz --out scores.npy

A line of `--requests` is the JSON string of a user's message, as the product sends it. The scores, in the same order,
are the logits of Yes over No that a server returns for it, and the logarithm of their share.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from pathlib import Path

import numpy as np
import torch

from footnotary.reader.language_model.prompt import NO, YES, chat_text
from training.reader.language_model import read_gguf
from training.xl.evaluate import scores
from training.xl.model import YesNoModel, load_pieces, rounded
from training.xl.token_batches import tokenise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, nargs="+", required=True)
    parser.add_argument("--requests", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=3.0)
    options = parser.parse_args()
    started = time.monotonic()
    with gzip.open(options.requests, "rt", encoding="utf-8") as lines:
        texts = [chat_text(json.loads(line)) for line in lines]
    tensors, shape, tokenizer = read_gguf(options.model)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = YesNoModel(tensors, shape).to(device).eval()
    del tensors
    model.load(rounded(load_pieces(options.adapter)))
    words = (tokenizer.encode(YES).ids[0], tokenizer.encode(NO).ids[0])
    ids = tokenise(texts, tokenizer, most=4096)
    print(f"{len(ids)} requests, {sum(map(len, ids))} tokens, {time.monotonic() - started:.0f} s", flush=True)
    found = scores(model, ids, words, device, time.monotonic() + 60 * options.minutes)
    np.save(options.out, found)
    print(f"{int(np.isnan(found[:, 0]).sum())} not reached, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
