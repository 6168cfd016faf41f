"""Follows explicit cross-references from one section to another."""

import re
from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Labels
from footnotary.domain.evidence import Hit, Ranks
from footnotary.domain.identity import Span
from footnotary.domain.query import Reference, Scope
from footnotary.ports import Store
from footnotary.text.references.provisions import references

# A section that is only referred to is less likely to be relevant than the one that refers to it.
_REFERENCE_DISCOUNT = 0.9
# After a number and the rest of its list: "6, 7(1) and 8A of the said Act".
_OF_ANOTHER_ACT = re.compile(
    r"(?:\s|,|&|\band\b|\bor\b|\bto\b|\d{1,4}[A-Z]{0,2}\b|\(\w{1,5}\)){0,40}?\bof\s+(?:the\s+)?"
    r"(?:aforesaid|said|principal|parent|former|that|such|same)\s+(?:act|code|rules|regulations?|ordinance|law)\b",
    re.IGNORECASE,
)
_HINDI_OF_ANOTHER_ACT = re.compile(
    r"(?:उक्त|मूल|उस|उसी|उपर्युक्त|उपरोक्त)\s+(?:अधिनियम|संहिता|नियमावली|अध्यादेश)\s+(?:की|के|का)\s*$"
)
_CONTEXT_CHARS = 80


def follow_references(hits: Sequence[Hit], scope: Scope, store: Store) -> tuple[Hit, ...]:
    """The sections that the hits refer to ("as defined in section 415"), one step, as additional hits.

    A reference without an act means the act of the section that contains it, of that year if there are several. One
    to "the said Act" or "the principal Act" means another act that cannot be determined here, and is not followed.
    """
    have = {hit.chunk.id for hit in hits}
    added: list[Hit] = []
    for hit in hits:
        for found, span in references(hit.chunk.text):
            if found.act is None and (
                found.section == hit.chunk.labels.section or _refers_to_another_act(hit.chunk.text, span)
            ):
                continue
            named = Reference(found.section, found.act or _own_act_name(hit.chunk.labels))
            for chunk in store.chunks(scope.project, store.lookup(scope.project, named, scope.filters)):
                if chunk.id not in have and not _is_same_section(chunk, hit.chunk):
                    have.add(chunk.id)
                    added.append(Hit(chunk, hit.score * _REFERENCE_DISCOUNT, Ranks(), "graph"))
    return tuple(added)


def _refers_to_another_act(text: str, span: Span) -> bool:
    before = text[max(0, span.start - _CONTEXT_CHARS) : span.start]
    return _OF_ANOTHER_ACT.match(text, span.end) is not None or _HINDI_OF_ANOTHER_ACT.search(before) is not None


def _own_act_name(labels: Labels) -> str | None:
    """The name to look up a section's own act: with the year, because two years of one act share a code."""
    name = labels.code or labels.act
    return f"{name} {labels.year}" if name and labels.year else name


def _is_same_section(one: Chunk, other: Chunk) -> bool:
    return (one.document_id, one.labels.section) == (other.document_id, other.labels.section)
