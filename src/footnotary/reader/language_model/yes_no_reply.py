"""Reads from a chat completion how likely the first token is Yes, and how likely No."""

import math
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from footnotary.errors import ModelError
from footnotary.model_server.json_body import first_error, strict_json, unexpected_response
from footnotary.reader.calibration import sigmoid
from footnotary.reader.language_model.prompt import NO, YES

TOP_LOGPROBS = 20
_SHOWN = 5
# How tokenizers write the space before a word, where a server does not decode it.
_SPACES = " \t\n\r▁Ġ"
# Limits for one token's probability: further digits differ between machines, and no reply is that certain.
_DIGITS = 6
_LEAST = 10.0**-_DIGITS
LOGPROBS_HINT = (
    "use a server that returns `logprobs` with `top_logprobs`, such as llama.cpp's llama-server or vLLM, "
    "or another verifier: large, small or lexical"
)


@dataclass(frozen=True, slots=True)
class YesNoReply:
    """The probability of Yes against No, to six digits and never 0 or 1, and the model that the server reports."""

    probability: float
    model: str | None


class _LogprobModel(BaseModel):
    # Servers add their own fields; integers are written for whole log-probabilities.
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Token(_LogprobModel):
    token: str
    # Some servers write null for a token that is impossible.
    logprob: float | None = None


class _FirstToken(_Token):
    top_logprobs: list[_Token] = Field(default_factory=list[_Token])


class _Logprobs(_LogprobModel):
    content: list[_FirstToken] | None = None


class _LogprobChoice(_LogprobModel):
    logprobs: _Logprobs | None = None


class _LogprobBody(_LogprobModel):
    choices: list[_LogprobChoice]
    model: str | None = None


def read_yes_no(body: bytes) -> YesNoReply:
    """The probability of Yes, from the twenty likeliest first tokens.

    " Yes" and "yes" count as Yes. If one of Yes and No is not among the twenty, it is at most as likely as the last of
    them. Raises `ModelError`, not retryable, if both are missing or there are no log-probabilities.
    """
    try:
        reply = _LogprobBody.model_validate(strict_json(body))
    except ValidationError as error:
        raise unexpected_response(first_error(error)) from None
    if len(reply.choices) != 1:
        raise unexpected_response(f"{len(reply.choices)} choices instead of one")
    logprobs = reply.choices[0].logprobs
    if logprobs is None or not logprobs.content:
        raise ModelError("the model server returned no log-probabilities", hint=LOGPROBS_HINT)
    first = logprobs.content[0]
    likeliest = {entry.token: entry.logprob for entry in (first, *first.top_logprobs) if entry.logprob is not None}
    if len(first.top_logprobs) < 2 or not likeliest:
        raise ModelError(
            f"the model server returned {len(first.top_logprobs)} likely tokens, {TOP_LOGPROBS} were asked for",
            hint=LOGPROBS_HINT,
        )
    yes, no = _word_logprob(YES, likeliest), _word_logprob(NO, likeliest)
    if yes is None and no is None:
        shown = ", ".join(repr(token) for token in sorted(likeliest, key=lambda t: -likeliest[t])[:_SHOWN])
        raise ModelError(
            f"the model answers neither Yes nor No; its likeliest first tokens are {shown}",
            hint="use an instruction-tuned model that answers at once, without thinking aloud first",
        )
    least = min(likeliest.values())
    odds = (least if yes is None else yes) - (least if no is None else no)
    return YesNoReply(round(min(max(sigmoid(odds), _LEAST), 1 - _LEAST), _DIGITS), reply.model)


def _word_logprob(word: str, likeliest: dict[str, float]) -> float | None:
    """The log-probability of a word, summed over its spellings; None if none is listed."""
    found = [value for token, value in likeliest.items() if token.strip(_SPACES).casefold() == word.casefold()]
    if not found:
        return None
    highest = max(found)
    return highest + math.log(math.fsum(math.exp(value - highest) for value in found))
