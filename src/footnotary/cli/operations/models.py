"""`models`: which trained models are there, and the largest reader on a server of this machine."""

from __future__ import annotations

import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.errors import UsageError
from footnotary.models.base_model import AdapterBase, add_base, find_base, require_base
from footnotary.models.llama_server import INSTALL_HINT, RunningServer, find_runtime, require_runtime, server_command
from footnotary.models.lora_adapter import read_adapter, unpack_adapter, write_peft
from footnotary.models.model_packages import SHIPPED_MODELS, find_model, locate_model
from footnotary.reader.language_model.server import DEFAULT_URL, XL_MODEL
from footnotary.reader.language_model.xl import ADAPTER_FILE, read_xl_config
from footnotary.settings import load_settings
from footnotary.wiring import models_folder

_TIERS = {
    "xl": "a language model of 1.5 billion parameters with our adapter, on a server",
    "large": "110 million parameters, here",
    "small": "22 million parameters, here; quick",
    "endpoint": "any language model on a server that returns log-probabilities, once it is calibrated",
    "lexical": "no model",
}


def list_models(home: Path | None, *, as_json: bool) -> ExitCode:
    """Prints what there is; what is missing is not an error."""
    installed = [_installed(name) for name in SHIPPED_MODELS]
    base, runtime, adapter = find_base(_folder(home)), find_runtime(), _adapter_file()
    if as_json:
        xl = {"adapter": adapter is not None, "base": base and _base_record(base), "runtime": runtime and runtime.name}
        print_json({"tiers": _TIERS, "models": installed, "xl": xl})
        return ExitCode.OK
    say("verifier =")
    for tier, about in _TIERS.items():
        say(f'  "{tier}": {about}')
    say("installed:")
    for one in installed:
        place = one["folder"] or f"not installed: pip install {one['package']}"
        say(f"  {one['name']}: {place}")
    say("for xl:")
    say(f"  adapter: {adapter or 'not installed: pip install footnotary-models-xl'}")
    say(f"  base model: {f'{base.path}: {base.described}' if base else 'none: footnotary models add PATH'}")
    say(f"  server: {runtime.name if runtime else f'none here: {INSTALL_HINT}'}")
    return ExitCode.OK


def add_base_model(home: Path | None, path: Path, *, as_json: bool) -> ExitCode:
    """Checks and records the file; nothing changes where it does not fit."""
    if not path.is_file():
        raise UsageError(f"{path} is not a file", hint="give the .gguf file of the base model")
    found = add_base(path, _folder(home))
    if as_json:
        print_json(_base_record(found))
    else:
        say(f"added: {found.described}")
        note("next: footnotary models start")
    return ExitCode.OK


def start_server(home: Path | None, port: int) -> ExitCode:
    """Runs the server in the foreground and prints the setting to use; Ctrl-C or a termination signal ends it."""
    folder = _folder(home)
    base, runtime = require_base(folder), require_runtime()
    adapter = unpacked_adapter(folder)
    log = folder / "server.log"
    command = server_command(runtime, Path(base.path), adapter, XL_MODEL, port)
    note(f"starting {runtime.name} with {base.described}; it logs to {log}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it would leave the server behind otherwise
    try:
        with RunningServer(command, port, log) as server:
            say('verifier = "xl"')
            if server.url != DEFAULT_URL:
                say(f'verifier_url = "{server.url}"')
            note("ready: put this into footnotary.toml, or set FOOTNOTARY_VERIFIER=xl; Ctrl-C ends the server")
            status = server.wait()
    except KeyboardInterrupt:
        note("ended")
        return ExitCode.OK
    note(f"the server ended with status {status}; see {log}")
    return ExitCode.FAILURE


def export_adapter(peft: Path | None, gguf: Path | None) -> ExitCode:
    """Writes the adapter in the forms that are asked for."""
    if peft is None and gguf is None:
        raise UsageError("nothing to write", hint="--peft FOLDER for vLLM, --gguf FILE for llama.cpp")
    with tempfile.TemporaryDirectory() as scratch:
        unpacked = unpacked_adapter(Path(scratch))
        try:
            if peft is not None:
                write_peft(*read_adapter(unpacked), peft)
                say(str(peft))
                note(
                    f"vllm serve MODEL --enable-lora --max-lora-rank 8 --lora-modules {XL_MODEL}={peft}, "
                    "where MODEL is Qwen/Qwen2.5-Coder-1.5B-Instruct"
                )
            if gguf is not None:
                shutil.copyfile(unpacked, gguf)
                say(str(gguf))
                note(f"llama-server -m BASE.gguf --lora {gguf} --alias {XL_MODEL} -c 8192 -np 1 --port 8611")
        except OSError as error:
            raise UsageError(f"{error.filename} cannot be written: {error.strerror}", hint="choose another") from None
    return ExitCode.OK


def unpacked_adapter(folder: Path) -> Path:
    """The adapter as llama.cpp loads it. Raises `UsageError` where it is not installed."""
    weights = locate_model("reader-xl")
    return unpack_adapter(weights / ADAPTER_FILE, read_xl_config(weights).adapter_sha256, folder)


def _folder(home: Path | None) -> Path:
    return models_folder(load_settings({"home": home}))


def _adapter_file() -> Path | None:
    try:
        file = locate_model("reader-xl") / ADAPTER_FILE
    except UsageError:
        return None
    return file if file.is_file() else None


def _installed(name: str) -> dict[str, Any]:
    model = SHIPPED_MODELS[name]
    try:
        found = find_model(name)
    except UsageError:
        return {"name": name, "package": model.package, "version": None, "folder": None}
    return {"name": name, "package": model.package, "version": found.version, "folder": str(found.folder)}


def _base_record(base: AdapterBase) -> dict[str, Any]:
    return {"path": base.path, "sha256": base.sha256, "exact": base.exact, "name": base.name}
