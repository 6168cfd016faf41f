"""Documents over HTTP: accepted only when safe, indexed in time, deleted for good, shown as pages."""

from urllib.parse import quote

import pytest

from footnotary.ingest.uploads import UploadStore
from harness.service.listening import wait_until
from tests.support.documents import pdf, zipped

ACT = b"ACT: Test Act, 1999\nCODE: T\n\nSection 1. Title.\nThis is the Test Act.\n\nSection 2. Fine.\nWhoever spits pays a fine of forty rupees.\n"


def finished(client, job, **more):
    """The job, once nothing more happens to it."""

    def read():
        return client.get(f"/v1/jobs/{job['id']}", **more).json()

    wait_until(lambda: read()["state"] in ("done", "failed", "cancelled"))
    return read()


def sent(client, name="act.txt", data=ACT, project="p", **params):
    response = client.post(f"/v1/projects/{project}/documents", files={"file": (name, data)}, params=params)
    assert response.status_code == 202, response.text
    return response.json()["job"]


def code(response):
    assert response.headers["content-type"] == "application/problem+json", response.text
    return response.status_code, response.json()["code"]


def test_the_result_of_a_failed_job_had_another_shape(client):
    stored = finished(client, sent(client))
    failed = finished(client, sent(client, name="b.txt", supersedes="zzz"))
    assert stored["result"].keys() == failed["result"].keys() == {"documents", "failed", "skipped", "seconds"}
    assert failed["result"]["failed"] == [
        {
            "name": "b.txt",
            "reason": "not_storable",
            "message": "there is no document 'zzz' in project 'p' to supersede",
            "hint": "GET /v1/projects/{project}/documents lists the ids of the documents",
        }
    ]


def test_a_finished_job_kept_the_progress_of_its_start(client):
    done = finished(client, sent(client))
    assert set(done["progress"].values()) == {None}


def test_two_files_of_one_name_are_not_accepted_as_if_both_could_be_kept(client):
    files = [("file", (name, text)) for name, text in (("a.txt", "One."), ("b.txt", "Two."), ("a.txt", "Three."))]
    response = client.post("/v1/projects/p/documents", files=files)
    assert (response.status_code, response.json()["code"]) == (422, "bad_name")
    assert "Files 1 and 3" in response.json()["detail"]
    assert client.get("/v1/jobs").json()["jobs"] == []
    assert client.post("/v1/projects/p/documents", files=files[:2]).status_code == 202


def test_a_file_is_accepted_indexed_and_answered_from(client):
    response = client.post("/v1/projects/p/documents", files={"file": ("act.txt", ACT)})
    assert response.status_code == 202
    job = response.json()["job"]
    assert response.headers["location"] == f"/v1/jobs/{job['id']}"
    done = finished(client, job)
    assert done["result"]["documents"][0] == {
        "outcome": "added",
        "id": "act.txt",
        "passages": 2,
        "duplicate_of": None,
        "pages_without_text": [],
        "left_out": [],
        "flagged": [],
        "declared": [],
    }
    asked = client.post("/v1/ask", json={"question": "What is the fine for whoever spits?", "project": "p"}).json()
    assert asked["outcome"]["citations"] == ["T_2_0"]
    assert asked["outcome"]["citation_details"][0]["path"].endswith("act.txt")


def test_a_body_that_is_the_file_needs_its_name(client):
    url = "/v1/projects/p/documents"
    assert code(client.post(url, content=ACT)) == (422, "bad_name")
    job = client.post(url, content=ACT, params={"name": "raw.txt"}).json()["job"]
    assert finished(client, job)["result"]["documents"][0]["id"] == "raw.txt"


def test_the_name_of_a_raw_file_follows_the_schema(client):
    parameters = client.get("/openapi.json").json()["paths"]["/v1/projects/{project}/documents"]["post"]["parameters"]
    (stated,) = (one["schema"] for one in parameters if one["name"] == "name")
    limits = next(one for one in stated.get("anyOf", [stated]) if one.get("type") == "string") | stated
    assert (limits["minLength"], limits["maxLength"]) == (1, 200)
    url = "/v1/projects/p/documents"
    assert client.post(url, content=ACT, params={"name": "x" * 196 + ".txt"}).status_code == 202
    assert code(client.post(url, content=ACT, params={"name": "x" * 197 + ".txt"})) == (422, "bad_name")


def test_a_long_json_document_is_not_held_to_the_limit_of_json_requests(client):
    rows = b"".join(
        b'{"id": "R_%d_0", "text": "Rule %d says that day %d is free."}\n' % (n, n, n) for n in range(30_000)
    )
    assert len(rows) > 1_000_000
    url = "/v1/projects/p/documents?name=rows.jsonl"
    response = client.post(url, content=rows, headers={"content-type": "application/json"})
    assert response.status_code == 202
    client.delete(f"/v1/jobs/{response.json()['job']['id']}")


def test_several_files_are_accepted_together(client):
    files = [("file", ("a.txt", ACT)), ("file", ("b.txt", ACT.replace(b"CODE: T", b"CODE: U")))]
    jobs = client.post("/v1/projects/p/documents", files=files).json()["jobs"]
    assert [finished(client, job)["state"] for job in jobs] == ["done", "done"]
    listed = client.get("/v1/projects/p/documents").json()
    assert [d["id"] for d in listed["documents"]] == ["a.txt", "b.txt"]
    page = client.get("/v1/projects/p/documents", params={"limit": 1}).json()
    assert ([d["id"] for d in page["documents"]], page["next"]) == (["a.txt"], "a.txt")
    page = client.get("/v1/projects/p/documents", params={"limit": 1, "after": "a.txt"}).json()
    assert ([d["id"] for d in page["documents"]], page["next"]) == (["b.txt"], None)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "a\\b.txt", "nul", "..", " ", "x" * 250, ".hidden", "a\u202eb.txt"]
)
def test_a_name_that_is_a_path_is_turned_down_and_not_repeated(client, home, name):
    before = {path for path in home.rglob("*") if path.is_file()}
    response = client.post("/v1/projects/p/documents", content=ACT, params={"name": name})
    assert code(response) == (422, "bad_name")
    assert "use a file name of at most 200 characters without a slash" in response.json()["detail"]
    assert len(name.strip(". ")) < 4 or name not in response.text
    new = {path for path in home.rglob("*") if path.is_file()} - before
    assert not [path for path in new if "uploads" in path.parts], "nothing is left behind"


def test_bodies_that_hold_no_file_are_problems(client, home):
    url = "/v1/projects/p/documents"
    assert code(client.post(url, content=b"", params={"name": "a.txt"})) == (422, "empty_file")
    assert code(client.post(url, files={"file": ("a.txt", b"")})) == (422, "empty_file")
    assert code(client.post(url, files={"other": ("a.txt", ACT)})) == (400, "bad_request")
    assert code(client.post(url, files={"file": ("a.txt", ACT)}, data={"tenant": "beta"})) == (400, "bad_request")
    broken = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post(url, content=b"--x\r\nnonsense", headers=broken).status_code in (400, 422)
    assert client.post(url, content=b"--x", headers={"content-type": "multipart/form-data"}).status_code == 400
    many = [("file", (f"{n}.txt", ACT)) for n in range(40)]
    assert code(client.post(url, files=many)) == (400, "bad_request")
    assert client.get("/v1/jobs").json()["jobs"] == []
    assert not list((home / "tenants/local/uploads/incoming").iterdir())


@pytest.mark.parametrize("charset", ["undefined", "idna", "punycode", "unicode_escape", "utf-7", "utf-16", "hex", "x"])
@pytest.mark.parametrize("name", ["a.txt", "\\ud800.txt", "+2AA-.txt", "xn--99999999.txt"])
def test_a_form_in_any_charset_is_accepted_or_a_problem(client, home, charset, name):
    head = f'--B\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    kind = {"content-type": f"multipart/form-data; boundary=B; charset={charset}"}
    body = head.encode("latin-1") + ACT + b"\r\n--B--\r\n"
    response = client.post("/v1/projects/p/documents", content=body, headers=kind)
    assert response.status_code in (202, 400, 422)
    if charset in ("undefined", "punycode") or (charset, name) == ("idna", "xn--99999999.txt"):
        assert code(response) == (400, "bad_request")
    if response.status_code != 202:
        assert not [path for path in (home / "tenants/local/uploads").rglob("*") if path.is_file()]


def test_a_file_over_the_limit_is_turned_down_and_leaves_nothing(start, home):
    client = start(max_file_mb=1, max_body_mb=8)
    big = b"x" * 1_100_000
    assert code(client.post("/v1/projects/p/documents", files={"file": ("a.txt", big)})) == (413, "too_large")
    assert code(client.post("/v1/projects/p/documents", content=big, params={"name": "a.txt"})) == (413, "too_large")
    assert code(client.post("/v1/projects/p/documents", content=b"x" * 9_000_000, params={"name": "a"})) == (
        413,
        "too_large",
    )
    assert client.get("/v1/jobs").json()["jobs"] == []
    assert not list((home / "tenants/local/uploads/incoming").iterdir())


def test_what_is_wrong_in_a_file_is_reported_with_a_reason(client):
    job = finished(client, sent(client, "a.bin", b"\x00\x01\x02" * 50))
    assert job["state"] == "failed"
    assert job["result"]["failed"][0]["reason"] == "unsupported_type"


def test_a_pdf_bomb_fails_its_job_and_nothing_else(start):
    from tests.support.documents import pdf_bomb

    client = start(parse_memory_mb=400)
    bomb, fine = sent(client, "bomb.pdf", pdf_bomb(300)), sent(client)
    assert finished(client, bomb)["result"]["failed"][0]["reason"] == "parse_limit"
    assert finished(client, fine)["state"] == "done"


def test_accepted_files_are_indexed_by_the_next_process_if_this_one_ends(start, home):
    first = start()
    first.app.state.service.runner.close()  # as if the process had ended between accepting and indexing
    job = sent(first)
    assert first.get(f"/v1/jobs/{job['id']}").json()["state"] == "queued"
    second = start()
    assert finished(second, job)["state"] == "done"


def test_a_waiting_job_can_be_called_off(client):
    client.app.state.service.runner.close()
    job = sent(client)
    assert client.delete(f"/v1/jobs/{job['id']}").json()["state"] == "cancelled"
    assert client.get("/v1/projects/p/documents").json()["documents"] == []
    assert code(client.get("/v1/jobs/job_" + "a" * 26)) == (404, "not_found")
    assert code(client.delete("/v1/jobs/job_" + "a" * 26)) == (404, "not_found")


def test_the_time_a_document_holds_comes_with_it(client):
    finished(client, sent(client, effective_from="2020-01-01", effective_to="2020-12-31"))
    document = client.get("/v1/projects/p/documents/act.txt").json()
    assert document["validity"]["effective_to"] == "2020-12-31"
    assert document["validity"]["in_force"] is False
    wrong = {"effective_from": "2021-01-01", "effective_to": "2020-01-01"}
    response = client.post("/v1/projects/p/documents", files={"file": ("a.txt", ACT)}, params=wrong)
    assert code(response) == (422, "invalid")
    response = client.post("/v1/projects/p/documents?effective_from=tomorrow", files={"file": ("a.txt", ACT)})
    assert code(response) == (422, "invalid")


def test_a_document_lists_its_passages_and_versions_and_no_path(client, home):
    finished(client, sent(client))
    finished(client, sent(client, data=ACT.replace(b"forty", b"fifty")))
    response = client.get("/v1/projects/p/documents/act.txt")
    document = response.json()
    assert document["passage_ids"] == ["T_1_0", "T_2_0"]
    assert document["name"] == "act.txt"
    assert len(document["former_versions"]) == 1
    assert str(home) not in response.text
    assert code(client.get("/v1/projects/p/documents/none.txt")) == (404, "not_found")
    assert code(client.get("/v1/projects/none/documents/act.txt")) == (404, "unknown_project")
    assert code(client.get("/v1/projects/none/documents")) == (404, "unknown_project")


def test_after_a_delete_nothing_cites_the_document_again(client, home):
    finished(client, sent(client))
    question = {"question": "What is the fine for whoever spits?", "project": "p"}
    assert client.post("/v1/ask", json=question).json()["outcome"]["citations"] == ["T_2_0"]
    kept = UploadStore.of_tenant(home / "tenants/local").kept("p", "act.txt")
    assert kept.read_bytes() == ACT
    response = client.delete("/v1/projects/p/documents/act.txt")
    assert (response.status_code, response.json()["deleted"]) == (200, "act.txt")
    assert not kept.exists(), "the original goes with it"
    outcome = client.post("/v1/ask", json=question).json()["outcome"]
    assert outcome["citations"] == []
    assert outcome["refusal_reason"] is not None
    assert "forty rupees" not in str(outcome)
    assert code(client.get("/v1/projects/p/sources/T_2_0"))[0] == 404
    assert code(client.delete("/v1/projects/p/documents/act.txt")) == (404, "not_found")


def test_the_history_that_was_kept_is_erased_by_deleting_again(client):
    finished(client, sent(client))
    finished(client, sent(client, data=ACT.replace(b"forty", b"fifty")))
    url = "/v1/projects/p/documents/act.txt"
    assert client.delete(url, params={"keep_history": True}).json()["former_versions_erased"] == 0
    assert "rupees" in client.get("/v1/projects/p/sources/T_2_0").text
    assert code(client.get(url)) == (404, "not_found")
    assert code(client.delete(url, params={"keep_history": True})) == (404, "not_found")
    assert client.delete(url).json() == {"deleted": "act.txt", "former_versions_erased": 2}
    assert code(client.get("/v1/projects/p/sources/T_2_0")) == (404, "not_found")
    assert code(client.delete(url)) == (404, "not_found")


def test_the_history_of_a_project_nothing_was_sent_to_is_erased_as_well(client):
    url = "/v1/projects/demo/documents/"
    for document in client.get("/v1/projects/demo/documents").json()["documents"]:
        assert client.delete(url + document["id"], params={"keep_history": True}).is_success
    assert client.delete(url + "ipc_digest.txt").json()["former_versions_erased"] == 1
    assert code(client.delete(url + "ipc_digest.txt")) == (404, "unknown_project")
    assert client.delete(url + "hipaa_digest.txt").json()["former_versions_erased"] == 1


def test_a_file_sent_before_a_delete_does_not_bring_the_document_back(client):
    finished(client, sent(client))
    client.app.state.service.runner.close()
    waiting = sent(client, data=ACT.replace(b"forty", b"fifty"))
    assert client.delete("/v1/projects/p/documents/act.txt").status_code == 200
    assert client.get(f"/v1/jobs/{waiting['id']}").json()["state"] == "cancelled"


def test_a_file_sent_before_its_history_was_erased_does_not_bring_the_document_back(client):
    finished(client, sent(client))
    url = "/v1/projects/p/documents/act.txt"
    assert client.delete(url, params={"keep_history": True}).is_success
    service = client.app.state.service
    service.runner.close()
    waiting = sent(client, data=ACT.replace(b"forty", b"fifty"))
    other = sent(client, name="other.txt")
    assert client.delete(url).is_success
    assert client.get(f"/v1/jobs/{waiting['id']}").json()["state"] == "cancelled"
    assert client.get(f"/v1/jobs/{other['id']}").json()["state"] == "queued"


def test_a_history_is_not_erased_while_a_file_of_its_name_is_being_indexed(client):
    finished(client, sent(client))
    url = "/v1/projects/p/documents/act.txt"
    assert client.delete(url, params={"keep_history": True}).is_success
    service = client.app.state.service
    service.runner.close()
    sent(client, data=ACT.replace(b"forty", b"fifty"))
    queue = service.tenant("local").jobs
    with queue.running():
        queue.next()
        assert code(client.delete(url)) == (409, "job_running")
    assert "rupees" in client.get("/v1/projects/p/sources/T_2_0").text


def test_a_document_is_not_deleted_while_its_file_is_being_indexed(client):
    finished(client, sent(client))
    service = client.app.state.service
    service.runner.close()
    waiting = sent(client, data=ACT.replace(b"forty", b"fifty"))
    queue = service.tenant("local").jobs
    with queue.running():
        assert queue.next().id == waiting["id"]
        response = client.delete("/v1/projects/p/documents/act.txt")
        assert code(response) == (409, "job_running")
        assert response.headers["retry-after"]
        assert code(client.delete("/v1/projects/p")) == (409, "job_running")


def test_a_project_is_made_listed_and_deleted_with_all_it_holds(client, home):
    assert client.post("/v1/projects", json={"name": "new one"}).status_code == 201
    assert code(client.post("/v1/projects", json={"name": "new one"})) == (409, "conflict")
    assert code(client.post("/v1/projects", json={"name": "demo"})) == (409, "conflict")
    names = {p["name"]: p for p in client.get("/v1/projects").json()["projects"]}
    assert names["new one"] == {"name": "new one", "documents": 0, "passages": 0}
    assert names["demo"]["documents"] == 2
    finished(client, sent(client, project="new one"))
    assert client.delete("/v1/projects/new one").json() == {"deleted": "new one", "documents_erased": 1}
    assert "new one" not in [p["name"] for p in client.get("/v1/projects").json()["projects"]]
    assert code(client.delete("/v1/projects/new one")) == (404, "unknown_project")
    assert not any(path.is_file() for path in (home / "tenants/local/uploads").rglob("*"))


@pytest.mark.parametrize("name", ["", " ", "a/b", "a\\b", " a", "a\nb", "a\u202e", "x" * 101, "..", 7, None])
def test_a_project_needs_a_plain_name(client, name):
    response = client.post("/v1/projects", json={"name": name})
    assert code(response) == (422, "invalid")
    if isinstance(name, str) and len(name) > 3:
        assert name not in response.text


@pytest.mark.parametrize("name", [".hidden", "a\\b", " a"])
def test_what_a_project_may_be_called_is_said_in_words(client, name):
    uploaded = client.post(f"/v1/projects/{quote(name)}/documents?name=act.txt", content=ACT)
    for response in (client.post("/v1/projects", json={"name": name}), uploaded):
        assert code(response) == (422, "invalid")
        assert "must have no slash or backslash, no dot at the beginning" in response.json()["detail"]


def test_a_page_is_drawn_with_the_quote_highlighted(client):
    pytest.importorskip("PIL")
    text = b"BT /F 20 Tf 40 300 Td (Whoever spits in public pays a fine of forty rupees.) Tj ET"
    finished(client, sent(client, "notice.pdf", pdf(text)))
    (passage,) = client.get("/v1/projects/p/documents/notice.pdf").json()["passage_ids"]
    url = f"/v1/projects/p/sources/{passage}/page.png"
    whole = client.get(url)
    assert (whole.status_code, whole.headers["content-type"]) == (200, "image/png")
    assert whole.content.startswith(b"\x89PNG")
    part = client.get(url, params={"quote_start": 8, "quote_end": 13})
    assert part.headers["etag"] != whole.headers["etag"]
    assert yellow(whole.content) > yellow(part.content) > 0
    assert code(client.get(url, params={"quote_start": 5, "quote_end": 5})) == (422, "invalid")
    assert code(client.get(url, params={"quote_start": 0, "quote_end": 99_999})) == (422, "invalid")


def yellow(png):
    import io

    from PIL import Image

    colours = Image.open(io.BytesIO(png)).convert("RGB").getcolors(1 << 24)
    return sum(count for count, (red, green, blue) in colours if red > 200 and green > 180 and blue < 120)


def test_what_has_no_pages_has_no_picture(client):
    finished(client, sent(client))
    assert code(client.get("/v1/projects/p/sources/T_2_0/page.png")) == (404, "no_page")
    assert code(client.get("/v1/projects/p/sources/NOPE_1_0/page.png"))[0] == 404
    assert code(client.get("/v1/projects/none/sources/T_2_0/page.png"))[0] == 404


def test_a_page_that_cannot_be_drawn_harms_nobody(client, home, monkeypatch):
    from footnotary.service import page_image_process

    finished(client, sent(client, "notice.pdf", pdf(b"BT /F 20 Tf 40 300 Td (Whoever spits pays forty rupees.) Tj ET")))
    (passage,) = client.get("/v1/projects/p/documents/notice.pdf").json()["passage_ids"]
    crash = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    monkeypatch.setattr(page_image_process, "_CHILD_CODE", crash)
    assert code(client.get(f"/v1/projects/p/sources/{passage}/page.png")) == (404, "no_page")
    monkeypatch.setattr(page_image_process, "_CHILD_CODE", "import time; time.sleep(60)")
    monkeypatch.setattr(page_image_process, "_TIMEOUT_S", 0.2)
    assert code(client.get(f"/v1/projects/p/sources/{passage}/page.png")) == (404, "no_page")
    kept = UploadStore.of_tenant(home / "tenants/local").kept("p", "notice.pdf")
    kept.write_bytes(b"%PDF-1.4 changed")
    assert code(client.get(f"/v1/projects/p/sources/{passage}/page.png")) == (404, "no_page")
    assert client.get("/healthz").status_code == 200


def test_an_archive_becomes_documents_of_its_own(client):
    held = zipped({"one.txt": ACT, "sub/two.txt": ACT.replace(b"CODE: T", b"CODE: U"), "../../evil.txt": b"x"})
    job = finished(client, sent(client, "acts.zip", held))
    assert {d["id"] for d in job["result"]["documents"]} == {"acts.zip/one.txt", "acts.zip/sub/two.txt"}
    assert job["result"]["failed"] or job["result"]["skipped"]
    assert client.get("/v1/projects/p/documents/acts.zip%2Fsub%2Ftwo.txt").json()["name"] == "two.txt"
    assert client.delete("/v1/projects/p/documents/acts.zip/one.txt").status_code == 200
    assert client.get("/v1/projects/p/documents/acts.zip/sub/two.txt").status_code == 200


def test_a_disk_that_does_not_take_a_file_promises_nothing(client, monkeypatch):
    import os

    def no_space(handle):
        raise OSError(28, "No space left on device")

    client.get("/v1/jobs")
    monkeypatch.setattr(os, "fsync", no_space)
    response = client.post("/v1/projects/p/documents", files={"file": ("act.txt", ACT)})
    assert code(response) == (503, "backend_failed")
    monkeypatch.undo()
    assert client.get("/v1/jobs").json()["jobs"] == []


def test_jobs_are_listed_by_project(client):
    finished(client, sent(client))
    finished(client, sent(client, "b.txt", ACT.replace(b"CODE: T", b"CODE: U"), project="q"))
    assert [job["name"] for job in client.get("/v1/jobs").json()["jobs"]] == ["b.txt", "act.txt"]
    assert [job["name"] for job in client.get("/v1/jobs", params={"project": "q"}).json()["jobs"]] == ["b.txt"]


def test_metrics_count_what_happened_and_hold_no_content(client):
    finished(client, sent(client, "secret-name.txt", project="secret-project"))
    client.post("/v1/ask", json={"question": "What is the fine for secret-word?", "project": "secret-project"})
    client.get("/secret-address")
    response = client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = response.text.splitlines()
    assert 'footnotary_jobs_finished_total{state="done"} 1.0' in lines
    assert any(line.startswith("footnotary_outcomes_total{") for line in lines)
    assert any(line.startswith('footnotary_stage_seconds_count{stage="retrieve"} 1.0') for line in lines)
    route = 'method="POST",route="/v1/projects/{project}/documents",status="202"'
    assert f"footnotary_http_requests_total{{{route}}} 1.0" in lines
    assert "secret" not in response.text


def test_a_question_can_be_asked_of_one_document_and_of_trusted_ones_alone(client):
    rumour = ACT.replace(b"CODE: T", b"CODE: R").replace(b"Test Act", b"Rumour Act").replace(b"forty", b"ninety")
    finished(client, sent(client, trust="official"))
    finished(client, sent(client, name="rumour.txt", data=rumour, trust="unverified"))
    asked = {"question": "What is the fine for whoever spits?", "project": "p"}

    def cited(**only):
        return client.post("/v1/ask", json=asked | only).json()["outcome"]["citations"]

    assert cited(trust="official") == cited(document="act.txt") == ["T_2_0"]
    assert cited(document="rumour.txt") == ["R_2_0"]
    found = client.post("/v1/retrieve", json={"query": "fine", "project": "p", "trust": "official"}).json()
    assert "T_2_0" in found["retrieved_semantic_ids"]
    assert "R_2_0" not in found["retrieved_semantic_ids"]
    refused = client.post("/v1/ask", json=asked | {"trust": "hearsay"})
    assert refused.status_code == 422
    assert "trust" in refused.text
    for route, said in (("/v1/ask", asked), ("/v1/retrieve", {"query": "fine", "project": "p"})):
        unknown = client.post(route, json=said | {"document": "acts.txt"})
        assert unknown.status_code == 404
        assert unknown.json()["detail"].startswith("This project has no such document; GET ")
