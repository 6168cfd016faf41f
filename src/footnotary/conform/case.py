"""A conformance case: passages, a question, the scripted reply of the model, and the expected result."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from footnotary.deprecated import CONFORMANCE_NAMES, warn

Family: TypeAlias = Literal[
    "no_source",
    "wrong_id",
    "uncited_claim",
    "number_swap",
    "negation",
    "role_swap",
    "look_alike_id",
    "injection",
    "cross_tenant",
    "stale_version",
    "conflict",
    "streaming_leak",
    "refusal_exactness",
]
ExpectedReply: TypeAlias = Literal[
    "withheld", "delivered", "refused", "refused_or_quoted", "both_sides", "rightly_cited"
]
Tenant: TypeAlias = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class CasePassage:
    """A retrieved text with its id. The same id with another text is a newer version of it."""

    id: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the model's reply. Each of `cites` is a passage id, or `#` and a marker to be written verbatim."""

    text: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One question to the system, the passages it may answer from, and the scripted reply of its model.

    `verbatim` is a literal reply that replaces `draft`.
    """

    question: str
    passages: tuple[CasePassage, ...]
    draft: tuple[Sentence, ...] = ()
    verbatim: str = ""
    tenant: Tenant = "first"
    streamed: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """Turns to be run in order; `expect` and `words` say what the reply to the last one must be.

    `withheld`: none of the words is delivered. `delivered`: all of them are, and every citation names a passage of the
    turn. `refused`: the refusal, and nothing else. `refused_or_quoted`: that, or none of the words in a reply that the
    system marks as quoted, every sentence of it verbatim in `source`, which alone is cited. `both_sides`: all of the
    words or none. `rightly_cited`: none of the words, or all of them with `source` as the only citation.
    """

    family: Family
    name: str
    turns: tuple[Turn, ...]
    expect: ExpectedReply
    words: tuple[str, ...] = ()
    source: str = ""

    @property
    def is_control(self) -> bool:
        """Whether it expects an answer: a system that refuses everything must not pass."""
        return self.expect == "delivered"


@dataclass(frozen=True, slots=True)
class TargetReply:
    """The system's reply. `text` is everything its user could read, streamed or not.

    `cited` are the ids of the passages it cites, None where it has no structured citations. `refused` says whether the
    system marks the reply as a refusal, None where it has no such mark. `quoted` are its sentences, without markers, if
    the system says that it quotes its sources in place of the draft; empty where it does not say so.
    """

    text: str
    cited: tuple[str, ...] | None = None
    refused: bool | None = None
    seconds: float = 0.0
    quoted: tuple[str, ...] = ()


def __getattr__(name: str) -> object:
    """Former names, which targets outside this repository import."""
    if name in CONFORMANCE_NAMES:
        warn(f"footnotary.conform.case.{name}", CONFORMANCE_NAMES[name])
        return globals()[CONFORMANCE_NAMES[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
