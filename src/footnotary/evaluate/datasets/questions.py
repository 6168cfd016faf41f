"""Labelled questions, and the passages of a dataset to answer them from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Literal, cast

from footnotary.errors import UsageError

ExpectedOutcome = Literal["answer", "refusal"]

ROW_HINT = (
    'a row is an object such as {"question": "…", "answer": "…", "relevant": ["IPC_420_0"], "tags": ["penalty"]} or '
    '{"question": "…", "expected": "refusal"}'
)
_QUESTION = ("question", "query", "user_input", "text")
_ID = ("id", "query_id", "qid", "_id", "question_id")
_ANSWERS = ("answers", "answer", "expected_answer", "reference", "ground_truth")
_RELEVANT = ("relevant", "relevant_ids", "expected_sources", "expected_ids", "gold_ids", "gold_id")


@dataclass(frozen=True, slots=True)
class DatasetPassage:
    """A passage of a dataset, under the dataset's own id."""

    id: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One row. `expected` is None where it is unknown whether the corpus answers it.

    `relevant` maps the ids of relevant sources to their gains: of a passage (`IPC_420_0`), of all passages of a
    section (`IPC_420`), or of a document. Passages in `without` are hidden while it is asked. Rows of one `group`
    are resampled together. `reviewed` is None where no review is needed.
    """

    id: str
    dataset: str
    question: str
    expected: ExpectedOutcome | None
    answers: tuple[str, ...]
    relevant: Mapping[str, float]
    tags: tuple[str, ...]
    group: str
    without: tuple[str, ...] = ()
    reviewed: bool | None = None

    @property
    def key(self) -> str:
        """A digest of what is asked, so that a changed question is asked again; labels are not part of it."""
        return _digest([self.question, sorted(self.without)])

    @property
    def wanted(self) -> str:
        """A digest of what is expected, so that runs are not compared on questions whose labels differ."""
        return _digest([self.expected, sorted(self.answers), sorted(self.relevant.items())])


@dataclass(frozen=True, slots=True)
class Dataset:
    """Questions, and the passages to answer them from; without `passages` they are for the user's own project."""

    name: str
    questions: tuple[Question, ...]
    passages: tuple[DatasetPassage, ...] = ()

    def first(self, limit: int | None) -> Dataset:
        """At most `limit` questions, evenly spread over the file; all passages stay."""
        if limit is None or len(self.questions) <= limit:
            return self
        every = len(self.questions) / limit
        return replace(self, questions=tuple(self.questions[int(i * every)] for i in range(limit)))


class QuestionSetBuilder:
    """Builds a dataset row by row. Raises `UsageError` with the place of an invalid row."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._passages: dict[str, DatasetPassage] = {}
        self._questions: dict[str, Question] = {}

    def passage(self, text: str, title: str = "", named: str | None = None, place: str = "") -> str:
        """Adds a passage and returns its id; equal texts without an id are one passage, a blank text is not added.

        Raises `UsageError` where another text has the same id: only one of the two could be found.
        """
        key = named or f"text-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        if named and not text.strip():  # some collections contain documents with only a title
            text, title = title, ""
        if text.strip() and self._passages.setdefault(key, DatasetPassage(key, text, title)).text != text:
            raise UsageError(
                f"{place}: duplicate passage id {key!r} with different texts", hint="give each passage a unique id"
            )
        return key

    def row(self, given: Mapping[str, Any], place: str) -> None:
        """Adds a question from a row in our own format; see docs/how-to/evaluate.md for the keys."""
        text = _first_value(given, _QUESTION)
        if text is not None and not isinstance(text, str):
            raise UsageError(f"{place}: the question must be a text, not {text!r}", hint=ROW_HINT)
        if not text or not text.strip():
            raise UsageError(f"{place}: the question is missing", hint=ROW_HINT)
        found = _first_value(given, _ID)
        identity = str(found) if isinstance(found, str | int) else f"row {len(self._questions) + 1}"
        if identity in self._questions:
            raise UsageError(f"{place}: duplicate id {identity!r}", hint="give every row a unique id")
        said = dict.fromkeys(as_texts(_first_value(given, _ANSWERS), "answers", place))
        answers = tuple(answer for answer in said if answer.strip())
        own = [self._own(item, place) for item in as_list(_first_value(given, ("passages", "passage")))]
        stated = _first_value(given, _RELEVANT)
        relevant = _gains(stated, place)
        expected = _infer_expectation(given, answers, relevant, stated, place)
        if expected != "answer":
            relevant = {}
        elif stated is None:
            relevant = dict.fromkeys((name for name in own if name in self._passages), 1.0)
        tags = as_texts(_first_value(given, ("tags", "tag", "type", "category")), "tags", place)
        group = given.get("group")
        reviewed = given.get("reviewed")
        self._questions[identity] = Question(
            id=identity,
            dataset=self._name,
            question=text.strip(),
            expected=expected,
            answers=answers if expected == "answer" else (),
            relevant=relevant,
            tags=tuple(dict.fromkeys(tags)),
            group=str(group) if isinstance(group, str | int) else own[0] if own else identity,
            without=as_texts(given.get("without"), "without", place),
            reviewed=reviewed if isinstance(reviewed, bool) else None,
        )

    def relevant(self, texts: Iterable[str]) -> list[str]:
        """Adds these passages, and returns the ids of those that are not blank."""
        return [name for text in texts if (name := self.passage(text)) in self._passages]

    def _own(self, item: object, place: str) -> str:
        if isinstance(item, str):
            return self.passage(item)
        if isinstance(item, dict):
            found = cast("dict[str, Any]", item)
            if isinstance(text := found.get("text"), str):
                named = found.get("id")
                return self.passage(text, str(found.get("title") or ""), None if named is None else str(named), place)
        raise UsageError(f"{place}: a passage must be a text, or an object with a text", hint=ROW_HINT)

    def dataset(self) -> Dataset:
        if not self._questions:
            raise UsageError(f"{self._name} contains no questions", hint=ROW_HINT)
        return Dataset(self._name, tuple(self._questions.values()), tuple(self._passages.values()))


def _infer_expectation(
    given: Mapping[str, Any], answers: Sequence[str], relevant: Mapping[str, float], stated: object, place: str
) -> ExpectedOutcome | None:
    if (said := stated_expectation(given, place)) is not None:
        return said
    if answers or relevant:
        return "answer"
    # An empty list of relevant ids is a label: someone looked and found none. A missing list is not.
    return None if stated is None else "refusal"


def stated_expectation(given: Mapping[str, Any], place: str) -> ExpectedOutcome | None:
    """The expected outcome a row states, under any of the key names for it; None where it states none."""
    said = _first_value(given, ("expected", "expect", "expected_outcome"))
    if said is not None:
        if said not in ("answer", "refusal"):
            raise UsageError(f"{place}: expected must be answer or refusal, not {said!r}", hint=ROW_HINT)
        return said
    for key, meaning in (
        ("refusal", True),
        ("should_refuse", True),
        ("expected_refusal", True),
        ("is_impossible", True),
        ("answerable", False),
    ):
        if (value := parse_bool(given.get(key), key, place)) is not None:
            return "refusal" if value is meaning else "answer"
    return None


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _first_value(given: Mapping[str, Any], keys: Iterable[str]) -> Any:
    """The value of the first key that is not empty; else an empty list or text if any key has one; else None."""
    found = [given[key] for key in keys if given.get(key) is not None]
    return next((value for value in found if value not in ("", [], {})), found[0] if found else None)


def parse_bool(value: object, name: str, place: str) -> bool | None:
    """True or false, also written as a text or as 1 and 0; None where there is no value.

    Raises `UsageError` with the key and the place for anything else: no row is skipped silently.
    """
    said = str(value).strip().lower()
    if value is None or not said:
        return None
    if said in ("true", "1", "1.0", "yes"):
        return True
    if said in ("false", "0", "0.0", "no"):
        return False
    raise UsageError(f"{place}: {name} must be true or false, not {value!r}", hint=ROW_HINT)


def as_list(value: object) -> list[object]:
    """A list unchanged, None as an empty list, anything else as a list of one."""
    if value is None:
        return []
    return list(cast("list[object]", value)) if isinstance(value, list | tuple) else [value]


def as_texts(value: object, name: str, place: str) -> tuple[str, ...]:
    """A text, or the texts of a list. Raises `UsageError` with the key and the place for anything else."""
    found = as_list(value)
    if not all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in found):
        raise UsageError(f"{place}: {name} must be a text or a list of texts", hint=ROW_HINT)
    return tuple(str(item) for item in found)


def _gains(value: object, place: str) -> dict[str, float]:
    """{id: gain}; a list of ids, or of objects with an id, gives each a gain of one. Gains of zero are left out."""
    if isinstance(value, dict):
        try:
            gains = {str(k): float(v) for k, v in cast("dict[str, Any]", value).items()}
            if all(map(isfinite, gains.values())):
                return {name: gain for name, gain in gains.items() if gain > 0}
        except (TypeError, ValueError, OverflowError):
            pass
        raise UsageError(f"{place}: relevant must map each id to a number", hint=ROW_HINT)
    return dict.fromkeys(_ids(as_list(value), place), 1.0)


def _ids(items: Iterable[object], place: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, dict):
            item = _first_value(cast("dict[str, Any]", item), ("semantic_id", "chunk_id", "source_id", "id", "docid"))
        if not isinstance(item, str | int) or isinstance(item, bool):
            raise UsageError(f"{place}: relevant must be ids", hint=ROW_HINT)
        yield str(item)
