"""Model servers on this machine by name: `ollama/NAME` as a model is the model NAME on Ollama's usual port."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server as it is installed: its URL, and how it is started and given a model."""

    title: str
    base_url: str
    start: str
    add_model: str


LOCAL_SERVERS = {
    "ollama": LocalServer("Ollama", "http://127.0.0.1:11434/v1", "ollama serve", "ollama pull {model}"),
    "llamacpp": LocalServer(
        "llama.cpp", "http://127.0.0.1:8080/v1", "llama-server -m MODEL.gguf", "llama-server -m MODEL.gguf"
    ),
    "lmstudio": LocalServer("LM Studio", "http://127.0.0.1:1234/v1", "lms server start", "lms load {model}"),
    "vllm": LocalServer("vLLM", "http://127.0.0.1:8000/v1", "vllm serve {model}", "vllm serve {model}"),
}


@dataclass(frozen=True, slots=True)
class ModelLocation:
    """A model's name and the URL of its server, and what to do where either is missing."""

    model: str
    base_url: str | None
    hint: str = ""


def locate_model_server(model: str, base_url: str | None) -> ModelLocation:
    """Where a model is: `ollama/NAME` and the like on this machine, unless there is a base URL.

    With a base URL the name is passed on as it is. llama.cpp serves one model, so that `llamacpp` alone is enough.
    """
    name, _, named = model.partition("/")
    server = LOCAL_SERVERS.get(name)
    if base_url is not None or server is None or not (named or name == "llamacpp"):
        return ModelLocation(model, base_url)
    wanted = named or "default"
    start, add = (text.format(model=wanted) for text in (server.start, server.add_model))
    steps = f"start {server.title} with `{start}`" + (f" and fetch the model with `{add}`" if add != start else "")
    return ModelLocation(wanted, server.base_url, f"{steps}; a server elsewhere is named by --base-url")
