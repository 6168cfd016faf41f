"""Settings and a profile to the trained models that read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from footnotary.models.base_model import find_base
from footnotary.models.model_packages import locate_model
from footnotary.reader.language_model.server import XL_MODEL, VerifierServer
from footnotary.reader.language_model.xl import read_xl_config
from footnotary.reader.shipped import ENDPOINT, XL, open_uncalibrated, reader_for, verifier_for, verifier_name

if TYPE_CHECKING:
    from pathlib import Path

    from footnotary.ports import Reader, Verifier
    from footnotary.profiles.schema import Profile
    from footnotary.settings import Settings


def open_verifier_for(policy: Profile, settings: Settings) -> Verifier | None:
    """The entailment model for a profile under these settings; None where claims are checked by words alone."""
    return verifier_for(policy, settings.verifier, verifier_server(settings))


def open_reader_for(policy: Profile, settings: Settings) -> Reader | None:
    """The reader for a profile under these settings; None where nothing is read by a model."""
    return reader_for(policy, settings.verifier, verifier_server(settings))


def open_uncalibrated_reader(settings: Settings) -> Reader:
    """The model behind the endpoint as it is, for its calibration."""
    return open_uncalibrated(verifier_server(settings))


def verifier_server(settings: Settings) -> VerifierServer:
    """Where a language model that verifies is served."""
    return VerifierServer(
        settings.verifier_url,
        settings.verifier_model,
        settings.verifier_api_key,
        settings.verifier_calibration,
        settings.timeout_s,
        settings.verifier_concurrency,
    )


def served_model(policy: Profile, settings: Settings) -> dict[str, str]:
    """The description of a language model that verifies, for the record; empty if there is none.

    A replay does not compare it: the readings are in the record, and the model need not be installed.
    """
    name = verifier_name(policy, settings.verifier)
    if name == ENDPOINT:
        return {"verifier_model": settings.verifier_model or ""}
    if name != XL:
        return {}
    base = find_base(models_folder(settings))
    return {
        "verifier_model": settings.verifier_model or XL_MODEL,
        "verifier_adapter_sha256": read_xl_config(locate_model("reader-xl")).adapter_sha256,
        "verifier_base_sha256": base.sha256 if base else "",
    }


def models_folder(settings: Settings) -> Path:
    """Where the base model and the unpacked adapter are kept."""
    return settings.home / "models"
