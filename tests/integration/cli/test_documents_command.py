"""Documents listed, shown and deleted, and citations shown on the page, as a user meets them."""

import io
import json
import zipfile

import pytest

from tests.integration.cli.test_command_line import run
from tests.unit.ingest.pdf_writer import Sheet, Text, pdf

pypdfium2 = pytest.importorskip("pypdfium2")
Image = pytest.importorskip("PIL.Image")

LEAVE = "Every worker shall be given eighteen days of leave in each year."
OVERTIME = "Work beyond nine hours in a day shall be paid at twice the usual rate."
RULES = "Every visitor shall sign the book at the gate before entering the hall."
PER_POINT = 150 / 72


def sheet(turned=0):
    """A page that is 595 points wide and 842 high once it is turned to be read."""
    width, height = (595, 842) if turned % 180 == 0 else (842, 595)
    return Sheet([Text(60, 700, LEAVE, 12), Text(60, 500, OVERTIME, 12)], width, height, turned)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    for turned in (0, 90, 180, 270):
        (folder / f"turned{turned}.pdf").write_bytes(pdf([sheet(turned)]))
    (folder / "rules.txt").write_text(f"Rules of the hall\n\n{RULES}\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory, folder):
    home = tmp_path_factory.mktemp("home")
    done = run("ingest", folder, "-p", "x", "--embedder", "fast", home=home)
    assert done.returncode == 0, done.stderr
    return home


def passage(home, document):
    done = run("documents", "show", document, "-p", "x", "--json", home=home)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["passage_ids"][0]


def yellow(path):
    """The yellow pixels of a picture, by the smallest box around them, and the picture's size."""
    image = Image.open(path).convert("RGB")
    red, _, blue = image.split()
    mask = Image.eval(blue, lambda value: 255 if value < 120 else 0)
    bright = Image.eval(red, lambda value: 255 if value > 230 else 0)
    mask.paste(0, mask=Image.eval(bright, lambda value: 255 - value))
    return mask.getbbox(), image.size


def test_the_list_names_every_document_with_its_passages_and_hash(home, folder):
    done = run("documents", "list", "-p", "x", home=home)
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("rules.txt"))
    assert line.split() == ["rules.txt", "1", "text/plain", line.split()[3], "rules"]
    record = json.loads(run("documents", "list", "-p", "x", "--json", home=home).stdout)
    assert [document["id"] for document in record["documents"]] == ["rules.txt"] + [
        f"turned{turned}.pdf" for turned in (0, 180, 270, 90)
    ]
    assert record["documents"][0]["sha256"].startswith(line.split()[3])


def test_a_document_is_shown_with_its_pages_and_passages(home, folder):
    record = json.loads(run("documents", "show", "turned0.pdf", "-p", "x", "--json", home=home).stdout)
    assert (record["pages"], record["media_type"]) == (1, "application/pdf")
    assert record["passages"] == len(record["passage_ids"]) > 0
    said = run("documents", "show", "turned0.pdf", "-p", "x", home=home).stdout
    assert record["sha256"] in said
    assert record["passage_ids"][0] in said


def test_a_deleted_document_is_found_no_more_and_its_file_stays(folder, tmp_path):
    for name in ("rules.txt", "turned0.pdf"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    home = tmp_path / "home"
    run("ingest", tmp_path / "rules.txt", tmp_path / "turned0.pdf", "-p", "x", "--embedder", "fast", home=home)
    question = ("query", "Where does every visitor sign the book?", "-p", "x", "--embedder", "fast")
    assert "visitor" in run(*question, home=home).stdout
    done = run("documents", "delete", "rules.txt", "-p", "x", home=home)
    assert (done.returncode, done.stdout) == (0, "deleted 'rules.txt' with 1 passage from project 'x'\n")
    assert "visitor" not in run(*question, home=home).stdout
    assert (tmp_path / "rules.txt").exists()
    record = json.loads(run("documents", "delete", "turned0.pdf", "-p", "x", "--json", home=home).stdout)
    assert record["deleted"]["id"] == "turned0.pdf"
    assert "there is no project 'x'" in run(*question, home=home).stderr


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("documents", "show", "nope", "-p", "x"), "there is no document 'nope' in project 'x'"),
        (("documents", "delete", "nope", "-p", "x"), "there is no document 'nope' in project 'x'"),
        (("documents", "list", "-p", "nope"), "there is no project 'nope'"),
        (("documents", "delete", "rules.txt", "-p", "nope"), "there is no project 'nope'"),
        (("show", "NOPE_1_0", "-p", "x"), "there is no passage 'NOPE_1_0' in project 'x'"),
        (("show", "NOPE_1_0", "-p", "nope"), "there is no project 'nope'"),
    ],
)
def test_what_is_not_there_exits_2_and_is_named(home, args, says):
    done = run(*args, home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.parametrize("command", ["ask", "query", "synthesize"])
def test_an_unknown_project_or_document_of_a_question_is_named_with_what_exists(home, command):
    ask = (command, "Where does every visitor sign the book?", "--embedder", "fast")
    done = run(*ask, "-p", "nope", home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no project 'nope'" in done.stderr
    assert "choose one with --project: x" in done.stderr
    done = run(*ask, "-p", "x", "--document", "rules", home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no document 'rules' in project 'x'" in done.stderr
    assert "did you mean 'rules.txt'" in done.stderr
    assert run(*ask, "-p", "x", "--document", "RULES.TXT", home=home).returncode != 2


def test_a_home_without_a_store_is_not_made_into_one(tmp_path):
    done = run("documents", "list", home=tmp_path / "none")
    assert done.returncode == 2
    assert not (tmp_path / "none").exists()


def test_a_citation_is_shown_with_offsets_that_lead_back_into_the_file(home, folder):
    cited = passage(home, "rules.txt")
    record = json.loads(run("show", cited, "-p", "x", "--quote", "sign  the\nbook", "--json", home=home).stdout)
    at = record["source_span"]["bytes"]
    assert record["quote"] == "sign the book"
    assert (folder / "rules.txt").read_bytes()[at["start"] : at["end"]] == b"sign the book"
    said = run("show", cited, "-p", "x", home=home).stdout
    assert RULES in said
    assert record["document_sha256"] in said
    assert "bytes" in said


def test_a_plain_document_with_pages_is_named_by_its_title_and_page(home):
    cited = passage(home, "turned0.pdf")
    said = run("show", cited, "-p", "x", home=home).stdout
    assert said.startswith(f"[{cited}] turned0, page 1\n\n{LEAVE}")
    assert "place: page 1, characters 0-" in said


def test_a_quote_that_does_not_stand_there_is_an_error(home):
    done = run("show", passage(home, "rules.txt"), "-p", "x", "--quote", "sign the ledger", home=home)
    assert (done.returncode, done.stdout) == (2, "")
    assert "does not contain this quote" in done.stderr


def test_a_format_without_pages_has_no_page_image(home, tmp_path):
    done = run("show", passage(home, "rules.txt"), "-p", "x", "--image", tmp_path / "out.png", home=home)
    assert done.returncode == 2
    assert "there is no page image: text/plain has no pages" in done.stderr
    assert not (tmp_path / "out.png").exists()


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_the_words_are_yellow_on_the_page_as_it_is_read_and_nothing_else_is(home, tmp_path, turned):
    out = tmp_path / "out.png"
    cited = passage(home, f"turned{turned}.pdf")
    done = run("show", cited, "-p", "x", "--quote", "eighteen days of leave", "--image", out, home=home)
    assert done.returncode == 0, done.stderr
    (left, top, right, bottom), (width, height) = yellow(out)
    # The line begins 60 points from the left, and its foot stands 700 points above the lower edge.
    assert (width, height) == pytest.approx((595 * PER_POINT, 842 * PER_POINT), abs=2)
    foot = height - 700 * PER_POINT
    assert foot - 16 * PER_POINT < top < foot - 6 * PER_POINT
    assert foot < bottom < foot + 6 * PER_POINT
    assert (60 + 120) * PER_POINT < left < right < (60 + 330) * PER_POINT
    assert right - left == pytest.approx(128 * PER_POINT, rel=0.15)


def test_words_that_continue_overleaf_are_marked_on_both_pages(tmp_path):
    pages = [
        Sheet(
            [Text(60, 60 + 15 * (40 - n), f"Line {n} of a rule that goes on and on about leave", 12) for n in range(40)]
        ),
        Sheet([Text(60, 700, "and on the next page it comes to its end at last.", 12)]),
    ]
    (tmp_path / "long.pdf").write_bytes(pdf(pages))
    home = tmp_path / "home"
    run("ingest", tmp_path / "long.pdf", "-p", "x", "--embedder", "fast", home=home)
    ids = json.loads(run("documents", "show", "long.pdf", "-p", "x", "--json", home=home).stdout)["passage_ids"]
    for cited in ids:
        record = json.loads(run("show", cited, "-p", "x", "--json", "--image", tmp_path / "out.png", home=home).stdout)
        if {box["page"] for box in record["boxes"]} == {1, 2}:
            break
    else:
        pytest.fail("no passage stands on both pages")
    (_, top, _, bottom), (_, height) = yellow(tmp_path / "out.png")
    assert height == pytest.approx(2 * 842 * PER_POINT + 12, abs=4)
    assert top < 842 * PER_POINT < bottom


@pytest.mark.parametrize("change", ["changed", "gone"])
def test_an_original_that_is_no_longer_the_same_is_not_drawn(tmp_path, change):
    file, home = tmp_path / "a.pdf", tmp_path / "home"
    file.write_bytes(pdf([sheet()]))
    run("ingest", file, "-p", "x", "--embedder", "fast", home=home)
    cited = passage(home, "a.pdf")
    if change == "gone":
        file.unlink()
    else:
        file.write_bytes(pdf([Sheet([Text(60, 700, RULES, 12)])]))
    done = run("show", cited, "-p", "x", "--image", tmp_path / "out.png", home=home)
    assert done.returncode == 2
    assert {"gone": "no longer exists", "changed": "has changed since"}[change] in done.stderr
    assert not (tmp_path / "out.png").exists()
    assert LEAVE in run("show", cited, "-p", "x", home=home).stdout


def test_a_page_is_drawn_out_of_an_archive(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner/a.pdf", pdf([sheet()]))
    (tmp_path / "all.zip").write_bytes(packed.getvalue())
    home = tmp_path / "home"
    run("ingest", tmp_path / "all.zip", "-p", "x", "--embedder", "fast", home=home)
    (document,) = json.loads(run("documents", "list", "-p", "x", "--json", home=home).stdout)["documents"]
    cited = passage(home, document["id"])
    done = run("show", cited, "-p", "x", "--image", tmp_path / "out.png", home=home)
    assert done.returncode == 0, done.stderr
    assert yellow(tmp_path / "out.png")[0]
