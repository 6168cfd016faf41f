"""A round trip to the chat model for `doctor`: one tiny question with one source, and what came back."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.document import Labels
from footnotary.domain.query import Scope
from footnotary.external.passages import make_evidence, make_hit
from footnotary.gate.intent import understand
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.ports import ChatModel, Message, UnusableReply
from footnotary.profiles.schema import Profile

_SOURCE = "The depot opens at six in the morning. Lorries are weighed at the north gate."
_QUESTION = "Where are lorries weighed?"


@dataclass(slots=True)
class _FormKeepingModel:
    """Passes requests on, and remembers the form of the last one."""

    model: ChatModel
    form: str = ""

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, messages: Sequence[Message], schema: dict[str, object] | None = None) -> str:
        self.form = "text" if schema is None else "JSON schema" if "properties" in schema else "JSON"
        return self.model.complete(messages, schema)


def check_chat_model(model: ChatModel, profile: Profile) -> str:
    """What a tiny question gets from the model. Raises `ModelError` where there is no reply."""
    query = understand(_QUESTION, Scope("doctor"), profile)
    evidence = make_evidence(query, [make_hit("Depot_1_0", _SOURCE, 1.0, Labels())])
    asked, begun = _FormKeepingModel(model), time.monotonic()
    try:
        draft = ChatGenerator(asked, profile).generate(query, evidence)
    except UnusableReply as error:
        came = f"a reply that cannot be used: {error.message}"
    else:
        cited = [claim for claim in draft.claims if claim.cites]
        came = "declined" if draft.declined else f"{len(cited)} of {len(draft.claims)} sentences cited"
    return f"{model.name} replied by {asked.form} in {time.monotonic() - begun:.1f} s: {came}"
