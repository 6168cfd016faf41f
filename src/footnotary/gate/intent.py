"""Understands a question: what it asks for, about what, in which language, and which provisions it names."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from footnotary.domain.query import Expansion, Facet, KeyTerm, Query, QueryType, Reference, Scope
from footnotary.gate.named_act import named_law, without_law
from footnotary.profiles.schema import Intents, Profile
from footnotary.text.definitions import definition_key
from footnotary.text.language import language_of
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.phrases import first_phrase, has_phrase, phrase_spans
from footnotary.text.references.provisions import references
from footnotary.text.tokens import content_terms, terms_of, word_spans, words

# "What is cheating?" asks for a definition, "What is the time limit for filing a claim?" for a fact.
_LONGEST_TERM = 4
_FACT_WORDS = frozenset(
    "of for in under by to on from when if that between during within after before at about and or required "
    "allowed का की के में पर लिए से बाद भीतर पहले अधीन अनुसार और".split()
)
# "The membership fee" asks how high it is; "a membership fee" may ask what that is.
_VALUES = frozenset(
    "fee fees rate amount limit period age number date deadline entitlement allowance duration salary price cost "
    "quorum percentage charge tenure dose dosage temperature speed ceiling threshold rent".split()
)
# Who applies for a licence asks no law how far it applies.
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
# Words of the asking, not of what is asked about.
_ASKING_WORDS = (
    "give find explain describe described tell list state name mention deals deal section provision provisions concept "
    "say says said related relating regarding concerning refer refers pertain pertains imply implies considered "
    "consider according text context happen happens consequence consequences specifically someone somebody anyone "
    "potential possible designation time limit provide provides provided prescribe prescribes constitute constitutes "
    "ingredients elements essentials requirement requirements deadline quantum territorial legal offence offences "
    "exception exceptions operation crime crimes "
    "एक देना देने देता देती देते दें दीजिए कीजिए लिखिए समझाइए वर्णन उल्लेख समय सीमा परिसीमा अवधि कहती कहता कहते बताया"
)
# How a penalty is asked for: "the maximum punishment prescribed by law for a person who commits theft".
_PENALTY_WORDS = (
    "maximum minimum given prescribed prescribes prescribe provided provides provide imposed impose awarded award "
    "attract attracts commit commits committed committing person persons people law laws legal years long amount get "
    "gets go goes face faces severe offence offender guilty convicted"
)
# Beside the number of a provision these only ask; elsewhere "unpaid dues" are what is asked about.
_PENALTY_UNDER = "due payable imposable leviable levied charged applicable"
# Of these, what says nothing about what to look for: a section against those who deal in slaves deals with no hurt.
_ONLY_ASKING = frozenset(
    "deals deal section sections provision provisions pertain pertains "
    "कहते कहती कहता दीजिए कीजिए लिखिए समझाइए समझते तात्पर्य अभिप्राय".split()
)
_PROVISION_WORDS = "u s sec art article rule regulation धारा उपधारा अनुच्छेद नियम"
# A new question begins after "?" or ";", or after "and" before a question word.
_PARTS = re.compile(
    r"[?;]\s+|,?\s+and\s+(?=(?:what|who|how|when|where|which|why|define|explain)\b)|\s+और\s+(?=उस)", re.I
)


def understand(question: str, scope: Scope, profile: Profile) -> Query:
    """The question with what it asks for. Deterministic; no model is called."""
    text = squeeze(nfc(question))
    expansions = _expansions(text, profile.glossary)
    keywords = (text[span.start : span.end] for span, word in word_spans(text) if content_terms(word))
    return Query(
        text=question,
        scope=scope,
        language=language_of(text),
        facets=_facets(text, expansions, profile.intents),
        keywords=tuple(dict.fromkeys(keywords)),
        expansions=expansions,
    )


def own_subject(question: str, profile: Profile) -> tuple[str, ...]:
    """The stems of what a question is about, without the words of the asking; none where it leans on one before it."""
    text = squeeze(nfc(question))
    named = tuple(dict.fromkeys(reference for reference, _ in references(text)))
    act = None if named else named_law(text)
    kind = query_type(text, profile.intents)
    return tuple(key.term for key in _subject(text, kind, named, (), profile.intents, act, follows=True))


def _facets(text: str, expansions: Sequence[Expansion], intents: Intents) -> tuple[Facet, ...]:
    """The parts of a question; a part that names no subject of its own is about the one before it."""
    facets: list[Facet] = []
    for part in [part for part in _PARTS.split(text) if part.strip()] or [text]:
        named = tuple(dict.fromkeys(reference for reference, _ in references(part)))
        act = None if named else named_law(part)
        kind = query_type(part, intents)
        subject = _subject(part, kind, named, expansions, intents, act, follows=bool(facets))
        terms = _terms(part if act is None or not subject else part.replace(act, ""), expansions)
        if facets and not subject and not named:
            before = facets[-1]
            named, subject = before.references, before.subject
            terms = tuple(dict.fromkeys((*terms, *(key.term for key in subject))))
        kind = _settled_type(kind, part, subject, named)
        if kind == "definition" and subject:
            terms = (*terms, *_definition_keys(subject, expansions))
        facets.append(Facet(part, kind, subject, terms, named, act))
    return tuple(facets)


def _settled_type(kind: QueryType, part: str, subject: Sequence[KeyTerm], named: Sequence[Reference]) -> QueryType:
    """The kind of a part, given what it is about: only a term can be defined, not a provision or a whole story."""
    is_term = subject and len(subject) <= _LONGEST_TERM + 1
    # "Within the meaning of section 171C" and "as defined in section 225A" name a provision and ask for no meaning.
    names_place = named and _IN_PROVISION.search(part) is not None
    return "general" if kind == "definition" and (names_place or (not is_term and (named or subject))) else kind


def query_type(question: str, intents: Intents) -> QueryType:
    """What kind of evidence answers the question.

    Explicit wording wins ("define", "punishment for", "how to"); a bare "What is X?" asks for a definition, unless X
    is a provision ("What is Section 420 IPC?"), which is a lookup, hence general.
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
    if has_phrase(text, intents.asks_what) and not references(text) and _only_a_term(text, intents):
        return "definition"
    return "general"


def _asks_meaning(text: str, intents: Intents) -> bool:
    """Definitional wording; "what does X" counts only with "mean" or its like behind it."""
    text = _TERM_OF.sub("", text)
    weak = ("what do", "what does")
    if has_phrase(text, [phrase for phrase in intents.asks_definition if phrase not in weak]):
        return True
    return has_phrase(text, weak) and has_phrase(text, ("mean", "means", "denote", "denotes", "signify", "refer to"))


def _only_a_term(text: str, intents: Intents) -> bool:
    """Whether nothing but a short term stands beside the "what is"."""
    text = _ACCORDING.sub("", without_law(text))
    asked = phrase_spans(text, intents.asks_what)[0][0]
    beside = [word for span, word in word_spans(text) if span.end <= asked.start or span.start >= asked.end]
    term = [word for word in beside if word not in {"the", "a", "an", "as"}]
    is_value = "the" in beside and len(term) > 1 and term[-1] in _VALUES
    return 0 < len(term) <= _LONGEST_TERM and not is_value and not _FACT_WORDS.intersection(term)


def _subject(
    text: str,
    kind: QueryType,
    named: Sequence[Reference],
    expansions: Sequence[Expansion],
    intents: Intents,
    act: str | None,
    *,
    follows: bool,
) -> tuple[KeyTerm, ...]:
    """What a part is about: one key term per content word that is more than a way of asking or a provision's name."""
    asking = _asking_terms(_asking(kind, intents))
    if not has_phrase(text, ("the term",)):  # "the sum of n terms" is about terms
        asking -= terms_of("term")
    if kind == "punishment":
        asking |= terms_of(f"{_PENALTY_WORDS} {_PENALTY_UNDER}" if named else _PENALTY_WORDS)
    provision = {
        term for r in named for part in (_PROVISION_WORDS, r.section, r.act or "") for term in content_terms(part)
    }
    for reference, span in references(text):  # as it is written: "section number 12 A"
        provision |= terms_of(span.of(text)) - terms_of(reference.clause or "")
    own = [term for term in dict.fromkeys(content_terms(text)) if term not in provision]
    if act is not None and set(content_terms(act)) != set(own) - asking:
        own = [term for term in own if term not in content_terms(act)]
    # "What is punishment?" is about nothing but the asking word.
    subject = [term for term in own if term not in asking] or ([] if named or follows or act else own)
    return tuple(KeyTerm(term, _alternatives(term, expansions)) for term in subject)


def _asking(kind: QueryType, intents: Intents) -> tuple[tuple[str, ...], ...]:
    """The wording of the asking; what is to be defined may itself be a penalty or a process."""
    always = (intents.asks_definition, intents.asks_what, (_ASKING_WORDS,))
    if kind == "definition":
        return always
    return (
        *always,
        intents.asks_punishment,
        intents.asks_procedure,
        intents.asks_scope,
        intents.asks_example,
    )


@lru_cache(maxsize=32)
def _asking_terms(wording: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """The stems of a profile's ways of asking; remembered, as every question of the profile needs them."""
    return frozenset(term for phrases in wording for phrase in phrases for term in content_terms(phrase))


def _definition_keys(subject: Sequence[KeyTerm], expansions: Sequence[Expansion]) -> tuple[str, ...]:
    """What the term's definition may be filed under: its own words, and whatever else the whole of it is called."""
    own = [key.term for key in subject]
    others = (content_terms(expansion.text) for expansion in expansions if content_terms(expansion.of) == own)
    return tuple(dict.fromkeys(definition_key(terms) for terms in (own, *others)))


def _alternatives(term: str, expansions: Sequence[Expansion]) -> tuple[frozenset[str], ...]:
    others = (expansion.text for expansion in expansions if term in content_terms(expansion.of))
    return (frozenset({term}), *(frozenset(content_terms(other)) for other in others))


def _terms(text: str, expansions: Sequence[Expansion]) -> tuple[str, ...]:
    said = content_terms(text)  # a word said twice counts twice
    own = content_terms(" ".join(word for word in words(text) if word not in _ONLY_ASKING)) or said
    added = (e.text for e in expansions if set(content_terms(e.of)) & set(own))
    further = tuple(dict.fromkeys(term for other in added for term in content_terms(other) if term not in own))
    # What was said counts more than what it is also called.
    return (*own, *own, *further) if further else tuple(own)


def _expansions(text: str, glossary: Mapping[str, Sequence[str]]) -> tuple[Expansion, ...]:
    """What the glossary adds: other names of what the question says, and the abbreviation of what it spells out."""
    added: list[Expansion] = []
    for short, forms in glossary.items():
        if has_phrase(text, (short,)):
            added += [Expansion(short, form) for form in forms if not has_phrase(text, (form,))]
        elif short.isupper() and (spelled := first_phrase(text, forms)) is not None:
            added.append(Expansion(spelled, short))
    return tuple(dict.fromkeys(added))
