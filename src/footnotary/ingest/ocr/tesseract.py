"""OCR with the Tesseract program: the words of a page image with boxes and confidences.

The program gets the image on its standard input; there are no temporary files and no bindings.
"""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from footnotary.errors import DocumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GreyImage: TypeAlias = "NDArray[np.uint8]"

_PROGRAM = "tesseract"
_TIMEOUT_S = 150
INSTALL_HINT = (
    "install Tesseract with its languages: apt install tesseract-ocr tesseract-ocr-hin, or brew install tesseract-lang"
)


@dataclass(frozen=True, slots=True)
class OcrWord:
    """An OCR word, in pixels from the upper left corner; words on one line share its `line` key."""

    text: str
    left: int
    top: int
    width: int
    height: int
    confidence: float
    line: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Orientation:
    """The clockwise rotation in degrees that makes an image upright, its script, and the confidence."""

    turn: int
    script: str
    confidence: float


def recognize_words(grey: GreyImage, languages: str, dpi: int, *, is_table: bool = False) -> tuple[OcrWord, ...]:
    """The words of an image in reading order; `in_rows`: it is a table without columns of text.

    Raises `DocumentError` `ocr_missing` if the program or language is not installed.
    """
    require_languages(languages)
    written = _run_tesseract(grey, "-l", languages, "--dpi", str(dpi), "--psm", "4" if is_table else "3", "tsv")
    words: list[OcrWord] = []
    for row in written.splitlines()[1:]:
        fields = row.split("\t", 11)
        if len(fields) < 12 or fields[0] != "5" or not (text := fields[11].strip()):
            continue
        _, block, paragraph, line, _, left, top, width, height = map(int, fields[1:10])
        words.append(OcrWord(text, left, top, width, height, float(fields[10]) / 100, (block, paragraph, line)))
    return tuple(words)


def detect_orientation(grey: GreyImage, dpi: int) -> Orientation | None:
    """The orientation and script of a page; None if there is too little text to tell."""
    if "osd" not in installed_languages():
        return None
    try:
        written = _run_tesseract(grey, "-l", "osd", "--dpi", str(dpi), "--psm", "0")
    except _NoOcrResultError:
        return None
    found = dict(line.split(": ", 1) for line in written.splitlines() if ": " in line)
    try:
        return Orientation(int(found["Rotate"]), found["Script"], float(found["Orientation confidence"]))
    except (KeyError, ValueError):
        return None


@cache
def installed_languages() -> frozenset[str]:
    """The installed Tesseract languages; none if Tesseract is not installed."""
    if shutil.which(_PROGRAM) is None:
        return frozenset()
    listed = subprocess.run([_PROGRAM, "--list-langs"], capture_output=True, text=True, timeout=30, check=False)
    return frozenset(line.strip() for line in listed.stdout.splitlines()[1:])


def require_languages(languages: str) -> None:
    """Raises `DocumentError` if one of these languages is not installed."""
    if not installed_languages():
        raise DocumentError("it is a scan, and Tesseract is not installed", reason="ocr_missing", hint=INSTALL_HINT)
    if missing := sorted(set(languages.split("+")) - installed_languages()):
        seen = f"it is a scan, and Tesseract lacks the languages {', '.join(missing)}"
        raise DocumentError(seen, reason="ocr_missing", hint=INSTALL_HINT)


class _NoOcrResultError(Exception):
    """Tesseract ended without a result."""


def _run_tesseract(grey: GreyImage, *options: str) -> str:
    height, width = grey.shape
    picture = b"P5 %d %d 255\n" % (width, height) + grey.tobytes()
    command: Sequence[str] = (_PROGRAM, "stdin", "stdout", *options)
    try:
        ended = subprocess.run(command, input=picture, capture_output=True, timeout=_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        seen = f"Tesseract took over {_TIMEOUT_S} s for one page"
        raise DocumentError(seen, reason="parse_timeout", hint="scan it at 300 dots per inch") from error
    if ended.returncode:
        raise _NoOcrResultError(ended.stderr[-200:].decode("utf-8", "replace"))
    return ended.stdout.decode("utf-8", "replace")
