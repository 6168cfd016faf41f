"""The breaker before a server."""

from footnotary.index.circuit_breaker import CircuitBreaker


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_opens_after_failures_in_a_row_and_only_then():
    breaker = CircuitBreaker(failures=3, pause_s=10, clock=Clock())
    for _ in range(2):
        breaker.failed()
    breaker.succeeded()
    for _ in range(2):
        breaker.failed()
    assert breaker.remaining_pause_s() == 0
    breaker.failed()
    assert breaker.remaining_pause_s() == 10


def test_after_the_pause_one_caller_tries_and_the_others_wait():
    clock = Clock()
    breaker = CircuitBreaker(failures=1, pause_s=10, clock=clock)
    breaker.failed()
    clock.now += 10
    assert breaker.remaining_pause_s() == 0
    assert breaker.remaining_pause_s() > 0
    breaker.succeeded()
    assert breaker.remaining_pause_s() == 0


def test_a_failed_try_starts_another_pause():
    clock = Clock()
    breaker = CircuitBreaker(failures=1, pause_s=10, clock=clock)
    breaker.failed()
    clock.now += 10
    assert breaker.remaining_pause_s() == 0
    clock.now += 4
    breaker.failed()
    assert breaker.remaining_pause_s() == 10
