"""Rewordings that keep what a sentence says: legal phrases, synonyms, numbers, clause order, dropped asides."""

# ruff: noqa: ARG001 - all edits take the same arguments, whether they need them or not

import re
from random import Random

from training.verifier.generated.numbers import same_value
from training.verifier.generated.word_lists import SAFE_SYNONYMS

_PHRASES: list[tuple[str, list[str]]] = [
    (r"\bshall be punished with\b", ["is punishable by", "is to be punished with", "faces", "will be punished with"]),
    (r"\bshall be punishable with\b", ["is punishable by", "is to be punished with", "can be punished with"]),
    (r"\bfor a term which may extend to\b", ["of up to", "for up to", "for a term of at most", "for no longer than"]),
    (r"\bwhich may extend to\b", ["of up to", "of at most", "not exceeding"]),
    (r"\bnot exceeding\b", ["of up to", "of at most", "of no more than"]),
    (r"\bnot less than\b", ["at least", "a minimum of", "no fewer than"]),
    (r"\bnot more than\b", ["at most", "no more than", "up to"]),
    (r"\bat least\b", ["not less than", "a minimum of", "no less than"]),
    (r"\bmore than\b(?= \d| \w+ (?:years|months|days|people|hundred|percent|per))", ["over", "upwards of"]),
    (r"\bnot later than\b", ["no later than", "at the latest"]),
    (r"\bor with both\b", ["or both", "or with both of these"]),
    (r"\bshall not\b(?= be\b)", ["must not", "may not", "is not to"]),
    (r"\bshall not apply\b", ["will not apply", "is not to apply"]),
    (r"\bshall not\b(?! (?:be|apply|affect|extend|have|prevent))", ["must not", "may not"]),
    (r"\bshall be deemed to\b", ["is taken to", "is treated as if it were to", "counts as if it were to"]),
    (r"\bshall be\b(?= (?:entitled|eligible|liable|final|binding|conclusive|responsible|void)\b)", ["is", "will be"]),
    (r"\bshall have effect\b", ["takes effect", "applies"]),
    (
        r"(?<!no )(?<!No )\bshall\b(?! (?:not|be deemed|have effect|in no|be (?:entitled|eligible|liable|final|binding|conclusive|responsible|the|an?|void|open|effective)\b))",
        ["must", "is required to", "has to", "is to"],
    ),
    (
        r"\bmay\b(?= (?:make|appoint|direct|require|grant|delegate|order|appeal|apply|issue|enter|call|authorise|constitute|remove|impose|fix|declare|exempt|transfer|inspect|refuse|revoke|cancel|prescribe|establish|engage|recover))",
        ["is permitted to", "can", "is allowed to", "has the power to"],
    ),
    (r"^No person shall\b", ["Nobody may", "No one may", "A person must not"]),
    (r"^No person may\b", ["Nobody may", "No one may"]),
    (r"^Whoever\b", ["Anyone who", "Any person who", "A person who"]),
    (r"^Every person who\b", ["Anyone who", "Whoever", "Any person who"]),
    (r"^Any person who\b", ["Anyone who", "Whoever", "A person who"]),
    (r"^Every\b(?= \w+ shall)", ["Each", "Any"]),
    (r"[”\"] means\b", ["” is defined as", "” refers to", "” stands for"]),
    (r"\bmeans\b(?= (?:the|a|an|any)\b)", ["is defined as", "refers to"]),
    (r"\bwithin a period of\b", ["within", "in no more than"]),
    (r"\bwith effect from\b", ["starting from", "as from"]),
    (r"\bin force\b", ["in effect"]),
    (r"\bshall come into force\b", ["takes effect", "enters into force"]),
    (r"\bprior approval\b", ["previous approval", "approval in advance"]),
    (r"\bprevious approval\b", ["prior approval", "approval in advance"]),
    (r"\bprevious sanction\b", ["prior sanction"]),
    (r"\bis not\b(?! (?:only|later|less|more|exceeding))", ["isn't"]),
    (r"\bdoes not\b", ["doesn't"]),
    (r"\bdid not\b", ["didn't"]),
    (r"\bwas not\b", ["wasn't"]),
    (r"\bcannot\b", ["can't", "is unable to"]),
    (r"\bisn't\b", ["is not"]),
    (r"\bdidn't\b", ["did not"]),
    (r"\bdoesn't\b", ["does not"]),
    (r"\bwasn't\b", ["was not"]),
    (r"\bcan't\b", ["cannot"]),
    (r"\bcouldn't\b", ["could not"]),
    (r"\bwon't\b", ["will not"]),
    (r"\bdon't\b", ["do not"]),
    (r"\bUnited States\b(?! \w+ (?:Navy|Army))", ["US", "U.S."]),
    (r"(?<=the )UK\b", ["United Kingdom"]),
    (r"(\d) ?%", [r"\1 percent", r"\1 per cent"]),
    (r"(\d) percent\b", [r"\1%"]),
    (r"(\d) per cent\b", [r"\1 percent"]),
    (r"\bcan be\b", ["is able to be", "may be"]),
    (r"\bbecause\b(?! of)", ["since", "as"]),
    (r"\balthough\b", ["though", "even though"]),
    (r"\bAlthough\b", ["Though", "Even though"]),
    (r"\bis called\b", ["is known as", "is referred to as"]),
    (r"\bare called\b", ["are known as", "are referred to as"]),
    (r"\bis known as\b", ["is called"]),
    (r"(?<!be )(?<!is )(?<!are )\bsuch as\b", ["like"]),
    (r"\bcauses\b", ["leads to", "brings about", "is a cause of"]),
    (r"\bincludes\b", ["contains, among others,", "covers"]),
    (r"\bis made up of\b", ["consists of"]),
    (r"\bis used to\b", ["serves to"]),
    (r"\bhelps to\b", ["helps"]),
    (r"\bresults in\b", ["leads to"]),
    (r"\bdepends on\b", ["is dependent on"]),
    (r"\bis responsible for\b", ["has responsibility for", "is in charge of"]),
    (r"\bin (?=(?:1[5-9]|20)\d\d\b)", ["in the year "]),
    (r"\bwas born (?=in|on)", ["came into the world "]),
    (r"\bbest known for\b", ["most famous for"]),
    (r"\bbest known as\b", ["most famous as"]),
    (r"\btook place\b", ["was held", "happened"]),
    (r"\bis based on\b", ["draws on"]),
    (r"\bas well as\b", ["and also"]),
    (r"\bconsidered\b", ["regarded as"]),
    (r"\bdied\b(?! down| out)", ["passed away"]),
    (r"\bwent to\b", ["travelled to"]),
    (r"\bplays a role in\b", ["is involved in"]),
    (r"\bthey are\b", ["they're"]),
    (r"\bthey're\b", ["they are"]),
    (r"\bit is\b", ["it's"]),
    (r"\bit's\b", ["it is"]),
    (r"\bwe are\b", ["we're"]),
    (r"\byou are\b", ["you're"]),
    (r"\byou should\b", ["you ought to"]),
    (r"\bwas released\b", ["came out"]),
    (r"\bas of\b", ["as at"]),
    (r"\bmajority of\b", ["greater part of"]),
    (r"\bis located\b", ["lies", "is situated"]),
    (r"\bhe said\b", ["he stated"]),
    (r"\bshe said\b", ["she stated"]),
    (r"\bsaid that\b", ["stated that"]),
    (r"\bmost common\b", ["commonest"]),
    (r"\bthe number of\b", ["how many"]),
]
_BAD = {
    r"\bconsidered\b",
    r"\bcan be\b",
    r"\bwas born (?=in|on)",
    r"\bthe number of\b",
    r"\bwent to\b",
    r"\bshall be deemed to\b",
    r"\bincludes\b",
}
_RULES = [(re.compile(p), news) for p, news in _PHRASES if p not in _BAD]
_SYN = [(re.compile(rf"\b{re.escape(a)}\b"), b) for a, b in SAFE_SYNONYMS]
_PLURAL_BEFORE = re.compile(
    r"(?:\b(?:they|we|you|who|which|that|members|persons|rules|provisions|parties|officers|and \w+|\w+[^s\W]s))\W*$",
    re.IGNORECASE,
)
_LEAD_CLAUSE = re.compile(
    r"^(If|When|Although|Because|While|Before|After|Unless|Where|In case|Until) ([^,;]{12,150}), ((?:the|a|an|any|no|every|each|all|most|many|some|it|there|this|these|people|students)\b[^;]{10,200})\.$"
)
_LEAD_PHRASE = re.compile(
    r"^((?!(?:In|At) (?:the same|addition|particular|short|fact|contrast|general|turn|other words|any|such|this|that|these|order|all))(?:In|On|At|During|Since|By|Under|From|Throughout|Within) [^,;.]{3,60}), ([^;,]{15,200})\.$"
)
_TAIL_CLAUSE = re.compile(
    r"^([^,;]{15,160}) (if|when|because|although|unless|before|after|until) ((?:the|a|an|any|it|they|there|he|she|such|no) [^,;]{8,140})\.$"
)
_CROSS = re.compile(
    r",? (?:under|in accordance with|as specified in|as provided in|referred to in|mentioned in|in terms of|in pursuance of) (?:sub-)?(?:section|clause|article|paragraph)s? \(?\w{1,4}\)?(?: of (?:sub-)?section \(?\w{1,4}\)?)?(?: of this (?:Act|Article|section))?(?=[ ,.])(?! (?:or|and|to)\b)"
)
_PAREN = re.compile(r" \([^()]{3,80}\)(?! (?:or|and|Act|Ordinance|[A-Z]))")
_NONRESTRICTIVE = re.compile(
    r"(?<=\w), which [^,;]{6,90}(?:,(?= (?:is|was|are|were|has|had|shall|may|\w+ed|\w+s)\b)|(?=\.$))"
)
_LEAD_BOILER = re.compile(
    r"^(?:Notwithstanding anything (?:contained )?in (?:this Act|any other law[^,]*|the said Act)|Without prejudice to [^,]{5,90}|For the removal of doubts|Save as otherwise [^,]{5,60}|However|In addition|Moreover|For example|Indeed|Furthermore|Additionally|Meanwhile|In fact|Thus|Therefore|Also|Finally), "
)
_LIST_SUBJECT = re.compile(
    r"^((?:The|Every|Any|All) [\w-]+(?: [\w-]+)?)(?:, [\w -]{3,30})* and ((?:the |other )?[\w-]+(?: [\w-]+)?) (shall|may|must|will|can) "
)


def _cap(text: str) -> str:
    return text[0].upper() + text[1:] if text else text


def _low(text: str) -> str:
    opener = r"(?:The|A|An|Any|Every|Each|All|No|It|There|This|These|Those|Most|Many|Some|He|She|They|We|In|If|When|Such|People|Students|Nothing|Nobody|Anyone|Whoever|Someone|Both|That|His|Her|Its|Their|Where|On|At|For|As|One|Two|Three|After|Before|By|During|From|Throughout|Within|Since|Under|Until|Not|None|Only|Neither|Without|Anybody|Because|Although|Though|Unless)\b"
    return text[0].lower() + text[1:] if re.match(opener, text) else text


def _plural_subject(before: str) -> bool:
    """Whether the subject that ends here is a plural, by its head noun."""
    clause = re.split(r"[,;:] | that | which | but ", before)[-1]
    head = re.split(r" (?:of|in|for|to|under|made|by|with|on|referred|standing|payable|done|taken|passed) ", clause)[
        0
    ].split()
    if not head:
        return False
    joined = " and " in clause and not re.match(r"(?:Every|Each|Any|No)\b", clause)
    return (
        joined
        or bool(re.match(r"(?:All|These|Those|Both|Such \w+s)\b", clause))
        or (head[-1].endswith("s") and not head[-1].endswith(("ss", "us", "is")))
    )


def rephrase(text: str, rng: Random) -> str | None:
    """One or more phrase rules applied."""
    hits = [(p, news) for p, news in _RULES if p.search(text)]
    rng.shuffle(hits)
    out = text
    for pattern, news in hits[: rng.choice([1, 1, 2, 3])]:
        new = rng.choice(news)
        m = pattern.search(out)
        if not m:
            continue
        plural = _PLURAL_BEFORE.search(out[: m.start()]) or _plural_subject(out[: m.start()])
        if plural and re.match(r"(?:is|has|faces|isn't|lies|takes|applies|counts|serves)\b", new):
            new = re.sub(r"^is", "are", re.sub(r"^has", "have", re.sub(r"^isn't", "aren't", new)))
            if re.match(r"(?:faces|lies|takes|applies|counts|serves)", new):
                continue
        if re.match(r"is able to be|is to\b", new) and re.match(r" not", out[m.end() :]):
            continue
        if new in ("must", "is required to", "has to", "is to", "are required to", "are to", "have to") and re.search(
            r"\b(?:[Nn]o|[Nn]othing|[Nn]either|nor) [^,;]*$", out[: m.start()]
        ):
            new = "may" if out[m.end() :].startswith(" be") or rng.random() < 0.5 else "can"
        if new.startswith(
            ("is permitted", "is allowed", "has the power", "are permitted", "are allowed", "have the power")
        ) and re.search(r"\b(?:[Nn]o|[Nn]either|as|such|than) [^,;]*$", out[: m.start()]):
            continue
        if new in (
            "is required to",
            "has to",
            "are required to",
            "have to",
            "is permitted to",
            "is allowed to",
            "has the power to",
        ) and out[m.end() :].startswith(","):
            continue
        if new == "no fewer than" and not re.match(
            r" (?:\d+|two|three|five|seven|ten) (?:members|persons|people|officers|directors)", out[m.end() :]
        ):
            new = "at least"
        if new == "a minimum of" and not re.match(
            r" (?:\d|one|two|three|four|five|six|seven|ten|twelve|thirty)", out[m.end() :]
        ):
            new = "at least" if m.group() != "at least" else "not less than"
        if new in ("of up to", "of at most", "of no more than") and not re.match(
            r" (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fif|twenty|thirty|sixty|Rs)",
            out[m.end() :],
        ):
            continue
        if new in ("of up to", "of at most", "of no more than") and re.search(
            r"\b(?:by|is|are|be|being) $", out[: m.start()]
        ):
            new = new[3:]
        out = out[: m.start()] + m.expand(new) + out[m.end() :]
    return out if out != text else None


def synonym(text: str, rng: Random) -> str | None:
    """One to three words replaced by safe synonyms."""
    hits = [(p, new) for p, new in _SYN if p.search(text)]
    rng.shuffle(hits)
    out = text
    for pattern, word in hits[: rng.choice([1, 2, 3])]:
        new = word
        m = pattern.search(out)
        if m and out[max(0, m.start() - 1)] not in "-'" and out[m.end() : m.end() + 1] not in ("-", "'", "’"):
            before = out[: m.start()]
            if new == "began" and re.search(r"\b(?:was|were|been|be|has|have|had) $", before):
                new = "begun"
            if new == "enough" and re.search(r"\ban? $", before):
                continue
            if re.search(r"\ban? $", before):
                before = re.sub(r"\ban? $", "an " if new[0] in "aeiou" else "a ", before)
            out = before + new + out[m.end() :]
    return out if out != text else None


def reorder(text: str, rng: Random) -> str | None:
    """A leading clause or phrase moved to the end, or a final clause to the front."""
    m = _LEAD_CLAUSE.match(text)
    if m:
        word, left, right = m.groups()
        return f"{_cap(right)} {word.lower()} {left}."
    m = _LEAD_PHRASE.match(text)
    if (
        m
        and re.search(r"\b(?:is|are|was|were|has|have|had|shall|may|must|can|will|\w+ed)\b", m.group(2))
        and not re.match(r"(?:and|or|but|who|which|it was|with|to|a|an)\b", m.group(2))
    ):
        return f"{_cap(m.group(2))} {_low(m.group(1))}."
    m = _TAIL_CLAUSE.match(text)
    if m and not re.search(r"\b(?:only|even|as|or|and|not|that|who|which|whether)\b", m.group(1)):
        left, word, right = m.groups()
        return f"{_cap(word)} {right}, {_low(left)}."
    return None


def shorten(text: str, rng: Random) -> str | None:
    """A bracketed aside, a cross-reference, a non-restrictive clause or a leading boilerplate dropped."""
    options = []
    for pattern in (_CROSS, _PAREN, _NONRESTRICTIVE):
        m = pattern.search(text)
        if m:
            options.append((text[: m.start()] + text[m.end() :]).replace(" ,", ","))
    m = _LEAD_BOILER.match(text)
    if m:
        options.append(_cap(text[m.end() :]))
    options = [o for o in options if len(o.split()) >= 5 and len(o.split()) > 0.4 * len(text.split())]
    return rng.choice(options) if options else None


def one_fact(text: str, rng: Random) -> str | None:
    """One clause of a sentence that states two, or one of two joined subjects."""
    m = _LIST_SUBJECT.match(text)
    if m and rng.random() < 0.7:
        return f"{m.group(1)} {m.group(3)} {text[m.end() :]}"
    m = re.match(
        r"^((?:The|A|An|This|[A-Z][\w'’-]+)(?: [\w'’-]+){1,25}), (?:and|but) ((?:the|a|an|it|he|she|they|this|these|there|[A-Z])[^;]{15,})\.$",
        text,
    )
    if (
        m
        and not re.search(r"\b(?:if|unless|not|no|either|both|between|when|although|while|neither)\b", m.group(1))
        and re.search(r"\b(?:is|are|was|were|has|had|shall|may|\w+ed)\b", m.group(1))
    ):
        return m.group(1) + "."
    m = re.match(
        r"^((?:[A-Z][\w'’-]+)(?: [\w'’-]+){0,6}) ((?:is|was|are|were|has|had) [^,;]{12,100}) and ((?:is|was|are|were|has|had) [^;]{10,})\.$",
        text,
    )
    if m and not re.search(r"\bthat\b|\bwho\b|\bwhich\b|\bnot\b|\bif\b", m.group(2)):
        return f"{m.group(1)} {rng.choice([m.group(2), m.group(3)])}."
    return None


def to_passive(text: str, rng: Random) -> str | None:
    """A short active clause with a modal turned into the passive."""
    m = re.match(
        r"^((?:The|Every|Any|An?|Each) [\w -]{3,40}?) (shall|may|must) (make|appoint|grant|issue|prepare|keep|maintain|impose|inspect|examine|publish|fix|consider|approve|refuse|cancel|revoke|suspend|receive|submit|furnish|pay|constitute|establish|delegate|transfer|register|convene) ((?:the|an?|any|such|every|all|his|its) [\w -]{3,60}?)((?: (?:to|for|within|in|under|by|on|at|with|from|before|after) [^,;]{3,120})?)\.$",
        text,
    )
    if not m:
        return None
    subject, modal, verb, obj, rest = m.groups()
    if (
        re.search(r"\b(?:and|or|who|which|that|of such|his|its)\b", obj)
        or " by " in rest
        or re.search(r"\b(?:his|its|he|it|who|which)\b", rest)
    ):
        return None
    forms = {
        "make": "made",
        "keep": "kept",
        "pay": "paid",
        "submit": "submitted",
        "cancel": "cancelled",
        "transfer": "transferred",
    }
    participle = forms.get(verb) or (
        verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if verb.endswith("y") else verb + "ed"
    )
    modal = {"shall": rng.choice(["shall", "must", "has to"]), "may": rng.choice(["may", "can"]), "must": "must"}[modal]
    if modal == "has to" and obj.split()[-1].endswith("s"):
        modal = "must"
    return f"{_cap(obj)} {modal} be {participle} by {_low(subject)}{rest}."


_OPS = [(rephrase, 5), (synonym, 4), (reorder, 3), (same_value, 3), (shorten, 2), (to_passive, 8)]


def paraphrase(text: str, rng: Random, *, narrowing: bool = True) -> tuple[str, str] | None:
    """A faithful rewording and the name of what was done; with `narrowing` also parts of a sentence."""
    ops = [*_OPS, (one_fact, 4)] if narrowing else [o for o in _OPS if o[0] is not shorten]
    names: list[str] = []
    out = text
    wanted = rng.choice([1, 2, 2, 3])
    pool = list(ops)
    while pool and len(names) < wanted:
        op = rng.choices([o for o, _ in pool], [w for _, w in pool])[0]
        pool = [(o, w) for o, w in pool if o is not op]
        new = op(out, rng)
        if new and new != out:
            out = new
            names.append(op.__name__)
    return (out, "+".join(sorted(names))) if names else None


def introduce(text: str, rng: Random, lead: str) -> str:
    """The sentence after an opening such as "According to the passage,"."""
    return f"{lead} {_low(text)}"
