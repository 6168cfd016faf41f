"""Asks the adapted language model stored requests, many at once.

    python -m training.xl.score --model q.gguf --adapter adapter0.npz adapter1.npz --pairs pairs.jsonl.gz --out scores.npy

A line of `--pairs` is `{k, e, a}`: k is "c" (claim) or "q" (question), e the passages as [heading, text], a what is
asked. The scores, in the same order, are the logits of Yes over No that a server returns for the same request.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from pathlib import Path

import numpy as np
import torch

from training.reader.language_model import read_gguf
from training.xl.evaluate import scores
from training.xl.model import YesNoModel, load_pieces, rounded
from training.xl.prompt import NO, YES, answer_request, chat_text, evidence_text, support_request
from training.xl.token_batches import tokenise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, nargs="+", required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=3.0)
    options = parser.parse_args()
    started = time.monotonic()
    with gzip.open(options.pairs, "rt", encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    tensors, shape, tokenizer = read_gguf(options.model)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = YesNoModel(tensors, shape).to(device).eval()
    del tensors
    model.load(rounded(load_pieces(options.adapter)))
    words = (tokenizer.encode(YES).ids[0], tokenizer.encode(NO).ids[0])
    asked = {"c": support_request, "q": answer_request}
    texts = [
        chat_text(asked[pair["k"]](evidence_text([(head, text) for head, text in pair["e"]]), pair["a"]))
        for pair in pairs
    ]
    ids = tokenise(texts, tokenizer, most=4096)
    print(f"{len(ids)} pairs, {sum(map(len, ids))} tokens, {time.monotonic() - started:.0f} s", flush=True)
    found = scores(model, ids, words, device, time.monotonic() + 60 * options.minutes)
    np.save(options.out, found)
    print(f"{int(np.isnan(found[:, 0]).sum())} not reached, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
