"""Limits: the excess is told at once, tenants take limiter, and what was begun is finished."""

import asyncio
import threading

import pytest

from footnotary.service.problems import Problem
from footnotary.service.rate_limits import ConcurrencyLimiter, RateLimiter


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class TestRates:
    def test_a_tenant_may_burst_and_then_goes_at_its_rate(self):
        clock = Clock()
        rates = RateLimiter(60, clock)
        for _ in range(10):
            rates.take("a")
        with pytest.raises(Problem) as refused:
            rates.take("a")
        assert (refused.value.status_code, refused.value.headers["Retry-After"]) == (429, "1")
        clock.now += 1
        rates.take("a")
        with pytest.raises(Problem):
            rates.take("a")

    def test_one_tenant_s_haste_is_not_another_s(self):
        rates = RateLimiter(6, Clock())
        rates.take("a")
        with pytest.raises(Problem):
            rates.take("a")
        rates.take("b")

    def test_zero_is_no_limit(self):
        rates = RateLimiter(0, Clock())
        for _ in range(10_000):
            rates.take("a")

    def test_the_service_counts_per_tenant_and_says_when_to_come_again(self, start):
        client = start(rate_per_minute=6)
        assert client.get("/v1/whoami").status_code == 200
        response = client.get("/v1/whoami")
        assert (response.status_code, response.json()["code"]) == (429, "rate_limited")
        assert int(response.headers["retry-after"]) > 0
        assert client.get("/healthz").status_code == 200

    def test_a_repetition_counts_and_a_first_time_counts_once(self, start):
        client = start(rate_per_minute=12)
        asked = {"question": "What is cheating?", "project": "demo"}
        got = [client.post("/v1/ask", json=asked, headers={"Idempotency-Key": "one"}) for _ in range(3)]
        assert [response.status_code for response in got] == [200, 200, 429]
        assert "idempotent-replayed" in got[1].headers
        assert got[2].json()["code"] == "rate_limited"
        assert int(got[2].headers["retry-after"]) > 0

    @pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call", "notifications/initialized", None])
    def test_whatever_is_asked_of_the_tools_counts(self, start, method):
        client = start(rate_per_minute=6)
        headers = {"Accept": "application/json, text/event-stream"}
        got = [client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": method}, headers=headers) for _ in "12"]
        assert got[0].status_code < 429
        assert (got[1].status_code, got[1].json()["code"]) == (429, "rate_limited")
        assert int(got[1].headers["retry-after"]) > 0


def run(scenario):
    return asyncio.run(asyncio.wait_for(scenario, 30))


class TestTurns:
    def test_work_runs_next_to_the_loop_and_gives_its_result_or_its_error(self):
        async def scenario():
            limiter = ConcurrencyLimiter(1, 4, 4, 60.0)
            assert await limiter.run("a", lambda: threading.current_thread().name.startswith("answering"))
            with pytest.raises(ZeroDivisionError):
                await limiter.run("a", lambda: 1 // 0)
            assert limiter.in_flight == 0
            limiter.close()

        run(scenario())

    def test_what_finds_no_room_is_rejected_at_once(self):
        async def scenario():
            limiter, gate = ConcurrencyLimiter(1, 3, 2, 60.0), threading.Event()
            inside = [asyncio.create_task(limiter.run("a", gate.wait)) for _ in range(2)]
            await asyncio.sleep(0.01)
            with pytest.raises(Problem) as own:
                await limiter.run("a", gate.wait)
            inside.append(asyncio.create_task(limiter.run("b", gate.wait)))
            await asyncio.sleep(0.01)
            with pytest.raises(Problem) as all_:
                await limiter.run("c", gate.wait)
            assert (own.value.code, all_.value.code) == ("too_many_at_once", "overloaded")
            assert own.value.headers["Retry-After"] == all_.value.headers["Retry-After"] == "1"
            gate.set()
            assert await asyncio.gather(*inside) == [True] * 3
            assert limiter.in_flight == 0
            limiter.close()

        run(scenario())

    def test_a_tenant_with_many_does_not_hold_up_one_with_few(self):
        order: list[str] = []

        async def scenario():
            limiter, gate = ConcurrencyLimiter(1, 20, 20, 60.0), threading.Event()
            tasks = [asyncio.create_task(limiter.run("first", gate.wait))]
            await asyncio.sleep(0.01)
            for n in range(5):
                tasks.append(asyncio.create_task(limiter.run("many", lambda n=n: order.append(f"many {n}"))))
            await asyncio.sleep(0.01)
            tasks.append(asyncio.create_task(limiter.run("few", lambda: order.append("few"))))
            await asyncio.sleep(0.01)
            gate.set()
            await asyncio.gather(*tasks)
            limiter.close()

        run(scenario())
        assert order[:2] == ["many 0", "few"]
        assert order[2:] == ["many 1", "many 2", "many 3", "many 4"]

    def test_what_takes_too_long_is_given_up_and_its_thread_is_free_when_it_ends(self):
        async def scenario():
            limiter, gate = ConcurrencyLimiter(1, 4, 4, 0.05), threading.Event()
            with pytest.raises(Problem) as late:
                await limiter.run("a", gate.wait)
            with pytest.raises(Problem) as waiting:
                await limiter.run("a", lambda: None)
            assert (late.value.code, waiting.value.code) == ("timeout", "overloaded")
            gate.set()
            while limiter.in_flight:
                await asyncio.sleep(0.001)
            assert await limiter.run("a", lambda: 7) == 7
            limiter.close()

        run(scenario())

    def test_whoever_goes_away_while_waiting_leaves_no_gap(self):
        async def scenario():
            limiter, gate = ConcurrencyLimiter(1, 8, 8, 60.0), threading.Event()
            running = asyncio.create_task(limiter.run("a", gate.wait))
            await asyncio.sleep(0.01)
            gone = [asyncio.create_task(limiter.run(tenant, lambda: None)) for tenant in "abc"]
            stays = asyncio.create_task(limiter.run("d", lambda: "done"))
            await asyncio.sleep(0.01)
            for task in gone:
                task.cancel()
            gate.set()
            assert await stays == "done"
            await running
            await asyncio.gather(*gone, return_exceptions=True)
            assert limiter.in_flight == 0
            assert await limiter.run("e", lambda: 1) == 1
            limiter.close()

        run(scenario())
