"""Trains the reader of follow-ups on written conversations and made ones.

    python -m training.follow_ups.train --weights src/footnotary/weights/judge-small --data DATA --to OUT --minutes 45

Every twelfth written conversation is held out. The learning rate falls with the time that is left.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from footnotary.models.follow_up_model import TurnTokens, tokens_of_texts
from footnotary.reader.follow_up_edits import JOINERS, OPERATIONS, Edit, FollowUp, applied, find
from footnotary.reader.follow_up_reader import (
    ANSWER,
    QUESTION,
    TEXTS_OF_POINTERS,
    TYPED,
    likeliest_edit,
    texts_of,
)
from training.follow_ups.edits import Example, examples_of, widened, written_rows
from training.follow_ups.made_rows import made_examples
from training.follow_ups.model import NEVER, FollowUpEncoder
from training.reader.model import add_low_rank_updates, set_rounded
from training.reader.shipped_weights import SMALL, updated_reader

NONE = -100


@dataclass(slots=True)
class Encoded:
    example: Example
    tokens: TurnTokens
    # For each pointer the tokens that are right; none if the edit does not use it.
    pointers: list[list[int]]
    operation: int
    joiner: int
    possessive: float


def encoded(example: Example, tokenizer: Tokenizer) -> Encoded | None:
    """None if the words of the edit lie behind what is read."""
    turn, edit = example.turn, widened(example.turn, example.edit)
    tokens = tokens_of_texts(tokenizer, texts_of(turn))
    pointers: list[list[int]] = [[] for _ in TEXTS_OF_POINTERS]
    if edit.operation == "replace":
        spans = [[tokens.span(QUESTION, *edit.other)], [tokens.span(TYPED, *edit.typed)]]
    elif edit.operation == "resolve":
        spans = [[tokens.span(TYPED, *edit.typed)], _sources(turn, edit, tokens)]
    else:
        spans = []
    for number, places in enumerate(spans, 0 if edit.operation == "replace" else 2):
        held = [place for place in places if place is not None]
        if not held:
            return None
        pointers[2 * number], pointers[2 * number + 1] = [a for a, _ in held], [b for _, b in held]
    resolves = edit.operation == "resolve"
    return Encoded(
        Example(turn, edit, example.kind),
        tokens,
        pointers,
        OPERATIONS.index(edit.operation),
        JOINERS.index(edit.joiner) if resolves else NONE,
        float(edit.possessive) if resolves else float("nan"),
    )


def _sources(turn: FollowUp, edit: Edit, tokens: TurnTokens) -> list[tuple[int, int] | None]:
    """Every place of the question and the answer where the words that are put in stand."""
    source = (turn.answer if edit.from_answer else turn.question).keys[edit.other[0] : edit.other[1]]
    return [
        tokens.span(text, at, at + len(source))
        for text, words in ((QUESTION, turn.question), (ANSWER, turn.answer))
        for at in find(source, words.keys)
    ]


def batches(rows: Sequence[Encoded], size: int, draw: random.Random) -> list[list[Encoded]]:
    """Rows of similar length together, in random order."""
    mixed = draw.sample(rows, len(rows))
    found: list[list[Encoded]] = []
    for start in range(0, len(mixed), 20 * size):
        part = sorted(mixed[start : start + 20 * size], key=lambda row: len(row.tokens.ids))
        found += [part[at : at + size] for at in range(0, len(part), size)]
    return draw.sample(found, len(found))


def padded(rows: Sequence[Encoded]) -> tuple[Tensor, Tensor]:
    width = max(len(row.tokens.ids) for row in rows)
    ids, texts = torch.zeros(len(rows), width, dtype=torch.long), torch.full((len(rows), width), -1)
    for number, row in enumerate(rows):
        ids[number, : len(row.tokens.ids)] = torch.tensor(row.tokens.ids)
        texts[number, : len(row.tokens.ids)] = torch.tensor(row.tokens.texts)
    return ids, texts


def masked(pointers: Tensor, texts: Tensor) -> Tensor:
    """Log-probabilities of each pointer over the tokens of its texts, and the one before them for an empty place."""
    before = functional.pad(texts[:, 1:], (0, 1), value=-1)
    allowed = torch.stack(
        [sum(((texts == one) | (before == one) for one in held), torch.zeros_like(texts, dtype=torch.bool)) for held in TEXTS_OF_POINTERS],
        -1,
    )  # fmt: skip
    return torch.log_softmax(pointers.masked_fill(~allowed, NEVER), 1)


def loss_of(net: FollowUpEncoder, rows: Sequence[Encoded]) -> Tensor:
    ids, texts = padded(rows)
    out, pointers = net(ids, texts)
    count = len(OPERATIONS)
    loss = functional.cross_entropy(out[:, :count], torch.tensor([row.operation for row in rows]), label_smoothing=0.02)
    resolving = [number for number, row in enumerate(rows) if row.joiner != NONE]
    if resolving:
        share = len(resolving) / len(rows)
        joiners = torch.tensor([rows[number].joiner for number in resolving])
        loss = loss + share * functional.cross_entropy(out[resolving, count:-1], joiners)
        endings = torch.tensor([rows[number].possessive for number in resolving])
        loss = loss + share * functional.binary_cross_entropy_with_logits(out[resolving, -1], endings)
    logs = masked(pointers, texts)
    for pointer in range(len(TEXTS_OF_POINTERS)):
        used = [(number, row.pointers[pointer]) for number, row in enumerate(rows) if row.pointers[pointer]]
        if used:
            right = torch.stack([torch.logsumexp(logs[number, places, pointer], 0) for number, places in used])
            loss = loss - right.sum() / len(rows)
    return loss


def measure(net: FollowUpEncoder, rows: Sequence[Encoded]) -> dict[str, str]:
    """The share of edits that give the right text, and of operations that are right, for each kind."""
    net.eval()
    right, operations, count = Counter[str](), Counter[str](), Counter[str]()
    with torch.no_grad():
        for start in range(0, len(rows), 64):
            part = sorted(rows, key=lambda row: len(row.tokens.ids))[start : start + 64]
            ids, texts = padded(part)
            out, pointers = net(ids, texts)
            for number, row in enumerate(part):
                wanted, turn = row.example.edit, row.example.turn
                read = pointers[number, : len(row.tokens.ids)].numpy()
                edit, _ = likeliest_edit(out[number].numpy(), read, row.tokens, turn)
                same = edit.operation == wanted.operation
                fits = same and (
                    edit.operation not in ("replace", "resolve")
                    or applied(edit, turn).casefold() == applied(wanted, turn).casefold()
                )
                language = "Hindi" if re.search("[\u0900-\u097f]", turn.typed.text) else "English"
                for key in (row.example.kind, language):
                    count[key] += 1
                    operations[key] += same
                    right[key] += fits
    net.train()
    return {
        key: f"{right[key] / total:.3f} ({operations[key] / total:.3f}) of {total}"
        for key, total in sorted(count.items())
    }


def trained_values(net: FollowUpEncoder) -> Iterator[tuple[str, torch.nn.Parameter]]:
    """What is trained, by the name it is stored under."""
    for name, value in net.named_parameters():
        if value.requires_grad:
            yield name.removeprefix("encoder.").replace("parametrizations.weight.0.", ""), value


def update_of(net: FollowUpEncoder) -> dict[str, np.ndarray]:
    """The thin matrices in 16 bits, the rest in 32."""
    return {
        name: value.detach().numpy().astype(np.float16 if name.endswith((".up", ".down")) else np.float32)
        for name, value in trained_values(net)
    }


def start_from(net: FollowUpEncoder, update: Path) -> None:
    with np.load(update) as stored, torch.no_grad():
        for name, value in trained_values(net):
            value.copy_(torch.from_numpy(stored[name].astype(np.float32)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--made", type=int, default=40_000)
    parser.add_argument("--made-share", type=float, default=2.5, help="made rows for each written one, at first")
    parser.add_argument("--rate", type=float, default=8e-4)
    parser.add_argument("--start", type=Path, help="go on from this update")
    options = parser.parse_args()
    torch.manual_seed(1)
    draw = random.Random(1)
    tokenizer = Tokenizer.from_file(str(options.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def read(examples: Iterator[Example] | Sequence[Example]) -> list[Encoded]:
        return [row for one in examples if (row := encoded(one, tokenizer)) is not None]

    written, held = (
        read(example for row in written_rows(held_out=held_out) for example in examples_of(row))
        for held_out in (False, True)
    )
    made = list(made_examples(options.data, draw))
    made = read(draw.sample(made, min(options.made, len(made))))
    print(len(written), "written,", len(held), "held out,", len(made), "made", flush=True)
    encoder = updated_reader(options.weights, options.weights / "reader.npz", SMALL)
    encoder.dropout = 0.1
    for block in encoder.blocks:
        block.dropout = 0.1
    add_low_rank_updates(encoder, options.rank)
    for part in (encoder.dense, encoder.heads, encoder.token):
        part.requires_grad_(False)
    net = FollowUpEncoder(encoder).train()
    if options.start is not None:
        start_from(net, options.start)
    parameters = [value for value in net.parameters() if value.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=options.rate, weight_decay=0.01)
    began, end = time.monotonic(), time.monotonic() + 60 * options.minutes
    options.to.mkdir(parents=True, exist_ok=True)
    step, rounds = 0, 0
    while time.monotonic() < end:
        # Fewer made rows with each round: they teach the form, the written ones what people mean.
        share = max(0.0, 1 - (time.monotonic() - began) / (0.7 * (end - began)))
        rows = written + draw.sample(made, min(len(made), int(options.made_share * share * len(written))))
        for part in batches(rows, 32, draw):
            passed = (time.monotonic() - began) / (end - began)
            if passed >= 1:
                break
            if passed > 0.8:
                set_rounded(encoder)
            step += 1
            for group in optimiser.param_groups:
                group["lr"] = options.rate * min(1.0, step / 150) * max(0.02, 1 - passed)
            loss = loss_of(net, part)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            if step % 50 == 0:
                print(f"{step} steps, {(time.monotonic() - began) / 60:.1f} min, loss {loss.item():.3f}", flush=True)
        rounds += 1
        print(rounds, measure(net, held), flush=True)
        np.savez_compressed(options.to / "update.npz", **update_of(net))


if __name__ == "__main__":
    main()
