"""Bundles and records under attack: are all tampers found and named, and do outcomes come out again bit for bit?

    python -m benchmarks.audit.proofs [--bundles 100] [--tampers 10000] [--seed 1]

Asks the bundled corpus through the product's own engine, with its verifiers: extractive, and with a scripted chat model
that repeats the sources, states something false, or refuses. Then tampers with the bundles (half a dozen copies of
each are changed as `footnotary.testing.tampering` does) and with copies of the log. Writes
benchmarks/results/audit/proofs.json and .md.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from footnotary.audit import bundle
from footnotary.audit.chain_verification import BrokenChain, IntactChain
from footnotary.audit.log import AuditLog
from footnotary.audit.record import RequestOrigin
from footnotary.audit.recorder import Notary
from footnotary.cli.questions.demo import corpus_folder
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.profiles.load import load_profile
from footnotary.replay import ReplayMatch, replay
from footnotary.settings import load_settings
from footnotary.testing.chat_server import claims
from footnotary.testing.scripted_models import ScriptedChatModel
from footnotary.testing.tampering import tampered_envelope
from footnotary.text.sentences.splitter import sentences
from footnotary.wiring import audit_head, build_engine, open_notary, open_replay, opened, tenant_folder

RESULTS = Path(__file__).parents[1] / "results" / "audit"
QUESTIONS = (
    ("legal", "What is the punishment for cheating and dishonestly inducing delivery of property?"),
    ("legal", "Who is an employer under the Minimum Wages Act?"),
    ("legal", "What is theft?"),
    ("legal", "What is the punishment for theft?"),
    ("legal", "What is cheating?"),
    ("legal", "What is the punishment under section 420 IPC?"),
    ("legal", "Is there a penalty for parking on Mars?"),
    ("default", "What is the definition of wages?"),
    ("default", "What is the punishment for cheating?"),
    ("default", "How fast is light?"),
    ("compliance", "What are PHI identifiers?"),
    ("compliance", "What is protected health information?"),
    ("compliance", "When may protected health information be disclosed?"),
    ("tutor", "What is an arithmetic progression?"),
    ("tutor", "What is the common difference?"),
    ("tutor", "How do you find the nth term of an AP?"),
    ("tutor", "समांतर श्रेढ़ी किसे कहते हैं?"),
    ("tutor", "What is the capital of France?"),
    ("legal", "What did the Supreme Court decide?"),
    ("default", "Who fixes minimum rates of wages?"),
)
DRAFTS = ("extractive", "model, structured", "model, in words", "model, false", "model, declines")
FALSE = str.maketrans({"1": "7", "2": "9", "e": "ea"})


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bundles", type=int, default=100)
    parser.add_argument("--tampers", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"home": Path(folder), "embedder": "fast", "project": "demo"}, environ={})
        with opened(settings) as open_:
            assert not open_.corpus.ingest([corpus_folder()], "demo").failed
            with closing(open_notary(settings, open_.engine.embedder.name)) as notary:
                engines = {
                    name: build_engine(settings, load_profile(name), open_.store, open_.engine.embedder)
                    for name in {profile for profile, _ in QUESTIONS}
                }
                made, kinds, append_ms = asked(notary, engines, open_.store.index_digest("demo"), given.bundles)
                key = notary.signer.public
        held = sum(all(finding.passed for finding in bundle.verify_bundle(envelope, key)) for envelope in made)
        replayed = [
            replay(bundle.content_in(json.loads(json.dumps(envelope))), open_replay(settings)) for envelope in made
        ]
        same = sum(isinstance(found, ReplayMatch) for found in replayed)
        for found in replayed:
            if not isinstance(found, ReplayMatch):
                print("differs:", found, file=sys.stderr)
        started = time.perf_counter()
        tried, missed, named = Counter(), Counter(), Counter()
        for number in range(given.tampers):
            name, changed = tampered_envelope(made[number % len(made)], rng)
            found = [finding for finding in bundle.verify_bundle(changed, key) if not finding.passed]
            tried[name] += 1
            missed[name] += not found or not all(finding.problem for finding in found)
            named[_named([finding.check for finding in found])] += 1
        bundles_s = time.perf_counter() - started
        places = tenant_folder(settings) / "audit.db", audit_head(settings)
        started = time.perf_counter()
        log = log_tampers(places, key, given.tampers, rng)
        log_s = time.perf_counter() - started
    report = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "bundles": len(made),
        "outcomes": dict(kinds),
        "hold": held,
        "replayed the same": same,
        "append_ms_median": round(statistics.median(append_ms), 2),
        "bundle tampers": {
            "tried": sum(tried.values()),
            "missed": sum(missed.values()),
            "by kind": dict(sorted(tried.items())),
            "named by": dict(named.most_common()),
            "seconds": round(bundles_s, 1),
        },
        "log tampers": {**log, "seconds": round(log_s, 1)},
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "proofs.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    (RESULTS / "proofs.md").write_text(page(report), encoding="utf-8")
    print(page(report))
    whole = held == same == len(made) and not sum(missed.values()) and not log["missed"] and not log["named wrongly"]
    return 0 if whole else 1


def asked(notary: Notary, engines: dict[str, Engine], digest: str, wanted: int):
    """The bundles of this many outcomes, each drafted by one of the generators."""
    made, kinds, append_ms = [], Counter(), []
    while len(made) < wanted:
        profile, question = QUESTIONS[len(made) // len(DRAFTS) % len(QUESTIONS)]
        draft = DRAFTS[len(made) % len(DRAFTS)]
        engine = drafting(engines[profile], question, draft)
        outcome = engine.ask(question, Scope("demo"))
        started = time.perf_counter()
        recorded = notary.record(
            outcome, engine.profile, RequestOrigin("local", "bench", "bench"), index_digest=digest, generator=draft
        )
        append_ms.append(1000 * (time.perf_counter() - started))
        made.append(notary.bundle(recorded.answer_id))
        how = draft if outcome.draft else "before a draft"
        kinds[f"{'answered' if isinstance(outcome, Answer) else 'refused'}: {how}"] += 1
    return made, kinds, append_ms


def drafting(engine: Engine, question: str, draft: str) -> Engine:
    if draft == "extractive":
        return engine
    hits = engine.search(question, Scope("demo")).hits
    said = (sentences(hits[0].chunk.text) or ("Nothing.",))[0] if hits else "Nothing."
    reply, structured = {
        "model, structured": (claims((said, [1])), True),
        "model, in words": (f"{said.rstrip('.')} [1].", False),
        "model, false": (claims((said.translate(FALSE), [1]), (said, [1])), True),
        "model, declines": (engine.profile.refusal.en, False),
    }[draft]
    return replace(engine, generator=ChatGenerator(ScriptedChatModel(reply), engine.profile, structured))


def _named(checks: list[str]) -> str:
    """The part that is named: what else failed where the signature does, as it does for every change of a payload."""
    others = [check for check in checks if check not in ("signature", "content")]
    return ", ".join(others[:2]) or ", ".join(checks)


def log_tampers(places: tuple[Path, Path], key, tries: int, rng: random.Random) -> dict[str, object]:
    """Tampers with copies of a log; each must be found, at the first record it touched or the one behind it."""
    tried, missed, wrong = Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        small = _small(places, Path(folder) / "small", 12)
        copies = Path(folder) / "log.db", Path(folder) / "head.db"
        for _ in range(tries):
            for one, copy in zip(small, copies, strict=True):
                shutil.copyfile(one, copy)
            name, first = _tamper(copies[0], rng, 12)
            with closing(AuditLog(*copies, read_only=True)) as log:
                found = log.verify(key)
            tried[name] += 1
            if not isinstance(found, BrokenChain):
                missed += 1
                print("missed:", name, first, found, file=sys.stderr)
            elif found.seq != first:
                wrong += 1
                print("named otherwise:", name, first, found, file=sys.stderr)
    return {
        "tried": sum(tried.values()),
        "missed": missed,
        "named wrongly": wrong,
        "by kind": dict(sorted(tried.items())),
    }


def _small(places: tuple[Path, Path], to: Path, records: int) -> tuple[Path, Path]:
    """The first records of a log as a log of its own, in files without a write-ahead log."""
    to.mkdir()
    small = to / "audit.db", to / "head.db"
    for place, copy in zip(places, small, strict=True):
        with closing(sqlite3.connect(place)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
    with closing(sqlite3.connect(small[0], isolation_level=None)) as c:
        c.execute("DELETE FROM contents WHERE seq > ?", (records,))
        c.execute("DELETE FROM records WHERE seq > ?", (records,))
        (last,) = c.execute("SELECT hash FROM records WHERE seq = ?", (records,)).fetchone()
        c.execute("PRAGMA journal_mode = DELETE")
        c.execute("VACUUM")
    with closing(sqlite3.connect(small[1], isolation_level=None)) as c:
        c.execute("UPDATE head SET seq = ?, hash = ?", (records, last))
        c.execute("PRAGMA journal_mode = DELETE")
    with closing(AuditLog(*small, read_only=True)) as log:
        assert log.verify() == IntactChain(records, 0)
    return small


def _tamper(path: Path, rng: random.Random, records: int) -> tuple[str, int]:
    """What was done, and the first record that is not as written."""
    seq = rng.randint(1, records)
    name = rng.choice(("edit", "hash", "signature", "delete", "cut", "swap", "insert", "content", "filed"))
    with closing(sqlite3.connect(path, isolation_level=None)) as c:
        body, digest, signature = c.execute(
            "SELECT body, hash, signature FROM records WHERE seq = ?", (seq,)
        ).fetchone()
        if name in ("edit", "hash", "signature"):
            column, text = {"edit": ("body", body), "hash": ("hash", digest), "signature": ("signature", signature)}[
                name
            ]
            at = rng.randrange(len(text))
            other = rng.choice([char for char in "0123456789abcdef" if char != text[at]])
            c.execute(f"UPDATE records SET {column} = ? WHERE seq = ?", (text[:at] + other + text[at + 1 :], seq))
        elif name == "delete":
            c.execute("DELETE FROM records WHERE seq = ?", (seq,))
        elif name == "cut":
            c.execute("DELETE FROM records WHERE seq >= ?", (seq,))
            c.execute("DELETE FROM contents WHERE seq >= ?", (seq,))
        elif name == "swap":
            seq, other = sorted(rng.sample(range(1, records + 1), 2))
            c.execute("UPDATE records SET seq = -1 WHERE seq = ?", (seq,))
            c.execute("UPDATE records SET seq = ? WHERE seq = ?", (seq, other))
            c.execute("UPDATE records SET seq = ? WHERE seq = -1", (other,))
        elif name == "insert":
            c.execute("UPDATE records SET seq = -seq WHERE seq >= ?", (seq,))
            c.execute("UPDATE records SET seq = 1 - seq WHERE seq < 0")
            c.execute(
                "INSERT INTO records VALUES (?, ?, ?, ?)", (seq, body.replace("bench", "other"), digest, signature)
            )
        elif name == "content":
            (held,) = c.execute("SELECT content FROM contents WHERE seq = ?", (seq,)).fetchone()
            data = bytearray(held)
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            c.execute("UPDATE contents SET content = ? WHERE seq = ?", (bytes(data), seq))
        else:
            c.execute("DELETE FROM contents WHERE seq = ?", (seq,))
    return name, seq


def page(report: dict) -> str:
    tampers, log = report["bundle tampers"], report["log tampers"]
    lines = [
        "# Proofs\n",
        f"`python -m benchmarks.audit.proofs`; {report['machine']}.\n",
        "| measure | value |",
        "|---|---|",
        f"| bundles that hold | {report['hold']} of {report['bundles']} |",
        f"| outcomes derived again, bit for bit | {report['replayed the same']} of {report['bundles']} |",
        f"| changes of bundles, not detected | {tampers['missed']} of {tampers['tried']:,} |",
        f"| changes of the log, not detected | {log['missed']} of {log['tried']:,} |",
        f"| reported at another record than the first changed one | {log['named wrongly']} of {log['tried']:,} |",
        f"| recording an outcome, median | {report['append_ms_median']} ms |",
        "",
        f"If all n are detected, the share that is not is below 3/n: {3 / tampers['tried']:.2%}.",
        "",
        "| outcome | bundles |",
        "|---|---|",
        *(f"| {kind} | {count} |" for kind, count in sorted(report["outcomes"].items())),
        "",
        "| what is named besides signature and content hash | tampers |",
        "|---|---|",
        *(f"| {named} | {count:,} |" for named, count in tampers["named by"].items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
