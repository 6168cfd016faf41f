"""Scripted fakes: a generator for tests of the checks, a chat model for tests of the generator."""

from collections.abc import Sequence

from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Query
from footnotary.ports import Message


class Says:
    """A `Generator` that always proposes the given claims, whatever the question.

    A claim given as text cites `cites`; one given as a `Claim` has its own citations.
    """

    def __init__(
        self,
        *claims: str | Claim,
        cites: Sequence[SemanticId] = (),
        malformed: Sequence[str] = (),
        declined: bool = False,
        prompt: str = "",
    ) -> None:
        self._draft = Draft(
            claims=tuple(claim if isinstance(claim, Claim) else Claim(claim, tuple(cites)) for claim in claims),
            generator=self.name,
            raw="\n".join(claim.text if isinstance(claim, Claim) else claim for claim in claims),
            malformed=tuple(malformed),
            declined=declined,
            prompt=prompt,
        )

    @property
    def name(self) -> str:
        return "says"

    def generate(self, query: Query, evidence: Evidence) -> Draft:  # noqa: ARG002 - the draft is fixed
        return self._draft


class ScriptedChatModel:
    """A `ChatModel` that returns the n-th reply for the n-th call, and the last one for every later call.

    An exception in the script is raised instead. `asked` holds the messages and the schema of each call.
    """

    def __init__(self, *script: str | Exception, name: str = "scripted") -> None:
        self.asked: list[tuple[tuple[Message, ...], dict[str, object] | None]] = []
        self._script = script
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:
        reply = self._script[min(len(self.asked), len(self._script) - 1)]
        self.asked.append((tuple(messages), schema))
        if isinstance(reply, Exception):
            raise reply
        return reply
