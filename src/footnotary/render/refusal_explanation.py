"""What a refusal means, in sentences for people: what is missing, what the documents describe, what can be asked.

Every word is the question's, a heading's, or one of the fixed words below. The refusal's own message stays as it is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import SemanticId
from footnotary.domain.outcome import Refusal
from footnotary.domain.query import Language
from footnotary.domain.verdict import PROJECT_HAS_DOCUMENTS, Reason
from footnotary.render.citation_styles import full_source_name
from footnotary.text.language import language_of
from footnotary.text.normalise import squeeze
from footnotary.text.tokens import content_terms

_NEAREST = 3
_DESCRIBED = 2
_MOST_QUESTIONS = 3
_LONGEST_HEADING = 90
_MIN_SHARE_OF_BEST = 0.5
_NUMBERING = re.compile(
    r"^\W*(?:(?:chapter|section|part|article)\s+)?(?:\d+(?:\.\d+)*|[ivxlc]+)[.):]?\s+", re.IGNORECASE
)
_COPULA = re.compile(
    r"(?P<wh>what|who|where|when) (?P<be>is|are|was|were) (?P<of>(?:the|an?|my|our) .+)", re.IGNORECASE
)
_LANGUAGES: dict[Language, str] = {"en": "English", "hi": "Hindi"}
_EVIDENCE = (Reason.NO_RELEVANT_CONTENT, Reason.INSUFFICIENT_SOURCES, Reason.INSUFFICIENT_EVIDENCE)


@dataclass(frozen=True, slots=True)
class RefusalExplanation:
    """A sentence for people, and the nearest passages in the question's language."""

    sentence: str
    nearest: tuple[tuple[SemanticId, str], ...]


def explain_refusal(refusal: Refusal) -> RefusalExplanation:
    """The explanation of a refusal; the same for the same refusal."""
    near = _near(refusal)
    return RefusalExplanation(
        _sentence(refusal, near, _related(refusal, near)), tuple((hit.chunk.id, _name(hit)) for hit in near)
    )


def candidate_questions(refusal: Refusal) -> tuple[str, ...]:
    """At most three questions on the subject: the other parts of this one, then what headings name.

    Whether the documents answer them is not known: see `suggested_questions`.
    """
    return _questions(refusal, _related(refusal, _near(refusal)))


def _related(refusal: Refusal, near: Sequence[Hit]) -> list[Hit]:
    # A passage far behind the best shares a word with the question by chance: "Return costs" with "vaccination cost".
    least = _MIN_SHARE_OF_BEST * max((hit.score for hit in refusal.evidence.hits), default=0.0)
    return [hit for hit in near if hit.score >= least and _is_related(hit, refusal)]


def _near(refusal: Refusal) -> tuple[Hit, ...]:
    """The nearest passages in the question's language: those of the refusal, or else the best of that language."""
    asked = refusal.query.language
    own = {hit.chunk.id: hit for hit in refusal.evidence.hits if language_of(hit.chunk.text) == asked}
    named = [own[cited] for cited in refusal.needed.nearest if cited in own]
    return tuple((named or list(own.values()))[:_NEAREST])


def _sentence(refusal: Refusal, near: Sequence[Hit], related: Sequence[Hit]) -> str:
    query, reason = refusal.query, refusal.reason
    if any(verdict.check == PROJECT_HAS_DOCUMENTS for verdict in refusal.verdicts):
        return f"The project {query.scope.project!r} has no documents yet."
    if reason is Reason.COLLECTION_NOT_FOUND:
        return f"There is no project {query.scope.project!r} with documents."
    if query.named is not None and not query.named.ids:
        return f"No document has the name in “{query.named.phrase}”."
    if any(verdict.values.get("cause") in ("unclear_reference", "no_subject") for verdict in refusal.verdicts):
        unclear = refusal.needed.missing
        return f"{unclear[0].upper()}{unclear[1:]}. Ask it as a whole question."
    if reason is Reason.LANGUAGE_MISMATCH:
        return f"The passages found are not in {_LANGUAGES[query.language]}, the language of the question."
    if reason is Reason.CITATION_UNSUPPORTING and any(
        verdict.values.get("cause") == "incomplete_list" for verdict in refusal.verdicts
    ):
        return (
            "Your documents list this, but an item of the list looks like an instruction to the model and cannot be "
            "quoted. The list would be incomplete."
        )
    if reason is Reason.CONFLICTING_SOURCES:
        return "Your documents contradict each other on this, so no answer can be given."
    quoted_nothing = reason is Reason.OFF_QUESTION and (refusal.draft is None or refusal.draft.extractive)
    is_evidence = reason in (*_EVIDENCE, Reason.GENERATOR_DECLINED) or (quoted_nothing and len(query.facets) == 1)
    if not is_evidence:
        if len(query.facets) > 1:
            return (
                "Your documents have passages for each part of the question, but no answer to all of them together "
                "passed the checks. Ask the parts one by one."
            )
        return "An answer was drafted from your documents, but it did not pass the checks and was not delivered."
    missing = _missing_part(refusal)
    if not near:
        return f"Your documents have no passage that answers “{missing}”."
    described = _listed(related)
    if described:
        return f"Your documents describe {described}, but none {_question_phrase(missing)}."
    return f"No passage of your documents answers “{missing}”." + (
        f" The nearest are about {_listed(near)}." if _listed(near) else ""
    )


def _missing_part(refusal: Refusal) -> str:
    """The question, or the part of it that has no answer."""
    parts = [facet.text for facet in refusal.query.facets]
    unanswered = {verdict.values.get("part") for verdict in refusal.verdicts if verdict.check == "evidence_suffices"}
    return squeeze(next((part for part in parts if len(parts) > 1 and part in unanswered), refusal.query.text))


def _question_phrase(question: str) -> str:
    """ "says what the notice period is", if the question has this plain form; else the question is quoted."""
    plain = _COPULA.fullmatch(question.rstrip(" ?.!"))
    if plain is None or len(plain["of"].split()) > 6:
        return f"answers “{question}”"
    return f"says {plain['wh'].lower()} {plain['of']} {plain['be'].lower()}"


def _is_related(hit: Hit, refusal: Refusal) -> bool:
    """Whether the question shares half of the words of a passage's heading, or the heading half of the question's."""
    heading, asked = set(content_terms(_heading(hit))), set(content_terms(refusal.query.text))
    return 2 * len(heading & asked) >= min(len(heading), len(asked)) > 0


def _heading(hit: Hit) -> str:
    labels = hit.chunk.labels
    heading = labels.title or labels.chapter_title or (hit.chunk.section[-1] if hit.chunk.section else "")
    return _NUMBERING.sub("", squeeze(heading))[:_LONGEST_HEADING].rstrip(" .:")


def _listed(hits: Sequence[Hit]) -> str:
    """The headings, each once: “Paid leave” and “Sick leave”."""
    headings = list(dict.fromkeys(heading for hit in hits if (heading := _heading(hit))))[:_DESCRIBED]
    return " and ".join(f"“{heading}”" for heading in headings)


def _lower(heading: str) -> str:
    """A heading inside a sentence; one that has further capitals, as a name has, keeps the first one too."""
    return f"{heading[:1].lower()}{heading[1:]}" if heading[1:].islower() else heading


def _name(hit: Hit) -> str:
    chunk = hit.chunk
    return full_source_name(chunk.labels, chunk.page, chunk.document_id, chunk.section)


def _questions(refusal: Refusal, related: Sequence[Hit]) -> tuple[str, ...]:
    query = refusal.query
    asked: list[str] = []
    if len(query.facets) > 1:
        missing = _missing_part(refusal)
        asked = [facet.text for facet in query.facets if squeeze(facet.text) != missing]
        if refusal.reason in _EVIDENCE:  # parts after the missing one were not searched
            parts = [squeeze(facet.text) for facet in query.facets]
            asked = asked[: parts.index(missing)] if missing in parts else []
    if query.language == "en":
        asked += [question for hit in related if (question := _question_about(hit))]
    # A question that was just refused is no help.
    said = squeeze(query.text).casefold()
    return tuple(one for one in dict.fromkeys(asked) if squeeze(one).casefold() != said)[:_MOST_QUESTIONS]


def _question_about(hit: Hit) -> str:
    labels = hit.chunk.labels
    if labels.kind in ("act", "regulation") and labels.section and labels.act:
        act = re.sub(r"^the\s+|,? \d{4}$", "", labels.act, flags=re.IGNORECASE)
        return f"What does section {labels.section} of the {act} say?" if len(act) <= 60 else ""
    heading = _heading(hit)
    return f"What do the documents say about {_lower(heading)}?" if heading else ""
