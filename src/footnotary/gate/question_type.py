"""What kind of evidence a question asks for: a definition, a penalty, a procedure, or anything."""

import re
from collections.abc import Sequence

from footnotary.domain.query import KeyTerm, QueryType, Reference
from footnotary.gate.named_act import without_law
from footnotary.profiles.intents import Intents
from footnotary.text.normalise import squeeze
from footnotary.text.phrases import has_phrase, phrase_spans
from footnotary.text.references.provisions import references
from footnotary.text.tokens import word_places

# "What is cheating?" asks for a definition, "What is the time limit for filing a claim?" for a fact.
_LONGEST_TERM = 4
_FACT_WORDS = frozenset(
    "of for in under by to on from when if that between during within after before at about and or required "
    "allowed का की के में पर लिए से बाद भीतर पहले अधीन अनुसार और".split()
)
# "The membership fee" asks for the amount; "a membership fee" may ask for the meaning.
_VALUES = frozenset(
    "fee fees rate amount limit period age number date deadline entitlement allowance duration salary price cost "
    "quorum percentage charge tenure dose dosage temperature speed ceiling threshold rent".split()
)
# "Applies for a licence" does not ask how far a law applies.
_APPLY_FOR = re.compile(r"\b(?:apply|applies|applied|applying|application) for\b", re.IGNORECASE)
# A term of years is not a word to be defined.
_TERM_OF = re.compile(r"\bthe term (?:of|for)\b", re.IGNORECASE)
_IN_PROVISION = re.compile(
    r"\b(?:meaning of|(?:as |is |are )?(?:defined|described|mentioned) (?:in|under|by)) (?:the )?(?:sub-?)?"
    r"(?:sections?|articles?|rules?)\b",
    re.IGNORECASE,
)
_ACCORDING = re.compile(
    r",?\s*\b(?:according to|as per|in terms of) (?:the |this )?\w+(?: \w+)?\s*(?=[?.]|$)", re.IGNORECASE
)


def query_type(question: str, intents: Intents, *, of_document: bool = False) -> QueryType:
    """What kind of evidence answers the question.

    Explicit wording wins ("define", "punishment for", "how to"); a bare "What is X?" asks for a definition, unless X
    is a provision ("What is Section 420 IPC?"), which is a lookup, hence general. So is "What is the term?" asked of
    one document.
    """
    text = squeeze(question)
    if _asks_meaning(text, intents):
        return "definition"
    by_phrase: tuple[tuple[QueryType, Sequence[str]], ...] = (
        ("punishment", intents.asks_punishment),
        ("example", intents.asks_example),
        ("scope", intents.asks_scope),
        ("procedure", intents.asks_procedure),
        ("problem", intents.asks_problem),
    )
    for kind, phrases in by_phrase:
        if has_phrase(_APPLY_FOR.sub("", text) if kind == "scope" else text, phrases):
            return kind
    if not of_document and has_phrase(text, intents.asks_what) and not references(text) and _only_a_term(text, intents):
        return "definition"
    return "general"


def _asks_meaning(text: str, intents: Intents) -> bool:
    """Definitional wording; "what does X" counts only with "mean" or similar after it."""
    text = _TERM_OF.sub("", text)
    weak = ("what do", "what does")
    if has_phrase(text, [phrase for phrase in intents.asks_definition if phrase not in weak]):
        return True
    return has_phrase(text, weak) and has_phrase(text, ("mean", "means", "denote", "denotes", "signify", "refer to"))


def _only_a_term(text: str, intents: Intents) -> bool:
    """Whether the question is "what is" and a short term only."""
    text = _ACCORDING.sub("", without_law(text))
    asked = phrase_spans(text, intents.asks_what)[0][0]
    adjacent = [word for start, end, word in word_places(text) if end <= asked.start or start >= asked.end]
    term = [word for word in adjacent if word not in {"the", "a", "an", "as"}]
    is_value = "the" in adjacent and len(term) > 1 and term[-1] in _VALUES
    return 0 < len(term) <= _LONGEST_TERM and not is_value and not _FACT_WORDS.intersection(term)


def settled_type(kind: QueryType, part: str, subject: Sequence[KeyTerm], named: Sequence[Reference]) -> QueryType:
    """The kind of a part, given what it is about: only a term can be defined, not a provision or a long description."""
    is_term = subject and len(subject) <= _LONGEST_TERM + 1
    # "Within the meaning of section 171C" and "as defined in section 225A" name a provision and ask for no meaning.
    names_place = named and _IN_PROVISION.search(part) is not None
    return "general" if kind == "definition" and (names_place or (not is_term and (named or subject))) else kind
