"""Options that several commands share, written once."""

from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[Path | None, typer.Option("--home", help="Data directory with the index.", show_default=False)]
Project = Annotated[str | None, typer.Option("--project", "-p", help="Project to work in.", show_default=False)]
ProfileName = Annotated[
    str | None, typer.Option("--profile", help="default, legal, compliance, tutor, or a TOML file.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on standard output.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show every check and every quote.")]
TopK = Annotated[
    int | None, typer.Option("--top-k", "-k", min=1, max=50, help="Passages to look at.", show_default=False)
]
MinSources = Annotated[
    int | None, typer.Option("--min-sources", min=0, max=20, help="Sources needed for an answer.", show_default=False)
]
Graph = Annotated[bool, typer.Option("--graph", help="Follow cross-references between sections.")]
Strip = Annotated[bool, typer.Option("--strip", help="Remove citation markers from the text.")]
Style = Annotated[
    str | None,
    typer.Option(
        "--style", help="semantic_id, source_id, source_number, number, footnote, simple, full.", show_default=False
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model", help="Chat model to draft with, such as ollama/NAME; none means extractive.", show_default=False
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="OpenAI-compatible server of the model.", show_default=False)
]
UseLlm = Annotated[bool, typer.Option("--use-llm", help="Draft with a chat model (default gpt-4o-mini).")]
LegacyExit = Annotated[bool, typer.Option("--legacy-exit", help="Exit 0 when grounded, 1 otherwise.")]
Act = Annotated[str | None, typer.Option("--act", help="Only this act.", show_default=False)]
Section = Annotated[str | None, typer.Option("--section", help="Only this section.", show_default=False)]
Chapter = Annotated[str | None, typer.Option("--chapter", help="Only this chapter.", show_default=False)]
ClassNumber = Annotated[int | None, typer.Option("--class", help="Only books of this class.", show_default=False)]
Subject = Annotated[str | None, typer.Option("--subject", help="Only this subject.", show_default=False)]
Language = Annotated[
    str | None, typer.Option("--language", help="Only sources in this language (en, hi).", show_default=False)
]
Document = Annotated[str | None, typer.Option("--document", help="Only this document.", show_default=False)]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", metavar="DATE", help="Ask as of this day (2021-04-01); default: today.", show_default=False
    ),
]
EffectiveFrom = Annotated[
    str | None,
    typer.Option("--effective-from", metavar="DATE", help="First day in force, or none.", show_default=False),
]
EffectiveTo = Annotated[
    str | None,
    typer.Option("--effective-to", metavar="DATE", help="Last day in force, or none.", show_default=False),
]
Supersedes = Annotated[
    list[str] | None,
    typer.Option("--supersedes", metavar="DOCUMENT", help="Document they replace, or none.", show_default=False),
]
TrustRules = Annotated[
    list[str] | None,
    typer.Option(
        "--trust", metavar="LEVEL", help="official, internal or unverified; or 'laws/*=official'.", show_default=False
    ),
]
MinTrust = Annotated[
    str | None,
    typer.Option("--trust", metavar="LEVEL", help="Only documents trusted at least so far.", show_default=False),
]
VerifierName = Annotated[
    str | None,
    typer.Option("--verifier", help="xl, large, small, endpoint, lexical, or a folder of weights.", show_default=False),
]
EmbedderName = Annotated[
    str | None, typer.Option("--embedder", help="default, fast, or a folder of weights.", show_default=False)
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Worker processes.")]
PublicKeyFile = Annotated[
    Path | None,
    typer.Option("--key", help="Public key in PEM; default: that of the data directory.", show_default=False),
]
Tenant = Annotated[str | None, typer.Option("--tenant", help="Tenant whose records are used.", show_default=False)]
