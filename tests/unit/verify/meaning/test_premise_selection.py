import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.verify.premise_selection import premise_for

ACT = (
    "Section 7 deals with licences. A licence is valid for three years. The fee is fifty rupees. "
    "The Board may cancel a licence after a hearing. An appeal lies to the Tribunal."
)
LIST = (
    "Wages do not include any of the following:\n(a) the value of housing;\n(b) a travelling allowance;\n"
    "(c) gratuity payable on discharge.\nThe Board keeps a register. The register is public."
)


def test_the_sentences_that_share_most_with_the_claim_are_chosen_in_order():
    premise = premise_for("After a hearing, the Board can cancel a licence.", [ACT])
    assert "The Board may cancel a licence after a hearing." in premise.sentences
    assert "An appeal lies to the Tribunal." not in premise.sentences
    assert premise.text == " ".join(premise.sentences)


def test_a_whole_sentence_is_verbatim_whatever_its_white_space_and_quotes():
    assert premise_for("The fee is  fifty rupees.", [ACT]).verbatim
    assert premise_for("A licence is valid for three years. The fee is fifty rupees.", [ACT]).verbatim


def test_part_of_a_sentence_or_sentences_of_two_passages_are_not_verbatim():
    assert not premise_for("The Board may cancel a licence", [ACT]).verbatim
    assert not premise_for("Rules apply. Fees apply.", ["Rules apply.", "Fees apply."]).verbatim


def test_the_best_run_is_a_quote_of_its_passage():
    number, span = premise_for("A licence lasts three years.", ["Nothing of use here.", ACT]).best
    assert number == 1
    assert "A licence is valid for three years." in span.of(ACT)


def test_an_item_of_a_list_brings_the_sentence_that_introduces_it():
    premise = premise_for("A travelling allowance is no part of the pay.", [LIST])
    assert premise.sentences[0].startswith("Wages do not include")


DENIED = "A member shall not:\n(i) Lend the card. It is personal.\n(ii) Borrow more than five books.\nBooks are lent for a week."


def test_an_item_of_a_list_that_says_what_is_not_so_is_no_copy_without_its_introduction():
    item = premise_for("Borrow more than five books.", [DENIED])
    assert (item.verbatim, item.denied) == (False, True)
    assert item.text.startswith("A member shall not:")
    assert premise_for(DENIED.split("\nBooks")[0], [DENIED]).verbatim
    assert premise_for("Books are lent for a week.", [DENIED]).verbatim


@pytest.mark.parametrize(
    "lead", ["A member shall not:", "These statements are false:", "It is illegal to:", "Exempt are:"]
)
def test_it_is_refused_whatever_word_denies_the_list_and_no_verifier_is_asked(lead):
    class Sure:
        name, fusion_weights, languages = "sure", None, ("en",)

        def support(self, pairs):
            pytest.fail("it was asked")

    passage = f"{lead}\n(a) Books are lent for a year.\n(b) Cards are free."
    for verifier in ("lexical", Sure()):
        found = verify_claim("Cards are free.", [passage], verifier=verifier)
        assert (found.supported, found.reasons) == (False, (Reason.NEGATION_MISMATCH,))


def test_an_item_of_any_other_list_is_a_copy():
    text = "Except by night, a member may:\n(i) Lend the card.\n(ii) Borrow five books."
    assert premise_for("Borrow five books.", [text]).verbatim


def test_a_short_passage_is_used_whole():
    premise = premise_for("Anything.", ["One thing is said. Another thing is said."])
    assert premise.sentences == ("One thing is said.", "Another thing is said.")


def test_no_passage_gives_an_empty_premise():
    assert premise_for("A claim.", []).text == ""


@given(st.text(max_size=80), st.lists(st.text(max_size=120), max_size=3))
def test_every_chosen_sentence_and_the_best_run_stand_in_the_passages(claim, passages):
    premise = premise_for(claim, passages)
    assert all(any(sentence in passage for passage in passages) for sentence in premise.sentences)
    if premise.sentences:
        number, span = premise.best
        assert span.of(passages[number])


@pytest.mark.parametrize(
    "task",
    [
        "State whether true or false.",
        "Write T for true and F for false.",
        "2. Mark each statement as right or wrong",
        "सही या गलत लिखिए।",
    ],
)
def test_a_statement_to_be_marked_true_or_false_is_not_stated(task):
    passage = f"Clouds bring rain.\n\n{task}\n(a) The moon is a star.\n(b) Iron rusts in damp air."
    for item in ("The moon is a star.", "Iron rusts in damp air."):
        found = verify_claim(item, [passage], verifier="lexical")
        assert (found.supported, found.reasons) == (False, (Reason.NEGATION_MISMATCH,))
    assert verify_claim("Clouds bring rain.", [passage], verifier="lexical").supported


def test_what_is_right_or_wrong_in_a_statement_sets_no_task():
    passage = (
        "The clerk keeps true copies and burns false ones.\n(a) The seal is kept by the clerk.\n(b) The key is kept."
    )
    assert premise_for("The seal is kept by the clerk.", [passage]).verbatim


KEEPERS = (
    "3. Keepers\n(1) Every keeper keeps a book.\n(2) No keeper shall—\n(a) sell fruit;\n(b) burn leaves near a house.\n"
    "(3) Whoever burns leaves shall pay a fine of 400 rupees.\n(4) The board may waive it."
)


@pytest.mark.parametrize("claim", ["Sell fruit.", "burn leaves near a house."])
def test_an_item_below_a_dash_that_denies_it_is_refused(claim: str):
    assert not verify_claim(claim, KEEPERS).supported


@pytest.mark.parametrize("claim", ["Whoever burns leaves shall pay a fine of 400 rupees.", "The board may waive it."])
def test_what_stands_next_to_the_introduction_of_a_list_is_not_below_it(claim: str):
    found = premise_for(claim, [KEEPERS])
    assert (found.verbatim, found.denied) == (True, False)
