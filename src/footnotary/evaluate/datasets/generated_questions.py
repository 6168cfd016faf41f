"""Questions generated from a corpus by rule, without a model: known item, definition, penalty and unanswerable.

Every question comes from one section, whose title or term occurs nowhere else in the corpus. A question is unanswerable
where that section is hidden while it is asked. The rules make mistakes: a person has to review the questions.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from footnotary.domain.chunk import Chunk
from footnotary.evaluate.hidden_passages import passage_names
from footnotary.text.definitions import defined_terms, definition_key, hindi_definitions
from footnotary.text.language import language_of
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import content_terms

KNOWN_ITEM, DEFINITION, PENALTY, UNANSWERABLE = "known-item", "definition", "penalty", "unanswerable"

# Single quotes are apostrophes too often: “women’s institution” does not define "women".
_QUOTED = re.compile(r"“([^“”\n]{2,60})”|\"([^\"\n]{2,60})\"")
_PLAIN = re.compile(
    r"^(?:an? |the )?((?:[\w-]{1,30} ){0,3}[\w-]{1,30}) (?:means|denotes|is defined as|refers to)\b", re.I
)
_PENALTY = re.compile(
    r"\b(?:shall be punish(?:ed|able)|punishable with|(?:liable|subject) to (?:a )?(?:fine|penalty)"
    r"|shall (?:also )?be liable to (?:a )?(?:fine|penalty)|penalty (?:of|which may))\b|दण्डित|दंडित|जुर्माने से",
    re.I,
)
_PUNISHMENT_FOR = re.compile(r"^(?:punishment|penalty|penalties) (?:for|of) ", re.I)
_QUOTATION_MARKS = ("“", '"', "‘", "'", "«", "”")
_MAX_TITLE_WORDS, _MAX_SENTENCE_CHARS = 12, 900


@dataclass(frozen=True, slots=True)
class GeneratedQuestion:
    """A generated question; `source` is the passage it came from, for the reviewer."""

    kind: str
    question: str
    relevant: str
    answer: str
    source: str
    language: str
    without: str = ""

    @property
    def id(self) -> str:
        """The same for the same question in every run, so that reviews are kept."""
        said = f"{self.kind}\n{self.question}\n{self.relevant}\n{self.without}"
        return f"{self.kind}-{hashlib.sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def generate_questions(chunks: Sequence[Chunk], per_kind: int) -> tuple[GeneratedQuestion, ...]:
    """At most `per_kind` of each kind, drawn deterministically, without duplicates."""
    kinds = (known_item_questions(chunks), definition_questions(chunks), penalty_questions(chunks))
    drawn = [_draw(found, per_kind) for found in kinds]
    asked = [made for found in drawn[1:] for made in found] or drawn[0]
    return (*(made for found in drawn for made in found), *_draw(map(_make_unanswerable, asked), per_kind))


def known_item_questions(chunks: Iterable[Chunk]) -> Iterator[GeneratedQuestion]:
    """One question for each section whose title no other section has."""
    for title, chunk in _titled_sections(chunks):
        if language_of(title) == "hi":
            question = f"{title} के बारे में क्या कहा गया है?"
        elif chunk.labels.section is not None:
            question = f"Which section deals with {_lowercase_title(title)}?"
        else:
            question = f"What is said about {_lowercase_title(title)}?"
        yield GeneratedQuestion(KNOWN_ITEM, question, _section_id(chunk), "", chunk.text, language_of(chunk.text))


def definition_questions(chunks: Iterable[Chunk]) -> Iterator[GeneratedQuestion]:
    """One question for each term that only one section defines; the answer is the defining sentence."""
    found: dict[str, list[GeneratedQuestion]] = defaultdict(list)
    for chunk in chunks:
        for sentence in sentences(chunk.text):
            if len(sentence) > _MAX_SENTENCE_CHARS:
                continue
            for key, term in _terms(sentence):
                hindi = language_of(sentence) == "hi"
                question = f"{term} से क्या अभिप्रेत है?" if hindi else f"What is meant by {term}?"
                language = "hi" if hindi else "en"
                found[key].append(
                    GeneratedQuestion(DEFINITION, question, _section_id(chunk), sentence, chunk.text, language)
                )
    for made in found.values():
        if len({one.relevant for one in made}) == 1:
            yield made[0]


def penalty_questions(chunks: Iterable[Chunk]) -> Iterator[GeneratedQuestion]:
    """One question for each titled section that states a punishment; the answer is the first sentence that does."""
    for title, chunk in _titled_sections(chunks):
        stated = next((s for s in sentences(chunk.text) if _PENALTY.search(s) and len(s) <= _MAX_SENTENCE_CHARS), None)
        if stated is None:
            continue
        hindi = language_of(stated) == "hi"
        about = _lowercase_title(_PUNISHMENT_FOR.sub("", title))
        question = f"{title}: इसके लिए क्या दंड है?" if hindi else f"What is the punishment for {about}?"
        yield GeneratedQuestion(PENALTY, question, _section_id(chunk), stated, chunk.text, "hi" if hindi else "en")


def _make_unanswerable(made: GeneratedQuestion) -> GeneratedQuestion:
    return replace(made, kind=UNANSWERABLE, answer="", without=made.relevant)


def _terms(sentence: str) -> Iterator[tuple[str, str]]:
    """(key, term as written) for each term that a sentence defines."""
    keys = defined_terms(sentence)
    if not keys:
        return
    written = [m.group(m.lastindex or 0) for pattern in (_QUOTED, _PLAIN) for m in pattern.finditer(sentence)]
    # Without quotation marks the Hindi patterns find phrases that are not terms.
    spans = hindi_definitions(sentence)
    written += [span.of(sentence) for span in spans if sentence[: span.start].rstrip().endswith(_QUOTATION_MARKS)]
    for term in dict.fromkeys(" ".join(term.split()).strip(" *") for term in written):
        key = definition_key(content_terms(term))
        if key in keys and len(term) >= 3 and len(term.split()) <= 5:
            yield key, term


def _titled_sections(chunks: Iterable[Chunk]) -> Iterator[tuple[str, Chunk]]:
    """The first passage of each section that has a title of its own, with that title."""
    sections: dict[str, tuple[str, Chunk]] = {}
    for chunk in chunks:
        title = chunk.labels.title or (chunk.section[-1] if chunk.section else "")
        title = " ".join(title.strip(" .:—–-").split())
        if 1 <= len(title.split()) <= _MAX_TITLE_WORDS and any(char.isalpha() for char in title):
            sections.setdefault(_section_id(chunk), (title, chunk))
    times: dict[str, int] = defaultdict(int)
    for title, _ in sections.values():
        times[title.casefold()] += 1
    yield from ((title, chunk) for title, chunk in sections.values() if times[title.casefold()] == 1)


def _section_id(chunk: Chunk) -> str:
    """The id that all passages of its section share; where a text has no sections, the passage's own id.

    Otherwise the whole text would count as the source, and hiding it would leave no distractors.
    """
    if not chunk.section and chunk.labels.section is None and chunk.labels.title is None:
        return chunk.id
    return next((name for name in passage_names(chunk)[1:] if chunk.id.startswith(f"{name}_")), chunk.id)


def _lowercase_title(title: str) -> str:
    """The title within a sentence; a name or an abbreviation keeps its capitals."""
    first, _, rest = title.partition(" ")
    return title if first.isupper() or rest != rest.lower() else f"{first.lower()} {rest}".strip()


def _draw(found: Iterable[GeneratedQuestion], most: int) -> list[GeneratedQuestion]:
    """At most `most`, in order of the hash of the question: independent of its title."""
    by_id = {made.id: made for made in found}
    return [by_id[key] for key in sorted(by_id, key=lambda key: key.rpartition("-")[2])[:most]]
