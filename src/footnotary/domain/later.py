"""Marks fields that came after version 0.1: records leave them out at their default, and so stay as they were."""

from collections.abc import Mapping
from types import MappingProxyType

LATER: Mapping[str, bool] = MappingProxyType({"later": True})
