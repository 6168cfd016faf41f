"""A second checker of what is delivered. It shares no code with the product, and none of its algorithms.

It reads the delivered record and the passages, and checks the contract again. The *form*: a refusal is the exact text
and nothing else; every sentence of an answer cites retrieved passages, quotes them exactly, and hides nothing. The
*numbers*: each is in a cited passage, with what it counts. The *meaning*: each sentence can be derived from what it cites
by a few safe steps: an added lead-in, another notation of a number, an omitted additional statement. A sentence that
cannot be derived counts as a violation, even if it is true.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from harness.independent.reading import CitedSentence, read, sentences_of, words

LEAD_INS = tuple(
    words(said)
    for said in (
        "According to the rules", "Under the rules", "The rules say that", "In short", "As the source says", "नियमों के अनुसार",
    )
)  # fmt: skip
# An omitted statement must not have limited the claim.
LIMITS = frozenset(
    "not no never neither nor none without unless except only if provided but however subject save or within until till "
    "before after least most less more than exceed exceeding नहीं बिना जब तक यदि केवल या".split()
)
# Two sentences joined by punctuation; each must be derivable on its own.
_GLUED = re.compile(r"(?<=[a-z0-9])[.!?](?:, and |; ?| — ?)?(?=[A-Z])|(?<=[a-z])[.!]?; (?=[A-Z])")
UNSEEN = ("Cc", "Cf", "Co", "Cs", "Cn")


@dataclass(frozen=True, slots=True)
class Violation:
    """Something in a delivered record that the contract does not allow."""

    kind: Literal["form", "figure", "meaning"]
    what: str


def find_violations(record: Mapping[str, Any], passages: Mapping[str, str], refusals: Sequence[str]) -> list[Violation]:
    """The contract violations of a delivered record.

    `passages` are the retrieved texts by id, in order; `refusals` are the only texts a refusal may have.
    """
    if record["refusal_reason"] is not None:
        return [Violation("form", what) for what in _refusal(record, refusals)]
    form = [Violation("form", what) for what in (*_form(record, passages), *_details(record, passages))]
    return [*form, *_sentences(record, passages)]


def _refusal(record: Mapping[str, Any], refusals: Sequence[str]) -> list[str]:
    wrong: list[str] = []
    if record["answer"] not in refusals:
        wrong.append("a refusal with another text")
    if any(record[name] for name in ("citations", "cited_sources", "citation_details", "claims", "sources", "is_safe")):
        wrong.append("a refusal that delivers something")
    if not record["refusal_reason"] or not isinstance(record["refusal_reason"], str):
        wrong.append("a refusal without a reason")
    return wrong


def _joins(body: str, at: int) -> bool:
    """Hindi spells some letters with a joiner at the sign that takes a vowel away."""
    return body[at] in "\u200c\u200d" and "\u094d" in body[max(at - 1, 0) : at + 2]


def _form(record: Mapping[str, Any], passages: Mapping[str, str]) -> list[str]:
    body: str = record["answer"]
    wrong: list[str] = []
    if not body.strip():
        return ["an empty answer"]
    seen = read(body)
    if seen.stray:
        wrong.append(f"a bracket that names nothing: {seen.stray[0]!r}")
    if any(
        unicodedata.category(char) in UNSEEN and char != "\n" and not _joins(body, i) for i, char in enumerate(body)
    ):
        wrong.append("an invisible character")
    cited: list[str] = []
    for said in seen.sentences:
        ids, unknown = _named(said, passages, _numbered(record, passages))
        cited += ids
        if unknown:
            wrong.append(f"cites what was not retrieved: {unknown[0]!r}")
        if not ids:
            wrong.append(f"a sentence without a citation: {said.text.strip()!r}")
    if set(cited) != set(record["citations"]) or set(cited) != set(record["cited_sources"]):
        wrong.append("the list of citations is not that of the text")
    if any(record[name] is not True for name in ("is_grounded", "is_sufficient", "is_safe")):
        wrong.append("an answer marked as unsafe")
    if any(verdict["status"] != "pass" for verdict in record["verdicts"]):
        wrong.append("an answer with a verdict that is not a pass")
    return wrong


def _numbered(record: Mapping[str, Any], passages: Mapping[str, str]) -> list[str]:
    """The passages by the numbers that the record gives them, 1 first; none where it skips one or numbers another."""
    numbers: Mapping[str, int] = record.get("source_numbers") or {name: n for n, name in enumerate(passages, 1)}
    order = sorted(numbers, key=lambda name: numbers[name])
    in_order = [numbers[name] for name in order] == list(range(1, len(order) + 1))
    return order if in_order and set(order) <= set(passages) else []


def _named(said: CitedSentence, passages: Mapping[str, str], order: Sequence[str]) -> tuple[list[str], list[str]]:
    """The passages that the markers of a sentence cite, and markers that cite none."""
    ids: list[str] = []
    unknown: list[str] = []
    for inner in said.named:
        for part in inner.split(", "):
            name = part.removeprefix("SOURCE: ").removeprefix("Source ")
            if name in passages:
                ids.append(name)
            elif name.isascii() and name.isdigit() and 0 < int(name) <= len(order):
                ids.append(order[int(name) - 1])
            else:
                unknown.append(inner)
    return ids, unknown


def _details(record: Mapping[str, Any], passages: Mapping[str, str]) -> list[str]:
    """Quotes are exact and at the given span; each claim has one, and is at its given span."""
    wrong: list[str] = []
    plain = _unmarked([claim["text"] for claim in record["claims"]])
    for detail in record["citation_details"]:
        text, place, spoken = passages.get(detail["id"]), detail["chunk_span"], detail["answer_span"]
        if text is None or not detail["quote"] or text[place["start"] : place["end"]] != detail["quote"]:
            wrong.append("a quote that is not at its span")
        elif (said := record["claims"][detail["claim"]]["text"]) in text and said not in detail["quote"]:
            wrong.append("a quote of other words than those the claim copies")
        if plain[spoken["start"] : spoken["end"]] != record["claims"][detail["claim"]]["text"]:
            wrong.append("a claim that is not at its span")
    quoted = {(detail["claim"], detail["id"]) for detail in record["citation_details"]}
    if quoted != {(number, cited) for number, claim in enumerate(record["claims"]) for cited in claim["cites"]}:
        wrong.append("a citation without a quote, or a quote without a citation")
    return wrong


def _unmarked(claims: list[str]) -> str:
    """The claims as one text without markers: a blank between two, an empty line on either side of a list."""
    parts = [claims[0]] if claims else []
    for before, claim in zip(claims, claims[1:], strict=False):  # noqa: RUF007 - itertools is not for this checker
        parts += ("\n\n" if "\n" in before + claim else " ", claim)
    return "".join(parts)


def _sentences(record: Mapping[str, Any], passages: Mapping[str, str]) -> Iterator[Violation]:
    for said in read(record["answer"]).sentences:
        ids, _ = _named(said, passages, _numbered(record, passages))
        sources = [sentence for cited in ids for sentence in sentences_of(passages[cited])]
        for part in _GLUED.split(said.text):
            claim = _trimmed(words(part))
            where = f"{', '.join(ids) or 'anything'}: {part.strip()!r}"
            if not _figures(claim) <= {pair for source in sources for pair in _figures(source)}:
                yield Violation("figure", f"a figure that is not in {where}")
            elif claim and not any(derived(claim, source) for source in sources) and not _runs_on(claim, ids, passages):
                yield Violation("meaning", f"not derived from {where}")


def _figures(sentence: tuple[str, ...]) -> set[tuple[str, str]]:
    """Every number with the word after it, usually what it counts; accents on that word are ignored."""
    behind = (*map(_unaccented, sentence[1:]), "")
    return {(word, after) for word, after in zip(sentence, behind, strict=True) if word.isdigit()}


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(char for char in unicodedata.normalize("NFD", word) if not "\u0300" <= char <= "\u036f")


def _trimmed(claim: tuple[str, ...]) -> tuple[str, ...]:
    """Without what only joins a sentence to the next."""
    while claim and claim[-1] in ("and", "or"):
        claim = claim[:-1]
    return claim[1:] if claim[:1] == ("and",) else claim


def derived(claim: tuple[str, ...], source: tuple[str, ...]) -> bool:
    """Whether a sentence equals another word by word, except for a lead-in and one omitted additional statement."""
    for lead in (*LEAD_INS, ()):
        rest = claim[len(lead) :]
        if claim[: len(lead)] == lead and rest and _is_shortened(_plain(rest), _plain(source)):
            return True
    return False


def _plain(sentence: tuple[str, ...]) -> tuple[str, ...]:
    """Normalised: one word for a prohibition, and two joined subjects (`the a and the b shall`) in one order."""
    plain = list(sentence)
    for at, word in enumerate(plain):
        if word in ("may", "must") and ("not" in plain[at + 1 : at + 2] or plain[:1] == ["no"]):
            plain[at] = "shall"
    if len(plain) > 4 and plain[0] == "the" and plain[2:4] == ["and", "the"]:
        plain[1], plain[4] = sorted((plain[1], plain[4]))
    return tuple(plain)


def _is_shortened(claim: tuple[str, ...], source: tuple[str, ...]) -> bool:
    if claim == source:
        return True
    left_out = len(source) - len(claim)
    if left_out <= 0:
        return False
    same = 0
    while same < len(claim) and claim[same] == source[same]:
        same += 1
    # One span is omitted, at or before the first difference.
    for at in range(same, 0, -1):
        if claim[at:] == source[at + left_out :]:
            gone = source[at : at + left_out]
            return not LIMITS & {*gone} and "and" in (gone[0], gone[-1])
    return False


def _runs_on(claim: tuple[str, ...], ids: Sequence[str], passages: Mapping[str, str]) -> bool:
    """Whether the words are consecutive in a passage, from the beginning of one sentence to the end of another."""
    for cited in ids:
        parts = sentences_of(passages[cited])
        for first in range(len(parts)):
            run: tuple[str, ...] = ()
            for part in parts[first:]:
                run += part
                if run == claim:
                    return True
    return False
