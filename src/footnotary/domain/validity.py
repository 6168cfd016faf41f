"""When a document is in force, what it supersedes, how far it is trusted, and its status on a given day."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal, get_args

from footnotary.domain.later import LATER

# From the most trusted to the least; a document of which nothing is said counts as the last.
Trust = Literal["official", "internal", "unverified"]
TRUST_LEVELS: tuple[Trust, ...] = get_args(Trust)

VALIDITY_FIELDS = ("effective_from", "effective_to", "supersedes", "trust")


@dataclass(frozen=True, slots=True)
class Validity:
    """A document's period of validity: the first and the last day it is in force, and the documents it supersedes.

    None means open-ended. `trust` is how far the document is trusted, if that was said. `given` names the fields set by
    the person who ingested the document: they override what the file itself says, and stay when it is ingested again.
    """

    effective_from: date | None = None
    effective_to: date | None = None
    supersedes: tuple[str, ...] = ()
    given: frozenset[str] = frozenset()
    trust: Trust | None = field(default=None, metadata=LATER)

    def __post_init__(self) -> None:
        first, last = self.effective_from, self.effective_to
        if first is not None and last is not None and last < first:
            raise ValueError(f"effective_to, {last}, is before effective_from, {first}")

    @property
    def is_specified(self) -> bool:
        return self != Validity(given=self.given)

    @property
    def is_dated(self) -> bool:
        """Whether anything is said about when it is in force, or what it supersedes."""
        return replace(self, trust=None).is_specified

    def overridden_by(self, other: "Validity") -> "Validity":
        """This, with the `given` fields of `other` replacing its own. Raises `ValueError` if they contradict."""
        fields = {name: getattr(other, name) for name in other.given}
        return replace(self, **fields, given=self.given | other.given)

    def kept(self) -> "Validity":
        """Only the `given` fields, to override what another version of the file says."""
        return UNKNOWN_VALIDITY.overridden_by(self)

    def as_given(self) -> "Validity":
        """The same, with every non-empty field marked as given."""
        return replace(self, given=self.given | {name for name in VALIDITY_FIELDS if getattr(self, name)})

    def covers(self, day: date) -> bool:
        return (self.effective_from is None or self.effective_from <= day) and (
            self.effective_to is None or day <= self.effective_to
        )


UNKNOWN_VALIDITY = Validity()


def is_trusted(trust: Trust | None, level: Trust) -> bool:
    """Whether a document of this trust is trusted at least as far as `level`."""
    return TRUST_LEVELS.index(trust or TRUST_LEVELS[-1]) <= TRUST_LEVELS.index(level)


@dataclass(frozen=True, slots=True)
class ValidityStatus:
    """A document's status on a day: in force or not, and which documents have superseded it by then."""

    validity: Validity
    superseded_by: tuple[str, ...]
    in_force: bool


class ValidityCalendar:
    """The status of a project's documents on a day, from the known validities.

    A document is in force on the days it covers, until one that supersedes it takes effect; it does not come back when
    that one ends. If a document has no validity and none supersedes it, nothing is known: its standing is None.
    """

    def __init__(self, said: Mapping[str, Validity], day: date) -> None:
        self._said = said
        self._day = day
        self._later: dict[str, list[str]] = {}
        for document, validity in said.items():
            for earlier in validity.supersedes:
                self._later.setdefault(earlier, []).append(document)

    def standing(self, document: str) -> ValidityStatus | None:
        validity = self._said.get(document)
        if validity is None and document not in self._later:
            return None
        validity = validity or UNKNOWN_VALIDITY
        successors = tuple(sorted(later for later in self._later.get(document, ()) if self._has_begun(later)))
        return ValidityStatus(validity, successors, validity.covers(self._day) and not successors)

    def not_in_force(self) -> frozenset[str]:
        """The documents that are known not to be in force; some may not be in the project."""
        superseded = {one for one in self._later if any(map(self._has_begun, self._later[one]))}
        return frozenset(superseded | {one for one, validity in self._said.items() if not validity.covers(self._day)})

    def lineage(self, document: str) -> frozenset[str]:
        """The documents it supersedes and those that supersede it, transitively; without itself."""

        def later(one: str) -> Iterable[str]:
            return self._later.get(one, ())

        return (_reachable(document, self._earlier) | _reachable(document, later)) - {document}

    def _earlier(self, document: str) -> Iterable[str]:
        return self._said[document].supersedes if document in self._said else ()

    def _has_begun(self, document: str) -> bool:
        begins = self._said[document].effective_from
        return begins is None or begins <= self._day


def would_supersede_itself(document: str, supersedes: Iterable[str], said: Mapping[str, Validity]) -> bool:
    """Whether a document that supersedes these would, over any number of steps, supersede itself."""

    def earlier_of(one: str) -> Iterable[str]:
        return said[one].supersedes if one in said and one != document else ()

    return any(one == document or document in _reachable(one, earlier_of) for one in supersedes)


def _reachable(start: str, following: Callable[[str], Iterable[str]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for found in following(waiting.pop()):
            if found not in reached:
                reached.add(found)
                waiting.append(found)
    return frozenset(reached)


def parse_day(text: str) -> date:
    """The day written as `2020-01-31`. Raises `ValueError` for anything else, including an impossible day."""
    stripped = text.strip()
    try:
        day = date.fromisoformat(stripped)
    except ValueError:
        raise ValueError(f"{stripped!r} is not a date such as 2020-01-31") from None
    if day.isoformat() != stripped:  # the standard library also accepts 20200131 and 2020-W05
        raise ValueError(f"{stripped!r} is not a date such as 2020-01-31")
    return day
