"""Opens the trained models that ship with the product, by name, and others from a folder of weights."""

from functools import lru_cache
from pathlib import Path

from footnotary.errors import UsageError
from footnotary.models.hub_judge import HubJudge
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_judge import OnnxJudge
from footnotary.models.onnx_orders import OnnxOrders
from footnotary.ports import Answerability, Entailer, OrderReader
from footnotary.profiles.schema import Profile

JUDGES = {"large": "verifier-large", "small": "verifier-small"}
WORDS = "lexical"


def judge_for(profile: Profile, setting: str) -> Entailer | None:
    """The judge of a profile, unless `setting` names another one; None means words and guards alone.

    `setting` is the settings' `verifier`; "profile" leaves the choice to the profile. No weights are loaded before the
    first claim that needs them. Raises `UsageError` for an unknown name.
    """
    return open_judge(profile.verification.verifier if setting == "profile" else setting)


def answerability_for(profile: Profile, setting: str, *, always: bool = False) -> Answerability | None:
    """The answerability model, which is the large judge's second head, where the profile uses it, or `always`.

    None where the setting asks for no model.
    """
    if setting == WORDS:
        return None
    return _large() if always or profile.sufficiency.min_answerable > 0 else None


def orders_for(setting: str) -> OrderReader | None:
    """The classifier of injected instructions in sources; None where the setting asks for no model."""
    return None if setting == WORDS else _orders()


def reranker_for(profile: Profile, setting: str) -> Answerability | None:
    """The model that reranks passages, where the profile uses one; None where the setting asks for no model."""
    if setting == WORDS or not profile.retrieval.rerank:
        return None
    found = open_judge(profile.retrieval.rerank_verifier)
    return found if isinstance(found, OnnxJudge) else None


@lru_cache(maxsize=1)
def _orders() -> OnnxOrders:
    return OnnxOrders(locate_model("injection-small"))


@lru_cache(maxsize=1)
def _large() -> OnnxJudge:
    return OnnxJudge(locate_model(JUDGES["large"]))


@lru_cache(maxsize=4)
def open_judge(name: str) -> Entailer | None:
    """A shipped judge, or one from a folder of weights; the same object every time, so that it is loaded once."""
    if name == WORDS:
        return None
    if name == "large":
        return _large()
    folder = locate_model(JUDGES[name]) if name in JUDGES else Path(name)
    if not (folder / "config.json").is_file():
        raise UsageError(
            f"there is no judge {name!r}", hint=f"use {', '.join(JUDGES)}, {WORDS}, or a folder of weights"
        )
    return OnnxJudge(folder) if _is_ours(folder) else HubJudge(folder)


def _is_ours(folder: Path) -> bool:
    return '"sha256"' in (folder / "config.json").read_text(encoding="utf-8", errors="replace")
