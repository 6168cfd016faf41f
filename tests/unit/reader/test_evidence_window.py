"""What the verifier reads: enough passages, in their order, that hold what the claim is about."""

from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.ports import PassageText
from footnotary.reader.evidence_window import window_for, window_of
from footnotary.text.sentences.splitter import sentences

FILLER = " ".join(f"Rule {n} is about the storage of boxes in hall {n}." for n in range(1, 60))
WAGES = "An employer pays the wages of a weaver before the seventh day of the month."
sentence = st.lists(st.sampled_from("wages weaver employer box hall rule month pays day".split()), min_size=2).map(
    lambda words: " ".join(words).capitalize() + "."
)


def test_short_passages_are_read_whole():
    assert window_for("Wages are paid.", [WAGES, "Boxes are stored."], 50) == f"{WAGES}\nBoxes are stored."


def test_of_a_long_passage_the_part_the_claim_is_about_is_read():
    window = window_for("The weaver's wages are paid before the seventh.", [f"{FILLER} {WAGES} {FILLER}"], 60)
    assert WAGES in window
    assert len(window.split()) <= 60


def test_neighbours_come_along():
    window = window_for("Who pays the weaver?", [f"{FILLER} The mill has looms. {WAGES} He signs for it. {FILLER}"], 60)
    assert "The mill has looms." in window
    assert "He signs for it." in window


def test_a_claim_that_shares_nothing_reads_from_the_start():
    assert window_for("Xylophones!", [FILLER], 40).startswith("Rule 1 is about")


def test_no_passages_give_nothing():
    assert window_for("A claim.", [], 40) == ""


@given(st.lists(st.lists(sentence, max_size=12).map(" ".join), max_size=3), sentence, st.integers(5, 80))
@settings(max_examples=60)
def test_every_line_stands_in_a_passage_and_lines_keep_their_order(passages: list[str], claim: str, words: int):
    lines = window_for(claim, passages, words).split("\n")
    assert all(any(" ".join(line.split()) in " ".join(p.split()) for p in passages) for line in lines if line)


HEADED = PassageText("Wages Act > Time of payment", f"{FILLER} {WAGES} {FILLER}")


def test_headings_stay_before_what_is_read_of_their_passage():
    window = window_of("When does the weaver get wages?", [HEADED, PassageText("Halls", FILLER)], 80)
    assert window.text.startswith("Wages Act > Time of payment ")
    assert WAGES in window.text
    assert len(window.text.split()) <= 80


def test_headings_that_are_too_long_keep_their_end():
    long = PassageText(" > ".join(f"Part {n}" for n in range(200)), WAGES)
    window = window_of("wages", [long], 50)
    assert "Part 199" in window.text
    assert WAGES in window.text
    assert len(window.text.split()) <= 50


def test_no_headings_and_no_passages_give_no_more_than_the_text():
    assert window_of("Wages?", [PassageText("", f" {WAGES}\n")], 50).text == WAGES
    assert window_of("Wages?", [], 50).text == ""


@given(
    st.lists(st.lists(sentence, max_size=12).map(" \n".join), max_size=3), sentence, st.integers(5, 80), st.booleans()
)
@settings(max_examples=60)
def test_each_sentence_stands_where_the_window_says(passages: list[str], asked: str, words: int, headed: bool):
    given_passages = [PassageText("Act > Part" if headed else "", text) for text in passages]
    window = window_of(asked, given_passages, words)
    texts = [" ".join(text.split()) for passage in passages for text in sentences(passage)]
    assert len(window.sentences) == len(texts)
    shown = [(span.of(window.text), text) for span, text in zip(window.sentences, texts, strict=True) if span]
    assert all(found == text for found, text in shown)
    if not headed:
        assert window.text == " ".join(text for _, text in shown)
