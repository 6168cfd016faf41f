"""Small documents for tests of stores: a few made-up laws, split into chunks."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Labels, OffsetMap, Segment, Source
from footnotary.domain.identity import SemanticId, Span, sha256_hex
from footnotary.ports import PutResult, Store
from footnotary.testing.fake_embedder import HashEmbedder

EMBEDDER = HashEmbedder()

IPC = "Indian Penal Code, 1860"
WAGES = "Minimum Wages Act"


@dataclass(frozen=True, slots=True)
class SampleDocument:
    """A document with its chunks, ready to store."""

    document: Document
    chunks: tuple[Chunk, ...]
    code: str = "X"

    def put_into(self, store: Store, project: str = "law") -> PutResult:
        vectors = EMBEDDER.embed_passages([chunk.text for chunk in self.chunks])
        return store.put(project, self.document, self.chunks, vectors, self.code)

    @property
    def ids(self) -> list[SemanticId]:
        return [chunk.id for chunk in self.chunks]


@dataclass(frozen=True, slots=True)
class SamplePassage:
    """One passage: its id, text and labels."""

    id: SemanticId
    text: str
    labels: Labels = field(default_factory=Labels)
    aliases: tuple[SemanticId, ...] = ()


def make_document(document_id: str, passages: Sequence[SamplePassage], code: str = "X") -> SampleDocument:
    """A document made of these passages, with a blank line between them."""
    text = "\n\n".join(passage.text for passage in passages)
    offsets = OffsetMap((Segment(0, len(text), 0, 0),) if text else ())
    chunks: list[Chunk] = []
    start = 0
    for page, passage in enumerate(passages, start=1):
        span = Span(start, start + len(passage.text))
        start = span.end + 2
        chunks.append(
            Chunk(
                id=passage.id,
                document_id=document_id,
                text=passage.text,
                span=span,
                section=(passage.labels.act or "Untitled", passage.labels.title or "Untitled"),
                page=page,
                digest=sha256_hex(passage.text),
                labels=passage.labels,
                kind="paragraph",
                origin=offsets.cut(text, span),
                aliases=passage.aliases,
            )
        )
    source = Source(f"{document_id}.txt", "text/plain", sha256_hex(text), document_id.title(), licence="CC0-1.0")
    labels = passages[0].labels if passages else Labels()
    return SampleDocument(Document(document_id, source, text, (), offsets, labels), tuple(chunks), code)


def penal_code() -> SampleDocument:
    def section(number: str, title: str, chapter: str = "XVII") -> Labels:
        return Labels("act", "IPC", IPC, "1860", chapter, section=number, title=title)

    return make_document(
        "ipc",
        [
            SamplePassage(
                "IPC_42_0", "A local law applies to one part of the country only.", section("42", "Local law", "II")
            ),
            SamplePassage(
                "IPC_120B_0",
                "Whoever joins a conspiracy to commit an offence is punished like the one who helped.",
                section("120-B", "Punishment of conspiracy", "VA"),
            ),
            SamplePassage(
                "IPC_415_0",
                "Whoever deceives a person and so makes them give up property is said to cheat.",
                section("415", "Cheating"),
                aliases=("IPC_415", "OldCode_415_0"),
            ),
            SamplePassage(
                "IPC_420_0",
                "Whoever cheats and so obtains property goes to prison for up to seven years, and pays a fine.",
                section("420", "Cheating and obtaining property"),
            ),
            SamplePassage(
                "IPC_420_1", "(b) Helping with it is the same offence.", section("420", "Cheating and helping")
            ),
        ],
        "IPC",
    )


def wages_act() -> SampleDocument:
    def section(number: str, title: str) -> Labels:
        return Labels("act", "MinimumWagesAct", WAGES, "1948", "I", section=number, title=title)

    return make_document(
        "wages",
        [
            SamplePassage(
                "MinimumWagesAct_2_0", "Wages are all pay that can be told in money.", section("2", "Meanings")
            ),
            SamplePassage(
                "MinimumWagesAct_420_0",
                "An employer keeps a register of wages and of hours worked.",
                section("420", "Registers"),
            ),
        ],
        "MinimumWagesAct",
    )


def textbook() -> SampleDocument:
    def place(language: str, chapter: str) -> Labels:
        return Labels("textbook", chapter=chapter, class_number=10, subject="Mathematics", language=language)

    return make_document(
        "algebra",
        [
            SamplePassage(
                "Maths10_5.1_0", "In an arithmetic progression each term adds a fixed number.", place("en", "5")
            ),
            SamplePassage(
                "गणित10_5.1_0",
                "समांतर श्रेढ़ी में हर पद पिछले पद में एक निश्चित संख्या जोड़ने से मिलता है।",
                place("hi", "5"),
            ),
        ],
        "Maths10",
    )  # fmt: skip
