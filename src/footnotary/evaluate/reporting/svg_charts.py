"""Charts for reports as inline SVG: no scripts or assets, colours from the page's style sheet, all text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from footnotary.evaluate.statistics.bootstrap import Estimate
from footnotary.evaluate.statistics.classification import Bin, OperatingPoint

_WIDTH, _HEIGHT = 520, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 28, 16, 46
_MAX_POINTS = 400


@dataclass(frozen=True, slots=True)
class _Frame:
    """Axes from 0 to `x_most` and 0 to `y_most`, in shares."""

    x_most: float
    y_most: float

    def x(self, value: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * min(value / self.x_most, 1.0), 1)

    def y(self, value: float) -> float:
        return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * min(value / self.y_most, 1.0), 1)

    def drawn(self, x_label: str, y_label: str) -> list[str]:
        parts: list[str] = []
        for i in range(6):
            across, up = self.x_most * i / 5, self.y_most * i / 5
            x, y = self.x(across), self.y(up)
            parts += [
                f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>',
                f'<text class="tick" text-anchor="end" x="{_LEFT - 8}" y="{y + 4}">{_format_share(up)}</text>',
                f'<text class="tick" text-anchor="middle" x="{x}" y="{_HEIGHT - _BOTTOM + 18}">'
                f"{_format_share(across)}</text>",
            ]
        middle = (_TOP + _HEIGHT - _BOTTOM) / 2
        parts += [
            f'<text class="axis" text-anchor="middle" x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}">'
            f"{escape(x_label)}</text>",
            f'<text class="axis" text-anchor="middle" transform="rotate(-90 14 {middle})" x="14" y="{middle}">'
            f"{escape(y_label)}</text>",
        ]
        return parts


def reliability_diagram(bins: Sequence[Bin], *, good: str = "supported") -> str:
    """The share of rows that are `good` against their score; on the diagonal both are equal."""
    frame = _Frame(1.0, 1.0)
    parts = frame.drawn("mean score of the bin", f"share {good}")
    parts.append(_line("chance", frame.x(0), frame.y(0), frame.x(1), frame.y(1)))
    most = max((b.rows for b in bins), default=1)
    for b in bins:
        height = round(34 * b.rows / most, 1)
        left, wide = frame.x(b.low) + 1, frame.x(b.high) - frame.x(b.low) - 2
        about = f"scores {b.low:.1f} to {b.high:.1f}: {b.rows} rows, mean {b.mean_score:.3f}, {b.supported:.1%} {good}"
        parts += [
            f'<rect class="mass" x="{left}" y="{frame.y(0) - height}" width="{round(wide, 1)}" height="{height}"/>',
            _line("gap", frame.x(b.mean_score), frame.y(b.mean_score), frame.x(b.mean_score), frame.y(b.supported)),
            _dot(frame.x(b.mean_score), frame.y(b.supported), about),
        ]
    points = " ".join(f"{frame.x(b.mean_score)},{frame.y(b.supported)}" for b in bins)
    parts.append(f'<polyline class="curve" points="{points}"/>')
    return _svg("Reliability diagram", parts)


def risk_coverage_curve(
    points: Sequence[OperatingPoint],
    *,
    threshold: float | None,
    limit: float | None = None,
    floor: float | None = None,
    rows: str = "claims",
    bad: str = "unsupported",
) -> str:
    """The `bad` share among the `rows` delivered, as more is delivered; the dot marks the threshold.

    `limit` draws the accepted risk. Thresholds below `floor` are drawn pale: they are not in use.
    """
    most = max([point.risk for point in points] + [limit or 0.0, 0.01])
    frame = _Frame(1.0, next(step for step in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if step >= min(most * 1.05, 1.0)))
    parts = frame.drawn(f"coverage: share of {rows} delivered", f"risk: {bad} share of those")
    if limit is not None:
        parts.append(_line("limit", frame.x(0), frame.y(limit), frame.x(1), frame.y(limit)))
        parts.append(
            f'<text class="tick limit-text" x="{_LEFT + 6}" y="{frame.y(limit) - 6}">'
            f"at most {_format_share(limit)} accepted</text>"
        )
    every = max(1, -(-len(points) // _MAX_POINTS))
    drawn = [point for i, point in enumerate(points) if i % every == 0 or i == len(points) - 1]
    used = [point for point in drawn if floor is None or point.threshold >= floor]
    for kind, of in (("curve pale", drawn), ("curve", used)):
        if of and not (kind == "curve pale" and len(used) == len(drawn)):
            line = " ".join(f"{frame.x(point.coverage)},{frame.y(point.risk)}" for point in of)
            parts.append(f'<polyline class="{kind}" points="{line}"/>')
    held = [point for point in points if threshold is not None and point.threshold >= threshold]
    if threshold is not None and held:
        at = held[-1]
        about = f"threshold {threshold:g}: {at.coverage:.1%} delivered, {at.unsupported} of {at.delivered} {bad}"
        parts.append(_dot(frame.x(at.coverage), frame.y(at.risk), about))
        anchor = "end" if at.coverage > 0.6 else "start"
        shift = -10 if anchor == "end" else 10
        below = frame.y(at.risk) + (20 if frame.y(at.risk) < _HEIGHT - _BOTTOM - 30 else -14)
        parts.append(
            f'<text class="mark" text-anchor="{anchor}" x="{frame.x(at.coverage) + shift}" y="{below}">'
            f"threshold {threshold:g}</text>"
        )
    return _svg("Risk-coverage curve", parts)


def bars(rows: Sequence[tuple[str, Estimate, bool]], *, chance: float | None, title: str) -> str:
    """One bar per (name, estimate, whether it belongs to the bar above), with its interval as a line."""
    step, left, right = 26, 210, 150
    wide = 720
    height = step * len(rows) + 34
    scale = (wide - left - right) / 1.0
    parts: list[str] = []
    for i in range(6):
        x = round(left + scale * i / 5, 1)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="4" y2="{height - 26}"/>')
        parts.append(f'<text class="tick" text-anchor="middle" x="{x}" y="{height - 8}">{_format_share(i / 5)}</text>')
    if chance is not None:
        parts.append(_line("limit", left + scale * chance, 4, left + scale * chance, height - 26))
    for i, (name, estimate, inner) in enumerate(rows):
        y = 4 + step * i + step / 2
        label = name if len(name) <= 30 else name[:29] + "…"
        parts.append(
            f'<text class="{"inner" if inner else "name"}" text-anchor="end" x="{left - 10}" y="{y + 4}">'
            f"{escape(label)}</text>"
        )
        if estimate.value is None:
            parts.append(f'<text class="tick" x="{left + 6}" y="{y + 4}">undefined here</text>')
            continue
        long = round(scale * estimate.value, 1)
        kind = "bar inner-bar" if inner else "bar"
        parts.append(
            f'<rect class="{kind}" x="{left}" y="{y - 7}" width="{long}" height="14" rx="2">'
            f"<title>{escape(f'{name}: {percent(estimate)}')}</title></rect>"
        )
        if estimate.low is not None and estimate.high is not None:
            low, high = round(left + scale * estimate.low, 1), round(left + scale * estimate.high, 1)
            parts += [_line("whisker", low, y, high, y), _line("whisker", low, y - 4, low, y + 4)]
            parts.append(_line("whisker", high, y - 4, high, y + 4))
        parts.append(f'<text class="value" x="{wide - right + 12}" y="{y + 4}">{escape(percent(estimate))}</text>')
    return _svg(title, parts, wide, height)


def time_bars(rows: Sequence[tuple[str, float, float]], title: str) -> str:
    """One bar per (name, median, 95th percentile) in milliseconds, the pale part reaching to the percentile."""
    step, left, right, wide = 26, 150, 190, 720
    height = step * len(rows) + 12
    scale = (wide - left - right) / (max((high for _, _, high in rows), default=0.0) or 1.0)
    parts: list[str] = []
    for i, (name, median, high) in enumerate(rows):
        y = 4 + step * i + step / 2
        said = f"{_format_duration(median)}, 95 % within {_format_duration(high)}"
        parts += [
            f'<text class="name" text-anchor="end" x="{left - 10}" y="{y + 4}">{escape(name)}</text>',
            f'<rect class="bar inner-bar" x="{left}" y="{y - 7}" width="{round(scale * high, 1)}" height="14" rx="2"/>',
            f'<rect class="bar" x="{left}" y="{y - 7}" width="{round(scale * median, 1)}" height="14" rx="2">'
            f"<title>{escape(f'{name}: {said}')}</title></rect>",
            f'<text class="value" x="{wide - right + 12}" y="{y + 4}">{said}</text>',
        ]
    return _svg(title, parts, wide, height)


def percent(estimate: Estimate) -> str:
    """76.1 (73.0–79.2), in percent; a dash where the labels leave it undefined."""
    if estimate.value is None:
        return "–"
    value = f"{100 * estimate.value:.1f}"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({100 * estimate.low:.1f}–{100 * estimate.high:.1f})"


def _svg(title: str, parts: Sequence[str], wide: int = _WIDTH, height: int = _HEIGHT) -> str:
    kind = "wide" if wide > _WIDTH else ""
    return (
        f'<svg class="{kind}" role="img" aria-label="{escape(title)}" viewBox="0 0 {wide} {height}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{round(x1, 1)}" y1="{round(y1, 1)}" x2="{round(x2, 1)}" y2="{round(y2, 1)}"/>'


def _dot(x: float, y: float, about: str) -> str:
    return f'<circle class="dot" cx="{x}" cy="{y}" r="4.5"><title>{escape(about)}</title></circle>'


def _format_duration(value: float) -> str:
    return f"{value / 1000:.2f} s" if value >= 1000 else f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"


def _format_share(value: float) -> str:
    return f"{100 * value:.3g} %"
