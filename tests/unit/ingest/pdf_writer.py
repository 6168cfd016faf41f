"""Writes small PDF files for tests: our own words at places we choose, in a standard font."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """One run of text: where its baseline begins, in points from the lower left corner, and how large it is."""

    x: float
    y: float
    text: str
    size: float = 10.0


@dataclass(frozen=True)
class Sheet:
    """One page; `turned` is by how many degrees the page is shown turned clockwise. `rules` are lines from x, y to x, y."""

    runs: Sequence[Text]
    width: float = 595.0
    height: float = 842.0
    turned: int = 0
    picture: bool = False
    rules: Sequence[tuple[float, float, float, float]] = ()


WIDTHS = {" ": 278, "i": 222, "l": 222, "j": 222, "t": 278, "f": 278, "r": 333, "m": 833, "w": 722, ".": 278, ",": 278}


def width_of(text: str, size: float) -> float:
    """About how wide Helvetica sets a text."""
    return sum(WIDTHS.get(char, 556 if char.islower() or char.isdigit() else 667) for char in text) * size / 1000


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The text in lines of at most `width` points."""
    lines, held = [], ""
    for word in text.split():
        if held and width_of(f"{held} {word}", size) > width:
            lines.append(held)
            held = word
        else:
            held = f"{held} {word}".strip()
    return [*lines, held]


def column(
    paragraphs: Sequence[str], x: float, top: float, width: float, size: float = 10.0, indent: float = 14.0
) -> list[Text]:
    """Paragraphs set one below the other, the first line of each indented."""
    runs, y = [], top
    for paragraph in paragraphs:
        for at, line in enumerate(wrapped(paragraph, width - indent, size)):
            runs.append(Text(x + (indent if at == 0 else 0), y, line, size))
            y -= size * 1.25
    return runs


def ruled(rows: Sequence[Sequence[Sequence[str]]], x: float, top: float, width: float) -> tuple[list[Text], list]:
    """A table of rows of cells of lines, with a line drawn around every cell; the runs and the lines."""
    runs, rules, y = [], [], top
    for row in rows:
        depth = 12 * max(map(len, row)) + 4
        for at, cell in enumerate(row):
            runs += [Text(x + width * at + 3, y - 10 - 12 * n, line, 9) for n, line in enumerate(cell)]
            rules.append((x + width * at, y, x + width * at, y - depth))
        right = x + width * len(row)
        rules += [(right, y, right, y - depth), (x, y, right, y), (x, y - depth, right, y - depth)]
        y -= depth
    return runs, rules


def pdf(sheets: Sequence[Sheet], password: str | None = None) -> bytes:
    """The file, each page drawn run by run in the order given."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b""]
    objects[2] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    kids: list[int] = []
    for sheet in sheets:
        drawn = [_drawn(sheet, run) for run in sheet.runs]
        if sheet.picture:
            drawn.append(b"50 50 200 200 re f")
        drawn += [b"%g %g m %g %g l S" % rule for rule in sheet.rules]
        stream = b"\n".join(drawn)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        content = len(objects)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g] /Rotate %d /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % (sheet.width, sheet.height, sheet.turned, content)
        )
        kids.append(len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    trailer = b""
    if password is not None:
        objects.append(_locked(password))
        identity = hashlib.md5(b"footnotary").hexdigest().encode()
        trailer = b" /Encrypt %d 0 R /ID [<%s> <%s>]" % (len(objects), identity, identity)
    file, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % place for place in places)
    file += b"trailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(file)


def _drawn(sheet: Sheet, run: Text) -> bytes:
    """The run placed so that it reads from left to right once the page is turned."""
    text = run.text.encode("cp1252").replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")
    matrices = {
        0: (1, 0, 0, 1, run.x, run.y),
        90: (0, 1, -1, 0, sheet.width - run.y, run.x),
        180: (-1, 0, 0, -1, sheet.width - run.x, sheet.height - run.y),
        270: (0, -1, 1, 0, run.y, sheet.height - run.x),
    }
    return b"BT /F1 %g Tf %g %g %g %g %g %g Tm (%s) Tj ET" % (run.size, *matrices[sheet.turned], text)


def _locked(password: str) -> bytes:
    """An encryption dictionary that no empty password opens; what it guards is of no interest."""
    owner = hashlib.sha256(password.encode()).hexdigest()
    return b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (owner.encode(), owner[::-1].encode())
