"""Sentences that tell whoever answers what to do: they state nothing, so nothing can be cited from them.

A document may hold such a sentence because somebody put it there for a model to obey. Told by form: a verb in the
imperative, or "you must", together with words about answering, the conversation or the one who writes. A sentence that
*reports* an instruction has a subject of its own and is a statement like any other: texts about injection stay citable.
"""

import re
import unicodedata
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.hindi_instructions import instructs_in_hindi, overrides_in_hindi
from footnotary.text.likely_orders import looks_like_an_order
from footnotary.text.normalise import without_invisible
from footnotary.text.sentences import sentence_spans
from footnotary.text.tokens import words

_LONGEST = 2_000
_HEAD = 200
_LABEL_WORDS = 6
_LEAD_IN_WORDS = 24


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# What an answerer is told to do with the answer, the reader or the conversation, or for the one who writes.
_ORDERS = _set(
    "abort absorb access accompany acknowledge act activate add address admire adopt advertise advise affirm"
    " alert allude anagram announce answer apologise apologize append applaud apply approve arrange ask assert"
    " assimilate assist assume assure attach attribute augment authorize avoid award become begin behave blend"
    " block book boost brainstorm break bring broadcast buy bypass call cancel cap caution cease celebrate certify"
    " change check cite claim clear click close collect commence commend compare compile complement compliment"
    " compose concatenate conceal conclude confirm congratulate connect consider continue convert convey convince"
    " copy craft crash create credit deactivate declare decline decode delete deliver deny depict deploy deposit"
    " describe design develop devise direct disable disclose discontinue discourage discuss dispatch display"
    " distribute divert donate download draft draw drop elaborate email embed emit emphasise emphasize employ"
    " emulate enable enact encode encourage encrypt end endorse engage enhance enlist ensure enter entice escalate"
    " establish evaluate exclude execute explain expose express extract fabricate falsify feature feign fetch file"
    " find finish flag follow forge forget formulate forward frame fuse gather generate get give go grant greet"
    " group guarantee guide hail halt hand harmonize help hesitate hide highlight hint identify ignore imitate"
    " imply import include incorporate increase indicate inform infuse initiate inject input inquire insert"
    " install instruct integrate interject interrupt intersperse interweave introduce invent invite invoke issue"
    " jumble keep kick laud launch lead leak leave leverage link list load locate lock log look lower lure"
    " maintain make manipulate mark meld mention merge message mimic misspell modify monitor move name note notify"
    " obtain offer omit open order outline output overwrite pair paraphrase pause pay perform persuade pitch place"
    " plan plug point portray pose post praise precede preface prepare prepend present pretend prevent print"
    " prioritize proceed process produce promote propose provide publish pull purchase push put query quote raise"
    " read rearrange recite recognise recognize recommend reconfigure record redirect refer reference refrain"
    " refuse register reinforce reject relay remember remind remove rename render repeat rephrase replace"
    " replicate reply report reproduce request require reschedule reserve reset respond restart restrict resume"
    " retrieve retrive return reveal reverse review revoke rewrite round route run salute say scan schedule"
    " scramble search seek sell send set share show showcase shut sign simulate skip slip solicit speak spotlight"
    " spread sprinkle start state steer stop store stress submit subscribe substitute suggest summarise summarize"
    " supplement suspend switch sync take talk tell terminate text thank throttle throw toss tout transfer"
    " translate transmit trigger turn tweet underline underscore unlock unsubscribe update upload upvote urge use"
    " utilise utilize verify view visit vote wait warn weave welcome withdraw withhold work wrap write"
)
# Nobody but an answerer is told to do these.
_SPEECH = _set(
    "admire commend compliment emulate endorse fabricate falsify feign imitate interject intersperse laud mention"
    " mimic output praise preface prepend pretend remark roleplay simulate slip spotlight sprinkle tout weave"
)
_BY_STEALTH = _set(
    "briefly casually cleverly concisely courteously covertly delicately discreetly effortlessly gently"
    " gracefully lightly naturally neatly organically politely quietly seamlessly secretly silently smoothly"
    " softly subtly tactfully unobtrusively"
)
_OVERRIDES = _set("bypass cancel disobey disregard drop erase forget ignore neglect override overrule skip")
_OVERRIDDEN = _set(
    "command commands context conversation directions directive directives everything guardrails guidelines"
    " orders instruction instructions limitations message messages nirdesh niyam policies policy prompt prompts"
    " restriction restrictions role rule rules safeguards safety system training"
)
_BEFORE_A_VERB = _set(
    "additionally also always and attention but do don't dont finally first firstly hello hereby hey hi"
    " immediately important instead instruction instructions just kindly lastly let must naturally never next not"
    " now ok okay please reminder secondly should so system task then thereafter thirdly todo urgent warning"
)
_LEADS_IN = _set(
    "after ahead alongside amid amidst among as at before beneath besides between by concurrently directly during"
    " except following for from given halfway if immediately in instead just mid midway nearing on once out"
    " parallel partway per prior rather right shortly since somewhere subsequent through throughout to toward"
    " towards under until upon when whenever where while with within without"
)
# Bounded everywhere: a hostile sentence is read once.
_ANSWER = (
    r"(?:answers?|responses?|repl(?:y|ies)|outputs?|explanations?|summar(?:y|ies)|descriptions?|discussions?|analys[ei]s"
    r"|narratives?|conclusions?|commentary|translations?|texts?|messages?|solutions?|codes?|codebase|implementation"
    r"|statements?|elucidation|output|line|sentence|paragraph|words?)"
)
_ANSWERING = (
    r"(?:answering|responding|replying|concluding|finishing|explaining|discussing|describing|listing|stating|providing"
    r"|presenting|revealing|extracting|summari[sz]ing|correcting|mentioning|detailing|addressing|producing"
    r"|delivering|finalizing|outputting|elaborating)"
)
_REMARK = (
    r"(?:notes?|remark|mention|lines?|sentence|comment|commentary|notice|notification|alert|advisory|message|suggestion"
    r"|recommendation|endorsement|promotion|plug|commendation|appreciation|acknowledge?ment|observation|reminder"
    r"|disclaimer|error|phrase|hint|tip|statement|aside|shout-?out|tribute|warning|announcement|banner|reference|nod"
    r"|testimonial|praise|invitation|prompt|update|outage|failure|interruption|fault|disruption|breakdown)"
)
_ABOUT = re.compile(
    rf"\byour (?:[\w'’-]+ ){{0,3}}{_ANSWER}\b"
    rf"|\b(?:before|after|while|upon|when|once|prior to|ahead of|amid|during|in|by|without|just|instead of|right)"
    rf" (?:[\w'’-]+ ){{0,2}}{_ANSWERING}\b"
    r"|\b(?:before|after|during|within|into|amid|in|of|to|at|for|with) (?:the|this|any|each|every)"
    r" (?:[\w'’-]+ ){0,3}"
    r"(?:answer|response|reply|output|explanation|summary|discussion|description|conversation|narrative|main query)\b"
    rf"|\b(?:a|an|one|this|the|some|another) (?:[\w'’-]+[ ,]{{1,2}}){{0,5}}{_REMARK}\b[ ,]{{0,2}}(?:[\w'’-]+ ){{0,4}}"
    r"(?:that|suggesting|stating|saying|noting|praising|commending|inviting|directing|encouraging|advising|reminding"
    r"|informing|telling|mentioning|declaring|indicating|reading|endorsing|recommending|promoting|highlighting|urging"
    r"|claiming|warning|announcing|explaining|acknowledging|admiring|applauding|appreciating|celebrating|crediting"
    r"|showing|referring|referencing|linking|for|to)\b"
    r"|\b(?:add|append|by|contain|display|emit|enter|include|insert|mention|only|output|print|put|repeat|reply|respond|say"
    r"|show|state|text|type|use|with|write) (?:[\w'’-]+ ){0,2}(?:the|this|a)"
    r" (?:word|words|phrase|text|sentence|message|line|string|code|token) [\"'“‘:]"
    r"|\b(?:following|subsequent|below) (?:[\w'’-]+ ){0,2}(?:text|words?|phrase|sentence|message|code|snippet)\b"
    r"|\b(?:ai|llm|chatbot|language model|assistant|system prompt|verbatim|previous instructions|instructions above)\b"
    r"|\b(?:advising|directing|encouraging|informing|inviting|reminding|telling|urging)"
    r" (?:the |any )?(?:users?|readers?) (?:to|that)\b|\bto (?:the |any )?(?:users?|readers?) that\b"
    r"|\b(?:my|me|myself|i'm|i am)\b"
    r"|\b(?:if|when|whenever) (?:you are|you're|anyone|someone|anybody|somebody|a user|the user|users|the reader)"
    r" (?:asked|asks?) (?:about|for) (?:this|these|that|it|the)\b"
)
_TELLING = _set(
    "advise alert ask assure caution convince direct discourage encourage entice guide inform instruct invite"
    " lead lure notify offer persuade point recommend redirect refer remind steer suggest tell urge warn"
)
_TOLD = re.compile(r"\b(?:users?|readers?|audience|viewers?|visitors?|customers?)\b")
_SHOWING = _set(
    "append begin conclude display emit end finish include insert output prepend print reply respond say show state"
    " write"
)
_ORDERS_ALL = _ORDERS | _SPEECH
_BEFORE_A_COLON = _SHOWING | _TELLING | _SPEECH
_MAY_OVERRIDE = re.compile("|".join(sorted(_OVERRIDES)))
_TAG = re.compile(r"<[^<>]{1,60}>|\[[^\[\]]{1,60}\]")  # what stands between tags begins anew
# "1. Ignore ...", "Section 4: Ignore ...", "# Ignore ...": a heading's number orders nothing.
_NUMBERED = re.compile(
    r"^[#>*\s]{0,8}(?:(?:section|article|chapter|part|rule|clause|धारा|अध्याय) )?"
    r"(?:\(?[0-9]{1,4}[a-z]{0,2}[.):—-]{1,2}\s*)?"
)
_ADDRESS = re.compile(r"https?://|www\.")
_QUOTED = re.compile(r"(?<!\w)[\"'“‘][^\"'”’]{12,}")
_YOU_MUST = re.compile(
    r"\b(?:you (?:must|should|shall|will|need to|have to|ought to|are (?:now|to|required|instructed|going to))"
    r"|your (?:new |only |real |main |next )?(?:task|job|goal|role|mission|objective|instructions?)\b"
    r"|i (?:want|need|order|command|instruct|would like|require|ask) you)"
)
_NOW = re.compile(
    r"\byou are (?:now|no longer|going to act|to act|an? (?:unrestricted|uncensored))\b|\bdeveloper mode\b"
    r"|\bfrom now on,? (?:you|your|always|never|only|answer|reply|respond|act|speak|talk|pretend|behave|refuse)\b"
    r"|\byour (?:new|only|real|actual|true|next) (?:task|job|goal|role|mission|objective|instructions?)"
    r" (?:is|are|will be) (?:now )?to\b"
)
_COMMANDED = re.compile(
    r"(?:^|[,;:.]) ?(?:also |please |kindly |[a-z]{2,20}ly )?(?:prompt|request)"
    r" (?:the |any |all )?(?:users?|readers?)\b|"
    r"(?:^|[,;:.]) ?(?:please |kindly )?(?:do not|don't|dont|never) (?:answer|reply to|respond to)"
    r" (?:the|this|that|any|their|his|her) (?:question|query|user|reader)\b"
    r"|(?:^|[,;:.]) ?(?:please |kindly |just |only |simply )?output (?:only |just )?(?:the|this|a)"
    r" (?:string|word|text|token)\b|"
    r"\b(?:and|then|,) instead (?:respond|display|return|output|reply|say|print|show|write)\b"
    r"|\b(?:halt|terminate|stop|interrupt|replace|cease|abort) (?:[\w-]+ ){0,3}(?:output|response|answer|reply)\b"
    r"|\bby (?:telling|advising|instructing|directing|notifying|informing|inviting|encouraging|reminding|urging)"
    r" (?:the |any |all )?(?:users?|readers?)\b"
)
# "Make sure to ..." is an order to do it; "note that ..." and "let's ..." order nothing of what follows.
_SURELY = re.compile(r"^(?:please )?(?:make|be) sure (?:to|that you)\b")
_MIND = re.compile(r"(?:^|, )(?:please )?(?:(?:keep|bear) in mind|note|remember|be aware) that\b")
_TOGETHER = re.compile(r"\blet['’]?s\b")
# Who asks to be told wants nothing said to others.
_TELL_ME = re.compile(r"\b(?:assist|give|help|inform|show|teach|tell) me\b")
_SHOULD_BE_TOLD = re.compile(
    r"^(?:note: ?)?(?:readers?|users?|researchers?|viewers?|visitors?|anyone|those)\b[^.]{0,160}\bshould be"
    r" (?:advised|directed|prompted|told|informed|instructed|encouraged|invited|reminded)\b"
)
_CLAUSES = re.compile(r"[,;—–]|:(?!//)|\s-\s")


def instruction_spans(text: str) -> tuple[Span, ...]:
    """Where a text instructs whoever answers, sentence by sentence.

    What follows an order to ignore the rules, in the same paragraph, is part of it: that is where what is to be said
    instead stands.
    """
    return _spans(text)


@lru_cache(maxsize=1024)
def _spans(text: str) -> tuple[Span, ...]:
    found: list[Span] = []
    overridden_until = -1
    for span in sentence_spans(text):
        plain = plain_order(span.of(text))
        if span.start < overridden_until or _instructs(plain):
            found.append(span)
            if _overrides(plain):
                end = text.find("\n", span.end)
                overridden_until = len(text) if end < 0 else end
    return tuple(found)


def is_instruction(sentence: str) -> bool:
    """Whether a sentence tells whoever answers what to do."""
    return _instructs(plain_order(sentence))


def plain_order(sentence: str) -> str:
    """A sentence folded, without its number, and not longer than anybody writes an order."""
    plain = sentence[:_LONGEST]
    if plain.isascii():
        plain = plain.lower()
    else:
        plain = unicodedata.normalize("NFKC", without_invisible(plain)).casefold()
    plain = _TOGETHER.sub("we", _NUMBERED.sub("", plain, count=1))
    return _TAG.sub("; ", plain) if "<" in plain or "[" in plain else plain


# A copied claim is the sentence of its source once more.
@lru_cache(maxsize=2048)
def _instructs(plain: str) -> bool:
    return _by_rule(plain) or looks_like_an_order(plain)


def _by_rule(plain: str) -> bool:
    if _overrides(plain) or _SHOULD_BE_TOLD.match(plain) or _NOW.search(plain) or _COMMANDED.search(plain):
        return True
    if instructs_in_hindi(plain):
        return True
    plain = _MIND.sub(" it is so that", plain)
    if plain.rstrip("\"'”’ ").endswith("?"):
        plain = _TELL_ME.sub("tell", plain)
    verb = _ordered(_SURELY.sub("", plain))
    if verb is None:
        return _YOU_MUST.search(plain) is not None and _ABOUT.search(plain) is not None
    if verb in _SPEECH or not _BY_STEALTH.isdisjoint(words(plain[:_HEAD])) or _ABOUT.search(plain):
        return True
    if verb in _TELLING and (_TOLD.search(plain) or _ADDRESS.search(plain)):
        return True
    return verb in _SHOWING and (_QUOTED.search(plain) is not None or _ADDRESS.search(plain) is not None)


def _overrides(plain: str) -> bool:
    """Whether a sentence orders to put rules or instructions aside."""
    if overrides_in_hindi(plain):
        return True
    if _MAY_OVERRIDE.search(plain) is None:
        return False
    for clause in _CLAUSES.split(plain):
        said = words(clause)
        at = _first_verb(said)
        if at is not None and said[at] in _OVERRIDES and not _OVERRIDDEN.isdisjoint(said[at : at + 14]):
            return True
    return False


def _ordered(plain: str) -> str | None:
    """The verb of an order: at the beginning, or after lead-ins such as "Notice:" and "Before answering,"."""
    start = 0
    for end in (*(found.start() for found in _CLAUSES.finditer(plain)), len(plain)):
        inside = words(plain[start : min(end, start + _HEAD)])
        at = _first_verb(inside)
        is_label = plain[end : end + 1] == ":" and len(inside) <= _LABEL_WORDS
        known = _BEFORE_A_COLON if is_label else _ORDERS_ALL
        if at is not None and inside[at] in known:
            return inside[at]
        if at is not None and inside[at] in ("can", "could", "would", "will") and "you" in inside[at : at + 2]:
            return next((word for word in inside[at + 2 : at + 5] if word in _ORDERS), None)
        if inside and not is_label and not _leads_in(inside):
            return None
        start = end + 1
    return None


def _leads_in(inside: list[str]) -> bool:
    first = inside[0]
    return len(inside) <= _LEAD_IN_WORDS and (first in _LEADS_IN or first.endswith(("ly", "ing")) or len(inside) <= 2)


def _first_verb(said: list[str]) -> int | None:
    """The first word that is not one of those that may stand before an imperative."""
    for at, word in enumerate(said):
        if word not in _BEFORE_A_VERB and not (word.endswith("ly") and word not in ("reply", "apply", "imply")):
            return at
    return None
