"""Which sources a part of a question may be answered from, by the names in it."""

import pytest

from footnotary.gate.exact_rules import eligible_hits
from footnotary.testing.builders import chunk_of, evidence_of

APPEAL = "An appeal may be made within thirty days."
RTI = chunk_of("RTI_19_0", APPEAL, act="The Right to Information Act, 2005", code=None)
CPA = chunk_of("CPA_41_0", APPEAL, act="The Consumer Protection Act, 2019", code=None)
NOTICE = chunk_of("Notice_1_0", APPEAL, act=None, code=None)


@pytest.mark.parametrize(
    ("question", "eligible"),
    [
        ("To whom can I appeal if my RTI request is ignored?", [RTI, NOTICE]),
        ("To whom can I appeal if my request is ignored?", [CPA, RTI, NOTICE]),
        ("To whom can I appeal if my PDF is ignored?", [CPA, RTI, NOTICE]),
        ("TO WHOM CAN I APPEAL IF MY RTI REQUEST IS IGNORED?", [CPA, RTI, NOTICE]),
    ],
)
def test_the_acronym_of_a_law_makes_only_that_law_eligible(question, eligible):
    evidence = evidence_of(question, CPA, RTI, NOTICE)
    (part,) = evidence.query.facets
    assert [hit.chunk for hit in eligible_hits(evidence.hits, part).hits] == eligible
