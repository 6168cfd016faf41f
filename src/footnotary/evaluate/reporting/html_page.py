"""One self-contained HTML page: inline style sheet, light and dark, for print and small screens."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_STYLE = """
:root { color-scheme: light dark; --paper: #fcfbf9; --card: #ffffff; --ink: #1c2126; --soft: #5d6670; --line: #e4e3de;
  --accent: #2b6a5a; --pale: #bcd3cb; --mass: #dfe8e4; --warn: #b3492a; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --card: #1b1f23; --ink: #e9ebed; --soft: #9aa4ae;
  --line: #2d3338; --accent: #74c7ad; --pale: #35564c; --mass: #24332f; --warn: #ec8f6b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 24px 64px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 8px; letter-spacing: -0.01em; }
h2 { font-size: 1.2rem; margin: 44px 0 12px; }
p { max-width: 72ch; margin: 0 0 12px; }
.lead, .note, caption { color: var(--soft); }
.note { font-size: 0.9rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 12px; margin: 24px 0; }
.tile, figure, .scroll { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.tile { padding: 14px 16px; }
.tile b { display: block; font-size: 1.7rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 0.86rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 16px; }
figure { margin: 0; padding: 16px; overflow-x: auto; } svg.wide { min-width: 600px; }
figcaption { color: var(--soft); font-size: 0.88rem; margin-top: 8px; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--soft); } svg .name, svg .value, svg .mark { fill: var(--ink); }
svg .mark, svg .limit-text { paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
svg .name, svg .mark { font-weight: 600; } svg .value { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); } svg .chance, svg .limit { stroke: var(--soft); stroke-dasharray: 4 4; }
svg .limit { stroke: var(--warn); } svg .limit-text { fill: var(--warn); }
svg .curve { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
svg .pale { stroke: var(--pale); } svg .dot { fill: var(--accent); stroke: var(--card); stroke-width: 1.5; }
svg .gap { stroke: var(--warn); stroke-width: 1.5; } svg .mass { fill: var(--mass); }
svg .bar { fill: var(--accent); opacity: 0.85; } svg .inner-bar { fill: var(--pale); opacity: 1; }
svg .whisker { stroke: var(--ink); stroke-width: 1.4; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 8px 12px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } th { color: var(--soft); font-weight: 600; }
tr:last-child td { border-bottom: 0; } tr.inner td:first-child { padding-left: 28px; color: var(--soft); }
tr.total td { font-weight: 600; }
td small { display: block; color: var(--soft); font-size: 0.78rem; font-weight: 400; }
th { vertical-align: bottom; } th:not(:first-child) { white-space: normal; } td { vertical-align: top; }
details { margin: 10px 0; } summary { cursor: pointer; padding: 6px 0; }
blockquote { margin: 20px 0; padding: 14px 18px; border-left: 4px solid var(--accent); background: var(--card); }
blockquote.not { border-color: var(--warn); }
code { font: 0.88em ui-monospace, "SF Mono", Menlo, monospace; overflow-wrap: anywhere; }
@media print { body { background: none; } details > * { display: block; } }
"""


def page(title: str, lead: str, sections: Sequence[str]) -> str:
    """The whole document; `sections` are HTML, title and lead are text."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f'<body><main><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p>\n'
        + "\n".join(sections)
        + "\n</main></body></html>\n"
    )


def tiles(values: Sequence[tuple[str, str]]) -> str:
    """Large numbers with their captions."""
    inside = "".join(f'<div class="tile"><b>{escape(v)}</b><span>{escape(n)}</span></div>' for v, n in values)
    return f'<div class="tiles">{inside}</div>'


def figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def side_by_side(*figures: str) -> str:
    """Figures side by side where there is room."""
    return f'<div class="pair">{"".join(figures)}</div>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], kinds: Sequence[str] | None = None) -> str:
    """A table of texts; the first column holds names; `kinds` are CSS classes of rows (inner, total)."""
    kinds = kinds or [""] * len(rows)
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        f'<tr class="{kind}"><td>{escape(row[0])}</td>'
        + "".join(f"<td>{_value(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row, kind in zip(rows, kinds, strict=True)
    )
    return f'<div class="scroll"><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'


def markdown_cell(text: str) -> str:
    """A text as a cell of a Markdown table: one line, with markup escaped."""
    return " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")


def _value(text: str) -> str:
    """A value with its interval in small print below."""
    value, bracket, interval = text.partition(" (")
    return escape(value) + (f"<small>{escape(interval.removesuffix(')'))}</small>" if bracket else "")


def heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str, kind: str = "") -> str:
    return f'<p class="{kind}">{escape(text)}</p>'


def highlighted(text: str, *, holds: bool) -> str:
    """A highlighted statement; the colour shows whether it holds."""
    return f'<blockquote class="{"" if holds else "not"}">{escape(text)}</blockquote>'


def collapsible(summary: str, inside: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"
