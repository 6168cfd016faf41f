"""The judges that come with the product, by name, and others from a folder of weights."""

from functools import lru_cache
from pathlib import Path

from footnotary.errors import UsageError
from footnotary.models.hub_judge import HubJudge
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_judge import OnnxJudge
from footnotary.models.onnx_orders import OnnxOrders
from footnotary.ports import Answerability, Entailer, OrderReader
from footnotary.profiles.schema import Profile
from footnotary.settings import load_settings

JUDGES = {"large": "verifier-large", "small": "verifier-small"}
WORDS = "words"


def judge_for(profile: Profile, setting: str | None = None) -> Entailer | None:
    """The judge a profile names, or the one the settings put in its place; None is for words and guards alone.

    Nothing is loaded before the first claim that needs it. Raises `UsageError` where there is no such judge.
    """
    named = setting or load_settings().judge
    return open_judge(profile.verification.judge if named == "profile" else named)


def answerability_for(profile: Profile, *, always: bool = False) -> Answerability | None:
    """The sufficiency model, which is the large judge's other head, where the profile asks it, or `always`.

    A setting that puts words in the place of the judge does so here as well.
    """
    if load_settings().judge == WORDS:
        return None
    return _large() if always or profile.sufficiency.min_answerable > 0 else None


def orders_for() -> OrderReader | None:
    """What tells orders in sources; none where words take the judge's place. Nothing is loaded before it is needed."""
    return None if load_settings().judge == WORDS else _orders()


def reranker_for(profile: Profile) -> Answerability | None:
    """The judge that puts passages in order, where the profile wants that; none where words take the judge's place."""
    if load_settings().judge == WORDS or not profile.retrieval.rerank:
        return None
    found = open_judge(profile.retrieval.rerank_judge)
    return found if isinstance(found, OnnxJudge) else None


@lru_cache(maxsize=1)
def _orders() -> OnnxOrders:
    return OnnxOrders(locate_model("injection-small"))


@lru_cache(maxsize=1)
def _large() -> OnnxJudge:
    return OnnxJudge(locate_model(JUDGES["large"]))


@lru_cache(maxsize=4)
def open_judge(name: str) -> Entailer | None:
    """A shipped judge, or one from a folder of weights; the same one every time, so that it is loaded once."""
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
