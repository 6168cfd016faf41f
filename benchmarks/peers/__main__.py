"""Serves one system on loopback:  python -m benchmarks.peers NAME MODEL_URL PORT

To be run with the python of the environment that the system is installed in.
"""

from __future__ import annotations

import sys

from benchmarks.peers.serving import Peer, serve


def opened(name: str, base_url: str) -> Peer:
    if name == "llamaindex":
        from benchmarks.peers.llamaindex_peer import LlamaIndexPeer

        return LlamaIndexPeer(base_url)
    if name == "haystack":
        from benchmarks.peers.haystack_peer import HaystackPeer

        return HaystackPeer(base_url)
    if name == "langchain":
        from benchmarks.peers.langchain_peer import LangChainPeer

        return LangChainPeer(base_url)
    from benchmarks.peers.footnotary_peer import FootnotaryPeer

    return FootnotaryPeer(base_url, checked=name == "footnotary")


if __name__ == "__main__":
    serve(opened(sys.argv[1], sys.argv[2]), int(sys.argv[3]))
