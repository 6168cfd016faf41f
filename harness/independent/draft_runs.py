"""Runs random drafts through the product and the independent checker: for tests and for `make verify-release`.

The only file here that imports the product. It passes on the JSON that a client would get, and nothing else.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.query import Query, Scope
from footnotary.engine import answer_from
from footnotary.errors import BackendError
from footnotary.gate.intent import understand
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.ports import Check
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.reader.shipped import verifier_for
from footnotary.render.outcome_record import outcome_record
from footnotary.testing.builders import chunk_of
from footnotary.testing.scripted_models import ScriptedChatModel
from footnotary.verify.run import checks_for
from harness.independent.checker import Violation, find_violations
from harness.independent.drafts import draft
from harness.independent.worlds import World, world

PROFILES = ("legal", "default", "compliance", "tutor")
DRAFTS_PER_WORLD = 20

Deliver: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Escape:
    """A draft that should not have been delivered as it was, and why not."""

    seed: int
    profile: str
    reply: str
    answer: str
    wrong: tuple[Violation, ...]
    passages: dict[str, str]


@dataclass(slots=True)
class DraftResults:
    """Counts of outcomes; `escaped` are the drafts on which the two checkers disagree."""

    drafts: int = 0
    answered: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    escaped: list[Escape] = field(default_factory=list)

    def breaches(self) -> list[Escape]:
        """The drafts with a violation of form or of numbers."""
        return [escape for escape in self.escaped if any(wrong.kind != "meaning" for wrong in escape.wrong)]

    def add(self, other: "DraftResults") -> None:
        self.drafts += other.drafts
        self.answered += other.answered
        self.refused += other.refused
        self.escaped += other.escaped


def run_drafts(
    count: int, seed: int, verifier: str = "lexical", deliver: Deliver = lambda record: record
) -> DraftResults:
    """Runs `count` drafts from a seed, in lexical mode or with a `verifier` ("profile", "small").

    `deliver` may corrupt what is delivered, to see that it is detected.
    """
    result, number = DraftResults(), 0
    while result.drafts < count:
        rng = random.Random(f"{seed}.{number}")
        _one_world(rng, min(DRAFTS_PER_WORLD, count - result.drafts), seed, result, verifier, deliver)
        number += 1
    return result


def _one_world(
    rng: random.Random, count: int, seed: int, result: DraftResults, verifier: str, deliver: Deliver
) -> None:
    name = rng.choice(PROFILES)
    policy, checks = _policy(name, verifier)
    made = world(rng)
    chunks = [chunk_of(id_, text, language=made.language) for id_, text in made.passages.items()]
    query = understand(made.question, Scope("given"), policy)
    found = Evidence(query, tuple(Hit(chunk, 0.9) for chunk in chunks))
    for _ in range(count):
        generator = _Drafting(made, policy, rng)
        result.drafts += 1
        try:
            outcome = answer_from(found, generator, policy, checks, lambda document: ("0" * 64, document))
        except BackendError:  # a malformed reply is reported as an error
            result.refused["error"] += 1
            continue
        record = deliver(json.loads(json.dumps(outcome_record(outcome, policy.presentation.style))))
        if record["refusal_reason"] is None:
            result.answered += 1
        else:
            result.refused[record["refusal_reason"]] += 1
        if wrong := find_violations(record, made.passages, (policy.refusal.text(made.language),)):
            result.escaped.append(Escape(seed, name, generator.reply, record["answer"], tuple(wrong), made.passages))


class _Drafting:
    """A generator whose model replies with random drafts."""

    def __init__(self, made: World, policy: Profile, rng: random.Random) -> None:
        self._made, self._policy, self._chance = made, policy, rng
        self.reply = ""

    @property
    def name(self) -> str:
        return "random"

    def generate(self, query: Query, evidence: Evidence) -> Draft:
        order = [hit.chunk.id for hit in evidence.hits]
        refusal = self._policy.refusal.text(query.language)
        self.reply, structured = draft(self._made, order, refusal, self._chance)
        return ChatGenerator(ScriptedChatModel(self.reply), self._policy, structured).generate(query, evidence)


@cache
def _policy(name: str, verifier: str) -> tuple[Profile, tuple[tuple[str, Check], ...]]:
    policy = load_profile(name)
    return policy, checks_for(policy, verifier_for(policy, verifier))
