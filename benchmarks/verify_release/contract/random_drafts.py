"""A13: random drafts through the engine; what is delivered is judged by the checker of `harness/independent`.

A breach of form or a figure that is not in the source is a failure. Sentences that the second checker cannot derive are
counted beside: without the trained judge some additions get past words and guards.
"""

from benchmarks.verify_release.tally import Tally
from footnotary.render import answer_text
from harness.independent.trying import tried as drafts_tried


def tried(count: int, seed: int, planted: bool) -> Tally:
    if planted:
        # A renderer that forgets the markers.
        answer_text._sentence_with_markers = lambda sentence, _marks, _end: sentence
    found = drafts_tried(count, 1_000_000 + seed)
    tally = Tally(tried=found.drafts)
    for escape in found.breaches():
        what = "; ".join(wrong.what for wrong in escape.wrong if wrong.kind != "meaning")
        tally.fault(f"{what} | draft: {escape.reply!r}")
    tally.count("delivered", found.answered)
    tally.count("not derivable", len(found.escaped) - len(found.breaches()))
    return tally
