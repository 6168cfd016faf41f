"""Rewordings of labelled claims: what is kept, and with which label."""

import random

import numpy as np

from training.xl.reworded_rows import chosen_rows, kept_consequences, kept_rewordings, shared_words, written_pair

EVIDENCE = "Hours\nThe reading room opens at nine on weekdays.\n\nIt is closed on Monday."


class SaidBy:
    """Supports a claim with the probability that is written for it."""

    def __init__(self, table: dict[tuple[str, str], float]) -> None:
        self.table = table

    def __call__(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        return np.array([self.table[pair] for pair in pairs], np.float32)


def row(claim: str, label: int, name: str = "made:figure") -> dict[str, object]:
    return {"set": name, "k": "c", "e": EVIDENCE, "a": claim, "y": label}


def test_a_rewording_of_a_true_claim_must_follow_from_it_and_of_a_wrong_one_imply_it() -> None:
    right, wrong = "The reading room opens at nine.", "The reading room opens at ten."
    said = SaidBy({(right, "Nine is when readers get in."): 0.9, ("Readers wait until ten.", wrong): 0.2})
    kept = kept_rewordings(
        [row(right, 1), row(wrong, 0)], ["Nine is when readers get in.", "Readers wait until ten."], said
    )
    assert [(made["a"], made["y"]) for made in kept] == [("Nine is when readers get in.", 1)]
    assert [text for _, text in kept[0]["e"]] == EVIDENCE.split("\n\n")


def test_a_rewording_in_the_same_words_is_left_out() -> None:
    claim = "The reading room opens at nine."
    assert kept_rewordings([row(claim, 1)], ["At nine the reading room opens."], SaidBy({})) == []
    assert shared_words("one two three four", "one two five six") == 0.5


def test_consequences_are_kept_in_pairs_where_the_model_distinguishes_them() -> None:
    claim = "The reading room opens at nine."
    pair = ("Nobody can read there at eight.", "Readers get in at eight each day.")
    reply = f"True: {pair[0]}\nFalse: {pair[1]}"
    table = {(claim, pair[0]): 0.8, (claim, pair[1]): 0.1, (EVIDENCE, pair[1]): 0.1}
    kept = kept_consequences([row(claim, 1)], [reply], SaidBy(table))
    assert [(made["a"], made["y"]) for made in kept] == [(pair[0], 1), (pair[1], 0)]
    assert kept_consequences([row(claim, 1)], [reply], SaidBy(table | {(EVIDENCE, pair[1]): 0.6})) == []
    assert written_pair("True: only one line of two") is None


def test_contrasts_come_before_other_claims_and_tables_are_not_said_again() -> None:
    claims = [f"The reading room number {n} opens at nine today." for n in range(6)]
    rows = [row(claims[0], 1, "ragtruth"), row(claims[1], 0), row(claims[2], 1), row(claims[3], 1, "made:table_value")]
    rows += [row("दोपहर में पुस्तकालय बंद रहता है और सोमवार को भी।", 1), row("Too short.", 1)]
    assert [chosen["set"] for chosen in chosen_rows(rows, random.Random(1))] == [
        "made:figure",
        "made:figure",
        "ragtruth",
    ]
