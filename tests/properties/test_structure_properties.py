"""What holds of every act, however it is set: chunks stay within a section, and every one is named."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.ingest.chunking.splitting import MAX_PASSAGE_WORDS
from tests.properties.test_ingest_properties import taken_in

WORDS = st.sampled_from(
    "the keeper shall light every lamp of a harbour before night and put it out after dawn unless a storm is near".split()
)
SENTENCE = st.lists(WORDS, min_size=4, max_size=40).map(lambda words: " ".join(words).capitalize() + ".")
BODY = st.lists(SENTENCE, min_size=1, max_size=12)
TITLES = st.lists(st.sampled_from("Keepers Lights Fees Powers Rules Appeals".split()), min_size=1, max_size=3).map(
    " and ".join
)
LETTERS = st.sampled_from(["", "", "", "A", "B"])
STYLES = st.sampled_from(
    ["{n}. {t}.—{b}", "{n}. {t}.- {b}", "{n}. {t}\n\n{b}", "Section {n}. {t}.\n{b}", "1[{n}. {t}.—{b}"]
)


@st.composite
def acts(draw):
    """The sections of an act as (number, title, paragraphs), each with a word that stands nowhere else."""
    count = draw(st.integers(3, 8))
    sections = []
    for number in range(1, count + 1):
        letters = draw(LETTERS)
        for name in [str(number), *([f"{number}{letters}"] if letters else [])]:
            body = draw(BODY)
            subsections = draw(st.booleans())
            marked = [f"Mark{name}x {text}" for text in body]
            sections.append(
                (name, draw(TITLES), [f"({n}) {t}" for n, t in enumerate(marked, 1)] if subsections else marked)
            )
    return sections


def printed(sections, style, listed, chapters, scheduled):
    parts = ["THE HARBOUR LIGHTS ACT, 1961"]
    if listed:
        parts += ["ARRANGEMENT OF SECTIONS", *(f"{name}. {title}." for name, title, _ in sections), parts[0]]
    for at, (name, title, body) in enumerate(sections):
        if chapters and at % 4 == 0:
            parts += [f"CHAPTER {'IVX'[at // 4 % 3]}", "OF MANY THINGS"]
        parts.append(style.format(n=name, t=title, b="\n\n".join(body)))
    if scheduled:
        parts += ["THE SCHEDULE", "1. Lamps of the first kind.", "2. Lamps of the second kind."]
    return "\n\n".join(parts) + "\n"


@settings(deadline=None, max_examples=60)
@given(sections=acts(), style=STYLES, listed=st.booleans(), chapters=st.booleans(), scheduled=st.booleans())
def test_every_section_is_found_and_no_chunk_crosses_one(sections, style, listed, chapters, scheduled):
    _, chunks = taken_in(printed(sections, style, listed, chapters, scheduled).encode(), "act.txt")
    found = {}
    for chunk in chunks:
        marks = set(re.findall(r"Mark(\w+?)x", chunk.text))
        assert marks <= {chunk.labels.section}, "a chunk has words of its own section only"
        assert chunk.section, "every chunk says where it stands"
        assert chunk.labels.title, "and what that is called"
        found.setdefault(chunk.labels.section, []).append(chunk)
    for name, title, body in sections:
        assert [chunk.id for chunk in found[name]] == [f"HarbourLightsAct_{name}_{n}" for n in range(len(found[name]))]
        assert found[name][0].labels.title == title
        assert sum(chunk.text.count(f"Mark{name}x") for chunk in found[name]) == len(body)


@settings(deadline=None, max_examples=60)
@given(sections=acts(), style=STYLES)
def test_a_long_section_is_cut_at_a_subsection_or_a_sentence(sections, style):
    _, chunks = taken_in(printed(sections, style, False, False, False).encode(), "act.txt")
    for chunk in chunks:
        assert len(chunk.text.split()) <= MAX_PASSAGE_WORDS
        assert chunk.text.endswith(".")
        if int(chunk.id.rpartition("_")[2]):
            assert re.match(r"\(\d+\) Mark|Mark|[A-Z]", chunk.text)
