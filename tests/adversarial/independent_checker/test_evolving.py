"""FAULTS B11: whoever breeds drafts by what refusals tell gets nothing uncited and no strange figure delivered.

The long form is the promise `evolving` of `make verify-release`, with 10,000 rounds.
"""

import footnotary.engine
import footnotary.service.redaction
from harness.independent.evolving_attacker import accepting_all_claims, run_attack


def test_b11_an_attacker_who_learns_from_refusals_gets_no_breach_delivered():
    found = run_attack(600, 11)
    assert found.rounds == 600
    assert found.breaches() == []
    assert found.details == []
    assert found.nearer > 30, "the attacker does learn"
    assert found.delivered, "and comes as far as what is true"
    assert len(found.refusal_codes) > 8


def test_b11_checks_that_believe_every_claim_would_be_seen(monkeypatch):
    monkeypatch.setattr(footnotary.engine, "verify", accepting_all_claims(footnotary.engine.verify))
    assert run_attack(100, 11).breaches()


def test_b11_a_refusal_that_discloses_its_details_would_be_seen(monkeypatch):
    monkeypatch.setattr(footnotary.service.redaction, "has_rejected_draft", lambda _: False)
    assert run_attack(100, 11).details
