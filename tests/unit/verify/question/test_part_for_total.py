"""A total is not answered with one of its parts: the row, and the column, that a table is quoted for."""

import pytest

from footnotary.domain.draft import Claim, Draft
from footnotary.domain.verdict import Reason
from footnotary.ports import Submission
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.verify.question.addresses_question import answer_addresses_question
from footnotary.verify.question.part_for_total import part_given_for_total

TOTAL = "What was total revenue in fiscal 2022?"
CLOUD = "Segment: Cloud services | Fiscal 2021: 1,204 | Fiscal 2022: 1,587 (in millions)"
DEVICES = "Segment: Devices | Fiscal 2021: 845 | Fiscal 2022: 790 (in millions)"
ALL = "Segment: Total revenue | Fiscal 2021: 2,049 | Fiscal 2022: 2,377 (in millions)"
PARTS = f"Revenue by segment\n\nSegment | Fiscal 2021 | Fiscal 2022\n{CLOUD}\n{DEVICES}"
WHOLE = f"{PARTS}\n{ALL}"
REVENUES = (
    "Results\n\n| | 2021 | 2022 |\n|---|---|---|\n| Cloud revenue | 1,204 | 1,587 |\n| Devices revenue | 845 | 790 |"
)
STATEMENT = (
    "| | 2021 | 2022 |\n| Revenue | 2021: 2,049 | 2022: 2,377 |\n| Cost of revenue | 2021: 1,000 | 2022: 1,100 |"
)
YEARS = "Year | Cloud | Devices\nYear: 2021 | Cloud: 1,204 | Devices: 845\nYear: 2022 | Cloud: 1,587 | Devices: 790"
SUMS = "Office | Men | Women | Total\nPune | 70 | 71 | 141\nMysuru | 40 | 55 | 95"
QUARTERS = "Quarter: Q1 2022 | Revenue: 300\nQuarter: Q2 2022 | Revenue: 310"


def found(question, table, *claims):
    passage = chunk_of("R_1_0", table)
    return part_given_for_total(question, [(claim, [passage]) for claim in claims])


@pytest.mark.parametrize(
    ("question", "table", "claim"),
    [
        (TOTAL, PARTS, CLOUD),
        (TOTAL, PARTS, f"{CLOUD}\n{DEVICES}"),
        (TOTAL, PARTS, "Total revenue was 1,587 million in fiscal 2022."),
        (TOTAL, WHOLE, "Total revenue was 1,587 million in fiscal 2022."),
        ("What was the overall revenue in fiscal 2022?", PARTS, CLOUD),
        ("What was company-wide revenue in fiscal 2022?", PARTS, CLOUD),
        ("What was consolidated revenue in fiscal 2022?", PARTS, DEVICES),
        ("What did all segments earn together in fiscal 2022?", PARTS, DEVICES),
        ("वित्त वर्ष 2022 में कुल आय कितनी थी?", PARTS, CLOUD),
        (TOTAL, REVENUES, "| Cloud revenue | 1,204 | 1,587 |"),
        ("What was total revenue in 2022?", YEARS, "Total revenue in 2022 was 1,587."),
        ("What was total revenue in 2022?", YEARS, "Year: 2022 | Cloud: 1,587 | Devices: 790"),
        ("What was total revenue in 2022?", QUARTERS, "Quarter: Q1 2022 | Revenue: 300"),
        ("How many employees are there in total?", SUMS, "Pune | 70 | 71 | 141"),
    ],
)
def test_a_part_is_not_given_for_a_total(question, table, claim):
    assert found(question, table, claim) is not None


@pytest.mark.parametrize(
    ("question", "table", "claim"),
    [
        (TOTAL, WHOLE, ALL),
        (TOTAL, WHOLE, f"{CLOUD}\n{DEVICES}\n{ALL}"),
        (TOTAL, WHOLE, "Total revenue was 2,377 million in fiscal 2022."),
        ("What was the total revenue of Devices in fiscal 2022?", PARTS, DEVICES),
        ("What was the total revenue of cloud services in fiscal 2022?", PARTS, "It was 1,587 million."),
        ("What was the revenue of Devices in fiscal 2022?", PARTS, DEVICES),
        ("What was revenue in fiscal 2022?", PARTS, CLOUD),
        (TOTAL, STATEMENT, "| Revenue | 2021: 2,049 | 2022: 2,377 |"),
        ("What was total revenue?", STATEMENT, "| Revenue | 2021: 2,049 | 2022: 2,377 |"),
        ("What was the total cost of revenue in 2021?", STATEMENT, "The cost of revenue was 1,000 in 2021."),
        ("What was total revenue from Cloud in 2022?", YEARS, "Year: 2022 | Cloud: 1,587 | Devices: 790"),
        ("How many people work in Pune in total?", SUMS, "Pune | 70 | 71 | 141"),
        ("What was total revenue in the second quarter, Q2 2022?", QUARTERS, "Quarter: Q2 2022 | Revenue: 310"),
        (TOTAL, f"{PARTS}\n\nTotal revenue was 2,377 million.", "Total revenue was 2,377 million."),
        (TOTAL, "Total revenue was 2,377 million.", "Total revenue was 2,377 million."),
    ],
)
def test_a_total_a_named_row_and_what_is_not_from_a_table_are_not_refused(question, table, claim):
    assert found(question, table, claim) is None


def test_a_part_may_stand_next_to_the_total():
    assert found(TOTAL, WHOLE, CLOUD, ALL) is None
    assert found(TOTAL, WHOLE, CLOUD, DEVICES) is not None


def test_an_answer_that_gives_a_part_for_a_total_is_off_the_question_also_without_a_reader():
    evidence = evidence_of(TOTAL, chunk_of("R_1_0", PARTS), profile="default")
    draft = Draft((Claim(CLOUD, ("R_1_0",)),), "given")
    verdict = answer_addresses_question(None, lambda _: 0.4)(Submission(evidence.query, evidence, draft))
    assert (verdict.status, verdict.reason) == ("fail", Reason.OFF_QUESTION)
    assert "Cloud services" in verdict.detail
