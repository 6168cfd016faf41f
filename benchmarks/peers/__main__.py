"""Serves one system on loopback:  python -m benchmarks.peers NAME MODEL_URL PORT [MAX_TOKENS]

To be run with the python of the environment that the system is installed in.
"""

from __future__ import annotations

import sys

from benchmarks.peers.serving import Peer, serve


def opened(name: str, base_url: str, max_tokens: int | None = None) -> Peer:
    if name == "llamaindex":
        from benchmarks.peers.llamaindex_peer import LlamaIndexPeer

        return LlamaIndexPeer(base_url, max_tokens)
    if name == "haystack":
        from benchmarks.peers.haystack_peer import HaystackPeer

        return HaystackPeer(base_url, max_tokens)
    if name == "langchain":
        from benchmarks.peers.langchain_peer import LangChainPeer

        return LangChainPeer(base_url)
    if name == "langchain-cited":
        from benchmarks.peers.langchain_peer_cited import LangChainCitedPeer

        return LangChainCitedPeer(base_url, max_tokens)
    from benchmarks.peers.footnotary_peer import FootnotaryPeer

    return FootnotaryPeer(base_url, checked=name == "footnotary")


if __name__ == "__main__":
    serve(opened(sys.argv[1], sys.argv[2], int(sys.argv[4]) if sys.argv[4:] else None), int(sys.argv[3]))
