"""Opens the trained models that ship with the product, by name, and others from a folder of weights."""

from functools import lru_cache
from pathlib import Path

from footnotary.errors import UsageError
from footnotary.models.hub_verifier import HubVerifier
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_injection_classifier import OnnxInjectionClassifier
from footnotary.models.onnx_verifier import OnnxVerifier
from footnotary.ports import AnswerabilityModel, InjectionClassifier, Verifier
from footnotary.profiles.schema import Profile

SHIPPED_VERIFIERS = {"large": "verifier-large", "small": "verifier-small"}
LEXICAL = "lexical"


def verifier_for(profile: Profile, setting: str) -> Verifier | None:
    """The verifier of a profile, unless `setting` names another one; None means lexical checks alone.

    `setting` is the settings' `verifier`; "profile" leaves the choice to the profile. No weights are loaded before the
    first claim that needs them. Raises `UsageError` for an unknown name.
    """
    return open_verifier(profile.verification.verifier if setting == "profile" else setting)


def answerability_for(profile: Profile, setting: str, *, always: bool = False) -> AnswerabilityModel | None:
    """The answerability model, which is the large verifier's second head, where the profile uses it, or `always`.

    None where the setting asks for no model.
    """
    if setting == LEXICAL:
        return None
    return _large_verifier() if always or profile.sufficiency.min_answerable > 0 else None


def injection_classifier_for(setting: str) -> InjectionClassifier | None:
    """The classifier of injected instructions in sources; None where the setting asks for no model."""
    return None if setting == LEXICAL else _injection_classifier()


def reranker_for(profile: Profile, setting: str) -> AnswerabilityModel | None:
    """The model that reranks passages, where the profile uses one; None where the setting asks for no model."""
    if setting == LEXICAL or not profile.retrieval.rerank:
        return None
    found = open_verifier(profile.retrieval.rerank_verifier)
    return found if isinstance(found, OnnxVerifier) else None


@lru_cache(maxsize=1)
def _injection_classifier() -> OnnxInjectionClassifier:
    return OnnxInjectionClassifier(locate_model("injection-small"))


@lru_cache(maxsize=1)
def _large_verifier() -> OnnxVerifier:
    return OnnxVerifier(locate_model(SHIPPED_VERIFIERS["large"]))


@lru_cache(maxsize=4)
def open_verifier(name: str) -> Verifier | None:
    """A shipped verifier, or one from a folder of weights; the same object every time, so that it is loaded once."""
    if name == LEXICAL:
        return None
    if name == "large":
        return _large_verifier()
    folder = locate_model(SHIPPED_VERIFIERS[name]) if name in SHIPPED_VERIFIERS else Path(name)
    if not (folder / "config.json").is_file():
        raise UsageError(
            f"there is no verifier {name!r}",
            hint=f"use {', '.join(SHIPPED_VERIFIERS)}, {LEXICAL}, or a folder of weights",
        )
    return OnnxVerifier(folder) if _is_footnotary_format(folder) else HubVerifier(folder)


def _is_footnotary_format(folder: Path) -> bool:
    return '"sha256"' in (folder / "config.json").read_text(encoding="utf-8", errors="replace")
