"""The conflicts of one document with the others of its project: compared now, and reported by recorded answers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from time import monotonic

from footnotary.audit.log import AuditLog
from footnotary.audit.record import AuditRecord
from footnotary.domain.chunk import Chunk
from footnotary.domain.conflict import Conflict
from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.domain.query import Filters, Query, Scope
from footnotary.domain.validity import ValidityCalendar
from footnotary.errors import StoreCorrupt
from footnotary.ports import ManagedStore
from footnotary.text.language import language_of
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import content_terms
from footnotary.verify.conflicts.aligned_passages import (
    AlignedSources,
    ComparisonLimitError,
    conflict_between,
    have_one_standing,
)
from footnotary.verify.conflicts.contradicting_values import rule_in

# A sentence about the same thing has the same content words, so it is among the first of a search for these.
_NEAREST = 8
_MAX_PASSAGES = 200
_MAX_CONFLICTS = 50
_MAX_SECONDS = 2.0
_MAX_RECORDS = 500
_MAX_CONTENTS = 50


@dataclass(frozen=True, slots=True)
class ConflictSide:
    """What one of two conflicting passages says: `span` is the place of the quote in the text of its document."""

    chunk: Chunk
    span: Span
    value: str
    quote: str

    @property
    def page(self) -> int | None:
        place = self.chunk.located(self.span.shifted(-self.chunk.span.start))
        return place.page if place and place.page is not None else self.chunk.page


@dataclass(frozen=True, slots=True)
class DocumentConflict:
    """A conflict of a document, `own`, with another; `answer_id` is that of the answer that reported it, if one did."""

    own: ConflictSide
    other: ConflictSide
    answer_id: str | None = None


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """The conflicts of the passages up to number `next`, or to the end if that is None.

    `skipped` are passages that were not compared, because they have more to compare than any answer needs.
    """

    conflicts: tuple[DocumentConflict, ...]
    skipped: tuple[str, ...]
    next: int | None


def compare_document(
    store: ManagedStore,
    project: str,
    document_id: str,
    start: int = 0,
    *,
    today: Callable[[], date] = date.today,
    clock: Callable[[], float] = monotonic,
) -> ComparedPart:
    """Compares a document with the nearest passages of the others, starting at passage `start`, counted from 0.

    Exact: only values that contradict each other are found, as `sources_agree` finds them between the passages of an
    answer. A part ends after a number of passages or conflicts, or when its time is over, whichever is first; at least
    one passage is compared.
    """
    ids = store.passage_ids(project, document_id)
    calendar = ValidityCalendar(store.validities(project), today())
    found: list[DocumentConflict] = []
    skipped: list[str] = []
    until = clock() + _MAX_SECONDS
    at = start
    for chunk in store.chunks(project, ids[start : start + _MAX_PASSAGES]):
        if at > start and (len(found) >= _MAX_CONFLICTS or clock() >= until):
            break
        at += 1
        try:
            found += _passage_conflicts(store, project, chunk, calendar)
        except ComparisonLimitError:
            skipped.append(chunk.id)
    return ComparedPart(tuple(found), tuple(skipped), at if start < at < len(ids) else None)


def recorded_conflicts(
    log: AuditLog,
    store: ManagedStore,
    project: str,
    document_id: str,
    may_read: Callable[[AuditRecord], bool],
    *,
    today: Callable[[], date] = date.today,
) -> Sequence[DocumentConflict]:
    """The conflicts of a document that recorded answers reported, the latest first, each once.

    Of the last records only those count that `may_read` accepts, that store their question, and whose quotes are still
    in the documents.
    """
    calendar = ValidityCalendar(store.validities(project), today())
    own = set(store.passage_ids(project, document_id))
    once: dict[tuple[str, str, str, str], DocumentConflict] = {}
    contents = 0
    for record in log.latest(_MAX_RECORDS):
        says = record.says
        if says.get("project") != project or not says.get("answer_id") or not may_read(record):
            continue
        if own.isdisjoint(cited for cited, _ in says["evidence"]):
            continue
        if (contents := contents + 1) > _MAX_CONTENTS:
            break
        for conflict in _reported(log, says["answer_id"]):
            if (sides := _current(store, project, document_id, conflict, calendar)) is not None:
                (ours, theirs), answer_id = sides, says["answer_id"]
                key = (ours.chunk.id, ours.quote, theirs.chunk.id, theirs.quote)
                once.setdefault(key, DocumentConflict(ours, theirs, answer_id))
    return tuple(once.values())


def _passage_conflicts(
    store: ManagedStore, project: str, chunk: Chunk, calendar: ValidityCalendar
) -> Iterator[DocumentConflict]:
    filters = Filters(without=frozenset({chunk.document_id}))
    near: dict[str, list[str]] = {}
    for span in sentence_spans(chunk.text):
        sentence = span.of(chunk.text)
        rule = None if _is_flagged(chunk, span) or sentence in near else rule_in(sentence)
        if rule is not None and rule.about and (rule.values or rule.is_plain):
            terms = tuple(dict.fromkeys(content_terms(sentence)))
            near[sentence] = [hit.id for hit in store.lexical(project, terms, _NEAREST, filters)]
    others = store.chunks(project, list(dict.fromkeys(each for ids in near.values() for each in ids)))
    hits = {each.id: Hit(each, 1.0, standing=calendar.standing(each.document_id)) for each in (chunk, *others)}
    nothing_asked = Query("", Scope(project), language_of(chunk.text), (), ())
    sources = AlignedSources(nothing_asked, hits.values())
    for sentence, ids in near.items():
        for each in ids:
            if each not in hits:
                continue
            contradiction = sources.contradiction(sentence, sources.passages[chunk.id], sources.passages[each])
            if contradiction is None:
                continue
            conflict = conflict_between(hits[chunk.id], hits[each], contradiction)
            ours = _side(chunk, conflict.value_a, conflict.quote_a)
            theirs = _side(hits[each].chunk, conflict.value_b, conflict.quote_b)
            if ours and theirs and not _is_flagged(theirs.chunk, theirs.span.shifted(-theirs.chunk.span.start)):
                yield DocumentConflict(ours, theirs)


def _is_flagged(chunk: Chunk, span: Span) -> bool:
    """Whether it is an instruction to the model, or of a passage that says of itself that it states no fact."""
    return any(flag.span.overlaps(span) for flag in chunk.flags or ())


def _side(chunk: Chunk, value: str, quote: str) -> ConflictSide | None:
    """One side of a conflict; None where the passage no longer has the quote."""
    start = chunk.text.find(quote)
    if start < 0:
        return None
    return ConflictSide(chunk, Span(start, start + len(quote)).shifted(chunk.span.start), value, quote)


def _reported(log: AuditLog, answer_id: str) -> Iterator[Conflict]:
    try:
        content = log.content(answer_id)
    except StoreCorrupt:  # `audit verify` names the record; what it says is not passed on
        return
    fields = Conflict.__slots__
    for said in content["outcome"].get("conflicts", ()) if content else ():
        if all(isinstance(said.get(name), str) for name in fields):
            yield Conflict(*(said[name] for name in fields))


def _current(
    store: ManagedStore, project: str, document_id: str, conflict: Conflict, calendar: ValidityCalendar
) -> tuple[ConflictSide, ConflictSide] | None:
    """The sides of a recorded conflict, that of the document first; None if it is not its own, or settled since.

    It is settled if one of the passages has changed, or if one document has superseded the other.
    """
    chunks = {chunk.id: chunk for chunk in store.chunks(project, (conflict.id_a, conflict.id_b))}
    if chunks.keys() != {conflict.id_a, conflict.id_b}:
        return None
    one, other = (Hit(each, 1.0, standing=calendar.standing(each.document_id)) for each in chunks.values())
    sides = (
        _side(chunks[conflict.id_a], conflict.value_a, conflict.quote_a),
        _side(chunks[conflict.id_b], conflict.value_b, conflict.quote_b),
    )
    if sides[0] is None or sides[1] is None or not have_one_standing(one, other):
        return None
    first, second = (side.chunk.document_id == document_id for side in sides if side)
    return None if first == second else (sides[0], sides[1]) if first else (sides[1], sides[0])
