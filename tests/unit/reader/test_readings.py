"""What a model server says is collected for the record of the outcome it led to, and for no other."""

from footnotary.reader.language_model.readings import (
    collecting_readings,
    collection,
    note_readings,
    recorded_readings,
    replaying_readings,
)


def test_readings_are_collected_inside_the_block_only():
    note_readings({"before": 0.1})
    with collecting_readings() as found:
        note_readings({"a": 0.2})
        note_readings({"b": 0.3})
    note_readings({"after": 0.4})
    assert found == {"a": 0.2, "b": 0.3}


def test_an_outer_block_gets_those_of_an_inner_one():
    with collecting_readings() as outer:
        note_readings({"a": 0.1})
        with collecting_readings() as inner:
            note_readings({"b": 0.2})
    assert inner == {"b": 0.2}
    assert outer == {"a": 0.1, "b": 0.2}


def test_every_block_has_a_number_of_its_own():
    numbers = []
    for _ in range(3):
        with collecting_readings():
            numbers.append(collection())
    assert len(set(numbers)) == 3
    assert collection() is None


def test_a_record_is_replayed_inside_the_block_only():
    assert recorded_readings() is None
    with replaying_readings({"a": 0.5}):
        assert recorded_readings() == {"a": 0.5}
    assert recorded_readings() is None
