"""What clients learn of a rejected draft: where its words are at fault, and none of the words."""

from footnotary.audit.bundle_content import OutcomeProvenance, bundle_content, outcome_in
from footnotary.domain.draft import Claim
from footnotary.domain.outcome import Refusal
from footnotary.engine import answer_from
from footnotary.profiles.load import load_profile
from footnotary.render.outcome_record import outcome_record
from footnotary.replay import ReplayMatch, ReplayVerifiers, replay
from footnotary.service.redaction import redacted_record
from footnotary.testing.builders import chunk_of, evidence_of
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

PROFILE = load_profile("default")
CHECKS = checks_for(PROFILE)
SOURCE = chunk_of("FEE_1_0", "The fee for a trade licence is 800 rupees for each year.")


def refused() -> Refusal:
    said = Claim("The fee for a trade licence is 950 rupees for each year.", ("FEE_1_0",))
    evidence = evidence_of("What is the fee for a trade licence?", SOURCE, profile="default")
    outcome = answer_from(evidence, Says(said), PROFILE, CHECKS, lambda _: ("0" * 64, "fees.txt"))
    assert isinstance(outcome, Refusal)
    return outcome


def test_whoever_sees_the_draft_sees_the_words_and_a_client_their_place_only():
    outcome = refused()
    (words,) = outcome_record(outcome, "number")["unsupported_words"]
    assert words == {"claim": 0, "start": 31, "end": 41, "text": "950 rupees"}
    record = redacted_record(outcome, PROFILE)
    assert record["unsupported_words"] == [words | {"text": ""}]
    assert "950" not in str(record)
    assert not any(verdict["detail"] or "values" in verdict for verdict in record["verdicts"])


def test_a_record_keeps_the_words_and_one_without_them_replays_too():
    outcome = refused()
    content = bundle_content(outcome, PROFILE, OutcomeProvenance("0", "", {}), "ans_1", "2026-01-01T00:00:00Z")
    assert outcome_in(content) == outcome
    read = outcome_in(content)
    assert isinstance(read, Refusal)
    assert read.unsupported == outcome.unsupported
    former = content | {"outcome": {k: v for k, v in content["outcome"].items() if k != "unsupported"}}
    for each in (content, former):
        assert isinstance(replay(each, lambda _: ReplayVerifiers(CHECKS, None, {})), ReplayMatch)
    wrong = [content["outcome"]["unsupported"][0] | {"text": "800 rupees"}]
    changed = content | {"outcome": content["outcome"] | {"unsupported": wrong}}
    assert not isinstance(replay(changed, lambda _: ReplayVerifiers(CHECKS, None, {})), ReplayMatch)
