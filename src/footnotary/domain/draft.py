"""A generator's proposal; nothing of it is delivered unless every check passes."""

from dataclasses import dataclass, field

from footnotary.domain.identity import SemanticId
from footnotary.domain.later import LATER


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

    `fence` is the random code in the headings of its sources, useless after the reply; `structured` says whether the
    reply was requested as JSON; `version` is that of the prompt's wording, 1 in records of version 0.1.
    """

    fence: str
    structured: bool
    version: int = field(default=1, metadata=LATER)


@dataclass(frozen=True, slots=True)
class Draft:
    """The claims a generator proposes, in order.

    `malformed` holds every bracket-like token of the raw output that is not a known marker; `declined` says that
    the generator itself said it cannot answer; `raw` is its output as received, kept for the audit. `extractive` says
    that the claims are sentences of the sources, so that another one may be added to them. `left_out` are sentences and
    markers of the output that are no part of `claims`, because they state nothing: for the audit, and never delivered.
    `unusable` says why a reply could not be read as claims; it is empty for every draft that could.

    For a model's draft, `prompt` is the part of its prompt that is the same for every question, `prompt_sha256` the
    hash of all messages of the request, and `request` what is needed to reproduce that request.
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
    left_out: tuple[str, ...] = field(default=(), metadata=LATER)
    unusable: str = field(default="", metadata=LATER)
