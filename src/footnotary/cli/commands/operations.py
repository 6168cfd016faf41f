"""The options of the commands that operate an installation: checks, backups, servers and `keys`."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o


def doctor(
    home: o.Home = None,
    embedder: o.EmbedderName = None,
    verifier: o.VerifierName = None,
    model: o.Model = None,
    base_url: o.BaseUrl = None,
    deep: Annotated[
        bool, typer.Option("--deep", help="Also verify every passage, vector and index term against the store; slower.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Make files of the data directory private that other users can read.")
    ] = False,
    json: o.Json = False,
) -> None:
    """Check the installation, the models, and the structure and counts of the index."""
    from footnotary.cli.operations.doctor import run_doctor

    code = run_doctor(home, embedder, verifier, model=model, base_url=base_url, deep=deep, fix=fix, as_json=json)
    raise typer.Exit(code)


def migrate(
    to: Annotated[str, typer.Option("--to", help="embedded or qdrant: where documents are copied to.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    project: Annotated[
        str | None, typer.Option("--project", "-p", help="Only this project.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Copy documents from one store to the other, verified by counts and hashes; can be repeated."""
    from footnotary.cli.operations.maintenance import run_migrate

    raise typer.Exit(run_migrate(to, home, tenant, project, as_json=json))


def reindex(
    project: Annotated[str, typer.Option("--project", "-p", help="The project.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Rebuild a project's Qdrant collection with the shards and replicas of the settings, while it is in use."""
    from footnotary.cli.operations.maintenance import run_reindex

    raise typer.Exit(run_reindex(project, home, tenant, as_json=json))


def reembed(
    embedder: Annotated[
        str | None, typer.Option(help="default, fast, or a folder of weights.", show_default=False)
    ] = None,
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Embed every passage again with another embedder; can be interrupted. Restart processes that use the store."""
    from footnotary.cli.operations.maintenance import run_reembed

    raise typer.Exit(run_reembed(home, tenant, embedder, as_json=json))


def examine(
    home: o.Home = None,
    tenant: o.Tenant = None,
    project: Annotated[
        str | None, typer.Option("--project", "-p", help="Only this project.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Look for instructions to the model in documents stored by an earlier version; ingest does it for new ones."""
    from footnotary.cli.operations.maintenance import run_examine

    raise typer.Exit(run_examine(home, tenant, project, as_json=json))


def backup(
    into: Annotated[Path, typer.Argument(help="An empty or new folder.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Back up a tenant's documents and records to a folder, while the store is in use."""
    from footnotary.cli.operations.maintenance import run_backup

    raise typer.Exit(run_backup(into, home, tenant, as_json=json))


def restore(
    backup: Annotated[Path, typer.Argument(help="What `backup` wrote.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Restore a backup into a data directory that does not have the tenant yet, and verify every passage."""
    from footnotary.cli.operations.maintenance import run_restore

    raise typer.Exit(run_restore(backup, home, tenant, as_json=json))


def serve(
    home: o.Home = None,
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on.", show_default=False)] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Port to listen on (8081).", show_default=False)
    ] = None,
    embedder: o.EmbedderName = None,
    verifier: o.VerifierName = None,
    model: o.Model = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, max=64, help="Processes that answer requests (1).", show_default=False),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in a browser once it is there.")] = False,
) -> None:
    """Run the HTTP service and the web page; without an API key, for this machine only."""
    from footnotary.cli.operations.serve import run_serve

    raise typer.Exit(run_serve(home, host, port, embedder, model, verifier, workers, opens_page=open_))


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Over HTTP, at /mcp of the service, instead of stdio.")] = False,
    home: o.Home = None,
    project: o.Project = None,
    profile: o.ProfileName = None,
    embedder: o.EmbedderName = None,
    model: o.Model = None,
    host: Annotated[str | None, typer.Option("--host", help="With --http: address.", show_default=False)] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="With --http: port (8081).", show_default=False)
    ] = None,
) -> None:
    """Serve the tools of the Model Context Protocol: search, answer, verify, read a source."""
    from footnotary.cli.operations.mcp import run_mcp

    given = {"home": home, "project": project, "profile": profile, "embedder": embedder, "model": model}
    raise typer.Exit(run_mcp({**given, "host": host, "port": port}, http=http))


def keys_create(
    tenant: Annotated[str, typer.Option("--tenant", help="Tenant whose documents the key can access.")] = "local",
    role: Annotated[str, typer.Option("--role", help="reader, writer or admin.")] = "reader",
    name: Annotated[str, typer.Option("--name", help="Label shown in the list.", show_default=False)] = "",
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=36_500, help="Days until it expires.", show_default=False)
    ] = None,
    home: o.Home = None,
    json: o.Json = False,
) -> None:
    """Create an API key and print it once."""
    from footnotary.cli.operations.api_keys import create_key

    raise typer.Exit(create_key(home, tenant, role, name, days, as_json=json))


def keys_list(home: o.Home = None, json: o.Json = False) -> None:
    """List all API keys, revoked ones too, without their secrets."""
    from footnotary.cli.operations.api_keys import list_keys

    raise typer.Exit(list_keys(home, as_json=json))


def keys_revoke(
    key: Annotated[str, typer.Argument(help="Id of the key.")], home: o.Home = None, json: o.Json = False
) -> None:
    """Revoke a key; a running service rejects it from the next request on."""
    from footnotary.cli.operations.api_keys import revoke_key

    raise typer.Exit(revoke_key(home, key, as_json=json))
