"""What is asked: questions with the passages they are asked over, in kinds, sampled the same way on every machine."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as a user would index it; its name is the document's id."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """One question over one project of its kind.

    `gold` are the document ids, or passage ids without their last number, that answer it; `phrases` are wordings of
    the answer. Documents `without` are hidden. With `passages` above 0 the question is asked over that number of
    passages only: those which retrieval finds for it in the project, and the gold one if it is not hidden.
    With a `draft`, this sentence is what the generator drafts. `close` says how an unanswerable question is close.
    """

    question: str
    answerable: bool
    project: str
    gold: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()
    profile: str = "default"
    without: frozenset[str] = frozenset()
    passages: int = 0
    draft: str | None = None
    close: str = ""

    def key(self) -> str:
        """Identifies the question within its kind and all of it that its outcome may depend on."""
        parts = [self.question, self.answerable, self.project, self.profile, sorted(self.without), self.passages]
        parts += [sorted(self.gold), self.draft]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """Questions of one kind and the projects they are asked over.

    `limit` is the number of answerable and of unanswerable questions asked by default. `own` marks sets in our own
    words, whose failures may be listed. `target` are the highest shares of false answers and wrong refusals aimed at.
    """

    name: str
    questions: Sequence[TrialQuestion]
    projects: Mapping[str, Sequence[SourceFile]]
    limit: int
    own: bool = False
    target: tuple[float | None, float | None] = (None, None)
    about: str = field(default="", compare=False)

    def digest(self) -> str:
        """Changes with the text of any project."""
        digest = hashlib.sha256()
        for project, files in sorted(self.projects.items()):
            digest.update(repr((project, [(file.name, file.text) for file in files])).encode())
        return digest.hexdigest()[:8]

    def sampled(self, limit: int | None, seed: int) -> list[TrialQuestion]:
        """At most `limit` questions of each side, the same for the same seed; a larger limit adds to a smaller one."""
        chosen: list[TrialQuestion] = []
        for side in (True, False):
            questions = [question for question in self.questions if question.answerable is side]
            random.Random(f"{seed} {self.name} {side}").shuffle(questions)
            chosen += questions[: self.limit if limit is None else limit]
        return chosen
