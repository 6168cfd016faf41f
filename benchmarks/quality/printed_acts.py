"""Acts set as they are printed: a list of sections in front, chapters, notes at the foot of pages, a schedule."""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from typing import Literal

import pypdfium2.raw as pdfium

Style = Literal["india_code", "gazette", "hyphen", "own_line", "named"]
STYLES: tuple[Style, ...] = ("india_code", "gazette", "hyphen", "own_line", "named")

_CHAPTERS = (
    "PRELIMINARY",
    "AUTHORITIES AND THEIR POWERS",
    "DUTIES AND RIGHTS",
    "PENALTIES",
    "PROCEDURE",
    "MISCELLANEOUS",
)
_NOTES = re.compile(r"\n+#{2,4} Footnotes\n+")
_CALL = re.compile(r"\s?\^(\d{1,3})\s*")
_FONTS = {"F1": "Times-Roman", "F2": "Times-Bold"}
_WIDTH, _HEIGHT, _LEFT, _TOP, _FOOT = 595.0, 842.0, 72.0, 770.0, 80.0


@dataclass(frozen=True, slots=True)
class Section:
    """One section of an act; `notes` are called in `text` by "^1"."""

    number: str
    title: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """An act to be set; `chaptered` puts a division above every few of its sections."""

    name: str
    sections: tuple[Section, ...]
    chaptered: bool
    scheduled: bool


def act_of(rows: Sequence[dict[str, str]], draw: random.Random) -> Act:
    """An act from its rows; whether it has chapters and a schedule is drawn."""
    sections: list[Section] = []
    for row in rows:
        body, *noted = _NOTES.split(row["text"].strip(), maxsplit=1)
        notes = re.split(r"\n+(?=\d{1,3}\. )", noted[0].strip()) if noted else []
        title = row["title"].strip().strip(".").strip()
        sections.append(Section(row["section"].rstrip("."), title, _once(body, title), tuple(notes)))
    return Act(
        rows[0]["act"].replace("\\", ""), tuple(sections), len(rows) > 8 and draw.random() < 0.7, draw.random() < 0.5
    )


def _once(text: str, title: str) -> str:
    """A text without the heading that some rows repeat at its beginning: it is printed once."""
    dash = re.search(r"\.?\s?(?:--|—)", text[:400])
    if dash is None or _alphabetic(text[: dash.start()]) not in (
        _alphabetic(title),
        *(_alphabetic(letter + title) for letter in "abcdefgh"),
    ):
        return text
    return ("[" if "[" in text[: dash.start()] else "") + text[dash.end() :].strip()


def _alphabetic(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalpha())


# --- as text ---------------------------------------------------------------------------------------------------------


def as_text(act: Act, style: Style, draw: random.Random) -> str:
    """The act as the text of its print: wrapped as the rows are, notes where their section ends."""
    blocks = [paragraph.text for paragraph in _paragraphs(act, style)]
    apart = "\n\n" if draw.random() < 0.7 else "\n"
    return apart.join(_CALL.sub(lambda call: f" {call[1]}", block) for block in blocks) + "\n"


# --- as pages --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Paragraph:
    text: str
    role: Literal["centred", "entry", "body", "heading", "note", "page"] = "body"
    margin: str = ""  # what is next to it


def _paragraphs(act: Act, style: Style) -> Iterator[_Paragraph]:
    year = act.name[-4:] if act.name[-4:].isdigit() else "1950"
    yield _Paragraph(act.name.upper(), "centred")
    if style not in ("own_line", "gazette"):  # the Gazette prints no list
        yield _Paragraph("ARRANGEMENT OF SECTIONS", "centred")
        chapter = None
        for at, section in enumerate(act.sections):
            if (now := _chapter(act, at)) != chapter and now:
                yield from (_Paragraph(line, "centred") for line in now)
            if at == 0:
                yield _Paragraph("SECTIONS", "entry")
            chapter = now
            yield _Paragraph(f"{section.number}. {section.title}.", "entry")
        if act.scheduled:
            yield _Paragraph("THE SCHEDULE.", "centred")
        yield _Paragraph("", "page")
        yield _Paragraph(act.name.upper(), "centred")
    yield _Paragraph(f"ACT NO. 17 OF {year}", "centred")
    yield _Paragraph(f"[4th March, {year}.]", "centred")
    yield _Paragraph("An Act to provide for the matters set out in it and for what is connected with them.")
    yield _Paragraph("BE it enacted by Parliament in the Sixth Year of the Republic of India as follows:—")
    chapter = None
    for at, section in enumerate(act.sections):
        if (now := _chapter(act, at)) != chapter and now:
            yield from (_Paragraph(line, "centred") for line in now)
        chapter = now
        yield from _section(section, style)
        yield from (_Paragraph(note, "note") for note in section.notes)
    if act.scheduled:
        yield _Paragraph("THE SCHEDULE", "centred")
        yield _Paragraph("[See section 2]", "centred")
        for number, words in enumerate(("Forms to be used.", "Fees to be paid.", "Registers to be kept."), start=1):
            yield _Paragraph(f"{number}. {words}")
    yield _Paragraph("", "page")


def _chapter(act: Act, at: int) -> tuple[str, str] | None:
    if not act.chaptered:
        return None
    number = at // 7
    numerals = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
    name = numerals[number] if number < len(numerals) else f"{numerals[-1]}{chr(ord('A') + (number - 10) % 26)}"
    return (f"CHAPTER {name}", _CHAPTERS[number % len(_CHAPTERS)])


def _section(section: Section, style: Style) -> Iterator[_Paragraph]:
    first, *others = re.split(r"\n{2,}", section.text)
    if style == "india_code":
        yield _Paragraph(f"{section.number}. {section.title}.—{first}")
    elif style == "hyphen":
        yield _Paragraph(f"{section.number}. {section.title}.- {first}")
    elif style == "gazette":
        yield _Paragraph(f"{section.number}. {first}", margin=f"{section.title}.")
    elif style == "own_line":
        yield _Paragraph(f"{section.number}. {section.title}", "heading")
        yield _Paragraph(first)
    else:
        yield _Paragraph(f"Section {section.number}. {section.title}.", "heading")
        yield _Paragraph(first)
    yield from (_Paragraph(other) for other in others)


def as_pdf(act: Act, style: Style) -> bytes:
    """The act as pages: justified Times, notes set smaller at the foot, in a gazette the titles in the margin."""
    return _pdf(list(_pages(act, style)))


@dataclass(frozen=True, slots=True)
class _Line:
    """Words of one line with their places: (x, rise, size, font, word)."""

    words: tuple[tuple[float, float, float, str, str], ...]
    height: float


_Run = tuple[float, float, float, str, str]  # x, y, size, font, text


def _pages(act: Act, style: Style) -> Iterator[list[_Run]]:
    page: list[_Run] = []
    notes: list[_Line] = []
    y, number, after_margin = _TOP, 1, 0.0

    def close() -> list[_Run]:
        foot, done = _FOOT + sum(line.height for line in notes), list(page)
        for line in notes:
            foot -= line.height
            done += [(x, foot + rise, size, font, word) for x, rise, size, font, word in line.words]
        label = str(number)
        done.append((_WIDTH / 2, 40.0, 10.0, "F1", label))
        return done

    width = 330.0 if style == "gazette" else _WIDTH - 2 * _LEFT
    for paragraph in _paragraphs(act, style):
        if paragraph.role == "page":
            if page:
                yield close()
            page, notes, y, number = [], [], _TOP, number + 1
            continue
        lines = list(_set(paragraph, width))
        if paragraph.role == "note":
            if y < _FOOT + 14 + sum(line.height for line in (*notes, *lines)):
                yield close()
                page, notes, y, number, after_margin = [], [], _TOP, number + 1, 0.0
            notes += lines
            continue
        y -= 4.0
        if paragraph.margin:
            beside = list(_set(_Paragraph(paragraph.margin, "note"), 92.0, left=_LEFT + width + 16))
            y = min(y, after_margin) if after_margin else y
            at = y
            if at - 9.0 * len(beside) > _FOOT + 60:
                for line in beside:
                    at -= 9.0
                    page += [(x, at + rise, size, font, word) for x, rise, size, font, word in line.words]
            else:  # no room for it on this page
                yield close()
                page, notes, y, number = [], [], _TOP, number + 1
                at = y
                for line in beside:
                    at -= 9.0
                    page += [(x, at + rise, size, font, word) for x, rise, size, font, word in line.words]
            after_margin = at - 3
        for line in lines:
            if y - line.height < _FOOT + 12 + sum(note.height for note in notes):
                yield close()
                page, notes, y, number, after_margin = [], [], _TOP, number + 1, 0.0
            y -= line.height
            page += [(x, y + rise, size, font, word) for x, rise, size, font, word in line.words]
    if page:
        yield close()


def _set(paragraph: _Paragraph, width: float, left: float = _LEFT) -> Iterator[_Line]:
    """A paragraph broken into lines, justified where it is text."""
    size = 8.0 if paragraph.role == "note" else 10.5
    font = "F2" if paragraph.role == "heading" else "F1"
    indent = 18.0 if paragraph.role == "body" else 0.0
    words = _words(" ".join(paragraph.text.split()))
    blank = _advance(" ", font, size)
    held: list[tuple[str, float, bool]] = []
    used = indent
    for word in [*words, ("", False)]:
        text, raised = word
        long = _advance(text, font, 6.5 if raised else size)
        joined = _joins(held[-1] if held else None, text, raised)
        if (held and used + (0 if joined else blank) + long > width) or not text:
            yield _line(held, paragraph.role, font, size, left + indent, width - indent, bool(text))
            held, used, indent = [], 0.0, 0.0
            joined = True
        used += (0 if joined else blank) + long
        held.append((text, long, raised))


def _line(
    held: Sequence[tuple[str, float, bool]], role: str, font: str, size: float, left: float, width: float, full: bool
) -> _Line:
    gaps = [0.0 if _joins(before, text, raised) else 1.0 for before, (text, _, raised) in pairwise(held)]
    blank = _advance(" ", font, size)
    taken = sum(long for _, long, _ in held)
    if full and role == "body" and sum(gaps):
        blank = min((width - taken) / sum(gaps), 3 * blank)
    x = left + (width - taken - blank * sum(gaps)) / 2 if role == "centred" else left
    placed: list[tuple[float, float, float, str, str]] = []
    for at, (text, long, raised) in enumerate(held):
        placed.append((x, 4.0 if raised else 0.0, 6.5 if raised else size, font, text))
        x += long + (gaps[at] * blank if at < len(gaps) else 0.0)
    return _Line(tuple(placed), 9.5 if role == "note" else 13.0)


def _joins(before: tuple[str, float, bool] | None, text: str, raised: bool) -> bool:
    """Whether there is no space before a word: before a footnote number, and between it and its note."""
    return raised or before is None or (before[2] and text[:1] in "[*,.;:")


def _words(text: str) -> list[tuple[str, bool]]:
    """The words, and whether each is the call of a note."""
    words: list[tuple[str, bool]] = []
    for at, part in enumerate(_CALL.split(text)):
        words += [(part, True)] if at % 2 else [(word, False) for word in part.split()]
    return words


@cache
def _font(name: str) -> tuple[object, object]:
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_CreateNewDocument()
    return document, pdfium.FPDFText_LoadStandardFont(document, _FONTS[name].encode())


@cache
def _advance(text: str, font: str, size: float) -> float:
    wide, total = ctypes.c_float(), 0.0
    for char in text:
        pdfium.FPDFFont_GetGlyphWidth(_font(font)[1], ord(char), 1000.0, wide)
        total += wide.value or 500.0
    return total * size / 1000


def _pdf(pages: Sequence[Sequence[_Run]]) -> bytes:
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b""]
    objects += [
        f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>".encode() for name in _FONTS.values()
    ]
    kids: list[bytes] = []
    for runs in pages:
        stream = b"\n".join(
            f"BT /{font} {size:g} Tf {x:.2f} {y:.2f} Td ".encode() + _string(text) + b" Tj ET"
            for x, y, size, font, text in _joined(runs)
        )
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>"
            % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids))
    file, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, body in enumerate(objects, start=1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(
        b"%010d 00000 n \n" % at for at in places
    )
    file += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(file)


def _joined(runs: Sequence[_Run]) -> Iterator[_Run]:
    """Neighbours on a line with the space between them, as most writers draw them."""
    for _, line in groupby(runs, key=lambda run: (run[1], run[2], run[3])):
        for run in line:
            yield (*run[:4], f"{run[4]} ")


def _string(text: str) -> bytes:
    raw = text.encode("cp1252", "replace")
    return b"(" + raw.replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)") + b")"
