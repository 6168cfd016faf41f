"""The workflows hold to what we ask of them: every action pinned by commit, few rights, both architectures."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
PARSED = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in WORKFLOWS}


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def commands(workflow):
    return "\n".join(step.get("run", "") for step in steps(workflow))


def test_there_are_workflows_for_changes_and_for_releases():
    assert set(PARSED) == {"ci", "release"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_by_commit_with_its_version_next_to_it(path):
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert used
    assert not [action for action in used if not PINNED.match(action.strip())]


def test_one_action_has_one_version_everywhere():
    used = {step["uses"] for workflow in PARSED.values() for step in steps(workflow) if "uses" in step}
    assert len(used) == len({action.partition("@")[0] for action in used})


@pytest.mark.parametrize("name", PARSED)
def test_rights_are_few_and_jobs_end(name):
    workflow = PARSED[name]
    assert workflow["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 60 for job in workflow["jobs"].values())
    asking = [job for job, said in workflow["jobs"].items() if "permissions" in said]
    assert asking == (["publish"] if name == "release" else [])
    for step in steps(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_a_change_is_checked_on_both_architectures_and_all_pythons():
    workflow = PARSED["ci"]
    assert set(workflow[True]) == {"push", "pull_request"}  # YAML reads the key `on` as true
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["runner"] == ["ubuntu-24.04", "ubuntu-24.04-arm"]
    assert {*matrix["python"], *(one["python"] for one in matrix["include"])} == {"3.11", "3.12", "3.13"}
    for command in ("make lint types", "make demo", "make test-all", "make docs", "make wheels"):
        assert command in commands(workflow)


def test_make_targets_of_the_workflows_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    for workflow in PARSED.values():
        for line in re.findall(r"^\s*make ([a-z -]+)$", commands(workflow), re.M):
            assert set(line.split()) <= targets


def test_nothing_is_published_that_two_machines_did_not_build_alike():
    publish = PARSED["release"]["jobs"]["publish"]
    assert publish["needs"] == "build"
    assert "cmp " in commands({"jobs": {"publish": publish}})
    folders = [step["with"]["packages-dir"] for step in publish["steps"] if "pypi-publish" in step.get("uses", "")]
    assert folders == ["models", "base"]
