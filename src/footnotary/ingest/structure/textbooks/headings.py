"""How textbooks mark their chapters, sections, and the blocks within them, one line at a time."""

import re
from collections import Counter
from collections.abc import Sequence

from footnotary.domain.document import BlockKind
from footnotary.ingest.structure.outline import word_count

_CHAPTER = re.compile(r"(?:Chapter|CHAPTER|अध्याय|पाठ)\s*(\d{1,3}|(?<=\s)[IVXL]{1,6})(?=$|[\s:.—–-])[\s:.—–-]*(.*)")
_SECTION = re.compile(r"(\d{1,3}(?:\.\d{1,3}){1,3})[.:]?\s+(\S.*)")
_TYPED = re.compile(
    r"(?P<definition>Definition|DEFINITION|परिभाषा)"
    r"|(?P<example>Example|EXAMPLE|Illustration|उदाहरण)"
    r"|(?P<theorem>Theorem|THEOREM|Lemma|Corollary|Proposition|प्रमेय|उपप्रमेय)"
    r"|(?P<exercise>Exercises?|EXERCISES?|Activity|ACTIVITY|QUESTIONS|प्रश्नावली|अभ्यास)"
    r"|(?P<explanation>Remarks?|टिप्पणी)(?=\s*(?:$|[:.—–]))"
)
_KINDS: tuple[BlockKind, ...] = ("definition", "example", "theorem", "exercise", "explanation")
_NUMBER = re.compile(r"\s*[0-9\u0966-\u096f.]*\s?[*†?]?(?:\s?\([^()\n]{1,80}\))?[*†]?")
_TYPED_END = re.compile(r"\s*(?:$|[:.—–(-])")
_ACTIVITY_START = re.compile(
    r"\s*(?:\||(?:n|■|•|▪|●)?\s*[A-Z])"
)  # "Activity 1.8 Take about 2 g ..."; "n" is a square bullet
# A block that begins within a line, because a formula above it was read as part of the line.
_BLOCK_WITHIN_LINE = re.compile(
    r"(?<=\s)(?:Example|Theorem|Activity)\s+\d{1,3}(?:\.\d{1,3})?\*?\s?:(?=\s)"
    r"|(?<=\| )Activity\s\d{1,2}\.\d{1,2}(?=$|\s\|)"
)
_SECTION_WITHIN_LINE = re.compile(r"(?<=\s)\d{1,2}\.\d{1,2}(?:\.\d{1,2})?\s(?=[A-Z][a-z]{2})")
_WORDS_BEFORE_REFERENCE = frozenset(
    "section sections fig fig. figs. figure table tables eq eq. eqn exercise exercises chapter example theorem activity"
    " in see of and to or by is was = + – - about than from".split()
)
_FIGURE_AFTER = re.compile(r"\s+Fig(?:ure)?\.\s?\d{1,3}(?:\.\d{1,3})?$")
_LETTERSPACED = re.compile(r"(?:\S ){3,30}\S")
_RUN_IN = re.compile(r"(?:Introduction|Summary)(?=\s[A-Z])|[^:]{3,80}?(?=\s?:\s)")
_MAX_HEADING_WORDS = 15


def parse_chapter_heading(text: str) -> tuple[str, str] | None:
    """ "Chapter 5: Progressions" gives "5" and "Progressions"; the title may be on the next line."""
    found = _CHAPTER.match(text)
    return (found[1], found[2].strip()) if found else None


def parse_section_heading(text: str) -> tuple[str, str] | None:
    """ "5.2 Arithmetic Progressions" gives "5.2" and the title; "4.8 + x" is not a heading."""
    found = _SECTION.match(text)
    if found is None:
        return None
    title = _FIGURE_AFTER.sub("", found[2]).strip()
    if not title[0].isalpha() and title[0] not in "“‘\"'(":
        return None
    if word_count(title) > _MAX_HEADING_WORDS or " : " in title:
        run_in = _RUN_IN.match(title)
        return (found[1], run_in[0].strip()) if run_in and word_count(run_in[0]) <= _MAX_HEADING_WORDS else None
    return (found[1], title) if len(re.findall(r"[^\W\d_]{3}", title)) else None


def parse_typed_heading(text: str, marked: bool) -> tuple[BlockKind, str] | None:
    """The kind of block a line starts, and its name: "Example 3 : Find ..." is an example named "Example 3"."""
    text = join_letterspaced(text)
    found = _TYPED.match(text)
    if found is None:
        return None
    number = _NUMBER.match(text, found.end())
    end = number.end() if number else found.end()
    named = text[:end].strip(" .")
    activity = found[0].lower() == "activity" and end > found.end() and bool(_ACTIVITY_START.match(text, end))
    announced = _TYPED_END.match(text, end) or _TYPED_END.match(text, found.end()) or activity
    if not announced and not (marked and text[found.end() :][:1].isspace()):
        return None
    return next(kind for kind in _KINDS if found[kind]), named


def join_letterspaced(text: str) -> str:
    """Letter-spaced text as a word: "EXERCISES" for "E X E R C I S E S"."""
    return text.replace(" ", "") if _LETTERSPACED.fullmatch(text) else text


def find_starts_within_line(text: str) -> list[int]:
    """Offsets within a line where further blocks or sections may begin."""
    blocks = [found.start() for found in _BLOCK_WITHIN_LINE.finditer(text)]
    sections = [
        found.start()
        for found in _SECTION_WITHIN_LINE.finditer(text)
        if text[: found.start()].rstrip().rpartition(" ")[2].lower().strip("(") not in _WORDS_BEFORE_REFERENCE
    ]
    return sorted({*blocks, *sections})


def find_chapter_number(texts: Sequence[str]) -> str | None:
    """The chapter number that most numbered sections belong to."""
    heads = Counter(found[0].split(".")[0] for text in texts if (found := parse_section_heading(text)))
    number, times = heads.most_common(1)[0] if heads else ("", 0)
    return number if times >= 2 else None


def parse_chapter_title(text: str, number: str) -> str | None:
    """The title in a line that also has the chapter number: "ARITHMETIC PROGRESSIONS 5"."""
    found = re.search(rf"(?<!\d){number}(?!\d)", text)
    title = " ".join(f"{text[: found.start()]} {text[found.end() :]}".replace("|", " ").split()) if found else ""
    return title if title.isupper() and len(title) > 3 and word_count(title) <= _MAX_HEADING_WORDS else None
