"""FAULTS B9: nothing is written in a form that a spreadsheet would work out, so no cell of it can be a formula.

What is exported is JSON, a line a record, and pages and Markdown for people. Whoever adds a table for spreadsheets makes
cells harmless that begin with `=`, `+`, `-`, `@`, a tab or a carriage return, and says so here.
"""

import ast
import json
from pathlib import Path

import pytest

from footnotary.evaluate.datasets.generated_questions import GeneratedQuestion
from footnotary.evaluate.datasets.review_files import QUESTIONS_FILE, write_generated

SRC = Path(__file__).parents[2] / "src" / "footnotary"
WRITERS = {"csv", "openpyxl", "xlsxwriter", "xlwt", "odf", "pandas", "pyarrow"}
# Spreadsheets are read there, and nothing is written: the parsers return text.
READERS = {"ingest/file_type.py", "ingest/file_discovery.py", "ingest/parse/csv_table.py"}
KINDS = ("text/csv", "text/tab-separated-values", "application/vnd.ms-excel", "spreadsheetml", ".xlsx", ".csv")


def spreadsheets_in(source: str) -> list[str]:
    """What a module has for spreadsheets: a library that writes them, or the name of such a form."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name.split(".")[0] in WRITERS]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in WRITERS:
            found.append(node.module or "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower().endswith(KINDS):
            found.append(node.value)
    return found


def test_b9_no_module_writes_a_spreadsheet():
    modules = list(SRC.rglob("*.py"))
    assert len(modules) > 200
    writers = [path for path in modules if path.relative_to(SRC).as_posix() not in READERS]
    assert {str(path): found for path in writers if (found := spreadsheets_in(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize("reader", sorted(READERS))
def test_b9_a_reader_of_spreadsheets_writes_no_file(reader):
    source = (SRC / reader).read_text(encoding="utf-8")
    assert not [call for call in ("writer(", "DictWriter", ".save(", "write_text", "write_bytes") if call in source]


@pytest.mark.parametrize(
    "source", ["import csv", "from csv import writer", 'media_type = "text/csv"', 'name = "rows.csv"']
)
def test_b9_one_that_did_would_be_seen(source):
    assert spreadsheets_in(source)


def test_b9_an_exported_line_begins_as_json_whatever_it_holds(tmp_path):
    formulas = [
        "=cmd|' /C calc'!A0",
        "+1+1",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        '"\n=HYPERLINK("http://evil.example")',
    ]
    made = [GeneratedQuestion("known-item", text, text, text, text, "en") for text in formulas]
    write_generated(tmp_path, made, [])
    lines = (tmp_path / QUESTIONS_FILE).read_bytes().decode().splitlines()
    assert len(lines) == len(formulas)
    assert all(line.startswith('{"') for line in lines)
    assert [json.loads(line)["question"] for line in lines] == formulas
