"""The package's front door: what it promises is there, and nothing else is."""

import subprocess
import sys

import footnotary

PUBLIC = {
    "Answer",
    "ClaimVerdict",
    "Corpus",
    "Engine",
    "Outcome",
    "Profile",
    "Reason",
    "Refusal",
    "Scope",
    "load_profile",
    "open_corpus",
    "open_engine",
    "verify_claim",
}


def test_all_names_are_the_public_ones_and_each_resolves():
    assert set(footnotary.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(footnotary, name) is not None


def test_importing_the_package_and_the_command_line_loads_no_heavy_library():
    heavy = ["numpy", "onnxruntime", "tokenizers", "tantivy", "openai", "pydantic", "sqlite3"]
    code = f"import sys, footnotary, footnotary.cli.main; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_a_name_that_is_not_public_is_said_to_be_missing():
    assert not hasattr(footnotary, "no_such_name")
