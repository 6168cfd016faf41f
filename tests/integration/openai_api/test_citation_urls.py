"""Citation URLs are absolute only where the service knows its own public URL, and never by a client's word."""

import httpx
import pytest

from harness.streaming.live_service import GOOD, QUESTION, says, served

pytestmark = pytest.mark.server
FORWARDED = {"X-Forwarded-Host": "answers.example.org", "X-Forwarded-Proto": "https"}
BODY = {"model": "law", "messages": [{"role": "user", "content": QUESTION}]}
PATH = "/v1/projects/law/sources/IPC_420_0?version="


def url(live, headers=()):
    completion = httpx.post(f"{live.url}/v1/chat/completions", json=BODY, headers=headers).json()
    return (
        completion["choices"][0]["message"]["annotations"][0]["url_citation"]["url"].split("version=")[0] + "version="
    )


@pytest.mark.parametrize(
    ("settings", "headers", "base"),
    [
        ({}, {}, ""),
        ({}, FORWARDED, ""),  # any client can send these headers
        ({"public_url": "https://ask.example.org/law/"}, FORWARDED, "https://ask.example.org/law"),
        ({"trusted_proxies": "10.0.0.0/8, 127.0.0.1"}, FORWARDED, "https://answers.example.org"),
        ({"trusted_proxies": "10.0.0.0/8"}, FORWARDED, ""),
        ({"trusted_proxies": "127.0.0.1"}, {}, ""),
        ({"trusted_proxies": "127.0.0.1"}, {"X-Forwarded-Host": "evil.example, answers.example.org"}, ""),
        ({"trusted_proxies": "127.0.0.1"}, {"X-Forwarded-Host": 'x"onclick=1'}, ""),
        ({"trusted_proxies": "127.0.0.1"}, FORWARDED | {"X-Forwarded-Proto": "javascript"}, ""),
    ],
)
def test_only_a_setting_or_a_trusted_proxy_makes_a_url_absolute(tmp_path, settings, headers, base):
    with served(tmp_path / "home", says(*GOOD), **settings) as live:
        assert url(live, headers) == base + PATH
