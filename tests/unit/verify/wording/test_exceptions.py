import pytest

from footnotary.verify.wording.conditions.agreement import exceptions_dropped

RULE = "A teacher shall not give private tuition to a pupil, except with the permission of the principal."


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("A teacher shall not give private tuition to a pupil.", RULE),
        ("A teacher shall not give private tuition to a pupil, even with the permission of the principal.", RULE),
        ("The fee is refundable in full.", "The fee is refundable in full if the course is cancelled."),
        ("The gift stands if the donor revokes it.", "The gift stands unless the donor revokes it."),
        ("The report is due after the meeting.", "The report is due before the meeting."),
        ("An agreement made with consideration is void.", "An agreement made without consideration is void."),
        (
            "All roads are maintained, including those of the State.",
            "All roads are maintained, except those of the State.",
        ),
    ],
)
def test_an_exception_left_out_or_turned_round_is_named(claim, premise):
    assert exceptions_dropped(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Without permission of the principal, a teacher may not give a pupil private tuition.", RULE),
        ("Private tuition by a teacher to a pupil is barred unless the principal gives permission.", RULE),
        ("If the donor does not revoke it, the gift stands.", "The gift stands unless the donor revokes it."),
        ("Whoever is a teacher works in a school.", "A teacher works in a school. " + RULE),
        ("The permission of the principal allows private tuition.", RULE),
    ],
)
def test_an_exception_kept_in_other_words_is_fair(claim, premise):
    assert exceptions_dropped(claim, premise) is None
