"""A pytest plugin that seeds the bug named in `FOOTNOTARY_SEEDED_BUG` while the product is imported."""

import importlib.abc
import importlib.machinery
import os
import sys

from benchmarks.verify_release.mutation.seeded_bugs import BUGS, SeededBug


class _BugSeeder(importlib.abc.MetaPathFinder):
    """Imports the module of one bug with the bug in its source."""

    def __init__(self, bug: SeededBug) -> None:
        self._bug = bug

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self._bug.module:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        found.loader = _MutatedLoader(fullname, found.origin, self._bug)
        return found


class _MutatedLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, bug: SeededBug) -> None:
        super().__init__(name, path)
        self._bug = bug

    def get_code(self, fullname):
        source = self.get_source(fullname)
        if self._bug.old not in source:
            raise ImportError(f"{self._bug.name}: {self._bug.old!r} is not in {fullname}")
        return compile(source.replace(self._bug.old, self._bug.new), self.path, "exec", dont_inherit=True)


def _seed_bug() -> None:
    (bug,) = [one for one in BUGS if one.name == os.environ["FOOTNOTARY_SEEDED_BUG"]]
    assert bug.module not in sys.modules, f"{bug.module} is already imported"
    sys.meta_path.insert(0, _BugSeeder(bug))


_seed_bug()
