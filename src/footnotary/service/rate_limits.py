"""Rate limit per tenant and concurrency limit of the process. Requests beyond them are rejected at once."""

import asyncio
import contextvars
import math
import time
from collections import deque
from collections.abc import Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from footnotary.service.problems import Problem

T = TypeVar("T")


class RateLimiter:
    """A token bucket per tenant, on a monotonic clock; `per_minute` of 0 means no limit."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_minute / 60
        self._burst = float(max(per_minute / 6, 1))
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, tenant: str) -> None:
        """Counts one request. Raises `Problem` with the time to wait if the bucket is empty."""
        if not self._per_s:
            return
        now = self._clock()
        held, since = self._buckets.get(tenant, (self._burst, now))
        held = min(self._burst, held + (now - since) * self._per_s)
        if held < 1:
            wait_s = math.ceil((1 - held) / self._per_s)
            raise Problem("rate_limited", headers={"Retry-After": str(wait_s)})
        self._buckets[tenant] = held - 1, now

    def take_once_per_request(self, tenant: str, request: MutableMapping[str, Any]) -> None:
        """`take`, once per request, however often it is called with that request's state."""
        if not request.get("is_counted", False):
            self.take(tenant)
            request["is_counted"] = True


class InFlight(Protocol):
    """Counts the requests in flight; `total` is over all processes that count together."""

    @property
    def total(self) -> int: ...

    def enter(self, tenant: str, admitted: int, per_tenant: int) -> None:
        """Counts a request. Raises `Problem` if there are `admitted` in all or `per_tenant` of the tenant already."""
        ...

    def leave(self, tenant: str) -> None: ...


class ProcessInFlight:
    """The requests in flight in one process."""

    def __init__(self) -> None:
        self._inside: dict[str, int] = {}

    @property
    def total(self) -> int:
        return sum(self._inside.values())

    def enter(self, tenant: str, admitted: int, per_tenant: int) -> None:
        if self.total >= admitted:
            raise Problem("overloaded")
        if self._inside.get(tenant, 0) >= per_tenant:
            raise Problem("too_many_at_once")
        self._inside[tenant] = self._inside.get(tenant, 0) + 1

    def leave(self, tenant: str) -> None:
        left = self._inside[tenant] - 1
        if left:
            self._inside[tenant] = left
        else:
            del self._inside[tenant]


class ConcurrencyLimiter:
    """Limits concurrency: runs blocking work in a few threads, round robin between tenants.

    At most `admitted` requests in all and `per_tenant` of one tenant are in flight, running or waiting; more are
    rejected at once. Waiting requests are served tenant by tenant, so that many requests of one tenant do not delay the
    single request of another. `counts` may count other processes too; `in_flight_here` are those of this one.
    """

    def __init__(
        self, threads: int, admitted: int, per_tenant: int, timeout_s: float, counts: InFlight | None = None
    ) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="answering")
        self._free = threads
        self._admitted = admitted
        self._per_tenant = per_tenant
        self._timeout_s = timeout_s
        self._counts = counts or ProcessInFlight()
        self.in_flight_here = 0
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @property
    def in_flight(self) -> int:
        """The number of requests in flight, running or waiting."""
        return self._counts.total

    @property
    def is_full(self) -> bool:
        """Whether the process is at capacity: a new request is rejected."""
        return self.in_flight >= self._admitted

    async def run(self, tenant: str, work: Callable[[], T]) -> T:
        """What `work` returns. Raises `Problem` at capacity, or if there is no result in time.

        Work that has begun is not stopped when its time is up: its thread stays busy until it ends.
        """
        self._enter(tenant)
        loop = asyncio.get_running_loop()
        ends = loop.time() + self._timeout_s
        try:
            async with asyncio.timeout_at(ends):
                await self._turn(tenant)
        except TimeoutError:
            self._leave(tenant)
            raise Problem("overloaded") from None
        except BaseException:
            self._leave(tenant)
            raise
        # Threads do not inherit the request's context; tracing spans need it.
        running = loop.run_in_executor(self._pool, contextvars.copy_context().run, work)
        running.add_done_callback(lambda done: self._done(tenant, done))
        try:
            async with asyncio.timeout_at(ends):
                return await asyncio.shield(running)
        except TimeoutError:
            if running.done() and not running.cancelled() and running.exception() is None:
                return running.result()
            raise Problem("timeout") from None

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _enter(self, tenant: str) -> None:
        self._counts.enter(tenant, self._admitted, self._per_tenant)
        self.in_flight_here += 1

    def _leave(self, tenant: str) -> None:
        self.in_flight_here -= 1
        self._counts.leave(tenant)

    async def _turn(self, tenant: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # granted at the moment of cancellation
                self._pass_on()
            raise

    def _done(self, tenant: str, done: asyncio.Future[T]) -> None:
        if not done.cancelled():
            done.exception()  # marks it as retrieved, also if nobody waits for it any more
        self._leave(tenant)
        self._pass_on()

    def _pass_on(self) -> None:
        """Gives a free thread to the first tenant in the rotation, which then moves to its end."""
        while self._waiting:
            tenant, queue = next(iter(self._waiting.items()))
            del self._waiting[tenant]
            while queue and queue[0].done():
                queue.popleft()
            if queue:
                turn = queue.popleft()
                if queue:
                    self._waiting[tenant] = queue
                turn.set_result(None)
                return
        self._free += 1
