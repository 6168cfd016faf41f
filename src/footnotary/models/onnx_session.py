"""onnxruntime sessions and tokenizers, imported when first needed, with the options the product relies on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from footnotary.errors import BackendError
from footnotary.models.cache import has_sha256

if TYPE_CHECKING:  # each takes longer to import than all of the command line
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer

_core_limit: int | None = None
REINSTALL_HINT = "reinstall footnotary, or point the settings at a complete folder of weights"


class OnnxValue(Protocol):
    """An input or output of a graph."""

    @property
    def name(self) -> str: ...


class OnnxSession(Protocol):
    """The part of `onnxruntime.InferenceSession` that is used."""

    def get_inputs(self) -> list[OnnxValue]: ...

    def get_outputs(self) -> list[OnnxValue]: ...

    def run(self, output_names: None, inputs: dict[str, NDArray[np.int64]]) -> list[NDArray[np.float32]]: ...


def read_config(folder: Path) -> tuple[dict[str, Any], str]:
    """The `config.json` of a folder of weights, and a name that no other weights have.

    Raises `OSError` or `ValueError` where it is missing or not JSON, `KeyError` where it has no name.
    """
    config = cast("dict[str, Any]", json.loads((folder / "config.json").read_text(encoding="utf-8")))
    digest = hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()
    return config, f"{config['name']}@{digest[:12]}"


def single_line(text: str) -> str:
    """A text as models read it: without layout, and with a question mark for each lone surrogate, which they reject."""
    return " ".join(text.split()).encode("utf-8", "replace").decode("utf-8")


def read_checked(folder: Path, file: str, sha256: str | None) -> bytes:
    """The bytes of a file of weights whose hash is the one in the configuration."""
    check_file(folder, file, sha256)
    return (folder / file).read_bytes()


def check_file(folder: Path, file: str, sha256: str | None) -> None:
    """Raises `BackendError` unless a file of weights has the hash that the configuration names."""
    try:
        if has_sha256(folder / file, sha256):
            return
    except OSError as error:
        raise BackendError(f"the weights in {folder} lack {file}: {error.strerror}", hint=REINSTALL_HINT) from error
    raise BackendError(
        f"{folder / file} does not have the sha256 that its config.json names, {(sha256 or '')[:12]}…",
        hint=REINSTALL_HINT,
    )


def check_files(folder: Path) -> None:
    """Raises `BackendError` unless every file of a folder of weights has the hash that its configuration names."""
    for file, sha256 in read_config(folder)[0]["sha256"].items():
        check_file(folder, file, sha256)


def load_session(
    model: bytes | Path, *, threads: int, initializers: Mapping[str, NDArray[np.generic]] | None = None
) -> OnnxSession:
    """A session on the processor. `model` is a path where the weights are in files next to it.

    `initializers` are constants that the graph names but no file holds; they must outlive the session.
    """
    onnxruntime: Any = import_module("onnxruntime")  # it has no type stubs; `Session` is what we rely on
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.enable_mem_pattern = False  # a plan per shape is useless when every text has its own length
    # Planning which buffers to reuse takes most of the time of opening a graph of a thousand nodes, and saves neither
    # time nor memory when it runs: buffers go back to the arena after their last use all the same.
    options.enable_mem_reuse = False
    # Threads that spin while they wait are a little faster alone and many times slower next to other work.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Scores have to agree between machines: products stay in float32 on ARM as well, and sums keep their order.
    options.add_session_config_entry("mlas.enable_gemm_fastmath_arm64_bfloat16", "0")
    options.use_deterministic_compute = True
    options.log_severity_level = 3
    given = str(model) if isinstance(model, Path) else model
    try:
        if initializers:
            values = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in initializers.values()]
            options.add_external_initializers(list(initializers), values)
        return cast("OnnxSession", onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"]))
    except Exception as error:  # onnxruntime raises classes of its own, without a common public parent
        hint = f"onnxruntime {onnxruntime.__version__} is installed; 1.22 or later is needed"
        raise BackendError(f"the model could not be loaded: {error}", hint=hint) from error


def load_tokenizer(content: bytes) -> Tokenizer:
    """The tokenizer of a `tokenizer.json`, without padding or truncation of its own."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(content.decode("utf-8"))
    except Exception as error:  # the library raises a bare Exception
        raise BackendError(f"the tokenizer could not be loaded: {error}", hint=REINSTALL_HINT) from error
    tokenizer.no_padding()  # pyright: ignore[reportUnknownMemberType]
    tokenizer.no_truncation()  # pyright: ignore[reportUnknownMemberType]
    return tokenizer


def encode_pair(tokenizer: Tokenizer, first: str, second: str) -> Encoding | None:
    """Two texts as one sequence; None where the one that must not be truncated is too long by itself."""
    try:
        return tokenizer.encode(first, second)
    except Exception as error:  # the library raises a bare Exception
        if "Truncation error" not in str(error):
            raise BackendError(f"the tokenizer failed on a pair of texts: {error}", hint=REINSTALL_HINT) from error
        return None


def limit_cores(cores: int) -> None:
    """Limits the threads of sessions loaded from now on: worker processes share the machine."""
    global _core_limit
    _core_limit = cores


def usable_cores() -> int:
    """The cores this process may use: those of the machine, or its share of them."""
    if _core_limit is not None:
        return _core_limit
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
