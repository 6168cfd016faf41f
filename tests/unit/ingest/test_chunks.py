"""How long sections are cut, and definitions per term."""

from tests.unit.ingest.reading import chunks

HEAD = "CODE: A\nKIND: act\n\n"


def test_definitions_are_cut_per_term_and_the_opening_words_go_with_the_first():
    text = HEAD + (
        "Section 2. Definitions.\nIn this Act, unless the context otherwise requires,\n"
        '(b) "appropriate Government" means the State;\n(e) "employer" means any person who employs:\n'
        "(i) directly, or\n(ii) through another;\n(f) “wages” includes all pay.\n"
    )
    found = chunks(text)
    assert [chunk.id for chunk in found] == ["A_2_0", "A_2_1", "A_2_2"]
    assert {chunk.kind for chunk in found} == {"definition"}
    assert found[0].text.startswith("Section 2. Definitions.\nIn this Act")
    assert found[1].text == '(e) "employer" means any person who employs:\n(i) directly, or\n(ii) through another;'


def test_a_subsection_after_the_definitions_stands_apart():
    text = HEAD + (
        'Section 2. Definitions.\n(1) In this Act,—\n(a) "x" means one;\n(b) "y" means two.\n(2) Other words are as in the Code.'
    )
    assert [(chunk.text[:7], chunk.kind) for chunk in chunks(text)][1:] == [
        ('(b) "y"', "definition"),
        ("(2) Oth", "paragraph"),
    ]


def test_terms_in_hindi_and_without_quotes_are_cut_as_well():
    hindi = HEAD + "धारा 2. परिभाषाएँ\n(क) “नियोजक” से व्यक्ति अभिप्रेत है;\n(ख) “मजदूरी” से वेतन अभिप्रेत है;"
    assert len(chunks(hindi)) == 2
    plain = (
        HEAD
        + "§ 160.103 Definitions.\nUse means sharing.\nWorkforce means employees.\nGroup health plan (see there) means a plan."
    )
    assert len(chunks(plain)) == 3


def test_a_quoted_word_at_the_head_of_a_wrapped_line_is_no_new_term():
    text = HEAD + (
        'Section 2. Definitions.\n"wages" means pay under the\n"Code" as it means something there.\n"x" means y.\n"z" means w.'
    )
    assert [chunk.text.split()[0] for chunk in chunks(text)][1:] == ['"x"', '"z"']


def test_a_long_section_is_cut_at_its_subsections():
    body = "\n".join(f"({n}) {'word ' * 90}end of it." for n in range(1, 6))
    found = chunks(f"{HEAD}Section 9. Long.\n{body}")
    assert [chunk.id for chunk in found] == [f"A_9_{n}" for n in range(5)]
    assert [chunk.text.split()[0] for chunk in found] == ["Section", "(2)", "(3)", "(4)", "(5)"]


def test_a_long_run_is_cut_between_sentences_and_never_grows_past_the_limit():
    found = chunks(" ".join(f"This is sentence number {n} of the long text." for n in range(200)))
    assert all(chunk.text.endswith(".") for chunk in found)
    assert all(100 <= len(chunk.text.split()) <= 250 for chunk in found[:-1])


def test_even_a_word_without_end_is_cut():
    assert all(len(chunk.text) < 4000 for chunk in chunks("x" * 20_000))


def test_a_chunk_never_crosses_a_section():
    found = chunks(HEAD + "Section 1. A.\nOne.\n\nSection 2. B.\nTwo.")
    assert [chunk.labels.section for chunk in found] == ["1", "2"]


def test_a_typed_block_is_cut_only_when_it_is_very_long():
    def block(words):
        return "CLASS: 10\nCODE: M\n\n## 1.1 S\n\n### Example 1\n\n" + "One two three four. " * (words // 4)

    assert len(chunks(block(360), "b.md")) == 1
    assert len(chunks(block(800), "b.md")) > 1


LONG = "It is kept for the good of the trees and of those who walk below them. " * 6
FORBIDDEN = f"(2) No keeper shall—\n(a) burn leaves near a house; {LONG}\n(b) prune the trees before March; {LONG}\n(c) sell fruit. {LONG}"


def test_a_long_list_stays_with_the_words_that_deny_it():
    text = (
        f"{HEAD}Section 14. Keepers.\n(1) A keeper keeps a book. {LONG}\n{FORBIDDEN}\n(3) A keeper may appeal. {LONG}"
    )
    held = [chunk.text for chunk in chunks(text) if "prune" in chunk.text]
    assert len(held) == 1
    assert held[0].index("No keeper shall") < held[0].index("prune") < held[0].index("sell fruit")
    assert "may appeal" not in held[0]


def test_a_long_list_of_what_is_so_is_cut_at_its_items():
    allowed = FORBIDDEN.replace("No keeper shall", "Every keeper shall")
    held = [chunk.text for chunk in chunks(f"{HEAD}Section 14. Keepers.\n{allowed}") if "sell fruit" in chunk.text]
    assert "Every keeper" not in held[0]


def test_every_character_of_a_very_long_denied_list_is_still_in_one_passage():
    items = "\n".join(f"({chr(97 + n)}) {LONG}" for n in range(26))
    found = chunks(f"{HEAD}Section 14. Keepers.\nNo keeper shall—\n{items}")
    assert len(found) > 1
    assert sum(chunk.text.count("good of the trees") for chunk in found) == 26 * 6


def test_a_heading_stands_in_the_passage_of_what_it_opens_and_not_at_the_end_of_the_one_before():
    sentences = [
        f"Paragraph {n} says what the keeper of the lighthouse does on each working day of the week." for n in range(9)
    ]
    text = "\n\n".join([" ".join(sentences), "Fees and charges", " ".join(reversed(sentences))])
    first, second = chunks(text)
    assert first.text.endswith("of the week.")
    assert second.text.startswith("Fees and charges\n\nParagraph 8")
