"""The limit to compare with: uvicorn with one route that runs the answer pipeline and nothing else.

python -m benchmarks.service.bare_endpoint HOME EMBEDDER VERIFIER PROFILE

Prints the port it listens on.
"""

import asyncio
import json
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import uvicorn

from footnotary.domain.query import Scope
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.wiring import opened

Message = MutableMapping[str, Any]


def main(home: str, embedder: str, verifier: str, profile: str) -> None:
    threads = ThreadPoolExecutor(2)
    listener = socket.create_server(("127.0.0.1", 0))
    with opened(
        load_settings({"home": Path(home), "embedder": embedder, "verifier": verifier}), load_profile(profile)
    ) as open_:

        async def app(
            _: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
        ) -> None:
            body, more = b"", True
            while more:
                message = await receive()
                body, more = body + message.get("body", b""), message.get("more_body", False)
            said = json.loads(body)
            asking = asyncio.get_running_loop().run_in_executor(
                threads, open_.engine.ask, said["query"], Scope(said["project_id"])
            )
            text = type(await asking).__name__.encode()
            await send(
                {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(text))]}
            )
            await send({"type": "http.response.body", "body": text})

        print(listener.getsockname()[1], flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off")).run([listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
