"""Where things run: paths, endpoints, keys and limits. What counts as good enough is set by a profile."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import cast

from footnotary.deprecated import SETTINGS, present_setting
from footnotary.errors import UsageError

PREFIX = "FOOTNOTARY_"
FILE = "footnotary.toml"
DEFAULT_TIMEOUT_S = 60.0

_OCR_LANGUAGES = re.compile(r"[A-Za-z_]{3,20}(?:\+[A-Za-z_]{3,20}){0,7}|auto")

# A host name or address with an optional port, as a URL has it.
FORWARDED_HOST = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?"
)

_KEYS = ("api_key", "verifier_api_key", "qdrant_api_key")
_STORES = ("embedded", "qdrant")
_PORTS = 65_536
_TYPE_NAMES = {int: "a whole number", float: "a number", Path: "a path"}
_SWITCHES = ("audit", "answer_cache", "refusal_content")
_SECONDS = ("timeout_s", "request_timeout_s", "head_timeout_s", "qdrant_timeout_s")
_WHOLE = (
    "max_file_mb",
    "parse_memory_mb",
    "port",
    "max_body_mb",
    "rate_per_minute",
    "concurrency",
    "max_concurrency",
    "workers",
    "max_connections",
    "connections_per_client",
    "qdrant_shards",
    "qdrant_replicas",
    "ann_min_chunks",
    "verifier_concurrency",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings from, in this order: arguments, `FOOTNOTARY_*` variables, `footnotary.toml`, these defaults.

    `model` is the chat model that drafts, on the server at `base_url`; without a URL, `ollama/NAME`, `llamacpp`,
    `lmstudio/NAME` and `vllm/NAME` are models on this machine, and any other name is one of OpenAI's. None: answers are
    extractive. The API key of a model server also comes from `OPENAI_API_KEY`; it never appears in the `repr`.
    `ocr_languages` are the languages of scans, as Tesseract names them, or "auto"; `parse_memory_mb` limits the memory
    for parsing a file. `ingest_hosts`, separated by commas, are the hosts that `footnotary ingest URL` may download
    from; none by default.

    `verifier` is "profile", "large", "small", "lexical", a folder of weights, or a language model on the server at
    `verifier_url`: "xl" is our adapter (`footnotary models start`), "endpoint" any model with log-probabilities, named
    by `verifier_model`, with the `verifier_calibration` that `footnotary calibrate --endpoint` wrote. At most
    `verifier_concurrency` passages are read at once there.

    `audit` says whether the command line records its answers, "on" or "off"; the service always does, and with
    `answer_cache` it returns answers it has recorded before.

    The service listens on `host` and `port`. A tenant may send `rate_per_minute` requests (0: any number) and have
    `concurrency` requests in flight, all tenants together `max_concurrency`; each times out after `request_timeout_s`.
    It runs in `workers` processes. At most `max_connections` are open in each, `connections_per_client` of one address;
    beyond that, connections that wait for a request are closed. A request head must arrive within `head_timeout_s`.

    Citations for OpenAI clients have absolute URLs below `public_url`, or at the host that a proxy at one of the
    addresses or networks `trusted_proxies` (separated by commas) forwards; otherwise they are paths. With
    `refusal_content` a refusal is the content of a message too, for clients that show nothing else.

    `store` says where documents are kept: "embedded" in the data directory `home`, or "qdrant" on the server at
    `qdrant_url`. Its API key does not appear in the `repr` either; `qdrant_ca_file` is the CA certificate to trust in
    addition to the machine's own. New collections there get `qdrant_shards` shards with `qdrant_replicas` replicas.

    The embedded store searches vectors with an ANN index (IVF) in projects of `ann_min_chunks` passages or more.
    """

    home: Path
    tenant: str = "local"
    project: str = "default"
    profile: str = "default"
    embedder: str = "default"
    verifier: str = "profile"
    verifier_url: str = "http://127.0.0.1:8611/v1"
    verifier_model: str | None = None
    verifier_api_key: str | None = None
    verifier_calibration: Path | None = None
    verifier_concurrency: int = 1
    model: str | None = None
    base_url: str | None = None
    api_key: str | None = None
    timeout_s: float = DEFAULT_TIMEOUT_S
    max_file_mb: int = 64
    ingest_hosts: str = ""
    ocr_languages: str = "auto"
    parse_memory_mb: int = 1024
    audit: str = "on"
    answer_cache: str = "on"
    host: str = "127.0.0.1"
    port: int = 8081
    max_body_mb: int = 64
    request_timeout_s: float = 60.0
    rate_per_minute: int = 1200
    concurrency: int = 32
    max_concurrency: int = 64
    public_url: str | None = None
    trusted_proxies: str = ""
    refusal_content: str = "on"
    workers: int = 1
    max_connections: int = 2000
    connections_per_client: int = 256
    head_timeout_s: float = 10.0
    store: str = "embedded"
    qdrant_url: str = "http://127.0.0.1:6333"
    qdrant_api_key: str | None = None
    qdrant_ca_file: Path | None = None
    qdrant_timeout_s: float = 30.0
    qdrant_shards: int = 1
    qdrant_replicas: int = 1
    ann_min_chunks: int = 200_000

    def __repr__(self) -> str:
        plain = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.name not in _KEYS)
        keys = (f"{name}={'set' if getattr(self, name) else None}" for name in _KEYS)
        return f"Settings({', '.join((*plain, *keys))})"


def load_settings(
    given: Mapping[str, object] | None = None, environ: Mapping[str, str] | None = None, folder: Path | None = None
) -> Settings:
    """The effective settings; `given` are arguments, where None means not given.

    Raises `UsageError` naming the variable or key that is wrong.
    """
    environ = os.environ if environ is None else environ
    known = {f.name for f in fields(Settings)}
    values: dict[str, object] = {}
    values |= _from_file((folder or Path.cwd()) / FILE, known)
    # Former names first, so that the present one wins where a user has set both.
    for name in (*SETTINGS, *sorted(known)):
        if value := environ.get(PREFIX + name.upper()):
            values |= [present_setting(name, value, prefix=PREFIX)]
    values |= [present_setting(name, value) for name, value in (given or {}).items() if value is not None]
    if not values.get("api_key") and environ.get("OPENAI_API_KEY"):
        values["api_key"] = environ["OPENAI_API_KEY"]
    if "home" not in values:
        values["home"] = _default_home()
    return Settings(**_typed(values))  # pyright: ignore[reportArgumentType]


def _from_file(path: Path, known: set[str]) -> dict[str, object]:
    if not path.is_file():
        return {}
    try:
        content: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not TOML: {error}", hint="fix or remove the file") from None
    content = dict(present_setting(name, value) for name, value in content.items())
    unknown = sorted(set(content) - known)
    if unknown:
        raise UsageError(f"{path} has unknown keys {unknown}", hint=f"choose from {sorted(known)}")
    return content


def _typed(values: dict[str, object]) -> dict[str, object]:
    wanted: dict[str, type] = (
        {"home": Path, "qdrant_ca_file": Path, "verifier_calibration": Path}
        | dict.fromkeys(_SECONDS, float)
        | dict.fromkeys(_WHOLE, int)
    )
    typed: dict[str, object] = {}
    for name, value in values.items():
        try:
            typed[name] = wanted.get(name, str)(value)
            if name in _WHOLE and (isinstance(value, bool) or (isinstance(value, float) and value != typed[name])):
                raise ValueError(value)  # a fraction must not be truncated silently
        except (TypeError, ValueError, OverflowError):
            seen = f"{name} = {value!r} is not {_TYPE_NAMES[wanted[name]]}"
            raise UsageError(seen, hint=f"set {PREFIX}{name.upper()}") from None
    if not _OCR_LANGUAGES.fullmatch(str(typed.get("ocr_languages", "auto"))):
        raise UsageError(
            f"ocr_languages = {typed['ocr_languages']!r} is not a list of Tesseract languages",
            hint='use "auto", "eng", "hin" or "eng+hin"',
        )
    _require_public_url(typed.get("public_url"))
    proxy_networks(str(typed.get("trusted_proxies", "")))
    for name in _SWITCHES:
        if typed.get(name, "on") not in ("on", "off"):
            raise UsageError(
                f'{name} = {typed[name]!r} is neither "on" nor "off"', hint=f"set {PREFIX}{name.upper()}=on"
            )
    if typed.get("store", "embedded") not in _STORES:
        raise UsageError(f"unknown store: store = {typed['store']!r}", hint=f"use {' or '.join(_STORES)}")
    for name in (*_SECONDS, *_WHOLE):
        least = 1 if name in _WHOLE and name not in ("rate_per_minute", "port") else 0
        limit = _PORTS if name == "port" else 1_000_000_000
        if name in typed and not least <= cast(float, typed[name]) < limit:
            hint = f"set {PREFIX}{name.upper()} to a number from {least} to {limit - 1}"
            raise UsageError(f"{name} = {typed[name]} is out of range", hint=hint)
    if isinstance(home := typed.get("home"), Path):
        typed["home"] = _expanded(home)
    return typed


def proxy_networks(given: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks of `trusted_proxies`. Raises `UsageError` for what is neither an address nor a network."""
    try:
        return tuple(ip_network(part.strip()) for part in given.split(",") if part.strip())
    except ValueError as error:
        raise UsageError(
            f"trusted_proxies = {given!r} is not a list of addresses: {error}", hint="for example 10.0.0.5, 10.1.0.0/16"
        ) from None


def _require_public_url(given: object) -> None:
    if given is None:
        return
    scheme, found, rest = str(given).partition("://")
    host, _, path = rest.partition("/")
    if scheme not in ("http", "https") or not found or not FORWARDED_HOST.fullmatch(host) or set(path) & set("?# "):
        raise UsageError(
            f"public_url = {given!r} is not the URL of a service", hint="for example https://answers.example.org"
        )


def _expanded(home: Path) -> Path:
    try:
        if "\0" in str(home):
            raise ValueError("it contains a NUL character")
        return home.expanduser()
    except (RuntimeError, ValueError) as error:  # "~nobody/x"
        raise UsageError(f"home = {str(home)!r} is not a folder: {error}", hint=f"set {PREFIX}HOME") from None


def _default_home() -> Path:
    from platformdirs import user_data_path  # only if `home` is not set; the import costs more than the rest

    return user_data_path("footnotary", appauthor=False)
