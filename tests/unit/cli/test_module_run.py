"""The package runs as a module, for machines on which the script is not on the path."""

import subprocess
import sys

from footnotary import __version__


def test_the_package_run_as_a_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "footnotary", "--version"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert __version__ in done.stdout
