"""From a prefetched file to a document: sniffed, parsed and structured."""

from collections.abc import Callable
from pathlib import PurePath

from footnotary.domain.document import Document, Source
from footnotary.errors import DocumentError, FootnotaryError
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.parser_selection import BINARY_ENCODING
from footnotary.ingest.prefetch import PrefetchedFile
from footnotary.ingest.structure.outline import Unit
from footnotary.ingest.structure.recovery import build_document


def parse_document(
    file: PrefetchedFile, document_id: str, report_progress: Callable[[int, int], None]
) -> tuple[Document, tuple[Unit, ...], ParsedFile]:
    """Sniffs, parses and structures one file: the document, its units, and the parser's result.

    Raises `DocumentError` for anything wrong with the file.
    """
    try:
        original, sniffed = file.original, file.sniffed
        parsed = file.parsed(report_progress)
        title = PurePath(original.name).stem
        source = Source(
            original.origin, sniffed.media_type, original.sha256, title, sniffed.encoding or BINARY_ENCODING
        )
        return *build_document(document_id, source, parsed), parsed
    except FootnotaryError:
        raise
    except Exception as error:  # an unforeseen file must not stop the others
        raise DocumentError(
            f"parsing failed with {type(error).__name__}: {error}",
            reason="parse_failed",
            hint="internal error; please report it with the file",
        ) from error
