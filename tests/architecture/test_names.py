"""Names say what a module holds, stand for one thing, and are not mistaken for each other."""

import ast
from itertools import combinations
from pathlib import Path

import pytest

from tests.architecture.source_tree import MODULES, SRC, relative, tree_of

BANNED = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc", "handler"}
# The seeds' public names: two of their interfaces call their passages so, and callers import both.
SHARED_CLASS_NAMES = {"RetrievedChunk": {"compat/c3_evidence.py", "compat/tutor_store.py"}}
# Two plain words for two stages that nobody confuses.
UNLIKE_TWINS = {("reader", "render")}
PACKAGES = [SRC, *(path.parent for path in MODULES if path.name == "__init__.py" and path.parent != SRC)]


def test_every_module_says_what_it_is_for():
    assert [relative(path) for path in MODULES if not ast.get_docstring(tree_of(path))] == []


def test_no_module_has_a_name_that_says_nothing():
    assert [relative(path) for path in MODULES if BANNED & {path.stem, path.parent.name}] == []


def test_a_class_name_stands_for_one_thing():
    """Nested and private classes too; `Reader` and `_Reader` are one name."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name.lstrip("_"), []).append(relative(path))
    shared = {name: set(where) for name, where in places.items() if len(where) > 1}
    assert shared == SHARED_CLASS_NAMES


def children(package: Path) -> list[str]:
    """The names of a package's modules and packages."""
    modules = [path.stem for path in package.glob("*.py") if path.stem != "__init__"]
    return sorted(modules + [path.parent.name for path in package.glob("*/__init__.py")])


def are_twins(one: str, other: str) -> bool:
    """Whether two different names differ by one letter, or only in number (`quote` and `quotes`, `body` and `bodies`)."""
    if one == other:
        return False
    short, long = sorted((one, other), key=len)
    if len(short) == len(long):
        return sum(a != b for a, b in zip(short, long, strict=True)) == 1
    plurals = {short + "s", short + "es", short[:-1] + "ies"}
    return long in plurals or any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


@pytest.mark.parametrize("package", PACKAGES, ids=relative)
def test_no_two_names_in_a_package_are_twins(package):
    found = {pair for pair in combinations(children(package), 2) if are_twins(*pair)}
    assert found - UNLIKE_TWINS == set()


@pytest.mark.parametrize("package", PACKAGES[1:], ids=relative)
def test_no_module_is_the_twin_of_a_module_next_to_its_package(package):
    """The same name is fine, it is the same subject within the package: `structure/outline`, `structure/acts/outline`."""
    inside = [path.stem for path in package.glob("*.py") if path.stem != "__init__"]
    beside = [path.stem for path in package.parent.glob("*.py") if path.stem != "__init__"]
    assert [(one, other) for one in inside for other in beside if are_twins(one, other)] == []


@pytest.mark.parametrize(
    "pair",
    [
        ("routes_page", "routes_pages"),
        ("quote", "quotes"),
        ("openai", "openapi"),
        ("body", "bodies"),
        ("form", "from_"),
    ],
)
def test_twins_would_be_seen(pair):
    assert are_twins(*pair) is (pair != ("form", "from_"))
