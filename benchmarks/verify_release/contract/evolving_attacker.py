"""B11: an attacker who changes drafts and questions step by step, led by what a refusal tells a reader.

A breach of form, a figure that is not in the source, or a refusal that tells more than codes is a failure. The attacker plays
against words and guards; a figure that lost its unit or its place counts where it is delivered with the judge that ships, too.
Sentences that the second checker cannot derive are counted beside: without the judge some additions get past.
"""

import footnotary.engine
from benchmarks.verify_release.tally import Tally
from harness.independent.evolving import believing, evolved


def tried(count: int, seed: int, planted: bool) -> Tally:
    if planted:
        footnotary.engine.verify = believing(footnotary.engine.verify)
    found = evolved(count, seed)
    tally = Tally(tried=found.rounds)
    for reply, answer, wrong in found.breaches():
        tally.fault(f"{'; '.join(one.what for one in wrong if one.kind != 'meaning')} | draft: {reply!r} | {answer!r}")
    for told in found.details:
        tally.fault(f"a refusal tells {told!r}")
    tally.count("delivered", found.delivered)
    tally.count("came nearer", found.nearer)
    tally.count("stopped by the judge alone", found.stopped)
    tally.count("not derivable", len(found.escaped) - len(found.breaches()))
    return tally
