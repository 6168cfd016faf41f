"""`audit`: the records of outcomes, whether they are as written, and what people judged of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.cli.audit_home import audit_settings, envelope_in, key_to_check_with, own_key, reading_log
from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, note, say
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.audit.chain import Broken
    from footnotary.audit.log import AuditLog
    from footnotary.audit.record import AuditRecord


def list_records(home: Path | None, tenant: str | None, *, limit: int, as_json: bool) -> Exit:
    """The latest records, oldest first."""
    with reading_log(audit_settings(home, tenant)) as log:
        records = list(reversed(log.latest(limit)))
    if as_json:
        emit_json({"records": [_record(record) for record in records]})
        return Exit.OK
    for record in records:
        says = record.says
        what = says["outcome"] if says.get("reason") is None else f"refused: {says['reason']}"
        asked = says.get("question") or "(question not kept)"
        say(f"{record.seq:>6}  {says['at']}  {says.get('answer_id') or '-':<30}  {what:<32}  {' '.join(asked.split())}")
    return Exit.OK


def show_record(wanted: str, home: Path | None, tenant: str | None, *, as_json: bool) -> Exit:
    """One record, by the answer's id or its number, and what was kept of the outcome."""
    from footnotary.audit.content import Content

    with reading_log(audit_settings(home, tenant)) as log:
        record = _find(log, wanted)
        says = record.says
        answer_id = wanted if wanted.startswith("ans_") else says.get("answer_id")
        content: Content | None = log.content(answer_id) if answer_id else None
    if as_json:
        emit_json(_record(record) | {"content": content})
        return Exit.OK
    for name in ("seq", "at", "answer_id", "outcome", "reason", "project", "profile", "profile_digest", "index_digest"):
        say(f"{name:<15} {says.get(name)}")
    say(f"{'hash':<15} {record.hash}")
    if content is None:
        note("nothing more is kept, or the answer's id is needed to open it")
        return Exit.OK
    say(f"{'question':<15} {content['query']['text']}")
    say(f"{'answer':<15} {content['outcome']['text']}")
    for citation in content["outcome"].get("citations", ()):
        say(f"  [{citation['id']}] “{citation['quote']}”")
    for verdict in content["outcome"]["verdicts"]:
        if verdict["status"] != "pass":
            say(f"  {verdict['check']}: {verdict['detail']}")
    return Exit.OK


def verify_log(
    home: Path | None, tenant: str | None, *, key_file: Path | None, anchors: list[str], as_json: bool
) -> Exit:
    """Reads the whole log; 4 where a record is not as written, or an anchor is not in it."""
    from footnotary.audit.chain import Broken

    settings = audit_settings(home, tenant)
    with reading_log(settings) as log:
        found = log.verify(key_to_check_with(home, key_file) if key_file else own_key(settings))
        if not isinstance(found, Broken):
            found = next((lost for anchor in anchors if (lost := _missing(log, anchor))), found)
    if as_json:
        broken = isinstance(found, Broken)
        emit_json(
            {"intact": False, "seq": found.seq, "why": found.why}
            if broken
            else {"intact": True, "records": found.records, "signed": found.signed, "losses": list(found.losses)}
        )
    elif isinstance(found, Broken):
        say(f"broken at record {found.seq}: {found.why}")
    else:
        say(f"intact: {found.records} records, {found.signed} of them signed")
        for seq in found.losses:
            note(f"record {seq} says that records before it were lost")
    return Exit.VIOLATION if isinstance(found, Broken) else Exit.OK


def show_head(home: Path | None, tenant: str | None) -> Exit:
    """The last record as `NUMBER:HASH`, to be kept where nobody who can write the home can write."""
    with reading_log(audit_settings(home, tenant)) as log:
        last = log.latest(1)
    say(f"{last[0].seq}:{last[0].hash}" if last else "0:")
    return Exit.OK


def accept_loss(home: Path | None, tenant: str | None) -> Exit:
    """Goes on with a log that lost records; the loss is recorded for good. Where none is lost nothing is written."""
    from footnotary.audit.log import AuditLog
    from footnotary.wiring import audit_head, open_audit_signer, tenant_folder

    settings = audit_settings(home, tenant)
    path, head = tenant_folder(settings) / "audit.db", audit_head(settings)
    if not path.exists() and not head.exists():  # a head alone knows of a log that is gone
        raise UsageError(f"there is no audit log at {path}", hint="ask something first, or name another home")
    if path.exists():
        with reading_log(settings) as log:
            if not log.loss():
                raise UsageError(f"nothing is lost: {path} reaches its head", hint="see `footnotary audit verify`")
    log = AuditLog(path, head, open_audit_signer(settings), must_be_whole=False)
    try:
        record = log.accept_loss("command line")
    finally:
        log.close()
    note(f"record {record.seq} says what was lost; the log goes on behind it")
    return Exit.OK


def export_feedback(home: Path | None, tenant: str | None) -> Exit:
    """What people judged, as rows that `footnotary eval grounding` reads."""
    from footnotary.audit.dataset import labelled_rows
    from footnotary.audit.feedback import FeedbackStore
    from footnotary.wiring import tenant_folder

    settings = audit_settings(home, tenant)
    with reading_log(settings) as log:
        feedback = FeedbackStore(tenant_folder(settings) / "feedback.db")
        try:
            for row in labelled_rows(log, feedback):
                print(json.dumps(row))
        finally:
            feedback.close()
    return Exit.OK


def _find(log: AuditLog, wanted: str) -> AuditRecord:
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 16:
        found = next(iter(log.records(int(wanted) - 1, 1)), None)
        record = found if found and found.seq == int(wanted) else None
    else:
        record = log.find(wanted)
    if record is None:
        raise UsageError(f"there is no record of {wanted!r}", hint="`footnotary audit list` shows what there is")
    return record


def _record(record: AuditRecord) -> dict[str, Any]:
    return record.says | {"hash": record.hash, "signature": record.signature}


def _missing(log: AuditLog, anchor: str) -> Broken | None:
    """What is wrong where an anchor, `NUMBER:HASH` or a bundle, is not in the log."""
    from footnotary.audit.bundle import statement_in
    from footnotary.audit.chain import Broken

    if Path(anchor).is_file():
        try:
            record = statement_in(envelope_in(Path(anchor)))["predicate"]["record"]
            seq, digest = int(record["seq"]), str(record["hash"])
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{anchor} is no bundle", hint="an anchor is NUMBER:HASH or a bundle") from None
    else:
        number, _, digest = anchor.partition(":")
        if not number.isdecimal():
            raise UsageError(f"{anchor!r} is no anchor", hint="an anchor is NUMBER:HASH or a bundle")
        seq = int(number)
    if seq == 0:
        return None
    held = next(iter(log.records(seq - 1, 1)), None)
    if held is None or held.seq != seq:
        return Broken(seq, "it is missing: the anchor knows it")
    return None if held.hash == digest else Broken(seq, "the anchor knows another one")
