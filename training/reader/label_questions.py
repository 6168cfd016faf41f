"""Says with the adapted language model which texts answer the questions that it wrote.

    python -m training.reader.label_questions --model q.gguf --adapter adapter0.npz adapter1.npz \
        --pairs pairs.jsonl.gz --out generated.jsonl.gz --minutes 3

The adapter is that of `training.xl`. The label is its probability; where a pair was made not to answer, a probability
that says otherwise is not believed: the pair is left out, or counts as unanswered where it is doubtful.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from footnotary.reader.language_model.prompt import NO, YES, answer_request, chat_text, evidence_text
from training.reader.language_model import read_gguf
from training.verifier.train import batches
from training.xl.model import YesNoModel, load_pieces
from training.xl.token_batches import padded, tokenise

Row = dict[str, Any]
AT_ONCE = 16_384
LAW = ("acts", "codes")
SURE = 0.85
UNANSWERED = 0.04


def believed(kind: str, probability: float) -> float | None:
    """The label of a pair, or None where the model contradicts how it was made."""
    what, place = kind.split(":")
    made_unanswered = what == "said_back" or (what == "near" and place in LAW)
    if not made_unanswered:
        return probability
    return None if probability > SURE else min(probability, UNANSWERED)


def text_of(pair: Row) -> str:
    return chat_text(answer_request(evidence_text([(pair["h"], " ".join(pair["s"]))]), pair["a"]))


@torch.no_grad()
def probabilities(
    model: YesNoModel, texts: list[str], tokenizer: Any, words: tuple[int, int], tokens: int
) -> np.ndarray:
    ids = tokenise(texts, tokenizer, most=900)
    out = np.zeros(len(ids), np.float32)
    device = str(model.body.table.device)
    for batch in batches(np.array([len(row) for row in ids]), tokens, None):
        both, _ = model(*padded([ids[i] for i in batch], device), words)
        out[batch] = torch.sigmoid(both[:, 0] - both[:, 1]).cpu().numpy()
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, nargs="+", required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--tokens", type=int, default=98_304)
    options = parser.parse_args()
    started = time.monotonic()
    tensors, shape, tokenizer = read_gguf(options.model)
    model = YesNoModel(tensors, shape).to("cuda" if torch.cuda.is_available() else "cpu").eval()
    del tensors
    model.load(load_pieces(options.adapter))
    words = (tokenizer.encode(YES).ids[0], tokenizer.encode(NO).ids[0])
    with gzip.open(options.pairs, "rt", encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    print(f"{len(pairs)} pairs, {time.monotonic() - started:.0f} s", flush=True)
    began, kinds, kept = time.monotonic(), dict[str, list[float]](), 0
    with gzip.open(options.out, "wt", encoding="utf-8", compresslevel=4) as out:
        for first in range(0, len(pairs), AT_ONCE):
            if time.monotonic() - began > options.minutes * 60:
                break
            part = pairs[first : first + AT_ONCE]
            found = probabilities(model, [text_of(pair) for pair in part], tokenizer, words, options.tokens)
            for pair, probability in zip(part, found.tolist(), strict=True):
                what, place = pair["set"].split(":")
                kinds.setdefault(f"{what}:law" if place in LAW else what, []).append(probability)
                if (label := believed(pair["set"], probability)) is not None:
                    out.write(json.dumps(pair | {"y": round(label, 4)}, ensure_ascii=False) + "\n")
                    kept += 1
            print(f"labelled {first + len(part)} in {time.monotonic() - began:.0f} s", flush=True)
    for kind, values in sorted(kinds.items()):
        shares = [float(np.mean(np.array(values) > limit)) for limit in (0.2, 0.5, 0.85)]
        print(f"{kind:20} {len(values):6} mean {np.mean(values):.3f} above .2 .5 .85: {np.round(shares, 3)}")
    print(f"{kept} kept, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
