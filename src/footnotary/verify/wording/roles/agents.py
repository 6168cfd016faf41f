"""Which parties a text names, and whether one does, or stands in the place of, what another does in its source."""

from functools import lru_cache

from footnotary.verify.wording.alignment import align
from footnotary.verify.wording.parsed_text import AnalyzedWord, analyze_text
from footnotary.verify.wording.roles.parties import VAGUE, parties

_PARTICIPLES = ("ed", "en", "de", "wn", "ht", "ld", "id")


def named_parties(words: tuple[AnalyzedWord, ...]) -> frozenset[str]:
    """The parties among the words."""
    known = parties()
    return frozenset(w.key for w in words if w.key in known)


def agent_mismatch(claim: str, premise: str) -> str | None:
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
    if "by" not in analyze_text(text).texts:
        return {}
    words = analyze_text(text).words
    table: dict[str, set[str]] = {}
    for at, word in enumerate(words[:-1]):
        if word.text != "by" or not at:
            continue
        before = next((w for w in reversed(words[max(at - 3, 0) : at]) if w.content), None)
        after = next((w for w in words[at + 1 : at + 4] if w.content), None)
        if before is not None and after is not None and before.text.endswith(_PARTICIPLES):
            table.setdefault(before.key, set()).add(after.key)
    return {act: frozenset(agents) for act, agents in table.items()}


def swapped_party(claim: str, premise: str) -> str | None:
    """One party in the very place of another, in a sentence that is otherwise copied."""
    aligned = align(claim, premise)
    if not aligned.near_copy:
        return None
    known = parties()
    elsewhere = named_parties(analyze_text(premise).words)
    for parting in aligned.partings:
        ours = [w for w in parting.claim if w.key in known]
        theirs = [w for w in parting.source if w.key in known]
        others = [w for w in (*parting.claim, *parting.source) if w.content and w.key not in known]
        if len(ours) != 1 or len(theirs) != 1 or others or ours[0].key in VAGUE:
            continue
        # "An employee" may well render "a person"; but not where the source has persons and employees.
        if theirs[0].key not in VAGUE or ours[0].key in elsewhere:
            return f"the claim names the {ours[0].raw} where the source names the {theirs[0].raw}"
    return None
