"""How acts and regulations mark their divisions and sections, one line at a time."""

import re
from dataclasses import dataclass

from footnotary.ingest.structure.outline import word_count

NUMBER = (
    r"[0-9\u0966-\u096f]+(?:-?[A-Z]{1,3}|[a-z]|[\u0915-\u0939](?![\u0900-\u097f]))?(?![A-Za-z])"
    r"(?:[.\-–][0-9]+[A-Za-z]{0,2}(?![A-Za-z0-9]))*"
)
_NAMED = re.compile(
    rf"(?P<word>Section|SECTION|Sec\.|Article|ARTICLE|Art\.|Rule|RULE|Regulation|REGULATION|§§?|धारा|अनुच्छेद|नियम)"
    rf"\s*(?P<number>{NUMBER})"
)
_ROMAN_ARTICLE = re.compile(r"(?P<word>Article|ARTICLE)\s+(?P<number>[IVXLC]{1,7})(?=$|\s*[.:—–-])")
_SEPARATOR = re.compile(r"\s*(?:[.:।—–]|-(?!\d))[\s.:—–-]*")
_OF_ACT = re.compile(r"\s*,?\s+(?:of\s+(?:the\s+)?)?[A-Za-z][A-Za-z., ]{0,60}?\s*[–—]\s*|\s+[A-Z]{2,8}\s*[:-]\s+")
_OPENING_BRACKET = r"(?:\d{0,2}\s?\[\s?)?"  # text inserted by an amendment is in brackets, with a footnote number
_NUMBER_AND_DASHED_TITLE = re.compile(
    rf"{_OPENING_BRACKET}(?P<number>{NUMBER})\.(?:\s+|(?=[A-Z“\[]))(?P<title>\S.{{0,200}}?)(?:\.\s*(?:[—–―]|--?)|[—―]|--)"
)
_REPEALED = re.compile(
    rf"{_OPENING_BRACKET}(?P<number>{NUMBER})\.(?!\d)\s*\[?(?P<title>[^\]]{{1,200}})\]\.?(?=\s*(?:Rep\b|Omitted\b|Repealed\b|$))"
)
_NUMBER_AND_TITLE = re.compile(rf"{_OPENING_BRACKET}(?P<number>{NUMBER})\.\s+(?P<title>[^\W\d_a-z].{{0,220}})$")
_UNTITLED = re.compile(
    rf"{_OPENING_BRACKET}(?P<number>{NUMBER})[.।]\s*(?=\([1-9\u0967-\u096f]|[A-Z“\"‘\[]|(?<=\s)[\u0904-\u0939])"
)
_DIVISION = re.compile(
    rf"{_OPENING_BRACKET}(?P<word>CHAPTER|Chapter|PART|Part|SUBPARTS?|Subparts?|TITLE|BOOK|SCHEDULE|Schedule|ANNEX|अध्याय|भाग|अनुसूची)\s+"
    r"(?P<number>[IVXLCDM]{1,8}[A-Z]{0,2}|[0-9\u0966-\u096f]{1,4}[A-Z]{0,2}|[A-Z]{1,2}(?:[–-][A-Z]{1,2})?)"
    r"(?=$|[\s:.—–\]-])"
)
_APPENDIX = re.compile(r"(?:Appendix|APPENDIX)\s+(?P<number>[A-Z]|\d{1,2})\s+(?:to|TO)\s+(?:Sub)?(?:[Pp]art|PART)\b")
_SCHEDULE = re.compile(
    rf"{_OPENING_BRACKET}(?:THE\s+|The\s+)?(?:(?P<ordinal>[A-Z]+(?:TH|ST|ND|RD)|FIRST|SECOND|THIRD|First|Second|Third|[A-Z][a-z]+th)\s+)?"
    r"(?P<word>SCHEDULE|Schedule|APPENDIX|ANNEXURE)(?:\s*[-–—]?\s*(?P<number>[IVX]{1,6}|\d{1,2}|[A-Z])(?=$|[\s\].:—–-]))?"
    r"[\s\].:—–-]*(?P<title>.*)"
)
# How the notes of Indian acts begin: "3. Subs. by Act 5 of 1950, s. 2, for ..." is not a section.
_NOTE = re.compile(
    r"(?:Subs|Ins|Rep|Added|Omitted|Inserted|Substituted|Cl|Clause|Proviso|Explanation|Vide|See|Cf|Now|Earlier)\b"
    r"|The (?:words?|original|brackets|figures?|proviso|explanation)\b|\d",
    re.I,
)
_SECTION_OF_ARTICLES = re.compile(r"(?:Section|SECTION)\s+(\d{1,2}|[IVX]{1,5})")
_PARTS = re.compile(r"(\d+)([A-Za-z]*)")
_ENDS_TITLE = re.compile(r"\.\s*(?:—|–|--?(?=\s|\S))|\s+[—–]\s+")
_SENTENCE = re.compile(r"[.।]\s+(?=\S)")
_MAX_TITLE_WORDS = 18
_SHORT_TITLE_WORDS = 7
_FIRST_SUBSECTION = re.compile(rf"{_OPENING_BRACKET}{NUMBER}[.।]\s*\([1१]\)\s")


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """A section heading; `end` is where it ends within its line, as section text may follow on the same line."""

    number: str
    title: str | None
    end: int


@dataclass(frozen=True, slots=True)
class Division:
    """A chapter, part or schedule; divisions of rank 0 contain those of rank 1."""

    rank: int
    word: str
    number: str
    title: str | None


def parse_named_section(line: str, marked: bool) -> SectionHeading | None:
    """ "Section 420. Cheating.", "Section 420 IPC – Cheating", "§ 164.514 Other requirements.", "धारा 420."

    A sentence that begins "Section 420 punishes ..." is not. `marked`: the file format itself marks a heading.
    """
    found = _NAMED.match(line) or _ROMAN_ARTICLE.match(line)
    if found is None:
        return None
    number, rest = normalize_section_number(found["number"]), line[found.end() :]
    if not rest.strip():
        return SectionHeading(number, None, len(line))
    separator = _SEPARATOR.match(rest) or _OF_ACT.match(rest)
    if separator:
        return _parse_titled_heading(line, number, found.end() + separator.end())
    opens = rest[:1].isspace() and (rest.lstrip()[0].isupper() or rest.lstrip()[0] in "\"'“‘[" or not rest.isascii())
    short = word_count(rest) <= _MAX_TITLE_WORDS
    bare_sign = found["word"].startswith("§") or found["word"].lower().startswith("art")
    if opens and short and (marked or bare_sign or not line.rstrip().endswith((".", "।", ";", ","))):
        return _parse_titled_heading(line, number, found.end() + len(rest) - len(rest.lstrip()))
    return None


def parse_numbered_section(line: str, dashed_only: bool) -> SectionHeading | None:
    """ "420. Cheating.—Whoever cheats ...", "13. [Queen.] Omitted ...", or, unless `dashed_only`, "420. Cheating"."""
    found = _NUMBER_AND_DASHED_TITLE.match(line)
    if found and not found["title"].rstrip().endswith((",", ":", ";")):  # "In this Act, unless the context requires,--"
        return SectionHeading(normalize_section_number(found["number"]), found["title"].strip(), found.end())
    if found := _REPEALED.match(line):
        return SectionHeading(normalize_section_number(found["number"]), found["title"].strip(" ."), found.end())
    if dashed_only:
        return None
    found = _NUMBER_AND_TITLE.match(line)
    longest = _MAX_TITLE_WORDS if line.endswith(".") else 2 * _MAX_TITLE_WORDS
    goes_on = line.endswith((",", ":", ";", "-", "–", "—", "―"))
    # Hindi has no capitals to tell a title from a wrapped line of text; a title ends with a stop, or is short.
    broken = "\u0904" <= line[-1:] <= "\u0963" and word_count(line) > _SHORT_TITLE_WORDS
    if found and word_count(line) <= longest and not goes_on and not broken and not is_amendment_note(found["title"]):
        return SectionHeading(normalize_section_number(found["number"]), found["title"].rstrip(" .:"), len(line))
    return None


def is_amendment_note(text: str) -> bool:
    """Whether the text after a number is an amendment note: "Subs. by Act 5 of 1950, s. 2, for ..."."""
    return _NOTE.match(text) is not None


def is_marginal_note(line: str) -> bool:
    """Whether a line may be a marginal note: "Short title, extent and commencement."."""
    ends = line.endswith(".") or word_count(line) <= 6
    return ends and word_count(line) <= 30 and line[:1].isupper() and not line.isupper()


def parse_untitled_section(line: str) -> SectionHeading | None:
    """ "3. (1) There shall be ...": the start of a section whose title, if any, is in the margin."""
    found = _UNTITLED.match(line)
    if found is None or word_count(line) < 5 or is_amendment_note(line[found.end() :]):
        return None
    return SectionHeading(normalize_section_number(found["number"]), None, found.end())


def starts_first_subsection(line: str) -> bool:
    """Whether a line certainly starts a section: "3. (1) ..."."""
    return _FIRST_SUBSECTION.match(line) is not None


def parse_division(line: str, marked: bool) -> Division | None:
    """ "CHAPTER XVII: OFFENCES AGAINST PROPERTY", "PART III", "अध्याय 2"; not "Part III applies to ..."."""
    if word_count(line) > _MAX_TITLE_WORDS:
        return None
    if schedule := _parse_schedule(line):
        return schedule
    if appendix := _APPENDIX.match(line):
        return Division(2, "Appendix", appendix["number"], None)
    found = _DIVISION.match(line)
    if found is None:
        return None
    rest = line[found.end() :]
    title = rest.strip(" :.—–-\t")
    separated = not title or rest.lstrip()[0] in ":.—–-["
    if not (separated or marked or line.isupper()):
        return None
    word = found["word"].capitalize()
    rank = 0 if word in ("Part", "Title", "Book", "Schedule", "Annex", "भाग", "अनुसूची") else 1
    return Division(rank, word, found["number"], title or None)


def parse_division_above_articles(text: str) -> Division | None:
    """ "Section 2" alone on a line, as a division above articles."""
    found = _SECTION_OF_ARTICLES.fullmatch(text)
    return Division(2, "Section", found[1], None) if found else None


def is_group_heading(text: str) -> bool:
    """ "Of cheating", printed between two sections, is a heading of those that follow, not text of the one before."""
    return (
        word_count(text) <= 14
        and text[:1].isupper()
        and (text[-1:].isalpha() or text[-1:] in ")’”")
        and not text.lower().startswith(("illustration", "explanation", "exception", "proviso"))
    )


def is_heading_title(text: str) -> bool:
    """A short line that is neither a sentence nor a subsection: the title below "CHAPTER II" or "Article 17"."""
    return (
        word_count(text) <= 24
        and not text.startswith(("(", "1."))
        and not text.rstrip().endswith((";", ",", ":"))
        and (text.isupper() or not text.rstrip().endswith("."))
    )


def is_schedule_heading(line: str) -> bool:
    """Whether a line is the heading of a schedule: "THE FIRST SCHEDULE", "SCHEDULE II"."""
    return word_count(line) <= _MAX_TITLE_WORDS and _parse_schedule(line) is not None


def _parse_schedule(line: str) -> Division | None:
    found = _SCHEDULE.fullmatch(line) if not _APPENDIX.match(line) else None
    if found is None or (not found["word"].isupper() and (found["title"] or line[-1] in ".;:,]")):
        return None
    title = found["title"].strip()
    if title and not (title.isupper() or title.startswith(("(", "[")) or line[found.start("title") - 1] in ".:—–-"):
        return None
    which = (found["ordinal"] or "").capitalize() or found["number"] or ""
    return Division(0, "Schedule", which, title or None)


def normalize_section_number(number: str) -> str:
    """A section's number as it is cited: "171I" for "171-I"."""
    return re.sub(r"\s?-\s?(?=[A-Z])|\s(?=[A-Z])", "", number)


def section_sort_key(number: str) -> tuple[tuple[int, str], ...]:
    """Sort key in the order of an act: 376 before 376A before 376AB before 376B before 377."""
    return tuple((int(digits), letters) for digits, letters in _PARTS.findall(number)) or ((0, ""),)


def _parse_titled_heading(line: str, number: str, start: int) -> SectionHeading:
    rest = line[start:]
    dash = _ENDS_TITLE.search(rest, 0, 220)
    if dash and word_count(rest[: dash.start()]) <= _MAX_TITLE_WORDS:
        return SectionHeading(number, rest[: dash.start()].strip(" .") or None, start + dash.end())
    if word_count(rest[:400]) <= _MAX_TITLE_WORDS and len(rest) <= 400:
        return SectionHeading(number, rest.strip().rstrip(" .:।") or None, len(line))
    stop = _SENTENCE.search(rest, 0, 220)
    if stop and word_count(rest[: stop.start()]) <= _MAX_TITLE_WORDS:
        return SectionHeading(number, rest[: stop.start()].strip(), start + stop.end())
    return SectionHeading(number, None, start)
