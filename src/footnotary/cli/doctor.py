"""`doctor`: whether everything is in its place, and what to do where it is not."""

import platform
import sqlite3
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, say
from footnotary.errors import FootnotaryError, UsageError
from footnotary.profiles.load import BUILT_IN, load_profile
from footnotary.settings import Settings, load_settings
from footnotary.verify.run import checks_for
from footnotary.wiring import open_embedder, open_store


def run_doctor(home: Path | None, embedder: str | None, *, as_json: bool) -> Exit:
    """Prints one line per finding; 1 where anything is wrong."""
    settings = load_settings({"home": home, "embedder": embedder})
    findings = [_finding(name, look, settings) for name, look in _LOOKS]
    if as_json:
        emit_json([{"check": name, "ok": ok, "detail": detail} for name, ok, detail in findings])
    else:
        for name, ok, detail in findings:
            say(f"{'✓' if ok else '✗'} {name}: {detail}")
    return Exit.OK if all(ok for _, ok, _ in findings) else Exit.FAILURE


def _finding(name: str, look: Callable[[Settings], str], settings: Settings) -> tuple[str, bool, str]:
    try:
        return name, True, look(settings)
    except FootnotaryError as error:
        return name, False, str(error)


def _software(_: Settings) -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("onnxruntime", "tokenizers", "tantivy", "numpy"))
    return f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {libraries}"


def _profiles(settings: Settings) -> str:
    for name in (*BUILT_IN, settings.profile):
        checks_for(load_profile(name))
    return f"{', '.join(BUILT_IN)} load and keep the contract"


def _weights(settings: Settings) -> str:
    embedder = open_embedder(settings.embedder)
    vector = embedder.embed_question("Is everything in its place?")
    return f"{embedder.name} gives vectors of {len(vector)} dimensions"


def _home(settings: Settings) -> str:
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        probe = settings.home / ".doctor"
        probe.write_text("ok", encoding="utf-8")
        probe.unlink()
    except OSError as error:
        raise UsageError(f"{settings.home} cannot be written: {error}", hint="choose another with --home") from None
    return f"{settings.home} can be written"


def _index(settings: Settings) -> str:
    embedder = open_embedder(settings.embedder)
    store = open_store(settings, embedder)
    try:
        problems = store.check(deep=True)
        if problems:
            raise UsageError("; ".join(problems[:5]), hint="index the documents again: footnotary ingest PATH")
        counts = [f"{project} ({len(store.documents(project))} documents)" for project in store.projects()]
        return ", ".join(counts) or "empty so far"
    finally:
        store.close()


_LOOKS: tuple[tuple[str, Callable[[Settings], str]], ...] = (
    ("software", _software),
    ("profiles", _profiles),
    ("home", _home),
    ("weights", _weights),
    ("index", _index),
)
