"""The product's modules and what each of them imports, read from the source text."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "footnotary"
MODULES = sorted(SRC.rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(SRC).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(path: Path) -> str:
    return ".".join(("footnotary", *path.relative_to(SRC).with_suffix("").parts)).removesuffix(".__init__")


def part_of(module: str) -> str:
    """The top-level package or module of the product that a module belongs to; empty for the product itself."""
    return module.split(".")[1] if "." in module else ""


@cache
def imports(path: Path) -> frozenset[str]:
    """All names that a file imports: at any depth, in functions and under TYPE_CHECKING too."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


_KNOWN = {module_of(path) for path in MODULES} - {"footnotary"}


@cache
def own_imports(path: Path) -> frozenset[str]:
    """The modules of the product that a module imports. Public names of `footnotary` itself are no dependency."""
    found = {name if name in _KNOWN else name.rpartition(".")[0] for name in imports(path)}
    return frozenset((found & _KNOWN) - {module_of(path)})
