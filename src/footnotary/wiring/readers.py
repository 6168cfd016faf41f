"""Settings and a profile to the trained models that read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from footnotary.reader.language_model.server import VerifierServer
from footnotary.reader.shipped import reader_for, verifier_for

if TYPE_CHECKING:
    from footnotary.ports import Reader, Verifier
    from footnotary.profiles.schema import Profile
    from footnotary.settings import Settings


def open_verifier_for(policy: Profile, settings: Settings) -> Verifier | None:
    """The entailment model for a profile under these settings; None where claims are checked by words alone."""
    return verifier_for(policy, settings.verifier, verifier_server(settings))


def open_reader_for(policy: Profile, settings: Settings) -> Reader | None:
    """The reader for a profile under these settings; None where nothing is read by a model."""
    return reader_for(policy, settings.verifier, verifier_server(settings))


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
