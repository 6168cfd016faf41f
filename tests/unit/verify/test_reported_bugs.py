"""Faults the guards once had, each named after what went wrong; faithful claims pass and corrupted ones do not."""

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
        "thousands parted by spaces were read as several numbers",
        "Infringements shall be subject to administrative fines up to 20 000 000 EUR.",
        "Infringements can be fined up to 20 million EUR.",
    ),
    (
        "a tenth was not one-tenth",
        "The Speaker may adjourn the sitting if fewer than one-tenth of the members are present.",
        "If less than a tenth of the members are present, the Speaker can adjourn the sitting.",
    ),
    (
        "a period that names a deadline was held to be exact",
        "Goods once sold may be returned within ten days of delivery if they are defective.",
        "The return period for defective goods is ten days from delivery.",
    ),
    (
        "half a year counted as another unit than six months",
        "The Tribunal shall dispose of the appeal within six months from the date of its presentation.",
        "The Tribunal has half a year from presentation to dispose of the appeal.",
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
        "not longer than was told apart from no longer than",
        "Data shall be kept in a form which permits identification for no longer than is necessary for the purposes.",
        "Data must not be kept in identifiable form longer than the purposes require.",
    ),
    (
        "a size after with was taken for the subject",
        "In every establishment where fifty or more employees are employed, the employer shall provide a creche.",
        "Employers with at least 50 employees must provide a creche.",
    ),
    (
        "the higher of two was held against either of two",
        "The fine is up to 4 % of the turnover or up to 500 EUR, whichever is higher.",
        "The maximum fine is the higher of 4 % of the turnover and 500 EUR.",
    ),
    (
        "a change of voice was taken for an exchange",
        "The request may be denied if the record was not created by the covered entity.",
        "The request may be denied where the covered entity did not create the record.",
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
        "what follows from a word was held to be denied without ground",
        "Every direction of the authority under section 20 is final.",
        "A direction of the authority under section 20 is final and cannot be reopened.",
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
        "an amount of another part of the source passed",
        "Intimidation shall be punished with imprisonment which may extend to two years; and if the threat be to cause"
        " death or grievous hurt, with imprisonment which may extend to seven years.",
        "If the threat is to cause death or grievous hurt, imprisonment may extend to two years.",
    ),
    (
        "non- was not read as a denial",
        "Every information relating to a cognizable offence shall be reduced to writing by the officer.",
        "Every information relating to a non-cognizable offence shall be reduced to writing by the officer.",
    ),
    (
        "whatever overrode a condition unseen",
        "An assembly of five or more persons is unlawful if its common object is to resist the execution of any law.",
        "An assembly of five or more persons is unlawful whatever its common object.",
    ),
    (
        "the excepted was given what it is excepted from",
        "An individual has a right of access to health information in a record set, except for psychotherapy notes and"
        " information compiled for litigation.",
        "An individual has a right of access to psychotherapy notes in a record set.",
    ),
    (
        "a second comparison in a sentence was not looked at",
        "Sound travels faster in solids than in liquids, and faster in liquids than in gases.",
        "Sound travels faster in gases than in liquids.",
    ),
    (
        "what turns into what could be exchanged",
        "In this process carbon dioxide and water are turned into glucose in the presence of sunlight.",
        "In this process glucose is turned into carbon dioxide and water in the presence of sunlight.",
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
        "refuse to could be left out",
        "The Registrar shall refuse to register a document if the executant denies its execution.",
        "The Registrar shall register a document if the executant denies its execution.",
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
