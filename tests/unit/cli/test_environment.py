"""A variable that nothing reads is named on standard error, once, with the setting that may have been meant."""

import os
import subprocess
import sys

import pytest

from footnotary.cli.environment import note_unknown_variables


def test_a_misspelled_variable_was_ignored_in_silence():
    done = subprocess.run(
        [sys.executable, "-m", "footnotary", "profile", "list"],
        env=os.environ | {"FOOTNOTARY_VERIFER": "lexical"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = "warning: FOOTNOTARY_VERIFER is not a setting and is ignored; did you mean FOOTNOTARY_VERIFIER?"
    assert done.stderr.splitlines().count(said) == 1
    assert "FOOTNOTARY_VERIFER" not in done.stdout


def test_a_variable_without_a_near_name_is_named_alone(capsys):
    note_unknown_variables({"FOOTNOTARY_FOO": "1"})
    assert capsys.readouterr().err == "warning: FOOTNOTARY_FOO is not a setting and is ignored\n"


@pytest.mark.parametrize(
    "name",
    ["FOOTNOTARY_HOME", "FOOTNOTARY_JUDGE", "FOOTNOTARY_CACHE", "FOOTNOTARY_TEST_QDRANT", "_FOOTNOTARY_COMPLETE"],
)
def test_a_variable_that_is_read_is_not_named(capsys, name):
    note_unknown_variables({name: "1"})
    assert capsys.readouterr().err == ""
