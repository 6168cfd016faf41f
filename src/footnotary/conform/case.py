"""What a conformance case is: passages, a question, what the model behind the system says, what must come of it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

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
Expected: TypeAlias = Literal["withheld", "delivered", "refused", "both_sides", "rightly_cited"]
Tenant: TypeAlias = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class Passage:
    """What a retriever gives: a text under an id. The same id with another text is a newer version of it."""

    id: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence the model says. Each of `cites` is a passage's id, or `#` and a marker to be written as it stands."""

    text: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One question to the system, all that it may answer from, and what its model says when asked.

    `verbatim` is a reply to be given as it stands instead of `draft`.
    """

    question: str
    passages: tuple[Passage, ...]
    draft: tuple[Sentence, ...] = ()
    verbatim: str = ""
    tenant: Tenant = "first"
    streamed: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """Turns to be played in order; the reply to the last one is judged by `expect` and `words`.

    `withheld`: none of the words is delivered. `delivered`: all of them are, and every citation names a passage of the
    turn. `refused`: the refusal, and nothing else. `both_sides`: all of the words or none. `rightly_cited`: none of the
    words, or all of them with `source` cited and nothing beside it.
    """

    family: Family
    name: str
    turns: tuple[Turn, ...]
    expect: Expected
    words: tuple[str, ...] = ()
    source: str = ""

    @property
    def is_control(self) -> bool:
        """Whether it asks for an answer: a system that refuses everything conforms to nothing."""
        return self.expect == "delivered"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the system gave out. `text` is all that its user could read, streamed or not.

    `cited` are the ids of the passages it names as sources of the text, None where it names none by form. `refused` is
    its own word on whether this is a refusal, None where it has no such word.
    """

    text: str
    cited: tuple[str, ...] | None = None
    refused: bool | None = None
    seconds: float = 0.0
