"""Which hits give way to those of a document in force."""

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.evidence import Hit
from footnotary.domain.validity import Validity, ValidityCalendar
from footnotary.retrieve.in_force import prefer_in_force, with_validity_status
from footnotary.testing.builders import chunk_of

DAY = date(2024, 1, 1)
SAID = {"New.txt": Validity(supersedes=("Old.txt",)), "Newest.txt": Validity(supersedes=("New.txt",))}


def hit(document, number=0, score=0.8, via="search"):
    return Hit(chunk_of(f"{document}_{number}_0", f"Passage {number}."), score, via=via)


def kept(*hits, said=SAID):
    calendar = ValidityCalendar(said, DAY)
    return [hit.chunk.id for hit in prefer_in_force(with_validity_status(hits, calendar), calendar)]


def test_a_hit_gives_way_to_one_of_a_successor_over_any_number_of_steps():
    assert kept(hit("Old"), hit("New"), hit("Newest", score=0.5)) == ["Newest_0_0"]


def test_a_hit_stays_where_its_successor_has_none_or_only_one_about_something_else():
    assert kept(hit("Old"), hit("Other")) == ["Old_0_0", "Other_0_0"]
    assert kept(hit("Old", score=0.8), hit("Newest", score=0.39)) == ["Old_0_0", "Newest_0_0"]
    assert kept(hit("Old", score=0.8), hit("Newest", score=0.4)) == ["Newest_0_0"]


def test_what_is_named_gives_way_only_to_what_is_named():
    assert kept(hit("Old", via="reference"), hit("Newest", 1)) == ["Old_0_0", "Newest_1_0"]
    assert kept(hit("Old", via="reference"), hit("Newest", 1, via="reference")) == ["Newest_1_0"]
    assert kept(hit("Old"), hit("Newest", 1, via="reference")) == ["Newest_1_0"]


def test_a_document_that_ended_without_a_successor_gives_way_to_nobody():
    said = {"Old.txt": Validity(effective_to=date(2020, 1, 1)), "New.txt": Validity(date(2020, 1, 2))}
    assert kept(hit("Old"), hit("New"), said=said) == ["Old_0_0", "New_0_0"]


def test_where_everything_is_in_force_hits_are_looked_at_only_as_they_are_asked_for():
    def hits():
        yield hit("New")
        raise AssertionError("nobody asked for a second")

    calendar = ValidityCalendar({"New.txt": Validity(effective_from=date(2020, 1, 1))}, DAY)
    assert next(prefer_in_force(with_validity_status(hits(), calendar), calendar)).chunk.id == "New_0_0"


documents = st.sampled_from(["Old", "New", "Newest", "Other"])
hit_lists = st.lists(st.tuples(documents, st.integers(0, 3), st.floats(0, 1)), max_size=8, unique_by=lambda t: t[:2])


@given(hit_lists)
def test_only_hits_not_in_force_are_left_out_and_the_order_stays(drawn):
    calendar = ValidityCalendar(SAID, DAY)
    every = list(with_validity_status([hit(*one) for one in drawn], calendar))
    left = list(prefer_in_force(every, calendar))
    assert [one for one in every if one in left] == left
    assert all(one in left for one in every if one.is_in_force)
    assert bool(left) == bool(every)
    assert [replace(one, standing=None) for one in every] == [hit(*one) for one in drawn]
