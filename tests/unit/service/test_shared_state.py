"""What workers share: limits and replies count once for all of them, and end with the worker they belong to."""

import stat

import pytest

from footnotary.service.problems import Problem
from footnotary.service.workers.shared_limits import SharedInFlight, SharedRateLimiter, open_limits, release_worker
from footnotary.service.workers.shared_metrics import MetricsFiles, keep_counts, sum_expositions
from footnotary.service.workers.shared_replies import SharedReplies, release_replies

START = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain; x=\xe9")]}
NAME = ("acme", "key", "one")


def code_of(call, *given):
    with pytest.raises(Problem) as raised:
        call(*given)
    return raised.value.code


@pytest.fixture
def database(tmp_path):
    database = open_limits(tmp_path)
    yield database
    database.close()


class TestRates:
    def test_two_workers_take_from_one_bucket_per_tenant(self, database):
        now = [1000.0]
        first, second = (SharedRateLimiter(database, 12, lambda: now[0]) for _ in range(2))
        first.take("a")
        second.take("a")
        assert code_of(first.take, "a") == "rate_limited"
        assert code_of(second.take, "a") == "rate_limited"
        second.take("b")
        now[0] += 5
        second.take("a")
        assert code_of(first.take, "a") == "rate_limited"

    def test_a_bucket_from_before_a_restart_of_the_machine_is_not_in_debt(self, database):
        now = [1000.0]
        limiter = SharedRateLimiter(database, 12, lambda: now[0])
        limiter.take("a")
        now[0] = 5.0
        limiter.take("a")
        assert code_of(limiter.take, "a") == "rate_limited"

    def test_no_limit_is_no_limit(self, database):
        limiter = SharedRateLimiter(database, 0)
        for _ in range(100):
            limiter.take("a")


class TestInFlight:
    def test_requests_of_all_workers_count_together(self, database):
        first, second = SharedInFlight(database, 1), SharedInFlight(database, 2)
        first.enter("a", 3, 2)
        second.enter("a", 3, 2)
        assert code_of(first.enter, "a", 3, 2) == "too_many_at_once"
        second.enter("b", 3, 2)
        assert first.total == second.total == 3
        assert code_of(first.enter, "c", 3, 2) == "overloaded"
        second.leave("a")
        first.enter("a", 3, 2)
        for one, tenant in ((first, "a"), (first, "a"), (second, "b")):
            one.leave(tenant)
        assert first.total == 0

    def test_what_a_dead_worker_was_doing_is_forgotten(self, database):
        dead, other = SharedInFlight(database, 1), SharedInFlight(database, 2)
        dead.enter("a", 2, 2)
        dead.enter("a", 2, 2)
        assert code_of(other.enter, "b", 2, 2) == "overloaded"
        release_worker(database, 1)
        other.enter("b", 2, 2)
        assert other.total == 1


class TestReplies:
    @pytest.fixture
    def workers(self, tmp_path):
        pair = SharedReplies(tmp_path, 1), SharedReplies(tmp_path, 2)
        yield pair
        for one in pair:
            one.close()

    def test_the_reply_of_one_worker_is_replayed_by_another(self, workers):
        first, second = workers
        assert first.begin(NAME, b"f") is None
        assert code_of(second.begin, NAME, b"f") == "in_progress"
        assert code_of(second.begin, NAME, b"g") == "key_reused"
        first.end(NAME, START, b"said", (("rules", 3),))
        reply = second.begin(NAME, b"f")
        assert (reply.start, reply.body, reply.mark) == (START, b"said", (("rules", 3),))
        assert code_of(second.begin, NAME, b"g") == "key_reused"

    def test_a_failed_request_frees_its_key(self, workers):
        first, second = workers
        for start in (None, {**START, "status": 503}):
            assert first.begin(NAME, b"f") is None
            first.end(NAME, start, b"")
            assert second.begin(NAME, b"g") is None
            second.end(NAME, None, b"")

    def test_a_forgotten_reply_is_answered_again_by_one_worker_only(self, workers):
        first, second = workers
        first.begin(NAME, b"f")
        first.end(NAME, START, b"said")
        reply = second.begin(NAME, b"f")
        second.forget(NAME, reply)
        assert second.begin(NAME, b"f") is None
        first.forget(NAME, reply)
        assert code_of(first.begin, NAME, b"f") == "in_progress"

    def test_the_keys_of_a_dead_worker_can_be_used_again(self, workers, tmp_path):
        first, second = workers
        first.begin(NAME, b"f")
        release_replies(tmp_path, 1)
        assert second.begin(NAME, b"f") is None

    def test_tenants_have_files_of_their_own_that_nobody_else_can_read(self, workers, tmp_path):
        first, second = workers
        first.begin(NAME, b"f")
        assert second.begin(("other", "key", "one"), b"f") is None
        files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("*.db*")}
        assert {"replies-acme.db", "replies-other.db"} <= set(files)
        assert set(files.values()) == {0o600}

    def test_old_and_large_replies_are_dropped(self, tmp_path):
        now = [0.0]
        kept = SharedReplies(tmp_path, 1, lambda: now[0])
        for number in range(8):
            now[0] += 1
            name = ("acme", "key", str(number))
            kept.begin(name, b"f")
            kept.end(name, START, b"x" * 3_000_000)
        assert kept.begin(("acme", "key", "7"), b"f").body
        assert kept.begin(("acme", "key", "0"), b"f") is None
        now[0] += 25 * 3600
        assert kept.begin(("acme", "key", "7"), b"f") is None
        kept.close()


TEXT = """# HELP a_total Requests.
# TYPE a_total counter
a_total{{route="/x y"}} {0}
# HELP held Now.
# TYPE held gauge
held {1}
# HELP took Seconds.
# TYPE took histogram
took_bucket{{le="+Inf"}} {0}
took_sum 0.5
# HELP footnotary_build_info Version.
# TYPE footnotary_build_info gauge
footnotary_build_info{{version="1"}} 1.0
"""


class TestMetrics:
    def test_series_are_added_and_facts_are_not(self):
        summed = sum_expositions([TEXT.format(2.0, 1.0), TEXT.format(3.0, 4.0)])
        assert summed == TEXT.format(5.0, 5.0).replace("took_sum 0.5", "took_sum 1.0")

    def test_a_worker_that_is_gone_keeps_its_counts_and_loses_its_gauges(self, tmp_path):
        for number in (1, 2):
            one = MetricsFiles(tmp_path, number, lambda number=number: TEXT.format(float(number), 1.0).encode())
            one.begin()
            one.close()
        keep_counts(tmp_path, 1)
        keep_counts(tmp_path, 9)
        left = MetricsFiles(tmp_path, 2, lambda: TEXT.format(2.0, 1.0).encode()).summed().decode()
        assert 'a_total{route="/x y"} 3.0' in left
        assert "\nheld 1.0\n" in left
        keep_counts(tmp_path, 2)
        third = MetricsFiles(tmp_path, 3, lambda: TEXT.format(1.0, 1.0).encode()).summed().decode()
        assert 'a_total{route="/x y"} 4.0' in third
