"""The one citation grammar: what is a marker, what is none, and what is left when markers are taken out."""

import pytest

from footnotary.domain.identity import Span
from footnotary.text.citations.markers import CitedUnit, cited_units, escape, scan, strip, targets, unescape


@pytest.mark.parametrize(
    ("text", "style", "cited"),
    [
        ("[IPC_420_0]", "semantic_id", ("IPC_420_0",)),
        ("[HIPAA_164.514_0]", "semantic_id", ("HIPAA_164.514_0",)),
        ("[गणित10_5.1_0]", "semantic_id", ("गणित10_5.1_0",)),
        ("[FAKE]", "semantic_id", ("FAKE",)),
        ("[SOURCE: abc-123]", "source_id", ("abc-123",)),
        ("[source:abc-123]", "source_id", ("abc-123",)),
        ("[SOURCE: 7d444840-9dc0-11d1-b245-5ffdce74fad2]", "source_id", ("7d444840-9dc0-11d1-b245-5ffdce74fad2",)),
        ("[SOURCE: annual report 2020.pdf]", "source_id", ("annual report 2020.pdf",)),
        ("[SOURCE: a, b]", "source_id", ("a", "b")),
        ("[SOURCE: a; b;c]", "source_id", ("a", "b", "c")),
        ("[SOURCE: a, SOURCE: b]", "source_id", ("a", "b")),
        ("[Source 1]", "source_number", ("1",)),
        ("[SOURCE 12]", "source_number", ("12",)),
        ("[Source 1, Source 3]", "source_number", ("1", "3")),
        ("[Source 1, 3]", "source_number", ("1", "3")),
        ("[Sources 1 and 3]", "source_number", ("1", "3")),
        ("[Sources 1, 2 and 3]", "source_number", ("1", "2", "3")),
        ("[Source 1; Source 3]", "source_number", ("1", "3")),
        ("[1]", "number", ("1",)),
        ("[1, 3]", "number", ("1", "3")),
        ("[1,3]", "number", ("1", "3")),
        ("[1; 3]", "number", ("1", "3")),
    ],
)
def test_a_marker_is_read_with_its_style_and_targets(text: str, style: str, cited: tuple[str, ...]):
    found = scan(f"A claim {text}.")
    assert found.malformed == ()
    assert [(m.style, m.targets) for m in found.markers] == [(style, cited)]
    assert found.markers[0].span.of(f"A claim {text}.") == text


@pytest.mark.parametrize(
    "text",
    [
        "[IPC_420_0", "IPC_420_0]", "[]", "[ ]", "[IPC 420]", "[ IPC_420_0 ]", "[IPC_420_0 ]", "[IPC-420]",
        "[see IPC_420_0]", "[[IPC_420_0]]", "[IPC_420_0, IPC_421_0]", "[IPC_420_0; IPC_421_0]", "[1-3]", "[1–3]",
        "[^1]", "[Source X]", "[Source 1-3]", "[SOURCE:]", "[SOURCE: ]", "[SOURCE:  a]", "[SOURCE: a,]",
        "[SOURCE: a, , b]", "［IPC_420_0］", "【1】", "〔1〕", "⟦1⟧", "[IPC_420_0］", "［IPC_420_0]",
        "【IPC_420_0】", "[ＩPC_420_0]", "[IPC_４20_0]", "[IPC\u200b_420_0]", "[\u202eIPC_420_0]",
        "[IPC_420_0\ufe0f]", "[IPC_420_0\U000e0041]", "[Cafe\u0301_1_0]", "[SOURCE: cafe\u0301]", "[SOURCE: ａ]",
        "[SOURCE: a\u200db]", "[IPC\n_420_0]", "[_]", "[.]", "[a..b]", "`[IPC_420_0]`", "``x [IPC_420_0] y``",
        "```\n[IPC_420_0]\n```", "~~~\n[IPC_420_0]", "<!-- [IPC_420_0] -->", "<!-- [IPC_420_0]",
        '<a title="[IPC_420_0]">', "[IPC_420_0](https://x.org)", "![IPC_420_0](x.png)", "[the Act][IPC_420_0]",
        "[here][IPC_420_0]", "https://x.org/?q=[IPC_420_0]", "www.x.org/[1]", "[IPC_420_0]: https://x.org",
    ],
)  # fmt: skip
def test_what_only_resembles_a_marker_is_malformed_and_never_ignored(text: str):
    found = scan(text)
    assert found.markers == ()
    assert found.malformed
    assert all(token.span.of(text) == token.text and token.why for token in found.malformed)


def test_two_adjacent_markers_are_two_markers_and_no_link():
    assert targets("[IPC_420_0][IPC_417_0] and [1][2]") == ("IPC_420_0", "IPC_417_0", "1", "2")
    assert targets("[A][B]") == ("A", "B")


@pytest.mark.parametrize(
    "text", ["(IPC_420_0)", "IPC_420_0", r"\[IPC_420_0\]", r"the \[accused\] person", "{1}", "", "a_b*c"]
)
def test_ordinary_text_and_escaped_brackets_are_neither_marker_nor_malformed(text: str):
    assert scan(text).markers == scan(text).malformed == ()


def test_a_doubled_backslash_is_a_backslash_and_the_bracket_counts():
    assert targets(r"\\[IPC_420_0]") == ("IPC_420_0",)
    assert targets(r"\\\[IPC_420_0\]") == ()


def test_a_good_marker_next_to_a_bad_one_is_still_read():
    found = scan("`[A_1_0]` but [B_1_0] and [C")
    assert [m.targets for m in found.markers] == [("B_1_0",)]
    assert [m.text for m in found.malformed] == ["[A_1_0]", "[C"]


def test_a_lone_backtick_or_less_than_sign_hides_no_marker():
    assert targets("it's 5` long [A_1_0]") == ("A_1_0",)
    assert targets("a ` b\n\nc ` d [A_1_0]") == ("A_1_0",)
    assert targets("if a < b [A_1_0] and c > d [B_1_0]") == ("A_1_0", "B_1_0")


def test_an_invisible_character_anywhere_is_malformed():
    found = scan("Cheat\u200b\u200bing is illegal [A_1_0].")
    assert [(m.text, m.span) for m in found.malformed] == [("\u200b\u200b", Span(5, 7))]


def test_a_look_alike_letter_makes_another_id():
    assert targets("[ІРС_420_0]") != ("IPC_420_0",)


def test_footnotes_are_read_only_on_request_and_their_definitions_are_passed_over():
    text = "Cheating is illegal.[^1]\n\n[^1]: IPC_420_0, see [there]."
    assert "footnote" not in {m.style for m in scan(text).markers}
    assert [m.targets for m in scan(text, footnotes=True).markers] == [("1",)]
    assert scan(text, footnotes=True).malformed == ()
    assert [(u.text, u.targets) for u in cited_units(text, footnotes=True)] == [("Cheating is illegal.", ("1",))]


def test_targets_are_named_once_in_order_of_first_appearance():
    assert targets("See [B_1_0] and [A_1_0], then [B_1_0].") == ("B_1_0", "A_1_0")
    assert targets("No citations here.") == ()


@pytest.mark.parametrize("text", ["a [b] c", r"a \[b\] c", "\\", "\\\\", r"\\[", "`x` <b> 【1】 ]", "plain", ""])
def test_escaping_hides_brackets_and_is_undone_exactly(text: str):
    assert unescape(escape(text)) == text
    assert scan(escape(text)).markers == scan(escape(text)).malformed == ()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Cheating is illegal [IPC_420_0].", "Cheating is illegal."),
        ("Cheating is illegal. [IPC_420_0]", "Cheating is illegal."),
        ("Cheating is illegal.[1][2] It is [3] punished.", "Cheating is illegal. It is punished."),
        ("Cheating is illegal [IPC_420_0], and so is theft [IPC_379_0].", "Cheating is illegal, and so is theft."),
        ("According to [IPC_420_0], Section 420 deals with cheating.", "Section 420 deals with cheating."),
        ("According to [IPC_420_0], cheating is illegal.", "Cheating is illegal."),
        ("Per [IPC_420_0], cheating is illegal.", "Cheating is illegal."),
        ("As per [IPC_420_0], cheating is illegal.", "Cheating is illegal."),
        ("Under [IPC_420_0], cheating is illegal.", "Cheating is illegal."),
        ("Under [IPC_420_0] cheating is illegal.", "Cheating is illegal."),
        ("As stated in [IPC_420_0], cheating is illegal.", "Cheating is illegal."),
        ("As defined in [IPC_415_0], cheating [IPC_420_0] is illegal.", "Cheating is illegal."),
        ("Based on [Source 1], cheating is illegal.", "Cheating is illegal."),
        ("Per [IPC_420_0] and [MinimumWagesAct_2_1], both are regulated.", "Both are regulated."),
        ("According to [X_1_0], d is the common difference.", "d is the common difference."),
        ("[IPC_420_0] states that cheating is illegal.", "Cheating is illegal."),
        ("[IPC_420_0] Cheating is illegal.", "Cheating is illegal."),
        ("[A_2_1] defines employer as any person.", "Defines employer as any person."),
        ("The punishment under [IPC_420_0] is seven years.", "The punishment is seven years."),
        ("The punishment, according to [IPC_420_0], is seven years.", "The punishment is seven years."),
        ("The term is defined in [IPC_415_0].", "The term is defined."),
        ("Cheating is illegal, as per [IPC_420_0].", "Cheating is illegal."),
        ("Cheating is illegal (see [IPC_420_0]).", "Cheating is illegal."),
        ("Cheating ([IPC_420_0]) is illegal.", "Cheating is illegal."),
        ("Cheating is illegal. [IPC_420_0].", "Cheating is illegal."),
        ("A list consists of [1].", "A list consists of."),
        ("One [1].\n\nTwo [2].", "One.\n\nTwo."),
        ("- Per [A_1_0], foo holds\n- bar holds [B_1_0]", "- Foo holds\n- bar holds"),
        ("[IPC_420_0] के अनुसार, छल अपराध है।", "छल अपराध है।"),
        ("छल अपराध है [IPC_420_0]।", "छल अपराध है।"),
        (r"The \[accused\] person fled [1].", "The [accused] person fled."),
        ("No marker,  two  spaces.", "No marker,  two  spaces."),
        ("According to the Act, cheating is illegal [1].", "According to the Act, cheating is illegal."),
        ("See [IPC_420_0].", ""),
        ("[1]", ""),
        ("", ""),
    ],
)
def test_stripping_leaves_readable_prose_and_changes_no_other_word(text: str, plain: str):
    assert strip(text) == plain


def test_units_carry_their_own_targets_and_their_place():
    text = "Cheating is illegal [A_1_0]. It is punished. [B_1_0][A_1_0] Fines apply."
    assert cited_units(text) == (
        CitedUnit("Cheating is illegal.", ("A_1_0",), Span(0, 28), text[0:28]),
        CitedUnit("It is punished.", ("B_1_0", "A_1_0"), Span(29, 59), text[29:59]),
        CitedUnit("Fines apply.", (), Span(60, 72), text[60:72]),
    )


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Cheating is illegal.\n\n[A_1_0]", [("Cheating is illegal.", ("A_1_0",))]),
        ("Cheating is illegal [A_1_0].\n\nSee [B_1_0].", [("Cheating is illegal.", ("A_1_0", "B_1_0"))]),
        ("[A_1_0]\n\nCheating is illegal.", [("Cheating is illegal.", ("A_1_0",))]),
        ("One [1].\n\n---\n\nTwo [2].", [("One.", ("1",)), ("Two.", ("2",))]),
        ("One. [1]\nTwo. [2]", [("One.", ("1",)), ("Two.", ("2",))]),
        ("- one [1]\n- two", [("one", ("1",)), ("two", ())]),
        ("[1]", []),
        ("", []),
    ],
)
def test_a_unit_of_only_markers_joins_its_neighbour_and_layout_is_no_unit(
    text: str, units: list[tuple[str, tuple[str, ...]]]
):
    assert [(unit.text, unit.targets) for unit in cited_units(text)] == units


def test_fifty_thousand_brackets_are_one_malformed_token():
    found = scan("[" * 50_000)
    assert [token.span for token in found.malformed] == [Span(0, 50_000)]


def test_markers_joined_like_a_list_end_the_sentence_they_follow():
    units = cited_units("Cheating is illegal. [1], and [2] Theft is illegal too.")
    assert [(unit.text, unit.targets) for unit in units] == [
        ("Cheating is illegal.", ("1", "2")),
        ("Theft is illegal too.", ()),
    ]


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("According to [X_1_0], a landlord may sue.", "A landlord may sue."),
        ("According to [X_1_0], a is the first term.", "a is the first term."),
        ("Additionally, [X_1_0] states that the fine is small.", "Additionally, the fine is small."),
        ("Also, according to [X_1_0], the fine is small.", "Also, the fine is small."),
        ("However, under [X_1_0] a tenant may stay.", "However, a tenant may stay."),
    ],
)
def test_a_removed_lead_in_leaves_a_sentence_behind(text, prose):
    assert strip(text) == prose


@pytest.mark.parametrize("sign", ["1.", "2)", "-", "*", "•", "(a)", "(iv)", "b)"])
def test_the_sign_of_a_list_item_is_no_part_of_what_it_says(sign):
    text = f"{sign} Cheating is punished [IPC_420_0]."
    (unit,) = cited_units(text)
    assert (unit.text, unit.raw) == ("Cheating is punished.", text)
    assert strip(text) == f"{sign} Cheating is punished."


@pytest.mark.parametrize("begins", ["(a) of section 2 applies", "A. K. Sen held so", "No. 5 is void", "Rs. 500 is due"])
def test_what_only_looks_like_a_list_item_keeps_its_words(begins):
    assert [unit.text for unit in cited_units(f"{begins} [X_1_0].")] == [f"{begins}."]


@pytest.mark.parametrize("joint", [", and ", "; ", ", ", " ", "\n"])
@pytest.mark.parametrize("end", [" [1].", ". [1]"])
def test_a_marker_and_a_full_stop_end_what_they_stand_behind(joint, end):
    units = cited_units(f"The tenant keeps the goat{end}{joint}The boat is old [2].")
    assert [(unit.text, unit.targets) for unit in units] == [
        ("The tenant keeps the goat.", ("1",)),
        ("The boat is old.", ("2",)),
    ]


@pytest.mark.parametrize("joint", [", and ", "; ", " ", ""])
@pytest.mark.parametrize(("begin", "end"), [("", " [1]."), ("[1] ", ".")])
def test_two_sentences_are_two_whatever_joins_them(joint, begin, end):
    units = cited_units(f"{begin}The tenant keeps the goat{end}{joint}The boat is old [2].")
    assert [unit.text for unit in units] == ["The tenant keeps the goat.", "The boat is old."]


@pytest.mark.parametrize(
    "name", ["Goat Pvt., Ltd.", "Goat Corp.; The Hague,", "Ann Smith Jr., and The King", "the U.S.; The Hague,"]
)
def test_a_joint_behind_an_abbreviation_ends_no_sentence(name):
    assert len(cited_units(f"The fee is due to {name} within a week [1].")) == 1


@pytest.mark.parametrize("following", ["The boat is old", "नाव पुरानी है", "5 boats are old"])
def test_a_line_that_ends_behind_a_marker_says_all_it_says(following):
    units = cited_units(f"However, the court may say otherwise [1]\n{following} [2].")
    assert [unit.targets for unit in units] == [("1",), ("2",)]


@pytest.mark.parametrize(
    "text",
    [
        "The tenant keeps the goat [1], and the boat [2].",
        "The tenant keeps [1]\nthe goat and the boat [2].",
        "The tenant pays what Sec. [1], and the rules say [2].",
        "The tenant keeps the goat (see [1].), and the boat [2].",
    ],
)
def test_a_marker_inside_a_sentence_ends_none(text):
    assert len(cited_units(text)) == 1
