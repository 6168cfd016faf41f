import pytest

from footnotary.verify.wording.modality.agreement import modality_disagrees


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The court must grant bail.", "The court may grant bail."),
        ("The court may record reasons.", "The court shall record reasons."),
        ("The employer should keep a register.", "The employer must keep a register."),
        ("The employer need not keep a register.", "The employer must keep a register."),
        ("Bail is to be granted, and must be granted at once.", "Bail may be granted by the court at once."),
        ("कर्मचारी प्राधिकारी को आवेदन करना होगा।", "कर्मचारी प्राधिकारी को आवेदन कर सकता है।"),
    ],
)
def test_a_duty_made_a_choice_or_a_choice_a_duty_is_named(claim, premise):
    assert modality_disagrees(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The court is required to record reasons.", "The court shall record reasons."),
        ("The court is allowed to grant bail.", "The court may grant bail."),
        (
            "Whoever steals faces up to three years in prison.",
            "Whoever steals shall be punished with imprisonment which may extend to three years.",
        ),
        (
            "A thief can be jailed for up to three years.",
            "A thief shall be punished with imprisonment of up to three years.",
        ),
        ("No person may enter without a pass.", "A person shall not enter without a pass."),
        ("This Act is called the Wages Act.", "This Act may be called the Wages Act."),
        ("The fee is as prescribed.", "The fee shall be such as may be prescribed."),
        ("A partner may compete only with consent.", "A partner may not compete without consent."),
    ],
)
def test_the_same_force_in_other_words_is_fair(claim, premise):
    assert modality_disagrees(claim, premise) is None
