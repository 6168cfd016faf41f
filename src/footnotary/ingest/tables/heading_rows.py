"""Which rows of a table are headings, and the name of each column that they give."""

import re
from collections import Counter
from collections.abc import Sequence

_MAX_HEADING_CHARS = 120
_MIN_NUMERIC_ROWS = 2
_MIN_NUMERIC_ROWS_OF_TWO_COLUMNS = 4  # "Name | Ann", "Age | 30" is a form, not a table with the heading "Ann"
_NUMBER = re.compile(r"[(\s]*[-–−+~≈<>]?\s*[^\w\s()]{0,3}\s*[(-]?\d[\d.,' \u00a0\u2009\u202f]*\)?\s*[^\w\s]{0,2}\s*\)?")
_DIGIT = re.compile(r"\d")
_EMPTY_VALUE = re.compile(r"[-–—.…*†/\s]*|n/?a\.?", re.I)
_MIN_ROWS_WITH_DIGITS = 3
_MAX_UNIT_CHARS = 15
_MIN_ROWS_BELOW_A_LIKELY_HEADING = 2
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d(?:\s?[-–/]\s?(?:\d{2}|\d{4}))?")
# "(in millions)", "(₹ crore)", "(In thousands, except per share data)"
_UNIT_NOTE = re.compile(
    r"\(\s*(?:(?:all\s+)?(?:amounts|figures|values|dollars|rupees)\s+)?"
    r"(?:in\s+[^()]{2,80}|[^\w\s()]{1,3}\s?(?:crores?|lakhs?|millions?|billions?|thousands?|mn|bn|cr|m|k)|"
    r"[A-Z]{3}\s?(?:crores?|lakhs?|millions?|billions?|thousands?|mn|bn|cr|m|k)?)\s*\)",
    re.I,
)


def column_names(
    rows: Sequence[Sequence[str]], marked: int, *, looks_marked: bool = False
) -> tuple[int, tuple[str, ...]]:
    """How many rows at the top are headings, and the names of the columns; `(0, ())` unless it is certain.

    `marked` rows at the top are headings because the format says so. Otherwise a row is a heading if it has no numbers
    except years while a column below it has nothing else, or if it names two levels of columns with such a row. In a
    table of three columns, it is one as well if it has no digits where a column below has them in every value ("4
    hours"), or if the first row `looks_marked` and its cells are names, each a different one.
    """
    counts = Counter(len(row) for row in rows)
    width = max(counts, key=lambda count: (counts[count], count), default=0)
    if width < 2:
        return 0, ()
    start = marked or _guessed_headings(rows, width) or int(looks_marked and _has_names_on_top(rows, width))
    if start and _is_row_of_units(rows[start:], width):
        start += 1
    if not start or start >= len(rows) or start > 3:
        return 0, ()
    headings = [row for row in rows[:start] if len(row) == width]
    if not headings or len(rows[start - 1]) != width:
        return 0, ()
    names = tuple(_joined_name(headings, column) for column in range(width))
    named = [name for name in names[1:] if name]
    return (start, names) if named and all(len(name) <= _MAX_HEADING_CHARS for name in names) else (0, ())


def unit_note(text: str) -> str | None:
    """The unit that a caption or a heading gives for all figures: "(in millions)"."""
    found = _UNIT_NOTE.findall(text[:400])
    return found[-1] if found else None


def is_unit_note(text: str) -> bool:
    return _UNIT_NOTE.fullmatch(text.strip()) is not None


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None


def _guessed_headings(rows: Sequence[Sequence[str]], width: int) -> int:
    if len(rows[0]) != width:
        return 0
    start = 1
    if _is_heading_like(rows[0]) and len(rows) > 1 and _is_group_row(rows[0], rows[1], width):
        start = 2
    if not all(_is_heading_like(row) for row in rows[:start]):
        return 0
    body = [row for row in rows[start:] if len(row) == width]
    needed = _MIN_NUMERIC_ROWS_OF_TWO_COLUMNS if width == 2 else min(_MIN_NUMERIC_ROWS, max(len(body), 1))
    for column in range(1, width):
        values = [row[column] for row in body if row[column].strip() and not _EMPTY_VALUE.fullmatch(row[column])]
        has_name = bool(rows[start - 1][column].strip())
        if has_name and len(values) >= needed and all(map(is_number, values)):
            return start
    return int(_has_digits_only_below(rows, width))


def _has_digits_only_below(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the first row is made of names without digits, above a column with digits in every value."""
    if not _has_names_on_top(rows, width) or any(_DIGIT.search(cell) for cell in rows[0]):
        return False
    body = [row for row in rows[1:] if len(row) == width]
    columns = ([row[at] for row in body if not _EMPTY_VALUE.fullmatch(row[at])] for at in range(1, width))
    return any(len(values) >= _MIN_ROWS_WITH_DIGITS and all(map(_DIGIT.search, values)) for values in columns)


def _has_names_on_top(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the first row names all of at least three columns, each differently. Two may be a form: "Name | Ann"."""
    names = {cell.strip().casefold() for cell in rows[0]}
    body = sum(len(row) == width for row in rows[1:])
    is_full = len(rows[0]) == width == len(names) and "" not in names
    if any(row[at].strip() == name.strip() for row in rows[1:] if len(row) == width for at, name in enumerate(rows[0])):
        return False  # a value like those below
    return is_full and width > 2 and body >= _MIN_ROWS_BELOW_A_LIKELY_HEADING and _is_heading_like(rows[0])


def _is_group_row(upper: Sequence[str], lower: Sequence[str], width: int) -> bool:
    """Whether `upper` names groups of the columns that `lower` names: fewer names, all of them above some."""
    if len(lower) != width or not _is_heading_like(lower):
        return False
    groups = sum(bool(cell.strip()) for cell in upper[1:])
    names = sum(bool(cell.strip()) for cell in lower[1:])
    return 0 < groups < width - 1 and names > groups


def _is_row_of_units(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the first of these rows gives units, "| MWh | m3": nothing but short words above numbers alone."""
    if len(rows) < 1 + _MIN_NUMERIC_ROWS or len(rows[0]) != width or rows[0][0].strip():
        return False
    given = [column for column, cell in enumerate(rows[0]) if cell.strip()]
    body = [row for row in rows[1:] if len(row) == width]
    return bool(given) and all(
        len(rows[0][column].strip()) <= _MAX_UNIT_CHARS
        and not is_number(rows[0][column])
        and not _EMPTY_VALUE.fullmatch(rows[0][column])
        and sum(is_number(row[column]) for row in body) >= _MIN_NUMERIC_ROWS
        and all(is_number(row[column]) or _EMPTY_VALUE.fullmatch(row[column]) for row in body)
        for column in given
    )


def _is_heading_like(row: Sequence[str]) -> bool:
    cells = [cell.strip() for cell in row]
    return any(cells[1:]) and not any(is_number(cell) and not _YEAR.fullmatch(cell) for cell in cells)


def _joined_name(headings: Sequence[Sequence[str]], column: int) -> str:
    """The name of a column over all heading rows; a group's name holds until the next one."""
    parts: list[str] = []
    for at, row in enumerate(headings):
        name = row[column].strip()
        is_group = at + 1 < len(headings)
        if not name and is_group and column and headings[-1][column].strip():
            name = next((cell.strip() for cell in row[column:0:-1] if cell.strip()), "")
        if name and name not in parts:
            parts.append(name)
    return " ".join(parts).rstrip(" :")
