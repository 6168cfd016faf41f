"""Sentences in the imperative, whoever they order: "Send the file to Anna", "file Anna ko bhej do"."""

import re

from footnotary.injection.attack_phrases import BEFORE_A_VERB, ORDERS_ALL
from footnotary.text.tokens import words

# Verbs that are names of things or qualities as well: "Transfer of property", "Open fires", "Order 7".
_ALSO_NAMES = frozenset(
    "abort access act address alert anagram answer award block blend book boost break broadcast call cap caution"
    " change check cite claim clear close compliment copy craft crash credit decline deposit design direct display"
    " download draft draw drop email employ end express extract feature file find finish flag forge forward frame"
    " fuse grant group guarantee guide hail halt hand help hint import increase input issue keep kick lead leak"
    " leave leverage link list load lock log look lower lure make mark mention merge message mimic monitor move"
    " name note offer open order outline output pair pause pay pitch place plan plug point pose post praise"
    " present print process produce promote purchase push query quote raise read record reference refuse register"
    " remark repeat reply report request reserve reset resume return reverse review round route run salute scan"
    " schedule scramble search seek set share show sign slip spotlight spread start state steer stop store stress"
    " supplement switch sync talk text throttle throw toss transfer trigger turn tweet update upload upvote urge"
    " use view visit vote wait welcome work wrap".split()
)
_THING_FOLLOWS = frozenset(
    "a an the this that these those all any each every both some no my your his her its our their me us him them it"
    " everything everyone yourself as much".split()
)
_OF_WHO_SPEAKS = frozenset("your my me i i'm".split())
_MONEY = re.compile(r"^\W*(?:[$€£₹]|(?:rs|usd|inr|eur|gbp)\b)", re.IGNORECASE)
_IN_ROMAN_HINDI = re.compile(
    r"\b(?:likho|likhdo|likhiye|bolo|boldo|kaho|kehdo|batao|bataiye|karo|kardo|kijiye|dikhao|hatao|jodo|bhejo|bhejdo"
    r"|bhejiye|dedo|dijiye|banao|khareedo|kharido|(?:\w+) (?:do|dijiye))\W{0,4}$",
    re.IGNORECASE,
)
_IN_HINDI = re.compile(
    r"(?<![\u0900-\u0963])(?:लिखो|कहो|बोलो|बताओ|करो|दिखाओ|भेजो|हटाओ|जोड़ो|बनाओ|ख़रीदो|खरीदो|कीजिए|दीजिए|भेजिए|लिखिए"
    r"|(?:भेज|कर|बता|दिखा|लिख|हटा|बना|दे) दो)\W{0,4}$"
)
_HINDI_IN_ROMAN = frozenset("hai hain hu hoon ka ki ke ko se me mein aur sab mujhe mera meri".split())


def is_imperative(sentence: str) -> bool:
    """Whether a sentence is in the imperative, as far as its first words tell, or in Hindi its last.

    A verb that is also a name counts only where a thing to do it to follows: "Transfer the sum", not "Transfer of
    property".
    """
    said = words(sentence)
    at = next((i for i, word in enumerate(said) if word not in BEFORE_A_VERB), None)
    if at is None:
        return False
    if said[at] in ORDERS_ALL:
        if said[at] not in _ALSO_NAMES or not _OF_WHO_SPEAKS.isdisjoint(said[at:]):
            return True
        after = said[at + 1 : at + 2]
        if after and (after[0] in _THING_FOLLOWS or _MONEY.match(_behind(sentence, said[at]))):
            return True
    if _IN_HINDI.search(sentence) is not None:
        return True
    return not _HINDI_IN_ROMAN.isdisjoint(said) and _IN_ROMAN_HINDI.search(sentence) is not None


def _behind(sentence: str, verb: str) -> str:
    return sentence.casefold().partition(verb)[2]
