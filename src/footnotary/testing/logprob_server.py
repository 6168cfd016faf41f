"""Scripted replies with log-probabilities: a model on a server that says Yes or No, and servers that do it wrongly."""

import json
import math
from collections.abc import Callable, Mapping, Sequence

from footnotary.testing.chat_server import Behaviour, ChatExchange, completion, responds
from footnotary.text.tokens import terms_of

_LONGEST_ASKED = 2_000


def logprob_completion(likely: Mapping[str, float | None] | None, **changes: object) -> dict[str, object]:
    """The body of a completion of one token, with the log-probability of each token in `likely`, best first."""
    first = next(iter(likely), "") if likely else "Yes"
    body = completion(first, **{"finish_reason": "length"} | changes)
    choice: dict[str, object] = {
        "index": 0,
        "message": {"role": "assistant", "content": first},
        "finish_reason": "length",
    }
    if likely is not None:
        entries = [{"token": token, "logprob": value, "bytes": list(token.encode())} for token, value in likely.items()]
        choice["logprobs"] = {"content": [{**entries[0], "top_logprobs": entries}] if entries else []}
    return body | {"choices": [choice]}


def says(probability: float, **changes: object) -> dict[str, object]:
    """The body of a reply that says Yes with this probability, else No, and hardly anything else."""
    kept = min(max(probability, 1e-6), 1 - 1e-6)
    likely = sorted([("Yes", math.log(kept)), ("No", math.log(1 - kept)), ("Maybe", -20.0)], key=lambda pair: -pair[1])
    return logprob_completion(dict(likely), **changes)


def reads(decides: Callable[[str], float], model: str = "scripted") -> Behaviour:
    """Says Yes to the user's message with the probability that `decides` gives it."""

    def behave(exchange: ChatExchange) -> None:
        asked = str(exchange.request["messages"][-1]["content"])
        responds(json.dumps(says(decides(asked), model=model)).encode())(exchange)

    return behave


def shared_words(request: str) -> float:
    """The share of the asked words that are in the evidence: as unreliable as a small model, but deterministic."""
    evidence, _, asked = request.rpartition("\n\n")
    wanted = terms_of(asked.partition(": ")[2].rpartition("\n")[0])
    return len(wanted & terms_of(evidence)) / len(wanted) if wanted and len(asked) < _LONGEST_ASKED else 0.0


def user_messages(seen: Sequence[ChatExchange]) -> list[str]:
    """What was asked, in order."""
    return [str(exchange.request["messages"][-1]["content"]) for exchange in seen]
