"""By whom a thing is done in a claim, and by whom in its source."""

from functools import lru_cache

from footnotary.verify.parties import VAGUE, parties
from footnotary.verify.reading import read

_PARTICIPLES = ("ed", "en", "de", "wn", "ht", "ld", "id")


def done_by_another(claim: str, premise: str) -> str | None:
    """The one by whom a thing is done, where the source has it done by another and knows no such agent for it."""
    ours, theirs = _agents(claim), _agents(premise)
    known = parties()
    for act, agents in ours.items():
        source = theirs.get(act, frozenset()) & known
        for agent in agents:
            if source and agent not in source and agent in known and agent not in VAGUE and not source & VAGUE:
                return f"in the claim it is {act} by the {agent}, in the source by the {min(source)}"
    return None


@lru_cache(maxsize=128)
def _agents(text: str) -> dict[str, frozenset[str]]:
    """For each act, the nouns that "by" names as its doers."""
    words = read(text).words
    table: dict[str, set[str]] = {}
    for at, word in enumerate(words[:-1]):
        if word.text != "by" or not at:
            continue
        before = next((w for w in reversed(words[max(at - 3, 0) : at]) if w.content), None)
        after = next((w for w in words[at + 1 : at + 4] if w.content), None)
        if before is not None and after is not None and before.text.endswith(_PARTICIPLES):
            table.setdefault(before.key, set()).add(after.key)
    return {act: frozenset(agents) for act, agents in table.items()}
