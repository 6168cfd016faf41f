"""A generator's proposal; nothing of it is delivered unless every check passes."""

from dataclasses import dataclass, field

from footnotary.domain.identity import SemanticId

OMITTED_IF_EMPTY = {"omitted_if_empty": True}
"""Metadata of a field that records of version 0.1 do not have: where it is empty, records do not have it today."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer, without markers, and the ids it cites, in order.

    A slot or id that does not resolve is kept as it was written, so that a check can name it.
    """

    text: str
    cites: tuple[SemanticId, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a request to a model depended on besides question, evidence and profile.

    `fence` is the random delimiter around its sources, useless after the reply; `structured` says whether the reply was
    requested with a JSON schema.
    """

    fence: str
    structured: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """The claims a generator proposes, in order.

    `malformed` holds every bracket-like token of the raw output that is not a known marker; `declined` says that
    the generator itself said it cannot answer; `raw` is its output as received, kept for the audit. `extractive` says
    that the claims are sentences of the sources, so that another one may be added to them. `left_out` are sentences and
    markers of the output that are no part of `claims`, because they state nothing: for the audit, and never delivered.

    For a model's draft, `prompt` is its system prompt, `prompt_sha256` the hash of all messages of the request, and
    `request` what is needed to reproduce that request.
    """

    claims: tuple[Claim, ...]
    generator: str
    raw: str = ""
    malformed: tuple[str, ...] = ()
    declined: bool = False
    extractive: bool = False
    prompt: str = field(default="", repr=False)
    prompt_sha256: str | None = None
    request: ModelRequest | None = None
    left_out: tuple[str, ...] = field(default=(), metadata=OMITTED_IF_EMPTY)
