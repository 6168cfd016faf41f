"""Keys: only hashes are kept, what is revoked or over lets nobody in, and the tenant comes from nowhere else."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from footnotary.errors import StoreCorrupt, UsageError
from footnotary.service.auth.api_keys import ApiKeyStore

WHOAMI = "/v1/whoami"


@pytest.fixture
def ring(home):
    ring = ApiKeyStore(home)
    yield ring
    ring.close()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_key_opens_its_tenant_with_its_role(ring, start):
    _, token = ring.create("alpha", "writer", "loader")
    assert start().get(WHOAMI, headers=bearer(token)).json() == {
        "tenant": "alpha",
        "role": "writer",
        "key_id": ring.all()[0].id,
        "open": False,
    }


def test_damaged_keys_are_recreated_and_nothing_next_to_them_is_deleted(ring, home):
    home.mkdir(parents=True, exist_ok=True)
    (home / "keys.db").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreCorrupt, match="damaged") as error:
        ring.create("alpha", "reader")
    assert "move keys.db* away" in error.value.hint
    assert "delete" not in error.value.hint


def test_the_secret_is_nowhere_in_the_file(ring, home):
    _, token = ring.create("alpha", "reader")
    secret = token.split("_")[2]
    assert len(secret) == 52
    for path in home.glob("keys.db*"):
        assert secret.encode() not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0 or path.suffix != ".db"


def test_keys_are_listed_without_secrets_and_stay_listed_when_revoked(ring):
    first, _ = ring.create("alpha", "reader", "one")
    second, _ = ring.create("beta", "admin", "two")
    assert ring.revoke(first.id)
    assert not ring.revoke(first.id)
    assert not ring.revoke("nonesuch")
    assert [(key.tenant, key.role, key.revoked_at is None) for key in ring.all()] == [
        ("alpha", "reader", False),
        ("beta", "admin", True),
    ]
    assert second.revoked_at is None


@pytest.mark.parametrize("tenant", ["", "..", "a/b", "a b", "\ud800", "x" * 200, "al\u200bpha"])
def test_a_tenant_needs_a_name_that_leads_nowhere_else(ring, tenant):
    with pytest.raises(UsageError, match="use letters and digits of any script"):
        ring.create(tenant, "reader")


def test_there_are_three_roles(ring):
    with pytest.raises(UsageError):
        ring.create("alpha", "owner")


def test_a_revoked_key_is_refused_from_the_next_request_on(ring, start):
    key, token = ring.create("alpha", "reader")
    client = start()
    assert client.get(WHOAMI, headers=bearer(token)).status_code == 200
    ring.revoke(key.id)
    assert client.get(WHOAMI, headers=bearer(token)).status_code == 401


def test_revoking_the_last_key_locks_the_service(ring, start):
    key, _ = ring.create("alpha", "reader")
    ring.revoke(key.id)
    assert start().get(WHOAMI).status_code == 401


def test_a_key_ends_at_its_time(ring, start):
    now = datetime.now(UTC)
    _, over = ring.create("alpha", "reader", expires_at=now - timedelta(seconds=1))
    _, good = ring.create("alpha", "reader", expires_at=now + timedelta(days=1))
    client = start()
    assert client.get(WHOAMI, headers=bearer(over)).status_code == 401
    assert client.get(WHOAMI, headers=bearer(good)).status_code == 200


def test_without_a_valid_key_the_reply_says_how_to_send_one(ring, start):
    key, token = ring.create("alpha", "admin")
    client = start()
    other = f"fn_{key.id}_{'a' * 52}"
    unsigned = "eyJhbGciOiJub25lIn0.eyJ0ZW5hbnQiOiJhbHBoYSJ9."
    wrong = [
        {},
        bearer(""),
        bearer("fn_"),
        bearer("fn__"),
        bearer(other),
        bearer(token[:-1]),
        bearer(token + "a"),
        bearer(token.upper()),
        bearer(unsigned),
        bearer(f"fn_' OR 1=1 --_{'a' * 52}"),
        bearer("x" * 5000),
        {"Authorization": f"Basic {token}"},
        {"Authorization": token},
        {"X-Api-Key": token},
        {"Cookie": f"key={token}"},
    ]
    for headers in wrong:
        response = client.get(WHOAMI, headers=headers)
        assert response.status_code == 401, headers
        assert response.headers["www-authenticate"] == "Bearer"
        assert token not in response.text
    said = [client.get(WHOAMI, headers=headers).json()["detail"] for headers in wrong]
    assert all("Authorization: Bearer fn_..." in said[n] for n in (0, 1, 11, 12, 13, 14))
    assert {said[n] for n in range(2, 11)} == {"This API key is not valid: it is unknown, revoked or expired."}
    twice = client.get(WHOAMI, headers=[("Authorization", f"Bearer {token}"), ("Authorization", f"Bearer {token}")])
    assert twice.status_code == 401
    assert client.get(f"{WHOAMI}?key={token}&tenant=beta").status_code == 401
    assert client.get(WHOAMI, headers=bearer(token) | {"X-Tenant": "beta"}).json()["tenant"] == "alpha"


def test_the_reply_to_a_rejected_role_names_the_one_that_is_needed(ring, start):
    client = start()
    reader = bearer(ring.create("alpha", "reader")[1])
    said = client.get("/v1/audit", headers=reader)
    assert (said.status_code, said.json()["code"]) == (403, "forbidden")
    assert said.json()["detail"] == "This request needs a key of role admin; this one is a reader's."
    assert "tenant local" in client.get("/metrics", headers=reader).json()["detail"]


def test_an_unreadable_key_store_lets_nobody_in(ring, start, home):
    ring.create("alpha", "reader")
    ring.close()
    client = start()
    assert client.get(WHOAMI).status_code == 401
    (home / "keys.db").write_bytes(b"not a database, and long enough to be looked at" * 50)
    assert client.get(WHOAMI).status_code in (401, 503)


def test_as_much_is_compared_for_a_key_that_is_not_there(ring, monkeypatch):
    from footnotary.service.auth import api_keys

    compared: list[tuple[str, str]] = []
    monkeypatch.setattr(api_keys.hmac, "compare_digest", lambda a, b: compared.append((a, b)) or a == b)
    key, token = ring.create("alpha", "reader")
    assert ring.holder(token) == key
    assert ring.holder("fn_000000000000_" + "a" * 52) is None
    assert [len(a) == len(b) == 64 for a, b in compared] == [True, True]


class TestOpenOnThisMachine:
    def test_without_any_key_everybody_here_is_the_local_admin(self, client):
        assert client.get(WHOAMI).json() == {"tenant": "local", "role": "admin", "key_id": "open", "open": True}

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:8081", "127.0.0.1.evil.example", "[::1", ""])
    def test_another_name_of_this_machine_is_refused(self, client, host):
        response = client.get(WHOAMI, headers={"host": host})
        assert (response.status_code, response.json()["code"]) == (421, "misdirected")

    @pytest.mark.parametrize("host", ["localhost", "localhost:8081", "127.0.0.1:9", "[::1]:8081"])
    def test_its_own_names_are_taken(self, client, host):
        assert client.get(WHOAMI, headers={"host": host}).status_code == 200

    @pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:9999", "http://[", ""])
    def test_a_page_of_another_site_is_refused(self, client, origin):
        response = client.post("/v1/ask", json={"question": "a", "project": "b"}, headers={"origin": origin})
        assert (response.status_code, response.json()["code"]) == (403, "cross_site")

    def test_its_own_page_may_ask(self, client):
        response = client.get(WHOAMI, headers={"host": "localhost:8081", "origin": "http://localhost:8081"})
        assert response.status_code == 200

    def test_a_key_made_meanwhile_closes_it(self, client, ring):
        assert client.get(WHOAMI).status_code == 200
        ring.create("alpha", "reader")
        assert client.get(WHOAMI).status_code == 401


def test_the_file_of_keys_is_a_plain_database_with_hashes(ring, home):
    ring.create("alpha", "reader")
    rows = sqlite3.connect(home / "keys.db").execute("SELECT length(secret_sha256) FROM keys").fetchall()
    assert rows == [(64,)]
