"""`verify`: checks any answer against any passages, offline."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, say
from footnotary.contracts.check_grounding import claiming_units, is_refusal, resolved
from footnotary.contracts.given import ambiguous, evidence_of, hit_of, share_of, text_of, value_of
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.query import Scope
from footnotary.errors import UsageError
from footnotary.gate.intent import understand
from footnotary.ports import Submission
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.render.record import labels_of, verdict_record
from footnotary.settings import load_settings
from footnotary.text.markers import scan, unescape
from footnotary.text.normalise import plain_key
from footnotary.verify.run import acceptable, first_reason, verify
from footnotary.wiring import open_checks

if TYPE_CHECKING:
    from footnotary.domain.evidence import Evidence, Hit
    from footnotary.domain.verdict import Verdict
    from footnotary.profiles.schema import Profile

Record = Mapping[str, Any]


def run_verify(answer_file: Path, chunks_file: Path, *, profile: str | None, as_json: bool, verbose: bool) -> Exit:
    """Prints the result of every check; exit code 0 if the contract holds (an exact refusal does), else 4."""
    given = read_answer(answer_file)
    settings = load_settings()
    policy = load_profile(profile or _named_profile(given) or settings.profile)
    evidence = evidence_of(
        understand(text_of(given, "query", "question") or "", Scope("given"), policy), read_chunks(chunks_file)
    )
    refused = is_refusal(given["answer"], policy)
    verdicts: tuple[Verdict, ...] = ()
    if not refused:
        submission = Submission(evidence.query, evidence, draft_of(given, evidence))
        verdicts = verify(submission, open_checks(policy, settings))
    holds = refused or acceptable(verdicts)
    if as_json:
        emit_json(_record(given, evidence, verdicts, holds=holds, refused=refused, profile=policy))
    else:
        _show(verdicts, holds=holds, refused=refused, verbose=verbose)
    return Exit.OK if holds else Exit.VIOLATION


def read_answer(path: Path) -> Record:
    """Reads an `ask --json` object, or plain text as its answer."""
    text = _read(path)
    if text.lstrip().startswith("{"):
        record = _json(text, path)
        if not isinstance(record, dict) or not isinstance(cast(Record, record).get("answer"), str):
            raise UsageError(
                f"{path} contains no answer", hint="use plain text, or the output of `footnotary ask --json`"
            )
        return cast(Record, record)
    return {"answer": text.strip()}


def read_chunks(path: Path) -> list[Hit]:
    """Reads a list of chunks, or a `query --json` object. A chunk has an id and a text; no id has two texts."""
    content = _json(_read(path), path)
    rows: object = content
    if isinstance(content, dict):
        rows = value_of(cast(Record, content), "results", "chunks", "sources", "retrieved_chunks")
    if not isinstance(rows, list):
        raise UsageError(f"{path} contains no list of chunks", hint="use the output of `footnotary query --json`")
    hits: list[Hit] = []
    for number, found in enumerate(cast("list[object]", rows), 1):
        row: Record = cast(Record, found) if isinstance(found, dict) else {}
        cited = text_of(row, "semantic_id", "source_id", "chunk_id", "id")
        text = text_of(row, "text", "content_snippet", "content")
        if cited is None or text is None:
            raise UsageError(
                f"{path}: chunk {number} has no id or no text", hint="give each chunk semantic_id and text"
            )
        hits.append(hit_of(cited, text, share_of(value_of(row, "score")), labels_of(row)))
    if (two := ambiguous((hit.chunk.id, hit.chunk.text) for hit in hits)) is not None:
        raise UsageError(
            f"{path}: chunks {two[0]} and {two[1]} have the same id {hits[two[0] - 1].chunk.id!r} but different texts",
            hint="give each chunk its own id",
        )
    return hits


def draft_of(given: Record, evidence: Evidence) -> Draft:
    """The answer as a draft: its own text counts, not what a record says about it.

    Numbered markers refer to the passages in retrieval order. If the text has no markers (stripped, or cited by place),
    the record's claims are used, provided they occur in the text.
    """
    answer = cast(str, given["answer"])
    found = scan(answer)
    order = cast("Sequence[str]", given.get("retrieved_semantic_ids") or [hit.chunk.id for hit in evidence.hits])
    claims = given.get("claims")
    if not found.markers and isinstance(claims, list) and claims:
        listed = tuple(
            Claim(text_of(claim, "text") or "", tuple(cast("list[str]", value_of(claim, "cites") or ())))
            for claim in cast("list[object]", claims)
        )
        if all(plain_key(claim.text) in plain_key(unescape(answer)) for claim in listed):
            return Draft(listed, "given", malformed=tuple(token.text for token in found.malformed))
    return Draft(
        tuple(
            Claim(unescape(unit.text), tuple(resolved(t, order) for t in unit.targets))
            for unit in claiming_units(answer)
        ),
        "given",
        raw=answer,
        malformed=tuple(token.text for token in found.malformed),
    )


def _named_profile(given: Record) -> str | None:
    name = given.get("profile")
    return name if name in BUILT_IN else None


def _record(
    given: Record, evidence: Evidence, verdicts: Sequence[Verdict], *, holds: bool, refused: bool, profile: Profile
) -> dict[str, Any]:
    failed = [verdict for verdict in verdicts if verdict.status != "pass"]
    known = evidence.ids
    draft = None if refused else draft_of(given, evidence)
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


def _show(verdicts: Sequence[Verdict], *, holds: bool, refused: bool, verbose: bool) -> None:
    if refused:
        say("the contract holds: the answer is an exact refusal")
        return
    say("the contract holds" if holds else "the contract is violated")
    for verdict in verdicts:
        if verbose or verdict.status != "pass":
            mark = {"pass": "✓", "fail": "✗", "skip": "?"}[verdict.status]
            reason = f" {verdict.reason.value}:" if verdict.reason else ""
            say(f"{mark} {verdict.check}:{reason} {verdict.detail}")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist", hint="check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="use a UTF-8 file") from None


def _json(text: str, path: Path) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}", hint="use the output of `footnotary query --json`") from None
