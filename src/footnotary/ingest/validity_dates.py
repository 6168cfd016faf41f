"""The validity a file declares: its effective dates, which documents it supersedes, and its trust."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TypeVar

from footnotary.domain.validity import (
    TRUST_LEVELS,
    UNKNOWN_VALIDITY,
    Trust,
    Validity,
    parse_day,
    would_supersede_itself,
)
from footnotary.errors import DocumentError, UsageError
from footnotary.ingest.document_registry import DocumentRegistry
from footnotary.ingest.parsed_document import ParsedFile

VALIDITY_FIELDS = frozenset({"EFFECTIVE_FROM", "EFFECTIVE_TO", "SUPERSEDES", "TRUST"})

T = TypeVar("T", date, tuple[str, ...], Trust)


def declared_validity(parsed: ParsedFile) -> Validity:
    """The validity from the header or front matter, or from the rows of a file of records, which must agree.

    Raises `DocumentError` for an invalid date, an end before the start, and rows that differ.
    """
    places = {"the header": parsed.fields}
    for row in parsed.rows:
        places[f"line {row.number}"] = {name.upper(): value for name, value in row.fields.items()}
    try:
        return Validity(
            _declared_value(places, "EFFECTIVE_FROM", parse_day),
            _declared_value(places, "EFFECTIVE_TO", parse_day),
            _declared_value(places, "SUPERSEDES", split_document_names) or (),
            trust=_declared_value(_with_levels(places), "TRUST", _declared_trust),
        )
    except ValueError as error:
        raise _validity_error(str(error)) from error


def _with_levels(places: Mapping[str, Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """The places whose TRUST is a level: the trust of a deed is something else."""
    return {name: said for name, said in places.items() if said.get("TRUST", "").strip().lower() in TRUST_LEVELS}


def _declared_trust(text: str) -> Trust:
    """The trust a file declares. It can only lower it: that a file is official must be said at ingest."""
    return "internal" if text.strip().lower() == "internal" else "unverified"


def resolve_validity(document_id: str, known: DocumentRegistry, said: Validity, *given: Validity) -> Validity:
    """The validity a document declares, overridden by the given ones in turn.

    Raises `DocumentError` if it would end before it starts, or supersede itself.
    """
    try:
        laid = UNKNOWN_VALIDITY
        for more in given:
            laid = laid.overridden_by(more)
        said = said.overridden_by(laid)
    except ValueError as error:
        raise _validity_error(str(error)) from error
    if said.supersedes and would_supersede_itself(document_id, said.supersedes, known.validities):
        raise DocumentError(
            f"it supersedes {', '.join(said.supersedes)}, and therefore itself",
            reason="bad_dates",
            hint="name the documents it replaces by their ids in `footnotary documents list`",
        )
    return said


def require_documents(names: Sequence[str], known: DocumentRegistry, project: str) -> None:
    """Raises `UsageError` unless the project has all of these documents."""
    for name in names:
        if known.get(name) is None:
            raise UsageError(
                f"there is no document {name!r} in project {project!r} to supersede",
                hint=f"list the documents: footnotary documents list -p {project}",
            )


def split_document_names(text: str) -> tuple[str, ...]:
    """The document names, separated by semicolons: file names contain commas ("Wages Act, 1948.txt")."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(";") if name.strip()))


def _declared_value(places: Mapping[str, Mapping[str, str]], field: str, read: Callable[[str], T]) -> T | None:
    first: tuple[str, T] | None = None
    for place, fields in places.items():
        if field not in fields:
            continue
        try:
            value = read(fields[field])
        except ValueError as error:
            raise _validity_error(f"{field.lower()} in {place}: {error}") from error
        if first is not None and first[1] != value:
            raise _validity_error(f"{field.lower()} differs between {first[0]} and {place}, but a file is one document")
        first = first or (place, value)
    return first and first[1]


def _validity_error(seen: str) -> DocumentError:
    hint = "write dates as 2020-01-31, the end not before the start, and the same in the whole file"
    return DocumentError(seen, reason="bad_dates", hint=hint)
