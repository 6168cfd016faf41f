"""Finds, for a claim and a source it cites, the sentences of the source that support it."""

from footnotary.domain.identity import Span
from footnotary.text.normalise import plain_key
from footnotary.text.tokens import terms_of
from footnotary.verify.meaning.word_overlap import find_whole_words
from footnotary.verify.premise_selection import premise_for


def best_quote(claim: str, text: str) -> tuple[Span, float]:
    """The run of sentences of `text` that best supports `claim`, and the share of the claim's words in it.

    The span is never empty and `text[span]` is verbatim; a claim that is itself a quote is found verbatim.
    """
    found = find_whole_words(claim, text)
    if found >= 0 and claim:
        return Span(found, found + len(claim)), 1.0
    _, span = premise_for(claim, (text,)).best
    if plain_key(claim) in plain_key(span.of(text)):
        return span, 1.0
    said = terms_of(claim)
    return span, len(said & terms_of(span.of(text))) / len(said) if said else 0.0
