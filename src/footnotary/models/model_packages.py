"""Where the weights of a shipped model are: in an installed model package, or in the checkout."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from footnotary.errors import UsageError

# The namespace package that all model packages share; it holds folders of weights and no code.
NAMESPACE = "footnotary_models"


@dataclass(frozen=True, slots=True)
class ShippedModel:
    """A model by its public name, the package that carries it, and its folder in the checkout.

    The folder in the checkout has the name the model was trained under, which audit records keep. An `optional` one
    comes with an extra, not with the product.
    """

    name: str
    package: str
    checkout_folder: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """Where one model was found. `version` is that of its package; None means that it comes from the checkout."""

    model: ShippedModel
    folder: Path
    version: str | None


SHIPPED_MODELS = {
    model.name: model
    for model in (
        ShippedModel("footnotary-30m", "footnotary-models-embedders", "footnotary-30m"),
        ShippedModel("static-multilingual", "footnotary-models-embedders", "static-multilingual"),
        ShippedModel("verifier-large", "footnotary-models-verifier-large", "judge-large"),
        ShippedModel("verifier-small", "footnotary-models-small", "judge-small"),
        ShippedModel("injection-small", "footnotary-models-small", "orders-small"),
        ShippedModel("reader-hindi", "footnotary-models-small", "reader-hindi"),
        ShippedModel("reader-xl", "footnotary-models-xl", "reader-xl", optional=True),
    )
}


def locate_model(name: str) -> Path:
    """The folder of a shipped model. Raises `UsageError` where neither a package nor the checkout has it."""
    return find_model(name).folder


def find_model(name: str) -> InstalledModel:
    """The installed package is looked at first, then the checkout."""
    model = SHIPPED_MODELS[name]
    found = _in_package(model) or _in_checkout(model)
    if found is None:
        raise UsageError(f"the model {name} is not installed", hint=f"pip install {model.package}")
    return found


def _in_package(model: ShippedModel) -> InstalledModel | None:
    try:
        package = distribution(model.package)
    except PackageNotFoundError:
        return None
    folder = Path(str(package.locate_file(NAMESPACE))) / model.name
    return InstalledModel(model, folder, package.version) if _holds_weights(folder) else None


def _in_checkout(model: ShippedModel) -> InstalledModel | None:
    folder = Path(str(resources.files("footnotary"))) / "weights" / model.checkout_folder
    return InstalledModel(model, folder, None) if _holds_weights(folder) else None


def _holds_weights(folder: Path) -> bool:
    return (folder / "config.json").is_file()
