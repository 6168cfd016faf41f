"""The supervisor: starts worker processes behind one socket, replaces those that end, restarts and stops them all.

It loads no model and has one thread, so that it can fork a worker at any time. SIGHUP starts new workers
and, once they are ready, lets the old ones finish their requests; SIGTERM and SIGINT let all finish. A worker ends when
its supervisor is gone.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from footnotary.errors import BackendError

_HANDLED = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD})
_POLL_S = 0.1
_MAX_FAILED_STARTS = 5
_RESPAWN_DELAY_S = 0.5
_STOP_MARGIN_S = 10.0


@dataclass(slots=True)
class Worker:
    """A worker process as its supervisor sees it."""

    number: int
    pid: int
    ready_pipe: int
    is_ready: bool = False
    is_stopping: bool = False
    started: float = field(default_factory=time.monotonic)


class Supervisor:
    """Runs `workers` processes of `work`, which is called in each with its number and a function to call when ready.

    `ready` is called once, when the first of them is. `ended` is called with the number of each worker that has ended,
    for any reason. Numbers are never used twice.
    """

    def __init__(
        self,
        work: Callable[[int, Callable[[], None]], int],
        workers: int,
        *,
        stop_after_s: float,
        ended: Callable[[int], None],
        ready: Callable[[], None],
        report: Callable[[str], None],
    ) -> None:
        self._work = work
        self._wanted = workers
        self._stop_after_s = stop_after_s + _STOP_MARGIN_S
        self._ended = ended
        self._ready: Callable[[], None] | None = ready
        self._report = report
        self._workers: dict[int, Worker] = {}
        self._next = 1
        self._failed = 0
        self._replaced: list[Worker] = []
        self._lifeline = os.pipe()

    def run(self) -> None:
        """Returns when all workers have ended after a signal. Raises `BackendError` if none can be started."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED)
        try:
            for _ in range(self._wanted):
                self._start()
            while True:
                seen = signal.sigtimedwait(_HANDLED, _POLL_S)
                self._look()
                if seen is not None and seen.si_signo in (signal.SIGTERM, signal.SIGINT):
                    break
                if seen is not None and seen.si_signo == signal.SIGHUP:
                    self._restart()
        finally:
            self._stop_all()
            for one in _HANDLED - {signal.SIGCHLD}:
                signal.signal(one, signal.SIG_IGN)  # a second request to stop must not fail a stop that has succeeded
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _look(self) -> None:
        """Checks which workers are ready or have ended, and starts missing ones."""
        for worker in list(self._workers.values()):
            if not worker.is_ready and _has_written(worker.ready_pipe):
                worker.is_ready = True
                self._failed = 0
                if self._ready is not None:
                    self._ready()
                    self._ready = None
                self._report(f"worker {worker.number} (process {worker.pid}) is ready")
            if (status := _exit_status(worker.pid)) is not None:
                self._bury(worker, status)
        current = [worker for worker in self._workers.values() if not worker.is_stopping]
        if self._replaced:
            new = [worker for worker in current if worker not in self._replaced]
            if len(new) >= self._wanted and all(worker.is_ready for worker in new):
                for worker in self._replaced:
                    self._stop(worker)
                self._replaced = []
            missing = self._wanted - len(new)
        else:
            missing = self._wanted - len(current)
        for _ in range(missing):
            self._start()

    def _restart(self) -> None:
        if not self._replaced:
            self._report("restarting the workers")
            self._replaced = [worker for worker in self._workers.values() if not worker.is_stopping]

    def _bury(self, worker: Worker, status: int) -> None:
        del self._workers[worker.number]
        os.close(worker.ready_pipe)
        self._replaced = [one for one in self._replaced if one is not worker]
        self._ended(worker.number)
        if worker.is_stopping:
            return
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        self._report(f"worker {worker.number} (process {worker.pid}) ended {how}; starting another")
        if not worker.is_ready:
            self._failed += 1
            if self._failed >= _MAX_FAILED_STARTS and self._replaced:
                self._give_up_restart()
            if self._failed >= _MAX_FAILED_STARTS and not any(one.is_ready for one in self._workers.values()):
                raise BackendError("no worker could be started", hint="the messages above say why")
            time.sleep(_RESPAWN_DELAY_S)

    def _give_up_restart(self) -> None:
        """The new workers cannot be started, e.g. because of a wrong setting: the old ones continue."""
        self._report("the new workers could not be started; the old ones continue")
        for worker in self._workers.values():
            if worker not in self._replaced and not worker.is_stopping:
                self._stop(worker)
        self._replaced = []
        self._failed = 0

    def _start(self) -> None:
        number, self._next = self._next, self._next + 1
        read, write = os.pipe()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            os._exit(self._run_worker(number, write))
        os.close(write)
        os.set_blocking(read, False)
        self._workers[number] = Worker(number, pid, read)

    def _run_worker(self, number: int, ready_pipe: int) -> int:
        """In the child: never returns to the supervisor's own code."""
        status = 1
        try:
            os.close(self._lifeline[1])
            for worker in self._workers.values():
                os.close(worker.ready_pipe)
            for one in _HANDLED - {signal.SIGCHLD}:
                signal.signal(one, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)
            threading.Thread(target=_end_without_supervisor, args=(self._lifeline[0],), daemon=True).start()
            status = self._work(number, lambda: _write_once(ready_pipe))
        except BaseException as error:  # the supervisor only sees the exit status
            print(f"worker {number}: {type(error).__name__}: {error}", file=sys.stderr)
        finally:
            sys.stderr.flush()
        return status

    def _stop(self, worker: Worker) -> None:
        worker.is_stopping = True
        os.kill(worker.pid, signal.SIGTERM)

    def _stop_all(self) -> None:
        """Lets every worker finish its requests; one that does not end in time is killed."""
        for worker in self._workers.values():
            self._stop(worker)
        ends = time.monotonic() + self._stop_after_s
        while self._workers:
            for worker in list(self._workers.values()):
                if (status := _exit_status(worker.pid)) is not None:
                    self._bury(worker, status)
                elif time.monotonic() > ends:
                    os.kill(worker.pid, signal.SIGKILL)
            signal.sigtimedwait({signal.SIGCHLD}, _POLL_S)
        for end in self._lifeline:
            os.close(end)


def _has_written(pipe: int) -> bool:
    try:
        return os.read(pipe, 1) != b""
    except BlockingIOError:
        return False


def _write_once(pipe: int) -> None:
    os.write(pipe, b"1")
    os.close(pipe)


def _exit_status(pid: int) -> int | None:
    """The exit status, negative for a signal; None while the process runs."""
    done, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if done else None


def _end_without_supervisor(lifeline: int) -> None:
    """Nothing is ever written: reading ends when the supervisor does."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
