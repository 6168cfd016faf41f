"""The shipped reader of Hindi questions tells a passage that answers from one that does not."""

from functools import cache

import pytest

from footnotary.ports import PassageText, Reader
from footnotary.profiles.load import load_profile
from footnotary.reader.by_language import reader_knowing
from footnotary.reader.shipped import reader_for

pytestmark = pytest.mark.trained

LIBRARY = PassageText(
    "नगर पुस्तकालय",
    "नगर पुस्तकालय 1987 में बना। सदस्यता का शुल्क 50 रुपये प्रति वर्ष है। पुस्तकें चौदह दिन के लिए दी जाती हैं।",
)
GARDEN = PassageText("बगीचा", "बगीचे में आम के तीस पेड़ हैं। माली सुबह छह बजे पानी देता है। फल जून में पकते हैं।")
ANSWERED = (
    ("पुस्तकालय की सदस्यता का शुल्क कितना है?", LIBRARY, GARDEN),
    ("पुस्तकालय किस वर्ष बना?", LIBRARY, GARDEN),
    ("बगीचे में आम के कितने पेड़ हैं?", GARDEN, LIBRARY),
    ("माली किस समय पानी देता है?", GARDEN, LIBRARY),
)


@cache
def hindi() -> Reader:
    reader = reader_knowing(reader_for(load_profile("tutor"), "profile"), "hi")
    assert reader is not None
    return reader


@pytest.mark.parametrize(("question", "right", "wrong"), ANSWERED)
def test_the_passage_that_answers_is_clearly_likelier(question: str, right: PassageText, wrong: PassageText):
    found = hindi().answers([(question, [right]), (question, [wrong])])
    assert found[0] > 0.5 > found[1] + 0.2
