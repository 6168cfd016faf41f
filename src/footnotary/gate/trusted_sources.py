"""Which documents are searched, by how far they are trusted: the profile requires a level, or prefers one."""

from collections.abc import Callable
from dataclasses import replace

from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Query
from footnotary.domain.validity import Trust, is_trusted
from footnotary.gate.flagged_spans import check_visible
from footnotary.ports import Reader, Store
from footnotary.profiles.schema import Profile


def search_trusted(
    query: Query, search: Callable[[Query], Evidence], store: Store, profile: Profile, reader: Reader | None
) -> Evidence:
    """What `search` finds in the documents that the question and the profile allow.

    If the profile prefers a level, documents of that level are searched alone first, and the others only if these do
    not answer the question, so that no number of them outweighs a preferred one.
    """
    required, asked, preferred = profile.trust.require, query.scope.filters.trust, profile.trust.prefer
    levels: list[Trust] = [level for level in (required, asked) if level is not None]
    if not levels and preferred is None:
        return search(query)
    documents = store.documents(query.scope.project)
    trust: dict[str, Trust | None] = {document.id: document.validity.trust for document in documents}

    def restricted(*to: Trust) -> Query:
        without = {name for name, held in trust.items() if not all(is_trusted(held, level) for level in to)}
        filters = query.scope.filters
        return replace(query, scope=replace(query.scope, filters=replace(filters, without=filters.without | without)))

    if preferred is not None and any(is_trusted(held, preferred) for held in trust.values()):
        first = search(restricted(*levels, preferred))
        if check_visible(first, profile, reader)[1].verdict.status == "pass":
            return replace(first, query=query)
    return replace(search(restricted(*levels)), query=query)
