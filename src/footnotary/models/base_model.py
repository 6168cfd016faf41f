"""The language model that the adapter belongs to: a file the user has, checked before it is used."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from footnotary.durable import make_private_folder
from footnotary.errors import UsageError
from footnotary.models.gguf_file import GgufHeader, read_gguf_header
from footnotary.models.lora_adapter import write_whole

BASE_NAME = "Qwen2.5-Coder-1.5B-Instruct"
BASE_SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
_RECORD = "base.json"
_HINT = f"use {BASE_NAME} in GGUF form (Q4_K_M is what the adapter was trained on)"
# What the adapter's matrices are added to: the shapes of one of the 28 layers.
_LAYERS, _WIDTH, _KEYS, _WIDE = 28, 1536, 256, 8960
_SHAPES = {
    "attn_q": (_WIDTH, _WIDTH), "attn_k": (_KEYS, _WIDTH), "attn_v": (_KEYS, _WIDTH), "attn_output": (_WIDTH, _WIDTH),
    "ffn_gate": (_WIDE, _WIDTH), "ffn_up": (_WIDE, _WIDTH), "ffn_down": (_WIDTH, _WIDE),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AdapterBase:
    """A base model that was checked. `exact` says that it is exactly the file the adapter was trained on.

    `name` is the name in the file.
    """

    path: str
    sha256: str
    size: int
    exact: bool
    name: str

    @property
    def described(self) -> str:
        """The result of the check, in words."""
        if self.exact:
            return f"{BASE_NAME} Q4_K_M, the file the adapter was trained on (sha256 {self.sha256[:12]}…)"
        other = (
            ""
            if "coder" in self.name.casefold()
            else f", and it calls itself {self.name!r}: try it before relying on it"
        )
        return f"not the file the adapter was trained on, but of the same shapes (sha256 {self.sha256[:12]}…){other}"


def add_base(path: Path, folder: Path) -> AdapterBase:
    """Checks a file, by its hash or else by its tensors, and records it in `folder`.

    A hard link keeps the file where it can; otherwise it stays where it is. Raises `UsageError` for any other file,
    and then nothing has changed.
    """
    found = check_base(path)
    link = folder / f"base-{found.sha256[:12]}.gguf"
    make_private_folder(folder)
    if not link.exists():
        try:
            os.link(path.resolve(), link)
        except OSError:  # another file system
            link = path.resolve()
    kept = AdapterBase(str(link), found.sha256, found.size, found.exact, found.name)
    write_whole(folder / _RECORD, (json.dumps(asdict(kept), indent=2) + "\n").encode())
    return kept


def check_base(path: Path) -> AdapterBase:
    """Checks a file. Raises `UsageError` if the adapter does not fit it."""
    header = read_gguf_header(path)
    _require_shapes(path, header)
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    name = str(header.keys.get("general.name") or header.keys.get("general.basename") or path.name)
    return AdapterBase(str(path.resolve()), sha256, path.stat().st_size, sha256 == BASE_SHA256, name)


def find_base(folder: Path) -> AdapterBase | None:
    """The base model that was added and is still there unchanged in size; None if there is none."""
    try:
        content = cast("dict[str, Any]", json.loads((folder / _RECORD).read_text(encoding="utf-8")))
        found = AdapterBase(**content)
        return found if Path(found.path).stat().st_size == found.size else None
    except (OSError, ValueError, TypeError):
        return None


def require_base(folder: Path) -> AdapterBase:
    """The base model. Raises `UsageError` where none was added, or it is gone."""
    found = find_base(folder)
    if found is None:
        gone = (folder / _RECORD).is_file()
        raise UsageError(
            "the file of the base model no longer exists" if gone else "there is no base model yet",
            hint=f"footnotary models add PATH: {_HINT}",
        )
    return found


def _require_shapes(path: Path, header: GgufHeader) -> None:
    kind = header.keys.get("general.architecture")
    if header.keys.get("general.type", "model") != "model" or kind != "qwen2":
        found = header.keys.get("general.type", "model")
        raise UsageError(f"{path} is of the type {found!r} and the kind {kind!r}", hint=_HINT)
    for layer in range(_LAYERS):
        for matrix, shape in _SHAPES.items():
            name = f"blk.{layer}.{matrix}.weight"
            seen = header.tensors.get(name)
            if seen is None or seen.shape != shape:
                found = "x".join(map(str, seen.shape)) if seen else "missing"
                raise UsageError(f"{path}: {name} is {found}, not {'x'.join(map(str, shape))}", hint=_HINT)
    if (size := path.stat().st_size) < (end := max(tensor.end for tensor in header.tensors.values())):
        raise UsageError(f"{path} is truncated: it has {size} bytes, its tensors need {end}", hint="copy it again")
    if f"blk.{_LAYERS}.attn_q.weight" in header.tensors:
        raise UsageError(f"{path} has more than {_LAYERS} layers", hint=_HINT)
