"""The shipped adapter as a model on a server: its folder says what it was trained on and how it is calibrated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from footnotary.errors import BackendError
from footnotary.models.onnx_session import REINSTALL_HINT, read_config
from footnotary.ports import FusionWeights
from footnotary.reader.calibration import ReaderCalibration
from footnotary.reader.language_model.server import XL_MODEL, ReadingModel, VerifierServer

ADAPTER_FILE = "adapter.gguf.xz"


@dataclass(frozen=True, slots=True)
class XlConfig:
    """What `config.json` of the adapter says."""

    adapter_sha256: str
    model: ReadingModel


def read_xl_config(folder: Path) -> XlConfig:
    """Reads the adapter's configuration. Raises `BackendError` if it is incomplete."""
    try:
        config, name = read_config(folder)
        languages, words = tuple(config["languages"]), int(config["words"])
        calibration, weights = ReaderCalibration.read(config["calibration"]), FusionWeights(**config["weighing"])
        model = ReadingModel(name, XL_MODEL, languages, words, calibration, weights, must_report=True)
        return XlConfig(str(config["sha256"][ADAPTER_FILE]), model)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackendError(f"{folder} is not a folder of weights: {error!r}", hint=REINSTALL_HINT) from error


def open_xl_model(folder: Path, server: VerifierServer) -> ReadingModel:
    """The adapter on the server that the settings name; a server that runs another model is an error."""
    return replace(read_xl_config(folder).model, served_as=server.model or XL_MODEL)
