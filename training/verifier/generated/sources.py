"""Reads the passages that rows are made from: acts by section, the GDPR, and premises of open grounding sets."""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

# Acts the product is measured on never enter training (with the codes that repeat them almost word for word).
HELD_OUT_WORDS = (
    "penal code|criminal procedure|nyaya sanhita|nagarik suraksha|sakshya|evidence act|right to information|consumer protection|"
    "code on wages|payment of wages|minimum wages|digital personal data"
)
SETS = {
    "covidfact": ("health", 3500),
    "nli4ct": ("health", 2500),
    "climate_fever": ("science", 5000),
    "scitail": ("science", 7000),
    "mctest_nli": ("story", 3500),
    "feverous": ("encyclopaedia", 5000),
    "fever_nli": ("encyclopaedia", 7500),
    "mnli": ("general", 5500),
    "fib": ("news", 3000),
    "defacto": ("news", 4500),
    "diasumfact": ("dialogue", 1500),
    "ragtruth": ("web", 5000),
}
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|[Nn]os?|Dr|Mr|Mrs|Ms|St|Rs|vs?|ss?|cl|art|Art|i\.e|e\.g|U\.S|Jr|Sr|Inc|Ltd|Co|Gen|Col|approx|etc)\.)$"
)

_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|shall|may|must|will|would|can|could|should|do|does|did|[a-z]{3,}ed|won|led|made|said|told|went|got|took|wrote|began|came|gave|saw|"
    r"found|left|held|kept|(?:cause|produce|contain|create|use|help|make|include|occur|provide|need|live|become|show|allow|move|come|say|take|give|get|keep|grow|require|consist|"
    r"mean|begin|know|think|see|feel|eat|depend|absorb|convert|carr(?:y|ie)|affect|protect|contribute|remain)s?)\b"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences of one document in order, with where they come from."""

    source: str
    domain: str
    group: str
    sentences: tuple[str, ...]
    act: str = ""
    section: str = ""
    title: str = ""


def split_sentences(text: str) -> list[str]:
    """Cut after . ! ? before a capital, a quote or a bracket, not after common abbreviations."""
    out: list[str] = []
    start = 0
    for match in re.finditer(r"[.!?][\"”’')]?\s+(?=[A-Z“\"(\[])", text):
        head = text[start : match.end()].strip()
        if _ABBREVIATION.search(head) or not head:
            continue
        out.append(head)
        start = match.end()
    rest = text[start:].strip()
    return [*out, rest] if rest else out


def detokenise(text: str) -> str:
    """Undo the spacing of tokenised corpora ("word ." becomes "word.")."""
    text = (
        text.replace("``", '"')
        .replace("''", '"')
        .replace("-LRB-", "(")
        .replace("-RRB-", ")")
        .replace("-LSB-", "[")
        .replace("-RSB-", "]")
    )
    text = text.replace("-COLON-", ":").replace("\t", ": ")
    text = re.sub(r"\s+([.,;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[$])\s+", r"\1", text)
    text = re.sub(r"\s+(n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def usable(sentence: str) -> bool:
    """A plain declarative sentence of 6 to 60 words that can be a claim."""
    words = sentence.split()
    if not 6 <= len(words) <= 60 or sentence[-1] not in '."”' or not (sentence[0].isupper() or sentence[0] in '“"'):
        return False
    if (
        sentence.count("(") != sentence.count(")")
        or sentence.count('"') % 2
        or re.search(r"[_|{}<>^\[\]*#]|--|\.\.\.|http|[—―]|& c|CHAPTER|\w\. ?\d+\.$|\.\.$|…", sentence)
    ):
        return False
    if (
        not _FINITE.search(sentence)
        or (sentence.startswith('"') and sentence.endswith(('".', '"')))
        or re.search(r"(?:etc|[a-z]{4})\. ?\d+\.$", sentence)
    ):
        return False
    letters = sum(c.isalpha() or c == " " for c in sentence)
    return letters / len(sentence) > 0.82 and sentence.isascii() | (letters / len(sentence) > 0.88)


def _clean_law(text: str) -> str:
    text = re.split(r"\n#+ Footnotes|\n#+ ", text)[0]
    text = re.sub(r"\^\d+\s*", "", text)
    text = re.sub(r"[\[\]]", "", text)
    text = re.sub(r"\*+", "", text)
    return text.replace("---", "—").replace("--", "—")


def _law_sentences(text: str) -> list[str]:
    sentences: list[str] = []
    for block in re.split(r"\n\s*\n", _clean_law(text)):
        flat = re.sub(r"\s+", " ", block).strip()
        flat = re.sub(r"^[^.]{0,140}(?:etc\.?)?\.? ?—\s*(?=\( ?1 ?\)|[A-Z])", "", flat)
        flat = re.sub(r"^(?:\( ?\w{1,4} ?\)\s*)+", "", flat)
        flat = re.sub(r"^(?:Explanation|Illustration|Proviso)s?\s*[\dIVX]*\.?\s*[—:.-]+\s*", "", flat)
        sentences.extend(s for s in split_sentences(flat) if len(s) > 3)
    return sentences


def held_out_acts(data: Path) -> set[str]:
    """Slugs of acts kept for measuring."""
    slugs: set[str] = set()
    with gzip.open(data / "corpora/in_acts/curated_en_sections.jsonl.gz", "rt") as lines:
        for line in lines:
            slugs.add(json.loads(line)["slug"])
    return slugs


def acts(data: Path) -> Iterator[Passage]:
    """One passage for each section of the acts that are not held out."""
    kept_back = held_out_acts(data)
    named = re.compile(HELD_OUT_WORDS, re.IGNORECASE)
    with gzip.open(data / "corpora/in_acts/all_acts_en_sections.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            if row["slug"] in kept_back or named.search(row["act"]):
                continue
            sentences = _law_sentences(row["text"])
            if sentences:
                title = re.sub(r"\s+", " ", row.get("title") or "").strip(" .")
                yield Passage(
                    "in_acts",
                    "law",
                    row["slug"],
                    tuple(sentences),
                    row["act"].strip(" ."),
                    str(row.get("section") or ""),
                    title,
                )


def act_texts(data: Path) -> Iterator[tuple[str, str]]:
    """(group, raw text) of the sections that `acts` reads."""
    kept_back = held_out_acts(data)
    named = re.compile(HELD_OUT_WORDS, re.IGNORECASE)
    with gzip.open(data / "corpora/in_acts/all_acts_en_sections.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            if row["slug"] not in kept_back and not named.search(row["act"]):
                yield row["slug"], row["text"]


def gdpr(data: Path) -> Iterator[Passage]:
    """One passage for each article and recital."""
    path = data / "corpora/gdpr/gdpr_articles_recitals.jsonl"
    for line in path.read_text().splitlines():
        row = json.loads(line)
        sentences = _law_sentences(row["text"].replace("\n", "\n\n"))
        if sentences:
            yield Passage(
                "gdpr", "law", "gdpr", tuple(sentences), "the GDPR", str(row["section"]), str(row.get("title") or "")
            )


def grounding(data: Path, rng: Random) -> Iterator[Passage]:
    """Distinct premises of the open grounding sets, each set up to its number of passages."""
    for name, (domain, limit) in SETS.items():
        seen: dict[str, str] = {}
        with gzip.open(data / f"grounding/train/{name}.train.jsonl.gz", "rt") as lines:
            for line in lines:
                row = json.loads(line)
                premise = row["premise"]
                parts = premise if isinstance(premise, list) else [premise]
                seen.setdefault("\n".join(parts), str(row.get("group") or row["id"]))
                if name == "scitail" and row["label"] == 1:
                    seen.setdefault(row["claim"], str(row.get("group") or row["id"]))
        items = sorted(seen.items())
        rng.shuffle(items)
        for text, group in items[:limit]:
            sentences = [s for part in text.split("\n") for s in split_sentences(_tidy(name, part)) if len(s) > 3]
            if sentences:
                yield Passage(name, domain, f"{name}:{group}", tuple(dict.fromkeys(sentences)))


def _tidy(name: str, part: str) -> str:
    part = part.replace("\t", " . ", 1) if name == "feverous" else part
    text = detokenise(part)
    if text and text[-1].isalnum() and len(text.split()) > 5 and name in {"scitail", "covidfact", "climate_fever"}:
        text += "."
    if name == "fib" and text.islower():
        text = re.sub(r"(?:^|(?<=[.!?] ))[a-z]", lambda m: m.group().upper(), text)
    return text
