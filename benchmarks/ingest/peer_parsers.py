"""Other readers of PDF files, timed in their own Python; started by `speed` with `--peer-python`.

    python peer_parsers.py pdfplumber|docling|docling-parse FILE

Prints one JSON object: pages, seconds, characters, peak memory; or, in `error`, why it could not run.
"""

from __future__ import annotations

import json
import resource
import sys
import time


def pdfplumber(path: str) -> tuple[int, int]:
    """Words with boxes, and text, of every page."""
    import pdfplumber  # pyright: ignore[reportMissingImports]

    characters = 0
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            page.extract_words()
            characters += len(page.extract_text())
            page.close()
        return len(pdf.pages), characters


def docling(path: str) -> tuple[int, int]:
    """Layout and tables by its own models, no text recognition: the file is born digital."""
    from docling.datamodel.base_models import InputFormat  # pyright: ignore[reportMissingImports]
    from docling.datamodel.pipeline_options import PdfPipelineOptions  # pyright: ignore[reportMissingImports]
    from docling.document_converter import DocumentConverter, PdfFormatOption  # pyright: ignore[reportMissingImports]

    options = PdfPipelineOptions(do_ocr=False)
    converter = DocumentConverter(format_options={InputFormat.PDF: PdfFormatOption(pipeline_options=options)})
    document = converter.convert(path).document
    return len(document.pages), len(document.export_to_markdown())


def docling_parse(path: str) -> tuple[int, int]:
    """Words with boxes by docling's parser alone, without reading order, tables or any model."""
    from docling_core.types.doc.page import TextCellUnit  # pyright: ignore[reportMissingImports]
    from docling_parse.pdf_parser import DoclingPdfParser  # pyright: ignore[reportMissingImports]

    pages = characters = 0
    for _, page in DoclingPdfParser().load(path).iterate_pages():
        pages += 1
        characters += sum(len(cell.text) + 1 for cell in page.iterate_cells(TextCellUnit.WORD))
    return pages, characters


READERS = {"pdfplumber": pdfplumber, "docling": docling, "docling-parse": docling_parse}


def main() -> None:
    name, path = sys.argv[1:]
    started = time.perf_counter()
    try:
        pages, characters = READERS[name](path)
    except Exception as error:  # any failure is reported
        print(json.dumps({"error": f"{type(error).__name__}: {error}"[:300]}))
        return
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"pages": pages, "seconds": seconds, "characters": characters, "peak_mb": peak}))


if __name__ == "__main__":
    main()
