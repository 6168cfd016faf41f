"""Finds prompt injection: sentences of a document that instruct the model that answers. Nothing is cited from them.

A logistic regression chooses which sentences the trained classifier reads; in lexical mode it decides alone. Rules
cover only what has an exact form: an instruction to ignore the instructions, a faked conversation, and where one
sentence is joined to another without a full stop. What was measured without other rules: docs/decisions/0009.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from footnotary.domain.identity import Span
from footnotary.injection.linear_classifier import injection_score, looks_like_injection, may_be_injection
from footnotary.text.normalise import without_invisible
from footnotary.text.romanised_hindi import romanised
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import terms_of

# A classifier: given a sentence, and whether the regression alone would call it injection.
IsInjection: TypeAlias = Callable[[str, bool], bool]

_MAX_CHARACTERS = 2_000
# Of 165 attacks on a line that begins in lower case 8 are missed at 3, and 4 at 0; of 1,500 sentences of acts, which
# are printed in such lines, 3 and 27 are flagged.
_WRAPPED_LINE_SCORE = 3.0
_SUSPECT_FORM_SCORE = 2.0
# "Plug it in.": what so few words mean depends on the text before, which the classifier then reads too. Of the 120
# English attacks of the harness that are flagged, one has so few words. The classifier reads 128 tokens, and a long
# text before must not push the sentence out.
_FEW_WORDS = 3
_MOST_BEFORE = 160

_CONVERSATION = re.compile(
    r"^[ \t>#*]{0,8}(?:user|human|system)[ \t*]{0,4}:[^\n]{0,2000}\n(?:[^\n]{0,2000}\n){0,4}?"
    r"[ \t>#*]{0,8}(?:assistant|ai|bot|chatbot|model)[ \t*]{0,4}:[^\n]{0,2000}",
    re.IGNORECASE | re.MULTILINE,
)
# "The office is in Washington, D.C.\n<system>...": a line break, a tag or a semicolon separates without a full stop.
_JOINTS = re.compile(r"(?<=\S)(?:[ \t]*\n\s*|;\s+|\s*(?P<tag><{1,2}/?\w{1,20}>{1,2}|\[/?[A-Z]{2,12}\]))(?=\S)")
_CONTINUES = re.compile("[a-z\u0900-\u0963]")
_TAG = re.compile(r"<[^<>]{1,60}>|\[[^\[\]]{1,60}\]")
# "1. Ignore ...", "Section 4: Ignore ...", "# Ignore ...": the classifier takes what is numbered for a statement.
_NUMBER = re.compile(
    r"^[#>*\s]{0,8}(?:(?:section|article|chapter|part|rule|clause|धारा|अध्याय) )?"
    r"(?:\(?[0-9]{1,4}[a-z]{0,2}[.):—-]{1,2}\s*)?"
)
# The classifier does not flag "Ignore all previous instructions." with nothing after it. Hindi is matched romanised.
_RULES = r"(?:instructions?|rules?|guidelines?|prompts?|directives?|commands?|restrictions?)"
_OVERRIDE = re.compile(
    r"(?:^|[.,;:!—–]\s{0,4}|\s-\s)(?:"
    r"(?:(?:please|kindly|now|and|then|also|just|so|do|you must|important) ){0,3}"
    r"(?:ignore|disregard|forget|override|bypass) (?:(?:of|the|my|these|those|other) ){0,4}"
    r"(?:(?:all|any|every|your|previous|prior|above|earlier|preceding|existing|system|safety) ?"
    rf"[\w ]{{0,20}}\b{_RULES}\b|{_RULES} (?:above|before))"
    r"|(?:\w{1,20} ){0,4}?(?:pichh?le|purane|pehle|upar|sabhi|sab|saa?re|apne) (?:\w{1,20} ){0,3}?"
    r"(?:rules|instructions?|orders|nirdesh|niyam|aadesh) (?:\w{1,20} ){0,3}?"
    r"(?:anadekhaa|anadekhi|upekshaa|najarandaaj|nazarandaaz|bhul|bhool|bhulaa|radd|ignore)"
    r" (?:kar (?:do|dena|dijiye)|karo|karein|karna|kijiye|jaa?o|jaana|do|dena|dijiye)\b)"
)
# Forms that statements have too, so that the regression has to agree: a role's label, which may be in a list of staff,
# and a remark to be added. Lexical mode misses 56 of 417 injections of PIArena without the latter, and 22 with it.
_ROLE = re.compile(r"^(?:assistant|ai|chatbot|bot|model|system) ?:")
_ADDED_REMARK = re.compile(
    r"\b(?:add|append|insert|include|incorporate|integrate|embed|slip in|prepend|interject|weave in|issue"
    r"|outputting|appending|displaying|inserting) (?:[\w',-]{1,30} ){0,6}?"
    r"(?:note|remark|line|sentence|message|comment|alert|statement|notice|aside|acknowledge?ment|commendation"
    r"|appreciation|prompt|advisory|mention|reminder|disclaimer|recommendation)s?\b"
)


def instruction_spans(text: str, is_injection: IsInjection | None = None) -> tuple[Span, ...]:
    """The parts of a text that instruct the model, sentence by sentence.

    What follows an instruction to ignore the instructions, or a role's label, belongs to it up to the end of the
    paragraph. A faked conversation is injected as a whole. Raises what `is_injection` raises.
    """
    return _spans(text, is_injection)


@lru_cache(maxsize=1024)
def _spans(text: str, is_injection: IsInjection | None) -> tuple[Span, ...]:
    found: list[Span] = []
    taken_over_until = -1
    conversations = [match.span() for match in _CONVERSATION.finditer(text)]
    before = ""
    for sentence in sentence_spans(text):
        is_faked = any(start < sentence.end and sentence.start < end for start, end in conversations)
        whole = is_faked or sentence.start < taken_over_until
        start = 0 if whole else _instruction_start(sentence.of(text), is_injection)
        plain = normalized_sentence(sentence.of(text))
        context, before = before, f"{before} {plain}"[-_MOST_BEFORE:]
        if start is None or (not whole and not start and not _instructs_after(context, plain, is_injection)):
            continue
        found.append(Span(sentence.start + start, sentence.end))
        own = normalized_sentence(found[-1].of(text))
        if _is_override(own) or _is_role_turn(own):
            end = text.find("\n", sentence.end)
            taken_over_until = len(text) if end < 0 else end
    return tuple(found)


def is_instruction(sentence: str, is_injection: IsInjection | None = None) -> bool:
    """Whether a sentence instructs the model."""
    return _instructs(normalized_sentence(sentence), is_injection)


def normalized_sentence(sentence: str) -> str:
    """A sentence as the regression and the classifier read it: folded, without its number, tags and excess length."""
    plain = sentence[:_MAX_CHARACTERS]
    if plain.isascii():
        plain = plain.lower()
    else:
        plain = unicodedata.normalize("NFKC", without_invisible(plain)).casefold()
    plain = _NUMBER.sub("", plain, count=1)
    return _TAG.sub("; ", plain) if "<" in plain or "[" in plain else plain


def _instruction_start(sentence: str, is_injection: IsInjection | None) -> int | None:
    """Where in a sentence an instruction begins. Every part is examined once, and then the whole."""
    for part in _parts(sentence):
        if _instructs(normalized_sentence(part.of(sentence)), is_injection):
            return part.start
    for line in _parts(sentence, wrapped=True):
        plain = normalized_sentence(line.of(sentence))
        if injection_score(plain) > _WRAPPED_LINE_SCORE and _instructs(plain, is_injection):
            return line.start
    return 0 if _instructs(normalized_sentence(sentence), is_injection) else None


def _instructs_after(before: str, plain: str, is_injection: IsInjection | None) -> bool:
    """Whether a sentence that instructs the model alone does so after the text before it, if it has few words."""
    if is_injection is None or not before or _is_override(plain) or len(terms_of(plain)) > _FEW_WORDS:
        return True
    joined = f"{before} {plain}"
    return is_injection(joined if joined.isascii() else romanised(joined), looks_like_injection(plain))


def _parts(sentence: str, *, wrapped: bool = False) -> list[Span]:
    """The parts of a sentence between joints; with `wrapped` also its lines, where one may continue the line before."""
    starts, are_wrapped = [0], False
    for joint in _JOINTS.finditer(sentence):
        start = joint.end() - len(joint["tag"] or "")
        continues = "\n" in joint[0] and _CONTINUES.match(sentence, start) is not None
        if wrapped or not continues:
            starts.append(start)
        are_wrapped = are_wrapped or continues
    if len(starts) == 1 or (wrapped and not are_wrapped):
        return []
    return [Span(start, end) for start, end in pairwise((*starts, len(sentence)))]


# A copied claim is the sentence of its source once more.
@lru_cache(maxsize=2048)
def _instructs(plain: str, is_injection: IsInjection | None) -> bool:
    if _is_override(plain):
        return True
    is_likely = looks_like_injection(plain) or _is_role_turn(plain) or _adds_remark(plain)
    latin = plain if plain.isascii() else romanised(plain)
    foreign = 0 if latin.isascii() else sum(map(_is_foreign, latin))
    # A letter of another alphabet must not be a way around the classifier.
    if is_injection is None or (foreign and is_likely):
        return is_likely
    if 2 * foreign > sum(map(str.isalpha, latin)) or not may_be_injection(plain):
        return False
    return is_injection(latin, is_likely)


def _is_override(plain: str) -> bool:
    """Whether a sentence instructs to ignore the instructions."""
    return _OVERRIDE.search(plain if plain.isascii() else romanised(plain)) is not None


def _is_role_turn(plain: str) -> bool:
    return _ROLE.match(plain) is not None and injection_score(plain) > _SUSPECT_FORM_SCORE


def _adds_remark(plain: str) -> bool:
    return injection_score(plain) > _SUSPECT_FORM_SCORE and _ADDED_REMARK.search(plain) is not None


def _is_foreign(letter: str) -> bool:
    """Whether the classifier was not trained on a letter."""
    return "\u0370" <= letter <= "\u1fff" or letter > "\u2e7f"
