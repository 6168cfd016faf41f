"""One engine per profile for each tenant, built once, and adjusted for what a request changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock

from footnotary.engine import Engine
from footnotary.profiles.overrides import override_profile
from footnotary.profiles.schema import OnRejected

_MAX_ADJUSTED = 64


@dataclass(frozen=True, slots=True)
class Policy:
    """The profile that a request asks for, with its own values in place of the profile's; None keeps the profile's."""

    profile: str
    k: int | None = None
    min_sources: int | None = None
    follow_references: bool | None = None
    extractive: bool = False
    on_rejected: OnRejected | None = None


class EngineCache:
    """The engines of one tenant; the same policy gets the same engine. Threads may share it.

    `build` makes the engine of a profile, with or without the chat model, and is called once for each. Neither the
    generator nor the checks read what a request may change, so engines that differ in that share both. The service
    has a fixed list of profiles; of the adjusted engines, the least recently used are dropped.
    """

    def __init__(self, build: Callable[[str, bool], Engine]) -> None:
        self._build = build
        self._by_profile: dict[tuple[str, bool], Engine] = {}
        self._by_policy: OrderedDict[Policy, Engine] = OrderedDict()
        self._lock = Lock()

    def engine(self, policy: Policy) -> Engine:
        """Raises what `build` raises for an unknown profile."""
        with self._lock:
            found = self._by_policy.get(policy)
            if found is None:
                found = self._by_policy[policy] = self._adjusted(policy)
            self._by_policy.move_to_end(policy)
            while len(self._by_policy) > _MAX_ADJUSTED:
                self._by_policy.popitem(last=False)
            return found

    def _adjusted(self, policy: Policy) -> Engine:
        key = policy.profile, policy.extractive
        built = self._by_profile.get(key)
        if built is None:
            built = self._by_profile[key] = self._build(*key)
        profile = override_profile(
            built.profile,
            k=policy.k,
            min_sources=policy.min_sources,
            follow_references=policy.follow_references,
            on_rejected=policy.on_rejected,
        )
        quoter = built.quoter if profile.generation.on_rejected == "quote" else None
        return replace(built, profile=profile, quoter=quoter)
