"""Opens the service's page in the user's browser."""

import threading
import webbrowser
from collections.abc import Callable


def open_page(host: str, port: int, opener: Callable[[str], bool] | None = None) -> threading.Thread:
    """Opens the page without waiting for it: a text browser blocks until it is closed.

    A wildcard address is reached on this machine by loopback.
    """
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 (not bound here)
    url = f"http://{f'[{reachable}]' if ':' in reachable else reachable}:{port}/"
    opening = threading.Thread(target=opener or webbrowser.open, args=(url,), daemon=True)
    opening.start()
    return opening
