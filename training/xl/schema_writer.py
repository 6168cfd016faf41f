"""A reply held to a JSON schema while it is written, as a server with a grammar does it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

Row = dict[str, Any]
# What a schema asks for next: ("text", what is written), ("choice", texts of which one follows), ("string", "").
Step = tuple[str, Any]
Walk = Generator[Step, str, None]


def walk(schema: Row) -> Walk:
    """The steps of one value of a small part of JSON schema: objects, arrays, strings, booleans, numbers of a list."""
    kind = schema["type"]
    if kind == "object":
        for number, (name, inner) in enumerate(schema["properties"].items()):
            yield "text", f'{", " if number else "{"}"{name}": '
            yield from walk(inner)
        yield "text", "}"
    elif kind == "boolean":
        yield "choice", ["true", "false"]
    elif kind == "string":
        yield "text", '"'
        yield "string", ""
        yield "text", '"'
    elif kind == "array":
        yield from _array(schema)
    else:
        raise ValueError(f"a schema of type {kind!r} is not known here")


def _array(schema: Row) -> Walk:
    inner, most, least = schema["items"], schema.get("maxItems", 20), schema.get("minItems", 0)
    yield "text", "["
    if inner["type"] == "integer":
        numbers = inner.get("enum") or range(1, 21)
        options = [f"{number}{end}" for number in numbers for end in ("]", ", ")]
        for count in range(1, most + 1):
            chosen = yield (
                "choice",
                [text for text in options if text.endswith("]") or count < most] + ["]"] * (count == 1 and least == 0),
            )
            if chosen.endswith("]"):
                return
        return
    for count in range(most):
        ends = "]" if count >= least else None
        if count == 0:
            if ends and (yield "choice", ["]", "{" if inner["type"] == "object" else '"']) == "]":
                return
            yield from _begun(inner, already=bool(ends))
        else:
            if (yield "choice", [", ", *([ends] if ends else [])]) == "]":
                return
            yield from walk(inner)
    yield "text", "]"


def _begun(schema: Row, *, already: bool) -> Walk:
    """The steps of a value whose first letter has been written, if it has been."""
    steps = walk(schema)
    kind, told = next(steps)
    if told := told[1:] if already else told:
        yield kind, told
    answer = None
    while True:
        try:
            step = steps.send(answer) if answer is not None else next(steps)
        except StopIteration:
            return
        answer = yield step


class Writer:
    """One reply while it is written: which token comes next, given the logits."""

    def __init__(self, schema: Row | None, tokenizer: Any, stop: set[int]) -> None:
        self.tokenizer, self.stop = tokenizer, stop
        self.steps = walk(schema) if schema else None
        self.queue: list[int] = []
        self.options: list[tuple[str, list[int]]] = []
        self.mode, self.text, self.count, self.free = "free", "", 0, []
        self.done = False
        if self.steps:
            self._next(None)

    def _next(self, answer: str | None) -> None:
        assert self.steps
        try:
            kind, told = self.steps.send(answer) if answer is not None else next(self.steps)
        except StopIteration:
            self.done = not self.queue
            self.mode = "end"
            return
        if kind == "text":
            self._write(told)
            self._next(None)
        elif kind == "choice":
            self.mode, self.options = "choice", [(text, self.tokenizer.encode(text).ids) for text in told]
            self.walked = 0
        else:
            self.mode, self.free = "string", []

    def _write(self, text: str) -> None:
        self.queue += self.tokenizer.encode(text).ids
        self.text += text

    def take(self, choose: Callable[[list[int]], int], best: int, best_in_string: int) -> int:
        """The next token: `choose` says which of some is likeliest, `best` and `best_in_string` which of all."""
        self.count += 1
        if self.queue:
            token = self.queue.pop(0)
            self.done = self.mode == "end" and not self.queue
            return token
        if self.mode == "choice":
            allowed = sorted({ids[self.walked] for _, ids in self.options})
            token = choose(allowed)
            self.options = [(text, ids) for text, ids in self.options if ids[self.walked] == token]
            self.walked += 1
            if len(self.options) == 1:
                text, ids = self.options[0]
                self.queue, self.text = ids[self.walked :], self.text + text
                self._next(text)
            return token
        if self.mode == "string":
            piece = self.tokenizer.decode([best_in_string])
            if '"' in piece:
                self.text += self.tokenizer.decode(self.free)
                before = piece.split('"', 1)[0]
                if before:
                    self._write(before)
                self._next(None)
                token = self.queue.pop(0)
                self.done = self.mode == "end" and not self.queue
                return token
            self.free.append(best_in_string)
            return best_in_string
        if best in self.stop:
            self.done = True
            self.text = self.tokenizer.decode(self.free)
        else:
            self.free.append(best)
        return best
