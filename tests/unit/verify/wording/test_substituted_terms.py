import pytest

from footnotary.verify.wording.substituted_terms import terms_substituted


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The term is simple imprisonment for a year.", "The term is rigorous imprisonment for a year."),
        ("Theft is punished with probation for three years.", "Theft is punished with imprisonment for three years."),
        ("The employer pays the bonus every month.", "The employer pays the wages every month."),
        ("The terms of the progression decrease.", "The terms of the progression increase."),
        (
            "The chairman keeps the seal of the company in a box.",
            "The chairman keeps the register of the company in a box.",
        ),
        ("Sound travels faster in gases than in solids.", "Sound travels faster in solids than in gases."),
        ("The moon reflects light to the earth from Mars.", "The moon reflects light to Mars from the earth."),
        (
            "The carrier may use the grain store for sixty months, and the tenant keeps the key.",
            "The carrier may use the cattle shed for sixty months, and the tenant keeps the key.",
        ),
    ],
)
def test_another_word_in_the_place_of_one_is_named(claim, premise):
    assert terms_substituted(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Theft leads to a prison term of three years.", "Theft is punished with imprisonment for three years."),
        ("The employer pays the salary every month.", "The employer pays the wages every month."),
        ("The terms of the progression grow.", "The terms of the progression increase."),
        ("Women and men are treated alike by the rule.", "Men and women are treated alike by the rule."),
        ("The work is not simple.", "The work is rigorous and long."),
    ],
)
def test_a_word_that_means_the_same_is_fair(claim, premise):
    assert terms_substituted(claim, premise) is None
