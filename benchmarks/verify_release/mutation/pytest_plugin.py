"""A pytest plugin that plants the bug named in `FOOTNOTARY_PLANTED` while the product is imported."""

import importlib.abc
import importlib.machinery
import os
import sys

from benchmarks.verify_release.mutation.seeded_bugs import BUGS, SeededBug


class _Planter(importlib.abc.MetaPathFinder):
    """Finds the module of one bug, and gives its source with the bug in it."""

    def __init__(self, bug: SeededBug) -> None:
        self._bug = bug

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self._bug.module:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        found.loader = _Spoiled(fullname, found.origin, self._bug)
        return found


class _Spoiled(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, bug: SeededBug) -> None:
        super().__init__(name, path)
        self._bug = bug

    def get_code(self, fullname):
        source = self.get_source(fullname)
        if self._bug.old not in source:
            raise ImportError(f"{self._bug.name}: {self._bug.old!r} is not in {fullname}")
        return compile(source.replace(self._bug.old, self._bug.new), self.path, "exec", dont_inherit=True)


def _plant() -> None:
    (bug,) = [one for one in BUGS if one.name == os.environ["FOOTNOTARY_PLANTED"]]
    assert bug.module not in sys.modules, f"{bug.module} is imported already"
    sys.meta_path.insert(0, _Planter(bug))


_plant()
