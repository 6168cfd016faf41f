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
from footnotary.evaluate.hidden import names_of
from footnotary.text.definitions import defined_terms, definition_key, hindi_definitions
from footnotary.text.language import language_of
from footnotary.text.sentences import sentences
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
_MARKS = ("“", '"', "‘", "'", "«", "”")
_MOST_WORDS, _LONGEST = 12, 900


@dataclass(frozen=True, slots=True)
class Made:
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


def made_questions(chunks: Sequence[Chunk], per_kind: int) -> tuple[Made, ...]:
    """At most `per_kind` of each kind, drawn deterministically, without duplicates."""
    kinds = (known_items(chunks), definitions(chunks), penalties(chunks))
    drawn = [_drawn(found, per_kind) for found in kinds]
    asked = [made for found in drawn[1:] for made in found] or drawn[0]
    return (*(made for found in drawn for made in found), *_drawn(map(_without_source, asked), per_kind))


def known_items(chunks: Iterable[Chunk]) -> Iterator[Made]:
    """One question for each section whose title no other section has."""
    for title, chunk in _titled(chunks):
        if language_of(title) == "hi":
            question = f"{title} के बारे में क्या कहा गया है?"
        elif chunk.labels.section is not None:
            question = f"Which section deals with {_lowered(title)}?"
        else:
            question = f"What is said about {_lowered(title)}?"
        yield Made(KNOWN_ITEM, question, _section(chunk), "", chunk.text, language_of(chunk.text))


def definitions(chunks: Iterable[Chunk]) -> Iterator[Made]:
    """One question for each term that only one section defines; the answer is the defining sentence."""
    found: dict[str, list[Made]] = defaultdict(list)
    for chunk in chunks:
        for sentence in sentences(chunk.text):
            if len(sentence) > _LONGEST:
                continue
            for key, term in _terms(sentence):
                hindi = language_of(sentence) == "hi"
                question = f"{term} से क्या अभिप्रेत है?" if hindi else f"What is meant by {term}?"
                language = "hi" if hindi else "en"
                found[key].append(Made(DEFINITION, question, _section(chunk), sentence, chunk.text, language))
    for made in found.values():
        if len({one.relevant for one in made}) == 1:
            yield made[0]


def penalties(chunks: Iterable[Chunk]) -> Iterator[Made]:
    """One question for each titled section that states a punishment; the answer is the first sentence that does."""
    for title, chunk in _titled(chunks):
        stated = next((s for s in sentences(chunk.text) if _PENALTY.search(s) and len(s) <= _LONGEST), None)
        if stated is None:
            continue
        hindi = language_of(stated) == "hi"
        about = _lowered(_PUNISHMENT_FOR.sub("", title))
        question = f"{title}: इसके लिए क्या दंड है?" if hindi else f"What is the punishment for {about}?"
        yield Made(PENALTY, question, _section(chunk), stated, chunk.text, "hi" if hindi else "en")


def _without_source(made: Made) -> Made:
    return replace(made, kind=UNANSWERABLE, answer="", without=made.relevant)


def _terms(sentence: str) -> Iterator[tuple[str, str]]:
    """(key, term as written) for each term that a sentence defines."""
    keys = defined_terms(sentence)
    if not keys:
        return
    written = [m.group(m.lastindex or 0) for pattern in (_QUOTED, _PLAIN) for m in pattern.finditer(sentence)]
    # Without quotation marks the Hindi patterns find phrases that are not terms.
    spans = hindi_definitions(sentence)
    written += [span.of(sentence) for span in spans if sentence[: span.start].rstrip().endswith(_MARKS)]
    for term in dict.fromkeys(" ".join(term.split()).strip(" *") for term in written):
        key = definition_key(content_terms(term))
        if key in keys and len(term) >= 3 and len(term.split()) <= 5:
            yield key, term


def _titled(chunks: Iterable[Chunk]) -> Iterator[tuple[str, Chunk]]:
    """The first passage of each section that has a title of its own, with that title."""
    sections: dict[str, tuple[str, Chunk]] = {}
    for chunk in chunks:
        title = chunk.labels.title or (chunk.section[-1] if chunk.section else "")
        title = " ".join(title.strip(" .:—–-").split())
        if 1 <= len(title.split()) <= _MOST_WORDS and any(char.isalpha() for char in title):
            sections.setdefault(_section(chunk), (title, chunk))
    times: dict[str, int] = defaultdict(int)
    for title, _ in sections.values():
        times[title.casefold()] += 1
    yield from ((title, chunk) for title, chunk in sections.values() if times[title.casefold()] == 1)


def _section(chunk: Chunk) -> str:
    """The id that all passages of its section share; where a text has no sections, the passage's own id.

    Otherwise the whole text would count as the source, and hiding it would leave no distractors.
    """
    if not chunk.section and chunk.labels.section is None and chunk.labels.title is None:
        return chunk.id
    return next((name for name in names_of(chunk)[1:] if chunk.id.startswith(f"{name}_")), chunk.id)


def _lowered(title: str) -> str:
    """The title within a sentence; a name or an abbreviation keeps its capitals."""
    first, _, rest = title.partition(" ")
    return title if first.isupper() or rest != rest.lower() else f"{first.lower()} {rest}".strip()


def _drawn(found: Iterable[Made], most: int) -> list[Made]:
    """At most `most`, in order of the hash of the question: independent of its title."""
    by_id = {made.id: made for made in found}
    return [by_id[key] for key in sorted(by_id, key=lambda key: key.rpartition("-")[2])[:most]]
