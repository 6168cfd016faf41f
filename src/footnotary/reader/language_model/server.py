"""The server of a language model used as reader, and how its replies are calibrated."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from footnotary.ports import FusionWeights
from footnotary.reader.calibration import ReaderCalibration

# The URL at which `footnotary models start` serves the model.
DEFAULT_URL = "http://127.0.0.1:8611/v1"
XL_MODEL = "footnotary-reader-xl"


@dataclass(frozen=True, slots=True)
class VerifierServer:
    """The settings of an OpenAI-compatible server with log-probabilities.

    `model` is its name there; `calibration` the file that `footnotary calibrate --endpoint` wrote for that model.
    At most `concurrency` passages are read at once.
    """

    url: str = DEFAULT_URL
    model: str | None = None
    api_key: str | None = field(default=None, repr=False)
    calibration: Path | None = None
    timeout_s: float = 60.0
    concurrency: int = 1


@dataclass(frozen=True, slots=True)
class ReadingModel:
    """A model and how its replies are used: its exact name, its name on the server, and its calibration.

    With `must_report` a reply that names another model is an error. `words` of evidence are read at most.
    """

    name: str
    served_as: str
    languages: tuple[str, ...]
    words: int
    calibration: ReaderCalibration
    fusion_weights: FusionWeights
    must_report: bool = False
