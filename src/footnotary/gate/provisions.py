"""Whether a passage is the provision that a question names: its number, its act, and the clause within it."""

import re
from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Hit
from footnotary.domain.query import Facet, Reference
from footnotary.domain.work import Work
from footnotary.text.language import language_of
from footnotary.text.references.provision_numbers import provision_key
from footnotary.text.references.provisions import references
from footnotary.text.tokens import terms_of

_CLAUSE_MARK = re.compile(r"\((\w+)\)")
_PRINCIPAL = re.compile(r"\bprincipal (?:act|code|rules?|regulations?|ordinance)\b|मूल (?:अधिनियम|संहिता|नियमावली)", re.I)


def missing_clause(sources: Sequence[Hit], facet: Facet) -> str | None:
    """The clause a question names, "3(2)(z)", if its section is found but its marks are not in it.

    None as long as one of the provisions named may be there. Only English marks are checked.
    """
    missing: str | None = None
    for reference in facet.references:
        texts = [hit.chunk.text for hit in sources if is_provision(hit.chunk, reference, facet)]
        marks = _CLAUSE_MARK.findall(reference.clause or "")
        if not marks or not texts or any(language_of(text) != "en" for text in texts):
            return None
        if all(any(_is_marked(mark, text) for text in texts) for mark in marks):
            return None
        missing = missing or f"{reference.section}{reference.clause}"
    return missing


def _is_marked(mark: str, text: str) -> bool:
    """Whether "(b)", "b)", "b." or, at the head of a line, "b" occurs in a text."""
    label = re.escape(mark)
    return re.search(rf"(?<![\w.])(?:{label}\)|{label}\.(?!\d))|^\s*{label}\s", text, re.I | re.M) is not None


def is_provision(chunk: Chunk, reference: Reference, facet: Facet) -> bool:
    """Whether a chunk is the provision named, or mentions it.

    "Section 3 of the principal Act" is not section 3 of the Act that amends it, which calls it so.
    """
    number = provision_key(reference.section)
    of_principal = reference.act is None and _PRINCIPAL.search(facet.text) and _PRINCIPAL.search(chunk.text)
    if chunk.labels.section is not None and provision_key(chunk.labels.section) == number and not of_principal:
        return _is_of(chunk, reference.act)
    return any(provision_key(found.section) == number for found, _ in references(chunk.text))


def is_under(chunk: Chunk, act: str) -> bool:
    """Whether a chunk is from the law asked about, or mentions it."""
    return _is_of(chunk, act) or terms_of(act) <= terms_of(chunk.text)


def _is_of(chunk: Chunk, act: str | None) -> bool:
    """Whether a chunk is of an act, or of one that is not known."""
    labels = chunk.labels
    if act is None or not (labels.act or labels.code):
        return True
    return Work(labels.code or "", labels.act or "", labels.year or "").is_meant_by(act)
