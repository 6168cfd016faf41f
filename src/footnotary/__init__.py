"""Answers from indexed documents only: every claim cited and verified, or refused."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from footnotary.claim import ClaimVerdict
    from footnotary.corpus import Corpus
    from footnotary.domain.outcome import Answer, Outcome, Refusal
    from footnotary.domain.query import Scope
    from footnotary.domain.verdict import Reason
    from footnotary.engine import Engine
    from footnotary.profiles.load import load_profile
    from footnotary.profiles.schema import Profile
    from footnotary.wiring import open_corpus, open_engine, verify_claim

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "ClaimVerdict",
    "Corpus",
    "Engine",
    "Outcome",
    "Profile",
    "Reason",
    "Refusal",
    "Scope",
    "load_profile",
    "open_corpus",
    "open_engine",
    "verify_claim",
]

# Imported when first asked for: the command line must start quickly, and few uses need all of it.
_HOMES = {
    "Answer": "domain.outcome",
    "ClaimVerdict": "claim",
    "Corpus": "corpus",
    "Engine": "engine",
    "Outcome": "domain.outcome",
    "Profile": "profiles.schema",
    "Reason": "domain.verdict",
    "Refusal": "domain.outcome",
    "Scope": "domain.query",
    "load_profile": "profiles.load",
    "open_corpus": "wiring",
    "open_engine": "wiring",
    "verify_claim": "wiring",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'footnotary' has no attribute {name!r}")
    return getattr(import_module(f"footnotary.{_HOMES[name]}"), name)
