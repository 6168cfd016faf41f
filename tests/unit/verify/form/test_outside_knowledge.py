"""An answer that announces knowledge from elsewhere is refused, unless its source says the same words."""

import pytest

from footnotary.domain.draft import Claim
from footnotary.testing.builders import chunk_of, submission_of
from footnotary.verify.form.leakage import no_outside_knowledge

CHECK = no_outside_knowledge(("general knowledge", "based on general knowledge", "as we know"))


@pytest.mark.parametrize(
    ("source", "claim", "passes"),
    [
        ("Theft is punished.", "Theft is punished.", True),
        ("Theft is punished.", "Theft, as we know, is punished.", False),
        ("Theft is, as we know, punished.", "Theft, as we know, is punished.", True),
        ("The test is based on general knowledge.", "The test is of general knowledge.", True),
        ("The test is of general knowledge.", "Based on general knowledge, theft is punished.", False),
    ],
)
def test_a_phrase_counts_unless_the_cited_source_has_it(source: str, claim: str, passes: bool):
    verdict = CHECK(submission_of("theft", (chunk_of("IPC_379_0", source),), Claim(claim, ("IPC_379_0",))))
    assert (verdict.status == "pass") is passes


def test_only_the_cited_source_excuses_a_phrase():
    chunks = chunk_of("IPC_379_0", "Theft is punished."), chunk_of("IPC_380_0", "Theft, as we know, is bad.")
    verdict = CHECK(submission_of("theft", chunks, Claim("Theft, as we know, is bad.", ("IPC_379_0",))))
    assert verdict.claims == (0,)
