"""Runs work in a child process, so that this process never opens a store and can keep forking."""

import json
import os
import traceback
from collections.abc import Callable


def run_in_child(do: Callable[[], dict]) -> dict:
    """What `do` returns in a child process; has the key `error` if the child failed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            found = do()
        except BaseException as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            found = {"error": f"{type(error).__name__}: {error} ({place.name})"}
        os.write(writer, json.dumps(found).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as output:
        answer = output.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else {"error": "the child wrote nothing"}
