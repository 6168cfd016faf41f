"""Has a language model write questions about passages, and pairs them with texts that may answer them.

    python -m training.reader.make_questions --model q.gguf --contexts contexts.jsonl.gz --out pairs.jsonl.gz --minutes 4

For each context it writes a question that the chosen sentence answers, a like one that the passage does not answer, the
answer in other words, and a sentence that is beside the question. Each is paired with its passage, with the passage
without that sentence, with single sentences, and with the nearest passages of other places; `label_questions` says
which of them answer. Contexts are taken in random order until the time is up.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from pathlib import Path
from typing import Any

import torch

from training.reader.language_model import LanguageModel, read_gguf

Row = dict[str, Any]
STYLES = (
    "as a customer would type it, in plain everyday words",
    "in as few words as possible",
    "in careful, formal words",
    "in other words than the text uses",
    "starting with When, Who, Where, How many, How long or How much, if that fits",
    "that can be answered with yes or no",
    "starting with Why, How or What",
    "about what somebody must, may or may not do, if that fits",
)
STARTS = ("A:", "B:", "C:", "D:")
REPLY_TOKENS = 128


EXAMPLE = """Text:
Staff list
Maya Rao joined the library in 2014 and has led the reading room since 2019. The reading room opens at nine.

Sentence of the text: Maya Rao joined the library in 2014 and has led the reading room since 2019.<|im_end|>
<|im_start|>assistant
A: When did Maya Rao join the library?
B: When did Maya Rao leave the library?
C: Maya Rao began to work at the library in 2014.
D: Maya Rao joined the library.<|im_end|>
<|im_start|>user
"""


def prompt(row: Row, draw: random.Random) -> str:
    text = " ".join(row["s"])
    head = f"{row['h']}\n" if row["h"] else ""
    return (
        "<|im_start|>system\nFor each text write four lines. Questions are complete in themselves: they name what they are "
        "about, and do not speak of a text or a sentence.\n"
        f"A: a question {draw.choice(STYLES)}, that the sentence answers.\n"
        "B: a similar question that the text does not answer, about another person, thing, year, place, amount or aspect.\n"
        "C: a full sentence that answers A, in other words than the text.\n"
        "D: a sentence on the matter of A that does not say what A asks for.<|im_end|>\n"
        f"<|im_start|>user\n{EXAMPLE}"
        f"Text:\n{head}{text}\n\nSentence of the text: {row['s'][row['t']]}<|im_end|>\n<|im_start|>assistant\nA:"
    )


def written_lines(reply: str) -> dict[str, str] | None:
    """The lines A to D; None where A or B is missing or no question."""
    found: dict[str, str] = {}
    for line in ("A:" + reply).splitlines():
        start, text = line.strip()[:2], re.sub(r"^[\s\"'*]+|[\s\"'*]+$", "", line.strip()[2:])
        if start in STARTS and start[0] not in found:
            found[start[0]] = text
    a, b = found.get("A", ""), found.get("B", "")
    if not (3 <= len(a.split()) <= 36) or not (3 <= len(b.split()) <= 36) or a == b:
        return None
    return {key: text for key, text in found.items() if key in "AB" or 3 <= len(text.split()) <= 60}


def write_questions(model: LanguageModel, tokenizer: Any, rows: list[Row], minutes: float, batch: int) -> list[Row]:
    draw, started, out = random.Random(5), time.monotonic(), []
    prompts = tokenizer.encode_batch([prompt(row, draw) for row in rows])
    stop = {tokenizer.token_to_id("<|im_end|>"), tokenizer.token_to_id("<|endoftext|>")}
    groups = [list(range(at, min(at + batch * 8, len(rows)))) for at in range(0, len(rows), batch * 8)]
    for group in groups:
        group.sort(key=lambda i: len(prompts[i].ids))
        for at in range(0, len(group), batch):
            chosen = group[at : at + batch]
            if time.monotonic() - started > minutes * 60:
                return out
            replies = model.sample([prompts[i].ids for i in chosen], REPLY_TOKENS, 0.7, stop)
            for i, reply in zip(chosen, replies, strict=True):
                if (lines := written_lines(tokenizer.decode(reply))) is not None:
                    out.append(rows[i] | lines)
        print(f"written {len(out)} in {time.monotonic() - started:.0f} s", flush=True)
    return out


def pairs_of(rows: list[Row], draw: random.Random) -> list[Row]:
    """Each question with texts that may answer it; `at` says which sentence would, if one does."""
    out: list[Row] = []

    def add(row: Row, kind: str, asked: str, parts: list[str], at: list[int], heading: str | None = None) -> None:
        head = row["h"] if heading is None else heading
        out.append({"set": f"{kind}:{row['set']}", "a": asked, "h": head, "s": parts, "at": at, "g": row["g"]})

    for row in rows:
        parts, target = row["s"], row["t"]
        rest = parts[:target] + parts[target + 1 :]
        add(row, "whole", row["A"], parts, [target])
        add(row, "like", row["B"], parts, [])
        if len(" ".join(rest).split()) > 15 and draw.random() < 0.8:
            add(row, "without", row["A"], rest, [])
        for other in row.get("n", ()):
            add(row, "near", row["A"], other["s"], [], other["h"])
        add(row, "sentence", row["A"], [parts[target]], [0])
        if rest and draw.random() < 0.5:
            add(row, "neighbour", row["A"], [draw.choice(rest)], [])
        if draw.random() < 0.4:
            add(row, "like_sentence", row["B"], [parts[target]], [])
        if "C" in row:
            add(row, "reply", row["A"], [row["C"]], [0])
            if draw.random() < 0.4:
                add(row, "like_reply", row["B"], [row["C"]], [])
        if "D" in row and row["D"] != row.get("C"):
            add(row, "said_back", row["A"], [row["D"]], [])
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--contexts", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--batch", type=int, default=512)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    started = time.monotonic()
    torch.manual_seed(3)
    with gzip.open(options.contexts, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    random.Random(2).shuffle(rows)
    rows = rows[: options.limit] if options.limit else rows
    tensors, shape, tokenizer = read_gguf(options.model)
    model = LanguageModel(tensors, shape, rank=1).to(device).eval()
    del tensors
    print(f"model read, {time.monotonic() - started:.0f} s", flush=True)
    written = write_questions(model, tokenizer, rows, options.minutes, options.batch)
    for row in written[:12]:
        lines = "\n".join(f" {key}: {row[key]}" for key in "ABCD" if key in row)
        print(f"S: {row['s'][row['t']][:160]}\n{lines}", flush=True)
    draw = random.Random(4)
    pairs = pairs_of(written, draw)
    draw.shuffle(pairs)
    with gzip.open(options.out, "wt", encoding="utf-8", compresslevel=4) as out:
        for row in pairs:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{len(written)} contexts, {len(pairs)} pairs, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
