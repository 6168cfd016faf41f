"""The record of a former version, for programs."""

from typing import Any

from footnotary.ports import FormerVersion
from footnotary.render.outcome_record import day_record


def former_version_record(version: FormerVersion) -> dict[str, Any]:
    """The version's validity, when it was retired and what replaced it."""
    validity = version.document.validity
    said = {
        "effective_from": day_record(validity.effective_from),
        "effective_to": day_record(validity.effective_to),
        "supersedes": list(validity.supersedes),
    }
    return {
        "validity": said if validity.is_specified else None,
        "superseded_at": version.retired_at.isoformat(),
        "superseded_by": version.successor,
    }
