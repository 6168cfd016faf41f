"""Maintenance of a tenant's store: `migrate`, `reindex`, `reembed`, `examine`, `backup` and `restore`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import counted, note, print_json, say
from footnotary.errors import StoreCorrupt, UsageError

if TYPE_CHECKING:
    from footnotary.settings import Settings

STORES = ("embedded", "qdrant")
_HEADS_FOLDER = "heads"


def run_migrate(to: str, home: Path | None, tenant: str | None, project: str | None, *, as_json: bool) -> ExitCode:
    """Copies one project, or all of the tenant's projects, from the other store; prints one line per project."""
    from footnotary.index.migration import migrate
    from footnotary.settings import load_settings
    from footnotary.wiring import open_built_store, open_store_like

    if to not in STORES:
        raise UsageError(f"unknown store {to!r}", hint=f"choose from {', '.join(STORES)}")
    settings = load_settings({"home": home, "tenant": tenant})
    origin = replace(settings, store=next(name for name in STORES if name != to))
    with (
        closing(open_built_store(origin, read_only=True)) as source,
        closing(open_store_like(replace(settings, store=to), source)) as target,
    ):
        done = [migrate(source, target, name) for name in ([project] if project else source.projects())]
    if as_json:
        print_json({"to": to, "projects": [asdict(one) for one in done]})
        return ExitCode.OK
    for one in done:
        held = f"{counted(one.documents, 'document')}, {counted(one.passages, 'passage')}"
        say(f"{one.project}: {held}, {one.copied} copied now; {one.digest}")
        if one.former:
            note(f"{one.former} former versions stay in the {origin.store} store")
    note(f"set FOOTNOTARY_STORE={to} to use the copy; nothing was deleted from the {origin.store} store")
    return ExitCode.OK


def run_reindex(project: str, home: Path | None, tenant: str | None, *, as_json: bool) -> ExitCode:
    """Rebuilds a project's collection on the server, and switches to it at the end."""
    from footnotary.settings import load_settings
    from footnotary.wiring import open_qdrant_store

    settings = load_settings({"home": home, "tenant": tenant})
    if settings.store != "qdrant":
        raise UsageError(
            "the embedded store updates its indexes itself",
            hint="to rebuild them, delete the tenant's folder `derived`; for Qdrant, set FOOTNOTARY_STORE=qdrant",
        )
    with closing(open_qdrant_store(settings)) as store:
        done = store.reindex(project)
    if as_json:
        print_json(asdict(done))
    else:
        held = f"{counted(done.documents, 'document')}, {counted(done.passages, 'passage')}"
        say(f"{done.project}: {held}, {done.late} changed meanwhile")
    return ExitCode.OK


def run_reembed(home: Path | None, tenant: str | None, embedder: str | None, *, as_json: bool) -> ExitCode:
    """Embeds every passage of the tenant again, with the embedder in the settings."""
    from footnotary.app.reembed import reembed
    from footnotary.cli.progress import progress_counter
    from footnotary.settings import load_settings
    from footnotary.wiring import open_embedder, tenant_folder

    settings = load_settings({"home": home, "tenant": tenant, "embedder": embedder})
    if settings.store != "embedded":
        raise UsageError(
            "passages on Qdrant cannot be re-embedded in place",
            hint="run `footnotary migrate --to embedded`, then `reembed`, then migrate back into an empty collection",
        )
    with progress_counter("embedding") as report_progress:
        done = reembed(tenant_folder(settings), open_embedder(settings.embedder), report_progress)
    if as_json:
        print_json(asdict(done))
    elif done.before == done.now:
        say(f"{counted(done.passages, 'passage')} already embedded with {done.now}")
    else:
        held = counted(done.passages, "passage")
        say(f"{held}, {counted(done.embedded, 'text')} embedded now: {done.now} replaces {done.before}")
    return ExitCode.OK


def run_examine(home: Path | None, tenant: str | None, project: str | None, *, as_json: bool) -> ExitCode:
    """Examines the passages of one project, or of all, and prints what is flagged."""
    from footnotary.cli.library.ingest import note_flagged
    from footnotary.settings import load_settings
    from footnotary.wiring import opened

    settings = load_settings({"home": home, "tenant": tenant})
    with opened(settings) as open_:
        names = [project] if project else open_.store.projects()
        done = {name: dict(open_.corpus.examine(name)) for name in names}
    if as_json:
        print_json({"projects": done})
        return ExitCode.OK
    for name, documents in done.items():
        flagged = sum(map(len, documents.values()))
        say(f"{name}: {counted(len(documents), 'document')} examined, {counted(flagged, 'flagged sentence')}")
        for document_id, texts in documents.items():
            note_flagged(document_id, texts)
    return ExitCode.OK


def run_backup(into: Path, home: Path | None, tenant: str | None, *, as_json: bool) -> ExitCode:
    """Copies the tenant's databases; they may be in use."""
    from footnotary.index.sqlite.backup import back_up
    from footnotary.settings import load_settings
    from footnotary.wiring import tenant_folder

    settings = load_settings({"home": home, "tenant": tenant})
    folder = tenant_folder(settings)
    if not (folder / "truth.db").is_file():
        raise UsageError(f"no embedded store in {folder}", hint="for Qdrant, use its own snapshots")
    # The head of the audit chain first: a log may be longer than its head says, but never shorter.
    databases = _chain_head(settings) | {path.name: path for path in sorted(folder.glob("*.db"))}
    kept = back_up({name: path for name, path in databases.items() if path.is_file()}, into, datetime.now(UTC))
    if as_json:
        print_json([asdict(one) for one in kept])
    else:
        for one in kept:
            say(f"{one.sha256}  {one.bytes:>12}  {one.name}")
        note(
            "the backup does not contain signing.key, keys.db and the uploaded files: "
            f"back up those, and {folder / 'uploads'}, separately"
        )
    return ExitCode.OK


def run_restore(backup: Path, home: Path | None, tenant: str | None, *, as_json: bool) -> ExitCode:
    """Restores a backup into a data directory without this tenant, and checks every passage."""
    from footnotary.index.sqlite.backup import read_backup, restore_backup
    from footnotary.settings import load_settings
    from footnotary.wiring import open_built_store, tenant_folder

    settings = replace(load_settings({"home": home, "tenant": tenant}), store="embedded")
    folder = tenant_folder(settings)
    names = [one.name for one in read_backup(backup)]
    kept = restore_backup(backup, _chain_head(settings) | {name: folder / name for name in names if "/" not in name})
    with closing(open_built_store(settings)) as store:
        problems = store.check(deep=True)
        counts = {project: len(store.documents(project)) for project in store.projects()}
    if problems:
        raise StoreCorrupt("; ".join(problems[:5]), hint="use another backup")
    if as_json:
        print_json({"files": [asdict(one) for one in kept], "documents": counts})
    else:
        say(
            f"{counted(len(kept), 'file')}; "
            + (", ".join(f"{name} ({counted(n, 'document')})" for name, n in counts.items()) or "empty")
        )
        note(
            "signing.key, keys.db and the uploaded files are not in a backup: "
            f"copy signing.key into {settings.home} before you ask a question, "
            f"and your copies of the uploaded files into {folder / 'uploads'}"
        )
    return ExitCode.OK


def _chain_head(settings: Settings) -> dict[str, Path]:
    from footnotary.wiring import audit_head

    path = audit_head(settings)
    return {f"{_HEADS_FOLDER}/head.db": path}
