"""Days and times on the command line: read from options, and printed with what they say about a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime

    from footnotary.domain.validity import ValidityStatus


def parse_day_option(option: str, text: str) -> date:
    """The day that an option names. Raises `UsageError`."""
    from footnotary.domain.validity import parse_day
    from footnotary.errors import UsageError

    try:
        return parse_day(text)
    except ValueError as error:
        raise UsageError(f"{option}: {error}", hint="write the year, the month and the day") from None


def status_text(standing: ValidityStatus | None) -> str:
    """A document's status in words; empty if it is not known."""
    if standing is None or not (standing.validity.is_dated or standing.superseded_by):
        return ""
    if standing.superseded_by:
        return f"superseded by {'; '.join(standing.superseded_by)}"
    return "in force" if standing.in_force else "not in force"


def format_time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S UTC")
