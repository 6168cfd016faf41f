"""A question of a conversation as it is asked: standalone, rewritten where that is sure, or as typed with a context."""

import re
from collections.abc import Sequence

from footnotary.domain.conversation import AskedQuestion, EarlierTurn
from footnotary.gate.follow_up.corrections import read_correction
from footnotary.gate.follow_up.noun_phrases import AUXILIARIES, PREPOSITIONS, WH_WORDS, is_hindi, question_words
from footnotary.gate.follow_up.pronouns import points_back, resolve_pronoun
from footnotary.gate.follow_up.reasons import ask_why, asks_why
from footnotary.gate.follow_up.substitution import Similarity, put_in_place, replace_span
from footnotary.gate.named_act import named_law
from footnotary.gate.question_parts import opens_question
from footnotary.gate.question_subject import own_subject
from footnotary.profiles.schema import Profile
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.references.provisions import references
from footnotary.text.tokens import words

_TURNS = 10
_LONGEST = 1000
_LONGEST_FRAGMENT = 8

_LEAD = re.compile(
    r"(?:(?:and|or|but|also|so|then|now|n|well|hmm|ok|okay|और|तो|फिर|या|लेकिन|अच्छा)(?![\w\u0900-\u097f]),?\s+)*"
    r"(?:(?:what|how) about\b\s*|what of\b\s*|what if (?:it is|it's)\b\s*)?",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]+(?:though|tho|then|please|pls|maybe|instead|too|also|as well|का क्या|की क्या|के बारे में(?: क्या)?|का)$",
    re.IGNORECASE,
)
_SMALL_TALK = frozenset(
    "ok okay thanks thank you great fine good yes no hello hi hey please sure perfect धन्यवाद ठीक है".split()
)
_JOINING = frozenset("the of for to under what is why it that के लिए क्यों का की में पर से".split())
_BEYOND = re.compile(
    r"(?P<how>above|over|below|under|beyond|more than|less than|after|before) (?:that|this|it)", re.IGNORECASE
)
_AMOUNT = re.compile(
    r"(?:(?:Rs\.?|₹|£|\$|€) ?)?\d[\d,.]*(?<![.,])(?: (?:lakh|crore|percent|years?|days?|months?|weeks?|hours?))?"
)
_THE_THING = re.compile(r"(?:the|its|their) (?P<thing>\S+(?: \S+){0,2})", re.IGNORECASE)
_DEFINED = re.compile(r"(?:what|who) (?:is|are) (?:an? )?(?!the )(?P<what>\S+(?: \S+)?)", re.IGNORECASE)
_HOW_TO = re.compile(r"how (?:do|can|should|must) (?:i|you|we|one) (?P<what>.+)", re.IGNORECASE)
_WH_FRAGMENT = re.compile(
    r"(?:(?:for|by|at|on|in|to|from|since|until|with) )?(?:what|which|whom?|whose|when|where|"
    r"how (?:often|much|long|many|soon))(?: \S+)?",
    re.IGNORECASE,
)


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
    rest = _without_lead(text)
    if is_hindi(rest) and (short := _TAIL.sub("", rest.rstrip(" ?।"))) != rest.rstrip(" ?।"):
        rest = short
    leans, written = _rewritten(text, rest, last, profile, similarity)
    if written is not None and squeeze(written) != text and not _invented(written, text, last):
        return AskedQuestion(_with_its_act(written, last.question), question, "rewritten")
    if not leans:
        named = _with_its_act(text, last.question)
        return asked if named == text else AskedQuestion(named, question, "rewritten")
    status = "with_context" if own_subject(rest, profile) or references(rest) else "not_understood"
    return AskedQuestion(question, question, status, last.question)


def _rewritten(
    text: str, rest: str, last: EarlierTurn, profile: Profile, similarity: Similarity | None
) -> tuple[bool, str | None]:
    """Whether a question leans on the one before, and what it is rewritten as, if that is sure."""
    if asks_why(rest):
        return True, ask_why(last)
    correction = read_correction(text)
    if correction is not None and not opens_question(correction.new):
        if correction.old:
            return True, _corrected(last.question, correction.old, correction.new, similarity)
        return True, put_in_place(last.question, correction.new, similarity, led=True, single=True)
    if not _asks(rest) or _WH_FRAGMENT.fullmatch(rest.strip(" ?.!")):
        is_short = len(question_words(rest)) <= _LONGEST_FRAGMENT
        led = rest != text
        if not is_short:
            return points_back(rest), None
        return True, _fragment(rest, last, similarity, led=led)
    if (resolved := resolve_pronoun(rest, last)) is not None:
        return True, _under_the_same_law(resolved, last.question)
    if points_back(rest):
        return True, None
    if not own_subject(rest, profile) and not references(rest):
        return True, _about(rest, last.question)
    return False, rest if rest != text and opens_question(rest) else None


def _invented(written: str, text: str, last: EarlierTurn) -> bool:
    """Whether a rewritten question has a word that nobody said, other than a few that only join."""
    said = set(words(f"{text} {last.question} {last.answer}")) | _JOINING
    return any(word not in said and word.removesuffix("'s") not in said for word in words(written))


def _without_lead(text: str) -> str:
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    return rest or text


def _is_small_talk(turn: str) -> bool:
    return all(word.key.rstrip(".") in _SMALL_TALK for word in question_words(turn))


def _corrected(frame: str, old: str, new: str, similarity: Similarity | None) -> str | None:
    """What was not meant, replaced by what was, where the question says it."""
    at = frame.casefold().find(old.casefold().strip())
    if at < 0:
        return put_in_place(frame, new, similarity, led=True, single=True)
    return f"{frame[:at].rstrip(' ')} {new}{frame[at + len(old.strip()) :]}".strip()


def _asks(text: str) -> bool:
    return opens_question(text) or re.match(r"(?:why|how come|what'?s)\b", text, re.IGNORECASE) is not None


def _fragment(rest: str, last: EarlierTurn, similarity: Similarity | None, *, led: bool) -> str | None:
    """A fragment as a whole question: "for theft?", "the fee?", "at whose cost"."""
    bare = _TAIL.sub("", rest.strip(" ?.!।"))
    frame = last.question.rstrip(" ?.!।")
    frame_words = question_words(frame)
    if not frame_words:
        return None
    if beyond := _BEYOND.fullmatch(bare):
        amounts = list(dict.fromkeys(_AMOUNT.findall(last.answer)))
        return f"{frame} {beyond['how']} {amounts[0]}?" if len(amounts) == 1 else None
    if _WH_FRAGMENT.fullmatch(bare):
        return _asked_of_same(frame, bare)
    how_to = _HOW_TO.fullmatch(frame)
    thing = _THE_THING.fullmatch(bare)
    if thing and how_to and not is_hindi(bare):
        return f"What is the {thing['thing']} to {how_to['what']}?"
    if thing and not is_hindi(bare) and (defined := _DEFINED.fullmatch(frame)):
        return f"What is the {thing['thing']} for {defined['what']}?"
    if new := references(bare):
        old = references(frame)
        if old and len({reference.section for reference, _ in old}) == 1:
            span = type(old[0][1])(old[0][1].start, old[-1][1].end)
            return f"{replace_span(frame, span, bare[new[0][1].start : new[-1][1].end])}?"
    return put_in_place(frame, bare, similarity, led=led)


def _asked_of_same(frame: str, asked: str) -> str | None:
    """ "At whose cost", asked of "How often is the lift serviced?"."""
    frame_words = question_words(frame)
    first = next((word for word in frame_words if word.key in AUXILIARIES), None)
    if re.fullmatch(r"(?:what|which|whom?|whose|how many)(?: \S+)?", asked, re.IGNORECASE):
        return None  # it asks for a thing, and which one the question does not tell
    if (
        first is None
        or frame_words[0].key not in WH_WORDS | AUXILIARIES | PREPOSITIONS
        or frame_words[0].key in ("who", "what")
    ):
        return None
    return f"{asked} {frame[first.span.start :][:1].lower()}{frame[first.span.start + 1 :]}?"


def _about(rest: str, before: str) -> str | None:
    """A question that names no subject, about the one before: "What is the punishment?"."""
    defined = _DEFINED.fullmatch(before.rstrip(" ?.!"))
    if defined is None or question_words(rest)[0].key not in ("what", "who"):
        return None
    return _under_the_same_law(f"{rest.rstrip(' ?.!')} for {defined['what']}?", before)


def _under_the_same_law(question: str, before: str) -> str:
    law = _law(before)
    if law is None or _law(question) is not None or references(question):
        return question
    return f"{question.rstrip(' ?.!')} under the {law}?"


def _with_its_act(question: str, before: str) -> str:
    """A section that is named without its act is one of the act spoken of."""
    named, law = references(question), _law(before)
    if not named or law is None or _law(question) is not None or any(found.act for found, _ in named):
        return question
    end = named[-1][1].end
    return f"{question[:end]} of the {law}{question[end:]}"


def _law(text: str) -> str | None:
    return next((found.act for found, _ in references(text) if found.act), None) or named_law(text)
