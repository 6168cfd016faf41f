"""Orders to whoever answers, in Hindi and in Hindi written with Latin letters.

Told by form, as in English: an imperative together with words about answering, the reader, the rules or the one who
answers. What somebody may do or does ("can ignore", "ignores") is a statement. Takes folded text.
"""

import re

_END = r"(?![\u0900-\u0963])"
# "करो" is nothing but an order; "दो" is also a number, and orders only after what is to be given.
_FAMILIAR = re.compile(
    r"(?<![\u0900-\u0963])(?:लिखो|कहो|बोलो|बताओ|करो|छापो|दिखाओ|मानो|जाओ|जोड़ो|जोड़ो|दोहराओ|भूलो|हटाओ|बनो"
    rf"|(?:मत|उत्तर|जवाब|कर|बोल|कह|लिख|बता|हटा|भुला|जोड़|जोड़) (?:दो|देना|दीजिए)){_END}"
    r"|(?<![\u0900-\u0963])(?:लिखना|कहना|बोलना|बताना|मानना)\W{0,4}$"
)
# "करें" also stands in conditions of statutes; at the end, or before what is to be said, it orders.
_POLITE = re.compile(
    r"(?<![\u0900-\u0963])(?:लिखें|कहें|बोलें|बताएं|बताएँ|बतायें|छापें|दिखाएं|दिखाएँ|जोड़ें|जोड़ें|दोहराएं|दोहराएँ|दें|करें|मानें|बनें)"
    rf"{_END}(?: कि{_END}|\W{{0,4}}$)"
)
_ABOUT = re.compile(
    r"(?<![\u0900-\u0963])(?:उत्तर|जवाब|सहायक|एआई|चैटबॉट|भाषा मॉडल|प्रॉम्प्ट|पाठकों? को|उपयोगकर्ताओ?ं? को|मेरी बात"
    rf"|स्रोतों? (?:का|के|बिना)){_END}"
    r"|\bai\b|\bprompt\b|\bllm\b"
)
_RULES = re.compile(r"निर्देश|आदेश|नियम|दिशानिर्देश")
# "अब आप बता सकते हैं" is what a textbook says.
_YOU_ARE_NOW = re.compile(
    rf"(?<![\u0900-\u0963])अब (?:(?:से )?(?:तुम|तू)|से आप|आप (?:एक|केवल|सिर्फ)){_END}"
    r"|\bab (?:(?:se )?(?:tum|tu)|se aap|aap (?:ek|sirf))\b"
)

_ROMAN_ORDER = re.compile(
    r"\b(?:likho|likhna|likhdo|likhiye|bolo|bolna|boldo|kaho|kehna|kehdo|batao|batana|bataiye|maano|maanna|karo|kardo"
    r"|dikhao|chhapo|chaapo|hatao|jodo|bhoolo|bano|(?:mat|bol|keh|likh|bata|hata|kar|jod|jawab|jawaab|bhool|bhul|ban)"
    r" (?:do|dena|dijiye|jao|jana|jaana))\b"
)
_ROMAN_ABOUT = re.compile(
    r"\b(?:answers?|jawab|jawaab|uttar|repl(?:y|ies)|responses?|system prompt|prompt|assistant|chatbot|llm"
    r"|ai(?=[,:;!]| (?:model|ho)\b)|language model|(?:users?|readers?) ko|bina (?:kisi )?(?:source|citation)"
    r"|(?:question|sawaa?l) ka|meri baat)\b"
)
# "rules batao" asks for them; what is done to rules otherwise is done to those of whoever answers.
_ASKED_FOR = re.compile(r"\b(?:rules?|guidelines?|instructions?) (?:\w+ ){0,2}(?:batao|bataiye|samjhao|likho)\W{0,4}$")
_ROMAN_RULES = re.compile(r"\b(?:instructions?|rules?|guidelines?|nirdesh|niyam|restrictions?)\b")

_PUT_ASIDE = r"(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|अनदेखी|भूल|उपेक्षा|nazarandaaz|nazar ?andaaz|bhool|bhul)"
_NAMED = r"(?:निर्देश|आदेश|नियम|nirdesh|niyam|instruction|rules|guidelines)"
_OVERRIDE = re.compile(
    rf"{_PUT_ASIDE}[^.।!?]{{0,60}}{_NAMED}"
    rf"|{_NAMED}[^.।!?]{{0,60}}(?:{_PUT_ASIDE}|ignore|hata|tod|रद्द करके|हटाकर|हटा दो|हटा दें)"
)
# "अनदेखा कर सकता है", "अनदेखा करते हैं", "अनदेखा नहीं करेगा": somebody else does it, or may.
_STATED = re.compile(
    r"सकता है|सकती है|सकते हैं|सकेगा|सकेगी|सकेंगे"
    r"|(?:(?:ता|ती|ते|या|यी|ये|गई|गया|गए) (?:है|हैं|था|थी|थे)|[\u0904-\u0963]ग[ाीे])\W{0,4}$"
    r"|\b(?:\w{2,12}(?:ta|ti|te) (?:hai|hain|tha|the|thi)|\w{2,12}(?:ega|egi|enge))\W{0,4}$"
)


def is_hindi_override(plain: str) -> bool:
    """Whether a sentence orders to put rules or instructions aside."""
    return _OVERRIDE.search(plain) is not None and _STATED.search(plain) is None


def is_hindi_instruction(plain: str) -> bool:
    """Whether a sentence tells whoever answers what to do, or who to be."""
    if _YOU_ARE_NOW.search(plain) is not None:
        return True
    if not plain.isascii() and _imperative_forms(plain):
        return True
    if _ROMAN_ORDER.search(plain) is None:
        return False
    if _ROMAN_ABOUT.search(plain) is not None:
        return True
    return _ROMAN_RULES.search(plain) is not None and _ASKED_FOR.search(plain) is None


def _imperative_forms(plain: str) -> bool:
    if _FAMILIAR.search(plain) is not None:
        return _ABOUT.search(plain) is not None or _RULES.search(plain) is not None
    return _POLITE.search(plain) is not None and _ABOUT.search(plain) is not None
