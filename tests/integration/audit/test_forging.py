"""What the owner of the key signs anew, hashes and record and all: whatever stands in two places must still agree."""

import base64
import hashlib
from dataclasses import replace

import pytest

from footnotary.audit import bundle
from footnotary.audit.canonical_json import canonical_json
from footnotary.audit.record import make_audit_entry, record_hash, signed_message, text_sha256
from footnotary.corpus import Corpus
from footnotary.domain.document import Labels
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.external.passages import answer_from_given_evidence, make_evidence, make_hit
from footnotary.gate.intent import understand
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.strict_json import loads_strictly
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.verify.run import checks_for
from tests.integration.audit.outcomes import ASKER, FALSE, HERE, LEGAL, PRIVATE, QUESTION, TRUE, outcome_of

BY_CLAIM = LEGAL.model_copy(update={"streaming": LEGAL.streaming.model_copy(update={"release": "claim"})})
DEFAULT = load_profile("default")


def whole_answer():
    return make_audit_entry(outcome_of(), LEGAL, HERE, ASKER)


def withheld():
    return make_audit_entry(outcome_of("extractive answer", PRIVATE), PRIVATE, HERE, ASKER)


def repeated():
    return make_audit_entry(outcome_of(), LEGAL, HERE, ASKER, repeats="ans_" + "a" * 26)


def rejected():
    return make_audit_entry(outcome_of("rejected draft"), LEGAL, HERE, ASKER)


def undrafted():
    return make_audit_entry(outcome_of("nothing relevant"), LEGAL, HERE, ASKER)


def begun():
    return make_audit_entry(
        outcome_of("two claims, the second false", BY_CLAIM), BY_CLAIM, HERE, ASKER, released_claims=1
    )


def with_both_sides():
    store, embedder = DictStore(), HashEmbedder()
    corpus = Corpus(store, embedder)
    for name, days in (("policy.txt", 12), ("handbook.txt", 18)):
        text = f"Staff\n\nEvery employee is entitled to {days} days of annual leave."
        assert not corpus.ingest_text(name, text, "p").failed
    engine = Engine(store, embedder, ExtractiveGenerator(DEFAULT), DEFAULT, checks_for(DEFAULT))
    outcome = engine.ask("How many days of annual leave is an employee entitled to?", Scope("p"))
    assert isinstance(outcome, Answer)
    assert outcome.conflicts
    return make_audit_entry(outcome, DEFAULT, HERE, ASKER)


def guarded():
    query = understand(QUESTION, Scope("request"), LEGAL)
    hits = [make_hit("IPC_420", TRUE, 1.0, Labels(title="Section 420", code="IPC", section="420"), page=3)]
    generator = ExtractiveGenerator(LEGAL)
    outcome = answer_from_given_evidence(make_evidence(query, hits), generator, LEGAL, checks_for(LEGAL))
    assert isinstance(outcome, Answer), [v for v in outcome.verdicts if v.status != "pass"]
    return make_audit_entry(outcome, LEGAL, replace(HERE, index_digest=""), ASKER)


@pytest.fixture
def made(log, signer):
    def make(entry):
        record = log.append(entry)
        return bundle.make_bundle(record, log.content(entry.answer_id), signer)

    return make


def forged(envelope, signer, change):
    """The bundle after a change in record or content, with every hash and signature made anew."""
    statement = loads_strictly(base64.b64decode(envelope["payload"]))
    predicate = statement["predicate"]
    content, record = predicate["content"], predicate["record"]
    body = loads_strictly(record["body"])
    change(content, body)
    body["content_sha256"] = hashlib.sha256(canonical_json(content)).hexdigest()
    record["body"] = canonical_json(body).decode()
    record["hash"] = record_hash(record["body"])
    record["signature"] = signer.sign(signed_message(record["hash"])).hex()
    digest = {"sha256": text_sha256(content["outcome"]["text"])}
    statement["subject"] = [{"name": content["answer_id"], "digest": digest}]
    payload = canonical_json(statement)
    signature = signer.sign(bundle.pre_authentication_encoding(bundle.PAYLOAD_TYPE, payload))
    return {
        "payloadType": bundle.PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [{"keyid": signer.public.id, "sig": base64.b64encode(signature).decode()}],
    }


def failed(envelope, signer):
    return {one.check: one.problem for one in bundle.verify_bundle(envelope, signer.public) if not one.passed}


GENUINE = [whole_answer, withheld, repeated, rejected, undrafted, begun, with_both_sides, guarded]


@pytest.mark.parametrize("entry", GENUINE)
def test_a_genuine_bundle_holds_as_it_is_and_signed_again(made, signer, entry):
    envelope = made(entry())
    assert failed(envelope, signer) == {}
    assert failed(forged(envelope, signer, lambda content, body: None), signer) == {}


@pytest.mark.parametrize(
    ("entry", "name", "value"),
    [
        (whole_answer, "answer_sha256", "0" * 64),
        (rejected, "answer_sha256", "0" * 64),
        (whole_answer, "answer_id", "ans_" + "b" * 26),
        (whole_answer, "question", "What is the punishment for theft?"),
        (whole_answer, "claims", 7),
        (rejected, "claims", 1),
        (whole_answer, "failed_checks", ["numbers_are_supported"]),
        (rejected, "failed_checks", []),
        (whole_answer, "drafted", False),
        (whole_answer, "drafted", 1),
        (undrafted, "drafted", True),
        (whole_answer, "generator", "another"),
        (undrafted, "generator", "another"),
        (whole_answer, "profile", "tutor"),
        (whole_answer, "released_claims", 1),
        (rejected, "released_claims", 1),
        (begun, "released_claims", 2),
        (begun, "released_claims", -1),
        (begun, "released_claims", True),
        (begun, "released_claims", None),
    ],
)
def test_a_record_that_says_otherwise_than_the_content_is_found(made, signer, entry, name, value):
    found = failed(forged(made(entry()), signer, lambda _, body: body.update({name: value})), signer)
    assert set(found) == {"agreement"}
    assert name in found["agreement"]


def outcome_changed(**changes):
    return lambda content, _: content["outcome"].update(changes)


def citation_changed(**changes):
    return lambda content, _: content["outcome"]["citations"][0].update(changes)


def draft_of_another_text(content, _):
    content["draft"]["claims"][0]["text"] = FALSE


def draft_with_more(content, _):
    content["draft"]["claims"].append({"text": FALSE, "cites": ["IPC_420_0"]})


def draft_by_another(content, body):
    content["draft"]["generator"] = body["generator"] = "another"


def beginning_changed(**changes):
    return lambda content, _: content["outcome"]["beginning"].update(changes)


def beginning_failed(content, _):
    content["outcome"]["beginning"]["verdicts"][0].update(status="fail", reason="number_unsupported")


def beginning_of_another_draft(content, _):
    content["draft"]["claims"][0]["text"] = FALSE


def written_by_a_model(content, _):
    content["draft"]["extractive"] = False


def without_conflicts(content, _):
    content["outcome"]["conflicts"] = []


def a_second_file(content, _):
    first = content["outcome"]["citations"][0]
    content["outcome"]["citations"].append(first | {"document_sha256": "0" * 64})


@pytest.mark.parametrize(
    ("check", "entry", "change"),
    [
        ("draft", whole_answer, draft_of_another_text),
        ("draft", whole_answer, draft_with_more),
        ("draft", whole_answer, draft_by_another),
        ("draft", whole_answer, outcome_changed(generator="another")),
        ("draft", begun, beginning_of_another_draft),
        ("draft", with_both_sides, written_by_a_model),
        ("draft", with_both_sides, without_conflicts),
        ("profile", whole_answer, outcome_changed(profile="tutor")),
        ("profile", rejected, outcome_changed(profile="tutor")),
        ("profile", begun, beginning_changed(profile_digest="0" * 64)),
        ("citations", whole_answer, citation_changed(page=99)),
        ("citations", whole_answer, citation_changed(labels={})),
        ("citations", whole_answer, citation_changed(standing={})),
        ("citations", whole_answer, a_second_file),
        ("citations", guarded, citation_changed(page=99)),
        ("citations", guarded, citation_changed(document_sha256="0" * 64)),
        ("citations", guarded, citation_changed(path="act.pdf")),
        ("verdicts", begun, beginning_failed),
        ("answer", begun, beginning_changed(text=f"{TRUE} And more.")),
    ],
)
def test_content_that_contradicts_itself_is_found(made, signer, check, entry, change):
    assert set(failed(forged(made(entry()), signer, change), signer)) == {check}


def test_the_entries_are_of_the_kinds_they_stand_for():
    assert isinstance(outcome_of(), Answer)
    assert isinstance(outcome_of("rejected draft"), Refusal)
    assert outcome_of("nothing relevant").draft is None
