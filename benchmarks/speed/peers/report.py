"""The table of peers."""

from __future__ import annotations

from typing import Any

LABELS = {
    "llamaindex": "LlamaIndex, SimpleVectorStore",
    "haystack": "Haystack, InMemoryDocumentStore",
    "langchain": "LangChain, InMemoryVectorStore",
    "chroma": "Chroma, persistent client",
    "lancedb": "LanceDB, table without index",
    "faiss": "FAISS, IndexFlatIP",
    "footnotary-store": "Footnotary, embedded store alone",
    "footnotary-lexical": "Footnotary, whole product, lexical mode",
    "footnotary-small": "Footnotary, whole product, small tier",
}
COLUMNS = (
    ("ingest_s", 2), ("ingest_cpu_s", 2), ("search_ms", 1), ("search_cpu_ms", 1), ("recall", 2), ("answer_ms", 1),
    ("answer_cpu_ms", 1), ("answered", 2), ("rss_mb", 0), ("disk_mb", 1),
)  # fmt: skip
HEADS = (
    "ingest, s", "processor s", "search, ms", "processor ms", "recall at 10", "answer, ms", "processor ms", "answered",
    "resident MB", "disk MB",
)  # fmt: skip


def as_markdown(record: dict[str, Any]) -> str:
    environments, systems = record["environments"], record["systems"]
    lines = [
        "# Peers on the same passages, questions and vectors\n",
        f"Made by `{record['command']}` on {record['machine']}; load at the start {record['load']:.1f}, so compare processor time and",
        f"figures of this run only. {record['passages']:,} passages of about 500 characters ({record['texts']}), each given with a",
        f"vector of {record['dimensions']} dimensions from Footnotary's fast embedder, which no peer has to compute. Searches return ten",
        "passages; answers are over ten questions whose passage is among the others, with a model that replies immediately.",
        "Stores alone give no answers. The whole product also cuts, examines, embeds and checksums at ingest, searches by",
        "words and vectors, and verifies every claim; its vectors are its own, so recall is not comparable.\n",
        f"| system | {' | '.join(HEADS)} |",
        "|---|" + "--:|" * len(HEADS),
    ]
    for name, label in LABELS.items():
        found = systems.get(name) or environments.get(name) or {"error": "not run"}
        if "ingest_s" not in found:
            lines.append(f"| {label} | did not run: {found.get('error', 'not run')} |" + " |" * (len(HEADS) - 1))
            continue
        lines.append(f"| {label} | " + " | ".join(_cell(found.get(key), digits) for key, digits in COLUMNS) + " |")
    lines += [
        "",
        "Install into an empty environment, downloads included and nothing cached; seconds depend on the network and on the load.\n",
        "| packages | seconds | MB on disk |",
        "|---|--:|--:|",
    ]
    for name, found in environments.items():
        what = ", ".join(found.get("versions") or []) or name
        if "error" in found:
            lines.append(f"| {what} | not installed: {found['error']} | |")
        else:
            lines.append(f"| {what} | {found['install_s']:.0f} | {found['install_mb']:.0f} |")
    return "\n".join(lines) + "\n"


def _cell(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"
