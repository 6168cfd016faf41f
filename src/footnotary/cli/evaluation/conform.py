"""`conform`: tests any answering system against the contract and prints a scorecard."""

from __future__ import annotations

import errno
import json
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.cli.progress import progress_counter
from footnotary.errors import BackendError, UsageError

if TYPE_CHECKING:
    from footnotary.conform.case import Case, Tenant
    from footnotary.conform.runner import CaseResult, TargetRun
    from footnotary.conform.scripted_model_server import ScriptedModelServer
    from footnotary.conform.target import Target

_START_TIMEOUT_S = 60


def run_conform(
    targets: Sequence[str],
    *,
    cases: Path | None,
    families: Sequence[str],
    profile: str | None,
    model: str,
    keys: Sequence[str],
    refusal: str | None,
    generator_port: int,
    out: Path | None,
    as_json: bool,
) -> ExitCode:
    """Runs the cases against each target in turn; exit code 4 if one violated the contract or failed.

    Raises `BackendError` if no target ever replied, which says nothing about the contract, or if the scripted model
    cannot bind its port.
    """
    from footnotary.conform.case_files import read_cases, shipped_cases
    from footnotary.conform.scorecard import FAMILIES, conformance_report, failure_lines, run_record, scorecard
    from footnotary.conform.scripted_model_server import ScriptedModelServer

    if unknown := [family for family in families if family not in FAMILIES]:
        raise UsageError(f"unknown family {unknown[0]!r}", hint=f"choose from {', '.join(FAMILIES)}")
    played = [
        one for one in (read_cases(cases) if cases else shipped_cases()) if not families or one.family in families
    ]
    if not played:
        raise UsageError("no case selected", hint="omit --family, or name another")
    runs: list[TargetRun] = []
    try:
        model_of_cases = ScriptedModelServer(generator_port)
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be listened on: {error.strerror}"
        raise BackendError(
            f"127.0.0.1:{generator_port} {why}",
            hint="choose another with --generator-port; --generator-port 0 picks a free one",
        ) from None
    with model_of_cases as scripted:
        if any(_is_url(name) for name in targets):
            note(f"configure the target to use the scripted model: {scripted.base_url} (any key)")
        for name in targets:
            opens = _open_target(name, scripted.base_url, profile or "default", model, keys)
            with opens as target:
                runs.append(_run_cases(target, scripted, played, refusal))
    if (silent := runs[0].connection_error) and all(run.connection_error for run in runs):
        raise silent
    record = {"cases": len(played), "runs": [run_record(run) for run in runs]}
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / "conformance.md").write_text(conformance_report(runs), encoding="utf-8")
        (out / "conformance.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if as_json:
        print_json(record)
    else:
        say(scorecard(runs))
        for run in runs:
            for line in failure_lines(run):
                say(f"{run.target}: {line}")
    return ExitCode.OK if all(run.keeps for run in runs) else ExitCode.VIOLATION


def _run_cases(target: Target, scripted: ScriptedModelServer, cases: Sequence[Case], refusal: str | None) -> TargetRun:
    from footnotary.conform.runner import run_cases

    with progress_counter("cases") as step:
        done: list[CaseResult] = []

        def on_result(result: CaseResult) -> None:
            done.append(result)
            if step is not None:
                step(len(done), len(cases))

        return run_cases(target, scripted, cases, refusal=refusal, step=on_result)


def _open_target(
    name: str, base_url: str, profile: str, model: str, keys: Sequence[str]
) -> AbstractContextManager[Target]:
    if name == "engine":
        from footnotary.conform.engine_target import engine_target
        from footnotary.settings import load_settings

        return engine_target(base_url, load_settings({"profile": profile}))
    if name == "service":
        return temporary_service(base_url, profile)
    if _is_url(name):
        from footnotary.conform.http_target import HttpTarget

        held: dict[Tenant, str] = dict(zip(("first", "second"), keys, strict=False))
        return nullcontext(HttpTarget(name, model, held))
    from footnotary.conform.target import load_target_factory

    return load_target_factory(name)(base_url)


def _is_url(name: str) -> bool:
    return name.startswith(("http://", "https://"))


@contextmanager
def temporary_service(base_url: str, profile: str) -> Generator[Target]:
    """A temporary service on loopback with keys of two tenants and an empty data directory."""
    from footnotary.cli.operations.serve import require_installed

    require_installed()
    import uvicorn

    from footnotary.conform.http_target import HttpTarget
    from footnotary.conform.scripted_model_server import MODEL_NAME
    from footnotary.service.app import create_app
    from footnotary.service.auth.api_keys import ApiKeyStore
    from footnotary.service.state import ServiceState
    from footnotary.settings import load_settings

    with tempfile.TemporaryDirectory() as folder:
        given = {"home": Path(folder), "profile": profile, "model": MODEL_NAME, "base_url": base_url, "api_key": "none"}
        settings = load_settings(given | {"rate_per_minute": 0})
        ring = ApiKeyStore(settings.home)
        keys: dict[Tenant, str] = {tenant: ring.create(tenant, "reader")[1] for tenant in ("first", "second")}
        ring.close()
        app = create_app(ServiceState(settings))
        server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", access_log=False))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            port = _listening_port(server, thread)
            yield HttpTarget(f"http://127.0.0.1:{port}/v1", f"guard@{profile}", keys, label="Footnotary, service")
        finally:
            server.should_exit = True
            thread.join(_START_TIMEOUT_S)


def _listening_port(server: object, thread: threading.Thread) -> int:
    import uvicorn

    assert isinstance(server, uvicorn.Server)
    until = time.monotonic() + _START_TIMEOUT_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > until:
            raise BackendError("the service did not start", hint="run `footnotary doctor` to see what is missing")
        time.sleep(0.02)
    return int(server.servers[0].sockets[0].getsockname()[1])
