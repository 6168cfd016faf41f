"""Clears an injection flag that a person has found to be wrong, and sets it again."""

from collections.abc import Sequence

from footnotary.app.source_lookup import require_project, unknown_document_error
from footnotary.errors import UsageError
from footnotary.injection.examination import cleared_texts, flagged_texts, with_cleared
from footnotary.ports import ManagedStore

_MOST_NAMED = 3


def set_cleared(store: ManagedStore, project: str, document_id: str, text: str, *, cleared: bool = True) -> int:
    """Clears the flag of a sentence of a document, or sets it again; returns how often the sentence was changed.

    `text` is the whole flagged sentence, whatever its line breaks. A cleared sentence is content like any other, also
    when the document is examined or ingested again. Raises `UnknownProject` and `UsageError`: for an unknown document,
    and where no such sentence is flagged, or cleared.
    """
    require_project(store, project)
    if all(document.id != document_id for document in store.documents(project)):
        raise unknown_document_error(store, project, document_id)
    document, chunks, vectors, code = store.stored(project, document_id)
    wanted, before = " ".join(text.split()), cleared_texts(chunks)
    changed = flagged_texts(chunks) if cleared else before
    if wanted not in changed:
        raise UsageError(_not_found(document_id, changed, cleared=cleared), hint=_HINT)
    texts = {*before, wanted} if cleared else {*before} - {wanted}
    store.put(project, document, with_cleared(chunks, texts), vectors, code)
    return changed.count(wanted)


_HINT = "`footnotary documents show DOCUMENT` lists what is flagged and what was cleared; give a sentence whole"


def _not_found(document_id: str, texts: Sequence[str], *, cleared: bool) -> str:
    state = "flagged" if cleared else "cleared"
    if not texts:
        return f"nothing in {document_id!r} is {state}"
    named = "; ".join(f"“{text}”" for text in texts[:_MOST_NAMED])
    return f"no such sentence of {document_id!r} is {state}; these are: {named}" + (
        " …" if len(texts) > _MOST_NAMED else ""
    )
