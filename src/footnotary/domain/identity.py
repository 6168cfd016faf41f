"""Spans, digests and the semantic ids that citations use."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from typing import TypeAlias

SemanticId: TypeAlias = str

MAX_ID_LENGTH = 160
ID_FORM = f"letters and digits of any script, with a single _ or . between them, at most {MAX_ID_LENGTH} characters"
_VISIBLE = re.compile(r"\S")

MAX_PROJECT_NAME = 100
PROJECT_NAME_PATTERN = r"^[^\s./\\]([^/\\]*[^\s/\\])?$"
PROJECT_NAME_FORM = (
    f"at most {MAX_PROJECT_NAME} characters without a slash, a backslash or a control character, "
    "no dot at the beginning, and no space at the beginning or the end"
)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of positions, `start <= end`, in the unit that the holder names."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, not {self.start}..{self.end}")

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def blanked(self, text: str) -> str:
        """`text` with spaces for all that can be seen in this span, so that every position stays as it is."""
        return text[: self.start] + _VISIBLE.sub(" ", self.of(text)) + text[self.end :]

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end

    def shifted(self, by: int) -> "Span":
        return Span(self.start + by, self.end + by)

    def __len__(self) -> int:
        return self.end - self.start


def sha256_hex(content: str | bytes) -> str:
    """The digest that proves content unchanged; text is hashed as UTF-8."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def is_semantic_id(text: str) -> bool:
    """Whether `text` has the form of an id: `IPC_420_0`, `HIPAA_164.514_0`, `गणित10_5.1_0`.

    Letters, digits and combining marks of any script, joined by single `_` or inner `.`; nothing else.
    An id needs a letter or a digit at each end, so `_`, `.` and the empty string are not ids.
    """
    if not text or len(text) > MAX_ID_LENGTH or unicodedata.normalize("NFC", text) != text:
        return False
    joiners = "_."
    if text[0] in joiners or text[-1] in joiners or unicodedata.category(text[0]).startswith("M"):
        return False
    for before, char in zip(" " + text, text, strict=False):
        if char in joiners:
            if before == ".":
                return False
        elif unicodedata.category(char)[0] not in "LNM" or unicodedata.normalize("NFKC", char) != char:
            # Compatibility letters (full-width, mathematical) look like plain ones and are not.
            return False
    return True


def is_project_name(text: str) -> bool:
    """Whether a new project may have this name: one that can be part of a URL and is safe to print."""
    return (
        0 < len(text) <= MAX_PROJECT_NAME
        and re.fullmatch(PROJECT_NAME_PATTERN, text) is not None
        and not any(unicodedata.category(char)[0] == "C" for char in text)
    )


def semantic_id(code: str, section: str, ordinal: int) -> SemanticId:
    """The id of the `ordinal`-th chunk of a section: `semantic_id("IPC", "420", 0) == "IPC_420_0"`."""
    minted = f"{slug(code)}_{slug(section)}_{ordinal}"
    if not is_semantic_id(minted):
        raise ValueError(f"{code!r}, {section!r} and {ordinal} do not make an id: {minted!r}")
    return minted


def slug(name: str) -> str:
    """`name` reduced to the characters allowed in an id: letters, digits and marks; dots between digits are kept.

    `slug("Minimum Wages Act") == "MinimumWagesAct"`, `slug("164.514(b)") == "164.514b"`.
    """
    name = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name))
    kept: list[str] = []
    for i, char in enumerate(name):
        if (
            unicodedata.category(char)[0] in "LNM"
            or (char == "_" and kept and kept[-1] != "_")
            or (char == "." and 0 < i < len(name) - 1 and name[i - 1].isdigit() and name[i + 1].isdigit())
        ):
            kept.append(char)
    # A removed character may have separated a letter from its combining mark.
    joined = unicodedata.normalize("NFC", "".join(kept)).strip("_.")
    while joined and (joined[0] in "_." or unicodedata.category(joined[0])[0] == "M"):
        joined = joined[1:]
    return joined or "x"
