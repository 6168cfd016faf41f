"""The options of the commands that run an installation: its health, copies, servers and `keys`."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o


def doctor(
    home: o.Home = None,
    embedder: o.EmbedderName = None,
    deep: Annotated[
        bool, typer.Option("--deep", help="Also compare every passage, vector and word with what was stored; slower.")
    ] = False,
    json: o.Json = False,
) -> None:
    """Check the installation, the weights and, by its form and counts, the index."""
    from footnotary.cli.operations.doctor import run_doctor

    raise typer.Exit(run_doctor(home, embedder, deep=deep, as_json=json))


def migrate(
    to: Annotated[str, typer.Option("--to", help="embedded or qdrant: where documents are copied to.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    project: Annotated[
        str | None, typer.Option("--project", "-p", help="Only this project.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Copy documents from one store to the other, checked by counts and hashes; may be repeated."""
    from footnotary.cli.operations.maintenance import run_migrate

    raise typer.Exit(run_migrate(to, home, tenant, project, as_json=json))


def reindex(
    project: Annotated[str, typer.Option("--project", "-p", help="The project.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Build a project's collection on Qdrant anew, as the settings spread it, while it is in use."""
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
    """Embed every passage anew for another embedder; may be interrupted. Restart what has the store open."""
    from footnotary.cli.operations.maintenance import run_reembed

    raise typer.Exit(run_reembed(home, tenant, embedder, as_json=json))


def backup(
    into: Annotated[Path, typer.Argument(help="An empty folder, or one to be made.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Copy a tenant's documents and records into a folder, while everything goes on."""
    from footnotary.cli.operations.maintenance import run_backup

    raise typer.Exit(run_backup(into, home, tenant, as_json=json))


def restore(
    backup: Annotated[Path, typer.Argument(help="What `backup` wrote.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Put a backup into a home where the tenant is not yet, and check every passage."""
    from footnotary.cli.operations.maintenance import run_restore

    raise typer.Exit(run_restore(backup, home, tenant, as_json=json))


def serve(
    home: o.Home = None,
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on.", show_default=False)] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Port to listen on (8081).", show_default=False)
    ] = None,
    embedder: o.EmbedderName = None,
    model: o.Model = None,
) -> None:
    """Run the HTTP service and the page: on this machine only, until a key was made."""
    from footnotary.cli.operations.serve import run_serve

    raise typer.Exit(run_serve(home, host, port, embedder, model))


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
    tenant: Annotated[str, typer.Option("--tenant", help="Whose documents it opens.")] = "local",
    role: Annotated[str, typer.Option("--role", help="reader, writer or admin.")] = "reader",
    name: Annotated[str, typer.Option("--name", help="What it is for, for the list.", show_default=False)] = "",
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=36_500, help="Ends after so many.", show_default=False)
    ] = None,
    home: o.Home = None,
    json: o.Json = False,
) -> None:
    """Make a key and print it, for the only time."""
    from footnotary.cli.operations.api_keys import create_key

    raise typer.Exit(create_key(home, tenant, role, name, days, as_json=json))


def keys_list(home: o.Home = None, json: o.Json = False) -> None:
    """Every key there ever was, without its secret."""
    from footnotary.cli.operations.api_keys import list_keys

    raise typer.Exit(list_keys(home, as_json=json))


def keys_revoke(key: Annotated[str, typer.Argument(help="Its id.")], home: o.Home = None, json: o.Json = False) -> None:
    """End a key; a service that runs refuses it from the next request on."""
    from footnotary.cli.operations.api_keys import revoke_key

    raise typer.Exit(revoke_key(home, key, as_json=json))
