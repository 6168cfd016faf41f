"""A question of a conversation as it is asked: standalone, rewritten where that is sure, or as typed with a context."""

import re
from collections.abc import Sequence

from footnotary.domain.conversation import AskedQuestion, EarlierTurn
from footnotary.domain.identity import Span
from footnotary.gate.follow_up.corrections import Correction, read_correction
from footnotary.gate.follow_up.noun_phrases import (
    ASKED,
    BE,
    PREPOSITIONS,
    is_hindi,
    is_plural,
    noun_phrases,
    question_words,
    stems,
    subject,
    verbs,
)
from footnotary.gate.follow_up.pronouns import (
    antecedent,
    beyond_amount,
    points_back,
    resolve_pronouns,
    topics,
    without_yes_or_no,
)
from footnotary.gate.follow_up.reasons import ask_why, asks_why
from footnotary.gate.follow_up.substitution import Similarity, put_in_place, split_preposition
from footnotary.gate.named_act import under_same_law, with_its_act
from footnotary.gate.question_parts import opens_question
from footnotary.gate.question_subject import own_subject
from footnotary.profiles.schema import Profile
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.references.provisions import references
from footnotary.text.sentences.splitter import sentences
from footnotary.text.stopwords import QUESTION_WORDS
from footnotary.text.tokens import words

_TURNS = 10
_LONGEST = 1000
_LONGEST_FRAGMENT = 8

_LEAD = re.compile(
    r"(?:(?:and|or|but|so|ok|okay|और)(?![\w\u0900-\u097f]),?\s+)*"
    r"(?:(?:what|how) about\b\s*)?(?:(?:even|also)\s+(?=\w+\s))?",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[\s,]+(?:though|tho|then|please|maybe|too|as well|का क्या|के बारे में)$", re.IGNORECASE)
_SMALL_TALK = frozenset(
    "ok okay thanks thank you great fine good yes no hello hi hey please sure perfect धन्यवाद ठीक है".split()
)
_JOINING = frozenset("the of for to under what is why it that के लिए क्यों का की में पर से".split())
_THE_THING = re.compile(r"(?P<the>the |its |their )?(?P<thing>\S+(?: \S+){0,2})", re.IGNORECASE)
_DEFINED = re.compile(r"(?:what|who) (?:is|are) (?:an? )?(?!the )(?P<what>\S+(?: \S+)?)", re.IGNORECASE)
_HOW_TO = re.compile(r"how (?:do|can|should|must) (?:i|you|we|one) (?P<what>.+)", re.IGNORECASE)
_WH_FRAGMENT = re.compile(
    r"(?:(?:for|by|at|on|in|to|from|since|with|within) )?"
    r"(?:what|which|whom?|whose|when|where|how (?!to\b)\w+)(?: \S+)?",
    re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(r"\b(?:or|once|twice)\b", re.IGNORECASE)
# "Drilling into them", and not "cleaning costs".
_DOES = re.compile(r"\w+ing(?:(?: \w+)? (?:it|them|one|that|this))?", re.IGNORECASE)
_MAY = re.compile(r"(?:can|may|must|should)\b", re.IGNORECASE)
_PREDICATE = re.compile(r"\w+(?:able|ed)(?: \w+)?", re.IGNORECASE)


def follow_up(
    question: str, earlier: Sequence[EarlierTurn], profile: Profile, similarity: Similarity | None = None
) -> AskedQuestion:
    """The question as it is asked after `earlier`, the turns before it in order.

    A complete question is given back as it was typed. No word comes from anywhere but the conversation, apart from
    "the", "of", "for", "to", "what is" and "why is it that".
    """
    last: EarlierTurn | None = None
    refusals = (profile.refusal.en, profile.refusal.hi)
    for turn in [turn for turn in earlier[-_TURNS:] if not _is_small_talk(turn.question)]:
        asked = _asked(turn.question, last, profile, similarity)
        if asked.status == "not_understood":
            continue
        last = EarlierTurn(asked.text, "" if turn.answer.strip() in refusals else turn.answer)
    return _asked(question, last, profile, similarity)


def rewrite_follow_up(question: str, earlier: Sequence[str], profile: Profile) -> str:
    """The question as `follow_up` asks it, where only the questions before it are known."""
    return follow_up(question, [EarlierTurn(text) for text in earlier], profile).text


def _asked(question: str, last: EarlierTurn | None, profile: Profile, similarity: Similarity | None) -> AskedQuestion:
    text = squeeze(nfc(question))
    asked = AskedQuestion(question, question)
    if last is None or not text or len(text) > _LONGEST or len(last.question) > _LONGEST or _is_small_talk(text):
        return asked
    last = EarlierTurn(squeeze(nfc(last.question)), last.answer)
    lead = _LEAD.match(text)
    rest = (text[lead.end() :] if lead else text) or text
    if is_hindi(rest) and (short := _TAIL.sub("", rest.rstrip(" ?।"))) != rest.rstrip(" ?।"):
        rest = short
    leans, written = _rewritten(text, rest, last, profile, similarity)
    if written is not None and squeeze(written) != text and not _invented(written, text, last):
        return AskedQuestion(with_its_act(written, last.question), question, "rewritten")
    if not leans:
        named = with_its_act(text, last.question)
        return asked if named == text else AskedQuestion(named, question, "rewritten")
    status = "with_context" if own_subject(rest, profile) or references(rest) else "not_understood"
    return AskedQuestion(question, question, status, last.question)


def _rewritten(
    text: str, rest: str, last: EarlierTurn, profile: Profile, similarity: Similarity | None
) -> tuple[bool, str | None]:
    """Whether a question leans on the one before, and what it is rewritten as, if that is sure."""
    if asks_why(rest) and ((why := ask_why(rest, last)) is not None or not own_subject(rest, profile)):
        return True, why
    correction = read_correction(text)
    if correction is not None and not opens_question(correction.new):
        return True, _corrected(last, correction, similarity)
    if not _asks(rest):
        if re.match(r"(?:what )?(?:if|when|while|once|unless|until) [^,]*$", rest, re.IGNORECASE):
            return True, _on_condition(rest, last)
        if len(question_words(rest)) > _LONGEST_FRAGMENT:
            return points_back(rest), None
        return True, _fragment(rest, last, profile, similarity, led=rest != text)
    if (resolved := resolve_pronouns(rest, last)) is not None:
        return True, under_same_law(resolved, last.question)
    if points_back(rest):
        return True, None
    if not own_subject(rest, profile) and not references(rest):
        thing = re.sub(r"(?:what|who) (?:is|are) ", "", rest.rstrip(" ?.!"), flags=re.IGNORECASE)
        about = _attribute(last.question.rstrip(" ?.!"), thing, names=False)
        return True, about and under_same_law(about, last.question)
    return False, rest if rest != text else None


def _asks(text: str) -> bool:
    """Whether a text is a whole question, or has one behind a comma; "at whose cost" is none."""
    if _WH_FRAGMENT.fullmatch(text.strip(" ?.!")) or text.strip(" ?.!।") in QUESTION_WORDS:
        return False
    is_indirect = re.match(r"(?:how|why|when|where|who) (?:it|they|he|she)\b", text, re.IGNORECASE)
    return is_indirect is not None or any(opens_question(part) for part in re.split(r"[,;:.] ", text))


def _invented(written: str, text: str, last: EarlierTurn) -> bool:
    """Whether a rewritten question has a word that nobody said, other than a few that only join."""
    said = set(words(f"{text} {last.question} {last.answer}")) | _JOINING
    return any(word not in said and word.removesuffix("'s") not in said for word in words(written))


def _is_small_talk(turn: str) -> bool:
    return all(word.key.rstrip(".") in _SMALL_TALK for word in question_words(turn))


def _corrected(last: EarlierTurn, correction: Correction, similarity: Similarity | None) -> str | None:
    """What was not meant, replaced by what was, where the question says it; else where it fits best."""
    frame, old = last.question, correction.old.strip()
    at = frame.casefold().find(old.casefold()) if old else -1
    if at < 0 and _WH_FRAGMENT.fullmatch(correction.new):
        return _asked_of_same(frame.rstrip(" ?.!"), correction.new, last.answer)
    if at < 0:
        return put_in_place(frame, correction.new, last.answer, similarity, led=True, single=True)
    return f"{frame[:at].rstrip(' ')} {correction.new}{frame[at + len(old) :]}".strip()


def _on_condition(rest: str, last: EarlierTurn) -> str | None:
    """ "If I paid for a year?", asked of the question before; "what if he refuses?" of what he stands for."""
    resolved = resolve_pronouns(rest, last) or (None if points_back(rest) else rest)
    if resolved is None or rest.casefold().startswith("what"):
        return resolved
    return f"{last.question.rstrip(' ?.!')} {resolved}"


def _fragment(
    rest: str, last: EarlierTurn, profile: Profile, similarity: Similarity | None, *, led: bool
) -> str | None:
    """A fragment as a whole question: "for theft?", "the fee?", "at whose cost"."""
    bare = _TAIL.sub("", rest.strip(" ?.!।"))
    frame = last.question.rstrip(" ?.!।")
    if not question_words(frame) or not bare:
        return None
    if (beyond := beyond_amount(bare, last.answer)) != bare:
        return f"{frame} {beyond}?"
    if _WH_FRAGMENT.fullmatch(bare):
        return _asked_of_same(frame, bare, last.answer)
    if (new := references(bare)) and (old := references(frame)) and len({one.section for one, _ in old}) == 1:
        named = Span(new[0][1].start, new[-1][1].end).of(bare)
        return f"{frame[: old[0][1].start]}{named}{frame[old[-1][1].end :]}?"
    if led and (did := _doing(bare, last)) is not None:
        return did
    preposition, _ = split_preposition(bare)
    if not is_hindi(bare) and not preposition and not stems(bare) & stems(frame):
        if (attribute := _attribute(frame, bare, names=not led and bool(own_subject(bare, profile)))) is not None:
            return attribute
        if not led and _CIRCUMSTANCE.search(bare):
            return f"{frame} {bare}?"
        if not led and _PREDICATE.fullmatch(bare):
            return _predicated(frame, bare, last)
    says = led or own_subject(bare, profile) or re.search(r"\d", bare) or bare.split()[0].casefold() in PREPOSITIONS
    return put_in_place(frame, bare, last.answer, similarity, led=led) if says else None


def _doing(bare: str, last: EarlierTurn) -> str | None:
    """ "What about a tenant drilling into the walls?", of what a tenant may do; alone, it is done to the same thing."""
    frame = last.question.rstrip(" ?.!")
    about, done = subject(frame, last.answer), verbs(frame, last.answer)
    if not _DOES.fullmatch(bare) or re.search(r"ing\b", frame) or len(done) != 1 or not _MAY.match(frame):
        return None
    behind = frame[done[0].span.end :]
    thing = next((one.whole(frame) for one in noun_phrases(frame, last.answer) if one.start > done[0].span.end), "")
    said = re.sub(r"\b(?:it|them|one|that|this)$", thing, bare, flags=re.IGNORECASE) if thing else bare
    who = f"{about.whole(frame)} " if about else ""
    return f"What about {who}{said}{behind if ' ' not in bare else ''}?"


def _attribute(frame: str, bare: str, *, names: bool) -> str | None:
    """ "The fee", of how to do something or of what was defined."""
    thing, how_to, defined = _THE_THING.fullmatch(bare), _HOW_TO.fullmatch(frame), _DEFINED.fullmatch(frame)
    if thing is None or not (thing["the"] or names) or not (how_to or defined):
        return None
    asked = f"What is the {thing['thing']}" if thing["the"] else thing["thing"]
    return f"{asked} to {how_to['what']}?" if how_to else f"{asked} for {defined['what'] if defined else ''}?"


def _predicated(frame: str, bare: str, last: EarlierTurn) -> str | None:
    """ "Extendable?", of what the question is about."""
    about = topics(frame, last.answer)
    one = about[0] if len(about) == 1 else antecedent("it", last) or antecedent("they", last)
    return None if one is None else f"{one} {bare}?" if is_plural(one) else f"Is {one} {bare}?"


def _asked_of_same(frame: str, asked: str, answer: str) -> str | None:
    """ "At whose cost", asked of "How often is the lift serviced?"; "when", of what was answered to "Who pays?"."""
    if re.fullmatch(r"what|which|whom?|whose|how many(?: (?!times)\S+)?", asked, re.IGNORECASE):
        return None  # it asks for a thing, and which one the question does not tell
    found = ASKED.fullmatch(frame)
    fact = without_yes_or_no(answer.strip()).rstrip(" .!")
    if found is None or (found["wh"] and not found["of"] and found["wh"].casefold() == "what" and found["aux"] in BE):
        is_whole = len(sentences(fact)) == 1 and stems(fact) & stems(frame) and len(fact.split()) > 3
        return f"{asked} is it that {fact[:1].lower()}{fact[1:]}?" if is_whole else None
    of, aux = found["of"], found["aux"].lower()
    counted = f"{of} {found['rest']}" if aux in BE else f"{found['rest']} {of}"
    return None if of and not found["wh"] else f"{asked} {aux} {counted.strip()}?"
