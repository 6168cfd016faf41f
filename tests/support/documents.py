"""Documents made for tests, in words of our own: DOCX, zip, PDF and pictures of pages."""

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
STYLES = (
    f'<w:styles {W}><w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Heading1"/></w:style>'
    '<w:style w:styleId="Title"><w:name w:val="Title"/></w:style></w:styles>'
)
NUMBERS = (
    f'<w:numbering {W}><w:abstractNum w:abstractNumId="7">'
    '<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%2)"/></w:lvl>'
    '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>'
)


def paragraph(text: str, style: str = "", number: int | None = None) -> str:
    """A paragraph; with `number`, of list 1 at that depth."""
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    listed = "" if number is None else f'<w:numPr><w:ilvl w:val="{number}"/><w:numId w:val="1"/></w:numPr>'
    return f'<w:p><w:pPr>{styled}{listed}</w:pPr><w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def table(rows: Sequence[Sequence[str]]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def called(text: str, kind: str, number: int, rest: str = "") -> str:
    """A paragraph that calls a footnote or endnote by number."""
    call = f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'
    return f"<w:p>{_run(text)}{call}{_run(rest) if rest else ''}</w:p>"


def noted(kind: str, notes: Mapping[int, str]) -> bytes:
    """The part that holds the footnotes or endnotes, with the separator that Word puts first."""
    written = "".join(f'<w:{kind} w:id="{number}"><w:p>{_run(text)}</w:p></w:{kind}>' for number, text in notes.items())
    line = f'<w:{kind} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:{kind}>'
    return f"<w:{kind}s {W}>{line}{written}</w:{kind}s>".encode()


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def docx(*body: str, prolog: str = '<?xml version="1.0" encoding="UTF-8"?>', **parts: bytes) -> bytes:
    """A DOCX of these paragraphs and tables; `parts` replace or add members by name, `_` for `/`."""
    members: dict[str, bytes] = {
        "[Content_Types].xml": b"<Types/>",
        "word/document.xml": f"{prolog}<w:document {W}><w:body>{''.join(body)}</w:body></w:document>".encode(),
        "word/styles.xml": STYLES.encode(),
        "word/numbering.xml": NUMBERS.encode(),
    }
    return zipped({**members, **{name.replace("_", "/"): data for name, data in parts.items()}})


def zipped(members: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()


def pdf(content: bytes, filters: str = "") -> bytes:
    """A PDF of one page with this content stream, encoded as `filters` say."""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R"
        b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
        + f"4 0 obj<</Length {len(content)}{filters}>>stream\n".encode()
        + content
        + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )


def pdf_bomb(megabytes: int) -> bytes:
    """A few kilobytes that pdfium unpacks to so many megabytes."""
    packer = zlib.compressobj(9)
    once = b"".join([packer.compress(bytes(1_000_000)) for _ in range(megabytes)]) + packer.flush()
    return pdf(zlib.compress(once, 9), "/Filter[/FlateDecode/FlateDecode]")


def devanagari_font() -> Path | None:
    """A font with the letters of Hindi, where one is installed and Pillow can join its letters."""
    from PIL import features

    folders = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/Library/Fonts"))
    names = ("Lohit-Devanagari.ttf", "NotoSansDevanagari-Regular.ttf", "NotoSerifDevanagari-Regular.ttf")
    found = (path for folder in folders for name in names for path in folder.rglob(name))
    return next(found, None) if features.check("raqm") else None


def picture(
    lines: Sequence[str], turn: int = 0, skew: float = 0.0, form: str = "PNG", font_file: Path | None = None
) -> bytes:
    """These lines in black on a white page, at 300 dots per inch, turned counter-clockwise by `turn` degrees."""
    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("L", (1800, 400 + 90 * len(lines)), 255)
    drawing = ImageDraw.Draw(page)
    font = ImageFont.truetype(font_file, 48) if font_file else ImageFont.load_default(size=48)
    for number, line in enumerate(lines):
        drawing.text((150, 200 + 90 * number), line, font=font, fill=0)
    page = page.rotate(skew, expand=True, fillcolor=255, resample=Image.Resampling.BICUBIC).rotate(turn, expand=True)
    held = io.BytesIO()
    page.save(held, form, dpi=(300, 300))
    return held.getvalue()


def scanned_pdf(*pictures: bytes) -> bytes:
    """A PDF whose pages are these pictures and nothing else."""
    from PIL import Image

    pages = [Image.open(io.BytesIO(each)).convert("L") for each in pictures]
    held = io.BytesIO()
    pages[0].save(held, "PDF", resolution=300, save_all=True, append_images=pages[1:])
    return held.getvalue()
