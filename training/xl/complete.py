"""Completes stored chat requests with the plain language model, greedily, many at once.

    python -m training.xl.complete --model q.gguf --requests requests.jsonl.gz --out replies.jsonl.gz

A request is `{id, messages, schema, max_tokens}`, a reply `{id, text, finish, tokens_in, tokens_out}`. Where a request
has a JSON schema, the reply is held to it as a server with a grammar does: what the schema fixes is written, and the
model chooses where it leaves a choice.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from training.reader.language_model import Cache, LanguageModel, read_gguf
from training.xl.schema_writer import Writer

Row = dict[str, Any]
SYSTEM = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."


def chat(messages: list[dict[str, str]]) -> str:
    """The conversation as the model's template writes it, with its own first turn where none is given."""
    if messages[0]["role"] != "system":
        messages = [{"role": "system", "content": SYSTEM}, *messages]
    turns = "".join(f"<|im_start|>{turn['role']}\n{turn['content']}<|im_end|>\n" for turn in messages)
    return f"{turns}<|im_start|>assistant\n"


def forbidden_in_strings(tokenizer: Any, size: int, stop: set[int]) -> torch.Tensor:
    """Tokens with line breaks, escapes or marks of turns."""
    out = torch.zeros(size, dtype=torch.bool)
    for token in range(size):
        text = tokenizer.decode([token], skip_special_tokens=False) if token < tokenizer.get_vocab_size() else "\n"
        out[token] = token in stop or any(ord(letter) < 32 or letter == "\\" for letter in text) or "<|" in text
    return out


def likeliest(logits: torch.Tensor) -> Callable[[list[int]], int]:
    return lambda tokens: tokens[int(logits[tokens].argmax())]


@torch.no_grad()
def complete(
    model: LanguageModel, prompts: list[list[int]], writers: list[Writer], most: list[int], banned: torch.Tensor
) -> None:
    device, rows, limit = model.table.device, len(prompts), max(most)
    longest = max(len(prompt) for prompt in prompts)
    ids = torch.zeros(rows, longest, dtype=torch.long, device=device)
    kept = torch.zeros(rows, longest + limit + 1, dtype=torch.bool, device=device)
    for i, prompt in enumerate(prompts):
        ids[i, longest - len(prompt) :] = torch.tensor(prompt)
        kept[i, longest - len(prompt) : longest] = True
    cache = Cache(model, rows, longest + limit + 1, kept)
    places = torch.cumsum(kept[:, :longest], 1).clamp(min=1) - 1
    at, given = longest, ids
    for _ in range(limit):
        hidden = functional.embedding(given, model.table)
        cos, sin = model.turns(places)
        for number, block in enumerate(model.blocks):
            cache.layer = number
            hidden = block(hidden, (cos[:, None], sin[:, None]), cache)
        cache.length = at
        final = functional.rms_norm(hidden[:, -1], (hidden.shape[-1],), model.norm, model.shape["epsilon"])
        logits = (final @ model.table.T).float()
        best = logits.argmax(1).tolist()
        inside = logits.masked_fill(banned, -1e9).argmax(1).tolist()
        tokens = [
            0 if writer.done or writer.count >= most[i] else writer.take(likeliest(logits[i]), best[i], inside[i])
            for i, writer in enumerate(writers)
        ]
        if all(writer.done or writer.count >= most[i] for i, writer in enumerate(writers)):
            return
        kept[:, at] = True
        given, places, at = torch.tensor(tokens, device=device)[:, None], places[:, -1:] + 1, at + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--requests", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--batch", type=int, default=192)
    parser.add_argument("--longest", type=int, default=6000)
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    started = time.monotonic()
    with gzip.open(options.requests, "rt", encoding="utf-8") as lines:
        requests = [json.loads(line) for line in lines][: options.limit or None]
    tensors, shape, tokenizer = read_gguf(options.model)
    model = LanguageModel(tensors, shape, rank=1).to("cuda" if torch.cuda.is_available() else "cpu").eval()
    del tensors
    stop = {tokenizer.token_to_id("<|im_end|>"), tokenizer.token_to_id("<|endoftext|>")}
    banned = forbidden_in_strings(tokenizer, model.table.shape[0], stop).to(model.table.device)
    prompts = [found.ids for found in tokenizer.encode_batch([chat(request["messages"]) for request in requests])]
    order = sorted(
        (i for i in range(len(requests)) if len(prompts[i]) <= options.longest), key=lambda i: len(prompts[i])
    )
    print(
        f"{len(order)} of {len(requests)} requests, {sum(map(len, prompts))} tokens, {time.monotonic() - started:.0f} s",
        flush=True,
    )
    with gzip.open(options.out, "wt", encoding="utf-8", compresslevel=4) as out:
        at = 0
        while at < len(order):
            # Fewer of the long ones at once: what is attended to grows with rows times length squared.
            size = max(
                8,
                min(
                    options.batch,
                    250_000_000 // max(len(prompts[order[min(at + options.batch, len(order)) - 1]]), 1) ** 2,
                ),
            )
            part = order[at : at + size]
            writers = [Writer(requests[i]["schema"], tokenizer, stop) for i in part]
            complete(model, [prompts[i] for i in part], writers, [requests[i]["max_tokens"] for i in part], banned)
            for i, writer in zip(part, writers, strict=True):
                text = writer.text if writer.done else writer.text + tokenizer.decode(writer.free)
                reply = {"id": requests[i]["id"], "text": text, "finish": "stop" if writer.done else "length"}
                out.write(
                    json.dumps(reply | {"tokens_in": len(prompts[i]), "tokens_out": writer.count}, ensure_ascii=False)
                    + "\n"
                )
            at += len(part)
            print(f"completed {at} in {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
