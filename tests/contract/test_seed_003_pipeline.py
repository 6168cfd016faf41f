"""The textbook tutor's whole pipeline under the names its document prints: a PDF in, a cited answer or a refusal out."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from footnotary.contracts.tutor import (
    REFUSAL_MESSAGE,
    EmbeddingGenerator,
    PDFProcessor,
    RAGAnswerGenerator,
    RetrievalPipeline,
    SemanticChunker,
    StructureRecovery,
    TextCleaner,
    VectorStore,
)
from footnotary.errors import BackendError, DocumentError, IndexMismatch, UsageError
from tests.unit.ingest.pdf_writer import Sheet, Text, column, pdf

BOOK = "NCERT_Class10_Mathematics.pdf"
SAVED = "vectors/class10_math.faiss"
DEFINITION = (
    "An arithmetic progression is a list of numbers in which each number after the first is found by adding one "
    "fixed number to the number before it. The fixed number is called the common difference of the progression."
)
EXAMPLE = "In the list 4, 9, 14, 19 the common difference is 5, because each number is 5 more than the one before it."
SUM = "The sum of the first n whole numbers is half of the product of n and the number that follows n."


def sheet(heading: str, *paragraphs: str) -> Sheet:
    return Sheet([Text(60, 770, heading, 16.0), *column(paragraphs, 60, 730, 460)])


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds the book, and in which the example runs as it is printed."""
    pages = [
        sheet("Chapter 5: Arithmetic Progressions", DEFINITION, "", EXAMPLE),
        sheet("5.2 Sums", SUM),
    ]
    (tmp_path / BOOK).write_bytes(pdf(pages))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def fast() -> EmbeddingGenerator:
    return EmbeddingGenerator(model="fast")


def chunks_of(path: str | Path, **about: object):
    return SemanticChunker().chunk(TextCleaner().clean(PDFProcessor().process_pdf(path, **about)))


def stored(fast: EmbeddingGenerator, *paths: str | Path) -> VectorStore:
    store = VectorStore()
    for path in paths:
        chunks = chunks_of(path)
        store.add_chunks(chunks, fast.embed_chunks(chunks))
    return store


def test_the_complete_pipeline_runs_as_it_is_printed(shelf):
    processor = PDFProcessor()
    pages = processor.process_pdf("NCERT_Class10_Mathematics.pdf")
    cleaner = TextCleaner()
    cleaned_text = cleaner.clean(pages)
    chunker = SemanticChunker()
    chunks = chunker.chunk(cleaned_text)
    embedding_gen = EmbeddingGenerator()
    embeddings = embedding_gen.embed_chunks(chunks)
    store = VectorStore()
    store.add_chunks(chunks, embeddings)
    store.save("vectors/class10_math.faiss")

    store = VectorStore.load("vectors/class10_math.faiss")
    pipeline = RetrievalPipeline(store, embedding_gen)
    generator = RAGAnswerGenerator()

    def answer_student_question(query: str, class_num: int, subject: str) -> str:
        chunks = pipeline.retrieve(query, class_num, subject)
        result = generator.generate(query, chunks, class_num)
        return result.answer if result.is_safe() else "I don't know based on NCERT textbooks."

    answer = answer_student_question(query="What is an arithmetic progression?", class_num=10, subject="mathematics")
    assert "each number after the first is found by adding one fixed number" in answer
    assert "[Source 1]" in answer
    assert answer_student_question("What is photosynthesis?", 10, "mathematics") == REFUSAL_MESSAGE
    assert answer_student_question("What is an arithmetic progression?", 9, "mathematics") == REFUSAL_MESSAGE
    assert answer_student_question("What is an arithmetic progression?", 10, "science") == REFUSAL_MESSAGE


def test_an_answer_names_the_book_its_chapter_and_its_page(shelf, fast):
    pipeline = RetrievalPipeline(stored(fast, BOOK), fast)
    query = "What is an arithmetic progression?"
    chunks = pipeline.retrieve(query=query, class_number=10, subject="mathematics")
    result = RAGAnswerGenerator().generate(query=query, retrieved_chunks=chunks, class_number=10)
    assert result.is_safe()
    (cited,) = {citation.chunk_id for citation in result.citations}
    found = next(chunk for chunk in chunks if chunk.source_id == cited)
    assert 0.6 <= found.confidence <= 1.0
    assert found.content.count(DEFINITION.split(". ")[0]) == 1
    assert found.metadata["page"] == result.citations[0].page == 1
    assert (found.metadata["class_number"], found.metadata["subject"]) == (10, "mathematics")
    assert (found.metadata["chapter"], found.metadata["chapter_title"]) == ("5", "Arithmetic Progressions")


def test_pages_have_numbers_and_the_text_that_stands_on_them(shelf):
    pages = PDFProcessor().process_pdf(BOOK)
    assert [page.number for page in pages] == [1, 2]
    assert DEFINITION in " ".join(pages[0].text.split())
    assert SUM in " ".join(pages[1].text.split())
    assert SUM not in " ".join(pages[0].text.split())


def test_a_paragraph_that_continues_overleaf_stands_on_both_of_its_pages(shelf):
    first, second = DEFINITION.split("adding one ")
    sheets = [
        Sheet(column([EXAMPLE, f"{first}adding one"], 60, 770, 460)),
        Sheet(column([second, SUM], 60, 770, 460, indent=0)),
    ]
    (shelf / "overleaf.pdf").write_bytes(pdf(sheets))
    one, two = PDFProcessor().process_pdf("overleaf.pdf")
    assert " ".join(one.text.split()).endswith("adding one")
    assert " ".join(two.text.split()).startswith("fixed number to the number")


def test_a_blank_page_is_a_page_without_text(shelf):
    (shelf / "blank.pdf").write_bytes(pdf([sheet("Numbers", SUM), Sheet([]), sheet("More", EXAMPLE)]))
    pages = PDFProcessor().process_pdf("blank.pdf")
    assert [page.number for page in pages] == [1, 2, 3]
    assert [bool(page.text) for page in pages] == [True, False, True]


def test_the_structure_is_what_the_book_says_it_is(shelf):
    book = (
        "# Chapter 5: Arithmetic Progressions\n\n## 5.1 Steps\n\nSteps can be equal.\n\n"
        f"### Definition: Arithmetic progression\n\n{DEFINITION}\n\n### Example 1\n\n{EXAMPLE}\n"
    )
    (shelf / "class_10_maths.md").write_text(book, encoding="utf-8")
    cleaned = TextCleaner().clean(PDFProcessor().process_pdf("class_10_maths.md"))
    units = StructureRecovery().recover(cleaned)
    assert [unit.kind for unit in units] == ["paragraph", "definition", "example"]
    assert {unit.chapter for unit in units} == {"5"}
    assert all(unit.text in str(cleaned) for unit in units)
    assert DEFINITION in units[1].text


@pytest.mark.parametrize(
    ("name", "class_number", "subject"),
    [
        ("NCERT_Class10_Mathematics.txt", 10, "mathematics"),
        ("class 9 social science.txt", 9, "social science"),
        ("Maths-grade-7.txt", 7, "mathematics"),
        ("notes.txt", None, None),
    ],
)
def test_class_and_subject_are_read_from_the_name_of_the_file(shelf, name, class_number, subject):
    (shelf / name).write_text(f"{DEFINITION}\n", encoding="utf-8")
    (chunk,) = chunks_of(name)
    assert chunk.metadata.get("class_number") == class_number
    assert chunk.metadata.get("subject") == subject


def test_what_the_file_states_goes_before_its_name_and_what_the_caller_says_before_both(shelf):
    text = f"BOOK: Numbers\nCLASS: 8\nSUBJECT: science\n\n{DEFINITION}\n"
    (shelf / "class10_mathematics.txt").write_text(text, encoding="utf-8")
    stated = chunks_of("class10_mathematics.txt")[0].metadata
    assert (stated["class_number"], stated["subject"], stated["book"]) == (8, "science", "Numbers")
    said = chunks_of("class10_mathematics.txt", class_number=6, subject="history")[0].metadata
    assert (said["class_number"], said["subject"]) == (6, "history")


def test_a_saved_store_is_read_back_by_another_process(shelf, fast):
    stored(fast, BOOK).save(SAVED)
    code = (
        "from footnotary.contracts.tutor import EmbeddingGenerator, RetrievalPipeline, VectorStore\n"
        f"store = VectorStore.load({SAVED!r})\n"
        "found = RetrievalPipeline(store, EmbeddingGenerator(model='fast')).retrieve('What is a common difference?')\n"
        "print(store.get_num_chunks(), found[0].content)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=shelf).stdout
    assert said.split()[0] == str(len(chunks_of(BOOK)))
    assert "common difference" in said


def test_saving_again_replaces_the_store_and_nothing_else(shelf, fast):
    stored(fast, BOOK).save(SAVED)
    (shelf / "one.txt").write_text(SUM, encoding="utf-8")
    stored(fast, "one.txt").save(SAVED)
    assert VectorStore.load(SAVED).get_num_chunks() == 1
    assert [path.name for path in (shelf / "vectors").iterdir()] == ["class10_math.faiss"]
    with pytest.raises(UsageError, match="is not a store"):
        stored(fast, "one.txt").save(BOOK)
    assert (shelf / BOOK).read_bytes().startswith(b"%PDF")


def test_chunks_may_be_added_in_parts_and_to_a_loaded_store(shelf, fast):
    chunks = chunks_of(BOOK)
    store = VectorStore()
    for chunk in chunks:
        store.add_chunks([chunk], fast.embed_chunks([chunk]))
    assert store.get_num_chunks() == len(chunks) > 1
    store.save(SAVED)
    (shelf / "one.txt").write_text("A prime number has exactly two divisors.", encoding="utf-8")
    more = chunks_of("one.txt")
    loaded = VectorStore.load(SAVED)
    loaded.add_chunks(more, fast.embed_chunks(more))
    assert VectorStore.load(SAVED).get_num_chunks() == len(chunks) + 1


def test_two_books_of_one_name_are_both_found(shelf, fast):
    for folder, text in (("a", SUM), ("b", EXAMPLE)):
        (shelf / folder).mkdir()
        (shelf / folder / "chapter1.txt").write_text(text, encoding="utf-8")
    store = stored(fast, "a/chapter1.txt", "b/chapter1.txt")
    assert store.get_num_chunks() == 2
    found = RetrievalPipeline(store, fast).retrieve("What is the common difference of the whole numbers?")
    assert len({chunk.chunk_id for chunk in found}) == 2


def test_a_changed_file_replaces_what_it_said_before(shelf, fast):
    store = VectorStore()
    for text in (SUM, EXAMPLE):
        (shelf / "one.txt").write_text(text, encoding="utf-8")
        chunks = chunks_of("one.txt")
        store.add_chunks(chunks, fast.embed_chunks(chunks))
    assert store.get_num_chunks() == 1
    assert RetrievalPipeline(store, fast).retrieve("common difference")[0].content == EXAMPLE


def test_an_empty_store_finds_nothing_and_the_answer_is_the_refusal(fast):
    found = RetrievalPipeline(VectorStore(), fast).retrieve("What is an arithmetic progression?", 10, "mathematics")
    assert found == []
    assert RAGAnswerGenerator().generate("What is an arithmetic progression?", found, 10).answer == REFUSAL_MESSAGE


def test_what_cannot_be_done_is_said(shelf, fast):
    with pytest.raises(DocumentError, match="no such file"):
        PDFProcessor().process_pdf("missing.pdf")
    with zipfile.ZipFile("books.zip", "w") as archive:
        archive.write(BOOK)
    with pytest.raises(DocumentError, match="archive"):
        PDFProcessor().process_pdf("books.zip")
    with pytest.raises(UsageError, match="no store"):
        VectorStore.load("vectors/missing.faiss")
    assert not (shelf / "vectors").exists()
    with pytest.raises(UsageError, match="the store is empty"):
        VectorStore().save(SAVED)
    with pytest.raises(UsageError, match="process_pdf"):
        TextCleaner().clean(["a page"])
    chunks = chunks_of(BOOK)
    with pytest.raises(UsageError, match="embeddings"):
        VectorStore().add_chunks(chunks, fast.embed_chunks(chunks[:1]))


def test_vectors_of_another_embedder_are_not_searched(shelf, fast):
    store = stored(fast, BOOK)
    with pytest.raises(IndexMismatch):
        RetrievalPipeline(store, EmbeddingGenerator()).retrieve("What is an arithmetic progression?")


def test_a_store_that_could_not_be_saved_is_still_there(shelf, fast):
    store = stored(fast, BOOK)
    held = store.get_num_chunks()
    with pytest.raises(BackendError, match="cannot be written"):
        store.save(f"{BOOK}/inside.faiss")
    assert store.get_num_chunks() == held
    store.save(SAVED)
    assert VectorStore.load(SAVED).get_num_chunks() == held
