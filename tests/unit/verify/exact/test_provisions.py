"""The sections guard: a claim names only provisions that its sources are, or name themselves."""

import pytest

from footnotary.verify.exact.provisions import sections_disagree

CHEATING = "Cheating, as defined in section 415, is punished with imprisonment."
DEIDENTIFIED = "Under § 164.514(b)(2), names are removed."


@pytest.mark.parametrize(
    ("claim", "premise", "known"),
    [
        ("Section 421 punishes cheating.", CHEATING, {"420"}),
        ("Section 42 punishes cheating.", CHEATING, {"420"}),
        ("Cheating is defined in section 416.", CHEATING, {"420"}),
        ("Section 420A punishes it.", CHEATING, {"420"}),
        ("§ 164.512 asks for it.", DEIDENTIFIED, {"164.514"}),
        ("§ 164.514(c) asks for it.", DEIDENTIFIED, {"164.514"}),
        ("§ 164.514(b)(3) asks for it.", DEIDENTIFIED, {"164.514"}),
        ("धारा 421 लागू है।", "धारा 420 लागू है।", set[str]()),
        ("Cheating, as defined in section 420, is punished.", CHEATING, {"420"}),
        ("Sections 415 and 421 apply.", CHEATING, {"420"}),
        ("Under Sec. three the fee is due.", "Under Sec. 65 the fee of three rupees is due.", {"65"}),
        ("Under Sec. 21 the clerk keeps a list.", "Under Sec. fifteen the clerk keeps a list.", {"21"}),
        ("Under Sec. 21 the clerk keeps a list.", "Fees are due. Under Sec. fifteen the clerk keeps a list.", {"21"}),
        ("In short, under Sec. 21 the clerk keeps a list.", "Fees are due. Under Sec. 15 the clerk keeps a list.", {"21"}),
        ("Under Sec. twelve the clerk keeps a list.", "Under Sec. 21 the clerk keeps a list.", {"12"}),
        ("Under Sec. twelve the clerk keeps a list.", "Under Sec. ten the clerk keeps a list.", {"12"}),
    ],
)  # fmt: skip
def test_a_provision_that_is_not_the_sources_is_found(claim: str, premise: str, known: set[str]) -> None:
    assert sections_disagree(claim, premise, frozenset(known)) is not None


@pytest.mark.parametrize(
    ("claim", "premise", "known"),
    [
        ("Section 420 IPC punishes cheating.", CHEATING, {"420"}),
        ("Sec. 415 defines cheating.", CHEATING, {"420"}),
        ("Sections 415 and 420 deal with it.", CHEATING, {"420"}),
        ("45 CFR 164.514(b) asks for it.", DEIDENTIFIED, {"164.514"}),
        ("§ 164.514 asks for it.", DEIDENTIFIED, set[str]()),
        ("धारा ४२० लागू है।", "धारा 420 लागू है।", set[str]()),
        ("Section 420 punishes it.", "420. Cheating is punished.", set[str]()),
        ("Cheating is punished.", CHEATING, set[str]()),
        ("Section twelve applies.", "Section 12 applies.", set[str]()),
        ("Section 12 applies.", "Section twelve applies.", {"21"}),
        ("Under Sec. twelve the clerk keeps a list.", "Under Sec. 12 the clerk keeps a list.", {"21"}),
        ("Under section 21 the clerk keeps a list.", "The clerk keeps a list of what is due under section fifteen.", {"21"}),
        ("Under section 21 the clerk keeps a list.", "Section 15. The clerk keeps a list.", {"15", "21"}),
        ("Under the rules one pays.", "One pays under the rules.", set[str]()),
        ("Section 2(e) defines it.", "(d) wages; (e) employer", {"2"}),
        ("Section 120-B applies.", "Section 120B applies.", set[str]()),
    ],
)  # fmt: skip
def test_a_provision_the_source_is_or_names_is_left_alone(claim: str, premise: str, known: set[str]) -> None:
    assert sections_disagree(claim, premise, frozenset(known)) is None
