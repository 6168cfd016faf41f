"""Parses a model's reply into claims; only slots become citations, and anything malformed is kept for the checks."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from footnotary.domain.draft import Claim
from footnotary.domain.evidence import Evidence
from footnotary.domain.identity import SemanticId
from footnotary.errors import ModelError
from footnotary.generate.chat.bracket_text import escape_text_brackets, slot_names_as_markers
from footnotary.generate.chat.completion_body import UnreadableReply
from footnotary.model_server.json_body import strict_json
from footnotary.text.citations.markers import cited_units, scan
from footnotary.text.normalise import same_message
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import words

_MAX_CITES = 3
# Twice the shared words over the words of both: "I cannot answer this." is close, an answer is not.
_CLOSE = 0.6
_CODE_BLOCK = re.compile(r"\s*```(?:json)?\s*\n(?P<inside>.*)\n\s*```\s*", re.DOTALL)

# Any JSON object: for servers that constrain a reply to JSON, but not to a schema.
ANY_OBJECT: dict[str, object] = {"type": "object"}


def reply_schema(slots: int, max_claims: int, max_text: int) -> dict[str, object]:
    """The form of a structured reply, constrained, because small models go astray in open fields.

    It names only the slots 1..`slots`, at most `max_claims` claims, and at most `max_text` characters in each. A model
    says whether the question can be answered, and names the sources of a sentence, before it writes the sentence.
    """
    source: dict[str, object] = {"type": "integer", "enum": list(range(1, slots + 1))}
    claim: dict[str, object] = {
        "type": "object",
        "properties": {
            "sources": {"type": "array", "items": source, "minItems": 1, "maxItems": min(slots, _MAX_CITES)},
            "text": {"type": "string", "minLength": 1, "maxLength": max_text},
        },
        "required": ["sources", "text"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "answerable": {"type": "boolean"},
            "claims": {"type": "array", "items": claim, "maxItems": max_claims},
        },
        "required": ["answerable", "claims"],
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A parsed reply: its claims in order, bracketed tokens that are not markers, and whether it declined."""

    claims: tuple[Claim, ...] = ()
    malformed: tuple[str, ...] = ()
    declined: bool = False


class _ReplyModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _ClaimModel(_ReplyModel):
    sources: list[int]
    text: str


class _StructuredReply(_ReplyModel):
    answerable: bool
    claims: list[_ClaimModel]


def parse_reply(reply: str, evidence: Evidence, refusals: Sequence[str], *, lenient: bool = False) -> ParsedReply:
    """Parses a text reply: every sentence is a claim, with the slots in its own markers or named as "Source 1".

    A reply that is exactly one of `refusals` declines. A refusal with any other text is read like any other reply, so
    that its sentences are claims without citations and nothing of it is delivered. With `lenient`, as small models
    write: a single sentence without markers in nearly the words of a refusal declines too, and a sentence without
    markers cites what the next sentence of its paragraph cites, so that one marker at the end is enough.
    """
    if _declines(reply, refusals) or (lenient and _nearly_declines(reply, refusals)):
        return ParsedReply(declined=True)
    text = slot_names_as_markers(reply, evidence)
    parts = re.split(r"\n\s*\n", text) if lenient else [text]
    claims: list[Claim] = []
    for part in parts:
        said = [Claim(unit.text, _cites(unit.targets, evidence)) for unit in cited_units(part)]
        claims += _citing_with_the_next(said) if lenient else said
    return ParsedReply(tuple(claims), tuple(token.text for token in scan(text).malformed))


def parse_claims(reply: str, evidence: Evidence, refusals: Sequence[str], max_text: int | None = None) -> ParsedReply:
    """Parses a reply in the form of `reply_schema`; a claim of several sentences becomes several, each with its cites.

    A reply that says it cannot answer declines, even if it has claims. A marker in a claim's text cites too, where
    it names a source that was offered; other brackets are text where a cited source has them, and malformed elsewhere.
    Raises `UnreadableReply` for anything but exactly one such JSON object, which may stand in a code block, and for a
    text that the schema's bound `max_text` may have cut off.
    """
    try:
        stated = _StructuredReply.model_validate(strict_json(_without_code_block(reply)))
    except (ValidationError, ModelError):
        raise _malformed_reply("it is not a single JSON object of claims", reply) from None
    only_refuses = all(_declines(said.text, refusals) and not said.sources for said in stated.claims)
    if not stated.answerable or (only_refuses and stated.claims):
        return ParsedReply(declined=True)
    if max_text is not None and any(len(said.text) >= max_text for said in stated.claims):
        # Half a sentence can say the opposite of the whole.
        raise _malformed_reply(f"a claim has {max_text} characters or more", reply)
    claims: list[Claim] = []
    malformed: list[str] = []
    for said in stated.claims:
        cites = _cites([str(slot) for slot in said.sources], evidence)
        text, unreadable = escape_text_brackets(slot_names_as_markers(said.text, evidence), cites, evidence)
        malformed += unreadable
        units = cited_units(text)
        claims += [Claim(unit.text, _merged(cites, _cites(unit.targets, evidence))) for unit in units]
        claims += [] if units else [Claim(said.text, cites)]
    return ParsedReply(tuple(claims), tuple(malformed))


def _without_code_block(reply: str) -> str:
    block = _CODE_BLOCK.fullmatch(reply)
    return block["inside"] if block else reply


def _declines(reply: str, refusals: Sequence[str]) -> bool:
    return any(same_message(reply, refusal) for refusal in refusals)


def _citing_with_the_next(said: list[Claim]) -> list[Claim]:
    cites: tuple[SemanticId, ...] = ()
    found: list[Claim] = []
    for claim in reversed(said):
        cites = claim.cites or cites
        found.insert(0, Claim(claim.text, cites))
    return found


def _nearly_declines(reply: str, refusals: Sequence[str]) -> bool:
    if scan(reply).markers or len(sentences(reply)) != 1:
        return False
    said = Counter(words(reply))
    expected = [Counter(words(refusal)) for refusal in refusals]
    return any(2 * (said & one).total() >= _CLOSE * (said.total() + one.total()) for one in expected)


def _cites(targets: Sequence[str], evidence: Evidence) -> tuple[SemanticId, ...]:
    """The ids of slots, each once and in order; anything else stays as written, for a check to report."""
    return tuple(dict.fromkeys(evidence.named(target) or target for target in targets))


def _merged(cites: Sequence[SemanticId], more: Sequence[SemanticId]) -> tuple[SemanticId, ...]:
    return tuple(dict.fromkeys((*cites, *more)))


def _malformed_reply(seen: str, reply: str) -> UnreadableReply:
    return UnreadableReply(
        f"the model's reply is not in the requested format: {seen}",
        hint="ask for numbered slots in text instead of a JSON schema, or use another model",
        text=reply,
    )
