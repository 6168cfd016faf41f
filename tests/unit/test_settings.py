"""Settings that cannot be meant are named, and none is bent into one that can."""

from pathlib import Path

import pytest

from footnotary.errors import UsageError
from footnotary.settings import FILE, load_settings


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("max_file_mb = inf", "max_file_mb = inf is not a whole number"),
        (f"timeout_s = 1{'0' * 400}", "is not a number"),
        ("concurrency = 2.5", "concurrency = 2.5 is not a whole number"),
        ("qdrant_replicas = true", "qdrant_replicas = True is not a whole number"),
        ("port = 65536", "port = 65536 is out of range"),
        ("port = -1", "port = -1 is out of range"),
        ("timeout_s = nan", "timeout_s = nan is out of range"),
    ],
)
def test_a_number_that_is_none_or_too_large_is_named(tmp_path: Path, line: str, seen: str):
    (tmp_path / FILE).write_text(line, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        load_settings(environ={}, folder=tmp_path)
    assert seen in raised.value.message


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ('public_url = "answers.example.org"', "public_url = 'answers.example.org' is not the URL of a service"),
        ('public_url = "https://a b/"', "is not the URL of a service"),
        ('public_url = "https://me:secret@x.org"', "is not the URL of a service"),
        ('public_url = "https://x.org/?a=1"', "is not the URL of a service"),
        ('trusted_proxies = "10.0.0.0/8, proxy.local"', "'proxy.local' does not appear to be an IPv4 or IPv6 network"),
        ('refusal_content = "yes"', "refusal_content = 'yes' is neither"),
    ],
)
def test_a_public_url_or_proxy_that_cannot_be_one_is_named(tmp_path: Path, line: str, seen: str):
    (tmp_path / FILE).write_text(line, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        load_settings(environ={}, folder=tmp_path)
    assert seen in raised.value.message


def test_a_number_is_taken_as_it_is_written(tmp_path: Path):
    (tmp_path / FILE).write_text('port = 65535\nmax_file_mb = 3.0\ntimeout_s = 2\nconcurrency = "7"', encoding="utf-8")
    found = load_settings(environ={}, folder=tmp_path)
    assert (found.port, found.max_file_mb, found.timeout_s, found.concurrency) == (65535, 3, 2.0, 7)


@pytest.mark.parametrize("home", ["~nobody-of-that-name/x", "a\0b"])
def test_a_home_that_can_be_no_folder_is_named(tmp_path: Path, home: str):
    with pytest.raises(UsageError, match=r"home = .* is not a folder"):
        load_settings({"home": home}, environ={}, folder=tmp_path)


def test_the_key_of_the_verifiers_server_is_its_own_and_in_no_repr():
    given = {"verifier_api_key": "sk-canary", "verifier_calibration": "c.json", "verifier_concurrency": "4"}
    settings = load_settings(given, environ={"OPENAI_API_KEY": "sk-other"})
    assert settings.verifier_api_key == "sk-canary"
    assert "canary" not in repr(settings)
    assert (settings.verifier_calibration, settings.verifier_concurrency) == (Path("c.json"), 4)
    assert load_settings({}, environ={"OPENAI_API_KEY": "sk-other"}).verifier_api_key is None
