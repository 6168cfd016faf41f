"""Provisions are found however they are named, and nothing else is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.query import Reference
from footnotary.text.references.numbered_items import numbered_items
from footnotary.text.references.provision_numbers import provision_key
from footnotary.text.references.provisions import references


def read(text: str) -> list[tuple[str, str | None, str | None]]:
    return [(r.section, r.act, r.clause) for r, _ in references(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Section 420 IPC", ("420", "IPC", None)),
        ("section 420 of the Indian Penal Code", ("420", "Indian Penal Code", None)),
        ("what is section 420 of the indian penal code", ("420", "indian penal code", None)),
        ("s. 420 of the Penal Code", ("420", "Penal Code", None)), ("S.420", ("420", None, None)),
        ("Sec. 420", ("420", None, None)), ("u/s 420 IPC", ("420", "IPC", None)), ("IPC 420", ("420", "IPC", None)),
        ("IPC section 420", ("420", "IPC", None)), ("Section 420 I.P.C.", ("420", "I.P.C.", None)),
        ("section 2(e)", ("2", None, "(e)")), ("sub-section (2) of section 5", ("5", None, "(2)")),
        ("clause (b) of section 2", ("2", None, "(b)")),
        ("clause (b) of sub-section (1) of section 8", ("8", None, "(1)(b)")), ("Section 304A", ("304A", None, None)),
        ("section 120-B of the IPC", ("120B", "IPC", None)), ("section 498-a of the IPC", ("498A", "IPC", None)), ("धारा 420", ("420", None, None)),
        ("धारा ४२०", ("420", None, None)), ("धारा 498क", ("498A", None, None)),
        ("भा.द.सं. की धारा 420", ("420", "भा.द.सं.", None)),
        ("भारतीय दंड संहिता की धारा 420", ("420", "भारतीय दंड संहिता", None)),
        ("§164.514(b)", ("164.514", None, "(b)")), ("§ 164.514", ("164.514", None, None)),
        ("45 CFR 164.514(b)(2)", ("164.514", "45 CFR", "(b)(2)")),
        ("45 C.F.R. § 164.502(a)", ("164.502", "45 CFR", "(a)")), ("see 164.514", ("164.514", None, None)),
        ("Article 21", ("21", None, None)), ("Art. 17 GDPR", ("17", "GDPR", None)),
        ("Article 21 of the Constitution of India", ("21", "Constitution of India", None)),
        ("अनुच्छेद 21", ("21", None, None)), ("Rule 3", ("3", None, None)), ("section 5 of this Act", ("5", None, None)),
        ("section 5 of the Code", ("5", None, None)), ("इस अधिनियम की धारा 6", ("6", None, None)),
        ("उक्त संहिता की धारा 302", ("302", None, None)), ("मजदूरी अधिनियम की धारा 6", ("6", "मजदूरी अधिनियम", None)),
        ("section 12 of the Minimum Wages Act, 1948, says", ("12", "Minimum Wages Act, 1948", None)),
        ("section 25 of the Code on Wages, 2019", ("25", "Code on Wages, 2019", None)),
        ("the Minimum Wages Act, section 12", ("12", "Minimum Wages Act", None)),
        ("under section 5, 30 days are given", ("5", None, None)),
        ("Section 420 (cheating) applies", ("420", None, None)),
        ("section-302", ("302", None, None)), ("धारा-302", ("302", None, None)),
        ("section number 302", ("302", None, None)), ("section no. 302", ("302", None, None)),
        ("What does section 12 A say?", ("12A", None, None)), ("see section 12 A.", ("12A", None, None)),
        ("section 12 A(1) of the Orchards Act", ("12A", "Orchards Act", "(1)")),
        ("under section 12 A person shall pay", ("12", None, None)), ("section 12\nA fence", ("12", None, None)),
        ("must I tell, under section 12 I must pay", ("12", None, None)),
        ("section 12 I.P.C. applies", ("12", "I.P.C.", None)),
        ("धारा 376 क के अधीन", ("376A", None, None)), ("धारा 376-क", ("376A", None, None)),
        ("धारा 376 क्या है", ("376", None, None)),
        ("crpc 302", ("302", "CrPC", None)), ("what is 302 ipc?", ("302", "IPC", None)),
        ("section 302 ipc", ("302", "IPC", None)), ("ipc section 302", ("302", "IPC", None)),
    ],
)  # fmt: skip
def test_a_provision_is_read_with_its_act_and_clause(text: str, expected: tuple[str, str | None, str | None]) -> None:
    assert read(text) == [expected]


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("sections 415 and 420", "415 420"), ("sections 299, 300 and 302", "299 300 302"),
        ("sections 299 to 304", "299 300 301 302 303 304"), ("sections 13400-13424", "13400 13424"),
        ("sections 12, 13, 15,16 and 28 shall", "12 13 15 16 28"), ("section 302 read with section 34", "302 34"),
        ("Section 302/34 IPC", "302 34"), ("§§ 164.502 and 164.504", "164.502 164.504"),
    ],
)  # fmt: skip
def test_lists_and_short_ranges_are_spelt_out(text: str, sections: str) -> None:
    assert [section for section, _, _ in read(text)] == sections.split()


def test_a_list_shares_its_act() -> None:
    assert {act for _, act, _ in read("sections 415, 417 and 420 of the Penal Code")} == {"Penal Code"}


@pytest.mark.parametrize(
    "text",
    [
        "Chapter 5",
        "paragraph 3",
        "page 95",
        "seven years",
        "Rs. 164.514",
        "the person's 5 rules",
        "sub-section (2)",
        "3.141",
        "cow 5",
        "sub-section-2",
    ],
)
def test_other_numbers_are_no_provisions(text: str) -> None:
    assert read(text) == []


def test_labels_are_found_with_their_noun() -> None:
    found = numbered_items("Class 10, Chapter 5 and pages 95 and 96")
    assert [(t.noun, t.number) for t in found] == [("class", "10"), ("chapter", "5"), ("page", "95"), ("page", "96")]


@given(st.integers(1, 9999), st.sampled_from(["", "A", "B", "AA"]))
def test_any_section_number_is_read_back(number: int, letters: str) -> None:
    assert [section for section, _, _ in read(f"under section {number}{letters} the court")] == [f"{number}{letters}"]


@given(st.text(alphabet="section s.§ 45 CFR(a)(1),and to of the Act Code धारा IPC-/\n", max_size=100))
def test_any_text_gives_spans_inside_it(text: str) -> None:
    assert all(0 <= span.start < span.end <= len(text) for _, span in references(text))


def test_a_number_before_the_short_name_of_an_act_is_its_section():
    assert [found for found, _ in references("What is 420 IPC, and 304A IPC?")] == [
        Reference("420", "IPC"),
        Reference("304A", "IPC"),
    ]


@pytest.mark.parametrize(("one", "other"), [("120-B", "120b"), ("४२०", "420"), ("376क", "376A"), ("३७६ क", "376A")])
def test_a_number_is_known_however_it_is_written(one: str, other: str) -> None:
    assert provision_key(one) == provision_key(other)


@pytest.mark.parametrize(("one", "other"), [("42", "420"), ("376A", "376B"), ("164.51", "164.510"), ("५", "6")])
def test_another_number_is_another_provision(one: str, other: str) -> None:
    assert provision_key(one) != provision_key(other)
