"""Whatever the claims say, every style that names its sources reads back to them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.draft import Claim
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation
from footnotary.domain.verdict import Verdict
from footnotary.render.answer_text import render, source_numbers
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.text.citations.markers import cited_units
from tests.support.rendered_answers import parse_rendered

STYLES = ["semantic_id", "source_id", "source_number", "number", "footnote", "full"]
CHUNKS = [
    chunk_of(cited, "Some text.") for cited in ("IPC_420_0", "Maths10_5.1_0", "गणित10_5.1_0", "SupremeCourt_1_2020_0")
]
EVIDENCE = evidence_of("What is it about?", *CHUNKS)

cites = st.lists(st.sampled_from([chunk.id for chunk in CHUNKS]), min_size=1, max_size=3, unique=True).map(tuple)
words = st.sampled_from(
    "the court in of by per under may and or [1] [IPC_420_0] (a) (b) see No. Rs. 5 \\ ` < ; : , . ! । said that धारा".split()
)
lines = st.one_of(
    st.lists(words, min_size=1, max_size=9).map(" ".join),
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=40),
).map(str.strip).filter(bool)  # fmt: skip
texts = st.one_of(
    lines, st.lists(st.one_of(lines, st.just("")), min_size=2, max_size=5).map("\n".join).map(str.strip)
).filter(bool)
claims = st.lists(st.builds(Claim, texts, cites), min_size=1, max_size=4).map(tuple)
plain = st.lists(
    st.sampled_from("court theft person shall pay fine to an owner in by from of under per".split()),
    min_size=3,
    max_size=9,
)
sentences = plain.map(lambda said: f"The {' '.join(said)}.")


def answer_of(claims):
    given = tuple(
        Citation(cited, n, "x", Span(0, 1), None, Span(0, 1), None, "d", "0" * 64, "x", 0.9, CHUNKS[0].labels)
        for n, claim in enumerate(claims)
        for cited in claim.cites
    )
    return Answer(EVIDENCE.query, claims, given, EVIDENCE, (Verdict.passed("all"),), 0.9, "test", "t", "d")


@pytest.mark.parametrize("style", STYLES)
@given(claims=claims)
def test_what_is_rendered_reads_back(style, claims):
    answer = answer_of(claims)
    numbers = {number: cited for cited, number in source_numbers(answer).items()}
    assert joined(parse_rendered(render(answer, style).body, numbers, style)) == joined(claims)


def joined(claims):
    """A claim of several sentences reads back as several: those of a line with the same sources count as one."""
    found = []
    for claim in claims:
        text = re.sub(r"\n+", "\n", claim.text) if "\n" in claim.text else " ".join(claim.text.split())
        if found and found[-1].cites == claim.cites and "\n" not in found[-1].text + text:
            found[-1] = Claim(f"{found[-1].text} {text}", claim.cites)
        else:
            found.append(Claim(text, claim.cites))
    return found


@pytest.mark.parametrize("style", STYLES)
@given(several=st.lists(sentences, min_size=2, max_size=3), cited=cites)
def test_every_sentence_of_a_claim_is_read_with_its_sources(style, several, cited):
    answer = answer_of((Claim(" ".join(several), cited),))
    numbers = {str(number): cited for cited, number in source_numbers(answer).items()}
    units = cited_units(render(answer, style).body, footnotes=style == "footnote")
    assert [(unit.text, tuple(numbers.get(t, t) for t in unit.targets)) for unit in units] == [
        (sentence, cited) for sentence in several
    ]


@pytest.mark.parametrize("style", STYLES)
@given(claims=st.lists(st.builds(Claim, sentences, cites), min_size=1, max_size=4))
def test_anyone_who_reads_the_rendered_sentences_finds_each_with_its_sources(style, claims):
    answer = answer_of(tuple(claims))
    numbers = {str(number): cited for cited, number in source_numbers(answer).items()}
    units = cited_units(render(answer, style).body, footnotes=style == "footnote")
    assert [(unit.text, tuple(numbers.get(t, t) for t in unit.targets)) for unit in units] == [
        (claim.text, claim.cites) for claim in claims
    ]
