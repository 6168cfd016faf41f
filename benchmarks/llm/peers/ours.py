"""Footnotary over given passages, with the drafts of a chat model: gate, draft and checks as they are delivered."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from benchmarks.llm.peers.questions import PeerQuestion
from benchmarks.llm.peers.stored_reader import StoredReader
from footnotary.domain.draft import ModelRequest
from footnotary.domain.evidence import Evidence
from footnotary.domain.outcome import Answer
from footnotary.engine import answer_from
from footnotary.errors import ModelError
from footnotary.external.passages import (
    SCOPE,
    DraftKeepingGenerator,
    make_evidence,
    make_hit,
)
from footnotary.gate.intent import understand
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.chat.openai_model import OpenAIModel
from footnotary.generate.chat.prompt import PROMPT_VERSION
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ports import Check, Reader
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.reader.shipped import injection_classifier_for, reader_for, verifier_for
from footnotary.verify.run import checks_for

NAME = "footnotary"


@dataclass(frozen=True, slots=True)
class SystemOutcome:
    """What a system delivered: its text and the passages it cites; none where it refused or failed.

    `refused` is a refusal that the system says is one, with its reason in `why`; whether a text declines is for the
    scoring to find out. `seconds` is the time of the system itself, without a model's. `quoted` marks an answer that
    quotes the passages in place of a draft that was rejected for what `why` says.
    """

    text: str
    cited: tuple[str, ...] = ()
    refused: bool = False
    failed: bool = False
    why: str = ""
    seconds: float = 0.0
    quoted: bool = False


def given_evidence(question: PeerQuestion, profile: Profile) -> Evidence:
    """All passages as found, in the order given."""
    query = understand(question.question, SCOPE, profile)
    hits = (make_hit(passage.id, passage.text, 1.0, passage.known_labels()) for passage in question.passages)
    return make_evidence(query, hits)


@lru_cache(maxsize=4)
def _model(base_url: str, max_tokens: int) -> OpenAIModel:
    return OpenAIModel(NAME, base_url=base_url, timeout_s=600, max_tokens=max_tokens, transport_retries=0)


def drafting(question: PeerQuestion, base_url: str, max_tokens: int) -> DraftKeepingGenerator:
    """The chat generator, which is shown all passages whatever the gate selects: one draft for every tier."""
    profile = load_profile(question.profile)
    request = ModelRequest(question.fence, question.form == "schema", PROMPT_VERSION)
    generator = ChatGenerator(_model(base_url, max_tokens), profile, request=request)
    return DraftKeepingGenerator(generator, given_evidence(question, profile))


def requested(question: PeerQuestion, base_url: str, max_tokens: int) -> None:
    """Sends the request of a draft, whatever the gate would say."""
    evidence = given_evidence(question, load_profile(question.profile))
    with suppress(ModelError):  # the placeholder is no usable reply in every form
        drafting(question, base_url, max_tokens).generate(evidence.query, evidence)


class FootnotarySystem:
    """The product with one tier of its reader; with `stored` that one decides about claims, and behind `gate` what is read."""

    def __init__(
        self,
        tier: str,
        base_url: str,
        max_tokens: int,
        stored: StoredReader | None = None,
        gate: Reader | None = None,
    ) -> None:
        self._tier, self._base_url, self._max_tokens = tier, base_url, max_tokens
        self.stored, self._gate = stored, gate or stored

    def answer(self, question: PeerQuestion) -> SystemOutcome:
        profile = load_profile(question.profile)
        evidence, generator = given_evidence(question, profile), drafting(question, self._base_url, self._max_tokens)
        reader = self._gate or reader_for(profile, self._tier)
        begun = time.perf_counter()
        try:
            outcome = answer_from(
                evidence,
                generator,
                profile,
                self._checks(profile, reader),
                lambda _: ("", ""),
                reader=reader,
                quoter=ExtractiveGenerator(profile, reader) if profile.generation.on_rejected == "quote" else None,
            )
        except ModelError as error:
            return SystemOutcome("", failed=True, why=error.message, seconds=time.perf_counter() - begun)
        seconds = time.perf_counter() - begun
        if isinstance(outcome, Answer):
            cited = tuple(dict.fromkeys(citation.id for citation in outcome.citations))
            rejected = outcome.rejected
            why = f"draft: {rejected.reason.value}" if rejected else ""
            return SystemOutcome(outcome.text, cited, why=why, seconds=seconds, quoted=rejected is not None)
        where = "gate" if generator.draft is None else "draft"
        return SystemOutcome("", refused=True, why=f"{where}: {outcome.reason.value}", seconds=seconds)

    def _checks(self, profile: Profile, reader: Reader | None) -> Sequence[tuple[str, Check]]:
        verifier = self.stored or verifier_for(profile, self._tier)
        return checks_for(profile, verifier, injection_classifier_for(self._tier), reader)
