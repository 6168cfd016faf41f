"""Where a question may name a document: "Under the lease between A and B, who pays?", "What does handbook.md say?"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from footnotary.gate.named_act import named_law
from footnotary.gate.question_parts import LONGEST_QUESTION, opens_question
from footnotary.text.references.provisions import references

_STRONG = (
    r"consider(?:ing)?|according to|as per|per|under|pursuant to|based on|in accordance with|with reference to|"
    r"referring to"
)
_WEAK = r"in|within|for|from|of|regarding|concerning|with (?:respect|regard) to"
_LEADING = re.compile(rf"(?P<by>{_STRONG}|{_WEAK})\s+(?P<name>\S.*)", re.IGNORECASE | re.DOTALL)
# A look ahead, because one phrase may be within another.
_TRAILING = re.compile(
    rf"(?=\b(?P<by>{_STRONG}|in|of)\s+(?P<name>(?:the|our|my|your|this)\s+\S.*|\S+\.\w+))", re.IGNORECASE
)
# Anywhere: "Who signed the lease between A and B?"
_BETWEEN = re.compile(r"\bthe\s+(?P<name>(?:[\w-]+\s+){1,6}between\s+[A-Z\"“][^?;]+)")
_SAYING = re.compile(r"\bdo(?:es)?\s+(?P<name>(?:the|our|my|your)\s+.+?)\s+say\b", re.IGNORECASE)
_HINDI = re.compile(
    r"(?P<name>[^?।]+?)\s+(?:के\s+(?:अनुसार|तहत|अधीन|अंतर्गत|मुताबिक)|में)(?![\u0900-\u0963])[,;]?\s+(?P<rest>\S.*)", re.DOTALL
)
_END_OF_NAME = re.compile(r"[,;:.]\s+")
_OF = re.compile(r"^[\s,]*(?:of|in|to)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|our|my|your|this|that)\s+", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“][^\"“”]{3,200}[\"”]")
_FILE = re.compile(r"(?<!\S)[(\"'“‘]?(\w[^\s\"'“”‘’?!,;]*\.\w{2,5})(?=[\"'”’).,;:?!]*(?:\s|$))")
_TRAILING_FORMS = 4


@dataclass(frozen=True, slots=True)
class NamingPhrase:
    """Words of a question that may name a document; `name` is what it would be called.

    `asks` is the question without them, or empty if they do more than name it. `is_certain` says that the phrase names
    a document; "in the United States" may not. `is_exact` is a file name, `is_law` the name of an act, which passages
    have as a label: it names a document only if the document has exactly this name.
    """

    words: str
    name: str
    asks: str
    is_certain: bool
    is_exact: bool = False
    is_law: bool = False


def naming_phrases(text: str) -> Iterator[NamingPhrase]:
    """The phrases of a question, squeezed, that may name a document, the likeliest first; a long text has none."""
    if len(text) > LONGEST_QUESTION:
        return
    saying = (NamingPhrase(m["name"], _bare(m["name"]), "", is_certain=True) for m in _SAYING.finditer(text))
    for found in (*_leading(text), *saying, *_trailing(text)):
        named = references(found.name)
        if named:  # "Under section 5 of the lease" names a provision, which has to be read
            rest = found.name[named[-1][1].end :]
            if (of := _OF.match(rest)) is not None:
                yield NamingPhrase(found.words, _bare(rest[of.end() :]), "", found.is_certain)
        else:
            yield replace(found, is_law=named_law(found.words) == found.name)
    for found in _BETWEEN.finditer(text):
        yield NamingPhrase(found.group(), found["name"].rstrip(" ,."), "", is_certain=False)
    for file in _FILE.finditer(text):
        yield NamingPhrase(file.group(1), file.group(1), "", is_certain=True, is_exact=True)


def _leading(text: str) -> Iterator[NamingPhrase]:
    hindi = _HINDI.match(text)
    if hindi and opens_question(hindi["rest"]):
        words = text[: hindi.start("rest")].strip()
        yield NamingPhrase(words, hindi["name"].strip(), hindi["rest"], is_certain="में" not in words.split()[-1])
    found = _LEADING.match(text)
    if found is None:
        return
    for end in _END_OF_NAME.finditer(text, found.start("name")):
        rest = text[end.end() :]
        if opens_question(rest):
            name, words = text[found.start("name") : end.start()], text[: end.start()]
            certain = _is_certain(found["by"]) or _QUOTED.fullmatch(name) is not None
            yield NamingPhrase(words, _bare(name), rest, certain)
            return


def _trailing(text: str) -> Iterator[NamingPhrase]:
    """At the end, where the shortest phrase comes first: "... of the rent in the first year under the lease?"."""
    bare = text.rstrip(" ?.!")
    for found in [*_TRAILING.finditer(bare)][-_TRAILING_FORMS:][::-1]:
        before = bare[: found.start()].rstrip(" ,")
        if opens_question(before) and "," not in found["name"].split(" between ")[0]:
            certain = _is_certain(found["by"])
            only_names = certain or " between " in found["name"]
            asks = f"{before}?" if only_names and len(before.split()) > 2 else ""
            yield NamingPhrase(bare[found.start() : found.end("name")], _bare(found["name"]), asks, certain)


def _is_certain(by: str) -> bool:
    return re.fullmatch(_STRONG, by, re.IGNORECASE) is not None


def _bare(name: str) -> str:
    bare = _ARTICLE.sub("", name.strip()).strip()
    return bare[1:-1] if _QUOTED.fullmatch(bare) else bare
