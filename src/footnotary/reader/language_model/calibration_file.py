"""The calibration of a model behind an endpoint: a JSON file that names the model and the request it was made with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from footnotary.errors import UsageError
from footnotary.ports import FusionWeights
from footnotary.reader.calibration import PlattScaling, ReaderCalibration
from footnotary.reader.language_model.prompt import answer_request, messages, support_request
from footnotary.reader.language_model.server import ReadingModel, VerifierServer

FORMAT = "footnotary reader calibration 1"
# The length that the shipped adapter was trained on.
ENDPOINT_WORDS = 620
_HINT = "run `footnotary calibrate --endpoint FILE.json ROWS.jsonl` with this model, and set verifier_calibration"


def open_calibrated_model(server: VerifierServer) -> ReadingModel:
    """The model that the settings name, with its calibration.

    Raises `UsageError` without a model or a calibration, and where the calibration is of another model or request.
    """
    model = model_name(server)
    if server.calibration is None:
        raise UsageError(
            f"there is no calibration for the model {model!r}: its log-probabilities cannot be used as they are",
            hint=_HINT,
        )
    try:
        written = server.calibration.read_bytes()
        content = cast("Mapping[str, Any]", json.loads(written))
        if content.get("format") != FORMAT:
            raise ValueError(f"its format is {content.get('format')!r}, not {FORMAT!r}")
        languages = tuple(str(language) for language in content["languages"])
        calibration = ReaderCalibration.read(content["calibration"])
        made_for, prompt = str(content["model"]), str(content["prompt_sha256"])
    except OSError as error:
        raise UsageError(f"{server.calibration} cannot be read: {error.strerror}", hint=_HINT) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{server.calibration} is not a calibration: {error}", hint=_HINT) from None
    if made_for != model:
        raise UsageError(
            f"{server.calibration} was made for the model {made_for!r}, and verifier_model is {model!r}", hint=_HINT
        )
    if prompt != prompt_sha256():
        raise UsageError(f"{server.calibration} was made with another request to the model", hint=_HINT)
    digest = hashlib.sha256(written).hexdigest()
    return ReadingModel(f"{model}@{digest[:12]}", model, languages, ENDPOINT_WORDS, calibration, FusionWeights())


def uncalibrated_model(server: VerifierServer) -> ReadingModel:
    """The same model before it is calibrated, to be measured."""
    model = model_name(server)
    return ReadingModel(model, model, (), ENDPOINT_WORDS, ReaderCalibration(), FusionWeights())


def model_name(server: VerifierServer) -> str:
    """The name that the settings give. Raises `UsageError` if they give none."""
    if not server.model:
        raise UsageError(
            'verifier = "endpoint" needs the name of a model',
            hint='set verifier_model = "…" as the server at verifier_url names it',
        )
    return server.model


def prompt_sha256() -> str:
    """Identifies the prompt: another prompt gives other probabilities."""
    asked = [messages(request("evidence", "asked")) for request in (support_request, answer_request)]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def calibration_content(
    model: str, languages: Sequence[str], calibration: Mapping[str, PlattScaling], measured: Mapping[str, Any]
) -> dict[str, Any]:
    """What the file holds; `measured` are figures for people."""
    return {
        "format": FORMAT,
        "model": model,
        "prompt_sha256": prompt_sha256(),
        "languages": list(languages),
        "calibration": {
            question: {"slope": round(scaling.slope, 4), "intercept": round(scaling.intercept, 4)}
            for question, scaling in calibration.items()
        },
        "measured": dict(measured),
    }
