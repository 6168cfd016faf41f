"""Several readers as one: each question goes to the one that has learned its language."""

from __future__ import annotations

from collections.abc import Sequence

from footnotary.ports import PassageText, Reader, Reading
from footnotary.text.language import language_of


class ReaderByLanguage:
    """Asks the reader that knows the question's language. Implements `footnotary.ports.Reader`.

    Claims are read by the first. A question in a language that none has learned gets 0. Where languages are mixed,
    ask `reader_knowing` for the reader of the question first: `languages` are those of all of them.
    """

    def __init__(self, first: Reader, *others: Reader) -> None:
        self.readers: tuple[Reader, ...] = (first, *others)
        self.name = ", ".join(reader.name for reader in self.readers)
        self.fusion_weights = first.fusion_weights
        self.languages: tuple[str, ...] = tuple(
            dict.fromkeys(language for reader in self.readers for language in reader.languages)
        )

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        return self.readers[0].support(pairs)

    def answers(self, pairs: Sequence[tuple[str, Sequence[PassageText]]]) -> Sequence[float]:
        by = [reader_knowing(self, language_of(question)) for question, _ in pairs]
        found = [0.0] * len(pairs)
        for reader in self.readers:
            places = [place for place, each in enumerate(by) if each is reader]
            for place, probability in zip(places, reader.answers([pairs[place] for place in places]), strict=True):
                found[place] = probability
        return found

    def best_of(self, probabilities: Sequence[float]) -> float:
        """That of the first reader; a reader chosen by `reader_knowing` has its own."""
        return self.readers[0].best_of(probabilities)

    def read(self, question: str, passages: Sequence[PassageText]) -> Sequence[Reading]:
        reader = reader_knowing(self, language_of(question)) or self.readers[0]
        return reader.read(question, passages)


def reader_knowing(reader: Reader | None, language: str) -> Reader | None:
    """The reader that has learned a language; None where there is none."""
    readers = reader.readers if isinstance(reader, ReaderByLanguage) else (reader,)
    return next((each for each in readers if each is not None and language in each.languages), None)
