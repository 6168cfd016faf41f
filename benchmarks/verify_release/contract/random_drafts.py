"""A13: random drafts through the engine; the checker of `harness/independent` checks what is delivered.

Failures are contract violations of form and numbers that are not in the source. Sentences that the independent checker
cannot derive are counted separately: lexical mode lets some additions through.
"""

from benchmarks.verify_release.tally import Tally
from footnotary.render import answer_text
from harness.independent.draft_runs import run_drafts


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    if seeded_bug:
        # A renderer that omits the markers.
        answer_text._sentence_with_markers = lambda sentence, _marks, _end: sentence
    found = run_drafts(count, 1_000_000 + seed)
    tally = Tally(attempts=found.drafts)
    for escape in found.breaches():
        what = "; ".join(wrong.what for wrong in escape.wrong if wrong.kind != "meaning")
        tally.fault(f"{what} | draft: {escape.reply!r}")
    tally.count("delivered", found.answered)
    tally.count("not derivable", len(found.escaped) - len(found.breaches()))
    return tally
