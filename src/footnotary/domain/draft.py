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
class Draft:
    """The claims a generator proposes, in order.

    `malformed` holds every bracket-like token of the raw output that is no known marker; `declined` says that
    the generator itself said it cannot answer; `raw` is its output as received, kept for the audit. `extractive` says
    that the claims are sentences of the sources, so that another one may be put beside them.
    """

    claims: tuple[Claim, ...]
    generator: str
    raw: str = ""
    malformed: tuple[str, ...] = ()
    declined: bool = False
    extractive: bool = False
    prompt: str = field(default="", repr=False)
