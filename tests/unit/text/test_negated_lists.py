import pytest

from footnotary.text.sentences.negated_lists import negates_list


@pytest.mark.parametrize(
    "lead",
    [
        "A member shall not:",
        "None of the following is permitted:",
        "It is forbidden—",
        "In the hall, nobody may:-",
        "Everything is allowed except:",
        "सदस्य निम्नलिखित नहीं करेगा:",
        "No person shall,—",
        "No person shall, without a licence:",
        "A member shall not, unless the librarian allows it:",
        "The following are not offences, namely:-",
    ],
)
def test_an_introduction_that_negates_its_items_is_recognised(lead: str):
    assert negates_list(lead)


@pytest.mark.parametrize(
    "lead",
    [
        "A member shall not.",
        "A member may:",
        "Except in the cases hereinafter excepted, hunting is poaching, if it is done—",
        "Unless the context otherwise requires, in this Act—",
        "Whoever hunts without a licence is punished:",
        "In this Act, where the context does not require otherwise,-",
        "Where no rule applies—",
        "इस अधिनियम में, जब तक कि संदर्भ से अन्यथा अपेक्षित न हो,-",
    ],
)
def test_any_other_is_not(lead: str):
    assert not negates_list(lead)
