"""The packages agree with each other and with what they say of themselves; `tests/integration/test_wheels.py` builds them."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import footnotary
from footnotary.models.model_packages import NAMESPACE, SHIPPED_MODELS

ROOT = Path(__file__).parents[2]
BASE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = sorted(folder for folder in (ROOT / "packages").iterdir() if folder.is_dir())
MODEL_PACKAGES = {
    folder.name: tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8")) for folder in FOLDERS
}


def test_there_is_a_folder_for_every_model_package():
    assert set(MODEL_PACKAGES) == {model.package for model in SHIPPED_MODELS.values()}


@pytest.mark.parametrize("name", MODEL_PACKAGES)
def test_a_model_package_has_the_version_of_the_base_which_depends_on_it(name):
    project = MODEL_PACKAGES[name]["project"]
    assert project["name"] == name
    assert project["version"] == footnotary.__version__
    optional = BASE["project"]["optional-dependencies"]["xl"]
    assert f"{name}=={footnotary.__version__}" in (*BASE["project"]["dependencies"], *optional)
    assert project["requires-python"] == BASE["project"]["requires-python"] == ">=3.11"


@pytest.mark.parametrize("name", SHIPPED_MODELS)
def test_a_model_is_linked_under_its_public_name(name):
    """Links, not copies: the weights are in the repository once."""
    model = SHIPPED_MODELS[name]
    link = ROOT / "packages" / model.package / NAMESPACE / name
    assert link.is_symlink()
    assert link.resolve() == (ROOT / "src" / "footnotary" / "weights" / model.checkout_folder).resolve()
    assert not link.readlink().is_absolute()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_model_package_holds_nothing_but_its_models_readme_and_licence(folder):
    assert {file.name for file in folder.iterdir()} - {"dist"} == {
        "LICENSE", "README.md", NAMESPACE, "pyproject.toml"
    }  # fmt: skip
    own = {model.name for model in SHIPPED_MODELS.values() if model.package == folder.name}
    assert {link.name for link in (folder / NAMESPACE).iterdir()} == own
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"`{model}`" in readme for model in own)
    assert (folder / "LICENSE").read_text(encoding="utf-8") == (ROOT / "LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize("project", [BASE["project"], *(one["project"] for one in MODEL_PACKAGES.values())])
def test_classifiers_exist_and_links_are_given(project):
    classifiers = pytest.importorskip("trove_classifiers").classifiers
    assert not set(project["classifiers"]) - classifiers
    assert {"Homepage", "Source", "Changelog"} <= set(project["urls"])
    assert all(url.startswith("https://github.com/footnotary/footnotary") for url in project["urls"].values())


def test_the_base_package_is_typed_and_says_which_pythons_it_runs_on():
    assert (Path(footnotary.__file__).parent / "py.typed").is_file()
    said = set(BASE["project"]["classifiers"])
    assert {"Typing :: Typed", *(f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13))} <= said
    assert not [one for one in said if re.search(r"Python :: 3\.1[04-9]$", one)]


def test_the_changelog_has_the_version_and_what_comes_next():
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[0] == "Unreleased"
    assert footnotary.__version__ in headings


def test_every_hook_before_a_commit_is_local():
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert {repo["repo"] for repo in config["repos"]} == {"local"}
    assert all(hook["language"] == "system" for repo in config["repos"] for hook in repo["hooks"])


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem
)
def test_an_issue_template_can_be_read(path):
    template = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.stem != "config":
        assert {"name", "description", "body"} <= set(template)
        ids = [part["id"] for part in template["body"] if "id" in part]
        assert len(ids) == len(set(ids))
