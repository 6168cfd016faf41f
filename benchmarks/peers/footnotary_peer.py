"""Footnotary with the same interface as the peers, with and without its checks, to measure the cost of checking."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.peers.serving import Document
from footnotary.domain.document import Labels
from footnotary.domain.outcome import Answer
from footnotary.external.passages import SCOPE, answer_from_given_evidence, make_evidence, make_hit
from footnotary.gate.intent import understand
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.chat.openai_model import OpenAIModel
from footnotary.profiles.load import load_profile
from footnotary.render.answer_text import render
from footnotary.settings import load_settings
from footnotary.wiring import open_checks


class FootnotaryPeer:
    def __init__(self, base_url: str, *, checked: bool = True) -> None:
        self._profile = load_profile("default")
        model = OpenAIModel("scripted", base_url=base_url, api_key="none", timeout_s=60, max_tokens=800)
        self._generator = ChatGenerator(model, self._profile, structured=False)
        self._checks = open_checks(self._profile, load_settings()) if checked else ()

    def answer(self, question: str, documents: list[Document]) -> tuple[str, list[str]]:
        query = understand(question, SCOPE, self._profile)
        evidence = make_evidence(
            query, (make_hit(d["id"], d["text"], 1.0, Labels(title=d["title"])) for d in documents)
        )
        outcome = answer_from_given_evidence(evidence, self._generator, self._profile, self._checks)
        if not isinstance(outcome, Answer):
            return outcome.message, []
        return render(outcome, "number").text, [citation.id for citation in outcome.citations]

    def stream(self, question: str, documents: list[Document]) -> Iterator[str]:
        yield self.answer(question, documents)[0]
