"""B11: an attacker who changes drafts and questions step by step, guided by what refusals disclose.

Failures are: a contract violation of form, a number that is not in the source, a refusal that discloses more than codes. The
attacker runs against lexical mode; a number that lost its unit or its place counts only if the shipped verifier also
delivers it. Sentences that the independent checker cannot derive are counted separately: lexical mode lets some through.
"""

import footnotary.engine
from benchmarks.verify_release.tally import Tally
from harness.independent.evolving_attacker import accepting_all_claims, run_attack


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    if seeded_bug:
        footnotary.engine.verify = accepting_all_claims(footnotary.engine.verify)
    found = run_attack(count, seed)
    tally = Tally(attempts=found.rounds)
    for reply, answer, wrong in found.breaches():
        tally.fault(f"{'; '.join(one.what for one in wrong if one.kind != 'meaning')} | draft: {reply!r} | {answer!r}")
    for detail in found.details:
        tally.fault(f"a refusal discloses {detail!r}")
    tally.count("delivered", found.delivered)
    tally.count("improved", found.nearer)
    tally.count("stopped by the verifier only", found.stopped)
    tally.count("not derivable", len(found.escaped) - len(found.breaches()))
    return tally
