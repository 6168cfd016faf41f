import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.verify.wording.dropped_restriction import dropped_restriction

TENANT = "A tenant who has not paid rent for six months may be evicted by the landlord."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Children travel free.", "Children under twelve travel free."),
        ("Every factory must register.", "Every factory employing twenty or more workers must register."),
        ("A tenant may be evicted by the landlord.", TENANT),
        (
            "Whoever commits theft shall be punished.",
            "Whoever, having been previously convicted, commits theft shall be punished.",
        ),
        ("Drivers lose their licence.", "Drivers convicted twice lose their licence."),
        ("A person must register.", "A person in Delhi must register."),
        ("Employees may be dismissed without notice.", "Employees on probation may be dismissed without notice."),
        ("Goods may be returned within ten days.", "Goods bought online may be returned within ten days."),
        ("The library is closed.", "The library is closed on Sundays."),
        ("The pool is free.", "The pool is free for children."),
        ("The road is closed.", "The road is closed in winter."),
        ("Smoking is prohibited.", "Smoking is prohibited during lessons."),
    ],
)
def test_what_is_said_of_some_is_not_said_of_all(claim: str, source: str):
    assert dropped_restriction(claim, source) is not None
    found = verify_claim(claim, [source], verifier="lexical")
    assert (found.supported, found.reasons) == (False, (Reason.EXCEPTION_DROPPED,))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The Board may grant leave.", "The Board, which meets monthly, may grant leave."),
        ("A tenant who has not paid rent for six months may be evicted.", TENANT),
        ("Every member who is absent pays a fee.", "Every member who is absent must pay a fee."),
        ("Members may borrow five books.", "Members may borrow five books, and guests two."),
        ("Workers shall keep records of wages.", "Workers and employers shall keep records of wages."),
        ("All applications shall be made in writing.", "All applications shall be made in writing to the registrar."),
        ("A worker is entitled to leave.", "A worker is entitled, with pay, to leave."),
        ("The course is compulsory.", "The course is compulsory for all students."),
        ("The contract was signed.", "The contract was signed on Monday."),
        ("The library is closed on Sundays.", "The library is closed on Sundays in May."),
        ("The office is open.", "The office is open, and tea is served at noon."),
    ],
)
def test_what_is_left_out_elsewhere_narrows_nothing(claim: str, source: str):
    assert dropped_restriction(claim, source) is None


def test_a_judge_that_would_be_sure_is_not_asked():
    class Sure:
        name, fusion_weights, languages = "sure", None, ("en",)

        def support(self, pairs):
            pytest.fail("it was asked")

    assert not verify_claim("A tenant may be evicted by the landlord.", [TENANT], verifier=Sure()).supported
