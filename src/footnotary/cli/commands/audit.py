"""The options of `audit`."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o


def audit_list(
    home: o.Home = None,
    tenant: o.Tenant = None,
    limit: Annotated[
        int,
        typer.Option("--limit", "-n", min=1, max=100_000, help="How many of the latest records, printed oldest first."),
    ] = 50,
    json: o.Json = False,
) -> None:
    """List the latest records: number, time, answer id, outcome, question."""
    from footnotary.cli.audit.records import list_records

    raise typer.Exit(list_records(home, tenant, limit=limit, as_json=json))


def audit_show(
    answer: Annotated[str, typer.Argument(help="An answer's id, or a record's number.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    json: o.Json = False,
) -> None:
    """Show one record, and what was stored of the outcome."""
    from footnotary.cli.audit.records import show_record

    raise typer.Exit(show_record(answer, home, tenant, as_json=json))


def audit_verify(
    home: o.Home = None,
    tenant: o.Tenant = None,
    key: o.PublicKeyFile = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", help="NUMBER:HASH or a bundle that must be in the log.", show_default=False),
    ] = None,
    json: o.Json = False,
) -> None:
    """Verify that the log is unchanged; exit 4 and the first bad record if it is not."""
    from footnotary.cli.audit.records import verify_log

    raise typer.Exit(verify_log(home, tenant, key_file=key, anchors=anchor or [], as_json=json))


def audit_head(home: o.Home = None, tenant: o.Tenant = None) -> None:
    """Print the chain head as NUMBER:HASH, an anchor to keep elsewhere."""
    from footnotary.cli.audit.records import show_head

    raise typer.Exit(show_head(home, tenant))


def audit_key(home: o.Home = None) -> None:
    """Print the public key that verifies bundles and records."""
    from footnotary.cli.audit.bundles import show_key

    raise typer.Exit(show_key(home))


def audit_export(
    answer: Annotated[str, typer.Argument(help="The answer's id.")],
    home: o.Home = None,
    tenant: o.Tenant = None,
    out: Annotated[Path | None, typer.Option("--out", help="File to write.", show_default=False)] = None,
) -> None:
    """Write the signed evidence bundle of an answer: everything it is based on."""
    from footnotary.cli.audit.bundles import export_bundle

    raise typer.Exit(export_bundle(answer, home, tenant, out=out))


def audit_check(
    bundle: Annotated[Path, typer.Argument(help="What `audit export` wrote.")],
    home: o.Home = None,
    key: o.PublicKeyFile = None,
    json: o.Json = False,
) -> None:
    """Verify a bundle offline with the public key alone; exit 4 and what failed if it does not verify."""
    from footnotary.cli.audit.bundles import check_bundle

    raise typer.Exit(check_bundle(bundle, home, key_file=key, as_json=json))


def audit_replay(
    bundle: Annotated[Path, typer.Argument(help="What `audit export` wrote.")],
    home: o.Home = None,
    key: o.PublicKeyFile = None,
    json: o.Json = False,
) -> None:
    """Derive the outcome of a bundle again, bit for bit, from the recorded evidence and model output."""
    from footnotary.cli.audit.bundles import replay_bundle

    raise typer.Exit(replay_bundle(bundle, home, key_file=key, as_json=json))


def audit_feedback(home: o.Home = None, tenant: o.Tenant = None) -> None:
    """Print the feedback of users as rows of evaluation data, JSONL."""
    from footnotary.cli.audit.records import export_feedback

    raise typer.Exit(export_feedback(home, tenant))


def audit_accept_loss(home: o.Home = None, tenant: o.Tenant = None) -> None:
    """Continue a log that lost records; the loss is recorded permanently."""
    from footnotary.cli.audit.records import accept_loss

    raise typer.Exit(accept_loss(home, tenant))
