"""Declared dependencies without our own packages, for pip-compile: `python requirements/third_party.py EXTRA ...`.

The model packages are in this repository and installed from it; nothing pins them. With `--only`, the extras without
the base dependencies.
"""

import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def third_party(*extras: str, base: bool = True) -> list[str]:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    declared = list(project["dependencies"]) if base else []
    for extra in extras:
        declared += project["optional-dependencies"][extra]
    return sorted({line for line in declared if not line.startswith("footnotary")})


if __name__ == "__main__":
    names = sys.argv[1:]
    print("\n".join(third_party(*(name for name in names if name != "--only"), base="--only" not in names)))
