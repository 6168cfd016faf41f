"""The documents of a project, page by page, each with its status today."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from footnotary.domain.validity import ValidityCalendar, ValidityStatus
from footnotary.ports import ManagedStore, StoredDocument


@dataclass(frozen=True, slots=True)
class DocumentListing:
    """One page: documents ordered by id, and the id after which the next page begins; None on the last page."""

    documents: tuple[tuple[StoredDocument, ValidityStatus | None], ...]
    next: str | None


def list_documents(
    store: ManagedStore,
    project: str,
    *,
    after: str | None,
    limit: int,
    is_wanted: Callable[[StoredDocument], bool] = lambda _: True,
) -> DocumentListing:
    """At most `limit` documents whose ids come after `after`."""
    rest = [one for one in store.documents(project) if (after is None or one.id > after) and is_wanted(one)]
    calendar = calendar_today(store, project)
    page = tuple((one, calendar.standing(one.id)) for one in rest[:limit])
    return DocumentListing(page, page[-1][0].id if len(rest) > len(page) else None)


def calendar_today(store: ManagedStore, project: str) -> ValidityCalendar:
    return ValidityCalendar(store.validities(project), date.today())  # noqa: DTZ011 (the engine uses the local day too)
