"""The verdict of the legal profile in lexical mode on whole claims: corruptions caught, restatements let through."""

from collections import Counter

import pytest

from footnotary import verify_claim
from harness.adversarial.cases import case_files


@pytest.mark.parametrize(
    ("name", "caught_at_least", "refused_at_most"),
    [
        # Without a model an exchanged word is a change, so restatements close to the wording are refused as well.
        ("claim_cases.txt", 0.8, 0.45),
        ("claim_cases_more.txt", 0.8, 0.45),
    ],
)
def test_corrupted_claims_are_caught_and_restatements_supported(name, caught_at_least, refused_at_most):
    seen, caught, restated, refused = Counter[str](), Counter[str](), 0, 0
    for case in case_files()[name]:
        supported = verify_claim(case.claim, [case.source], profile="legal").supported
        if case.faithful:
            restated, refused = restated + 1, refused + (not supported)
        else:
            seen[case.kind] += 1
            caught[case.kind] += not supported
    print({kind: f"{caught[kind]}/{seen[kind]}" for kind in seen}, f"refused {refused}/{restated}")
    assert caught.total() >= caught_at_least * seen.total()
    assert refused <= refused_at_most * restated


@pytest.mark.parametrize(
    "text", ["5 years 7 months ", "1 000 ", "first offence and second ", "non-", "by the employer "]
)
def test_a_long_claim_of_one_kind_gets_a_verdict(text):
    long = text * (20_000 // len(text))
    verify_claim(long, [long + "b"], profile="legal")
