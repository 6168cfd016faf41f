"""Acts in Hindi: their names, their sections in either kind of digits, titles in the margin."""

import pytest

from tests.unit.ingest.reading import chunks, document_and_chunks

GAZETTE = """ग्राम कूप संहिता, 2019
(2019 का अधिनियम संख्यांक 7)

अध्याय 1
प्रारंभिक
1. (1) इस अधिनियम का संक्षिप्त नाम ग्राम कूप संहिता, 2019 है। संक्षिप्त नाम और
विस्तार।
(2) इसका विस्तार संपूर्ण राज्य पर है।
2. प्रत्येक ग्राम सभा अपने कूपों की एक पंजी रखेगी और उसमें हर कूप की गहराई तथा
स्वामी का नाम लिखेगी।
3. (1) कोई व्यक्ति पंजी में दर्ज किसी कूप को ग्राम सभा की लिखित अनुमति के बिना बंद नहीं
करेगा।
4. (1) जो कोई धारा 3 का उल्लंघन करेगा, वह पांच सौ रुपये तक के जुर्माने से दंडित
किया जाएगा।
"""


def test_sections_whose_titles_stand_in_the_margin_are_found_by_their_numbers():
    document, found = document_and_chunks(GAZETTE)
    assert (document.labels.kind, document.labels.act, document.labels.year) == ("act", "ग्राम कूप संहिता, 2019", "2019")
    assert [chunk.labels.section for chunk in found if chunk.labels.section] == ["1", "2", "3", "4"]
    assert {chunk.labels.language for chunk in found} == {"hi"}
    assert found[-1].id == "ग्रामकूपसंहिता_4_0"


@pytest.mark.parametrize("digits", ["3", "३"])
@pytest.mark.parametrize("word", ["धारा", "अनुच्छेद"])
def test_named_sections_are_found_in_either_kind_of_digits(word, digits):
    other = {"3": ("4", "5"), "३": ("४", "५")}[digits]
    text = f"ग्राम कूप अधिनियम, 2019\n\n{word} {digits}. कूप की पंजी\nग्राम सभा कूपों की पंजी रखेगी।\n\n"
    text += "".join(f"{word} {number}. कूप का शुल्क\nकूप का शुल्क दस रुपये है।\n\n" for number in other)
    first = next(chunk for chunk in chunks(text) if chunk.labels.section)
    assert (first.labels.section, first.labels.title) == (digits, "कूप की पंजी")


def test_a_line_of_broken_text_is_no_title():
    broken = GAZETTE.replace("4. (1) जो", "4. जो")
    titles = [chunk.labels.title for chunk in chunks(broken) if chunk.labels.section]
    assert not any(title and "दंडित" in title for title in titles)
