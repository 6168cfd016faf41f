"""What every framework is given, without any of them."""

from footnotary.integrations.plain import checked, own_names
from tests.integrations.conftest import LEAVE, PASSAGES, QUESTION


def held(ids, answer):
    return checked(QUESTION, list(zip(own_names(ids), PASSAGES, strict=True)), answer)


def test_an_id_stays_a_name_unless_it_reads_as_a_place_or_another_has_it():
    assert own_names(["HR_7", None, ""]) == ("HR_7", "D2", "D3")
    assert own_names(["2", "1"]) == ("D1", "D2")
    assert own_names(["same", "same", "other"]) == ("D1", "D2", "other")
    assert own_names(["D2", None]) == ("D2", "DD2")


def test_an_answer_that_cites_by_place_is_held_to_that_place_whatever_the_ids():
    for ids in (["2", "1"], ["0", "1"], ["same", "same"]):
        assert not held(ids, f"{LEAVE[:-1]} [1].").refused
        assert held(ids, f"{LEAVE[:-1]} [2].").refused
