"""Bundles: they hold with the public key alone, every change is found and named, and outcomes come out again."""

import base64
import json
import random
import subprocess

import pytest

from footnotary.audit import bundle
from footnotary.audit.bundle_content import outcome_in
from footnotary.audit.canonical_json import canonical_json
from footnotary.audit.record import make_audit_entry
from footnotary.audit.signing import open_signer, read_public_key
from footnotary.replay import ReplayMatch, ReplayMismatch, ReplayVerifiers, replay
from footnotary.strict_json import loads_strictly
from footnotary.testing.tampering import TAMPERS, tampered_envelope
from tests.integration.audit.outcomes import ASKER, HERE, KINDS, LEGAL, TRUE, entry, outcome_of, verifiers_for


@pytest.fixture
def made(log, signer):
    """The bundle of a new outcome of a kind."""

    def make(kind="extractive answer", **given):
        one = entry(kind, **given)
        record = log.append(one)
        return bundle.make_bundle(record, log.content(one.answer_id), signer)

    return make


def failed(envelope, key):
    return {finding.check: finding.problem for finding in bundle.verify_bundle(envelope, key) if not finding.passed}


def resigned(envelope, signer, change):
    """The bundle with a change in its content, signed as the owner of the key would: what else notices?"""
    statement = loads_strictly(base64.b64decode(envelope["payload"]))
    change(statement["predicate"]["content"])
    payload = canonical_json(statement)
    signature = signer.sign(bundle.pre_authentication_encoding(bundle.PAYLOAD_TYPE, payload))
    return {
        "payloadType": bundle.PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [{"keyid": signer.public.id, "sig": base64.b64encode(signature).decode()}],
    }


class TestChecking:
    @pytest.mark.parametrize("kind", KINDS)
    def test_a_bundle_holds_whatever_the_outcome(self, made, signer, kind):
        assert failed(made(kind), signer.public) == {}

    def test_the_public_key_as_a_file_is_all_it_takes(self, made, signer, tmp_path):
        (tmp_path / "key.pem").write_text(signer.public.pem())
        written = json.loads(json.dumps(made()))
        assert failed(written, read_public_key(tmp_path / "key.pem")) == {}

    def test_another_key_does_not_do(self, made, tmp_path):
        assert "signature" in failed(made(), open_signer(tmp_path / "other.key").public)

    def test_openssl_agrees_on_the_signature(self, made, signer, tmp_path):
        envelope = made()
        payload = base64.b64decode(envelope["payload"])
        (tmp_path / "key.pem").write_text(signer.public.pem())
        (tmp_path / "signed").write_bytes(bundle.pre_authentication_encoding(envelope["payloadType"], payload))
        (tmp_path / "sig").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
        command = [
            "openssl",
            "pkeyutl",
            "-verify",
            "-pubin",
            "-inkey",
            "key.pem",
            "-rawin",
            "-in",
            "signed",
            "-sigfile",
            "sig",
        ]
        try:
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        except FileNotFoundError:
            pytest.skip("openssl is not installed")
        assert done.returncode == 0, done.stderr

    def test_it_is_an_in_toto_statement_about_the_answer(self, made):
        statement = bundle.statement_in(made())
        assert statement["_type"] == "https://in-toto.io/Statement/v1"
        (subject,) = statement["subject"]
        content = statement["predicate"]["content"]
        assert subject["name"] == content["answer_id"]
        for part in ("query", "profile_digest", "index_digest", "evidence", "draft", "outcome"):
            assert content[part]

    @pytest.mark.parametrize("given", [None, 3, "x", [], {}, {"payload": 1}, {"payloadType": bundle.PAYLOAD_TYPE}])
    def test_what_is_no_bundle_fails_and_does_not_raise(self, signer, given):
        assert set(failed(given, signer.public)) == {"envelope"}

    @pytest.mark.parametrize("payload", [b"", b"3", b"{}", b'{"a":1,"a":2}', b"[" * 100_000, b"\xff\xfe", b"NaN"])
    def test_a_payload_that_is_no_statement_fails_and_does_not_raise(self, signer, payload):
        signature = base64.b64encode(signer.sign(bundle.pre_authentication_encoding(bundle.PAYLOAD_TYPE, payload)))
        envelope = {
            "payloadType": bundle.PAYLOAD_TYPE,
            "payload": base64.b64encode(payload).decode(),
            "signatures": [{"keyid": signer.public.id, "sig": signature.decode()}],
        }
        assert "statement" in failed(envelope, signer.public)

    def test_base64_in_another_spelling_is_found(self, made, signer):
        """The last letter before the padding has bits that no byte uses."""
        envelope = made()
        (signature,) = envelope["signatures"]
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        sig = signature["sig"].rstrip("=")
        other = f"{sig[:-1]}{letters[letters.index(sig[-1]) ^ 1]}=="
        assert base64.b64decode(other) == base64.b64decode(signature["sig"])
        assert "signature" in failed(envelope | {"signatures": [signature | {"sig": other}]}, signer.public)


class TestTampers:
    @pytest.mark.parametrize("kind", ["extractive answer", "rejected draft"])
    def test_random_ones_are_all_found_and_named(self, made, signer, kind):
        envelope, rng = made(kind), random.Random(7)
        for _ in range(150):
            name, changed = tampered_envelope(envelope, rng)
            found = failed(changed, signer.public)
            assert found, name
            assert all(found.values()), name

    @pytest.mark.parametrize("name", TAMPERS)
    def test_each_way_changes_something(self, made, name):
        envelope, rng = made(), random.Random(1)

        def changes():
            try:
                return TAMPERS[name](json.loads(json.dumps(envelope)), rng) != envelope
            except ValueError:
                return True

        assert any(changes() for _ in range(20))

    @pytest.mark.parametrize(
        ("check", "change"),
        [
            ("content", lambda c: c.update(software="9.9")),
            ("agreement", lambda c: c.update(index_digest="e" * 64)),
            ("profile", lambda c: c["profile"]["sufficiency"].update(min_sources=0)),
            ("evidence", lambda c: c["evidence"][0]["chunk"].update(text="Whoever cheats shall be praised.")),
            ("citations", lambda c: c["outcome"]["citations"][0].update(quote="shall be praised")),
            ("citations", lambda c: c["outcome"]["citations"][0].update(id="IPC_999_0")),
            ("citations", lambda c: c["outcome"]["citations"].clear()),
            ("verdicts", lambda c: c["outcome"]["verdicts"][3].update(status="fail", reason="number_unsupported")),
            ("verdicts", lambda c: c["outcome"]["verdicts"].pop()),
            ("answer", lambda c: c["outcome"].update(text="Up to seventy years.")),
            ("subject", lambda c: c["outcome"].update(text="Up to seventy years.")),
            ("draft", lambda c: c.update(draft=None)),
        ],
    )
    def test_even_the_owner_of_the_key_is_found_out_by_what_does_not_fit(self, made, signer, check, change):
        found = failed(resigned(made(), signer, change), signer.public)
        assert "signature" not in found
        assert check in found

    def test_a_refusal_with_other_words_than_the_profile_s_is_found(self, made, signer):
        def change(content):
            content["outcome"]["message"] = content["outcome"]["text"] = "Up to seven years, perhaps."

        assert "answer" in failed(resigned(made("nothing relevant"), signer, change), signer.public)


class TestReplay:
    @pytest.mark.parametrize("kind", KINDS)
    def test_every_kind_of_outcome_comes_out_the_same(self, made, kind):
        content = bundle.content_in(json.loads(json.dumps(made(kind))))
        found = replay(content, verifiers_for)
        assert isinstance(found, ReplayMatch), found
        drafted = content["draft"] is not None and kind != "draft of another generator"
        assert ("draft" in found.recomputed_steps) == drafted

    @pytest.mark.parametrize(
        ("what", "change"),
        [
            ("draft", lambda c: c["draft"].update(raw=c["draft"]["raw"].replace("seven", "ninety"))),
            ("draft", lambda c: c["draft"].update(prompt_sha256="0" * 64)),
            ("draft", lambda c: c["draft"]["request"].update(fence="0" * 8)),
            ("outcome", lambda c: c["outcome"].update(confidence=0.99)),
            ("outcome", lambda c: c["outcome"]["verdicts"][2].update(detail="looks fine")),
            ("outcome", lambda c: c["outcome"]["verdicts"][0]["values"].update(passages=99)),
            ("outcome", lambda c: c["outcome"].update(more=1)),
            ("query", lambda c: c["query"].update(language="hi")),
            ("profile", lambda c: c["profile"]["sufficiency"].update(min_sources=2)),
            ("models", lambda c: c["models"].update(verifier="another")),
            ("content", lambda c: c["query"].pop("scope")),
            ("content", lambda c: c.pop("evidence")),
        ],
    )
    def test_what_comes_out_otherwise_is_named(self, made, what, change):
        content = bundle.content_in(made("answer of a model"))
        change(content)
        found = replay(content, verifiers_for)
        assert isinstance(found, ReplayMismatch), found
        assert found.what == what

    def test_a_rejected_draft_that_is_made_to_look_accepted_is_found(self, made):
        content = bundle.content_in(made("rejected draft"))
        answer = bundle.content_in(made("answer of a model"))
        content["outcome"] = answer["outcome"]
        assert isinstance(replay(content, verifiers_for), ReplayMismatch)

    def test_what_was_released_of_a_rejected_draft_is_part_of_it(self, log, signer):
        by_claim = LEGAL.model_copy(update={"streaming": LEGAL.streaming.model_copy(update={"release": "claim"})})
        outcome = outcome_of("two claims, the second false", by_claim)
        one = make_audit_entry(outcome, by_claim, HERE, ASKER, released_claims=1)
        record = log.append(one)
        assert record.says["released_claims"] == 1
        content = log.content(one.answer_id)
        assert content["outcome"]["beginning"]["text"] == TRUE
        assert outcome_in(content).beginning.claims == outcome.beginning.claims
        assert isinstance(replay(content, verifiers_for), ReplayMatch)
        envelope = bundle.make_bundle(record, content, signer)
        assert failed(envelope, signer.public) == {}
        other = resigned(
            envelope, signer, lambda c: c["outcome"]["beginning"]["citations"][0].update(quote="shall be praised")
        )
        assert "citations" in failed(other, signer.public)

    def test_a_verifier_that_decides_otherwise_is_found(self, made):
        from footnotary.verify.run import checks_for

        content = bundle.content_in(made("answer of a model"))
        fewer = lambda profile: ReplayVerifiers(checks_for(profile, None)[:-1], None, {})  # noqa: E731
        assert replay(content, fewer).what == "outcome"

    def test_the_outcome_of_reranking_is_recorded_with_the_evidence(self, made):
        asking = LEGAL.model_copy(update={"retrieval": LEGAL.retrieval.model_copy(update={"rerank": 5})})
        content = bundle.content_in(made(profile=asking))
        assert outcome_in(content).evidence.reranking == "provision_named"
        assert isinstance(replay(content, verifiers_for), ReplayMatch)
        content["reranking"] = "judge_failed"
        assert outcome_in(content).evidence.reranking == "verifier_failed"
        content["reranking"] = "perhaps"
        assert replay(content, verifiers_for).what == "content"
