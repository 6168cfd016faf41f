"""A text as the guards read it: words with their concepts, fixed phrases joined, in clauses and sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

from footnotary.text.number_words import HUNDREDS, SCALES, SMALL
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.stopwords import STOP_WORDS
from footnotary.text.tokens import word_places
from footnotary.verify.wording.antonyms import without_prefix
from footnotary.verify.wording.synonyms import concept

# Some guards compare every word with every other; nothing that states one fact is longer.
MAX_WORDS = 1000

# Phrases that are one word to the guards, and that word. A hyphen stands for a space.
_PHRASES = """
and: as-well-as along-with together-with in-addition-to and-also besides plus accompanied-by-a
except: other-than apart-from with-the-exception-of save-as save-for save-in save-where except-for except-that
except: but-for aside-from
if: provided-that provided-however-that on-condition-that on-the-condition-that so-long-as as-long-as in-case
if: where-ever
even-if: even-though even-if even-where even-when whether-or-not regardless-of-whether regardless-of
even-if: in-every-case in-all-cases under-any-circumstances under-all-circumstances in-any-event without-exception
even-if: is-no-exception are-no-exception
even-if: irrespective-of no-matter although-not without-regard-to
up-to: may-extend-to can-extend-to up-to not-more-than no-more-than not-exceeding shall-not-exceed
up-to: must-not-exceed may-not-exceed
up-to: not-to-exceed at-most at-the-most does-not-exceed do-not-exceed cannot-exceed not-over not-beyond
up-to: a-maximum-of no-longer-than not-longer-than
at-least: not-less-than no-less-than at-least not-fewer-than no-fewer-than not-lower-than no-lower-than
at-least: not-below not-under
within: not-later-than no-later-than in-no-case-later-than
also: not-only not-merely not-just not-simply
soon: as-soon-as-may-be as-soon-as-possible as-soon-as-practicable straight-away at-once without-delay
soon: without-undue-delay without-unreasonable-delay without-any-delay
as: as-may-be as-the-case-may-be
overall: all-in-all
in-writing: in-writing
free-of-charge: free-of-charge without-charge at-no-cost free-of-cost
nobody: no-one no-person no-persons no-individual no-people not-anyone not-any-person
cannot: can-not could-not
need-not: need-not needs-not does-not-have-to do-not-have-to did-not-have-to does-not-need-to do-not-need-to
need-not: is-not-required-to are-not-required-to is-not-obliged-to are-not-obliged-to not-required-to
need-not: not-obliged-to is-not-bound-to shall-not-be-required-to shall-not-be-obliged-to will-not-be-required-to
must: has-to have-to had-to is-required-to are-required-to be-required-to is-obliged-to are-obliged-to
must: is-obligated-to
must: are-obligated-to is-compelled-to needs-to is-under-a-duty-to has-a-duty-to have-a-duty-to
must: is-under-an-obligation-to
must: is-bound-to are-bound-to it-is-mandatory-to it-is-compulsory-to it-is-necessary-to
may: is-allowed-to are-allowed-to is-permitted-to are-permitted-to be-allowed-to be-permitted-to is-empowered-to
may: are-empowered-to
may: is-authorised-to is-authorized-to are-authorised-to is-free-to are-free-to is-at-liberty-to
may: has-the-power-to have-the-power-to
may: has-the-right-to have-the-right-to has-a-right-to have-a-right-to has-power-to have-power-to
may: has-the-discretion-to it-is-optional-to
should: ought-to is-advised-to are-advised-to is-recommended-to is-encouraged-to are-encouraged-to
not: fails-to fail-to failed-to failing-to failure-to omits-to neglects-to unable-to no-longer
instead: rather-than instead-of
not: refuse-to refuses-to refused-to refusing-to declines-to declined-to decline-to inability-to incapable-of
not: is-unable-to has-failed-to have-failed-to had-failed-to
without: lack-of lacks lacking in-the-absence-of absence-of devoid-of
before: prior-to in-advance-of
after: subsequent-to
otherwise: failing-which or-else
each: every-one-of each-one-of
either: one-of any-one-of one-or-other-of
covered-entity: covered-entity covered-entities
business-associate: business-associate business-associates
family-member: family-member family-members member-of-the-family
data-fiduciary: data-fiduciary data-fiduciaries
data-principal: data-principal data-principals
public-servant: public-servant public-servants
private-citizen: private-citizen private-citizens
head-teacher: head-teacher head-teachers head-of-the-school
police-officer: police-officer police-officers
health-plan: health-plan health-plans
high-court: high-court high-courts
supreme-court: supreme-court
district-commission: district-commission
state-commission: state-commission
appellate-tribunal: appellate-tribunal
data-subject: data-subject data-subjects
supervisory-authority: supervisory-authority supervisory-authorities
principal-debtor: principal-debtor principal-debtors
food-inspector: food-inspector food-inspectors
central-government: central-government
state-government: state-government state-governments
hand-over: hand-over hands-over handed-over handing-over
take-in: take-in takes-in taken-in
give-off: give-off gives-off given-off
take-place: take-place takes-place took-place
community-service: community-service
good-faith: good-faith
bad-faith: bad-faith
either-description: of-either-description either-description
"""
_FUNCTION = STOP_WORDS | frozenset(
    "shall will upon said aforesaid except even-if up-to at-least nobody need-not only save"
    " notwithstanding provided including whatsoever respect case otherwise section sections clause"
    " clauses subsection sub para paragraph chapter either-description thereafter whichever where"
    " likewise namely least most regard failing according instead whereby wherein way".split()
)
_DETERMINERS = frozenset("a an the this that these those such said its his her their any".split())
_NUMBERS = frozenset(SMALL) | HUNDREDS | frozenset(SCALES)
_STARTS_CLAUSE = frozenset(
    "who which unless except if when where because although though while whereas until provided but"
    " even-if that before after whose without".split()
)
_AFTER_COMMA = _STARTS_CLAUSE | {"and", "or", "nor", "as", "with", "including", "except"}
_HARD_STOP = re.compile(r"[;:—]|--")


@dataclass(frozen=True, slots=True)
class AnalyzedWord:
    """One word, or one fixed phrase.

    `key` is what it is compared by; `flipped` says that the word carries its own "not" and `key` is what it negates.
    `gap` is the text between it and the word before.
    """

    text: str
    key: str
    raw: str
    place: int
    sentence: int
    clause: int
    content: bool
    flipped: bool
    gap: str

    @property
    def is_number(self) -> bool:
        return self.key == "#"

    @property
    def is_determiner(self) -> bool:
        return self.text in _DETERMINERS


@dataclass(frozen=True, slots=True)
class AnalyzedText:
    """The words of a text in order, at most `MAX_WORDS` of them.

    `keys` are those of the content words, `texts` all words as they stand, and `sentences` the words sentence by
    sentence. Every guard asks for these, so they are made once.
    """

    words: tuple[AnalyzedWord, ...]
    keys: frozenset[str] = field(init=False, repr=False, compare=False)
    texts: frozenset[str] = field(init=False, repr=False, compare=False)
    sentences: tuple[tuple[AnalyzedWord, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", frozenset([word.key for word in self.words if word.content]))
        object.__setattr__(self, "texts", frozenset([word.text for word in self.words]))
        by_sentence = groupby(self.words, key=attrgetter("sentence"))
        object.__setattr__(self, "sentences", tuple(tuple(words) for _, words in by_sentence))

    def sentence(self, number: int) -> tuple[AnalyzedWord, ...]:
        return tuple(word for word in self.words if word.sentence == number)

    def has_any(self, words: frozenset[str]) -> bool:
        """Whether a word of the text is one of `words`, as it stands or as the concept it is compared by."""
        return not (words.isdisjoint(self.texts) and words.isdisjoint(self.keys))


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[tuple[Sequence[str], str]]]:
    """By first word, the longest first: the words of a phrase and what it is read as."""
    table: dict[str, list[tuple[Sequence[str], str]]] = {}
    for line in _PHRASES.strip().splitlines():
        read_as, _, phrases = line.partition(":")
        for phrase in phrases.split():
            parts = phrase.split("-")
            table.setdefault(parts[0], []).append((parts, read_as))
    for entries in table.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return table


@lru_cache(maxsize=128)
def analyze_text(text: str) -> AnalyzedText:
    """How the guards read `text`."""
    starts = [span.start for span in sentence_spans(text)]
    found = word_places(text)[:MAX_WORDS]
    folded = [word for _, _, word in found]
    words: list[AnalyzedWord] = []
    sentence = clause = at = end = 0
    while at < len(found):
        start = found[at][0]
        while sentence < len(starts) and starts[sentence] <= start:
            sentence += 1
        gap = text[end:start]
        length, forms = _joined(found, folded, at, text)
        end = found[at + length - 1][1]
        for form in forms:
            if words and _begins_clause(form, gap, words[-1], sentence):
                clause += 1
            words.append(_word(form, text[start:end], len(words), sentence, clause, gap))
            gap = ""
        at += length
    return AnalyzedText(tuple(words))


def _joined(found: list[tuple[int, int, str]], folded: list[str], at: int, text: str) -> tuple[int, tuple[str, ...]]:
    """How many words from `at` on are read as one, and what they are read as."""
    first = folded[at]
    for parts, read_as in _phrases().get(first, ()):
        if folded[at : at + len(parts)] != parts:
            continue
        between = text[found[at][0] : found[at + len(parts) - 1][1]]
        if not any(mark in between for mark in ",;:.—"):
            return len(parts), (read_as,)
    if first == "non" and at + 1 < len(found) and text[found[at][1] : found[at + 1][0]] == "-":
        return 2, (f"non-{folded[at + 1]}",)
    if first.endswith("n't"):
        auxiliary = {"ca": "can", "wo": "will", "sha": "shall"}.get(first[:-3], first[:-3])
        return 1, (("cannot",) if auxiliary == "can" else ("need-not",) if auxiliary == "need" else (auxiliary, "not"))
    return 1, (first,)


def _begins_clause(form: str, gap: str, before: AnalyzedWord, sentence: int) -> bool:
    if sentence != before.sentence or (gap != " " and _HARD_STOP.search(gap)):
        return True
    if form in _STARTS_CLAUSE and not (form == "that" and before.text in {"than", "as", "of", "in"}):
        return True
    return "," in gap and form in _AFTER_COMMA


def _word(form: str, raw: str, place: int, sentence: int, clause: int, gap: str) -> AnalyzedWord:
    key, content, flipped = _compared_by(form)
    return AnalyzedWord(form, key, raw, place, sentence, clause, content, flipped, gap)


@lru_cache(maxsize=1 << 14)
def _compared_by(form: str) -> tuple[str, bool, bool]:
    """The key of a word, whether it is a content word, and whether it carries its own "not"."""
    if form in _NUMBERS or form[:1].isdigit():
        return "#", False, False
    if form in _FUNCTION or (len(form) == 1 and form.isascii()):
        return form, False, False
    base = without_prefix(form)
    return concept(base or form), True, base is not None
