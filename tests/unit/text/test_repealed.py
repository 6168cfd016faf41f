"""What only says that a section is gone is told from what a section says."""

import pytest

from footnotary.contracts.c3 import RetrievedChunk, is_evidence_sufficient
from footnotary.text.references.repealed import is_repealed

STUB = "13. [Definition of “lamp”.] Omitted by the Lights Order, 1950."


@pytest.mark.parametrize(
    "text",
    [STUB, "15. [Lamp.] Rep., ibid.", "§ 160.302 [Reserved]", "Section 9. Fees.\n[Repealed.]", "30. [Repealed.]."],
)
def test_the_place_of_a_section_that_was_deleted_is_known(text):
    assert is_repealed(text)


@pytest.mark.parametrize(
    "text",
    [
        "13. “Lamp” means a light [of any kind]. It was repealed and came back.",
        "5. Rules made under section 4 [which is repealed] stay in force.",
        "[4. Extent.—The Code applies to all.]",
        "9. Repeal.—The Lights Act, 1900 is repealed.",
        "",
    ],
)
def test_a_section_that_speaks_of_repeal_is_still_one(text):
    assert not is_repealed(text)


def test_the_heading_of_a_repealed_definition_defines_nothing():
    chunk = RetrievedChunk("c", "LA_13_0", STUB, 0.9, "Lights Act", "13")
    assert not is_evidence_sufficient("What is the definition of lamp?", [chunk]).is_sufficient
    assert is_evidence_sufficient("What is Section 13 of the Lights Act?", [chunk]).is_sufficient
