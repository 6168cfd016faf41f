"""Has the language model say labelled claims in other words, and keeps what it, adapted, finds to say the same.

    python -m training.xl.rewordings --model q.gguf --adapter adapter0.npz adapter1.npz --rows rows.jsonl.gz \
        --out reworded.jsonl.gz --minutes 4

A rewording has its claim's label. That of a supported claim must follow from the claim; of one that is not supported,
the claim must follow from the rewording. Of supported claims a second request asks for a sentence that follows and for
one that is nearly the same and wrong: both are kept where the adapted model tells them apart by a margin.
Rows are taken in random order until the time is up, contrasts first of all.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from footnotary.reader.language_model.prompt import NO, YES, chat_text, support_request
from training.reader.language_model import read_gguf
from training.verifier.train import batches
from training.xl.model import YesNoModel, load_pieces
from training.xl.reworded_rows import FOLLOW, REWORD, chosen_rows, kept_consequences, kept_rewordings, request
from training.xl.stored_rows import read_rows, write
from training.xl.token_batches import padded, tokenise

Row = dict[str, Any]
REPLY_TOKENS = 72


class Rewriter:
    def __init__(self, model: YesNoModel, tokenizer: Any) -> None:
        self.model, self.tokenizer = model, tokenizer
        self.words = (tokenizer.encode(YES).ids[0], tokenizer.encode(NO).ids[0])
        self.stop = {tokenizer.token_to_id("<|im_end|>"), tokenizer.token_to_id("<|endoftext|>")}

    def replies(self, texts: list[str], minutes: float, batch: int) -> list[str]:
        """As many replies as the time allows, in the order of `texts`."""
        started, out = time.monotonic(), []
        for at in range(0, len(texts), batch * 4):
            group = range(at, min(at + batch * 4, len(texts)))
            ids = {
                i: found.ids
                for i, found in zip(group, self.tokenizer.encode_batch([texts[i] for i in group]), strict=True)
            }
            order = sorted(group, key=lambda i: len(ids[i]))
            found: dict[int, str] = {}
            for first in range(0, len(order), batch):
                if time.monotonic() - started > minutes * 60:
                    return out
                part = order[first : first + batch]
                for i, reply in zip(
                    part, self.model.body.sample([ids[i] for i in part], REPLY_TOKENS, 0.8, self.stop), strict=True
                ):
                    found[i] = self.tokenizer.decode(reply).strip()
            out += [found[i] for i in group]
            print(f"written {len(out)} in {time.monotonic() - started:.0f} s", flush=True)
        return out

    @torch.no_grad()
    def support(self, pairs: list[tuple[str, str]], tokens: int) -> np.ndarray:
        """The adapted model's probability that evidence supports a claim, for each (evidence, claim)."""
        if not pairs:
            return np.zeros(0, np.float32)
        ids = tokenise(
            [chat_text(support_request(evidence, claim)) for evidence, claim in pairs], self.tokenizer, most=1200
        )
        out, device = np.zeros(len(ids), np.float32), str(self.model.body.table.device)
        for batch in batches(np.array([len(row) for row in ids]), tokens, None):
            both, _ = self.model(*padded([ids[i] for i in batch], device), self.words)
            out[batch] = torch.sigmoid(both[:, 0] - both[:, 1]).cpu().numpy()
        return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, nargs="+", required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=4.0, help="of writing")
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--tokens", type=int, default=65_536)
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    started = time.monotonic()
    torch.manual_seed(3)
    rows = chosen_rows(read_rows(options.rows, options.limit), random.Random(8))
    tensors, shape, tokenizer = read_gguf(options.model)
    model = YesNoModel(tensors, shape).to("cuda" if torch.cuda.is_available() else "cpu").eval()
    del tensors
    rewriter = Rewriter(model, tokenizer)
    print(f"{len(rows)} claims, {time.monotonic() - started:.0f} s", flush=True)
    reworded = rewriter.replies([request(REWORD, row["a"]) for row in rows], options.minutes * 0.62, options.batch)
    stated = [row for row in rows if row["y"] >= 0.5]
    follows = rewriter.replies([request(FOLLOW, row["a"]) for row in stated], options.minutes * 0.38, options.batch)
    model.load(load_pieces(options.adapter))

    def support(pairs: list[tuple[str, str]]) -> np.ndarray:
        return rewriter.support(pairs, options.tokens)

    kept = kept_rewordings(rows, reworded, support) + kept_consequences(stated, follows, support)
    random.Random(9).shuffle(kept)
    for row in kept[:24]:
        print(row["set"], row["y"], row["a"], flush=True)
    counts = write(options.out, kept)
    print(f"{sum(counts.values())} rows, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
