"""A real service on loopback with a scripted model and a recorder on its socket."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import openai
import uvicorn

from footnotary.mcp_server.mount import create_app_with_mcp
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.chat_server import ChatServer, claims, replies
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.socket_recorder import SocketRecorder

ACT = """ACT: Indian Penal Code, 1860
CODE: IPC
KIND: act

Section 420. Cheating and dishonestly inducing delivery of property.
Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished with imprisonment for a term which may extend to seven years, and shall also be liable to fine.
"""
BY_CLAIM = 'name = "byclaim"\nextends = "legal"\ndescription = "Claim by claim."\n\n[streaming]\nrelease = "claim"\n'
QUESTION = "What is the punishment for cheating under section 420 IPC?"
REFUSAL = "I cannot answer based on the provided documents."

GOOD = (
    "Whoever cheats shall be punished with imprisonment which may extend to seven years.",
    "Whoever cheats shall also be liable to fine.",
)
# Not one of these words is in the question, the source or a good claim.
BAD = "Zebrafish quartermasters invariably forfeit ninety-three caravans."
REJECTED_WORDS = tuple(BAD.rstrip(".").casefold().split())


def says(*texts):
    """A model that replies with these claims, each citing the first source."""
    return replies(claims(*((text, [1]) for text in texts)))


@dataclass
class Live:
    """The service as a client sees it: `url` goes through the recorder, `model` is the language model."""

    url: str
    state: ServiceState
    recorder: SocketRecorder
    model: ChatServer
    keys: dict[str, str] = field(default_factory=dict)
    clients: ExitStack = field(default_factory=ExitStack)

    def client(self, key: str = "none") -> openai.OpenAI:
        """An unmodified client of the service. It is closed with the service: left to the garbage collector, its sockets
        would fail whichever test runs then."""
        return self.clients.enter_context(openai.OpenAI(base_url=f"{self.url}/v1", api_key=key, max_retries=0))

    def leaked(self) -> list[str]:
        """Pieces of the rejected claim that were sent, however they were split or escaped."""
        sent = self.recorder.sent.decode("utf-8", "replace").casefold()
        pieces = {word[i : i + 5] for word in REJECTED_WORDS for i in range(len(word) - 4)}
        return sorted(piece for piece in pieces if piece in sent)


@contextmanager
def served(home, *behaviours, **settings) -> Iterator[Live]:
    with ExitStack() as stack:
        model = stack.enter_context(ChatServer(*behaviours))
        (home / "profiles").mkdir(parents=True, exist_ok=True)
        (home / "profiles" / "byclaim.toml").write_text(BY_CLAIM)
        given = {"home": home, "model": "scripted", "base_url": model.base_url, "api_key": "none", "profile": "legal"}
        state = ServiceState(
            load_settings({"verifier": "lexical", **given, "project": "law", **settings}, {}, home), HashEmbedder()
        )
        assert not state.tenant("local").corpus.ingest_text("ipc.txt", ACT, "law").failed
        server = uvicorn.Server(uvicorn.Config(create_app_with_mcp(state), port=0, log_level="error"))
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            while not server.started:
                threading.Event().wait(0.01)
            recorder = stack.enter_context(SocketRecorder(server.servers[0].sockets[0].getsockname()[1]))
            live = Live(recorder.url, state, recorder, model)
            with live.clients:
                yield live
        finally:
            server.should_exit = True
            thread.join()
