"""FAULTS E10: killed while a store of an earlier schema is brought up to date, it is as it was or as it is to be."""

from tests.support.release_checks import proved


def test_e10_killed_at_moments_of_an_upgrade_a_store_of_any_schema_is_old_or_new_and_whole():
    found = proved("upgraded", 15)
    assert (found["tried"], found["notes"]) == (15, [])
    assert found["seen"].keys() == {"left old", "left new"}


def test_e10_an_upgrade_in_pieces_is_found_out():
    assert proved("upgraded", 6, "planted")["failed"] > 0
