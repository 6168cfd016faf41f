"""Real acts, regulations and chapters fall into the sections they have; read in place, never copied."""

import json
import os
from pathlib import Path

import pytest

from footnotary.domain.identity import slug
from tests.unit.ingest.reading import document_and_chunks

SHARED = Path(os.environ.get("FOOTNOTARY_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data")) / "corpora"
pytestmark = [pytest.mark.data, pytest.mark.skipif(not SHARED.is_dir(), reason=f"no shared data at {SHARED}")]


def read(path: str):
    return document_and_chunks((SHARED / path).read_bytes(), Path(path).name)


def places(path: str) -> list[str]:
    """The places of the chunks in order, each once."""
    document, chunks = read(path)
    return list(dict.fromkeys(chunk.id.removeprefix(f"{document.labels.code}_").rpartition("_")[0] for chunk in chunks))


def test_the_penal_code_has_its_575_sections_and_no_others():
    rows = (SHARED / "in_codes_civictech" / "ipc.jsonl").read_text("utf-8").splitlines()
    wanted = {slug(json.loads(row)["section"]) for row in rows}
    document, chunks = read("in_codes_civictech/ipc_official.pdf")
    assert document.labels.code == "IPC"
    assert {slug(chunk.labels.section) for chunk in chunks if chunk.labels.section} == wanted
    assert wanted <= {chunk.id.split("_")[1] for chunk in chunks}
    amended = [chunk for chunk in chunks if "_StateAmendment_" in chunk.id]
    assert any("354E. Sextortion" in chunk.text for chunk in amended)
    assert all(chunk.labels.section is None and "State amendment" in chunk.section for chunk in amended)


@pytest.mark.parametrize(
    ("path", "sections"),
    [
        ("pdf_testset/legal_born_digital/Dowry_Prohibition_Act_1961.pdf", "1 2 3 4 4A 5 6 7 8 8A 8B 9 10"),
        (
            next((str(p.relative_to(SHARED)) for p in SHARED.glob("hipaa_cfr/*Subpart_C*.pdf")), "none"),
            "164.302 164.304 164.306 164.308 164.310 164.312 164.314 164.316 164.318",
        ),
    ],
)
def test_a_printed_law_has_its_sections_in_order(path, sections):
    assert [place for place in places(path) if place[0].isdigit()] == sections.split()


def test_the_terms_of_a_code_can_be_cited_one_by_one():
    chunks = read("law_mix/code_on_wages_2019_en.jsonl")[1]
    employer = [chunk for chunk in chunks if chunk.text.startswith('(l) "employer" means')]
    assert [(chunk.id, chunk.kind) for chunk in employer] == [("COW_2_11", "definition")]
    assert '"establishment" means' not in employer[0].text


def test_a_chapter_keeps_its_examples_and_exercises_whole_and_typed():
    chunks = read("ncert_class10/jemh105.pdf")[1]
    named = [(chunk.kind, chunk.section[-1]) for chunk in chunks]
    assert [name for kind, name in dict.fromkeys(named) if kind == "example"] == [f"Example {n}" for n in range(1, 17)]
    assert {name[:12] for kind, name in named if kind == "exercise"} == {f"EXERCISE 5.{n}" for n in (1, 2, 3, 4)}
    assert {(chunk.labels.chapter, chunk.labels.chapter_title) for chunk in chunks} == {
        ("5", "ARITHMETIC PROGRESSIONS")
    }
    assert "Solution" in next(chunk.text for chunk in chunks if chunk.section[-1] == "Example 3")
