"""The log: one record per outcome, on the disk when it is given back, and nothing is changed in it unnoticed."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from footnotary.audit.chain_verification import BrokenChain, IntactChain
from footnotary.audit.log import AuditLog
from footnotary.audit.record import answer_key, record_hash
from footnotary.audit.signing import open_signer
from footnotary.errors import BackendError, StoreCorrupt, UsageError
from tests.integration.audit.outcomes import KINDS, PRIVATE, entry, outcome_of


def edit(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(*statement if isinstance(statement, tuple) else (statement,))


@pytest.fixture
def filled(log, places):
    """Five records, closed."""
    for kind in list(KINDS)[:5]:
        log.append(entry(kind))
    log.close()
    return places


def fill(log):
    for _ in range(50):
        log.append(entry())


def verified(places, key=None):
    with closing(AuditLog(*places, read_only=True)) as log:
        return log.verify(key)


class TestRecords:
    @pytest.mark.parametrize("kind", KINDS)
    def test_every_kind_of_outcome_has_exactly_one(self, log, kind):
        given = entry(kind)
        record = log.append(given)
        assert log.records() == [record]
        says = record.says
        assert (says["outcome"] == "refused") == ("answer" not in kind and "quoted" not in kind)
        assert (says["reason"] is None) == (says["outcome"] == "answered")
        assert says["question"] == outcome_of(kind).query.text
        assert log.verify() == IntactChain(1, 1)

    def test_they_are_numbered_from_one_and_each_holds_the_hash_of_the_one_before(self, log):
        first, second, third = (log.append(entry()) for _ in range(3))
        assert [first.seq, second.seq, third.seq] == [1, 2, 3]
        assert first.says["previous"] == "0" * 64
        assert second.says["previous"] == first.hash
        assert third.says["previous"] == second.hash
        assert third.hash == record_hash(third.body)

    def test_what_was_recorded_is_there_for_another_process_at_once(self, log, places):
        record = log.append(entry())
        script = (
            "import sys; from pathlib import Path; from footnotary.audit.log import AuditLog\n"
            "log = AuditLog(Path(sys.argv[1]), Path(sys.argv[2]), read_only=True)\n"
            "print(log.records()[0].hash)"
        )
        seen = subprocess.run([sys.executable, "-c", script, *map(str, places)], capture_output=True, text=True)
        assert seen.stdout.strip() == record.hash, seen.stderr

    def test_a_commit_is_synced(self, log):
        with log._log.reading() as c:
            assert c.execute("PRAGMA synchronous").fetchone() == (2,)
            assert c.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    def test_threads_that_append_at_once_make_one_chain(self, log):
        given = [entry() for _ in range(40)]
        with ThreadPoolExecutor(8) as pool:
            records = list(pool.map(log.append, given))
        assert sorted(record.seq for record in records) == list(range(1, 41))
        assert log.verify() == IntactChain(40, 40)

    def test_two_openings_of_one_log_make_one_chain(self, log, places, signer):
        with closing(AuditLog(*places, signer)) as other:
            for turn in range(6):
                (log if turn % 2 else other).append(entry())
            assert other.verify() == IntactChain(6, 6)
            assert other.head() == log.head()

    def test_a_log_continues_where_it_ended(self, filled, signer):
        with closing(AuditLog(*filled, signer)) as log:
            assert log.append(entry()).seq == 6
            assert log.verify() == IntactChain(6, 6)

    def test_files_are_for_their_owner_only(self, filled):
        for path in filled:
            assert path.stat().st_mode & 0o077 == 0

    def test_a_question_with_half_a_surrogate_pair_is_recorded(self, log):
        log.append(entry(question="What is cheating \ud800?"))
        assert log.verify() == IntactChain(1, 1)


class TestContents:
    @pytest.mark.parametrize("kind", KINDS)
    def test_all_of_an_outcome_is_kept(self, log, kind):
        from footnotary.audit.bundle_content import outcome_in

        given = entry(kind)
        log.append(given)
        content = log.content(given.answer_id)
        outcome = outcome_of(kind)
        assert content["query"]["text"] == outcome.query.text
        assert [hit["chunk"]["text"] for hit in content["evidence"]] == [h.chunk.text for h in outcome.evidence.hits]
        assert type(outcome_in(content)) is type(outcome)
        assert outcome_in(content).verdicts == outcome.verdicts
        assert (content["draft"] or {}).get("raw") == (outcome.draft.raw if outcome.draft else None)

    def test_an_answer_that_is_not_there_is_none(self, log):
        assert log.find("ans_x") is None
        assert log.content("ans_x") is None

    def test_what_was_changed_is_not_given_out(self, log, places):
        given = entry()
        log.append(given)
        log.append(other := entry("nothing relevant"))
        edit(places[0], "UPDATE contents SET content = (SELECT content FROM contents WHERE seq = 2) WHERE seq = 1")
        with pytest.raises(StoreCorrupt, match="record 1"):
            log.content(given.answer_id)
        assert log.content(other.answer_id) is not None


class TestQuestionsThatAreNotLogged:
    CANARY = "xylophonist"

    @pytest.fixture
    def given(self, log, places):
        given = entry(profile=PRIVATE, question=f"What is the punishment of a {self.CANARY} under section 420 IPC?")
        log.append(given)
        log.close()
        return given

    def test_neither_question_nor_answer_nor_id_stands_in_a_file(self, given, places):
        for path in [p for place in places for p in place.parent.iterdir()]:
            data = path.read_bytes()
            for word in (self.CANARY, given.answer_id, "seven years"):
                assert word.encode() not in data, path

    def test_the_id_opens_what_was_kept_and_no_other_does(self, given, places):
        with closing(AuditLog(*places, read_only=True)) as log:
            assert self.CANARY in log.content(given.answer_id)["query"]["text"]
            assert log.content("ans_" + "a" * 26) is None
            assert log.verify().records == 1

    def test_no_hash_in_the_record_can_be_tried_out(self, log):
        """All that is hashed has the id in it, which is not there; an answer by itself is not hashed."""
        given = entry(profile=PRIVATE)
        says = log.append(given).says
        assert says["outcome"] == "answered"
        assert says["answer_sha256"] is None
        assert says["answer"] == answer_key(given.answer_id)
        assert json.loads(given.content)["answer_id"] == given.answer_id

    def test_without_the_library_nothing_is_kept_but_the_record(self, log, places, monkeypatch):
        monkeypatch.setattr("footnotary.audit.log.is_cryptography_installed", lambda: False)
        given = entry(profile=PRIVATE, question=f"Is a {self.CANARY} punished under section 420 IPC?")
        record = log.append(given)
        assert record.says["kept"] == "nothing"
        assert log.find(given.answer_id) == record
        assert log.content(given.answer_id) is None
        assert log.verify() == IntactChain(1, 1)


TAMPERS = {
    "a record is edited": (3, ["UPDATE records SET body = replace(body, 'local', 'other') WHERE seq = 3"]),
    "a hash is edited": (3, [
        "UPDATE records SET hash = CASE substr(hash, 1, 1) WHEN 'f' THEN '0' ELSE 'f' END || substr(hash, 2) WHERE seq = 3"]),
    "a record is deleted": (3, ["DELETE FROM records WHERE seq = 3"]),
    "a record is deleted and the rest moved up": (3, [
        "DELETE FROM contents WHERE seq = 3", "DELETE FROM records WHERE seq = 3",
        "UPDATE records SET seq = seq - 1 WHERE seq > 3", "UPDATE contents SET seq = -seq WHERE seq > 3",
        "UPDATE contents SET seq = -seq - 1 WHERE seq < 0"]),
    "the first record is deleted": (1, ["DELETE FROM records WHERE seq = 1"]),
    "the last record is deleted": (5, ["DELETE FROM records WHERE seq = 5", "DELETE FROM contents WHERE seq = 5"]),
    "the end is cut off": (3, ["DELETE FROM records WHERE seq > 2", "DELETE FROM contents WHERE seq > 2"]),
    "everything is deleted": (1, ["DELETE FROM records", "DELETE FROM contents"]),
    "a copy is put in": (6, ["INSERT INTO records SELECT 6, body, hash, signature FROM records WHERE seq = 5"]),
    "a copy is put in between": (3, [
        "UPDATE records SET seq = seq + 10 WHERE seq > 2", "UPDATE records SET seq = seq - 9 WHERE seq > 10",
        "INSERT INTO records SELECT 3, body, hash, signature FROM records WHERE seq = 2"]),
    "two records change places": (2, [
        "UPDATE records SET seq = 99 WHERE seq = 2", "UPDATE records SET seq = 2 WHERE seq = 3",
        "UPDATE records SET seq = 3 WHERE seq = 99"]),
    "a signature is taken from another": (4, [
        "UPDATE records SET signature = (SELECT signature FROM records WHERE seq = 1) WHERE seq = 4"]),
    "a signature is taken away": (4, ["UPDATE records SET signature = '' WHERE seq = 4"]),
    "all signatures are taken away": (5, ["UPDATE records SET signature = ''"]),
    "a content is edited": (2, ["UPDATE contents SET content = zeroblob(20) WHERE seq = 2"]),
    "a content is deleted": (2, ["DELETE FROM contents WHERE seq = 2"]),
    "a content is emptied": (2, ["UPDATE contents SET content = NULL WHERE seq = 2"]),
    "two contents change places": (2, [
        "UPDATE contents SET seq = 99 WHERE seq = 2", "UPDATE contents SET seq = 2 WHERE seq = 3",
        "UPDATE contents SET seq = 3 WHERE seq = 99"]),
    "a content is put in": (9, ["INSERT INTO contents VALUES ('x', 9, zeroblob(3))"]),
    "the log's name is changed": (1, ["UPDATE meta SET value = 'another' WHERE key = 'log'"]),
}  # fmt: skip


class TestVerification:
    def test_a_log_that_was_left_alone_is_intact(self, filled, signer):
        assert verified(filled, signer.public) == IntactChain(5, 5)

    @pytest.mark.parametrize("tamper", TAMPERS)
    def test_the_first_bad_record_is_named(self, filled, signer, tamper):
        seq, statements = TAMPERS[tamper]
        edit(filled[0], *statements)
        found = verified(filled, signer.public)
        assert isinstance(found, BrokenChain), found
        assert found.seq == seq, found
        assert found.why

    def test_a_record_rewritten_with_its_hash_is_found_by_its_signature(self, filled, signer):
        rewrite(filled[0], from_seq=3, signed_by=None)
        assert verified(filled, signer.public) == BrokenChain(3, "its signature was not made with the key")

    def test_a_log_rewritten_from_a_record_on_is_found_at_that_record(self, filled, signer, tmp_path):
        thief = open_signer(tmp_path / "thief.key")
        rewrite(filled[0], from_seq=2, signed_by=thief, heads=filled[1])
        assert verified(filled, signer.public) == BrokenChain(2, "its signature was not made with the key")

    def test_without_a_key_one_rewritten_to_its_end_is_found_by_the_head(self, filled):
        rewrite(filled[0], from_seq=2, signed_by=None)
        assert verified(filled) == BrokenChain(5, "it is not the record that the chain head names")

    def test_without_a_key_one_record_rewritten_is_found_by_the_next_which_follows_on_another(self, filled):
        with closing(sqlite3.connect(filled[0], isolation_level=None)) as c:
            (body,) = c.execute("SELECT body FROM records WHERE seq = 2").fetchone()
            text = body.replace("local", "other")
            c.execute("UPDATE records SET body = ?, hash = ? WHERE seq = 2", (text, record_hash(text)))
        found = verified(filled)
        assert isinstance(found, BrokenChain)
        assert (found.seq, "does not match record 2" in found.why) == (3, True)

    def test_a_head_that_was_set_back_with_the_log_is_found_by_an_anchor_only(self, filled, signer):
        """What cannot be told from inside: both ends were put back to an earlier state."""
        last = verified_records(filled)[-1]
        edit(filled[0], "DELETE FROM records WHERE seq > 3", "DELETE FROM contents WHERE seq > 3")
        with closing(sqlite3.connect(filled[0])) as c:
            (third,) = c.execute("SELECT hash FROM records WHERE seq = 3").fetchone()
        edit(filled[1], ("UPDATE head SET seq = 3, hash = ?", (third,)))
        assert verified(filled, signer.public) == IntactChain(3, 3)
        assert last.hash not in {record.hash for record in verified_records(filled)}

    @pytest.mark.parametrize(
        "statement",
        ["DELETE FROM head", "UPDATE head SET seq = 9", "UPDATE head SET hash = 'x'", "UPDATE head SET log = 'x'"],
    )
    def test_a_head_that_was_changed_is_noticed(self, filled, signer, statement):
        edit(filled[1], statement)
        assert isinstance(verified(filled, signer.public), BrokenChain)

    def test_a_head_that_is_gone_is_noticed(self, filled, signer):
        for path in filled[1].parent.iterdir():
            path.unlink()
        assert isinstance(verified(filled, signer.public), BrokenChain)
        with pytest.raises(StoreCorrupt, match="no chain head"):
            AuditLog(*filled, signer)

    def test_a_head_that_lags_behind_after_a_crash_is_no_harm(self, filled, signer):
        with closing(sqlite3.connect(filled[0])) as c:
            (fourth,) = c.execute("SELECT hash FROM records WHERE seq = 4").fetchone()
        edit(filled[1], ("UPDATE head SET seq = 4, hash = ?", (fourth,)))
        assert verified(filled, signer.public) == IntactChain(5, 5)
        with closing(AuditLog(*filled, signer)) as log:
            assert log.head().seq == 5


def verified_records(places):
    with closing(AuditLog(*places, read_only=True)) as log:
        return log.records()


def rewrite(path, from_seq, signed_by, heads=None):
    """Changes a record and writes every hash from it on anew, as someone would who has no key of ours."""
    from footnotary.audit.record import signed_message

    with closing(sqlite3.connect(path, isolation_level=None)) as c:
        rows = c.execute("SELECT seq, body FROM records WHERE seq >= ? ORDER BY seq", (from_seq,)).fetchall()
        previous = None
        for seq, body in rows:
            says = json.loads(body)
            says["principal"] = "someone else"
            says["previous"] = previous or says["previous"]
            text = json.dumps(says, sort_keys=True, separators=(",", ":"))
            previous = record_hash(text)
            c.execute("UPDATE records SET body = ?, hash = ? WHERE seq = ?", (text, previous, seq))
            if signed_by is not None:
                signature = signed_by.sign(signed_message(previous)).hex()
                c.execute("UPDATE records SET signature = ? WHERE seq = ?", (signature, seq))
    if heads is not None:
        edit(heads, ("UPDATE head SET hash = ?", (previous,)))


class TestLosses:
    @pytest.fixture
    def cut(self, filled):
        edit(filled[0], "DELETE FROM records WHERE seq > 3", "DELETE FROM contents WHERE seq > 3")
        return filled

    def test_a_log_that_lost_records_takes_no_more(self, cut, signer):
        with pytest.raises(StoreCorrupt, match="ends at record 3, but its chain head names record 5") as error:
            AuditLog(*cut, signer)
        assert "accept-loss" in error.value.hint

    def test_a_log_that_is_gone_altogether_is_not_begun_again(self, filled, signer):
        shutil.rmtree(filled[0].parent)
        with pytest.raises(StoreCorrupt):
            AuditLog(*filled, signer)

    def test_a_loss_that_was_accepted_stays_visible(self, cut, signer):
        with closing(AuditLog(*cut, signer, require_complete=False)) as log:
            assert log.accept_loss("me").seq == 6
        with closing(AuditLog(*cut, signer)) as log:
            log.append(entry())
            assert log.verify() == IntactChain(5, 5, losses=(6,))

    def test_no_loss_is_accepted_where_none_is(self, filled, signer):
        with closing(AuditLog(*filled, signer, require_complete=False)) as log:
            with pytest.raises(UsageError, match="nothing is lost"):
                log.accept_loss("me")
            assert log.verify() == IntactChain(5, 5)

    def test_a_loss_that_nobody_accepted_cannot_be_passed_off_as_one(self, filled, signer):
        with closing(sqlite3.connect(filled[0], isolation_level=None)) as c:
            (body, previous) = c.execute("SELECT body, hash FROM records WHERE seq = 2").fetchone()
            forged = json.loads(body) | {"outcome": "loss", "lost": {"after": 2}, "seq": 5, "previous": previous}
            text = json.dumps(forged, sort_keys=True, separators=(",", ":"))
            c.execute("DELETE FROM records WHERE seq IN (3, 4)")
            c.execute("UPDATE records SET body = ?, hash = ? WHERE seq = 5", (text, record_hash(text)))
        assert verified(filled, signer.public) == BrokenChain(5, "its signature was not made with the key")


class TestFaults:
    def test_a_full_disk_is_an_error_and_leaves_no_trace(self, log):
        log.append(entry())
        with log._log.reading() as c:
            (pages,) = c.execute("PRAGMA page_count").fetchone()
        log._log._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(BackendError, match="nothing was changed") as error:
            fill(log)
        assert error.value.retryable
        full = log.size()
        assert log.verify() == IntactChain(full, full)
        log._log._connection.execute("PRAGMA max_page_count = 1000000")
        assert log.append(entry()).seq == full + 1
        assert log.verify() == IntactChain(full + 1, full + 1)

    def test_a_disk_that_is_really_full_is_an_error_and_leaves_no_trace(self, tmp_path, signer):
        small = tmp_path / "small"
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(small)]
        if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("a small disk can only be made by root")
        try:
            with closing(AuditLog(small / "audit.db", tmp_path / "head.db", signer)) as log:
                with pytest.raises(BackendError) as error:
                    fill(log)
                assert error.value.retryable
                size = log.size()
                assert size > 0
                assert log.verify() == IntactChain(size, size)
            with closing(AuditLog(small / "audit.db", tmp_path / "head.db", signer)) as log:
                assert log.verify() == IntactChain(size, size)
        finally:
            subprocess.run(["umount", str(small)], check=True)

    def test_a_folder_that_cannot_be_written_is_an_error(self, tmp_path, signer):
        (tmp_path / "file").write_text("")
        with pytest.raises(BackendError, match="cannot be written"):
            AuditLog(tmp_path / "file" / "audit.db", tmp_path / "head.db", signer)

    def test_a_file_that_is_no_database_is_an_error(self, tmp_path, signer):
        (tmp_path / "audit.db").write_text("not a database at all, and long enough to be looked at " * 50)
        with pytest.raises(StoreCorrupt):
            AuditLog(tmp_path / "audit.db", tmp_path / "head.db", signer)

    def test_a_log_of_a_later_version_is_left_alone(self, filled, signer):
        edit(filled[0], "UPDATE meta SET value = '2' WHERE key = 'schema'")
        for read_only in (True, False):
            with pytest.raises(StoreCorrupt, match="schema 2"):
                AuditLog(*filled, signer, read_only=read_only)

    def test_there_is_nothing_to_read_before_the_first_question(self, places):
        with pytest.raises(UsageError, match="no audit log"):
            AuditLog(*places, read_only=True)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="needs signals")
    def test_what_was_acknowledged_outlives_a_kill(self, places, tmp_path):
        """A process that is killed while it appends: every record it told of is there, and the chain is whole."""
        script = tmp_path / "append.py"
        script.write_text(
            "import sys; from pathlib import Path\n"
            "from tests.integration.audit.outcomes import entry\n"
            "from footnotary.audit.log import AuditLog\n"
            "log = AuditLog(Path(sys.argv[1]), Path(sys.argv[2]))\n"
            "while True:\n"
            "    print(log.append(entry()).seq, flush=True)\n"
        )
        root = Path(__file__).parents[3]
        process = subprocess.Popen(
            [sys.executable, str(script), *map(str, places)], stdout=subprocess.PIPE, text=True, cwd=root,
            env=os.environ | {"PYTHONPATH": str(root)},
        )  # fmt: skip
        told = [int(process.stdout.readline()) for _ in range(8)]
        process.kill()
        told += [int(line) for line in process.stdout.read().split()]
        process.wait()
        process.stdout.close()
        found = verified(places)
        assert isinstance(found, IntactChain)
        assert found.records >= told[-1]
