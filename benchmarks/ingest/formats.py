"""Generated files of every format: is all text there, nothing hidden, and does every run of text lead to its place?

    python -m benchmarks.ingest.formats [--files 24]

Writes benchmarks/results/ingest/formats.json and .md.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from dataclasses import asdict, dataclass, field
from html import unescape

from benchmarks.ingest.generated_files import GENERATORS, GeneratedFile
from benchmarks.ingest.test_set import RESULTS
from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source, SourceLocation
from footnotary.domain.identity import Span, sha256_hex
from footnotary.ingest.chunking.chunk_builder import build_chunks
from footnotary.ingest.file_type import sniff
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.sandbox.worker_pool import ParserPool
from footnotary.ingest.structure.recovery import build_document

QUOTES_PER_PASSAGE = 5
_TAG = re.compile(r"<(script|style|title)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.S)
_WORD = re.compile(r"[^\W_]+")


@dataclass(slots=True)
class FormatResult:
    """Counts over the files of one kind; `wrong` describes what did not hold."""

    kind: str
    files: int = 0
    parts: int = 0
    complete_parts: int = 0
    passages: int = 0
    quotes: int = 0
    led_back: int = 0
    hidden: int = 0
    hidden_read: int = 0
    ids: int = 0
    ids_found: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def note(self, is_right: bool, what: str) -> bool:
        if not is_right and len(self.wrong) < 20:
            self.wrong.append(what[:200])
        return is_right


def examine(made: GeneratedFile, document: Document, chunks: tuple[Chunk, ...], result: FormatResult) -> None:
    result.files += 1
    passages = "\n".join(chunk.text for chunk in chunks)
    headings = "\n".join(" / ".join(chunk.section) for chunk in chunks)
    held = " ".join(_WORD.findall(f"{passages}\n{headings}\n{document.source.title}"))
    for place, text in made.parts.items():
        result.parts += 1
        expected = _visible(made, text)
        missing = [word for word in expected if word not in held]
        result.complete_parts += result.note(not missing, f"{made.name} {place}: {missing[:5]} not read")
    result.hidden += len(made.absent)
    result.hidden_read += sum(
        not result.note(word not in document.text, f"{made.name}: {word} was read") for word in made.absent
    )
    cited = [chunk.id for chunk in chunks]
    result.ids += len(made.ids)
    result.ids_found += sum(
        result.note(any(one.endswith(end) for one in cited), f"{made.name}: no id {end} in {cited[:4]}")
        for end in made.ids
    )
    chosen = random.Random(made.name)
    for chunk in chunks:
        result.passages += 1
        spans = [Span(0, len(chunk.text))]
        for _ in range(QUOTES_PER_PASSAGE):
            start = chosen.randrange(len(chunk.text))
            spans.append(Span(start, min(len(chunk.text), start + chosen.randrange(1, 120))))
        for span in spans:
            if (location := chunk.located(span)) is not None:
                result.quotes += 1
                result.led_back += result.note(
                    _leads_back(made, chunk, span, location), f"{made.name} {chunk.id}: {span.of(chunk.text)!r}"
                )


def _leads_back(made: GeneratedFile, chunk: Chunk, span: Span, location: SourceLocation) -> bool:
    """Whether every run of a quote stands in the part that it names, at the characters that it names."""
    runs = chunk.origin.cut(chunk.text, span).segments
    named = {segment.place for segment in runs}
    if named != {part.place for part in (location, *location.onward)}:
        return False
    for segment in runs:
        text = made.parts.get(segment.place or "")
        run = chunk.text[span.start + segment.start : span.start + segment.start + segment.length]
        if text is None or re.sub(r"\s", " ", text[segment.char : segment.char + segment.length]) != run:
            return False
        if segment.place is None and made.data[segment.byte :][: len(run.encode())].decode() != run:
            return False
    return True


def _visible(made: GeneratedFile, text: str) -> list[str]:
    text = re.sub("|".join(map(re.escape, made.absent)) or "$^", " ", text)
    if text.lstrip().startswith("<"):
        text = unescape(_TAG.sub(" ", text))
    return _WORD.findall(text)


def run(files: int) -> list[FormatResult]:
    results: list[FormatResult] = []
    with ParserPool(count=2) as pool:
        for kind, generate in GENERATORS.items():
            result = FormatResult(kind)
            for at in range(files):
                made = generate(at)
                sniffed = sniff(made.data, made.name)
                parsed = pool.parse(made.data, sniffed).result()
                assert isinstance(parsed, ParsedFile)
                source = Source(made.name, sniffed.media_type, sha256_hex(made.data), made.name)
                document, units = build_document(made.name, source, parsed)
                examine(made, document, build_chunks(document, units), result)
            results.append(result)
            print(result, flush=True)
    return results


def written(results: list[FormatResult]) -> str:
    lines = [
        "# Generated files of every format", "", "Made by `python -m benchmarks.ingest.formats`; the files are generated, the truth is what was written into them.", "",
        "| kind | files | parts whose words are all read | quotes that lead back | hidden words read | ids by number |", "|---|--:|--:|--:|--:|--:|",
    ]  # fmt: skip
    for one in results:
        numbered = f"{one.ids_found} of {one.ids}" if one.ids else "–"
        hidden = f"{one.hidden_read} of {one.hidden}" if one.hidden else "–"
        lines.append(
            f"| {one.kind} | {one.files} | {one.complete_parts:,} of {one.parts:,} | {one.led_back:,} of {one.quotes:,} | {hidden} | {numbered} |"
        )
    wrong = [f"- {one.kind}: {what}" for one in results for what in one.wrong]
    return "\n".join([*lines, *(["", "What did not hold:", "", *wrong] if wrong else []), ""])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--files", type=int, default=24, help="files of each kind")
    results = run(options.parse_args().files)
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "formats.json").write_text(
        json.dumps([asdict(one) for one in results], indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    (RESULTS / "formats.md").write_text(written(results), encoding="utf-8")
    print(written(results))


if __name__ == "__main__":
    main()
