"""Folders a reader can survey, files a reader can hold in mind, and a picture of both in the documentation that is true."""

import re
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

from tests.architecture.source_tree import MODULES, ROOT, SRC, relative

FOLDERS = ("src", "tests", "benchmarks", "training", "harness", "docs")
MAX_FILES = 20
MAX_LINES = 300
MAX_MEDIAN_LINES = 120
# Recorded by version 0.1, one file per request or command: not written by us, and never edited.
RECORDED = ROOT / "tests" / "fixtures"
PICTURE = ROOT / "docs" / "explanation" / "architecture.md"


def own_files(folder: Path) -> list[Path]:
    """The files below a folder that we wrote: no caches, nothing hidden, no build outputs, nothing recorded."""
    return [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not path.is_relative_to(RECORDED)
        and not any(part == "__pycache__" or part.startswith(".") or part.endswith(".egg-info") for part in path.parts)
    ]


def crowded(files: list[Path]) -> dict[str, int]:
    count = Counter(str(path.parent) for path in files)
    return {folder: files for folder, files in count.items() if files > MAX_FILES}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_folder_has_more_than_twenty_files(folder):
    files = own_files(ROOT / folder)
    assert files
    assert crowded([path.relative_to(ROOT) for path in files]) == {}


def test_a_crowded_folder_would_be_seen():
    assert crowded([Path("a", str(n)) for n in range(21)] + [Path("b", str(n)) for n in range(20)]) == {"a": 21}


def test_no_module_is_long_and_half_are_short():
    """Counted without `__init__.py`, most of which are one line."""
    lengths = {relative(path): length(path) for path in MODULES if path.name != "__init__.py"}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_LINES} == {}
    assert median(lengths.values()) <= MAX_MEDIAN_LINES


def length(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def pictured(page: str) -> list[str]:
    """The paths in the tree under `src/footnotary/` on the page, by their indentation: `index/`, `index/qdrant/`."""
    lines = page.split("    src/footnotary/\n")[1].split("\n\n")[0].splitlines()
    found: list[str] = []
    parent = ""
    for line in lines:
        entry = re.fullmatch(r"( +)([\w.]+/?)(?: .*)?", line)
        assert entry, line
        depth, name = len(entry[1]), entry[2]
        if depth == 6:
            parent = name
        elif depth != 8:
            continue  # the description goes on
        found.append(name if depth == 6 else parent + name)
    return found


def test_the_picture_of_the_layout_is_true():
    """Every package of the first two levels, and every module beside them, is in the picture, and nothing else."""
    packages = {relative(path.parent) + "/" for path in SRC.glob("*/__init__.py")}
    packages |= {relative(path.parent) + "/" for path in SRC.glob("*/*/__init__.py")}
    folders = {"demo_corpus/", "service/web/"}
    modules = {path.name for path in SRC.glob("*.py")}
    shown = pictured(PICTURE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(packages | folders | modules)


def test_the_picture_names_the_layers_in_their_order():
    from tests.architecture.test_layers import LAYERS

    text = PICTURE.read_text(encoding="utf-8")
    listed = [set(re.findall(r"`(\w+)`", line)) for line in re.findall(r"^\d+\. (.*)$", text, re.MULTILINE)]
    assert listed == [*reversed(LAYERS)]
