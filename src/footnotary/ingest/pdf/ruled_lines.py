"""Straight lines drawn on the pages of a PDF, for table detection: borders, and the edges of filled boxes."""

import ctypes
import math
from collections.abc import Iterator
from typing import Any, TypeAlias

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
Corners: TypeAlias = tuple[float, float, float, float]

_MAX_SEGMENTS = 40_000
_MAX_FORM_DEPTH = 4
_MIN_RULE_POINTS, _MAX_SKEW_POINTS = 4.0, 1.0  # points
_IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


def find_drawn_rules(raw: Any, page: Any) -> list[Corners]:
    """Left, bottom, right and top of every horizontal or vertical line on the stored page; none if it is a drawing."""
    found: list[Corners] = []
    for count, rule in enumerate(_segments(raw, _objects(raw, page), _IDENTITY, 0)):
        if count > _MAX_SEGMENTS:
            return []
        left, right = sorted((rule[0], rule[2]))
        bottom, top = sorted((rule[1], rule[3]))
        if min(right - left, top - bottom) <= _MAX_SKEW_POINTS and max(right - left, top - bottom) >= _MIN_RULE_POINTS:
            found.append((left, bottom, right, top))
    return found


def _objects(raw: Any, page: Any) -> Iterator[Any]:
    for at in range(raw.FPDFPage_CountObjects(page)):
        yield raw.FPDFPage_GetObject(page, at)


def _segments(raw: Any, objects: Iterator[Any], outer: Matrix, depth: int) -> Iterator[Corners]:
    """Start and end points of every straight stroke, in page coordinates."""
    own = raw.FS_MATRIX()
    for item in objects:
        kind = raw.FPDFPageObj_GetType(item)
        if kind not in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM):
            continue
        matrix = outer
        if raw.FPDFPageObj_GetMatrix(item, ctypes.byref(own)):
            matrix = _compose((own.a, own.b, own.c, own.d, own.e, own.f), outer)
        if kind == raw.FPDF_PAGEOBJ_PATH:
            yield from _path_segments(raw, item, matrix)
        elif depth < _MAX_FORM_DEPTH:
            inner = (raw.FPDFFormObj_GetObject(item, at) for at in range(raw.FPDFFormObj_CountObjects(item)))
            yield from _segments(raw, inner, matrix, depth + 1)


def _path_segments(raw: Any, path: Any, matrix: Matrix) -> Iterator[Corners]:
    x, y = ctypes.c_float(), ctypes.c_float()
    before: tuple[float, float] | None = None
    begun: tuple[float, float] | None = None
    for at in range(raw.FPDFPath_CountSegments(path)):
        segment = raw.FPDFPath_GetPathSegment(path, at)
        if not raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            continue
        point = _on_page((x.value, y.value), matrix)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            begun = point
        elif kind == raw.FPDF_SEGMENT_LINETO and before is not None:
            yield (*before, *point)
        if raw.FPDFPathSegment_GetClose(segment) and begun is not None:
            yield (*point, *begun)
        before = point


def _compose(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _on_page(point: tuple[float, float], by: Matrix) -> tuple[float, float]:
    x, y = point
    across, up = by[0] * x + by[2] * y + by[4], by[1] * x + by[3] * y + by[5]
    return (across, up) if math.isfinite(across) and math.isfinite(up) else (0.0, 0.0)
