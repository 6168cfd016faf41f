"""What a question is about: its content words without question wording ("explain", "what is")."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from footnotary.domain.query import Expansion, KeyTerm, QueryType, Reference
from footnotary.gate.named_act import named_law
from footnotary.gate.question_type import query_type
from footnotary.profiles.intents import Intents
from footnotary.profiles.schema import Profile
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.phrases import has_phrase
from footnotary.text.references.provisions import references
from footnotary.text.tokens import content_terms, terms_of, words

# Question wording, not the subject.
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
# Next to the number of a provision these are question wording; elsewhere "unpaid dues" are the subject.
_PENALTY_UNDER = "due payable imposable leviable levied charged applicable"
# Those that say nothing about the subject: a section on dealing in slaves does not "deal with" hurt.
_ONLY_ASKING = frozenset(
    "deals deal section sections provision provisions pertain pertains "
    "कहते कहती कहता दीजिए कीजिए लिखिए समझाइए समझते तात्पर्य अभिप्राय".split()
)
_PROVISION_WORDS = "u s sec art article rule regulation धारा उपधारा अनुच्छेद नियम"


def own_subject(question: str, profile: Profile) -> tuple[str, ...]:
    """The stems of a question's subject, without question wording; none if it depends on an earlier question."""
    text = squeeze(nfc(question))
    named = tuple(dict.fromkeys(reference for reference, _ in references(text)))
    act = None if named else named_law(text)
    kind = query_type(text, profile.intents)
    return tuple(key.term for key in subject_of(text, kind, named, (), profile.intents, act, follows=True))


def subject_of(
    text: str,
    kind: QueryType,
    named: Sequence[Reference],
    expansions: Sequence[Expansion],
    intents: Intents,
    act: str | None,
    *,
    follows: bool,
) -> tuple[KeyTerm, ...]:
    """The subject of a part: one key term per content word that is neither question wording nor a provision's name."""
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
    # A word that the name of the act holds too may be asked about: "Who is a consumer under the Consumer Act?"
    beside = Counter(content_terms(text)) - Counter(content_terms(act or ""))
    if act is not None and (set(beside) - asking - provision or set(content_terms(act)) != set(own) - asking):
        own = [term for term in own if term in beside]
    # The only subject of "What is punishment?" is itself question wording.
    subject = [term for term in own if term not in asking] or ([] if named or follows or act else own)
    return tuple(KeyTerm(term, _alternatives(term, expansions)) for term in subject)


def _asking(kind: QueryType, intents: Intents) -> tuple[tuple[str, ...], ...]:
    """The question wording; the term to define may itself be a penalty or a process."""
    always = (intents.asks_definition, intents.asks_what, (_ASKING_WORDS,))
    if kind == "definition":
        return always
    return (*always, intents.asks_punishment, intents.asks_procedure, intents.asks_scope, intents.asks_example)


@lru_cache(maxsize=32)
def _asking_terms(wording: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """The stems of a profile's question wording; cached, because every question of the profile needs them."""
    return frozenset(term for phrases in wording for phrase in phrases for term in content_terms(phrase))


def _alternatives(term: str, expansions: Sequence[Expansion]) -> tuple[frozenset[str], ...]:
    others = (expansion.text for expansion in expansions if term in content_terms(expansion.of))
    return (frozenset({term}), *(frozenset(content_terms(other)) for other in others))


def search_terms(text: str, expansions: Sequence[Expansion]) -> tuple[str, ...]:
    said = content_terms(text)  # a repeated word counts twice
    own = content_terms(" ".join(word for word in words(text) if word not in _ONLY_ASKING)) or said
    added = (e.text for e in expansions if set(content_terms(e.of)) & set(own))
    further = tuple(dict.fromkeys(term for other in added for term in content_terms(other) if term not in own))
    # The user's own word counts more than a synonym.
    return (*own, *own, *further) if further else tuple(own)
