"""Converts caller-supplied passages and answers with markers into the engine's own types."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Labels, OffsetMap
from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import SemanticId, Span, sha256_hex
from footnotary.domain.outcome import Outcome
from footnotary.domain.query import Query, Scope
from footnotary.engine import answer_from
from footnotary.ports import NULL_OBSERVER, Check, Generator, Observer, Reader
from footnotary.profiles.schema import Profile
from footnotary.text.citations.markers import Marker, cited_units, scan
from footnotary.verify.run import checks_for

SCOPE = Scope(project="given")

_MAX_QUOTED_CHARS = 160


def first_field(source: object, *names: str) -> object:
    """The first of these fields that a mapping or an object has and that is not None; None where there is none."""
    for name in names:
        if isinstance(source, Mapping):
            value = cast("Mapping[str, object]", source).get(name)
        else:
            value = getattr(source, name, None)
        if value is not None:
            return value
    return None


def first_text_field(source: object, *names: str) -> str | None:
    """`first_field` as text; numbers are converted, so that a section may be passed as 420."""
    value = first_field(source, *names)
    return None if value is None else str(value)


def clamp_score(value: object) -> float:
    """A score clamped to 0 to 1; anything that is not a number counts as 0."""
    if not isinstance(value, int | float) or math.isnan(value):
        return 0.0
    return min(max(float(value), 0.0), 1.0)


def make_hit(cited: SemanticId, text: str, score: float, labels: Labels, page: int | None = None) -> Hit:
    """A hit for a caller-supplied passage; its text is treated as a whole document."""
    chunk = Chunk(
        id=cited,
        document_id=cited,
        text=text,
        span=Span(0, len(text)),
        section=(),
        page=page,
        digest=sha256_hex(text.encode("utf-8", "replace")),
        labels=labels,
        kind="paragraph",
        origin=OffsetMap(()),
    )
    return Hit(chunk, score)


def make_evidence(query: Query, hits: Iterable[Hit]) -> Evidence:
    """The hits in order, each id once; those without an id or a text are dropped."""
    kept: dict[SemanticId, Hit] = {}
    for hit in hits:
        if hit.chunk.id.strip() and hit.chunk.text.strip():
            kept.setdefault(hit.chunk.id, hit)
    return Evidence(query, tuple(kept.values()))


def find_conflicting_ids(passages: Iterable[tuple[str, str]]) -> tuple[int, int] | None:
    """The positions, from 1, of two passages (id, text) with the same id and different texts; None if there are none.

    `make_evidence` would keep the first of them, and a citation of the id could mean either. Blank ones are skipped.
    """
    first: dict[str, tuple[int, str]] = {}
    for place, (cited, text) in enumerate(passages, 1):
        if text.strip():
            before, said = first.setdefault(cited, (place, text))
            if said != text:
                return before, place
    return None


def with_score_thresholds(profile: Profile, *, min_score: float, min_sources: int = 1) -> Profile:
    """The profile with other score thresholds: those of a caller's retriever are not calibrated like ours."""
    gate = profile.sufficiency.model_copy(
        update={"min_probe_score": min_score, "min_source_score": min_score, "min_sources": min_sources}
    )
    return profile.model_copy(update={"sufficiency": gate})


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """A parsed answer: sentences with their citations, and bracketed tokens that are not markers.

    `cited` is everything cited, in order of first mention; "See [A]." cites and makes no claim.
    """

    claims: tuple[Claim, ...]
    cited: tuple[SemanticId, ...]
    malformed: tuple[str, ...]

    def draft(self) -> Draft:
        return Draft(self.claims, "given", malformed=self.malformed)


def read_answer(
    text: str, is_known_form: Callable[[Marker, str], bool], resolve: Callable[[str], SemanticId] = str
) -> ParsedAnswer:
    """Parses an answer; a marker in another format than the contract's is malformed."""
    found = scan(text)
    cited: list[SemanticId] = []
    foreign: list[str] = []
    for marker in found.markers:
        raw = marker.span.of(text)
        if is_known_form(marker, raw):
            cited += (resolve(target) for target in marker.targets)
        else:
            foreign.append(raw)
    claims = (
        Claim(unit.text, tuple(dict.fromkeys(resolve(target) for target in unit.targets))) for unit in cited_units(text)
    )
    return ParsedAnswer(
        tuple(claims), tuple(dict.fromkeys(cited)), (*foreign, *(token.text for token in found.malformed))
    )


def quote_tokens(tokens: Sequence[str]) -> str:
    """The first few tokens for a message, truncated: quoted text may be hostile."""
    return ", ".join(
        token if len(token) <= _MAX_QUOTED_CHARS else f"{token[:_MAX_QUOTED_CHARS]}…" for token in tokens[:5]
    )


def checks_with_reader(profile: Profile) -> tuple[tuple[str, Check], ...]:
    """The checks of a profile for answers to a question: words check the claims, the reader whether they answer it.

    The settings of the environment say which reader; with `verifier = "lexical"` there is none.
    """
    # Imported here: callers that only parse answers need neither the settings nor the store.
    from footnotary.settings import load_settings
    from footnotary.wiring import open_reader_for

    return checks_for(profile, reader=open_reader_for(profile, load_settings()))


def select_checks(checks: Sequence[tuple[str, Check]], names: Collection[str]) -> tuple[tuple[str, Check], ...]:
    return tuple((name, check) for name, check in checks if name in names)


class DraftKeepingGenerator:
    """Wraps a generator and keeps its draft, so that a rejected draft can be reported.

    With `shown`, the generator sees that evidence instead of what the gate selected: callers number their sources
    themselves, and a number must not change its meaning.
    """

    def __init__(self, generator: Generator, shown: Evidence | None = None) -> None:
        self._generator = generator
        self._shown = shown
        self.draft: Draft | None = None

    @property
    def name(self) -> str:
        return self._generator.name

    def generate(self, query: Query, evidence: Evidence) -> Draft:
        self.draft = self._generator.generate(query, self._shown or evidence)
        return self.draft


def answer_from_given_evidence(
    evidence: Evidence,
    generator: Generator,
    profile: Profile,
    checks: Sequence[tuple[str, Check]],
    observer: Observer = NULL_OBSERVER,
    reader: Reader | None = None,
) -> Outcome:
    """The engine's answer pipeline over caller-supplied evidence: each passage is its own source document."""
    texts = {hit.chunk.document_id: hit.chunk for hit in evidence.hits}

    def source_lookup(document: str) -> tuple[str, str]:
        return texts[document].digest, ""

    return answer_from(evidence, generator, profile, checks, source_lookup, observer, reader)
