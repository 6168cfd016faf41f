"""The options of the commands of `models`: what is installed, and the server of the largest reader."""

from pathlib import Path
from typing import Annotated

import typer

from footnotary.cli import options as o


def models_list(home: o.Home = None, json: o.Json = False) -> None:
    """List the tiers of the verifier, the installed models, and what `xl` still needs."""
    from footnotary.cli.operations.models import list_models

    raise typer.Exit(list_models(home, as_json=json))


def models_add(
    path: Annotated[Path, typer.Argument(help="Qwen2.5-Coder-1.5B-Instruct, a .gguf file.")],
    home: o.Home = None,
    json: o.Json = False,
) -> None:
    """Check the base model of `xl`, by its hash or its tensors, and remember where it is."""
    from footnotary.cli.operations.models import add_base_model

    raise typer.Exit(add_base_model(home, path, as_json=json))


def models_start(
    home: o.Home = None,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port on this machine.")] = 8611,
) -> None:
    """Run the base model with the adapter on this machine, until Ctrl-C."""
    from footnotary.cli.operations.models import start_server

    raise typer.Exit(start_server(home, port))


def models_export(
    peft: Annotated[Path | None, typer.Option("--peft", help="Folder for vLLM.", show_default=False)] = None,
    gguf: Annotated[Path | None, typer.Option("--gguf", help="File for llama.cpp.", show_default=False)] = None,
) -> None:
    """Write the adapter for a server of your own."""
    from footnotary.cli.operations.models import export_adapter

    raise typer.Exit(export_adapter(peft, gguf))
