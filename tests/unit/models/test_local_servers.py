"""Models on this machine, named by their server."""

import pytest

from footnotary.errors import UsageError
from footnotary.model_server.local_servers import LOCAL_SERVERS, locate_model_server
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.wiring import open_model

DEFAULT = load_profile("default")


@pytest.mark.parametrize(
    ("model", "name", "port"),
    [
        ("ollama/qwen2.5:7b", "qwen2.5:7b", 11434),
        ("llamacpp", "default", 8080),
        ("llamacpp/any", "any", 8080),
        ("lmstudio/qwen2.5-7b-instruct", "qwen2.5-7b-instruct", 1234),
        ("vllm/Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-7B-Instruct", 8000),
    ],
)
def test_a_server_before_the_name_says_where_the_model_is(model, name, port):
    at = locate_model_server(model, None)
    assert (at.model, at.base_url) == (name, f"http://127.0.0.1:{port}/v1")
    assert LOCAL_SERVERS[model.partition("/")[0]].title in at.hint


@pytest.mark.parametrize("model", ["gpt-4o-mini", "Qwen/Qwen2.5-7B-Instruct", "ollama", "ollama/", "Ollama/x"])
def test_any_other_name_is_passed_on(model):
    assert locate_model_server(model, None).base_url is None
    assert locate_model_server(model, None).model == model


def test_a_base_url_is_never_replaced():
    at = locate_model_server("ollama/qwen2.5", "http://10.0.0.7:9000/v1")
    assert (at.model, at.base_url) == ("ollama/qwen2.5", "http://10.0.0.7:9000/v1")


def test_a_model_without_server_and_key_is_an_error_that_names_the_ways():
    with pytest.raises(UsageError, match="neither a server nor an API key") as caught:
        open_model(load_settings({"model": "qwen2.5"}, environ={}), DEFAULT)
    assert "ollama/NAME" in caught.value.hint
    assert open_model(load_settings({"model": "gpt-4o-mini", "api_key": "k"}, environ={}), DEFAULT) is not None
    assert open_model(load_settings({"model": "ollama/qwen2.5"}, environ={}), DEFAULT).name == "qwen2.5"
