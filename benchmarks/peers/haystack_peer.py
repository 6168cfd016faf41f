"""Haystack: a pipeline of ChatPromptBuilder, OpenAIChatGenerator and AnswerBuilder with a reference pattern."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

from haystack import Document as HaystackDocument
from haystack import Pipeline
from haystack.components.builders import AnswerBuilder, ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret

from benchmarks.peers.serving import Document

# Haystack has no prompt of its own for this. Documents and references are in the form of the prompt with references that
# its first version had; a form as short as [1] leads small models to reply with it alone.
PROMPT = """Write a short and informative answer to the question, in at most 50 words, from the documents alone. Name the
documents that say so in the form Document[number], for example "as stated in Document[2]". If the documents do not answer
the question, say that it cannot be answered from the available information.
{% for document in documents %}
Document[{{ loop.index }}]: {{ document.content }}
{% endfor %}
Question: {{ question }}
Answer:"""
REFERENCE = r"\[(\d+)\]"


class HaystackPeer:
    def __init__(self, base_url: str, max_tokens: int | None = None) -> None:
        pipeline = Pipeline()
        prompt = ChatPromptBuilder([ChatMessage.from_user(PROMPT)], required_variables=["question", "documents"])
        pipeline.add_component("prompt", prompt)
        options = {"temperature": 0.0} | ({} if max_tokens is None else {"max_tokens": max_tokens})
        self._model = OpenAIChatGenerator(
            Secret.from_token("none"), "scripted", api_base_url=base_url, max_retries=0, generation_kwargs=options
        )
        pipeline.add_component("model", self._model)
        pipeline.add_component("answer", AnswerBuilder(reference_pattern=REFERENCE))
        pipeline.connect("prompt.prompt", "model.messages")
        pipeline.connect("model.replies", "answer.replies")
        self._pipeline = pipeline

    def _run(self, question: str, documents: list[Document], **model: object) -> tuple[str, list[str]]:
        given = [HaystackDocument(id=d["id"], content=d["text"]) for d in documents]
        done = self._pipeline.run(
            {
                "prompt": {"question": question, "documents": given},
                "model": model,
                "answer": {"query": question, "documents": given},
            }
        )
        answer = done["answer"]["answers"][0]
        return answer.data, [document.id for document in answer.documents]

    def answer(self, question: str, documents: list[Document]) -> tuple[str, list[str]]:
        return self._run(question, documents)

    def stream(self, question: str, documents: list[Document]) -> Iterator[str]:
        pieces: queue.Queue[str | None] = queue.Queue()

        def run() -> None:
            try:
                self._run(question, documents, streaming_callback=lambda chunk: pieces.put(chunk.content))
            finally:
                pieces.put(None)

        threading.Thread(target=run, daemon=True).start()
        while (piece := pieces.get()) is not None:
            yield piece
