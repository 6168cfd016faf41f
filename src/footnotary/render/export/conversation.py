"""The conversation that is exported: recorded outcomes only, each sentence with numbered footnotes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from footnotary.domain.outcome import Answer, Citation, Outcome
from footnotary.render.citation_styles import CitationKey, citation_key, citation_names

WITHHELD = "The next sentence is not supported by its source. It and the rest of the answer were withheld."
QUOTED = "Quoted from the documents: the model's draft did not pass the checks and is not part of this answer."


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One recorded question: `typed` as it was written, and the outcome as it was delivered.

    `released_claims` counts the sentences that were delivered although the rest was refused.
    """

    answer_id: str
    at: datetime
    typed: str | None
    outcome: Outcome
    released_claims: int = 0


@dataclass(frozen=True, slots=True)
class ExportedNote:
    """A footnote: the source as a person would cite it, the quote, the passage id and the version of the document."""

    number: int
    source: str
    quote: str
    passage: str
    version: str
    in_force: bool | None


@dataclass(frozen=True, slots=True)
class ExportedSentence:
    """A verified sentence and its footnotes."""

    text: str
    notes: tuple[ExportedNote, ...]


@dataclass(frozen=True, slots=True)
class ExportedTurn:
    """A question with its sentences, or with the message of a refusal; `remark` says what a reader must know of it."""

    question: str
    asked_as: str | None
    language: str
    sentences: tuple[ExportedSentence, ...]
    refusal: str | None
    remark: str | None
    conflicts: tuple[tuple[str, str], ...]
    record: str


@dataclass(frozen=True, slots=True)
class ExportedConversation:
    """The turns in order; footnotes are numbered through."""

    project: str
    turns: tuple[ExportedTurn, ...]

    @property
    def title(self) -> str:
        return f"Answers from {self.project}"

    @property
    def promise(self) -> str:
        """What a reader may rely on."""
        return "Every sentence of an answer was verified against the passage quoted in its footnote."

    @property
    def notes(self) -> tuple[ExportedNote, ...]:
        return tuple(note for turn in self.turns for sentence in turn.sentences for note in sentence.notes)


def exported_conversation(project: str, turns: Iterable[RecordedTurn]) -> ExportedConversation:
    """The conversation of these turns. Nothing of a rejected draft is in it."""
    recorded = list(turns)
    # Over all turns: two of them may cite different documents of one name.
    names = citation_names(delivered for turn in recorded if (delivered := _delivered(turn)))
    made: list[ExportedTurn] = []
    number = 0
    for turn in recorded:
        made.append(_exported_turn(turn, number, names))
        number += sum(len(sentence.notes) for sentence in made[-1].sentences)
    return ExportedConversation(project, tuple(made))


def source_text(note: ExportedNote) -> str:
    """What a footnote says after its quote."""
    expired = " Not in force on the day of the question." if note.in_force is False else ""
    return f"{note.source} [{note.passage}], document version {note.version}.{expired}"


def _delivered(turn: RecordedTurn) -> Answer | None:
    outcome = turn.outcome
    return outcome if isinstance(outcome, Answer) else outcome.beginning if turn.released_claims else None


def _exported_turn(turn: RecordedTurn, numbered: int, names: Mapping[CitationKey, str]) -> ExportedTurn:
    outcome, delivered = turn.outcome, _delivered(turn)
    refused = None if isinstance(outcome, Answer) else outcome
    remark = WITHHELD if refused and delivered else QUOTED if delivered and delivered.quoted else None
    when = turn.at.strftime("%Y-%m-%d %H:%M UTC")
    return ExportedTurn(
        question=turn.typed or outcome.query.text,
        asked_as=outcome.query.text if turn.typed else None,
        language=outcome.query.language,
        sentences=_sentences(delivered, numbered, names) if delivered else (),
        refusal=refused.message if refused and not delivered else None,
        remark=remark,
        conflicts=tuple((f"{c.quote_a} [{c.id_a}]", f"{c.quote_b} [{c.id_b}]") for c in outcome.conflicts),
        record=f"{'Refused' if refused else 'Answered'} on {when}, profile {outcome.profile}, record {turn.answer_id}.",
    )


def _sentences(answer: Answer, numbered: int, names: Mapping[CitationKey, str]) -> tuple[ExportedSentence, ...]:
    sentences: list[ExportedSentence] = []
    for index, claim in enumerate(answer.claims):
        cited = [citation for citation in answer.citations if citation.claim == index]
        notes = tuple(
            _note(numbered + n, citation, names[citation_key(citation)]) for n, citation in enumerate(cited, 1)
        )
        numbered += len(notes)
        sentences.append(ExportedSentence(claim.text, notes))
    return tuple(sentences)


def _note(number: int, citation: Citation, source: str) -> ExportedNote:
    return ExportedNote(
        number,
        source,
        " ".join(citation.quote.split()),
        citation.id,
        citation.document_sha256[:12],
        citation.standing and citation.standing.in_force,
    )
