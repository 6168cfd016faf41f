"""Contracts and filings: their clauses, items and notes are cited by number, where the structure is certain."""

import pytest

from footnotary.domain.document import Labels
from footnotary.ingest.structure.id_names import document_code
from tests.unit.ingest.reading import chunks, document_and_chunks, ids

CONTRACT = """MASTER SERVICES AGREEMENT

This Agreement is made between Acme Ltd and Bravo LLP (the "Parties") on 1 May 2024.

1. Definitions

1.1 "Fees" means the sums in Schedule 1.

1.2 "Services" means the work described in Schedule 2.

2. Term and termination

2.1 This Agreement runs for two years.

2.2 Either party may terminate it with 30 days' notice:

(a) in writing; and

(b) to the address below.

3. Liability. The supplier is liable for direct loss only.

SCHEDULE 1: FEES

1. Rates

The daily rate is 400 pounds.
"""
ARTICLES = """LEASE AGREEMENT

by and between Landlord and Tenant

ARTICLE I
PREMISES

The premises are in Pune.

ARTICLE II - RENT

Section 2.1 Base rent. The rent is 900 rupees.

Section 2.2 Late payment. Interest is charged at 5 per cent.

ARTICLE III. TERM

The term is ten years.
"""
FILING = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
Washington, D.C. 20549

FORM {form}

Acme Holdings Inc.

(Exact name of registrant as specified in its charter)

Written communications pursuant to Rule 425 under the Securities Act (17 CFR 230.425)

Indicate whether the registrant is a growth company as defined in Rule 405 (§230.405 of this chapter).

"""
ANNUAL = (
    FILING.format(form="10-K")
    + """PART I

Item 1. Business 3

Item 1A. Risk Factors 9

PART II

Item 8. Financial Statements 40

PART I

Item 1. Business

We sell lamps.

Item 1A. Risk Factors

Lamps may break, as said in Item 7 of this report and in our other filings.

PART II

Item 8. Financial Statements

Note 1. Basis of presentation

The statements are in dollars.

Note 7 — Leases

We lease two shops.
"""
)


def test_clauses_of_a_contract_are_cited_by_number():
    made = {chunk.id: chunk for chunk in chunks(CONTRACT, "0001193125.txt")}
    assert list(made) == [
        "MasterServicesAgreement_text_0", "MasterServicesAgreement_1.1_0", "MasterServicesAgreement_1.2_0", "MasterServicesAgreement_2.1_0",
        "MasterServicesAgreement_2.2_0", "MasterServicesAgreement_3_0", "MasterServicesAgreement_Schedule1_1_0",
    ]  # fmt: skip
    clause = made["MasterServicesAgreement_2.2_0"]
    assert clause.text.endswith("(b) to the address below.")
    assert clause.section == ("MASTER SERVICES AGREEMENT", "2. Term and termination", "2.2")
    assert (clause.labels.kind, clause.labels.section, clause.labels.title) == (
        "text",
        "2.2",
        "2. Term and termination",
    )
    assert made["MasterServicesAgreement_Schedule1_1_0"].section == (
        "MASTER SERVICES AGREEMENT",
        "SCHEDULE 1: FEES",
        "1. Rates",
    )


def test_articles_with_sections_are_clauses_too():
    made = {chunk.id: chunk.section for chunk in chunks(ARTICLES, "lease.txt")}
    assert made["Lease_ArticleI_0"] == ("LEASE AGREEMENT", "ARTICLE I")
    assert made["Lease_2.2_0"] == ("LEASE AGREEMENT", "ARTICLE II - RENT", "2.2 Late payment")
    assert made["Lease_ArticleIII_0"] == ("LEASE AGREEMENT", "ARTICLE III. TERM")


@pytest.mark.parametrize(
    "text",
    [
        CONTRACT.replace("AGREEMENT", "HANDBOOK").replace("Agreement", "text"),
        CONTRACT.replace("between", "by").replace("Parties", "x").replace("party", "one"),
        CONTRACT.replace("\n2. Term", "\n4. Term").replace("SCHEDULE", "Chapter"),
    ],
)
def test_a_text_that_may_not_be_a_contract_keeps_its_own_structure(text):
    assert not any("_2.2_" in cited for cited in ids(text, "rules.txt"))


def test_a_table_of_contents_does_not_take_the_numbers_of_the_clauses():
    contents = "1. Definitions ........ 2\n\n2. Term and termination ........ 3\n\n3. Liability ........ 4\n\n"
    text = CONTRACT.replace("1. Definitions\n", contents + "1. Definitions\n", 1)
    assert "Lease_2.2_0" in ids(text, "lease.txt")


def test_items_and_notes_of_a_filing_are_cited_by_number():
    made = {chunk.id: chunk for chunk in chunks(ANNUAL, "0001193125-24-1.txt")}
    assert list(made) == [
        "AcmeHoldingsInc10K_text_0", "AcmeHoldingsInc10K_Item1_0", "AcmeHoldingsInc10K_Item1A_0", "AcmeHoldingsInc10K_Note1_0", "AcmeHoldingsInc10K_Note7_0",
    ]  # fmt: skip
    note = made["AcmeHoldingsInc10K_Note7_0"]
    assert note.section == ("Acme Holdings Inc. 10-K", "PART II", "Item 8. Financial Statements", "Note 7. Leases")
    assert note.labels.section is None


def test_a_filing_that_mentions_the_cfr_was_cited_as_a_part_of_it():
    text = FILING.format(form="8-K") + (
        "Item 2.02 Results of Operations and Financial Condition.\n\nOn May 1 we announced results.\n\n"
        "Item 9.01 Financial Statements and Exhibits.\n\nThe release is attached.\n"
    )
    document, made = document_and_chunks(text, "022dad.txt")
    assert document.labels.kind == "text"
    assert [chunk.id for chunk in made] == [
        "AcmeHoldingsInc8K_text_0",
        "AcmeHoldingsInc8K_Item2.02_0",
        "AcmeHoldingsInc8K_Item9.01_0",
    ]


def test_the_code_of_federal_regulations_itself_is_still_recognised():
    text = "17 CFR Part 230\n\n§ 230.405 Definitions of terms.\n\nA term is a word.\n\n§ 230.425 Filing.\n\nFile it.\n"
    assert ids(text, "sec.txt")[0].startswith("CFR17_230.405")


def test_parts_of_a_quarterly_report_that_number_their_items_alike_are_distinguished():
    body = "PART I\n\nItem 1. Financial Statements\n\nLamps sold: 4.\n\nItem 2. Discussion\n\nWe did well.\n\nPART II\n\nItem 1. Legal Proceedings\n\nNone.\n"
    assert ids(FILING.format(form="10-Q") + body, "q.txt")[1:] == [
        "AcmeHoldingsInc10Q_Item1_0", "AcmeHoldingsInc10Q_Item2_0", "AcmeHoldingsInc10Q_PartIIItem1_0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "title", "code"),
    [
        ("x.md", "Paid leave", "PaidLeave"), ("leave.md", "Paid leave", "Leave"), ("0001193125-22-18.txt", "Annual report", "AnnualReport"),
        ("3fa9c01be7d24.pdf", "TERMS OF SALE", "TermsOfSale"), ("ADOBE_2022_10K.pdf", "Form", "ADOBE202210K"), ("x.md", None, "X"), ("x.md", "§ 5", "X"),
        ("%E0%A4%A8%E0%A4%BF%E0%A4%AF%E0%A4%AE.txt", None, "नियम"), ("#U0928#U093f#U092f#U092e.txt", None, "नियम"), ("100%ff.txt", None, "100Ff"),
    ],
)  # fmt: skip
def test_a_name_that_nobody_can_read_gives_way_to_the_title(name, title, code):
    assert document_code(Labels(), None, name, title) == code


def test_a_file_named_x_is_cited_by_its_title():
    assert ids("# Paid leave\n\n## Days\n\nTwelve days.\n", "x.md") == ["PaidLeave_Days_0"]
    assert ids("# Days\n\nTwelve.\n\n# Pay\n\nNone.\n", "x.md") == ["X_Days_0", "X_Pay_0"]
