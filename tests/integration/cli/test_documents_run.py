"""The code in the documents runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    (page, number, block)
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


def before_block(page, block):
    return page.read_text(encoding="utf-8").split(block)[0]


@pytest.mark.parametrize(("page", "number", "block"), BLOCKS, ids=lambda value: getattr(value, "name", str(value)[:20]))
def test_a_python_block_runs(page, number, block, tmp_path):
    if "<!-- needs:" in (before := before_block(page, block).rsplit("```", 1)[0][-160:]):
        pytest.skip(before[before.index("<!-- needs:") + 5 : before.rindex("-->")].strip())
    for content, name in re.findall(r"^\$ echo '([^']*)' > (\S+)$", before_block(page, block), re.MULTILINE):
        (tmp_path / name).write_text(content + "\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_there_are_blocks_to_run():
    assert BLOCKS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_link_of_the_readme_to_the_repository_leads_somewhere():
    """The README is the description on the package index too, so its links are absolute."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(https://github\.com/footnotary/footnotary/(?:blob|raw)/main/([^)#]+)", readme)
    assert targets
    assert not [target for target in targets if not (ROOT / target).exists()]
    assert not re.findall(r"\]\((?!https:)", readme)


def test_the_readme_shows_what_the_demo_prints():
    """The transcript in the README is the product's own."""
    from footnotary.cli.questions.demo import DEMO_QUESTIONS

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert DEMO_QUESTIONS[0][2] in readme
    assert DEMO_QUESTIONS[-1][2] in readme
