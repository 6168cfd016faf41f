"""Validation of a chat endpoint's URL and API key, and parsing of its Retry-After header."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from footnotary.errors import UsageError

DEFAULT_BASE_URL = "https://api.openai.com/v1"


def validate_base_url(base_url: str) -> str:
    """The URL without a trailing slash. Raises `UsageError` where it is not valid."""
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or "@" in base_url:
        # Not echoed: people put passwords into URLs.
        raise UsageError(
            "the model's base URL is not an http(s) URL", hint="use a URL such as http://127.0.0.1:8000/v1"
        )
    return base_url.rstrip("/")


def validate_api_key(api_key: str | None) -> str:
    """The key as it is sent. Raises `UsageError`, without the key, where it is not valid."""
    key = (api_key or "").strip()
    if not all("!" <= char <= "~" for char in key):
        raise UsageError("the API key contains invalid characters", hint="set it again, without quotes or spaces")
    return key or "not-needed"  # local servers need no key, but the SDK requires one


def retry_after_s(retry_after: str) -> float:
    """The value of a Retry-After header in seconds from now; 0 where it cannot be parsed."""
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(retry_after).astimezone(UTC) - datetime.now(UTC)).total_seconds()
        except (ValueError, OverflowError):
            return 0.0
    return 0.0 if math.isnan(seconds) else max(seconds, 0.0)
