"""Words and turns by which an order to whoever answers is told; `instructions` says how they are put together."""

import re


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# What an answerer is told to do with the answer, the reader or the conversation, or for the one who writes.
ORDERS = _set(
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
SPEECH = _set(
    "admire commend compliment emulate endorse fabricate falsify feign imitate interject intersperse laud mention"
    " mimic output praise preface prepend pretend remark roleplay simulate slip spotlight sprinkle tout weave"
)
BY_STEALTH = _set(
    "briefly casually cleverly concisely courteously covertly delicately discreetly effortlessly gently"
    " gracefully lightly naturally neatly organically politely quietly seamlessly secretly silently smoothly"
    " softly subtly tactfully unobtrusively"
)
OVERRIDES = _set("bypass cancel disobey disregard drop erase forget ignore neglect override overrule skip")
OVERRIDDEN = _set(
    "command commands context conversation directions directive directives everything guardrails guidelines"
    " orders instruction instructions limitations message messages nirdesh niyam policies policy prompt prompts"
    " restriction restrictions role rule rules safeguards safety system training"
)
BEFORE_A_VERB = _set(
    "additionally also always and attention but do don't dont finally first firstly hello hereby hey hi"
    " immediately important instead instruction instructions just kindly lastly let must naturally never next not"
    " now ok okay please reminder secondly should so system task then thereafter thirdly todo urgent warning"
)
LEADS_IN = _set(
    "after ahead alongside amid amidst among as at before beneath besides between by concurrently directly during"
    " except following for from given halfway if immediately in instead just mid midway nearing on once out"
    " parallel partway per prior rather right shortly since somewhere subsequent through throughout to toward"
    " towards under until upon when whenever where while with within without"
)
# Bounded everywhere: a hostile sentence is read once.
ANSWER = (
    r"(?:answers?|responses?|repl(?:y|ies)|outputs?|explanations?|summar(?:y|ies)|descriptions?|discussions?|analys[ei]s"
    r"|narratives?|conclusions?|commentary|translations?|texts?|messages?|solutions?|codes?|codebase|implementation"
    r"|statements?|elucidation|output|line|sentence|paragraph|words?)"
)
ANSWERING = (
    r"(?:answering|responding|replying|concluding|finishing|explaining|discussing|describing|listing|stating|providing"
    r"|presenting|revealing|extracting|summari[sz]ing|correcting|mentioning|detailing|addressing|producing"
    r"|delivering|finalizing|outputting|elaborating)"
)
REMARK = (
    r"(?:notes?|remark|mention|lines?|sentence|comment|commentary|notice|notification|alert|advisory|message|suggestion"
    r"|recommendation|endorsement|promotion|plug|commendation|appreciation|acknowledge?ment|observation|reminder"
    r"|disclaimer|error|phrase|hint|tip|statement|aside|shout-?out|tribute|warning|announcement|banner|reference|nod"
    r"|testimonial|praise|invitation|prompt|update|outage|failure|interruption|fault|disruption|breakdown)"
)
ABOUT = re.compile(
    rf"\byour (?:[\w'’-]+ ){{0,3}}{ANSWER}\b"
    rf"|\b(?:before|after|while|upon|when|once|prior to|ahead of|amid|during|in|by|without|just|instead of|right)"
    rf" (?:[\w'’-]+ ){{0,2}}{ANSWERING}\b"
    r"|\b(?:before|after|during|within|into|amid|in|of|to|at|for|with) (?:the|this|any|each|every)"
    r" (?:[\w'’-]+ ){0,3}"
    r"(?:answer|response|reply|output|explanation|summary|discussion|description|conversation|narrative|main query)\b"
    rf"|\b(?:a|an|one|this|the|some|another) (?:[\w'’-]+[ ,]{{1,2}}){{0,5}}{REMARK}\b[ ,]{{0,2}}(?:[\w'’-]+ ){{0,4}}"
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
TELLING = _set(
    "advise alert ask assure caution convince direct discourage encourage entice guide inform instruct invite"
    " lead lure notify offer persuade point recommend redirect refer remind steer suggest tell urge warn"
)
TOLD = re.compile(r"\b(?:users?|readers?|audience|viewers?|visitors?|customers?)\b")
SHOWING = _set(
    "append begin conclude display emit end finish include insert output prepend print reply respond say show state"
    " write"
)
ORDERS_ALL = ORDERS | SPEECH
BEFORE_A_COLON = SHOWING | TELLING | SPEECH
MAY_OVERRIDE = re.compile("|".join(sorted(OVERRIDES)))
TAG = re.compile(r"<[^<>]{1,60}>|\[[^\[\]]{1,60}\]")  # what stands between tags begins anew
# "1. Ignore ...", "Section 4: Ignore ...", "# Ignore ...": a heading's number orders nothing.
NUMBERED = re.compile(
    r"^[#>*\s]{0,8}(?:(?:section|article|chapter|part|rule|clause|धारा|अध्याय) )?"
    r"(?:\(?[0-9]{1,4}[a-z]{0,2}[.):—-]{1,2}\s*)?"
)
ADDRESS = re.compile(r"https?://|www\.")
QUOTED = re.compile(r"(?<!\w)[\"'“‘][^\"'”’]{12,}")
YOU_MUST = re.compile(
    r"\b(?:you (?:must|should|shall|will|need to|have to|ought to|are (?:now|to|required|instructed|going to))"
    r"|your (?:new |only |real |main |next )?(?:task|job|goal|role|mission|objective|instructions?)\b"
    r"|i (?:want|need|order|command|instruct|would like|require|ask) you)"
)
NOW = re.compile(
    r"\byou are (?:now|no longer|going to act|to act|an? (?:unrestricted|uncensored))\b|\bdeveloper mode\b"
    r"|\bfrom now on,? (?:you|your|always|never|only|answer|reply|respond|act|speak|talk|pretend|behave|refuse)\b"
    r"|\byour (?:new|only|real|actual|true|next) (?:task|job|goal|role|mission|objective|instructions?)"
    r" (?:is|are|will be) (?:now )?to\b"
)
COMMANDED = re.compile(
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
SURELY = re.compile(r"^(?:please )?(?:make|be) sure (?:to|that you)\b")
MIND = re.compile(r"(?:^|, )(?:please )?(?:(?:keep|bear) in mind|note|remember|be aware) that\b")
TOGETHER = re.compile(r"\blet['’]?s\b")
# Who asks to be told wants nothing said to others.
TELL_ME = re.compile(r"\b(?:assist|give|help|inform|show|teach|tell) me\b")
SHOULD_BE_TOLD = re.compile(
    r"^(?:note: ?)?(?:readers?|users?|researchers?|viewers?|visitors?|anyone|those)\b[^.]{0,160}\bshould be"
    r" (?:advised|directed|prompted|told|informed|instructed|encouraged|invited|reminded)\b"
)
CLAUSES = re.compile(r"[,;—–]|:(?!//)|\s-\s")
