"""What a generator proposes; nothing of it is delivered unless every check passes."""

from dataclasses import dataclass, field

from footnotary.domain.identity import SemanticId


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer, without markers, and the ids it cites in the order given.

    A slot or id that resolves to nothing is kept as it was written, so that a check can name it.
    """

    text: str
    cites: tuple[SemanticId, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What a request to a model depended on besides question, evidence and profile.

    `fence` is the random code that fenced its sources, of no use once the reply is there; `structured` says whether the
    reply was asked for by JSON schema.
    """

    fence: str
    structured: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """The claims a generator proposes, in order.

    `malformed` holds every bracket-like token of the raw output that is no known marker; `declined` says that
    the generator itself said it cannot answer; `raw` is its output as received, kept for the audit. `extractive` says
    that the claims are sentences of the sources, so that another one may be put beside them.

    Of a model's draft, `prompt` is the rules it was given, `prompt_sha256` the hash of all messages of the request, and
    `request` what is needed to write that request again.
    """

    claims: tuple[Claim, ...]
    generator: str
    raw: str = ""
    malformed: tuple[str, ...] = ()
    declined: bool = False
    extractive: bool = False
    prompt: str = field(default="", repr=False)
    prompt_sha256: str | None = None
    request: Request | None = None
