"""The site is complete: every page is in the navigation, and the strict build passes."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
SECTIONS = ["Home", "Tutorial", "How-to", "Reference", "Explanation", "Decisions", "Glossary"]


def pages(entry):
    if isinstance(entry, str):
        return [entry]
    children = entry.values() if isinstance(entry, dict) else entry
    return [page for child in children for page in pages(child)]


def test_every_page_is_in_the_navigation_once():
    written = sorted(page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md"))
    assert sorted(pages(CONFIG["nav"])) == written


def test_the_sections_are_in_the_usual_order():
    assert [next(iter(section)) for section in CONFIG["nav"]] == SECTIONS


def test_a_page_fetches_nothing_from_elsewhere():
    assert CONFIG["theme"]["font"] is False
    assert not CONFIG.get("extra_javascript")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mkdocs") is None, reason="needs requirements/docs.txt: make docs")
def test_the_site_builds_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    assert "footnotary.open_engine" in (tmp_path / "site" / "reference" / "api" / "index.html").read_text()
