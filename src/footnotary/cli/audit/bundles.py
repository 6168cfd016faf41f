"""`audit export`, `check`, `replay` and `key`: evidence bundles, which others can check without the data directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from footnotary.cli.audit.log_access import audit_settings, open_log_read_only, read_envelope, verification_key
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.errors import UsageError


def export_bundle(answer_id: str, home: Path | None, tenant: str | None, *, out: Path | None) -> ExitCode:
    """Writes the evidence bundle of an answer to standard output or a file."""
    from footnotary.audit.bundle import make_bundle
    from footnotary.audit.canonical_json import canonical_json
    from footnotary.audit.signing import read_signer
    from footnotary.wiring import signing_key

    settings = audit_settings(home, tenant)
    with open_log_read_only(settings) as log:
        record, content = log.find(answer_id), log.content(answer_id)
    if record is None or content is None:
        raise UsageError(f"no stored content for {answer_id!r}", hint="see `footnotary audit list`")
    envelope = canonical_json(make_bundle(record, content, read_signer(signing_key(settings)))).decode("ascii")
    if out is None:
        print(envelope)
        return ExitCode.OK
    try:
        out.write_text(envelope + "\n", encoding="ascii")
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}", hint="choose another file") from None
    note(f"bundle: {out}")
    return ExitCode.OK


def check_bundle(path: Path, home: Path | None, *, key_file: Path | None, as_json: bool) -> ExitCode:
    """Runs every check on a bundle, offline; exit code 4 if one fails."""
    from footnotary.audit.bundle import verify_bundle

    key = verification_key(home, key_file)
    findings = verify_bundle(read_envelope(path), key)
    holds = all(finding.passed for finding in findings)
    if as_json:
        named = [{"check": f.check, "passed": f.passed, "problem": f.problem or None} for f in findings]
        print_json({"holds": holds, "findings": named})
    else:
        for finding in findings:
            say(f"{'✓' if finding.passed else '✗'} {finding.check}" + (f": {finding.problem}" * bool(finding.problem)))
    return ExitCode.OK if holds else ExitCode.VIOLATION


def replay_bundle(path: Path, home: Path | None, *, key_file: Path | None, as_json: bool) -> ExitCode:
    """Derives the outcome of a bundle again; exit code 4 if it differs, or if the bundle is not valid."""
    from footnotary import __version__
    from footnotary.audit.bundle import content_in, verify_bundle
    from footnotary.replay import ReplayMatch, replay
    from footnotary.wiring import open_replay

    envelope = read_envelope(path)
    key = verification_key(home, key_file)
    failed = [finding for finding in verify_bundle(envelope, key) if not finding.passed]
    if failed:
        found: dict[str, Any] = {"same": False, "differs": failed[0].check, "detail": failed[0].problem}
    else:
        content = content_in(envelope)
        if content["software"] != __version__:
            note(f"the bundle was made by version {content['software']}; this is version {__version__}")
        result = replay(content, open_replay(audit_settings(home, None)))
        if isinstance(result, ReplayMatch):
            found = {"same": True, "rederived": list(result.recomputed_steps)}
        else:
            found = {"same": False, "differs": result.what, "detail": result.detail}
    if as_json:
        print_json(found)
    elif found["same"]:
        say(f"same: {', '.join(found['rederived'])} match the record")
    else:
        say(f"differs: {found['differs']}: {found['detail']}")
    return ExitCode.OK if found["same"] else ExitCode.VIOLATION


def show_key(home: Path | None) -> ExitCode:
    """Prints the public key of the installation in PEM; never creates one."""
    from footnotary.audit.signing import read_signer
    from footnotary.wiring import signing_key

    say(read_signer(signing_key(audit_settings(home, None))).public.pem().rstrip())
    return ExitCode.OK
