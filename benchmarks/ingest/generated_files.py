"""Generates workbooks, tables, messages, presentations, books, pages, contracts and filings, and says what is in them.

Every file comes with its parts by name, each with the text that a person would see there: the truth is known because
it was written, not because something read it.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.message import EmailMessage
from html import escape

import openpyxl
from openpyxl.styles import Font
from pptx import Presentation
from pptx.util import Inches

from harness.office.books import epub, page
from harness.office.outlook import OutlookMessage, msg

THINGS = "lantern ladder basket mirror anchor kettle hammer carpet saddle bucket trumpet blanket compass".split()
CITIES = "Delhi Surat Kochi Patna Jaipur Indore Nagpur Mysuru Köln Zürich".split()
NAMES = "Ann Bob Cyra Dev Esha Farid Gita Hans Ines Jörg Kiran Lena".split()
SENTENCES = (
    "The {thing} of {city} costs {number} rupees.", "In {city} the {thing} is kept for {number} days.", "{name} bought {number} pieces of the {thing} in {city}.",
    "No {thing} may leave {city} before {name} has signed form {number}.", "धारा {number} {city} में लागू होगी।",
)  # fmt: skip


@dataclass(slots=True)
class GeneratedFile:
    """A file; `parts` are the texts of its named places, or of the whole file under "". `absent` is hidden in it."""

    name: str
    data: bytes
    parts: dict[str, str] = field(default_factory=dict[str, str])
    absent: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


class Words:
    """Words and figures, the same for the same file each time; every number is used once."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self._numbers = self.random.sample(range(100, 9999), 2000)

    def number(self) -> int:
        return self._numbers.pop()

    def name(self) -> str:
        return self.random.choice(NAMES)

    def thing(self) -> str:
        return self.random.choice(THINGS)

    def sentence(self) -> str:
        said = self.random.choice(SENTENCES)
        return said.format(thing=self.thing(), city=self.random.choice(CITIES), name=self.name(), number=self.number())

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.random.randint(1, 4)))


FORMATS: tuple[tuple[str, Callable[[int], object], Callable[[int], str]], ...] = (
    ("General", lambda n: n, str),
    ("#,##0.00", lambda n: n * 10 + 0.5, lambda n: f"{n * 10 + 0.5:,.2f}"),
    ("0.0%", lambda n: n / 1000, lambda n: f"{n / 10:.1f}%"),
    ('"$"#,##0', lambda n: n * 100, lambda n: f"${n * 100:,}"),
    ('0" kg"', lambda n: n, lambda n: f"{n} kg"),
    ("yyyy-mm-dd", lambda n: date(2000 + n % 30, 1 + n % 12, 1 + n % 28), lambda n: f"{2000 + n % 30}-{1 + n % 12:02}-{1 + n % 28:02}"),
)  # fmt: skip


def workbook(at: int) -> GeneratedFile:
    words, book, parts, absent = Words(f"xlsx {at}"), openpyxl.Workbook(), dict[str, str](), list[str]()
    book.remove(book.active)
    for number in range(words.random.randint(1, 3)):
        title = f"{words.thing().capitalize()} {number + 1}" if at % 2 else f"Sheet{number + 1}"
        sheet = book.create_sheet(title)
        place = f"'{title}'" if " " in title else title
        parts[f"sheet {title}"] = title
        row = 1
        if at % 3 == 0:
            sheet["A1"] = "Sales of the year (in thousands)"
            parts[f"{place}!A1"] = "Sales of the year (in thousands)"
            row = 2 + at % 2
        columns = [words.random.choice(FORMATS) for _ in range(words.random.randint(2, 5))]
        headings = ["Item", *(f"{words.name()} {column}" for column in range(len(columns)))]
        if at % 4 == 1:  # two heading rows
            sheet.cell(row, 2, "Year 2022")
            parts[f"{place}!B{row}"] = "Year 2022"
            sheet.merge_cells(start_row=row, start_column=2, end_row=row, end_column=len(columns) + 1)
            row += 1
        for column, heading in enumerate(headings, start=1):
            cell = sheet.cell(row, column, heading)
            cell.font = Font(bold=at % 5 == 0)
            parts[f"{place}!{cell.coordinate}"] = heading
        for line in range(words.random.randint(2, 12)):
            row += 1
            label = sheet.cell(row, 1, f"{words.thing()} {line}")
            parts[f"{place}!{label.coordinate}"] = str(label.value)
            for column, (form, value, shown) in enumerate(columns, start=2):
                held = words.number()
                cell = sheet.cell(row, column, value(held))
                cell.number_format = form
                parts[f"{place}!{cell.coordinate}"] = shown(held)
        if at % 6 == 2:
            sheet.cell(row + 1, 1, f"hidden{words.number()}x")
            sheet.row_dimensions[row + 1].hidden = True
            absent.append(str(sheet.cell(row + 1, 1).value))
    held = io.BytesIO()
    book.save(held)
    return GeneratedFile(f"book{at}.xlsx", held.getvalue(), parts, tuple(absent))


def table(at: int) -> GeneratedFile:
    words, held = Words(f"csv {at}"), io.StringIO(newline="")
    delimiter = ",;\t"[at % 3]
    lines = csv.writer(
        held,
        delimiter=delimiter,
        quoting=(csv.QUOTE_MINIMAL, csv.QUOTE_ALL)[at % 2],
        lineterminator="\r\n" if at % 4 else "\n",
    )
    lines.writerow(["Item", "Note", "Price"])
    for line in range(words.random.randint(2, 30)):
        lines.writerow([f"{words.thing()} {line}", words.sentence(), words.number()])
    text = held.getvalue()
    data = text.encode("utf-8-sig" if at % 5 == 0 else "utf-8")
    return GeneratedFile(f"table{at}.{'tsv' if delimiter == chr(9) else 'csv'}", data, {"": data.decode()})


def message(at: int) -> GeneratedFile:
    words, made = Words(f"eml {at}"), EmailMessage()
    subject, text = (
        f"About the {words.thing()} {words.number()}",
        "\n\n".join(words.paragraph() for _ in range(3)) + "\n",
    )
    headers = {
        "From": f"{words.name()} <a{at}@example.org>",
        "To": f"b{at}@example.org",
        "Date": "Fri, 01 May 2026 09:30:00 +0000",
    }
    for name, value in {**headers, "Subject": subject}.items():
        made[name] = value
    parts = {"header Subject": subject, **{f"header {name}": value for name, value in headers.items()}}
    hidden = f"hidden{words.number()}x"
    if at % 3 == 2:
        page = f"<html><body><div style='display:none'>{hidden}</div>{''.join(f'<p>{escape(line)}</p>' for line in text.split(chr(10)) if line)}</body></html>\n"
        made.set_content(page, subtype="html", cte=("base64", "quoted-printable")[at % 2])
        return GeneratedFile(f"mail{at}.eml", made.as_bytes(), {**parts, "body": page}, (hidden,))
    made.set_content(text, cte=("base64", "quoted-printable", "8bit")[at % 3] if at % 4 else "quoted-printable")
    if at % 4 == 1:
        made.add_alternative(f"<p>{hidden}</p>", subtype="html")
    return GeneratedFile(f"mail{at}.eml", made.as_bytes(), {**parts, "body": text}, (hidden,))


def outlook_message(at: int) -> GeneratedFile:
    words = Words(f"msg {at}")
    subject, text = (
        f"About the {words.thing()} {words.number()}",
        "\r\n\r\n".join(words.paragraph() for _ in range(1 + at % 12)) + "\r\n",
    )
    sender, to = (words.name(), f"a{at}@example.org"), (words.name(), f"b{at}@example.org")
    data = msg(
        OutlookMessage(
            subject,
            sender,
            (to,),
            text,
            sent=datetime(2026, 5, 1 + at, 9, 30, tzinfo=UTC),
            attachments=[("a.txt", b"x" * at * 900)],
        )
    )
    parts = {
        "header Subject": subject,
        "header From": f'"{sender[0]}" <{sender[1]}>',
        "header To": f"{to[0]} <{to[1]}>",
    }
    return GeneratedFile(
        f"mail{at}.msg", data, {**parts, "header Date": f"2026-05-{1 + at:02} 09:30 UTC", "body": text}
    )


def presentation(at: int) -> GeneratedFile:
    words, deck, parts = Words(f"pptx {at}"), Presentation(), dict[str, str]()
    absent: list[str] = []
    for number in range(1, words.random.randint(2, 6)):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        title, body = (
            f"{words.thing().capitalize()} {words.number()}",
            "\n".join(words.sentence() for _ in range(words.random.randint(1, 5))),
        )
        slide.shapes.title.text, slide.placeholders[1].text = title, body
        shown = {
            f"slide {number}, {slide.shapes.title.name}": title,
            f"slide {number}, {slide.placeholders[1].name}": body,
        }
        if at % 2:
            notes = words.paragraph()
            slide.notes_slide.notes_text_frame.text = notes
            shown[f"slide {number}, notes"] = notes
        if at % 3 == 0:
            shape = slide.shapes.add_table(4, 3, Inches(1), Inches(5), Inches(6), Inches(2))
            for row in range(4):
                for column in range(3):
                    text = (
                        f"Heading {column}" if row == 0 else str(words.number()) if column else f"{words.thing()} {row}"
                    )
                    shape.table.cell(row, column).text = text
                    shown[f"slide {number}, {shape.name}, row {row + 1}, column {column + 1}"] = text
        if at % 4 == 3 and number == 2:
            slide._element.set("show", "0")
            absent.append(title)
        else:
            parts |= shown
    held = io.BytesIO()
    deck.save(held)
    return GeneratedFile(f"deck{at}.pptx", held.getvalue(), parts, tuple(absent))


def book(at: int) -> GeneratedFile:
    words, folder = Words(f"epub {at}"), ("OEBPS", "", "EPUB/text")[at % 3]
    chapters = [
        (f"ch-{number}.xhtml", f"<h1>{words.thing().capitalize()} {words.number()}</h1>" + "".join(f"<p>{escape(words.paragraph())} <em>end</em></p>" for _ in range(4)))
        for number in range(words.random.randint(2, 6))
    ]  # fmt: skip
    order = list(range(len(chapters)))
    words.random.shuffle(order)
    data = epub(chapters, f"Book {at}", folder=folder, order=order)
    inside = f"{folder}/" if folder else ""
    return GeneratedFile(
        f"book{at}.epub",
        data,
        {inside + name: page(f"Book {at}", body) for name, body in chapters},
        ("Contents for navigation",),
    )


def saved_page(at: int) -> GeneratedFile:
    # The footer of an article is part of it; that of a page is not.
    words = Words(f"html {at}")
    secrets = [f"hidden{words.number()}x" for _ in range(6)]
    hiding = (
        f"<nav><a href=/>{secrets[0]}</a></nav>", f"<div hidden>{secrets[1]}</div>", f"<p style='display: none'>{secrets[2]}</p>",
        f"<div role=banner>{secrets[3]}</div>", f"<div class=modal>{secrets[4]}</div>", f"<footer>{secrets[5]}</footer>",
    )  # fmt: skip
    body = f"<h1>{words.thing().capitalize()} {at}</h1>" + "".join(
        f"{words.random.choice(hiding[:5])}<p>{escape(words.paragraph())}</p>" for _ in range(8)
    )
    body = f"<main>{body}</main>" if at % 2 else f"<article>{body}</article>" if at % 3 else body
    text = f"<!doctype html><html lang=en><head><title>Page {at}</title><style>.modal{{display:none}}</style></head><body>{''.join(hiding)}{body}</body></html>"
    return GeneratedFile(f"page{at}.html", text.encode(), {"": text}, tuple(secrets))


def contract(at: int) -> GeneratedFile:
    words, lines, ids = Words(f"contract {at}"), list[str](), list[str]()
    lines += [
        ("SUPPLY AGREEMENT", "LEASE AGREEMENT", "CONTRACT OF SERVICE")[at % 3],
        f"between {words.name()} Ltd and {words.name()} LLP (the Parties)",
    ]
    for top in range(1, words.random.randint(4, 9)):
        lines.append(f"{top}. {words.thing().capitalize()} and {words.thing()}")
        for sub in range(1, words.random.randint(2, 5)):
            lines.append(f"{top}.{sub} {words.sentence()}")
            ids.append(f"_{top}.{sub}_0")
    lines += ["SCHEDULE 1", "1. Rates", words.sentence()]
    text = "\n\n".join(lines) + "\n"
    return GeneratedFile(f"contract{at}.txt", text.encode(), {"": text}, ids=(*ids, "_Schedule1_1_0"))


def filing(at: int) -> GeneratedFile:
    words, form = Words(f"filing {at}"), ("10-K", "10-Q", "8-K")[at % 3]
    items = {"10-K": ("1", "1A", "2", "7", "8"), "10-Q": ("1", "2", "3"), "8-K": ("2.02", "9.01")}[form]
    lines = [
        "UNITED STATES",
        "SECURITIES AND EXCHANGE COMMISSION",
        f"FORM {form}",
        f"{words.name()} Holdings Inc.",
        "(Exact name of registrant as specified in its charter)",
    ]
    lines += [
        "Soliciting material pursuant to Rule 14a-12 under the Exchange Act (17 CFR 240.14a-12)",
        "As defined in Rule 405 (§230.405 of this chapter).",
    ]
    titles = {item: f"{words.thing().capitalize()} and {words.thing()}" for item in items}
    lines += [f"Item {item}. {titles[item]} {words.number() % 90}" for item in items if at % 2]
    ids: list[str] = []
    for item in items:
        lines += [f"Item {item}. {titles[item]}", words.sentence()]
        ids.append(f"_Item{item}_0")
    for note in range(1, 4):
        lines += [f"Note {note}. {words.thing().capitalize()}", words.sentence()]
        ids.append(f"_Note{note}_0")
    text = "\n\n".join(lines) + "\n"
    return GeneratedFile(f"0001{at:06}.txt", text.encode(), {"": text}, ids=tuple(ids))


GENERATORS: Mapping[str, Callable[[int], GeneratedFile]] = {
    "XLSX": workbook, "CSV and TSV": table, "EML": message, "MSG": outlook_message, "PPTX": presentation, "EPUB": book, "HTML saved from a browser": saved_page,
    "contracts": contract, "filings": filing,
}  # fmt: skip
