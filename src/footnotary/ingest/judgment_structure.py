"""The structure of case law: numbered paragraphs."""

import re
from collections.abc import Mapping
from dataclasses import replace

from footnotary.domain.document import Block, Labels
from footnotary.ingest.outline import Outline, Unit, block_of, text_of, word_count
from footnotary.ingest.parsed import Line, Parsed

_NUMBERED = re.compile(r"\[?(\d{1,4})[.\])]\s+\S")


def judgment_outline(parsed: Parsed, fields: Mapping[str, str], labels: Labels, code: str) -> Outline:
    """One unit per numbered paragraph, all in one place: `SupremeCourt_1_2020_0` is the first of case 1 of 2020."""
    labels = replace(labels, section=None)
    place = "_".join(part for part in (fields.get("CASE"), labels.year) if part) or "text"
    above = (labels.title,) if labels.title else ()
    units: list[Unit] = []
    headings: list[Block] = []
    held: list[Line] = []
    last, heading, number = 0, "", ""

    def close() -> None:
        if held:
            path = tuple(part for part in (*above, heading, number) if part)
            units.append(Unit(block_of("paragraph", held, labels, path), code, place))
            held.clear()

    for line in parsed.lines:
        text = text_of(parsed, line)
        found = _NUMBERED.match(text)
        if line.level is not None or (line.after_blank and text.isupper() and word_count(text) <= 8):
            close()
            heading, number = text, ""
            headings.append(Block("heading", line.span, labels, above, line.page))
        elif found and int(found[1]) == last + 1:
            close()
            last = int(found[1])
            number = found[1]
            held.append(line)
        else:
            held.append(line)
    close()
    return Outline(tuple(units), tuple(headings))


def paragraph_count(parsed: Parsed) -> int:
    """How far the paragraphs of the file are numbered 1, 2, 3 and so on."""
    last = 0
    for line in parsed.lines:
        found = _NUMBERED.match(text_of(parsed, line))
        if found and int(found[1]) == last + 1:
            last += 1
    return last
