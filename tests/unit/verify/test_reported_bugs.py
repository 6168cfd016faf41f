"""Faults the exact checks once had, each named after what went wrong; faithful claims pass and corrupted ones do not."""

import pytest

from footnotary import verify_claim

REFUSED = [
    (
        "a verb after a number was read as what it counts",
        "Nothing is an offence which is done by a child under seven years of age.",
        "A child younger than seven cannot commit an offence.",
    ),
    (
        "nothing was taken to deny its relative clause",
        "Nothing is an offence which is done by a child under seven years of age.",
        "An act done by a child under 7 years of age is not an offence.",
    ),
    (
        "a tenth was not one-tenth",
        "The Speaker may adjourn the sitting if fewer than one-tenth of the members are present.",
        "If less than a tenth of the members are present, the Speaker can adjourn the sitting.",
    ),
    (
        "an entitlement was held to be a duty",
        "Every person whose name is entered in the electoral roll shall be entitled to vote.",
        "Persons entered in the electoral roll may vote.",
    ),
    (
        "not without was not needed",
        "He shall not remove any original record without giving a receipt for it.",
        "The inspector must give a receipt before removing an original record.",
    ),
    (
        "apply was taken for an adverb",
        "This right shall not apply to processing necessary for a task carried out in the public interest.",
        "Processing for a task in the public interest is excluded from this right.",
    ),
    (
        "personal was the rival of public, and so was every person",
        "An applicant making a request to a public authority shall not be required to give any reason for the request.",
        "A person making a request does not have to give a reason for it.",
    ),
    (
        "a demand by an officer made him do what he demands",
        "Every driver shall carry the licence and shall, on demand by a police officer, produce it.",
        "The licence must be produced on demand by a police officer.",
    ),
    (
        "the title of a work was held to be a quotation",
        "She sang on the album Songs of the Silent Hills, which came out in May.",
        'She sang on the album "The Songs of Silent Hills".',
    ),
    (
        "what the claim itself counts was asked of the source",
        "Asha and Ravi plan to meet at the library on Friday.",
        "Two friends, Asha and Ravi, plan to meet at the library on Friday.",
    ),
]

CAUGHT = [
    (
        "the excepted was given what it is excepted from",
        "An individual has a right of access to health information in a record set, except for psychotherapy notes and"
        " information compiled for litigation.",
        "An individual has a right of access to psychotherapy notes in a record set.",
    ),
    (
        "another agent after by passed where the source has both",
        "The guarantor is liable with the debtor. A guarantee obtained by misrepresentation made by the creditor is void.",
        "A guarantee obtained by misrepresentation made by the guarantor is void.",
    ),
    (
        "a sentence cut off before its unless passed",
        "The permit shall be returned to the office within 30 days, unless a written statement is submitted by then.",
        "The permit shall be returned to the office within 30 days.",
    ),
    (
        "a bound without a figure could be turned round",
        "The employer shall pay to such person wages at not less than the minimum time rate.",
        "The employer shall pay to such person wages at not more than the minimum time rate.",
    ),
    (
        "a right could be denied",
        "An individual has the right to receive an accounting of disclosures made in the six years before the request.",
        "An individual has no right to receive an accounting of disclosures made in the six years before the request.",
    ),
    (
        "liable until passed for not liable before",
        "A retired partner continues to be liable for acts of the firm until public notice is given.",
        "A retired partner is not liable for acts of the firm before public notice is given.",
    ),
]


@pytest.mark.parametrize(("source", "claim"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_faithful_claim_is_no_longer_refused(source, claim):
    verdict = verify_claim(claim, [source], profile="legal")
    assert verdict.supported, verdict.details


@pytest.mark.parametrize(("source", "claim"), [row[1:] for row in CAUGHT], ids=[row[0] for row in CAUGHT])
def test_a_corrupted_claim_no_longer_passes(source, claim):
    assert not verify_claim(claim, [source], profile="legal").supported
