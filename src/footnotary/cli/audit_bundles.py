"""`audit export`, `check`, `replay` and `key`: evidence bundles, which others can check without the data directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from footnotary.cli.audit_home import audit_settings, envelope_in, key_to_check_with, reading_log
from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, note, say
from footnotary.errors import UsageError


def export_bundle(answer_id: str, home: Path | None, tenant: str | None, *, out: Path | None) -> Exit:
    """Writes the evidence bundle of an answer to standard output or a file."""
    from footnotary.audit.bundle import make
    from footnotary.audit.canonical import canonical
    from footnotary.audit.signing import read_signer
    from footnotary.wiring import signing_key

    settings = audit_settings(home, tenant)
    with reading_log(settings) as log:
        record, content = log.find(answer_id), log.content(answer_id)
    if record is None or content is None:
        raise UsageError(f"no stored content for {answer_id!r}", hint="see `footnotary audit list`")
    envelope = canonical(make(record, content, read_signer(signing_key(settings)))).decode("ascii")
    if out is None:
        print(envelope)
        return Exit.OK
    try:
        out.write_text(envelope + "\n", encoding="ascii")
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}", hint="choose another file") from None
    note(f"bundle: {out}")
    return Exit.OK


def check_bundle(path: Path, home: Path | None, *, key_file: Path | None, as_json: bool) -> Exit:
    """Runs every check on a bundle, offline; exit code 4 if one fails."""
    from footnotary.audit.bundle import check

    key = key_to_check_with(home, key_file)
    findings = check(envelope_in(path), key)
    holds = all(finding.passed for finding in findings)
    if as_json:
        named = [{"check": f.check, "passed": f.passed, "problem": f.problem or None} for f in findings]
        emit_json({"holds": holds, "findings": named})
    else:
        for finding in findings:
            say(f"{'✓' if finding.passed else '✗'} {finding.check}" + (f": {finding.problem}" * bool(finding.problem)))
    return Exit.OK if holds else Exit.VIOLATION


def replay_bundle(path: Path, home: Path | None, *, key_file: Path | None, as_json: bool) -> Exit:
    """Derives the outcome of a bundle again; exit code 4 if it differs, or if the bundle is not valid."""
    from footnotary import __version__
    from footnotary.audit.bundle import check, content_in
    from footnotary.replay import Same, replay
    from footnotary.wiring import open_replay

    envelope = envelope_in(path)
    key = key_to_check_with(home, key_file)
    failed = [finding for finding in check(envelope, key) if not finding.passed]
    if failed:
        found: dict[str, Any] = {"same": False, "differs": failed[0].check, "detail": failed[0].problem}
    else:
        content = content_in(envelope)
        if content["software"] != __version__:
            note(f"the bundle was made by version {content['software']}; this is version {__version__}")
        result = replay(content, open_replay(audit_settings(home, None)))
        if isinstance(result, Same):
            found = {"same": True, "rederived": list(result.rederived)}
        else:
            found = {"same": False, "differs": result.what, "detail": result.detail}
    if as_json:
        emit_json(found)
    elif found["same"]:
        say(f"same: {', '.join(found['rederived'])} match the record")
    else:
        say(f"differs: {found['differs']}: {found['detail']}")
    return Exit.OK if found["same"] else Exit.VIOLATION


def show_key(home: Path | None) -> Exit:
    """Prints the public key of the installation in PEM; never creates one."""
    from footnotary.audit.signing import read_signer
    from footnotary.wiring import signing_key

    say(read_signer(signing_key(audit_settings(home, None))).public.pem().rstrip())
    return Exit.OK
