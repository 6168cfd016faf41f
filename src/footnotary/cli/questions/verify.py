"""`verify`: checks any answer against any passages, offline."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.query import Scope
from footnotary.errors import UsageError
from footnotary.external.answer_check import factual_units, is_refusal, resolve_marker
from footnotary.external.passages import (
    clamp_score,
    find_conflicting_ids,
    first_field,
    first_text_field,
    make_evidence,
    make_hit,
)
from footnotary.gate.intent import understand
from footnotary.ports import Submission
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.render.outcome_record import labels_from_record, unsupported_record, verdict_record
from footnotary.render.verdict_text import verdict_text
from footnotary.settings import load_settings
from footnotary.text.citations.markers import scan, unescape
from footnotary.text.normalise import plain_key
from footnotary.verify.run import acceptable, first_reason, verify
from footnotary.verify.unsupported_words import unsupported_words
from footnotary.wiring import open_checks, open_verifier_for

if TYPE_CHECKING:
    from footnotary.domain.evidence import Evidence, Hit
    from footnotary.domain.verdict import UnsupportedWords, Verdict
    from footnotary.profiles.schema import Profile

AnswerRecord = Mapping[str, Any]


def run_verify(
    answer_file: Path,
    chunks_file: Path,
    *,
    profile: str | None,
    as_json: bool,
    verbose: bool,
    verifier: str | None = None,
) -> ExitCode:
    """Prints the result of every check; exit code 0 if the contract holds (an exact refusal does), else 4."""
    given = read_answer(answer_file)
    settings = load_settings({"verifier": verifier})
    policy = load_profile(profile or _built_in_profile(given) or settings.profile)
    evidence = make_evidence(
        understand(first_text_field(given, "query", "question") or "", Scope("given"), policy), read_chunks(chunks_file)
    )
    refused = is_refusal(given["answer"], policy)
    verdicts: tuple[Verdict, ...] = ()
    unsupported: tuple[UnsupportedWords, ...] = ()
    if not refused:
        if not evidence.hits:
            note(f"{chunks_file} contains no passages: nothing can support the answer")
        submission = Submission(evidence.query, evidence, draft_from_record(given, evidence))
        verdicts = verify(submission, open_checks(policy, settings))
        unsupported = unsupported_words(submission, verdicts, open_verifier_for(policy, settings))
    holds = refused or acceptable(verdicts)
    if as_json:
        record = _verify_record(given, evidence, verdicts, holds=holds, refused=refused, profile=policy)
        print_json(record | {"unsupported_words": [unsupported_record(words) for words in unsupported]})
    else:
        _print_verdicts(verdicts, holds=holds, refused=refused, verbose=verbose)
        for words in unsupported:
            say(f"  claim {words.claim + 1}: not borne out by its source: “{words.text}”")
    return ExitCode.OK if holds else ExitCode.VIOLATION


def read_answer(path: Path) -> AnswerRecord:
    """Reads an `ask --json` object, or plain text as its answer."""
    text = _read_text(path)
    if text.lstrip().startswith("{"):
        record = _parse_json(text, path)
        if not isinstance(record, dict) or not isinstance(cast(AnswerRecord, record).get("answer"), str):
            raise UsageError(
                f"{path} contains no answer", hint="use plain text, or the output of `footnotary ask --json`"
            )
        return cast(AnswerRecord, record)
    return {"answer": text.strip()}


def read_chunks(path: Path) -> list[Hit]:
    """Reads a list of chunks, or a `query --json` object. A chunk has an id and a text; no id has two texts."""
    content = _parse_json(_read_text(path), path)
    rows: object = content
    if isinstance(content, dict):
        rows = first_field(cast(AnswerRecord, content), "results", "chunks", "sources", "retrieved_chunks")
    if not isinstance(rows, list):
        raise UsageError(f"{path} contains no list of chunks", hint="use the output of `footnotary query --json`")
    hits: list[Hit] = []
    for number, found in enumerate(cast("list[object]", rows), 1):
        row: AnswerRecord = cast(AnswerRecord, found) if isinstance(found, dict) else {}
        cited = first_text_field(row, "semantic_id", "source_id", "chunk_id", "id")
        text = first_text_field(row, "text", "content_snippet", "content")
        if cited is None or text is None:
            raise UsageError(
                f"{path}: chunk {number} has no id or no text", hint="give each chunk semantic_id and text"
            )
        hits.append(make_hit(cited, text, clamp_score(first_field(row, "score")), labels_from_record(row)))
    if (two := find_conflicting_ids((hit.chunk.id, hit.chunk.text) for hit in hits)) is not None:
        raise UsageError(
            f"{path}: chunks {two[0]} and {two[1]} have the same id {hits[two[0] - 1].chunk.id!r} but different texts",
            hint="give each chunk its own id",
        )
    return hits


def draft_from_record(given: AnswerRecord, evidence: Evidence) -> Draft:
    """The answer as a draft: its own text counts, not what a record says about it.

    Numbered markers refer to the numbers of the record, or else to the passages in retrieval order. If the text has no
    markers (stripped, or cited by place), the record's claims are used, provided they occur in the text.
    """
    answer = cast(str, given["answer"])
    scanned = scan(answer)
    # Records of version 0.1 have no numbers: there a number is a position among the passages retrieved.
    numbered = cast("Mapping[str, int]", given.get("source_numbers") or {})
    found = cast("Sequence[str]", given.get("retrieved_semantic_ids") or [hit.chunk.id for hit in evidence.hits])
    order = sorted(numbered, key=lambda cited: numbered[cited]) if numbered else found
    claims = given.get("claims")
    if not scanned.markers and isinstance(claims, list) and claims:
        listed = tuple(
            Claim(first_text_field(claim, "text") or "", tuple(cast("list[str]", first_field(claim, "cites") or ())))
            for claim in cast("list[object]", claims)
        )
        if all(plain_key(claim.text) in plain_key(unescape(answer)) for claim in listed):
            return Draft(listed, "given", malformed=tuple(token.text for token in scanned.malformed))
    return Draft(
        tuple(
            Claim(unescape(unit.text), tuple(resolve_marker(t, order) for t in unit.targets))
            for unit in factual_units(answer)
        ),
        "given",
        raw=answer,
        malformed=tuple(token.text for token in scanned.malformed),
    )


def _built_in_profile(given: AnswerRecord) -> str | None:
    name = given.get("profile")
    return name if name in BUILT_IN else None


def _verify_record(
    given: AnswerRecord,
    evidence: Evidence,
    verdicts: Sequence[Verdict],
    *,
    holds: bool,
    refused: bool,
    profile: Profile,
) -> dict[str, Any]:
    failed = [verdict for verdict in verdicts if verdict.status != "pass"]
    known = evidence.ids
    draft = None if refused else draft_from_record(given, evidence)
    cited = [] if draft is None else list(dict.fromkeys(c for claim in draft.claims for c in claim.cites))
    return {
        "is_valid": holds,
        "is_grounded": holds,
        "is_refusal": refused,
        "reason": first_reason(failed).value if failed else None,
        "refusal_reason": "; ".join(verdict.detail for verdict in failed) or None,
        "invalid_citations": [c for c in cited if c not in known],
        "cited_sources": [c for c in cited if c in known],
        "retrieved_semantic_ids": [hit.chunk.id for hit in evidence.hits],
        "profile": profile.name,
        "profile_digest": profile.digest,
        "verdicts": [verdict_record(verdict) for verdict in verdicts],
    }


def _print_verdicts(verdicts: Sequence[Verdict], *, holds: bool, refused: bool, verbose: bool) -> None:
    if refused:
        say("the contract holds: the answer is an exact refusal")
        return
    say("the contract holds" if holds else "the contract is violated")
    for verdict in verdicts:
        if verbose or verdict.status != "pass":
            mark = {"pass": "✓", "fail": "✗", "skip": "?"}[verdict.status]
            reason = f" {verdict.reason.value}:" if verdict.reason else ""
            say(f"{mark} {verdict.check}:{reason} {verdict_text(verdict)}".rstrip(" :"))


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist", hint="check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="use a UTF-8 file") from None


def _parse_json(text: str, path: Path) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}", hint="use the output of `footnotary query --json`") from None
