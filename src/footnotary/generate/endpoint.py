"""What can be said of a chat endpoint without speaking to it: its address, its key, and how long it asks us to wait."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from footnotary.errors import UsageError

DEFAULT_BASE_URL = "https://api.openai.com/v1"


def checked_url(base_url: str) -> str:
    """The address without a slash at its end. Raises `UsageError` where it is none."""
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or "@" in base_url:
        # Not echoed: people put passwords into addresses.
        raise UsageError("the model's base URL is no http(s) address", hint="write it like http://127.0.0.1:8000/v1")
    return base_url.rstrip("/")


def checked_key(api_key: str | None) -> str:
    """The key as it is sent. Raises `UsageError`, without the key, where it can be none."""
    key = (api_key or "").strip()
    if not all("!" <= char <= "~" for char in key):
        raise UsageError("the API key holds characters that no key has", hint="set it again, without quotes or spaces")
    return key or "not-needed"  # local servers want no key, but the SDK does not start without one


def pause_asked_for_s(retry_after: str) -> float:
    """What a Retry-After header asks for, in seconds from now; 0 where it says nothing that can be read."""
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(retry_after).astimezone(UTC) - datetime.now(UTC)).total_seconds()
        except (ValueError, OverflowError):
            return 0.0
    return 0.0 if math.isnan(seconds) else max(seconds, 0.0)
