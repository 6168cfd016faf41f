"""The page's own files, read as text: nothing from elsewhere, nothing inline, no way from text to markup."""

import re
from pathlib import Path

import fastapi
import pytest
from fastapi.testclient import TestClient

from footnotary.service.routes import web_page

FILES = sorted(path for path in web_page.WEB_FOLDER.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
MARKUP_SINKS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|setHTML|srcdoc\s*="
    r"|\beval\b|new Function|javascript:|\.style\b|cssText|import\("
)


@pytest.fixture(scope="module")
def client():
    app = fastapi.FastAPI()
    app.include_router(web_page.router)
    return TestClient(app)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_makes_markup_or_code_of_a_string(path):
    assert MARKUP_SINKS.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_names_another_place(path):
    addresses = re.findall(r"https?://[^\s\"')]+|[\"'(]//[a-z]", path.read_text(encoding="utf-8"))
    assert [a for a in addresses if a != "http://www.w3.org/2000/svg"] == []


def test_the_page_has_nothing_inline():
    html = (web_page.WEB_FOLDER / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", html)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_script_says_what_it_is_for_and_imports_only_its_neighbours(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// ")
    imported = re.findall(r'from "([^"]+)"', text)
    assert [name for name in imported if not name.startswith(("./", "../"))] == []
    assert {(path.parent / name).resolve() for name in imported} <= set(SCRIPTS)


def test_every_file_is_sent_with_its_kind_and_the_policy(client):
    for path in FILES:
        sent = client.get(
            "/" if path.name == "index.html" else f"/static/{path.relative_to(web_page.WEB_FOLDER).as_posix()}"
        )
        assert sent.content == path.read_bytes()
        assert sent.headers["content-type"] == web_page.MEDIA_TYPES[path.suffix]
        assert sent.headers["content-security-policy"] == web_page.CONTENT_SECURITY_POLICY


def test_the_policy_names_no_origin_but_this_one(client):
    directives = [part.split() for part in client.get("/").headers["content-security-policy"].split("; ")]
    allowed = {name: set(values) for name, *values in directives}
    assert allowed.pop("require-trusted-types-for") == {"'script'"}
    assert allowed["default-src"] == allowed["trusted-types"] == {"'none'"}
    assert set().union(*allowed.values()) == {"'none'", "'self'", "blob:"}
    assert {name for name, values in allowed.items() if "blob:" in values} == {"img-src"}


def test_what_the_browser_holds_is_not_sent_again(client):
    first = client.get("/")
    again = client.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.head("/").headers["content-length"] == str(len(first.content))


@pytest.mark.parametrize(
    "name",
    [
        "../web_page.py",
        "..%2fweb_page.py",
        "%2e%2e/web_page.py",
        "scripts/../../web_page.py",
        "web_page.py",
        "scripts",
        "",
        "%00",
    ],
)
def test_no_name_leads_out_of_the_folder(client, name):
    assert client.get(f"/static/{name}").status_code == 404


def test_the_files_are_part_of_the_package():
    assert Path(web_page.__file__).parents[1] / "web" == web_page.WEB_FOLDER
    assert {"index.html", "scripts/main.js", "styles/tokens.css"} <= set(web_page.static_files())
