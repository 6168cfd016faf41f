"""Prints what a model could cheat with: label shares by kind, by source, by common claim word and by claim length."""

import re
from collections import Counter, defaultdict


def report(rows: list[dict[str, object]]) -> str:
    """A text table of label shares."""
    total = len(rows)
    share = sum(int(str(r["label"])) for r in rows) / total
    lines = [f"{total} rows, {share:.1%} supported", ""]
    kinds: dict[str, Counter[int]] = defaultdict(Counter)
    sources: dict[str, Counter[int]] = defaultdict(Counter)
    words: dict[str, Counter[int]] = defaultdict(Counter)
    lengths: dict[str, Counter[int]] = defaultdict(Counter)
    for r in rows:
        label = int(str(r["label"]))
        kind = str(r["kind"])
        kinds["reworded" + ("/premise" if kind.endswith("/premise") else "") if kind.startswith("reworded:") else kind][
            label
        ] += 1
        sources[str(r["source"])][label] += 1
        for word in set(re.findall(r"[a-z]+|\d", str(r["claim"]).lower())):
            words["<digit>" if word.isdigit() else word][label] += 1
        lengths[f"{len(str(r['claim']).split()) // 8 * 8:03d}+ words"][label] += 1
    for title, table, top in (
        ("kind", kinds, 200),
        ("source", sources, 50),
        ("claim word", words, 60),
        ("claim length", lengths, 20),
    ):
        lines.append(f"{title:28} {'rows':>7} supported")
        ranked = sorted(table.items(), key=lambda kv: -sum(kv[1].values()))[:top]
        lines.extend(f"{name:28} {sum(c.values()):7} {c[1] / sum(c.values()):.1%}" for name, c in ranked)
        lines.append("")
    skewed = sorted(
        ((c[1] / sum(c.values()), w, sum(c.values())) for w, c in words.items() if sum(c.values()) > total / 400)
    )
    lines.append(
        "most skewed claim words: " + ", ".join(f"{w} {s:.0%} ({n})" for s, w, n in [*skewed[:25], *skewed[-25:]])
    )
    return "\n".join(lines)
