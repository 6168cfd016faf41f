"""Whether the bodies, offices, people and acts that a claim names stand in its source."""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import lru_cache

from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.stopwords import STOP_WORDS
from footnotary.text.tokens import stem, word_spans, words

# Capitals that name nobody: labels of provisions, dates, money, first words of quoted speech.
_NO_NAMES = frozenset(
    "section sections sec article articles chapter clause schedule rule rules regulation part subpart"
    " paragraph para rs inr usd january february march april may june july august september october"
    " november december celsius fahrenheit monday tuesday wednesday thursday friday saturday sunday i"
    " the a an in on of it this that these those act code class page explanation example illustration proviso"
    " no yes if when where according under per any every each all however also".split()
)
# Names of one country, body or thing that share no beginning.
_ALIASES: dict[str, tuple[str, ...]] = {
    "uk": ("uk", "british", "britain", "england", "kingdom"), "british": ("uk", "britain", "england", "kingdom"),
    "us": ("us", "american", "america"), "usa": ("us", "american", "america", "usa"),
    "american": ("us", "usa", "states"),
    "united": ("us", "uk", "usa", "american", "british", "uk"), "eu": ("european", "eu"), "tv": ("television", "tv"),
    "dutch": ("netherlands",), "bachelor": ("degree",), "indian": ("bharat",), "spanish": ("spain",),
    "french": ("france",), "welsh": ("wales",), "greek": ("greece",), "danish": ("denmark",), "swiss": ("switzerland",),
}  # fmt: skip
_INSIDE = frozenset("of the and for".split())
_OFFICES = frozenset(
    "govern court commiss board tribun act code author council minist inspector secretari offic bank section hous"
    " assembl depart univers agenc corpor institut regist director ministri".split()
)
_INITIALS = re.compile(r"[A-Z][A-Za-z]{0,3}[A-Z]s?|[A-Z]{2,6}s?")
_CODE = re.compile(r"\b[A-Z]{2,7}\b")
_CAPITALISED = re.compile(r"\b[A-Z]\w{3,}")
_ROMAN = re.compile(r"[IVXLC]+")
_REACH = 3
_TITLE_CASE = 0.6


@lru_cache(maxsize=128)
def names(text: str) -> tuple[tuple[str, ...], ...]:
    """The names in `text`: runs of capitalised words, as written; a word that only opens a sentence is none."""
    if text[1:].islower():
        return ()  # no capital, or only that which opens the sentence
    found: list[tuple[str, ...]] = []
    spans = word_spans(text)
    begins = [span.start for span, _ in spans]
    starts = {begins[at] for span in sentence_spans(text) if (at := bisect_left(begins, span.start)) < len(begins)}
    run: list[str] = []
    quoted = False  # titles and quotations are held to their words elsewhere
    end = 0
    if sum(text[span.start].isupper() for span, _ in spans) > _TITLE_CASE * len(spans):
        return ()  # a heading: its capitals name nothing
    for span, folded in spans:
        raw, gap = text[span.start : span.end], text[end : span.start]
        end = span.end
        if gap.count('"') % 2 or "“" in gap or "”" in gap:
            quoted = not quoted if '"' in gap else "“" in gap
        if quoted:
            continue
        opens = span.start in starts or gap.rstrip().endswith((":", '"', "“", "(", "."))
        if run and (opens or gap.strip() not in ("", "-") or not raw[0].isupper() or folded in _NO_NAMES):
            found.append(tuple(run))
            run = []
        if raw[0].isupper() and folded not in _NO_NAMES and len(folded) > 1 and not _ROMAN.fullmatch(raw):
            run.append(f"^{raw}" if opens and not _INITIALS.fullmatch(raw) else raw)
    if run:
        found.append(tuple(run))
    return tuple(name for name in (_settled(name) for name in found) if name)


def _settled(run: tuple[str, ...]) -> tuple[str, ...]:
    """A run that opens a sentence counts as a name only if a second capital follows."""
    if run[0].startswith("^"):
        if len(run) == 1 or run[0][1:].casefold() in STOP_WORDS:
            return run[1:]
        return run
    return run


def names_disagree(claim: str, premise: str, known: Sequence[str] = ()) -> str | None:
    """The first name of the claim that neither the source nor `known` (act, court and book names) has."""
    named = names(claim)
    if not named:
        return None
    source = [stem(word) for word in words(" ".join((premise, *known)))]
    places: dict[str, list[int]] = {}
    for place, word in enumerate(source):
        places.setdefault(word, []).append(place)
    initials = "".join(word[0] for word in words(" ".join((premise, *known))) if word not in _INSIDE)
    codes = _CODE.findall(" ".join((premise, *known)))
    beginnings = {word[:4].casefold() for word in _CAPITALISED.findall(" ".join((premise, *known)))}
    for name in named:
        if name[0].startswith("^"):  # "Two Tulsa County deputies": a word that opens the sentence may be no part of it
            whole = (name[0][1:], *name[1:])
            name = (
                name[1:]
                if not _stands(whole, places, initials, codes) and stem(whole[0].lower()) not in places
                else whole
            )
        known = _ALIASES.get("".join(char for char in name[0].lower() if char.isalpha()), ())
        if any(stem(word) in places for word in known):
            continue
        if not _stands(name, places, initials, codes) and not _derived(name, beginnings):
            return f'the source does not name "{" ".join(name)}"'
    return None


def _stands(name: tuple[str, ...], places: dict[str, list[int]], initials: str, codes: Collection[str]) -> bool:
    stems = [stem(word) for word in words(" ".join(name))]
    if stems[-1] in _OFFICES:
        return all(one in places for one in stems) and (len(stems) < 2 or _near(stems[-2], stems[-1], places))
    if stems[-1] in places:
        return True  # a person may be named in full who is named by the last name alone
    if len(name) == 1 and _INITIALS.fullmatch(name[0]):
        return name[0].rstrip("s").lower() in initials
    # "Indian Penal Code" where the source says IPC: the last word, Code, is no part of the run.
    short = "".join(word[0] for word in name).upper()
    return len(name) > 1 and any(code.startswith(short) and len(code) <= len(short) + 1 for code in codes)


def _derived(name: tuple[str, ...], beginnings: set[str]) -> bool:
    """Whether a lone name begins as a word of the source does: "Chinese" of "China"."""
    return len(name) == 1 and len(name[0]) >= 4 and name[0][:4].casefold() in beginnings


def _near(one: str, other: str, places: dict[str, list[int]]) -> bool:
    """Whether `other` follows `one` within reach, as in "Central and State Governments"."""
    return any(0 < after - before <= _REACH for before in places[one] for after in places[other])
