"""The lexical index of one project: BM25 over our own tokens, by tantivy.

Texts reach tantivy as terms joined by spaces and questions as a set of term queries: no query language is ever parsed,
so there is nothing to inject. Statistics count deleted chunks until their segment is merged or the index is rebuilt;
`derived_indexes` keeps their number low.
"""

import json
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import tantivy

from footnotary.domain.identity import sha256_hex
from footnotary.durable import tighten_files
from footnotary.index.indexed_terms import indexed_terms
from footnotary.index.label_matching import FACETS
from footnotary.index.sqlite.changes import IndexEntry
from footnotary.text.tokens import content_terms

WORK_BOOST = 0.5
_FIELDS = (("text", 1.0), ("work", WORK_BOOST))
_SECTION = FACETS.index("section")
_HEAP_BYTES = 64_000_000
_CHECKSUMMED_SUFFIXES = frozenset((".del", ".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term"))
# In a large project a word in nearly every chunk has almost no weight, and its posting list is the longest.
LARGE_PROJECT_CHUNKS = 100_000
_COMMON_TERM_SHARE = 0.9
# Scores are 32-bit sums whose order of addition differs between segments: scores equal to five digits are ties.
_DIGITS = 5
_TIE = 1 - 10.0 ** (1 - _DIGITS)
_FINGERPRINT_TEXT = (
    '"Wife" means a spouse. The 2nd wife\'s cheating shall be punished under section 120-B, Rs. 1,00,000; '
    "छल के लिए दण्ड दिया जाएगा।"
)


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for name, _ in _FIELDS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("facet", tokenizer_name="raw", index_option="basic")
    # Signed, because deleting by a term of an unsigned field deletes nothing (tantivy-py 0.27).
    builder.add_integer_field("number", indexed=True, fast=True)
    return builder.build()


def tokens_fingerprint() -> str:
    """Changes when texts are tokenized differently than before, so that an index of the old terms must be rebuilt."""
    return sha256_hex(" ".join(indexed_terms(_FINGERPRINT_TEXT, "Cheating", "420")))[:16]


@dataclass(frozen=True, slots=True)
class LexicalIndexView:
    """The lexical index at one commit; safe to share between threads."""

    searcher: tantivy.Searcher
    schema: tantivy.Schema

    @property
    def count(self) -> int:
        return self.searcher.num_docs

    def search(
        self, terms: Sequence[str], k: int, asked: Mapping[str, Sequence[str]], without: Sequence[str] = ()
    ) -> list[tuple[int, float]]:
        """The numbers and scores of the best `k` chunks and of all that tie with the last of them.

        Only chunks that contain a term, match every requested facet, and are in none of the documents `without`;
        a term given twice counts twice. In a large project terms that nearly all chunks contain are ignored, if there
        are others. Raises `ValueError` if the files are damaged.
        """
        with _panics_as_errors():
            return self._search(self._query(terms, asked, without), k)

    def _search(self, query: tantivy.Query | None, k: int) -> list[tuple[int, float]]:
        if query is None or k < 1 or not self.count:
            return []
        limit = 2 * k
        while True:
            hits = self.searcher.search(query, min(limit, self.count), count=False).hits
            if len(hits) < limit or limit >= self.count or hits[-1][0] < hits[k - 1][0] * _TIE:
                break
            limit *= 4
        if len(hits) > k:
            last = hits[k - 1][0] * _TIE
            hits = [hit for hit in hits if hit[0] >= last]
        numbers = self.searcher.fast_field_values("number", [address for _, address in hits])
        scores = (_round_score(cast(float, score)) for score, _ in hits)
        return list(zip(cast(list[int], numbers), scores, strict=True))

    def _query(
        self, terms: Sequence[str], asked: Mapping[str, Sequence[str]], without: Sequence[str]
    ) -> tantivy.Query | None:
        asked_for = [(term, field, boost * n) for term, n in Counter(terms).items() for field, boost in _FIELDS]
        words: list[tuple[tantivy.Occur, tantivy.Query]] = []
        for term, field, weight in self._informative(asked_for):
            word = tantivy.Query.term_query(self.schema, field, term, "freq")
            words.append((tantivy.Occur.Should, word if weight == 1 else tantivy.Query.boost_query(word, weight)))
        if not words:
            return None
        query = tantivy.Query.boolean_query(words)
        if not asked and not without:
            return query
        clauses = [(tantivy.Occur.Must, query)]
        for facet, keys in asked.items():
            clauses.append((tantivy.Occur.Must, tantivy.Query.const_score_query(self._facet_query(facet, keys), 0.0)))
        if without:
            clauses.append((tantivy.Occur.MustNot, self._facet_query("document", without)))
        return tantivy.Query.boolean_query(clauses)

    def _informative(self, words: list[tuple[str, str, float]]) -> list[tuple[str, str, float]]:
        """The words (term, field, weight) without those in nearly every chunk, unless no other word matches."""
        if self.count < LARGE_PROJECT_CHUNKS:
            return words
        held = {(term, field): self.searcher.doc_freq(field, term) for term, field, _ in words}
        telling = [word for word in words if held[word[:2]] < _COMMON_TERM_SHARE * self.count]
        return telling if any(held[word[:2]] for word in telling) else words

    def _facet_query(self, facet: str, keys: Sequence[str]) -> tantivy.Query:
        if len(keys) == 1:  # reads one posting list, while a set of terms fills a bit set first
            return tantivy.Query.term_query(self.schema, "facet", _facet_term(facet, keys[0]), "basic")
        return tantivy.Query.term_set_query(self.schema, "facet", [_facet_term(facet, key) for key in keys])


class TantivyIndex:
    """On disk in `folder`, or in memory without one. One process at a time may write to a folder."""

    def __init__(self, folder: Path | None = None, *, create: bool = True) -> None:
        """Raises `ValueError` if the index in `folder` is damaged, or if there is none and `create` is false."""
        self._schema = _schema()
        self._folder = folder
        with _panics_as_errors():
            if folder is not None and not create:
                _verify_files(folder)
            self._index = tantivy.Index(self._schema, path=None if folder is None else str(folder))
            # Views are refreshed on request; by default a thread would watch the folder.
            self._index.config_reader("manual")

    @contextmanager
    def writing(self, removed: Iterable[int]) -> Generator[Callable[[Iterable[IndexEntry]], None]]:
        """Deletes chunks, and yields a function that inserts others; one commit at the end, or none.

        A chunk is deleted before it is inserted, so that an update interrupted after its commit can be repeated.
        """
        with _panics_as_errors():
            writer = self._index.writer(_HEAP_BYTES, 1)

        def add(entries: Iterable[IndexEntry]) -> None:
            for entry in entries:
                writer.delete_documents_by_term("number", entry.number)
                writer.add_document(_document(entry))

        try:
            with _panics_as_errors():
                for number in removed:
                    writer.delete_documents_by_term("number", number)
                yield add
                writer.commit()
        except BaseException:
            writer.rollback()
            raise
        finally:
            # Also releases the folder's writer lock, which otherwise waits for the garbage collector.
            writer.wait_merging_threads()
            if self._folder is not None:
                tighten_files(self._folder)

    def view(self) -> LexicalIndexView:
        """The state after the last commit of any process."""
        with _panics_as_errors():
            self._index.reload()
            return LexicalIndexView(self._index.searcher(), self._schema)


@contextmanager
def _panics_as_errors() -> Generator[None]:
    """Turns a panic of tantivy, which `except Exception` does not catch, into `ValueError`: it means damaged files."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise ValueError(f"tantivy panicked: {error}") from error
        raise


def _verify_files(folder: Path) -> None:
    """Raises `ValueError` unless there is an index whose files match the checksums at their ends.

    Tantivy writes these but does not verify them when it opens an index, and a flipped bit would only change what is
    found. A file ends with a record in JSON, its length and a magic number, four bytes each.
    """
    if not tantivy.Index.exists(str(folder)):
        raise ValueError(f"there is no index in {folder}")
    for path in folder.iterdir():
        if path.suffix not in _CHECKSUMMED_SUFFIXES:
            continue
        content = memoryview(path.read_bytes())
        body = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        try:
            sound = body >= 0 and json.loads(bytes(content[body:-8]))["crc"] == zlib.crc32(content[:body])
        except (ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            raise ValueError(f"{path} is damaged")


def _document(entry: IndexEntry) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("text", " ".join(indexed_terms(entry.text, entry.title, entry.facets[_SECTION])))
    document.add_text("work", " ".join(content_terms(entry.work)))
    for facet, key in zip(FACETS, entry.facets, strict=True):
        document.add_text("facet", _facet_term(facet, key))
    document.add_integer("number", entry.number)
    return document


def _facet_term(name: str, key: str) -> str:
    return f"{name}:{key}"


def _round_score(score: float) -> float:
    return float(f"{score:.{_DIGITS}g}")
