"""What the installed reader chooses from small documents: for each kind of question the sentence that answers it."""

import pytest

from footnotary.domain.chunk import Chunk
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.reader.shipped import reader_for
from footnotary.testing.builders import chunk_of, evidence_of

pytestmark = pytest.mark.trained


def passage(cited: str, text: str, **labels: object) -> Chunk:
    return chunk_of(cited, text, **{"kind": "text", "act": None, "section": None} | labels)


BOATHOUSE = passage(
    "Boathouse_1_0",
    "The Linden Boathouse\n\nThe boathouse was built in 1931 by the carpenter Ida Holm. It stands on the east bank of the "
    "Wye, opposite the mill. The club has 214 members. The boathouse was closed in 2004 because the roof had become "
    "unsafe. Since the repair it is open every day from May to September.",
    title="The Linden Boathouse",
)
RULES = passage(
    "Boathouse_2_0",
    "Rules for members\n\nDogs may not be taken on the boats. A guest may row if a member sits in the same boat. "
    "A skiff is a light boat for one or two rowers. A barge is a heavy boat that carries goods.\n\n"
    "Before a trip every member must:\n\n- write their name in the book\n- check the oars\n- put on a life jacket\n\n"
    "Lost oars cost 80 euros.",
    title="Rules for members",
)
FEES = passage(
    "Boathouse_3_0",
    "Fees\n\n| Member | Fee for a year | Deposit |\n| Adult | 120 euros | 40 euros |\n| Student | 60 euros | 20 euros |",
    title="Fees",
)
KINDS = {
    "date": ("When was the boathouse built?", "1931"),
    "number": ("How many members does the club have?", "214 members"),
    "name": ("Who built the boathouse?", "Ida Holm"),
    "place": ("Where does the boathouse stand?", "east bank of the Wye"),
    "reason": ("Why was the boathouse closed?", "roof had become unsafe"),
    "yes or no": ("May dogs be taken on the boats?", "Dogs may not be taken on the boats."),
    "list": ("What must members do before a trip?", "- put on a life jacket"),
    "definition": ("What is a skiff?", "A skiff is a light boat"),
    "price": ("How much do lost oars cost?", "80 euros"),
    "table": ("What is the fee for a student?", "| Student | 60 euros"),
}


def answer(question: str, *chunks: Chunk) -> list[str]:
    profile = load_profile("default")
    evidence = evidence_of(question, *chunks, profile="default")
    generator = ExtractiveGenerator(profile, reader_for(profile, "profile"))
    return [claim.text for claim in generator.generate(evidence.query, evidence).claims]


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_gets_the_sentence_of_its_kind(kind: str):
    question, wanted = KINDS[kind]
    chunk = next(chunk for chunk in (BOATHOUSE, RULES, FEES) if wanted in chunk.text)
    assert wanted in "\n".join(answer(question, chunk))


def test_a_comparison_gets_both_sides():
    said = "\n".join(answer("What is the difference between a skiff and a barge?", RULES))
    assert "light boat" in said
    assert "heavy boat" in said


def test_a_row_comes_with_its_header():
    (claim,) = answer("What is the deposit for a student?", FEES)
    assert claim.startswith("| Member | Fee for a year | Deposit |")


def test_a_pronoun_comes_with_what_it_stands_for():
    (claim, *_) = answer("Where does the boathouse stand?", BOATHOUSE)
    assert claim.startswith("The boathouse was built in 1931")
    assert "east bank of the Wye" in claim
