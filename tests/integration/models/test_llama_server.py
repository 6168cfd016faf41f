"""Real language models on llama.cpp's own server: the smallest one behind an endpoint, and the base with our adapter.

Runtime and weights are those of `benchmarks.llm`, out of its cache; where they are not there, the tests are skipped.
"""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.llm.server import RUNTIME
from benchmarks.llm.weights import CACHE, WEIGHTS
from footnotary.cli.operations.models import unpacked_adapter
from footnotary.errors import BackendError, ModelError, UsageError
from footnotary.models import llama_server, xllamacpp_server
from footnotary.models.base_model import add_base
from footnotary.models.llama_server import LlamaRuntime, RunningServer, server_command
from footnotary.models.model_packages import locate_model
from footnotary.ports import FusionWeights, PassageText, Reader
from footnotary.reader.calibration import ReaderCalibration
from footnotary.reader.language_model.golden_pairs import check_round_trip
from footnotary.reader.language_model.reader import LanguageModelReader, YesNoEndpoint
from footnotary.reader.language_model.server import XL_MODEL, ReadingModel, VerifierServer
from footnotary.reader.language_model.xl import open_xl_model
from footnotary.testing.chat_server import unused_url
from footnotary.testing.fake_reader import FakeReader
from footnotary.testing.reader_conformance import ReaderConformance

pytestmark = pytest.mark.server

PYTHON = CACHE / RUNTIME.replace("==", "-") / "bin" / "python"
MODEL = ReadingModel("smol@0", "smol", ("en",), 120, ReaderCalibration(), FusionWeights())
KEY = "The caretaker keeps the key of the hall. She lives next door."


def unused_port() -> int:
    return urlsplit(unused_url()).port or 0


def runtime() -> LlamaRuntime:
    if not PYTHON.exists():
        pytest.skip(f"{RUNTIME} is not in {CACHE}: python -m benchmarks.llm.run fetches it")
    return LlamaRuntime("xllamacpp", (str(PYTHON), str(Path(xllamacpp_server.__file__))))


def weights(which: str) -> Path:
    path = CACHE / f"{WEIGHTS[which].sha256[:16]}.gguf"
    if not path.is_file():
        pytest.skip(f"{WEIGHTS[which].name} is not in {CACHE}: python -m benchmarks.llm.run fetches it")
    return path


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(scope="module")
def smallest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log, port = tmp_path_factory.mktemp("smol") / "server.log", unused_port()
    with RunningServer(server_command(runtime(), weights("smallest"), None, "smol", port), port, log) as server:
        yield server.url


class TestTheSmallestModel(ReaderConformance):
    @pytest.fixture
    def reader(self, smallest: str) -> Reader:
        return LanguageModelReader(YesNoEndpoint(MODEL, VerifierServer(smallest, "smol", timeout_s=300)), FakeReader())


def test_a_second_process_gets_the_same_error(smallest: str):
    pairs = [("Who keeps the key?", [PassageText("Keys", KEY)]), ("Who sells lamps?", [PassageText("Keys", KEY)])]
    first, again = (
        LanguageModelReader(YesNoEndpoint(MODEL, VerifierServer(smallest, "smol", timeout_s=300)), FakeReader())
        for _ in range(2)
    )
    assert list(first.answers(pairs)) == pytest.approx(list(again.answers(pairs)), abs=0.02)


def test_a_model_under_another_name_is_not_taken_for_ours(smallest: str):
    model = open_xl_model(locate_model("reader-xl"), VerifierServer(smallest))
    reader = LanguageModelReader(YesNoEndpoint(model, VerifierServer(smallest)), FakeReader())
    with pytest.raises(ModelError, match=f"runs the model 'smol', not '{XL_MODEL}'"):
        check_round_trip(reader, smallest)


def test_a_server_that_cannot_load_its_model_ends_and_says_where_it_logged(tmp_path: Path):
    broken, log, port = tmp_path / "broken.gguf", tmp_path / "server.log", unused_port()
    broken.write_bytes(b"GGUF" + b"\0" * 100)
    with pytest.raises(BackendError, match="the model server ended") as caught:
        RunningServer(server_command(runtime(), broken, broken, XL_MODEL, port), port, log)
    assert str(log) in caught.value.hint


SCRIPTED = """
import sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(sys.argv[2]))
        self.end_headers()
HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def scripted(port: int, status: int = 200) -> list[str]:
    return [sys.executable, "-c", SCRIPTED, str(port), str(status)]


def test_a_server_is_ready_when_it_says_so_and_gone_at_the_end(tmp_path: Path):
    port = unused_port()
    with RunningServer(scripted(port), port, tmp_path / "log") as server:
        assert server.url == f"http://127.0.0.1:{port}/v1"
        with pytest.raises(UsageError, match=f"port {port} cannot be used") as caught:
            RunningServer(scripted(port), port, tmp_path / "other.log")
        assert "--port" in caught.value.hint
    with socket.socket() as probe, pytest.raises(OSError, match="refused"):
        probe.connect(("127.0.0.1", port))


def test_a_server_that_never_gets_ready_is_ended(tmp_path: Path):
    port = unused_port()
    with pytest.raises(BackendError, match="not ready in time"):
        RunningServer(scripted(port, 503), port, tmp_path / "log", ready_within_s=2)
    with socket.socket() as probe, pytest.raises(OSError, match="refused"):
        probe.connect(("127.0.0.1", port))


def test_both_runtimes_get_the_same_arguments(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(llama_server.shutil, "which", lambda _: "/usr/bin/llama-server")
    found = llama_server.require_runtime()
    assert (
        server_command(found, Path("b.gguf"), Path("a.gguf"), XL_MODEL, 8611)
        == (
            "/usr/bin/llama-server -m b.gguf --alias footnotary-reader-xl -c 8192 "
            "--host 127.0.0.1 --port 8611 --lora a.gguf -np 1"
        ).split()
    )
    monkeypatch.setattr(llama_server.shutil, "which", lambda _: None)
    monkeypatch.setattr(llama_server, "find_spec", lambda _: object())
    assert llama_server.require_runtime().command[1:] == ("-m", "footnotary.models.xllamacpp_server")
    monkeypatch.setattr(llama_server, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"no llama\.cpp runtime is installed") as caught:
        llama_server.require_runtime()
    assert "pip install 'footnotary[xl]'" in caught.value.hint


def test_the_base_with_our_adapter_distinguishes_two_pairs(tmp_path: Path):
    """A minute on two cores."""
    base = add_base(weights("best"), tmp_path)
    assert base.exact
    try:
        adapter = unpacked_adapter(tmp_path)
    except UsageError as error:
        pytest.skip(str(error))
    port = unused_port()
    command = server_command(runtime(), Path(base.path), adapter, XL_MODEL, port)
    with RunningServer(command, port, tmp_path / "server.log") as server:
        asked = VerifierServer(server.url, timeout_s=300)
        reader = LanguageModelReader(
            YesNoEndpoint(open_xl_model(locate_model("reader-xl"), asked), asked), FakeReader()
        )
        assert "works" in check_round_trip(reader, server.url)
        yes, no = reader.answers(
            [("Who keeps the key?", [PassageText("", KEY)]), ("Who sells lamps?", [PassageText("", KEY)])]
        )
        assert yes > 0.5 > no
