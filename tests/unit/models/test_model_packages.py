"""Where a model is looked for: an installed model package first, then the checkout, else an error with the command."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from footnotary.errors import UsageError
from footnotary.models import model_packages
from footnotary.models.model_packages import SHIPPED_MODELS, find_model, locate_model


class Package:
    """An installed distribution, as far as the lookup uses one."""

    version = "9.9"

    def __init__(self, site: Path) -> None:
        self._site = site

    def locate_file(self, path: str) -> Path:
        return self._site / path


def not_installed(name: str) -> Package:
    raise PackageNotFoundError(name)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(model_packages, "distribution", lambda _: Package(tmp_path))
    return tmp_path


def test_an_installed_package_comes_before_the_checkout(site: Path):
    folder = site / "footnotary_models" / "verifier-small"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    found = find_model("verifier-small")
    assert (found.folder, found.version) == (folder, "9.9")


def test_a_package_that_lost_its_files_is_not_used(site: Path):
    assert find_model("verifier-small").version is None


@pytest.mark.parametrize("name", SHIPPED_MODELS)
def test_the_checkout_has_every_model_and_its_card(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(model_packages, "distribution", not_installed)
    folder = locate_model(name)
    assert folder.name == SHIPPED_MODELS[name].checkout_folder
    assert (folder / "MODEL_CARD.md").is_file()


def test_a_model_that_is_nowhere_is_named_with_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(model_packages, "distribution", not_installed)
    monkeypatch.setattr(model_packages.resources, "files", lambda _: tmp_path)
    with pytest.raises(UsageError, match="the model verifier-large is not installed") as raised:
        locate_model("verifier-large")
    assert raised.value.hint == "pip install footnotary-models-verifier-large"
