"""Warns about variables named FOOTNOTARY_* that nothing reads: most of them are misspelled."""

import difflib
from collections.abc import Mapping
from dataclasses import fields

from footnotary.cli.output import note
from footnotary.deprecated import SETTINGS
from footnotary.settings import PREFIX, Settings

# Read outside of the settings: the cache of models, and what our own tests and benchmarks read.
_OTHERS = ("CACHE", "DATA", "SEEDED_BUG", "BENCHMARK_CACHE")
_OTHER_PREFIXES = (f"{PREFIX}TEST_",)


def note_unknown_variables(environ: Mapping[str, str]) -> None:
    """Prints one line for each variable with our prefix that is no setting, with the setting of the nearest name."""
    settings = [field.name.upper() for field in fields(Settings)]
    known = {PREFIX + name.upper() for name in (*settings, *SETTINGS, *_OTHERS)}
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known and not name.startswith(_OTHER_PREFIXES):
            nearest = difflib.get_close_matches(name.removeprefix(PREFIX), settings, n=1)
            meant = f"; did you mean {PREFIX}{nearest[0]}?" if nearest else ""
            note(f"warning: {name} is not a setting and is ignored{meant}")
