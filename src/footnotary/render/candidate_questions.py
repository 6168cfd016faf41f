"""Questions to suggest next to a refusal: the other parts of the question, then what the nearest headings name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Hit
from footnotary.domain.outcome import Answer, Refusal
from footnotary.render.refusal_explanation import (
    bare_heading,
    close_hits,
    missing_part,
    nearest_hits,
)
from footnotary.text.normalise import squeeze
from footnotary.text.tokens import content_terms

_MOST_QUESTIONS = 3
# A question names a document by two words of its title at least; a file name is exact.
_LEAST_TITLE_WORDS = 2


@dataclass(frozen=True, slots=True)
class CandidateQuestion:
    """A question that the documents may answer; `about` is the passage whose heading it is made from, if any."""

    text: str
    about: Chunk | None = None

    def is_answered_by(self, answer: Answer) -> bool:
        """Whether an answer is about what the question was made from: from its document, and first from its section."""
        if self.about is None:
            return True
        first, *others = [hit.chunk for hit in answer.sources]
        is_one_document = all(chunk.document_id == self.about.document_id for chunk in (first, *others))
        return is_one_document and _section(first) == _section(self.about)


def candidate_questions(refusal: Refusal) -> tuple[CandidateQuestion, ...]:
    """At most three questions on the subject: the other parts of this one, then what headings name.

    Where passages of several documents were found, a question names the one it is about. Whether the documents answer
    them is not known: see `suggested_questions`.
    """
    # A question that was just refused is no help.
    said = {squeeze(refusal.query.text).casefold()}
    found: list[CandidateQuestion] = []
    for candidate in (*_other_parts(refusal), *_about_headings(refusal)):
        key = squeeze(candidate.text).casefold()
        if key not in said:
            said.add(key)
            found.append(candidate)
    return tuple(found[:_MOST_QUESTIONS])


def _other_parts(refusal: Refusal) -> Iterator[CandidateQuestion]:
    parts = [facet.text for facet in refusal.query.facets]
    if len(parts) > 1:
        missing = missing_part(refusal)
        yield from (CandidateQuestion(part) for part in parts if squeeze(part) != missing)


def _about_headings(refusal: Refusal) -> Iterator[CandidateQuestion]:
    if refusal.query.language != "en":
        return
    names_document = len({hit.chunk.document_id for hit in refusal.evidence.hits}) > 1
    for hit in close_hits(refusal, nearest_hits(refusal)):
        if _is_related(hit, refusal.query.text) and (question := _question_about(hit, names_document=names_document)):
            yield question


def _is_related(hit: Hit, question: str) -> bool:
    """Whether the question shares half of the words of a passage's heading, or the heading half of the question's."""
    heading, asked = set(content_terms(bare_heading(hit))), set(content_terms(question))
    return 2 * len(heading & asked) >= min(len(heading), len(asked)) > 0


def _question_about(hit: Hit, *, names_document: bool) -> CandidateQuestion | None:
    labels = hit.chunk.labels
    if labels.kind in ("act", "regulation") and labels.section and labels.act:
        act = re.sub(r"^the\s+|,? \d{4}$", "", labels.act, flags=re.IGNORECASE)
        asked = f"What does section {labels.section} of the {act} say?"
        return CandidateQuestion(asked, hit.chunk) if len(act) <= 60 else None
    heading = bare_heading(hit)
    if not heading:
        return None
    about = _lower(heading)
    asked = (
        f"According to {_name_in_question(hit.chunk)}, what is said about {about}?"
        if names_document
        else f"What do the documents say about {about}?"
    )
    return CandidateQuestion(asked, hit.chunk)


def _name_in_question(chunk: Chunk) -> str:
    """The title of a document if it can name it in a question, else the name of its file."""
    title = chunk.labels.document_title or ""
    file = chunk.document_id.replace("\\", "/").rsplit("/", 1)[-1]
    return f"“{title}”" if len(set(content_terms(title))) >= _LEAST_TITLE_WORDS else file


def _section(chunk: Chunk) -> tuple[str | None, str | None, tuple[str, ...]]:
    return chunk.labels.section, chunk.labels.title, chunk.section


def _lower(heading: str) -> str:
    """A heading inside a sentence; one that has further capitals, as a name has, keeps the first one too."""
    return f"{heading[:1].lower()}{heading[1:]}" if heading[1:].islower() else heading
