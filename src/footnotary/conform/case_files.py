"""Reads conformance cases from TOML: those shipped with the suite, and your own."""

import tomllib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from footnotary.conform.case import Case, CasePassage, ExpectedReply, Family, Sentence, Tenant, Turn
from footnotary.errors import UsageError


class _CaseModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _CasePassageModel(_CaseModel):
    text: str = Field(min_length=1)
    title: str = ""
    id: str = ""


class _TurnModel(_CaseModel):
    question: str = Field(min_length=1)
    passages: list[str] = Field(default_factory=list[str])
    draft: list[list[str]] = Field(default_factory=list[list[str]])
    verbatim: str = ""
    tenant: Tenant = "first"
    streamed: bool = False


class _ConformanceCaseModel(_TurnModel):
    family: Family
    name: str = Field(min_length=1)
    expect: ExpectedReply
    words: list[str] = Field(default_factory=list[str])
    source: str = ""
    before: list[_TurnModel] = Field(default_factory=list["_TurnModel"])

    @model_validator(mode="after")
    def _can_be_broken(self) -> "_ConformanceCaseModel":
        needed = {"refused": 0, "both_sides": 2}.get(self.expect, 1)
        if len(self.words) < needed or not all(words.strip() for words in self.words):
            raise ValueError(f"a case that expects {self.expect} needs at least {needed} entries in `words`")
        return self


class _CaseFileModel(_CaseModel):
    passages: dict[str, _CasePassageModel]
    cases: list[_ConformanceCaseModel]


def shipped_cases() -> tuple[Case, ...]:
    """The suite's own cases, in order of family."""
    return _cases((resources.files("footnotary.conform") / "cases.toml").read_text(encoding="utf-8"), "cases.toml")


def read_cases(path: Path) -> tuple[Case, ...]:
    """Your own cases. Raises `UsageError` saying what is wrong with the file."""
    try:
        return _cases(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read", hint="cases must be TOML in UTF-8") from error


def _cases(text: str, name: str) -> tuple[Case, ...]:
    try:
        held = _CaseFileModel.model_validate(tomllib.loads(text))
        known = {key: CasePassage(one.id or key, one.text, one.title) for key, one in held.passages.items()}
        return tuple(_case(one, known) for one in held.cases)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name} is not TOML: {error}", hint="use the format of the shipped cases") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{name}: {where}: {first['msg']}", hint="use the format of the shipped cases") from error
    except KeyError as error:
        raise UsageError(f"{name}: unknown passage {error}", hint="use a key of [passages]") from error


def _case(read: _ConformanceCaseModel, known: dict[str, CasePassage]) -> Case:
    turns = tuple(_turn(one, known) for one in (*read.before, read))
    return Case(read.family, read.name, turns, read.expect, tuple(read.words), read.source)


def _turn(read: _TurnModel, known: dict[str, CasePassage]) -> Turn:
    passages = tuple(known[key] for key in read.passages)
    return Turn(read.question, passages, _draft_sentences(read.draft), read.verbatim, read.tenant, read.streamed)


def _draft_sentences(draft: Sequence[Sequence[str]]) -> tuple[Sentence, ...]:
    return tuple(Sentence(said[0], tuple(said[1:])) for said in draft if said)
