"""FAULTS E10: killed while a store of an earlier schema is brought up to date, it is as it was or as it is to be."""

from tests.support.release_checks import run_release_check


def test_e10_killed_at_moments_of_an_upgrade_a_store_of_any_schema_is_old_or_new_and_whole():
    found = run_release_check("upgraded", 15)
    assert (found["attempts"], found["notes"]) == (15, [])
    assert found["seen"].keys() == {"left old", "left new"}


def test_e10_an_upgrade_in_pieces_is_found_out():
    assert run_release_check("upgraded", 6, seeded_bug=True)["failed"] > 0
