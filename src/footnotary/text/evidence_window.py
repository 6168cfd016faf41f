"""What the trained model reads beside a claim: the whole passages if they are short, else their decisive parts."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import terms_of

# A sentence that says again what is covered still counts for this much of a new one: claims are often merged.
_AGAIN = 0.25
# A heading or opening of this many words says what the passage is about, and costs little.
_OPENING = 16


@dataclass(frozen=True, slots=True)
class _WindowSentence:
    passage: int
    text: str
    terms: frozenset[str]
    size: int


def window_for(claim: str, passages: Sequence[str], words: int) -> str:
    """At most about `words` words of `passages`, in their order: what shares most with the claim, and its neighbours.

    Passages that are no longer are given whole. A run of neighbouring sentences is one line.
    """
    if sum(len(passage.split()) for passage in passages) <= words:
        return "\n".join(passage.strip() for passage in passages)
    sentences = [
        _WindowSentence(number, text, terms_of(text), len(text.split()))
        for number, passage in enumerate(passages)
        for text in (span.of(passage) for span in sentence_spans(passage))
    ]
    taken = _taken(terms_of(claim), sentences, words)
    lines: list[str] = []
    last: int | None = None
    for i in sorted(taken):
        if last == i - 1 and last is not None and sentences[last].passage == sentences[i].passage:
            lines[-1] += f" {sentences[i].text}"
        else:
            lines.append(sentences[i].text)
        last = i
    return "\n".join(lines)


def _taken(wanted: frozenset[str], sentences: list[_WindowSentence], words: int) -> set[int]:
    spread = Counter(term for s in sentences for term in s.terms & wanted)
    weight = {term: math.log(1 + len(sentences) / count) for term, count in spread.items()}
    full = [math.fsum(weight[term] for term in s.terms & wanted) for s in sentences]
    left = words
    taken: set[int] = set()
    covered: set[str] = set()

    def take(i: int) -> None:
        nonlocal left
        if 0 <= i < len(sentences) and i not in taken and (sentences[i].size <= left or not taken):
            taken.add(i)
            left -= sentences[i].size

    open_to = [i for i, score in enumerate(full) if score > 0]
    if not open_to:
        for i in range(len(sentences)):
            take(i)
        return taken
    while open_to and left > 0:
        gains = {i: math.fsum(weight[t] for t in (sentences[i].terms & wanted) - covered) for i in open_to}
        best = max(open_to, key=lambda i: (gains[i] + _AGAIN * full[i], -i))
        open_to.remove(best)
        take(best)
        covered |= sentences[best].terms
        for beside in (best - 1, best + 1):
            if 0 <= beside < len(sentences) and sentences[beside].passage == sentences[best].passage:
                take(beside)
    if sentences[0].size <= _OPENING:
        take(0)
    return taken
