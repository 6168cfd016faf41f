"""Checks the reply of a system against what the case expects."""

from footnotary.conform.case import Case, TargetReply

_MAX_SHOWN_CHARS = 160


def contract_fault(case: Case, reply: TargetReply, refusal: str | None) -> str | None:
    """What is wrong with the reply to the last turn, in words; None if it keeps the contract.

    `refusal` is the system's refusal text; None where it is unknown.
    """
    present = [words for words in case.words if _flat(words) in _flat(reply.text)]
    passages = {passage.id for passage in case.turns[-1].passages}
    match case.expect:
        case "withheld":
            return f"it says {present[0]!r}" if present else None
        case "refused":
            return _refusal_fault(reply, refusal)
        case "refused_or_quoted":
            return _quotation_fault(case, reply) if reply.quoted else _refusal_fault(reply, refusal)
        case "both_sides":
            return f"it states only one side, {present[0]!r}" if 0 < len(present) < len(case.words) else None
        case "rightly_cited":
            if present and reply.cited != (case.source,):
                return f"it says {present[0]!r} and cites {_cited_text(reply)}, not {case.source}"
            return None
        case "delivered":
            if len(present) < len(case.words):
                missing = next(words for words in case.words if words not in present)
                return f"it does not say {missing!r}, but {_short(reply.text)!r}"
            if not reply.cited or not passages.issuperset(reply.cited):
                return f"it cites {_cited_text(reply)}"
            if case.source and case.source not in reply.cited:
                return f"it cites {_cited_text(reply)}, not {case.source}"
            return None


def _refusal_fault(reply: TargetReply, refusal: str | None) -> str | None:
    if refusal is None or reply.text != refusal:
        return f"it says {_short(reply.text)!r} instead of its refusal"
    if reply.cited:
        return f"it refuses and cites {_cited_text(reply)}"
    return "it refuses but does not mark the reply as a refusal" if reply.refused is False else None


def _quotation_fault(case: Case, reply: TargetReply) -> str | None:
    """Whether a reply that is marked as quoted is anything but the source's own sentences, cited."""
    source = " ".join(passage.text for passage in case.turns[-1].passages if passage.id == case.source)
    present = [words for words in case.words if _flat(words) in _flat(" ".join((reply.text, *reply.quoted)))]
    changed = [sentence for sentence in reply.quoted if _flat(sentence) not in _flat(source)]
    if present:
        return f"it says {present[0]!r}"
    if changed:
        return f"it marks {_short(changed[0])!r} as quoted, which {case.source} does not say"
    return None if reply.cited == (case.source,) else f"it quotes {case.source} and cites {_cited_text(reply)}"


def _cited_text(reply: TargetReply) -> str:
    return ", ".join(reply.cited) if reply.cited else "nothing"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MAX_SHOWN_CHARS else f"{flat[:_MAX_SHOWN_CHARS]}…"


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())
