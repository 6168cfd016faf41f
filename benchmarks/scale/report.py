"""What was measured at several sizes, as a page."""

from typing import Any

_ROWS = (
    ("taking in, chunks/s", lambda n, r: n / r["ingest_s"], ",.0f"),
    ("taking in, chunks per second of processor time", lambda n, r: n / r["ingest_cpu_s"], ",.0f"),
    ("opening and the first search, s", lambda _, r: r["open_s"], ".2f"),
    ("the same, nothing of the files in memory, s", lambda _, r: r["open_cold_s"], ".2f"),
    ("resident while searching, MB", lambda _, r: r["rss_mb"], ",.0f"),
    ("of it not pages of files, MB", lambda _, r: r["own_mb"], ",.0f"),
    ("on disk, MB", lambda _, r: r["disk_mb"], ",.0f"),
    ("dense, exact scan, p50 / p99 ms", lambda _, r: r["exact"], "times"),
    ("dense as searched, p50 / p99 ms", lambda _, r: r["dense"], "times"),
    ("exact scan as a multiple of it, clock", lambda _, r: r["exact"]["p50"] / r["dense"]["p50"], ".1f"),
    (
        "exact scan as a multiple of it, processor time",
        lambda _, r: r["exact"]["cpu_p50"] / r["dense"]["cpu_p50"],
        ".1f",
    ),
    ("of the exact best 10, found", lambda _, r: r["recall"], ".4f"),
    ("of the exact best 50, found", lambda _, r: r["recall_50"], ".4f"),
    ("lexical, p50 / p99 ms", lambda _, r: r["lexical"], "times"),
    ("lexical, six frequent terms, p50 / p99 ms", lambda _, r: r["frequent"], "times"),
    ("hybrid top 10, p50 / p99 ms", lambda _, r: r["hybrid"], "times"),
    ("hybrid top 10, processor time, p50 ms", lambda _, r: r["hybrid"]["cpu_p50"], ".1f"),
)


def as_markdown(record: dict[str, Any]) -> str:
    sizes: dict[str, Any] = record["sizes"]
    columns = [(int(n), who, measured) for n, both in sizes.items() for who, measured in both.items() if who != "load"]
    loads = ", ".join(f"{both['load']:.1f} at {int(n):,}" for n, both in sizes.items())
    head = f"| | {' | '.join(f'{n:,} {who}' for n, who, _ in columns)} |"
    lines = [
        "# The embedded store at scale\n",
        f"Made by `{record['command']}` on {record['machine']}; load of the machine at the end of each size: {loads}.\n",
        "Chunks are pieces of about 500 characters of real acts, above some hundred thousand variations of them in which",
        f"every sixth word is another's. {record['embedded']:,} vectors are real ones of the default embedder; the others mix two of",
        "these with noise. Questions are 200 headings of sections, embedded. A list has 50 candidates; hybrid is both",
        "lists, fused, and the ten passages read. Taking in is from chunks and vectors to what every search sees, each",
        "thousand chunks safe on disk before the next; no parsing, no embedding. LanceDB adds 20,000 rows at a time and then",
        "builds its indexes (IVF-PQ from 50,000 rows on, full text) with its defaults, is searched with 64 probes and refinement by 20.\n",
        head,
        f"|---|{'--:|' * len(columns)}",
    ]
    for name, value, form in _ROWS:
        cells = [_cell(value, form, n, measured) for n, _, measured in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", *_growth(sizes), *(f"\n{note}" for note in record.get("notes", ()))]) + "\n"


def _cell(value: Any, form: str, count: int, measured: dict[str, Any]) -> str:
    try:
        found = value(count, measured)
    except KeyError:
        return ""
    return f"{found['p50']:.1f} / {found['p99']:.1f}" if form == "times" else format(found, form)


def _growth(sizes: dict[str, Any]) -> list[str]:
    if not {"100000", "1000000"} <= sizes.keys():
        return []
    small, large = sizes["100000"]["ours"], sizes["1000000"]["ours"]
    grown = {name: large[name]["cpu_p50"] / small[name]["cpu_p50"] for name in ("hybrid", "dense", "exact", "lexical")}
    said = ", ".join(f"{name} {times:.1f} times" for name, times in grown.items())
    return [f"From 100,000 to a million the processor time of a search grows: {said}."]
