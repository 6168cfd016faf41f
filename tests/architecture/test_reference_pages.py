"""The reference pages say what the code says."""

import importlib.util
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
spec = importlib.util.spec_from_file_location("generate_reference", REFERENCE / "generate.py")
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)


@pytest.mark.parametrize("page", sorted(generate.PAGES))
def test_a_page_is_what_the_code_would_write(page):
    written = (REFERENCE / page).read_text(encoding="utf-8")
    assert written == generate.PAGES[page](), "run: python docs/reference/generate.py"
