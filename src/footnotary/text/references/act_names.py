"""The act a provision belongs to, as a text names it next to the number."""

import re
from collections.abc import Sequence

from footnotary.text.lexemes import Lexeme, lexeme_at

ACT_CODES = frozenset(
    "IPC CrPC CRPC CPC BNS BNSS BSA IEA GDPR RTI DPDP DPDPA HIPAA POCSO NDPS MVA NIA IDA CPA MWA COW UAPA PMLA FEMA"
    " IBC SARFAESI FERPA CCPA TPA ICA".split()
)
# Those that are not also a word in lower case; "cow 5" is no section of the Code on Wages.
_IN_ANY_CASE = {
    code.lower(): code
    for code in "IPC CrPC CPC BNS BNSS BSA IEA GDPR RTI DPDP DPDPA HIPAA POCSO NDPS UAPA PMLA IBC".split()
}
CODE_KEYS = frozenset(_IN_ANY_CASE).union(code.lower() for code in ACT_CODES)
"""The keys of the lexemes that `known_code` may know."""
_ENDS = frozenset("act code constitution rules regulations regulation adhiniyam sanhita ordinance gdpr".split())
_HINDI_ENDS = frozenset({"संहिता", "अधिनियम", "संविधान", "नियमावली", "आईपीसी", "सीआरपीसी"})
_OWN = frozenset({"this", "that", "the", "said", "such", "same", "principal"})
_HINDI_OWN = frozenset({"इस", "उस", "यह", "वह", "इसी", "उसी", "उक्त", "उपर्युक्त", "उपरोक्त", "मूल"})
_NOT_IN_A_NAME = frozenset(
    "shall is are was may must which who that in under by section sections if when where a an his her any every"
    " this said such has have does or from with".split()
)
_NOT_AN_ACT = frozenset({"INR", "USD", "EUR", "GBP", "AND", "OR", "THE", "OF", "TO", "IS", "NOT", "SHALL", "A", "I"})
_LONGEST_NAME = 12
_CAPITALS = re.compile("[A-Z]{2,8}")
_JOINING = frozenset({"of", "and", "the", "on", "for", "to"})


def known_code(lexeme: Lexeme) -> str | None:
    """The short name of a known act in its usual spelling: "CrPC" for "crpc"."""
    return lexeme.text if lexeme.text in ACT_CODES else _IN_ANY_CASE.get(lexeme.key)


def act_after(text: str, lex: Sequence[Lexeme], i: int) -> tuple[str | None, int]:
    """The act named from lexeme `i` on, and where it ends in `text`; (None, 0) if none is named.

    "of the Penal Code, 1860", ", IPC" and "GDPR" name one; "of this Act" and "of the Code" do not.
    """
    j = i + 1 if lexeme_at(lex, i).text == "," else i
    if lexeme_at(lex, j).key in ("of", "in", "under"):
        j += 1
    if lexeme_at(lex, j).key == "the":
        j += 1
    first = lexeme_at(lex, j)
    if _is_code(first) or known_code(first):
        return known_code(first) or first.text, first.end
    if (end := _initials(lex, j)) is not None:
        return text[first.start : end], end
    for k in range(j, j + _LONGEST_NAME):
        here = lexeme_at(lex, k)
        if here.key in _ENDS or here.key in _HINDI_ENDS:
            return _act_name(text, lex, j, k)
        if not (here.is_word or here.text in ("(", ")", "&", "-")) or here.key in _NOT_IN_A_NAME:
            break
    return None, 0


def act_before(text: str, lex: Sequence[Lexeme], i: int) -> tuple[str | None, int]:
    """The act named right before lexeme `i`, and where the name starts; (None, start of `i`) if none is named."""
    start = lex[i].start
    if (code := known_code(lex[i])) is not None:
        return code, start
    if lex[i].key in ("cfr", "c") or (lex[i].text == "§" and lexeme_at(lex, i - 1).key in ("cfr", ".")):
        return _cfr(lex, i)
    j = i - 1
    if lexeme_at(lex, j).text == ",":
        j -= 1
    hindi = lexeme_at(lex, j).key in ("की", "के", "का")
    if hindi:
        j -= 1
    if hindi and (first := _hindi_initials(lex, j)) is not None:
        return text[lex[first].start : lex[j].end], lex[first].start
    last = lexeme_at(lex, j)
    if known_code(last) or last.key in ("आईपीसी", "सीआरपीसी"):
        return known_code(last) or last.text, last.start
    if last.kind == "number" and len(last.text) == 4:
        j -= 2 if lexeme_at(lex, j - 1).text == "," else 1
    if lexeme_at(lex, j).key not in _ENDS and not (hindi and lexeme_at(lex, j).key in _HINDI_ENDS):
        return None, start
    if hindi and lexeme_at(lex, j - 1).key in _HINDI_OWN:  # "इस अधिनियम की" is "of this Act"
        return None, start
    k = j
    while k > j - _LONGEST_NAME and _in_name_before(lexeme_at(lex, k - 1), hindi):
        k -= 1
    while k < j and (lexeme_at(lex, k).key in _JOINING or lexeme_at(lex, k).key == "under"):
        k += 1
    if k == j:
        return None, start
    return text[lex[k].start : last.end], lex[k].start


def _act_name(text: str, lex: Sequence[Lexeme], j: int, k: int) -> tuple[str | None, int]:
    end = k
    # The name continues: "Code of Criminal Procedure", "Code on Wages", "Constitution of India".
    if lexeme_at(lex, k).key in ("code", "constitution") and lexeme_at(lex, k + 1).key in ("of", "on"):
        while end < k + 5 and lexeme_at(lex, end + 2).text[:1].isupper():
            end += 2 if end == k else 1
            if not lexeme_at(lex, end + 1).text[:1].isupper():
                break
    bare = j == k and lexeme_at(lex, k).key not in ("constitution", "gdpr")
    if end == k and (bare or (k == j + 1 and lexeme_at(lex, j).key in _OWN)):
        return None, 0
    year = end + 2 if lexeme_at(lex, end + 1).text in (",", "of") else end + 1
    if re.fullmatch(r"[12]\d{3}", lexeme_at(lex, year).text) and lexeme_at(lex, year + 1).key not in ("days", "rupees"):
        end = year
    return text[lex[j].start : lex[end].end], lex[end].end


def _is_code(lexeme: Lexeme) -> bool:
    letters = lexeme.text
    return letters in ACT_CODES or (_CAPITALS.fullmatch(letters) is not None and letters not in _NOT_AN_ACT)


def _initials(lex: Sequence[Lexeme], j: int) -> int | None:
    """The end of "I.P.C." or "Cr.P.C." at `j`."""
    k = j
    while (
        re.fullmatch("[A-Z][a-z]?", lexeme_at(lex, k).text) and (dot := lexeme_at(lex, k + 1)).text == "." and dot.glued
    ):
        k += 2
    return lex[k - 1].end if k >= j + 4 else None


def _hindi_initials(lex: Sequence[Lexeme], j: int) -> int | None:
    """The first lexeme of "भा.द.सं." that ends at `j`."""
    k = j
    while lexeme_at(lex, k).text == "." and lexeme_at(lex, k - 1).is_word and len(lexeme_at(lex, k - 1).text) <= 3:
        k -= 2
    return k + 1 if k <= j - 4 else None


def _in_name_before(lexeme: Lexeme, hindi: bool) -> bool:
    if hindi:
        return lexeme.is_word and lexeme.key not in ("की", "के", "में", "और", "है")
    return lexeme.is_word and (lexeme.text[:1].isupper() or lexeme.key in _JOINING)


def _cfr(lex: Sequence[Lexeme], i: int) -> tuple[str | None, int]:
    k = i
    while k > i - 8 and lexeme_at(lex, k).key in ("cfr", "c", ".", "f", "r", "§"):
        k -= 1
    title = lexeme_at(lex, k)
    known = title.kind == "number" and title.text.isdigit()
    return (f"{title.text} CFR", title.start) if known else (None, lex[i].start)
