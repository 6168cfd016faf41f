"""Replies held to a JSON schema, token by token."""

import json

import pytest

from training.xl.schema_writer import Writer

STOP = 0
LETTERS = '\0{}[]",: abcdefghijklmnopqrstuvwxyz0123456789.'
SCHEMA = {
    "type": "object",
    "properties": {
        "answerable": {"type": "boolean"},
        "claims": {
            "type": "array",
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "sources": {"type": "array", "items": {"type": "integer", "enum": [1, 12]}, "minItems": 1},
                },
            },
        },
    },
}


class Encoded:
    def __init__(self, ids: list[int]) -> None:
        self.ids = ids


class OneLetterATime:
    def encode(self, text: str) -> Encoded:
        return Encoded([LETTERS.index(letter) for letter in text])

    def decode(self, ids: list[int]) -> str:
        return "".join(LETTERS[number] for number in ids)


def written(wanted: str, schema: dict[str, object] | None) -> str:
    """What is written of a model that always wants the next letter of `wanted`."""
    writer = Writer(schema, OneLetterATime(), {STOP})
    said = ""
    for _ in range(400):
        if writer.done:
            break
        at = len(said)
        best = LETTERS.index(wanted[at]) if at < len(wanted) else STOP
        inside = best if best != STOP else LETTERS.index('"')
        said += LETTERS[writer.take(lambda allowed, best=best: best if best in allowed else allowed[0], best, inside)]
    assert writer.done
    return writer.text


@pytest.mark.parametrize(
    "reply",
    [
        '{"answerable": false, "claims": []}',
        '{"answerable": true, "claims": [{"text": "nine oclock.", "sources": [12]}]}',
        '{"answerable": true, "claims": [{"text": "a", "sources": [1, 12]}, {"text": "b", "sources": [1]}]}',
    ],
)
def test_a_reply_that_fits_is_written_as_the_model_wants_it(reply: str) -> None:
    assert written(reply, SCHEMA) == reply


def test_a_reply_that_does_not_fit_is_held_to_the_schema() -> None:
    reply = json.loads(written("i do not know any json at all", SCHEMA))
    assert set(reply) == {"answerable", "claims"}


def test_without_a_schema_a_reply_ends_where_the_model_ends_it() -> None:
    assert written("nine oclock.", None) == "nine oclock."
