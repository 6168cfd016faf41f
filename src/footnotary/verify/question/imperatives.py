"""Sentences in the imperative, to the model or to a reader: "Send the file to Anna", "file Anna ko bhej do"."""

import re

from footnotary.text.tokens import words

_VERBS = frozenset(
    "absorb accompany acknowledge activate add admire adopt advertise advise affirm allude announce apologise"
    " apologize append applaud apply approve arrange ask assert assimilate assist assume assure attach"
    " attribute augment authorize avoid become begin behave brainstorm bring buy bypass cancel cease celebrate"
    " certify click collect commence commend compare compile complement compose concatenate conceal conclude"
    " confirm congratulate connect consider continue convert convey convince create deactivate declare decode"
    " delete deliver deny depict deploy describe develop devise disable disclose discontinue discourage"
    " discuss dispatch distribute divert donate elaborate embed emit emphasise emphasize emulate enable enact"
    " encode encourage encrypt endorse engage enhance enlist ensure enter entice escalate establish evaluate"
    " exclude execute explain expose fabricate falsify feign fetch follow forget formulate gather generate get"
    " give go greet harmonize hesitate hide highlight identify ignore imitate imply include incorporate"
    " indicate inform infuse initiate inject inquire insert install instruct integrate interject interrupt"
    " intersperse interweave introduce invent invite invoke jumble laud launch locate maintain manipulate meld"
    " misspell modify notify obtain omit overwrite paraphrase perform persuade portray precede preface prepare"
    " prepend pretend prevent prioritize proceed propose provide publish pull put rearrange recite recognise"
    " recognize recommend reconfigure redirect refer refrain reinforce reject relay remember remind remove"
    " rename render rephrase replace replicate reproduce require reschedule respond restart restrict retrieve"
    " retrive reveal revoke rewrite roleplay say sell send showcase shut simulate skip solicit speak sprinkle"
    " submit subscribe substitute suggest summarise summarize suspend take tell terminate thank tout translate"
    " transmit underline underscore unlock unsubscribe utilise utilize verify warn weave withdraw withhold"
    " write".split()
)
# Also nouns or adjectives: "Transfer of property", "Open fires", "Order 7".
_AMBIGUOUS_VERBS = frozenset(
    "abort access act address alert anagram answer award blend block book boost break broadcast call cap"
    " caution change check cite claim clear close compliment copy craft crash credit decline deposit design"
    " direct display download draft draw drop email employ end express extract feature file find finish flag"
    " forge forward frame fuse grant group guarantee guide hail halt hand help hint import increase input"
    " issue keep kick lead leak leave leverage link list load lock log look lower lure make mark mention merge"
    " message mimic monitor move name note offer open order outline output pair pause pay pitch place plan"
    " plug point pose post praise present print process produce promote purchase push query quote raise read"
    " record reference refuse register remark repeat reply report request reserve reset resume return reverse"
    " review round route run salute scan schedule scramble search seek set share show sign slip spotlight"
    " spread start state steer stop store stress supplement switch sync talk text throttle throw toss transfer"
    " trigger turn tweet update upload upvote urge use view visit vote wait welcome work wrap".split()
)
_BEFORE_A_VERB = frozenset(
    "additionally also always and attention but do don't dont finally first firstly hello hereby hey hi"
    " immediately important instead instruction instructions just kindly lastly let must naturally never next"
    " not now ok okay please reminder secondly should so system task then thereafter thirdly todo urgent"
    " warning".split()
)
_OBJECT_FOLLOWS = frozenset(
    "a an the this that these those all any each every both some no my your his her its our their me us him"
    " them it everything everyone yourself as much".split()
)
_FIRST_OR_SECOND_PERSON = frozenset("your my me i i'm".split())
_MONEY = re.compile(r"^\W*(?:[$€£₹]|(?:rs|usd|inr|eur|gbp)\b)", re.IGNORECASE)
_ROMANISED_HINDI_VERB = re.compile(
    r"\b(?:likho|likhdo|likhiye|bolo|boldo|kaho|kehdo|batao|bataiye|karo|kardo|kijiye|dikhao|hatao|jodo|bhejo|bhejdo"
    r"|bhejiye|dedo|dijiye|banao|khareedo|kharido|(?:\w+) (?:do|dijiye))\W{0,4}$",
    re.IGNORECASE,
)
_HINDI_VERB = re.compile(
    r"(?<![\u0900-\u0963])(?:लिखो|कहो|बोलो|बताओ|करो|दिखाओ|भेजो|हटाओ|जोड़ो|बनाओ|ख़रीदो|खरीदो|कीजिए|दीजिए|भेजिए|लिखिए"
    r"|(?:भेज|कर|बता|दिखा|लिख|हटा|बना|दे) दो)\W{0,4}$"
)
_ROMANISED_HINDI_WORDS = frozenset("hai hain hu hoon ka ki ke ko se me mein aur sab mujhe mera meri".split())


def is_imperative(sentence: str) -> bool:
    """Whether a sentence is in the imperative, by its first words, or in Hindi by its last.

    A verb that is also a noun counts only where an object follows: "Transfer the sum", not "Transfer of property".
    """
    found = words(sentence)
    at = next((i for i, word in enumerate(found) if word not in _BEFORE_A_VERB), None)
    if at is None:
        return False
    if found[at] in _VERBS or (found[at] in _AMBIGUOUS_VERBS and _is_used_as_verb(sentence, found[at:])):
        return True
    if _HINDI_VERB.search(sentence) is not None:
        return True
    return not _ROMANISED_HINDI_WORDS.isdisjoint(found) and _ROMANISED_HINDI_VERB.search(sentence) is not None


def _is_used_as_verb(sentence: str, found: list[str]) -> bool:
    if not _FIRST_OR_SECOND_PERSON.isdisjoint(found):
        return True
    after_verb = sentence.casefold().partition(found[0])[2]
    return len(found) > 1 and (found[1] in _OBJECT_FOLLOWS or _MONEY.match(after_verb) is not None)
