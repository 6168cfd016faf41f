"""The fixture `assert_grounded`, in a pytest of its own."""

import os
import subprocess
import sys

import pytest

TESTS = """
LEAVE = "Every permanent worker has eighteen days of paid leave in each year."
PASSAGES = {"HR_7": LEAVE, "LIB_3": "A reader may borrow five books for four weeks."}

def test_cited_by_id(assert_grounded):
    assert_grounded(LEAVE[:-1] + " [HR_7].", PASSAGES)

def test_cited_by_place(assert_grounded):
    assert_grounded(LEAVE[:-1] + " [1].", list(PASSAGES.values()))

def test_not_cited_and_need_not_be(assert_grounded):
    assert_grounded(LEAVE, PASSAGES, cited=False)

def test_another_number_fails(assert_grounded):
    assert_grounded(LEAVE[:-1].replace("eighteen", "ninety") + " [HR_7].", PASSAGES)

def test_no_citation_fails(assert_grounded):
    assert_grounded(LEAVE, PASSAGES)

def test_an_unknown_id_fails(assert_grounded):
    assert_grounded(LEAVE[:-1] + " [HR_8].", PASSAGES)

def test_unsupported_fails(assert_grounded):
    assert_grounded(LEAVE.replace("eighteen", "ninety"), PASSAGES, cited=False)
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What pytest prints of the tests above."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "test_answers.py").write_text(TESTS)
    environ = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "FOOTNOTARY_VERIFIER": "lexical"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-rf",
        "-p",
        "footnotary.integrations.pytest_plugin",
        "-p",
        "no:cacheprovider",
    ]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("name", ["test_cited_by_id", "test_cited_by_place", "test_not_cited_and_need_not_be"])
def test_grounded_answers_pass(said, name):
    assert f"{name} PASSED" in said, said


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("test_another_number_fails", "number_unsupported"),
        ("test_no_citation_fails", "claim_uncited"),
        ("test_an_unknown_id_fails", "citation_unknown"),
        ("test_unsupported_fails", "number_unsupported"),
    ],
)
def test_others_fail_and_say_why(said, name, reason):
    assert f"{name} FAILED" in said, said
    assert reason in said
