"""Text cleaning with provenance: text is built line by line from runs of the original, with an offset map."""

import re

from footnotary.domain.document import OffsetMap, Segment
from footnotary.domain.identity import Span
from footnotary.ingest.parsed_document import LineKind, ParsedLine
from footnotary.text.normalise import invisible_places

_SPACES = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]{2,}|\t")
_BREAKS = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")

# `OffsetMap.cut` counts the bytes before an offset within its segment; short segments keep that cheap on long lines.
_MAX_SEGMENT_CHARS = 4096
_CHECKPOINT_CHARS = 256
_INDENTATION = "  "
_BULLET = re.compile(r"([ \t]*)[-•*–‣◦▪●][ \t]")


class OffsetTrackingBuilder:
    """Builds the cleaned text of one file and an offset map from each run of it to the original.

    Runs are copied from the original or inserted, in reading order. White space is collapsed to single blanks within a
    line and to at most one blank line between lines; invisible characters are dropped; nothing else changes. A nested
    list item is indented by two blanks for each item that it is part of.
    """

    def __init__(self, original: str, encoding: str) -> None:
        self._original = original
        self._encoding = encoding
        self._bytes = _ByteIndex(original, encoding)
        self._pieces: list[tuple[str, int | None]] = []
        self._text: list[str] = []
        self._length = 0
        self._segments: list[Segment] = []
        self._lines: list[ParsedLine] = []
        self._blank = True
        self._indents: list[int] = []  # of the last list item, and of those that it is nested in
        self.page: int | None = None

    @property
    def line_count(self) -> int:
        return len(self._lines)

    @property
    def line_has_text(self) -> bool:
        """Whether the line being written has anything but white space."""
        return any(not text.isspace() for text, _ in self._pieces)

    @property
    def current_line(self) -> str:
        """The words of the line being written."""
        return " ".join("".join(text for text, _ in self._pieces).split())

    @property
    def last_char(self) -> str:
        """The last character of the line being written, white space included; "" at its beginning."""
        return self._pieces[-1][0][-1] if self._pieces else ""

    def copy(self, start: int, end: int) -> None:
        """Copies `original[start:end]`, which has no significant line break."""
        if start < end:
            self._pieces.append((self._original[start:end], start))

    def put(self, text: str) -> None:
        """Inserts text that is not verbatim in the original: a decoded entity, a joining blank.

        Line breaks become blanks: "&#10;" is rendered as one.
        """
        if text:
            self._pieces.append((_BREAKS.sub(" ", text), None))

    def blank(self) -> None:
        """Ends the line, and puts a blank line before the next."""
        self.end_line()
        self._blank = True

    def end_line(self, level: int | None = None, kind: LineKind = "paragraph", indent: int | None = None) -> None:
        """Ends the line, if it has text. `indent` says how far a list item, or a further line of it, is indented.

        Its unit is the caller's; a line without it ends the list.
        """
        runs = _clean_runs(self._pieces)
        self._pieces = []
        if not runs:
            return
        if self._lines:
            self._write("\n\n" if self._blank else "\n")
        self._indents = [] if indent is None else [*(outer for outer in self._indents if outer < indent), indent]
        self._write(_INDENTATION * (len(self._indents) - 1))
        start = self._length
        for text, at in runs:
            if at is not None:
                self._locate(text, at)
            self._write(text)
        self._lines.append(ParsedLine(Span(start, self._length), level, self.page, kind, self._blank))
        self._blank = False

    def copy_lines(self, start: int, end: int) -> None:
        """Copies `original[start:end]` line by line; the last line is left open. Bullets keep their nesting."""
        for at, stop, closed in split_lines(self._original, start, end):
            self.copy(at, stop)
            if closed:
                if self.line_has_text:
                    bullet = _BULLET.match(self._original, at, stop)
                    self.end_line(indent=len(bullet[1].expandtabs(4)) // 2 if bullet else None)
                else:
                    self.blank()

    def finish(self) -> tuple[str, OffsetMap, tuple[ParsedLine, ...]]:
        self.end_line()
        return "".join(self._text), OffsetMap(tuple(self._segments), self._encoding), tuple(self._lines)

    def _write(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)

    def _locate(self, text: str, at: int) -> None:
        for done in range(0, len(text), _MAX_SEGMENT_CHARS):
            length = min(_MAX_SEGMENT_CHARS, len(text) - done)
            self._segments.append(Segment(self._length + done, length, at + done, self._bytes.of(at + done)))


def split_lines(text: str, start: int, end: int) -> list[tuple[int, int, bool]]:
    """The lines of `text[start:end]` without their breaks, each with whether it ended in a break."""
    lines: list[tuple[int, int, bool]] = []
    at = start
    for found in _BREAKS.finditer(text, start, end):
        lines.append((at, found.start(), True))
        at = found.end()
    if at < end:
        lines.append((at, end, False))
    return lines


def _clean_runs(pieces: list[tuple[str, int | None]]) -> list[tuple[str, int | None]]:
    """The pieces of one line without invisible characters, with single blanks between words and none at the ends."""
    runs: list[tuple[str, int | None]] = []
    spaced = True
    for text, at in pieces:
        for run, place in _clean_piece(text, at):
            begin = len(run) - len(run.lstrip()) if spaced else 0
            if begin == len(run):
                continue
            runs.append((run[begin:], None if place is None else place + begin))
            spaced = run[-1].isspace()
    while runs and runs[-1][0].isspace():
        runs.pop()
    if runs:
        runs[-1] = (runs[-1][0].rstrip(), runs[-1][1])
    return runs


def _clean_piece(text: str, at: int | None) -> list[tuple[str, int | None]]:
    if text.isascii() and text.isprintable() and "  " not in text:
        return [(text, at)]  # the usual case: nothing to clean
    kept: list[tuple[str, int | None]] = []

    def keep(start: int, end: int) -> None:
        if start < end:
            kept.append((text[start:end], None if at is None else at + start))

    # Compatibility characters stay as they are: NFKC would turn "10²" into "102".
    unclean = [(place, place + 1, "") for place in invisible_places(text)]
    unclean += [(found.start(), found.end(), found.group()) for found in _SPACES.finditer(text)]
    done = 0
    for start, end, spaces in sorted(unclean):
        if spaces.startswith("\t"):
            keep(done, start)
            kept.append((" ", None))
        else:
            keep(done, start + (1 if spaces else 0))
        done = end
    keep(done, len(text))
    return kept


class _ByteIndex:
    """Byte offsets of characters, with checkpoints, so that every lookup costs the same."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text = text
        self._encoding = encoding
        self._single = encoding in ("cp1252", "latin-1") or (encoding == "utf-8" and text.isascii())
        self._checkpoints: list[int] = []
        if not self._single:
            done = 0
            for start in range(0, len(text) + 1, _CHECKPOINT_CHARS):
                self._checkpoints.append(done)
                done += len(text[start : start + _CHECKPOINT_CHARS].encode(encoding))

    def of(self, char: int) -> int:
        if self._single:
            return char
        checkpoint, rest = divmod(char, _CHECKPOINT_CHARS)
        return self._checkpoints[checkpoint] + len(self._text[char - rest : char].encode(self._encoding))
