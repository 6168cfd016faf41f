"""Claims that copy a sentence: what is exchanged, added or left out is seen, and a wording of one's own is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.verify.exact.changed_words import MAX_CLAIM_WORDS, words_changed

RULE = "The tenant shall pay the deposit to the landlord before the lease begins, unless the court orders otherwise."
PERMIT = "An officer may enter the shop and inspect the books or seize the goods."
HINDI = "प्रत्येक नियोजक कर्मचारी को मजदूरी का भुगतान करेगा और रसीद देगा।"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The tenant shall not pay the deposit to the landlord before the lease begins, unless the court orders otherwise.", RULE),
        ("The tenant may pay the deposit to the landlord before the lease begins, unless the court orders otherwise.", RULE),
        ("The landlord shall pay the deposit to the tenant before the lease begins, unless the court orders otherwise.", RULE),
        ("The tenant shall pay the deposit to the landlord after the lease begins, unless the court orders otherwise.", RULE),
        ("The tenant shall pay the deposit to the landlord before the lease begins.", RULE),
        ("The guest shall pay the deposit to the landlord before the lease begins, unless the court orders otherwise.", RULE),
        ("An officer may enter the shop and inspect the books and seize the goods.", PERMIT),
        ("An officer must enter the shop and inspect the books or seize the goods.", PERMIT),
        ("Some officers may enter the shop and inspect the books or seize the goods.", f"Every {PERMIT[3:]}"),
        ("Dogs are allowed in the garden.", "No dogs are allowed in the garden."),
        ("No dogs are allowed in the garden.", "Dogs are allowed in the garden."),
        ("No dogs that are clean are allowed in the garden.", "Dogs that are not clean are allowed in the garden."),
        ("प्रत्येक नियोजक कर्मचारी को मजदूरी का भुगतान नहीं करेगा और रसीद देगा।", HINDI),
        ("प्रत्येक नियोजक कर्मचारी को मजदूरी का भुगतान करेगा या रसीद देगा।", HINDI),
    ],
)  # fmt: skip
def test_a_changed_word_in_a_copied_sentence_is_seen(claim, source):
    assert words_changed(claim, source) is not None
    assert words_changed(claim, f"The roof was mended in spring. {source} Nobody lives next door.") is not None


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Anyone who hides a ledger shall be punished with 7 years.", "Whoever hides a ledger shall be punished with seven years."),
        ("Landlords get their deposit ahead of everything else.", RULE),
        ("An officer may enter the shop.", PERMIT),
        ("Boats are red.", "Boats are red."),
        ("No dogs are allowed in the garden.", "Dogs are not allowed in the garden."),
        ("Dogs are not allowed in the garden.", "No dogs are allowed in the garden."),
        ("No pets may be kept in the flat.", "Pets may not be kept in the flat."),
        ("", ""),
    ],
)  # fmt: skip
def test_a_wording_of_its_own_and_a_copied_part_are_left_alone(claim, source):
    assert words_changed(claim, source) is None


@given(st.text(max_size=200))
def test_no_text_differs_from_itself(text):
    assert words_changed(text, text) is None


@pytest.mark.parametrize("text", ["no ", "fine and prison or ", '"a ', "No. ", "unless ", "Aa "])
def test_hostile_text_gets_an_answer(text):
    long = text * 60_000
    assert words_changed(long, f"{long}b") is not None
    words_changed(text * (MAX_CLAIM_WORDS // 5), f"{long}b")
