"""Which words of a refused claim its sources do not support.

An exact check names the unsupported value. If wording or meaning is unsupported, they are the phrases with words that
no cited passage has; if there are none, the phrase without which a model scores the claim highest.
"""

import re
from collections.abc import Iterator, Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import Span
from footnotary.domain.verdict import UnsupportedWords, Verdict
from footnotary.ports import Submission, Verifier
from footnotary.text.dates.mentions import dates
from footnotary.text.language import language_of
from footnotary.text.numbers.quantities import number_mentions
from footnotary.text.references.provisions import references
from footnotary.text.stopwords import STOP_WORDS
from footnotary.text.tokens import stem, terms_of, word_places, words
from footnotary.verify.claim_checks import CONSISTENCY_CHECKS, CitedEvidence, Find, evidence_from_cited_chunks
from footnotary.verify.exact.mismatch import Mismatch
from footnotary.verify.exact.source_forms import in_source_forms
from footnotary.verify.meaning.word_overlap import heading_text

_MEANING_CHECKS = frozenset({"claims_are_entailed", "words_overlap", "citations_support_their_claims"})
_WORDING_CHECKS = _MEANING_CHECKS | {"terms_are_not_substituted"}
_QUOTED = re.compile(r"[\"“][^\"“”]+[\"”]")
_MARK = re.compile(r"[,;:()\"“”—–.]")
# Of more wrong values in a claim, or more wrong claims in a draft, only the first are reported.
_MOST_VALUES, _MOST_CLAIMS = 4, 5
# Longer texts are not sentences: finding their words would block a server.
_LONGEST_CLAIM = 2_000


def unsupported_words(s: Submission, verdicts: Sequence[Verdict], by: Verifier | None) -> tuple[UnsupportedWords, ...]:
    """The unsupported words of every claim that a failed check names, in the order of the claims.

    They are `claim.text[span]` of the draft's claim of that number. Checks of form and of the answer as a whole name
    none. `by` is asked at most once a claim, and only where no word of it is new.
    """
    found: list[UnsupportedWords] = []
    of_words = CONSISTENCY_CHECKS.keys() | _MEANING_CHECKS
    at_fault = dict.fromkeys(i for v in verdicts if v.status == "fail" and v.check in of_words for i in v.claims)
    for number in list(at_fault)[:_MOST_CLAIMS]:
        claim = s.draft.claims[number]
        chunks = s.evidence.cited(claim.cites)
        failed = [v.check for v in verdicts if v.status == "fail" and number in v.claims]
        named = chunks and len(claim.text) <= _LONGEST_CLAIM
        spans = _claim_words(claim.text, chunks, failed, by) if named else ()
        found += [UnsupportedWords(number, span, span.of(claim.text)) for span in spans]
    return tuple(sorted(found, key=lambda each: (each.claim, each.span)))


def _claim_words(claim: str, chunks: Sequence[Chunk], failed: Sequence[str], by: Verifier | None) -> list[Span]:
    cited = evidence_from_cited_chunks(claim, chunks)
    values = [
        span for check in failed if check in CONSISTENCY_CHECKS for span in _unsupported_values(claim, cited, check)
    ]
    if values and _WORDING_CHECKS.isdisjoint(failed):
        return _merged(values)
    passages = [f"{heading_text(chunk)}\n{chunk.text}" for chunk in chunks]
    return _merged([*values, *_unsupported_phrases(claim, passages, None if values else by, values)])


def _unsupported_phrases(
    claim: str, passages: Sequence[str], by: Verifier | None, values: Sequence[Span]
) -> list[Span]:
    """The phrases with words, besides `values`, that no passage has; else that without which the score is highest."""
    claim_words = in_source_forms(claim, " ".join(passages))
    held = frozenset[str]().union(terms_of(claim) - terms_of(claim_words), *map(terms_of, passages))
    parts = phrases(claim)
    named = {place for span in values for place in range(span.start, span.end)}
    own = [(start, word) for start, _, word in word_places(claim) if word not in STOP_WORDS and start not in named]
    new = [start for start, word in own if stem(word) not in held]
    if absent := [part for part in parts if any(part.start <= start < part.end for start in new)]:
        return absent
    if by is None or len(parts) < 2 or language_of(claim) != "en":
        return []
    whole, *rest = by.support([(text, passages) for text in (claim, *(without_phrase(claim, part) for part in parts))])
    gains = [value - whole for value in rest]
    return [parts[gains.index(max(gains))]] if max(gains) > 0 else []


def phrases(claim: str) -> list[Span]:
    """A claim in phrases: each begins after punctuation, or with a function word after a content word."""
    found: list[Span] = []
    last: tuple[int, bool] | None = None
    for start, end, word in word_places(claim):
        small = word in STOP_WORDS
        if last is None or _MARK.search(claim, last[0], start) or (small and not last[1]):
            found.append(Span(start, end))
        else:
            found[-1] = Span(found[-1].start, end)
        last = end, small
    return found


def _unsupported_values(claim: str, cited: CitedEvidence, name: str) -> Iterator[Span]:
    """The values without which a check passes, or reports something else."""
    check = CONSISTENCY_CHECKS[name]
    for find in (check.always, check.unless_sure, check.if_unread):
        left = claim
        for _ in range(_MOST_VALUES):
            found = find(left, cited)
            if found is None or (span := _unsupported_value(find, left, cited, found)) is None:
                break
            yield span
            left = span.blanked(left)
        if left != claim:
            return


def _unsupported_value(find: Find, text: str, cited: CitedEvidence, found: Mismatch) -> Span | None:
    """The first value without which the check no longer reports this, preferably one of the words that it names."""
    named = found.claim_says
    said = sorted(_values(text, found), key=lambda span: span.of(text) not in named and named not in span.of(text))
    return next((span for span in said if find(span.blanked(text), cited) != found), None)


def _values(text: str, found: Mismatch) -> Iterator[Span]:
    """What an exact check may refuse: figures, dates, provisions, quotations, and the words that it names."""
    yield from (mention.span for mention in (*number_mentions(text), *dates(text)))
    yield from (span for _, span in references(text))
    yield from (Span(*quoted.span()) for quoted in _QUOTED.finditer(text))
    places = list(word_places(text))
    said = words(found.claim_says)
    for n in range(len(places) - len(said) + 1):
        if said and [word for _, _, word in places[n : n + len(said)]] == said:
            yield Span(places[n][0], places[n + len(said) - 1][1])


def without_phrase(claim: str, part: Span) -> str:
    """The claim without one of its phrases."""
    return re.sub(r"\s+([,.;:])", r"\1", f"{claim[: part.start].rstrip()} {claim[part.end :].lstrip()}".strip())


def _merged(spans: Sequence[Span]) -> list[Span]:
    found: list[Span] = []
    for span in sorted(set(spans)):
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found
