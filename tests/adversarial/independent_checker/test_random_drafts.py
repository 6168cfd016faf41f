"""FAULTS A13: of random drafts nothing is delivered that a second checker, with other code and other rules, rejects.

The long run of 1,000,000 is `python -m benchmarks.verify_release.contract.random_drafts`, a part of `make verify-release`.
"""

import ast
from pathlib import Path

import pytest

from footnotary import verify_claim
from footnotary.text.citations.markers import cited_units
from harness.independent.checker import Violation, find_violations
from harness.independent.draft_runs import run_drafts

SECOND_CHECKER = Path(__file__).parents[3] / "harness" / "independent"
DRAFTS = 500
# What passes in lexical mode, without the verifier: additions such as "... and the fine is doubled".
MOST_MEANINGS_MISSED = 0.10


@pytest.mark.parametrize("seed", [11, 12, 13, 14])
def test_no_random_draft_breaks_the_form_or_puts_in_a_figure(seed):
    found = run_drafts(DRAFTS, seed)
    assert found.drafts == DRAFTS
    assert found.answered > DRAFTS / 5
    assert len(found.refused) > 12, "drafts go wrong in many ways"
    assert found.breaches() == []
    assert len(found.escaped) <= MOST_MEANINGS_MISSED * found.answered


@pytest.mark.parametrize("name", ["reading.py", "checker.py", "worlds.py", "drafts.py"])
def test_the_second_checker_shares_no_code_with_the_product(name):
    imported = set()
    for node in ast.walk(ast.parse((SECOND_CHECKER / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert not [module for module in imported if module.split(".")[0] not in ("harness", *STANDARD)]
    assert not [module for module in imported if module.startswith("harness.") and "independent" not in module]


STANDARD = ("ast", "collections", "dataclasses", "functools", "json", "random", "re", "typing", "unicodedata")

PASSAGES = {
    "A_1_0": "The fee is 5 rupees a day, and the clerk keeps it. No goat may enter unless the guard agrees.",
    "A_2_0": "Boats are red.",
}
REFUSAL = "I cannot say."


def answer(text: str, *claims: tuple[str, str], **more):
    """A record as the product delivers it, with a quote of the whole passage for each citation."""
    details, start = [], 0
    for number, (said, cited) in enumerate(claims):
        quote = PASSAGES[cited]
        details.append(
            {"id": cited, "claim": number, "quote": quote, "chunk_span": {"start": 0, "end": len(quote)}, "answer_span": {"start": start, "end": start + len(said)}}
        )  # fmt: skip
        start += len(said) + 1
    cited = list(dict.fromkeys(cited for _, cited in claims))
    return {
        "answer": text, "refusal_reason": None, "citations": cited, "cited_sources": cited, "citation_details": details,
        "claims": [{"text": said, "cites": [cited]} for said, cited in claims], "sources": cited, "verdicts": [{"status": "pass"}],
        "is_grounded": True, "is_sufficient": True, "is_safe": True, **more,
    }  # fmt: skip


FEE = "The fee is 5 rupees a day, and the clerk keeps it."


@pytest.mark.parametrize(
    "text",
    [
        "The fee is 5 rupees a day, and the clerk keeps it [A_1_0].",
        "The fee is five rupees a day, and the clerk keeps it [SOURCE: A_1_0].",
        "According to the rules, the fee is 5 rupees a day [1].",
        "The fee is 5 rupees a day, and the clerk keeps it. [A_1_0]",
        "No goat shall enter unless the guard agrees [Source 1].",
    ],
)
def test_what_can_be_derived_is_no_escape(text):
    assert find_violations(answer(text, (FEE, "A_1_0")), PASSAGES, (REFUSAL,)) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("form", "The fee is 5 rupees a day."),
        ("form", "The fee is 5 rupees a day [A_1_0]. It is always forgiven."),
        ("form", "The fee is 5 rupees a day [A_9_0] [A_1_0]."),
        ("form", "The fee is 5 rupees a day［1］ [A_1_0]."),
        ("form", "The fee is 5 rupees a day [A_1_0"),
        ("form", "The fee is 5 rupees a\u200b day [A_1_0]."),
        ("form", "  "),
        ("figure", "The fee is 6 rupees a day [A_1_0]."),
        ("figure", "The fee is 5 dollars a day [A_1_0]."),
        ("meaning", "A goat may enter unless the guard agrees [A_1_0]."),
        ("meaning", "No goat may enter [A_1_0]."),
        ("meaning", "No goat may enter if the guard agrees [A_1_0]."),
        ("meaning", "No guard may enter unless the goat agrees [A_1_0]."),
        ("meaning", "The fee is 5 rupees a day, and the guard keeps it [A_1_0]."),
        ("meaning", "The fee is 5 rupees a day, and the clerk keeps it, and the fine is doubled [A_1_0]."),
        ("meaning", "Boats are red [A_1_0]."),
    ],
)
def test_what_cannot_be_derived_is_an_escape(kind, text):
    found = find_violations(answer(text, (FEE, "A_1_0")), PASSAGES, (REFUSAL,))
    assert kind in {wrong.kind for wrong in found}


def test_boats_may_be_red_where_they_are():
    assert find_violations(answer("Boats are red [A_2_0].", ("Boats are red.", "A_2_0")), PASSAGES, (REFUSAL,)) == []


def _other_quote(record):
    record["citation_details"][0]["quote"] = "The fee is 6"
    return record


def _quote_from_elsewhere(record):
    record["citation_details"][0] |= {"quote": "No goat may", "chunk_span": {"start": 51, "end": 62}}
    return record


def _no_quote(record):
    record["citation_details"].clear()
    return record


@pytest.mark.parametrize(
    "spoil",
    [
        _other_quote, _quote_from_elsewhere, _no_quote, lambda record: record | {"citations": []}, lambda record: record | {"is_safe": False},
        lambda record: record | {"verdicts": [{"status": "skip"}]}, lambda record: record | {"refusal_reason": "claim_uncited"},
        lambda record: record | {"refusal_reason": "claim_uncited", "answer": REFUSAL},
    ],
)  # fmt: skip
def test_a_record_that_contradicts_itself_is_an_escape(spoil):
    record = spoil(answer("The fee is 5 rupees a day, and the clerk keeps it [A_1_0].", (FEE, "A_1_0")))
    assert "form" in {wrong.kind for wrong in find_violations(record, PASSAGES, (REFUSAL,))}


def test_a_product_that_leaves_out_citations_would_be_caught():
    def careless(record):
        return record | {"answer": record["answer"].replace("[", "(").replace("]", ")")}

    found = run_drafts(60, 1, deliver=careless)
    assert any(
        Violation("form", "") == Violation(wrong.kind, "") for escape in found.breaches() for wrong in escape.wrong
    )


# Found by the long run.


def test_a_marker_with_a_semicolon_ends_no_sentence_less():
    assert len(cited_units("The shed may be closed by the clerk [1; 1]. The goat may stay [2].")) == 2


def test_a_sentence_that_begins_small_behind_a_marker_is_one_of_its_own():
    assert len(cited_units("The shed may be closed by the clerk [1; 2]. the goat may stay.")) == 2


def test_a_day_that_no_month_has_is_not_taken_from_elsewhere():
    source = "The permit was granted on 14 July 1984. It may be used for 500 months."
    assert not verify_claim("The permit was granted on 500 July 1984.", source, verifier="lexical").supported


def test_what_may_extend_to_seven_years_is_not_what_may_not():
    source = "Whoever hides a ledger shall be punished with imprisonment for a term which may extend to seven years."
    assert not verify_claim(source.replace("may", "may not"), source, verifier="lexical").supported


def test_english_behind_a_hindi_sentence_is_not_taken_from_the_sentence_next_to_it():
    source = "भट्ठी का शुल्क 40 रुपये है। भट्ठी के लिए आवेदन 33 दिनों के भीतर दिया जाएगा।"
    claim = "भट्ठी के लिए आवेदन 33 दिनों के भीतर दिया जाएगा"
    assert verify_claim(f"{claim}।", source, verifier="lexical").supported
    assert not verify_claim(f"{claim} and pays 40 rupees.", source, verifier="lexical").supported
    assert verify_claim(f"{claim} and not later।", f"{source} {claim} and not later।", verifier="lexical").supported


@pytest.mark.parametrize("word", ["rupéés", "rupe\u0301e\u0301s"])
def test_an_accent_on_the_word_behind_a_figure_makes_another_sentence_and_no_other_figure(word):
    said = f"The fee is 5 {word} a day, and the clerk keeps it [A_1_0]."
    found = find_violations(answer(said, (FEE, "A_1_0")), PASSAGES, (REFUSAL,))
    assert {wrong.kind for wrong in found} == {"meaning"}
