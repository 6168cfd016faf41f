"""Settings to the models that embed and generate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.errors import UsageError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.model_server.local_servers import LOCAL_SERVERS, locate_model_server
from footnotary.models.model_packages import locate_model
from footnotary.settings import DEFAULT_TIMEOUT_S
from footnotary.wiring.readers import open_reader_for

if TYPE_CHECKING:
    from footnotary.ports import ChatModel, Embedder, Generator
    from footnotary.profiles.schema import Profile
    from footnotary.settings import Settings

_LOCAL_TIMEOUT_S = 300.0
_LOCAL = ", ".join(f"{name}/NAME" for name in LOCAL_SERVERS)
EMBEDDERS = {"default": "footnotary-30m", "fast": "static-multilingual"}


def open_embedder(name: str) -> Embedder:
    """The shipped embedder of that tier, or one from a folder of weights."""
    from footnotary.models.onnx_embedder import OnnxEmbedder
    from footnotary.models.static_embedder import StaticEmbedder

    folder = locate_model(EMBEDDERS[name]) if name in EMBEDDERS else Path(name)
    if not (folder / "config.json").is_file():
        raise UsageError(f"there is no embedder {name!r}", hint=f"use {' or '.join(EMBEDDERS)}, or a folder of weights")
    return StaticEmbedder(folder) if (folder / "table.npy").is_file() else OnnxEmbedder(folder)


def open_generator(settings: Settings, profile: Profile) -> Generator:
    """The extractive generator, or one that drafts with the chat model the settings name."""
    model = open_model(settings, profile)
    if model is None:
        return ExtractiveGenerator(profile, open_reader_for(profile, settings))
    from footnotary.generate.chat.generator import ChatGenerator

    return ChatGenerator(model, profile)


def open_quoter(settings: Settings, profile: Profile) -> Generator | None:
    """What quotes the sources where a chat model's draft is rejected; none where the profile refuses instead."""
    if settings.model is None or profile.generation.on_rejected != "quote":
        return None
    return ExtractiveGenerator(profile, open_reader_for(profile, settings))


def open_model(settings: Settings, profile: Profile) -> ChatModel | None:
    """The chat model the settings name; none means that answers are extractive. Raises `UsageError`."""
    if settings.model is None:
        return None
    from footnotary.generate.chat.openai_model import OpenAIModel

    at = locate_model_server(settings.model, settings.base_url)
    if at.base_url is None and settings.api_key is None:
        raise UsageError(
            f"there is neither a server nor an API key for the model {settings.model!r}",
            hint=f"for a model on this machine, put its server before the name ({_LOCAL}), or give --base-url URL; "
            "for OpenAI, set OPENAI_API_KEY",
        )
    # A model on a CPU may read a prompt for minutes; a timeout that the user sets takes precedence.
    waits = at.hint and settings.timeout_s == DEFAULT_TIMEOUT_S
    return OpenAIModel(
        at.model,
        base_url=at.base_url,
        api_key=settings.api_key,
        timeout_s=_LOCAL_TIMEOUT_S if waits else settings.timeout_s,
        max_tokens=profile.generation.max_tokens,
        hint=at.hint,
    )
