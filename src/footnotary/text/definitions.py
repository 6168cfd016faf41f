"""Which terms a passage defines, found by the form in which law and textbooks define them."""

import re

from footnotary.domain.identity import Span
from footnotary.text.tokens import content_terms

_DEFINING = r"(?:shall )?(?:means?|includes?|denotes?|signif(?:y|ies)|refers? to)|(?:is|are) defined|has the meaning"
_AFTER = rf"[^.;\n]{{0,60}}?\b(?:{_DEFINING})\b"
_START = r"(?:^|(?<=[.;:।]\s)|(?<=\n))"
_ITEM = r"\s{0,4}(?:\(?\w{1,4}[).]\s{0,4}){0,2}"
# (e) "employer" means …   The words “public servant” denote …
_QUOTED = re.compile(
    rf"{_START}{_ITEM}(?:the (?:words?|expressions?|terms?) )?"
    rf"[\"“‘']([^\"”’'\n]{{2,60}})[\"”’']{_AFTER}",
    re.IGNORECASE,
)
# Cheating means …
_PLAIN = re.compile(
    rf"{_START}{_ITEM}(?:an? |the )?((?:[\w-]{{1,30}} ){{0,3}}[\w-]{{1,30}}) "
    r"(?:means|denotes|is defined as|refers to)\b",
    re.IGNORECASE,
)
# So, an arithmetic progression (AP) is a list of numbers …
_IS_A = re.compile(
    rf"{_START}{_ITEM}(?:(?:so|thus|hence|therefore), )?an? ((?:[\w-]{{1,30}} ){{0,2}}[\w-]{{1,30}}) "
    r"(?:\([A-Z]{1,6}\) )?is (?:an?|any|one)\b",
    re.IGNORECASE,
)
# A person is said to abet …   is said to commit theft
_SAID = re.compile(
    r"\b(?:is|are) said to (?:commit |be )?(?:an? |the )?(([\w-]{2,30})(?: [\w-]{2,30})?)", re.IGNORECASE
)

_HINDI_WORD = r"[\u0900-\u0963\u0970-\u097f\w-]{1,30}"
_HINDI_TERM = rf"((?:{_HINDI_WORD}[ \n]){{0,3}}{_HINDI_WORD})"
_NOT_INSIDE = r"(?![\u0900-\u0963])"
# (ठ) “नियोजक” से ऐसा व्यक्ति अभिप्रेत है …   OCR doubles quotation marks and sets blanks inside them.
_HINDI_QUOTED = re.compile(
    r"[\"“”‘’'«][\"“”‘’'« ]{0,3}([^\"“”‘’'«»\n;।]{2,60})[\"“”‘’'»]{1,3} ?(?:पद |शब्द )?(?:से|का|के|की)" + _NOT_INSIDE
)
_HINDI_MEANING = re.compile(r"अभिप्रेत|अभिप्राय|तात्पर्य|आशय|अर्थ" + _NOT_INSIDE + "|परिभाषित|अंतर्गत|अन्तर्गत")
_HINDI_REACH = 600
# छल से अभिप्रेत है …   चोरी वह कार्य है …   श्रेढ़ी एक ऐसी सूची है …   श्रेढ़ी संख्याओं का ऐसा अनुक्रम है …
# "किसी रकम का ऐसा भाग" and "जहां कोई कर्मचारी ऐसे" define nothing.
_HINDI_PLAIN = re.compile(
    rf"(?:^|(?<=[.;:।?]\s)|(?<=\n)){_ITEM}"
    rf"(?!(?:किसी|कोई|जहां|जहाँ|यदि|जब|प्रत्येक|ऐस[ाीे]|यह|वह|इस|उस|परंतु|परन्तु){_NOT_INSIDE}){_HINDI_TERM}"
    r"(?<! का)(?<! की)(?<! के)(?<! में)(?<! से)(?<! पर)(?<! को)(?<! ने)[ \n]"
    r"(?:से (?:अभिप्रेत|अभिप्राय|तात्पर्य|आशय)|का (?:अर्थ|तात्पर्य|अभिप्राय|आशय)|उसे कहते|वह|एक|ऐस[ाीे]"
    rf"|{_HINDI_WORD} (?:का|की|के) (?:वह|एक|ऐस[ाीे]) {_HINDI_WORD} (?:है|हैं))" + _NOT_INSIDE
)
# … को संक्षारण कहते हैं   … उसे संयोजन अभिक्रिया कहा जाता है   … श्रेढ़ी कहलाती है
_HINDI_NAMED = re.compile(
    rf"(?:को|उसे|उन्हें|इसे|इन्हें|जिसे|जिन्हें|वह|वे|यह){_NOT_INSIDE}[ \n]{_HINDI_TERM}[ \n]"
    r"(?:कहते|कहा जाता|कहा गया|कहलात[ाीे]|कहेंगे|कहलाएगा)" + _NOT_INSIDE
)
_HINDI_CALLED = re.compile(rf"({_HINDI_WORD}[ \n]{_HINDI_WORD})[ \n]कहलात[ाीे]{_NOT_INSIDE}")
_HINDI_UNQUOTED = (_HINDI_PLAIN, _HINDI_NAMED, _HINDI_CALLED)


# Words that each form requires, as a fast filter: most passages define nothing, and the patterns are slow. Texts with
# letters that case folding equates with i, k or s skip the filter.
_SIGNS = (
    (_QUOTED, ("mean", "includ", "denot", "signif", "refer", "defined")),
    (_PLAIN, ("means", "denotes", "is defined as", "refers to")),
    (_IS_A, (" is a", " is one")),
    (_SAID, (" said to ",)),
)
_LIKE_LETTERS = re.compile("[\u0130\u0131\u017f\u212a]")
_DEVANAGARI = re.compile("[\u0900-\u097f]")


def defined_terms(text: str) -> frozenset[str]:
    """The keys of the terms that `text` defines: `definition_key` of a question about one of them is among them."""
    small, unsure = text.lower(), not text.isascii() and _LIKE_LETTERS.search(text) is not None
    patterns = [pattern for pattern, signs in _SIGNS if unsure or any(sign in small for sign in signs)]
    found = [match.group(1) for pattern in patterns for match in pattern.finditer(text)]
    if _SAID in patterns:
        found += [match.group(2) for match in _SAID.finditer(text)]
    found += [span.of(text) for span in hindi_definitions(text)]
    return frozenset(key for key in (definition_key(content_terms(term)) for term in found) if key)


def hindi_definitions(text: str) -> tuple[Span, ...]:
    """The positions of the terms that `text` defines in Hindi: before "से … अभिप्रेत है", "वह" or "कहते हैं"."""
    if text.isascii() or not _DEVANAGARI.search(text):
        return ()
    spans = [Span(*match.span(1)) for pattern in _HINDI_UNQUOTED for match in pattern.finditer(text)]
    for match in _HINDI_QUOTED.finditer(text):
        stop = text.find("।", match.end(), match.end() + _HINDI_REACH)
        before = text[max(match.start() - 4, 0) : match.start()].rstrip(" *")
        is_item = before.endswith(")") and match.group().endswith("से")
        if is_item or _HINDI_MEANING.search(text, match.end(), stop if stop >= 0 else match.end() + _HINDI_REACH):
            spans.append(Span(*match.span(1)))
    return tuple(sorted(set(spans)))


def definition_key(terms: list[str]) -> str:
    """One word for a term of several words: the key under which a definition is indexed and looked up."""
    return "defines:" + "_".join(terms) if terms else ""
