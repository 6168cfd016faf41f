"""Whether a passage is the provision that a question names: its number, its act, and the clause within it."""

import re
from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Hit
from footnotary.domain.query import Facet, Reference
from footnotary.text.language import language_of
from footnotary.text.references.provision_numbers import provision_key
from footnotary.text.references.provisions import references
from footnotary.text.tokens import terms_of

_CLAUSE_MARK = re.compile(r"\((\w+)\)")
_PRINCIPAL = re.compile(r"\bprincipal (?:act|code|rules?|regulations?|ordinance)\b|मूल (?:अधिनियम|संहिता|नियमावली)", re.I)
_GENERIC = re.compile(r"\b(?:the|act|code|laws?|rules?|regulations?)\b", re.I)
_AMENDING = re.compile(r"\bamend(?:ment|ing)|संशोधन", re.I)


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
        return _same_act(chunk, reference.act) and not _is_amended_or_amends(chunk.labels.act, reference.act)
    return any(provision_key(found.section) == number for found, _ in references(chunk.text))


def _is_amended_or_amends(act: str | None, asked: str | None) -> bool:
    """Whether exactly one of two acts amends, as of the Gardens Act and the Gardens (Amendment) Act."""
    return act is not None and asked is not None and bool(_AMENDING.search(act)) != bool(_AMENDING.search(asked))


def is_under(chunk: Chunk, act: str) -> bool:
    """Whether a chunk is from the law asked about, or mentions it."""
    return _same_act(chunk, act) or terms_of(act) <= terms_of(chunk.text)


def _same_act(chunk: Chunk, act: str | None) -> bool:
    labels = [name for name in (chunk.labels.act, chunk.labels.code) if name]
    if act is None or not labels:
        return True
    asked = terms_of(act)
    # "IT" is a stop word: a code without terms of its own would be part of every name, and "IT Act" of every act.
    short = _GENERIC.sub("", act).strip()
    named = [terms for name in labels if (terms := terms_of(name))]
    if (terms_of(short) or not short) and any(asked <= terms or terms <= asked for terms in named):
        return True
    # "IPC" is the Indian Penal Code, whichever form the label has.
    said = {act.casefold(), short.casefold()}
    return any({name.casefold(), _initials(name), _initials(_GENERIC.sub("", name))} & said for name in labels) or any(
        _abbreviates(name, act) for name in labels
    )


def _abbreviates(short: str, name: str) -> bool:
    """ "IPC" stands for the Indian Penal Code, and for the Penal Code; "CrPC" does not stand for the latter."""
    initials = _initials(name)
    return len(initials) > 1 and short.casefold() in (initials, f"i{initials}")


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split() if word[0].isupper()).casefold()
