"""Writes the reference pages from the code: `python docs/reference/generate.py`.

Refusal reasons, checks, profile keys, commands, HTTP routes and deprecated names. A test compares what this writes
with what is committed, so the pages cannot fall behind.
"""

import inspect
import tempfile
from pathlib import Path
from typing import Any

import click
import typer
from pydantic import BaseModel

from footnotary import deprecated
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.main import app
from footnotary.domain.verdict import FORMER_REASONS, Reason
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import CONTRACT_CHECKS, LATER_CONTRACT_CHECKS, Profile
from footnotary.verify.run import checks_for

HERE = Path(__file__).parent
NOTICE = "<!-- Written by docs/reference/generate.py; do not edit. -->\n\n"


def reasons() -> str:
    lines = ["# Refusal reasons\n", "Every refusal has one of these codes, in this order of precedence.\n"]
    lines += ["| code | name |", "|---|---|"]
    former = ", no longer given; in records of version 0.1"
    lines += [f"| `{r.value}` | `Reason.{r.name}`{former if r in FORMER_REASONS else ''} |" for r in Reason]
    return NOTICE + "\n".join(lines) + "\n"


def checks() -> str:
    profile = load_profile("default")
    lines = [
        "# Checks\n",
        "A draft must pass all checks of its profile, or nothing of it is delivered. Those marked",
        "*contract* cannot be left out of a profile.\n",
    ]
    lines += ["| check | | what it requires |", "|---|---|---|"]
    for name, _ in checks_for(profile):
        says = _says(name)
        lines.append(f"| `{name}` | {'contract' if name in CONTRACT_CHECKS | LATER_CONTRACT_CHECKS else ''} | {says} |")
    return NOTICE + "\n".join(lines) + "\n"


def _says(name: str) -> str:
    import footnotary.verify.claim_checks as guards
    import footnotary.verify.conflicts.agreement as conflicts
    import footnotary.verify.form.citations as citations
    import footnotary.verify.form.leakage as leakage
    import footnotary.verify.form.uncited_sources as completeness
    import footnotary.verify.meaning.entailment as entailment
    import footnotary.verify.meaning.overlap_thresholds as screens
    import footnotary.verify.question.addresses_question as question

    for module in (citations, completeness, conflicts, leakage, screens, question):
        if hasattr(module, name):
            return (inspect.getdoc(getattr(module, name)) or "").split("\n\n")[0].replace("\n", " ")
    if name == "claims_are_entailed":
        return (inspect.getdoc(entailment.entailment_check) or "").split("\n\n")[0].replace("\n", " ")
    return guards.CONSISTENCY_CHECKS[name].holds


def profile_keys() -> str:
    default = load_profile("default").model_dump(mode="json")
    lines = [
        "# Profile keys\n",
        "A profile is a TOML file. It `extends` another one by name or path; tables are merged key by key, lists and",
        "values are replaced. Thresholds are inclusive. The value shown is `default`'s.\n",
    ]
    for name, field in Profile.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            lines += [f"## `[{name}]`\n", f"{inspect.getdoc(kind) or ''}\n" if kind.__doc__ else ""]
            lines += ["| key | default | meaning |", "|---|---|---|"]
            for key, sub in kind.model_fields.items():
                lines.append(f"| `{key}` | {_value(default[name][key])} | {sub.description or ''} |")
            lines.append("")
        else:
            lines.append(f"**`{name}`** {field.description or ''}\n")
    return NOTICE + "\n".join(line for line in lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} entries"
    return f"`{value}`".replace("|", "\\|")


def deprecated_names() -> str:
    words, lexical = next(iter(deprecated.LEXICAL.items()))
    rows = [(f"setting `{old}`", f"`{new}`") for old, new in deprecated.SETTINGS.items()]
    rows += [(f"`FOOTNOTARY_{o.upper()}`", f"`FOOTNOTARY_{n.upper()}`") for o, n in deprecated.SETTINGS.items()]
    for table, keys in deprecated.PROFILE_KEYS.items():
        rows += [(f"profile key `{table}.{old}`", f"`{table}.{new}`") for old, new in keys.items()]
    rows += [(f'value `"{words}"` of the setting or key `verifier`', f'`"{lexical}"`')]
    rows += [
        (f"check `{old}` of a profile, which does nothing", f"`{new}`") for old, new in deprecated.FORMER_CHECKS.items()
    ]
    rows += [(f"`verify_claim({old}=...)`", f"`verify_claim({new}=...)`") for old, new in deprecated.ARGUMENTS.items()]
    rows += [(f"`footnotary.conform.case.{old}`", f"`{new}`") for old, new in deprecated.CONFORMANCE_NAMES.items()]
    both = [(f"metric `{old}`", f"`{new}`") for old, new in deprecated.METRICS.items()]
    for where, fields in (
        ("`citation_details[]` and `citations[]` of claim events", deprecated.CITATION_FIELDS),
        ("JSON of `eval run`, `eval grounding` and `calibrate`, field", deprecated.EVALUATION_FIELDS),
        ("JSON of `doctor`, check", deprecated.DOCTOR_CHECKS),
    ):
        both += [(f"{where}: `{old}`", f"`{new}`") for old, new in fields.items()]
    both += [("`profile show --json`, `GET /v1/profiles/{name}`: former profile keys", "the new keys")]
    stored = [(f"`models.{old}` of a record", f"`models.{new}`") for old, new in deprecated.MODELS.items()]
    stored += [
        (f"`{old}`, a value of `reranking` in a bundle", f"`{new}`") for old, new in deprecated.RERANKING.items()
    ]
    lines = [
        "# Deprecated names\n",
        "Names of version 0.1 that work for one more release.\n",
        "## What you write\n",
        "Each warns once per process (`footnotary.deprecated.FootnotaryDeprecationWarning`); the command line prints",
        "the warning as one line on standard error. If a variable is set under both names the new one is used; a",
        "profile with both is an error.\n",
        *_old_and_new(rows),
        "\n## What you read\n",
        "Written under both names.\n",
        *_old_and_new(both),
        "\n## What is stored\n",
        "Earlier records and bundles verify unchanged; new ones are written under the new name. The profile in records",
        "and bundles keeps the keys of version 0.1 permanently, because its digest is the hash of it.\n",
        *_old_and_new(stored),
    ]
    return NOTICE + "\n".join(lines) + "\n"


def _old_and_new(rows: list[tuple[str, str]]) -> list[str]:
    return ["| deprecated | use |", "|---|---|", *(f"| {old} | {new} |" for old, new in rows)]


def commands() -> str:
    root = typer.main.get_command(app)
    lines = [
        "# Command line\n",
        f"Exit codes: {' · '.join(f'{int(code)} {code.name.lower()}' for code in ExitCode)}.\n",
    ]
    lines += _command(root, "footnotary")
    return NOTICE + "\n".join(lines) + "\n"


def _command(command: Any, path: str) -> list[str]:
    lines: list[str] = []
    context = click.Context(command, info_name=path)
    if hasattr(command, "commands"):
        for name in sorted(command.commands):
            lines += _command(command.commands[name], f"{path} {name}")
        return lines
    lines += [f"## `{path}`\n", f"{(command.help or '').strip()}\n", "| argument or option | meaning |", "|---|---|"]
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            lines.append(f"| `{parameter.name.upper()}` | {getattr(parameter, 'help', '') or ''} |")
        else:
            names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
            lines.append(f"| {names} | {(parameter.help or '').replace('|', '/')} |")
    del context
    return [*lines, ""]


def http() -> str:
    lines = [
        "# HTTP API\n",
        "All routes, with schemas and examples, are in `GET /openapi.json` of a running service. A route needs a key",
        "of the role shown, or of a higher one: reader < writer < admin. Every response has `X-Request-Id`.\n",
    ]
    document = _openapi()
    for tag in dict.fromkeys(op["tags"][0] for item in document["paths"].values() for op in item.values()):
        lines += [f"## {tag}\n", "| request | key | |", "|---|---|---|"]
        for path, item in document["paths"].items():
            for method, op in item.items():
                if op["tags"][0] == tag:
                    role = op["security"][0]["HTTPBearer"][0] if "security" in op else "none"
                    lines.append(f"| `{method.upper()} {path}` | {role} | {op['summary']} |")
        lines.append("")
    lines += [
        "## Problems\n",
        "Errors are `application/problem+json` with these codes; they never repeat the request.\n",
    ]
    lines += ["| code | status | |", "|---|---|---|"]
    lines += [f"| `{code}` | {status} | {detail} |" for code, (status, detail) in _problems().items()]
    return NOTICE + "\n".join(lines) + "\n"


def _openapi() -> dict[str, Any]:
    from footnotary.service.app import create_app
    from footnotary.service.state import ServiceState
    from footnotary.settings import load_settings
    from footnotary.testing.fake_embedder import HashEmbedder

    with tempfile.TemporaryDirectory() as home:
        state = ServiceState(load_settings({"home": home}, environ={}), HashEmbedder())
        try:
            return create_app(state).openapi()
        finally:
            state.close()


def _problems() -> dict[str, tuple[int, str]]:
    from footnotary.service.problems import PROBLEM_CODES

    return PROBLEM_CODES


PAGES = {
    "deprecated.md": deprecated_names,
    "reasons.md": reasons,
    "checks.md": checks,
    "profiles.md": profile_keys,
    "commands.md": commands,
    "http.md": http,
}

if __name__ == "__main__":
    for page, write in PAGES.items():
        (HERE / page).write_text(write(), encoding="utf-8")
