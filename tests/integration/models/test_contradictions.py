"""What the installed readers say of passages that answer one question alike, otherwise, or not at all."""

import pytest

from footnotary.reader.shipped import SHIPPED_VERIFIERS, open_verifier
from footnotary.verify.conflicts.read_contradictions import statement

pytestmark = pytest.mark.trained

SAID = statement(
    "Who designed the Orchard Lane Library?", "It was designed by Edith Calloway, who also drew its garden."
)
OTHERWISE = (
    "Few visitors know that the library in Orchard Lane was designed by Hugh Pemberton. He supervised the masons."
)
ALIKE = "Edith Calloway, a town architect, planned the Orchard Lane Library and its reading room."
BESIDE = "The Orchard Lane Library lends 40,000 books a year. Children under twelve need no card."


@pytest.mark.parametrize("tier", sorted(SHIPPED_VERIFIERS))
def test_a_passage_that_answers_otherwise_contradicts_more_than_one_that_agrees_or_does_not_answer(tier):
    otherwise, alike, beside = open_verifier(tier).contradicts([(SAID, OTHERWISE), (SAID, ALIKE), (SAID, BESIDE)])
    assert otherwise > alike + 0.1
    assert otherwise > beside + 0.1
