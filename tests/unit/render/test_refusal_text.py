"""People read plain sentences where the record keeps the wording of the first version."""

import pytest

from footnotary.render.refusal_text import refusal_detail, refusal_sentence


@pytest.mark.parametrize(
    ("recorded", "sentence", "detail"),
    [
        (
            "the best passage scores 0.16, 0.30 asked",
            "no passage is close enough to the question",
            "best passage score 0.16 is below the threshold 0.30",
        ),
        (
            "what was found answers with probability 0.49, 0.50 asked",
            "the passages found do not answer the question",
            "answer probability 0.49 is below the threshold 0.50",
        ),
        ("1 usable sources, 2 asked", "usable sources found: 1, required: 2", "usable sources found: 1, required: 2"),
        ("a passage about what is asked", "a passage that answers the question", "a passage that answers the question"),
        ("no passage is about leave", "no passage is about leave", "no passage is about leave"),
    ],
)
def test_a_recorded_text_is_shown_as_a_sentence_and_with_its_numbers(recorded, sentence, detail):
    assert refusal_sentence(recorded) == sentence
    assert refusal_detail(recorded) == detail
