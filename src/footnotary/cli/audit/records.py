"""`audit`: lists, shows and verifies the audit records, and exports feedback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.cli.audit.log_access import (
    audit_settings,
    installation_key,
    open_log_read_only,
    read_envelope,
    verification_key,
)
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import counted, note, print_json, say
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.audit.chain_verification import BrokenChain
    from footnotary.audit.log import AuditLog
    from footnotary.audit.record import AuditRecord


def list_records(home: Path | None, tenant: str | None, *, limit: int, as_json: bool) -> ExitCode:
    """The latest records, oldest first."""
    with open_log_read_only(audit_settings(home, tenant)) as log:
        records = list(reversed(log.latest(limit)))
    if as_json:
        print_json({"records": [_record(record) for record in records]})
        return ExitCode.OK
    for record in records:
        says = record.says
        what = says["outcome"] if says.get("reason") is None else f"refused: {says['reason']}"
        asked = says.get("question") or "(question not stored)"
        say(f"{record.seq:>6}  {says['at']}  {says.get('answer_id') or '-':<30}  {what:<32}  {' '.join(asked.split())}")
    return ExitCode.OK


def show_record(wanted: str, home: Path | None, tenant: str | None, *, as_json: bool) -> ExitCode:
    """Shows one record by answer id or number, and the stored outcome."""
    from footnotary.audit.bundle_content import Content
    from footnotary.render.verdict_text import text_with_numbers

    with open_log_read_only(audit_settings(home, tenant)) as log:
        record = _find(log, wanted)
        says = record.says
        answer_id = wanted if wanted.startswith("ans_") else says.get("answer_id")
        content: Content | None = log.content(answer_id) if answer_id else None
    if as_json:
        print_json(_record(record) | {"content": content})
        return ExitCode.OK
    for name in ("seq", "at", "answer_id", "outcome", "reason", "project", "profile", "profile_digest", "index_digest"):
        say(f"{name:<15} {says.get(name)}")
    say(f"{'hash':<15} {record.hash}")
    if content is None:
        note("no content is stored, or it needs the answer id to be decrypted")
        return ExitCode.OK
    say(f"{'question':<15} {content['query']['text']}")
    say(f"{'answer':<15} {content['outcome']['text']}")
    for citation in content["outcome"].get("citations", ()):
        say(f"  [{citation['id']}] “{citation['quote']}”")
    for verdict in content["outcome"]["verdicts"]:
        if verdict["status"] != "pass":
            say(f"  {verdict['check']}: {text_with_numbers(verdict['detail'], verdict.get('values', {}))}")
    for words in content["outcome"].get("unsupported", ()):
        say(f"  claim {words['claim'] + 1}: the source does not support “{words['text']}”")
    return ExitCode.OK


def verify_log(
    home: Path | None, tenant: str | None, *, key_file: Path | None, anchors: list[str], as_json: bool
) -> ExitCode:
    """Verifies the whole log; exit code 4 if a record was changed, or an anchor is missing from it."""
    from footnotary.audit.chain_verification import BrokenChain

    settings = audit_settings(home, tenant)
    with open_log_read_only(settings) as log:
        found = log.verify(verification_key(home, key_file) if key_file else installation_key(settings))
        if not isinstance(found, BrokenChain):
            found = next((lost for anchor in anchors if (lost := _anchor_problem(log, anchor))), found)
    if as_json:
        broken = isinstance(found, BrokenChain)
        print_json(
            {"intact": False, "seq": found.seq, "why": found.why}
            if broken
            else {"intact": True, "records": found.records, "signed": found.signed, "losses": list(found.losses)}
        )
    elif isinstance(found, BrokenChain):
        say(f"broken at record {found.seq}: {found.why}")
    else:
        say(f"intact: {counted(found.records, 'record')}, {found.signed} of them signed")
        for seq in found.losses:
            note(f"record {seq} documents that records before it were lost")
    return ExitCode.VIOLATION if isinstance(found, BrokenChain) else ExitCode.OK


def show_head(home: Path | None, tenant: str | None) -> ExitCode:
    """Prints the last record as `NUMBER:HASH`, to be kept where nobody who can write the data directory can write."""
    with open_log_read_only(audit_settings(home, tenant)) as log:
        last = log.latest(1)
    say(f"{last[0].seq}:{last[0].hash}" if last else "0:")
    return ExitCode.OK


def accept_loss(home: Path | None, tenant: str | None) -> ExitCode:
    """Continues a log that lost records; the loss is recorded permanently. If none is lost, nothing is written."""
    from footnotary.audit.log import AuditLog
    from footnotary.wiring import audit_head, open_audit_signer, tenant_folder

    settings = audit_settings(home, tenant)
    path, head = tenant_folder(settings) / "audit.db", audit_head(settings)
    if not path.exists() and not head.exists():  # a chain head without a log means that the log was lost
        raise UsageError(f"no audit log at {path}", hint="ask a question first, or choose another --home")
    if path.exists():
        with open_log_read_only(settings) as log:
            if not log.loss():
                raise UsageError(
                    f"no record is lost: {path} matches its chain head", hint="see `footnotary audit verify`"
                )
    log = AuditLog(path, head, open_audit_signer(settings), require_complete=False)
    try:
        record = log.accept_loss("command line")
    finally:
        log.close()
    note(f"record {record.seq} documents the loss; the log continues after it")
    return ExitCode.OK


def export_feedback(home: Path | None, tenant: str | None) -> ExitCode:
    """Prints reviewed claims as rows that `footnotary eval grounding` reads."""
    from footnotary.audit.feedback import FeedbackStore
    from footnotary.audit.feedback_dataset import labelled_rows
    from footnotary.wiring import tenant_folder

    settings = audit_settings(home, tenant)
    with open_log_read_only(settings) as log:
        feedback = FeedbackStore(tenant_folder(settings) / "feedback.db")
        try:
            for row in labelled_rows(log, feedback):
                print(json.dumps(row))
        finally:
            feedback.close()
    return ExitCode.OK


def _find(log: AuditLog, wanted: str) -> AuditRecord:
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 16:
        found = next(iter(log.records(int(wanted) - 1, 1)), None)
        record = found if found and found.seq == int(wanted) else None
    else:
        record = log.find(wanted)
    if record is None:
        raise UsageError(f"no record of {wanted!r}", hint="see `footnotary audit list`")
    return record


def _record(record: AuditRecord) -> dict[str, Any]:
    return record.says | {"hash": record.hash, "signature": record.signature}


def _anchor_problem(log: AuditLog, anchor: str) -> BrokenChain | None:
    """The error if an anchor, `NUMBER:HASH` or a bundle, is not in the log; else None."""
    from footnotary.audit.bundle import statement_in
    from footnotary.audit.chain_verification import BrokenChain

    if Path(anchor).is_file():
        try:
            record = statement_in(read_envelope(Path(anchor)))["predicate"]["record"]
            seq, digest = int(record["seq"]), str(record["hash"])
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{anchor} is not a bundle", hint="use NUMBER:HASH or a bundle as anchor") from None
    else:
        number, _, digest = anchor.partition(":")
        if not number.isdecimal():
            raise UsageError(f"{anchor!r} is not an anchor", hint="use NUMBER:HASH or a bundle as anchor")
        seq = int(number)
    if seq == 0:
        return None
    held = next(iter(log.records(seq - 1, 1)), None)
    if held is None or held.seq != seq:
        return BrokenChain(seq, "the record named by the anchor is missing")
    return None if held.hash == digest else BrokenChain(seq, "its hash differs from the anchor")
