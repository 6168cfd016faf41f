"""`serve --workers 2` as a real service: what one process promises, two promise together."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, open_embedder, open_store
from harness.service.listening import wait_until
from harness.service.served_process import served

pytestmark = pytest.mark.server

CANARY = "zephyrquartz"
LOST = (OSError, http.client.HTTPException)
OPTIONS = ("--embedder", "fast", "--workers", "2")


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Tenants local, alpha and beta, each with one rule in the project `rules`; only alpha's has the canary."""
    home = tmp_path_factory.mktemp("workers") / "home"
    embedder = open_embedder("fast")
    for tenant in ("local", "alpha", "beta"):
        settings = load_settings({"home": home, "tenant": tenant, "verifier": "lexical"}, environ={})
        store = open_store(settings, embedder)
        word = CANARY if tenant == "alpha" else "sesame"
        build_corpus(settings, store, embedder).ingest_text(
            "vault.txt", f"Rule 7. The vault of the tenant opens with the word {word}.", "rules"
        )
        store.close()
    return home


@pytest.fixture
def home(filled, tmp_path):
    return shutil.copytree(filled, tmp_path / "home")


@pytest.fixture
def service(home):
    with served(home, *OPTIONS, environ={"FOOTNOTARY_RATE_PER_MINUTE": "0"}) as running:
        running.wait_for_workers(2)
        yield running


def question(number=0):
    return {"question": f"Which word opens the vault? {number}", "project": "rules"}


def asked(service, number=0, **headers):
    status, said, body = service.ask("POST", "/v1/ask", question(number), headers=headers)
    return status, said, json.loads(body)


def verified(home):
    done = subprocess.run(
        [sys.executable, "-m", "footnotary.cli.main", "audit", "verify", "--home", str(home), "--json"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_both_workers_answer_and_their_metrics_are_summed(service):
    with ThreadPoolExecutor(8) as callers:
        replies = list(callers.map(lambda number: asked(service, number), range(40)))
    assert {status for status, _, _ in replies} == {200}

    def counted():
        text = service.ask("GET", "/metrics")[2].decode()
        (line,) = [line for line in text.splitlines() if 'route="/v1/ask",status="200"' in line]
        return float(line.split()[-1]), "footnotary_workers_ready 2.0" in text

    wait_until(lambda: counted() == (40.0, True), 20)
    assert service.ask("GET", "/readyz")[0] == 200


def test_new_documents_are_seen_by_every_worker(service):
    document = b"Rule 9. The garden gate opens with the word marigold."
    status, _, body = service.ask(
        "POST", "/v1/projects/rules/documents?name=gate.txt", document, headers={"Content-Type": "text/plain"}
    )
    assert status == 202
    job = json.loads(body)["job"]["id"]
    wait_until(lambda: json.loads(service.ask("GET", f"/v1/jobs/{job}")[2])["state"] == "done", 60)
    for number in range(16):
        asking = {"question": f"Which word opens the garden gate? {number}", "project": "rules"}
        assert b"marigold" in service.ask("POST", "/v1/ask", asking)[2]


def test_a_worker_killed_under_load_loses_nothing_that_was_acknowledged(service, home):
    answers, jobs, stop = [], [], threading.Event()

    def load(caller):
        number = 0
        while not stop.is_set() and number < 400:
            number += 1
            try:
                if number % 5:
                    status, _, body = asked(service, caller * 1000 + number)
                    if status == 200:
                        answers.append(body["answer_id"])
                else:
                    text = f"Rule {caller}{number}. Locker {caller}{number} opens with a key.".encode()
                    path = f"/v1/projects/rules/documents?name=locker-{caller}-{number}.txt"
                    status, _, body = service.ask("POST", path, text, headers={"Content-Type": "text/plain"})
                    if status == 202:
                        jobs.append(json.loads(body)["job"]["id"])
            except LOST:
                continue  # not acknowledged

    with ThreadPoolExecutor(4) as callers:
        running = [callers.submit(load, caller) for caller in range(4)]
        killed = []
        for _ in range(3):
            time.sleep(1.5)
            victim = service.wait_for_workers(2, without=tuple(killed))[0]
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)
        service.wait_for_workers(2, without=tuple(killed))
        time.sleep(1.0)
        stop.set()
        for one in running:
            one.result(120)
    assert len(answers) > 10
    assert jobs
    wait_until(lambda: all(job_state(service, job) == "done" for job in jobs), 120)
    for answer_id in answers:
        assert service.ask("GET", f"/v1/answers/{answer_id}")[0] == 200, answer_id
    assert service.stop() == 0
    code, said = verified(home)
    assert code == 0, said


def job_state(service, job):
    return json.loads(service.ask("GET", f"/v1/jobs/{job}")[2])["state"]


def test_a_restart_by_sighup_loses_no_request(service):
    old, failed, done = service.wait_for_workers(2), [], []
    stop = threading.Event()

    def load(caller):
        number = 0
        while not stop.is_set():
            number += 1
            try:
                status, _, _ = asked(service, caller * 1000 + number)
                done.append(status)
            except LOST as error:
                failed.append(repr(error))

    with ThreadPoolExecutor(4) as callers:
        running = [callers.submit(load, caller) for caller in range(4)]
        time.sleep(1.0)
        service.process.send_signal(signal.SIGHUP)
        service.wait_for_workers(2, without=tuple(old))
        wait_until(lambda: not set(old) & set(service.worker_pids), 60)
        time.sleep(1.0)
        stop.set()
        for one in running:
            one.result(120)
    assert failed == []
    assert set(done) == {200}
    assert len(done) > 10


def test_sigterm_finishes_requests_and_connections_that_are_already_there(service):
    body = json.dumps(question(1)).encode()
    head = f"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    whole, silent = [], []
    for _ in range(6):
        whole.append(socket.create_connection(("127.0.0.1", service.port), timeout=60))
        whole[-1].sendall(head.encode() + body)
        silent.append(socket.create_connection(("127.0.0.1", service.port), timeout=60))
    time.sleep(0.3)
    service.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    for connection in silent:
        connection.sendall(head.encode() + body)
    for connection in (*whole, *silent):
        received = b""
        while piece := connection.recv(65_536):
            received += piece
        assert received.startswith(b"HTTP/1.1 200 "), received[:200]
        assert b"sesame" in received
        connection.close()
    assert service.stop() == 0


def test_an_idempotency_key_is_one_for_all_workers(service):
    with ThreadPoolExecutor(8) as callers:
        replies = list(callers.map(lambda _: asked(service, 3, **{"Idempotency-Key": "one"}), range(24)))
    good = [(headers, body) for status, headers, body in replies if status == 200]
    assert {status for status, _, _ in replies} <= {200, 409}
    assert len({body["answer_id"] for _, body in good}) == 1
    assert sum("idempotent-replayed" not in headers for headers, _ in good) == 1
    for _ in range(8):
        assert asked(service, 3, **{"Idempotency-Key": "one"})[1]["idempotent-replayed"] == "true"
        assert asked(service, 4, **{"Idempotency-Key": "one"})[0] == 422
    listed = json.loads(service.ask("GET", "/v1/audit?limit=100")[2])["records"]
    assert len(listed) == 1


def test_the_rate_limit_is_one_for_all_workers(home):
    with served(home, *OPTIONS, environ={"FOOTNOTARY_RATE_PER_MINUTE": "60"}) as service:
        service.wait_for_workers(2)
        started = time.monotonic()
        statuses = [service.ask("GET", "/v1/whoami")[0] for _ in range(40)]
        allowed = 10 + (time.monotonic() - started) + 1
    assert statuses.count(200) <= allowed
    assert statuses.count(200) >= 10
    assert set(statuses) == {200, 429}


def test_tenants_stay_apart_in_all_workers(home):
    ring = ApiKeyStore(home)
    keys = {tenant: ring.create(tenant, "reader")[1] for tenant in ("alpha", "beta")}
    ring.close()
    with served(home, *OPTIONS, environ={"FOOTNOTARY_RATE_PER_MINUTE": "0"}) as service:
        service.wait_for_workers(2)

        def one(number):
            tenant = ("alpha", "beta")[number % 2]
            # The same idempotency key: it belongs to the tenant's own key, in every worker.
            headers = {"Authorization": f"Bearer {keys[tenant]}", "Idempotency-Key": str(number // 4)}
            status, _, body = service.ask("POST", "/v1/ask", question(number // 4), headers=headers)
            return tenant, status, CANARY.encode() in body

        with ThreadPoolExecutor(8) as callers:
            seen = list(callers.map(one, range(80)))
    assert {status for _, status, _ in seen} <= {200, 409}
    assert {has for tenant, status, has in seen if tenant == "alpha" and status == 200} == {True}
    assert {has for tenant, status, has in seen if tenant == "beta"} == {False}


def test_workers_end_when_their_supervisor_is_killed(service):
    pids = service.wait_for_workers(2)
    service.process.kill()
    service.process.wait(30)
    wait_until(lambda: not set(pids) & set(service.worker_pids), 60)


def test_a_second_service_with_workers_on_the_same_data_is_refused(service, home):
    command = [sys.executable, "-m", "footnotary.cli.main", "serve", "--home", str(home), "--port", "0", *OPTIONS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "another service" in done.stderr


def test_workers_that_cannot_start_end_the_command(tmp_path):
    command = [sys.executable, "-m", "footnotary.cli.main", "serve", "--home", str(tmp_path), "--port", "0",
               "--embedder", str(tmp_path / "nowhere"), "--workers", "2"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert "no worker could be started" in done.stderr
