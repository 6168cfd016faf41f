"""When documents hold: days, successors, and what was given against what a file says."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity, ValidityCalendar, parse_day, would_supersede_itself

OLD, NEW = date(2015, 1, 1), date(2022, 4, 1)
ACTS = {"old": Validity(effective_from=OLD), "new": Validity(effective_from=NEW, supersedes=("old",))}

days = st.dates(date(1800, 1, 1), date(2200, 1, 1))
names = st.sampled_from("abcde")


@st.composite
def validities(draw):
    first, last = draw(st.none() | days), draw(st.none() | days)
    if first and last and last < first:
        first, last = last, first
    return Validity(first, last, tuple(draw(st.lists(names, max_size=2, unique=True))))


corpora = st.dictionaries(names, validities(), max_size=5)


@pytest.mark.parametrize("text", ["2020-01-31", " 2020-02-29 ", "0001-01-01", "9999-12-31"])
def test_a_day_is_year_month_and_day(text):
    assert parse_day(text).isoformat() == text.strip()


@pytest.mark.parametrize(
    "text",
    ["", "2020", "2020-1-31", "2020-02-30", "2021-02-29", "31-01-2020", "20200131", "2020-W05", "2020-01-31T00:00",
     "1 January 2020", "२०२०-०१-३१", "none"],
)  # fmt: skip
def test_anything_else_is_no_day_and_is_named(text):
    with pytest.raises(ValueError, match="is not a date such as 2020-01-31"):
        parse_day(text)


@given(days)
def test_every_day_is_read_as_it_is_written(day):
    assert parse_day(day.isoformat()) == day


def test_an_end_before_the_beginning_is_refused():
    with pytest.raises(ValueError, match="effective_to, 2015-01-01, is before effective_from, 2022-04-01"):
        Validity(NEW, OLD)
    assert Validity(NEW, NEW).covers(NEW)


@pytest.mark.parametrize(
    ("day", "old", "new"),
    [
        (date(2014, 12, 31), False, False),
        (OLD, True, False),
        (NEW - timedelta(days=1), True, False),
        (NEW, False, True),
        (date(2099, 1, 1), False, True),
    ],
)
def test_a_document_is_in_force_from_its_first_day_until_its_successor_begins(day, old, new):
    calendar = ValidityCalendar(ACTS, day)
    assert (calendar.standing("old").in_force, calendar.standing("new").in_force) == (old, new)
    assert calendar.standing("old").superseded_by == (("new",) if day >= NEW else ())


def test_the_last_day_counts():
    calendar = [ValidityCalendar({"a": Validity(effective_to=NEW)}, NEW + timedelta(days=n)) for n in (0, 1)]
    assert [one.standing("a").in_force for one in calendar] == [True, False]


def test_a_successor_without_a_first_day_supersedes_at_once_and_always():
    calendar = ValidityCalendar({"new": Validity(supersedes=("old",))}, date.min)
    assert calendar.standing("old").superseded_by == ("new",)
    assert calendar.not_in_force() == {"old"}


def test_a_superseded_document_does_not_come_back_when_its_successor_ends():
    ended = {"new": Validity(OLD, NEW, ("old",))}
    calendar = ValidityCalendar(ended, NEW + timedelta(days=1))
    assert calendar.not_in_force() == {"old", "new"}


def test_nothing_is_known_of_a_document_of_which_nothing_is_said():
    assert ValidityCalendar(ACTS, NEW).standing("other") is None
    assert ValidityCalendar({}, NEW).not_in_force() == frozenset()


def test_a_lineage_goes_both_ways_over_many_steps_and_not_sideways():
    said = {
        "code": Validity(supersedes=("wages", "bonus")),
        "wages": Validity(supersedes=("older",)),
        "newest": Validity(supersedes=("code",)),
    }
    calendar = ValidityCalendar(said, NEW)
    assert calendar.lineage("wages") == {"older", "code", "newest"}
    assert calendar.lineage("code") == {"wages", "bonus", "older", "newest"}
    assert calendar.lineage("bonus") == {"code", "newest"}
    assert calendar.lineage("stranger") == frozenset()


@given(corpora, days)
def test_who_is_not_in_force_has_ended_not_begun_or_been_superseded(said, day):
    calendar = ValidityCalendar(said, day)
    for name in "abcde":
        standing = calendar.standing(name)
        begun = {
            other
            for other, validity in said.items()
            if name in validity.supersedes and (validity.effective_from is None or validity.effective_from <= day)
        }
        covered = said.get(name, UNKNOWN_VALIDITY).covers(day)
        assert (standing is None or standing.in_force) == (covered and not begun)
        assert standing is None or set(standing.superseded_by) == begun
        assert (name in calendar.not_in_force()) == (standing is not None and not standing.in_force)


@given(corpora, names, names)
def test_a_lineage_is_mutual_and_never_holds_oneself(said, one, other):
    calendar = ValidityCalendar(said, NEW)
    assert one not in calendar.lineage(one)
    assert (other in calendar.lineage(one)) == (one in calendar.lineage(other))


@pytest.mark.parametrize(
    ("supersedes", "leads"), [(("a",), True), (("b",), True), (("c",), True), (("d",), False), ((), False)]
)
def test_a_document_that_would_supersede_itself_is_reported(supersedes, leads):
    said = {"b": Validity(supersedes=("a",)), "c": Validity(supersedes=("b",)), "d": Validity()}
    assert would_supersede_itself("a", supersedes, said) is leads


def test_what_the_document_itself_said_before_does_not_count():
    said = {"a": Validity(supersedes=("b",)), "b": Validity()}
    assert not would_supersede_itself("a", ("b",), said)
    assert would_supersede_itself("b", ("a",), said)


def test_what_is_given_outweighs_what_the_file_says_and_only_that():
    file = Validity(OLD, None, ("x",))
    given_ = Validity(effective_from=NEW, supersedes=(), given=frozenset({"effective_from", "supersedes"}))
    assert file.overridden_by(given_) == Validity(NEW, None, (), frozenset({"effective_from", "supersedes"}))


def test_only_what_was_given_is_kept_for_another_version():
    said = Validity(OLD, NEW, ("x",), frozenset({"effective_to"}))
    assert said.kept() == Validity(effective_to=NEW, given=frozenset({"effective_to"}))
    assert UNKNOWN_VALIDITY.kept() == UNKNOWN_VALIDITY


def test_a_field_that_was_given_as_open_says_nothing_and_is_still_given():
    cleared = Validity(effective_to=NEW).overridden_by(Validity(given=frozenset({"effective_to"})))
    assert not cleared.is_specified
    assert cleared.given == {"effective_to"}
