"""F14: evidence bundles and audit logs, changed in many ways; each change is detected."""

import random
import tempfile
from contextlib import closing
from pathlib import Path

from benchmarks.audit.proofs import QUESTIONS, asked, log_tampers
from benchmarks.verify_release.tally import Tally
from footnotary.audit import bundle
from footnotary.audit.chain_verification import IntactChain
from footnotary.audit.log import AuditLog
from footnotary.cli.questions.demo import corpus_folder
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.testing.tampering import tampered_envelope
from footnotary.wiring import audit_head, build_engine, open_notary, opened, tenant_folder

BUNDLES = 15


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    rng, tally = random.Random(seed), Tally()
    with tempfile.TemporaryDirectory() as folder:
        given = {"verifier": "lexical", "home": Path(folder), "embedder": "fast", "project": "demo"}
        settings = load_settings(given, environ={})
        with opened(settings) as open_:
            assert not open_.corpus.ingest([corpus_folder()], "demo").failed
            with closing(open_notary(settings, open_.engine.embedder.name)) as notary:
                engines = {
                    name: build_engine(settings, load_profile(name), open_.store, open_.engine.embedder)
                    for name in {profile for profile, _ in QUESTIONS}
                }
                made, _, _ = asked(notary, engines, open_.store.index_digest("demo"), BUNDLES)
                key = notary.signer.public
        for number in range(count // 2):
            name, changed = tampered_envelope(made[number % len(made)], rng)
            found = bundle.verify_bundle(changed, key)
            tally.attempts += 1
            if all(finding.passed for finding in found):
                tally.fault(f"a bundle with {name} changed verifies")
        if seeded_bug:  # a log that reports itself intact
            AuditLog.verify = lambda self, *_: IntactChain(self.size(), 0)
        log = log_tampers((tenant_folder(settings) / "audit.db", audit_head(settings)), key, count - count // 2, rng)
    tally.attempts += log["tried"]
    for _ in range(log["missed"] + log["named wrongly"]):
        tally.fault("a change of the log was not detected, or reported at another record")
    return tally
