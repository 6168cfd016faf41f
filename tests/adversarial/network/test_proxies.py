"""The same bytes through a real nginx and a real Caddy: nothing is smuggled past them, and the next client is served."""

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from footnotary.mcp_server.mount import create_app_with_mcp
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening, wait_until
from harness.service.raw_requests import ALL_CASES, FORWARDED, get

pytestmark = pytest.mark.server

# Debian's packages, installed, or unpacked by `make` into this folder.
UNPACKED = Path(os.environ.get("FOOTNOTARY_TEST_PROXIES", Path(__file__).parents[3] / ".cache" / "proxies"))

NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr crit;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream service {{ server {upstream}; keepalive 8; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://service; proxy_http_version 1.1;
      proxy_set_header Connection ""; proxy_set_header Host localhost;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_request_buffering off;
      proxy_set_header X-Seen-By-Proxy yes;
    }}
  }}
}}
"""
CADDY = """
{{
  admin off
  auto_https off
}}
http://127.0.0.1:{port}, http://localhost:{port}, http://:{port} {{
  bind 127.0.0.1
  reverse_proxy {upstream} {{
    header_up Host localhost
    header_up X-Seen-By-Proxy yes
  }}
}}
"""


def program(name):
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:{UNPACKED}/usr/sbin:{UNPACKED}/usr/bin")
    if found is None:
        pytest.skip(f"{name} is not installed; `make test-all` fetches it on Debian")
    return found


@contextmanager
def proxy(name, folder, upstream):
    """The address of a proxy in front of `upstream`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = probe.getsockname()
    text = (NGINX if name == "nginx" else CADDY).format(
        folder=folder, port=address[1], upstream=f"{upstream[0]}:{upstream[1]}"
    )
    config = folder / "config"
    config.write_text(text)
    command = {
        "nginx": [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(config)],
        "caddy": [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(config)],
    }[name]
    environ = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environ)
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(address) == 0:
                    break
            assert process.poll() is None, process.stderr.read().decode()
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.communicate(timeout=30)


class Requests:
    """The application, and what it was asked for: (path, headers) of each request."""

    def __init__(self, app):
        self._app = app
        self.state = app.state
        self.seen = []
        self.statuses = []

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            self.seen.append((scope["path"], dict(scope["headers"])))

        async def sending(message):
            if message["type"] == "http.response.start":
                self.statuses.append(message["status"])
            await send(message)

        await self._app(scope, receive, sending)


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def behind(request, tmp_path_factory):
    program(request.param)
    home = tmp_path_factory.mktemp("behind") / "home"
    settings = load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={})
    app = Requests(create_app_with_mcp(ServiceState(settings, HashEmbedder())))
    with listening(app) as upstream, proxy(request.param, tmp_path_factory.mktemp(request.param), upstream) as address:
        wait_until(lambda: b" 200 " in said(address, get())[:20])
        yield address, app


def said(address, sent, wait_s=3.0):
    received = b""
    with socket.create_connection(address, timeout=wait_s) as connection, suppress(OSError):
        connection.sendall(sent)
        while piece := connection.recv(65_536):
            received += piece
    return received


@pytest.mark.parametrize("case", ALL_CASES, ids=lambda case: case.name)
def test_nothing_is_smuggled_past_a_proxy(behind, case):
    address, app = behind
    app.seen.clear()
    app.statuses.clear()
    said(address, case.sent, 1.0)
    # A proxy may forgive what the service does not, and send it on in one clear form. What counts is that both see the
    # same requests: the proxy marks every one it knows of, and a smuggled one would come without the mark.
    assert [path for path, headers in app.seen if headers.get(b"x-seen-by-proxy") != b"yes"] == []
    assert max(app.statuses, default=0) < 500
    assert b" 200 " in said(address, get())[:20]


@pytest.mark.parametrize("field", FORWARDED, ids=lambda field: field[:40])
def test_what_a_proxy_adds_or_passes_on_changes_nothing(behind, field):
    address, app = behind
    received = said(address, get(field))
    if received.startswith(b"HTTP/1.1 400"):  # the proxy's own rejection
        return
    assert b'{"tenant":"local","role":"admin","key_id":"open","open":true}' in received
    assert app.seen[-1][0] == "/v1/whoami"
    assert b"mine" not in received.lower().partition(b"\r\n\r\n")[0]
