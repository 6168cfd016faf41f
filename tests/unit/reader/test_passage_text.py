"""Headings are shown outermost first, each once."""

from dataclasses import replace

import pytest

from footnotary.reader.passage_text import passage_text
from footnotary.testing.builders import chunk_of

TEXT = "Whoever commits theft shall be punished."


@pytest.mark.parametrize(
    ("section", "labels", "headings"),
    [
        ((), {"act": None, "code": None}, ""),
        ((), {"act": "Penal Code", "title": "Theft"}, "Penal Code > Theft"),
        ((), {"act": "Penal Code", "chapter_title": "Property", "title": "Theft"}, "Penal Code > Property > Theft"),
        (("CHAPTER XVII: PROPERTY", "379. Theft."), {"act": "Code", "chapter_title": "Property", "title": "Theft"},
         "Code > CHAPTER XVII: PROPERTY > 379. Theft."),
        (("Theft", "Theft"), {"act": "Theft"}, "Theft"),
        (("Part I", "Whoever commits theft"), {"act": "Code"}, "Code > Part I"),
        (("  Part\n I ", " "), {"act": "Code"}, "Code > Part I"),
    ],
)  # fmt: skip
def test_headings_are_outermost_first_and_not_repeated(section, labels, headings):
    found = passage_text(replace(chunk_of("IPC_379_0", TEXT, **labels), section=section))
    assert (found.headings, found.text) == (headings, TEXT)
