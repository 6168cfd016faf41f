"""Follow-ups made of questions that belong together: a phrase left out, pointed at, exchanged, or added.

Questions on one document are asked after each other. What both name is left out of the second or becomes a pronoun;
a phrase of one takes the place of a phrase of the other; a phrase at the end of a question is asked for alone.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from footnotary.reader.follow_up_edits import Edit, FollowUp, Words
from training.follow_ups.edits import Example, replacing, resolving

WRITTEN = Path(__file__).parents[1] / "reader" / "written"
HINDI = Path(__file__).parents[1] / "reader_hindi" / "written"
# Sets of questions of people whose licences allow it; their passages tell which questions belong together.
PUBLIC = ("squad_fre", "squad2_ud", "nq_ud", "covidqa_od", "bioasq6_9_golden", "qasper_ni", "tatqa_dev")
PREPOSITIONS = frozenset(
    "of for in on at to from under with by about during after before against between into without as per since".split()
)
DETERMINERS = frozenset("the a an my our your their this these all any each every".split())
_STARTS = frozenset(
    "what which who whom whose when where why how is are was were do does did can could may must shall should will would has have had if".split()
)
LEADS = (
    "and ",
    "and ",
    "what about ",
    "what about ",
    "how about ",
    "ok and ",
    "and what about ",
    "",
    "",
    "so ",
    "also ",
)
CORRECTIONS = (
    "no, {}",
    "sorry, {}",
    "i meant {}",
    "no i mean {}",
    "sorry i meant {}",
    "{} i mean",
    "not {old}, {}",
    "no, not {old} but {}",
    "oops {}",
    "{}, sorry",
    "actually {}",
    "rather {}",
)
WHYS = (
    "why?",
    "why",
    "why is that?",
    "how come?",
    "for what reason?",
    "why so",
    "and why?",
    "but why",
    "why is that so?",
    "what is the reason?",
    "how so?",
    "why's that",
)
OPENS = (
    "what about the other one?",
    "and the other?",
    "what else?",
    "and then?",
    "and?",
    "more",
    "tell me more",
    "go on",
    "the second one",
    "really?",
    "are you sure?",
    "what do you mean",
)
_NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][\w.’'-]*)(?: (?:of |the |de )?[A-Z][\w.’'-]*)*")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.])\d(?![\w.])")


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    answer: str


def related_questions(data: Path) -> Iterator[list[Asked]]:
    """Questions on one text, with the sentence that answers where it is known."""
    for name in ("documents", "pages"):
        for document in _lines(WRITTEN / f"{name}.jsonl.gz"):
            yield _asked_of(document)
    codes: dict[str, list[Asked]] = defaultdict(list)
    for section in _lines(WRITTEN / "codes.jsonl.gz"):
        codes[section["code"]] += _asked_of(section)
    yield from codes.values()
    for path in sorted(HINDI.glob("*.jsonl.gz")):
        for document in _lines(path):
            yield _asked_of(document)
    for name in PUBLIC:
        groups: dict[str, list[Asked]] = defaultdict(list)
        for row in _lines(data / "grounding" / "train2" / f"{name}.train.jsonl.gz"):
            passage = row["premise"] if isinstance(row["premise"], str) else " ".join(row["premise"])
            answer = row.get("answer_sentence") or ""
            if len(row["question"]) < 200:
                groups[passage[:80]].append(Asked(_question(row["question"]), " ".join(answer.split()[:40])))
        yield from groups.values()


def _asked_of(document: dict[str, Any]) -> list[Asked]:
    sentences = document.get("sentences", [])
    return [
        Asked(_question(one["q"]), sentences[one["answer"][0]] if sentences and one.get("answer") else "")
        for one in document.get("questions", ())
        if len(one["q"]) < 200
    ]


def _question(text: str) -> str:
    return re.sub(r"\s+([?.,!])", r"\1", text.strip())


def made_examples(data: Path, draw: random.Random) -> Iterator[Example]:
    groups = [list(dict.fromkeys(group)) for group in related_questions(data)]
    everything = [asked for group in groups for asked in group]
    frames = _frames(everything)
    by_preposition: dict[str, list[str]] = defaultdict(list)
    for asked in everything:
        if found := _last_phrase(asked.question):
            by_preposition[found[0].split()[0].casefold()].append(found[0])
    for group in groups:
        for number, first in enumerate(group):
            others = group[:number] + group[number + 1 :]
            same_text = draw.sample(others, min(3, len(others)))
            for second in same_text:
                yield from _about_the_same(first, second, draw)
            phrases = [found[0] for one in others if (found := _last_phrase(one.question))]
            yield from _of_one(first, phrases, by_preposition, frames, draw)
            if draw.random() < 0.3:
                other = draw.choice(everything)
                yield Example(_turn(first, draw, _typed(other.question, draw)), Edit("keep"), "made: new topic")


def _about_the_same(first: Asked, second: Asked, draw: random.Random) -> Iterator[Example]:
    """The second question with what the first names left out, or pointed at."""
    turn = _turn(first, draw, second.question)
    wanted = Words(second.question)
    shared = _shared_phrase(turn, wanted, draw)
    points = {
        "it",
        "its",
        "they",
        "them",
        "their",
        "he",
        "she",
        "his",
        "her",
        "him",
        "this",
        "that",
        "those",
        "these",
        "there",
    }
    if shared is None:
        if not points & set(wanted.keys[:6]):
            yield Example(_turn(first, draw, _typed(second.question, draw)), Edit("keep"), "made: new topic")
        return
    start, end = shared
    text, span = wanted.text, wanted.between(start, end)
    before, behind = text[: span.start], text[span.end :]
    preposition = wanted.keys[start - 1] if start else ""
    if preposition in PREPOSITIONS and draw.random() < 0.5:  # left out together with its preposition
        left = text[: wanted.places[start - 1][0]].rstrip() + behind
        kind = "made: left out"
    else:
        left, kind = before + _pronoun(wanted, start, end, draw) + behind, "made: pronoun"
    typed = _typed(left, draw)
    yield from resolving(FollowUp(Words(typed), turn.question, turn.answer), Words(_typed_wanted(text, typed)), kind)


def _typed_wanted(text: str, typed: str) -> str:
    """What is wanted, behind the words that lead to it."""
    for lead in ("and ", "ok and ", "so ", "also "):
        if typed.startswith(lead) and not text.casefold().startswith(lead):
            return lead + text
    return text


def _shared_phrase(turn: FollowUp, wanted: Words, draw: random.Random) -> tuple[int, int] | None:
    """A phrase of the second question that the first, or its answer, has word for word; the longest of a few."""
    found: list[tuple[int, int]] = []
    for source in (turn.question, turn.answer):
        held = source.keys
        for start in range(len(wanted.keys)):
            for end in range(min(start + 6, len(wanted.keys)), start, -1):
                part = wanted.keys[start:end]
                if part[0] in PREPOSITIONS or part[-1] in PREPOSITIONS | DETERMINERS | _STARTS or part[0] in _STARTS:
                    continue
                if len(part) == 1 and (
                    part[0] in DETERMINERS or len(part[0]) < 4 or part[0].endswith(("ed", "ing", "ly"))
                ):
                    continue
                if len(part) > 1 and not _is_phrase(part):
                    continue
                if any(tuple(held[at : at + len(part)]) == part for at in range(len(held))):
                    found.append((start, end))
                    break
    if not found:
        return None
    longest = max(end - start for start, end in found)
    return draw.choice([place for place in found if place[1] - place[0] == longest])


def _is_phrase(part: Sequence[str]) -> bool:
    inside = set(part[1:]) & (_STARTS | DETERMINERS - {"the"} | PREPOSITIONS - {"of", "for", "in", "on"})
    return not inside and not (part[0] in DETERMINERS and len(part) == 1)


def _pronoun(wanted: Words, start: int, end: int, draw: random.Random) -> str:
    phrase = wanted.between(start, end).of(wanted.text)
    if re.search("[\u0900-\u097f]", phrase):
        return draw.choice(("यह", "वह", "इस", "उस", "ये"))
    if phrase.endswith(("'s", "’s", "s'", "s’")):
        return draw.choice(("its", "their", "his", "her", "its"))
    last = wanted.keys[end - 1]
    object_form = start > 0 and (wanted.keys[start - 1] in PREPOSITIONS or start > 3)
    is_name = phrase[:1].isupper() and start > 0 and end - start > 1
    if is_name and draw.random() < 0.5:
        return draw.choice(("him", "her") if object_form else ("he", "she"))
    if last.endswith("s") and not last.endswith(("ss", "us", "is")):
        return draw.choice(("them", "them", "those", "these") if object_form else ("they", "they", "those", "these"))
    if start and wanted.keys[start - 1] in ("in", "at", "to") and draw.random() < 0.2:
        return "it"
    return draw.choice(("it", "it", "it", "it", "that", "this", "this one", "that one"))


def _of_one(
    first: Asked,
    phrases: Sequence[str],
    by_preposition: dict[str, list[str]],
    frames: dict[str, list[str]],
    draw: random.Random,
) -> Iterator[Example]:
    """A question asked again of something else, corrected, with a phrase added, or for its reason."""
    pairs: list[tuple[str, str]] = []  # what takes the place of what
    if others := frames.get(first.question):
        pairs += [_middle(first.question, other) for other in draw.sample(others, min(2, len(others)))]
    phrase = _last_phrase(first.question)
    if phrase is not None:
        same = [one for one in phrases if one.split()[0] == phrase[0].split()[0]] or by_preposition[
            phrase[0].split()[0].casefold()
        ]
        new = draw.choice(same)
        if new.casefold() != phrase[0].casefold():
            pairs.append((phrase[0], new) if draw.random() < 0.6 else (_bare(phrase[0]), _bare(new)))
        if len(Words(first.question).keys) - len(phrase[0].split()) > 3 and draw.random() < 0.7:
            asked = Asked(first.question[: phrase[1]].rstrip() + "?", first.answer)
            yield from _put(
                asked,
                f"{draw.choice(('', '', 'and ', 'even ', 'also '))}{phrase[0]}",
                first.question,
                "made: added",
                draw,
            )
    for pattern in (_NAME, _NUMBER):
        if (found := list(pattern.finditer(first.question))) and phrases:
            names = [one.group() for text in phrases for one in pattern.finditer(f"x {text}")]
            if names and (new := draw.choice(names)) != (old := draw.choice(found).group()):
                pairs.append((old, new))
    for old, new in pairs:
        if not old or not new or first.question.count(old) != 1:
            continue
        wanted = first.question.replace(old, new)
        if draw.random() < 0.8:
            yield from _put(first, f"{draw.choice(LEADS)}{new}", wanted, "made: exchanged", draw)
        if draw.random() < 0.35:
            said = draw.choice(CORRECTIONS).format(new, old=old)
            yield from _put(first, said, wanted, "made: corrected", draw)
    if first.answer and draw.random() < 0.12:
        yield Example(_turn(first, draw, draw.choice(WHYS)), Edit("why"), "made: why")
    if draw.random() < 0.03:
        yield Example(_turn(first, draw, draw.choice(OPENS)), Edit("open"), "made: open")


def _put(first: Asked, typed: str, wanted: str, kind: str, draw: random.Random) -> Iterator[Example]:
    turn = _turn(first, draw, _typed(typed, draw))
    if (edit := replacing(turn, Words(wanted))) is not None:
        yield Example(turn, edit, kind)


def _frames(everything: Sequence[Asked]) -> dict[str, list[str]]:
    """For each question others that differ from it in one place."""
    held: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for asked in everything:
        words = asked.question.rstrip("?").split()
        for start in range(2, len(words)):
            for end in range(start + 1, min(start + 5, len(words)) + 1):
                if end < len(words) or start >= 4:
                    held[*words[:start], "…", *words[end:]].append(asked.question)
    found: dict[str, list[str]] = defaultdict(list)
    for questions in held.values():
        distinct = list(dict.fromkeys(questions))
        if 1 < len(distinct) <= 40:
            for one in distinct:
                found[one] += [other for other in distinct if other != one][:5]
    return found


def _middle(one: str, other: str) -> tuple[str, str]:
    first, second = one.rstrip("?").split(), other.rstrip("?").split()
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    if start and first[start - 1] in DETERMINERS:
        start -= 1
    return " ".join(first[start : len(first) - end]), " ".join(second[start : len(second) - end])


def _last_phrase(question: str) -> tuple[str, int] | None:
    """The phrase with a preposition at the end of a question, and where it starts."""
    bare = question.rstrip("?.! ")
    words = [(match.start(), match.group()) for match in re.finditer(r"\S+", bare)]
    for count in range(2, min(6, len(words) - 2)):
        start, word = words[-count]
        if word.casefold() in PREPOSITIONS and word.casefold() != "of":
            inside = [text.casefold() for _, text in words[-count + 1 :]]
            return None if set(inside) & _STARTS else (bare[start:], start)
    return None


def _bare(phrase: str) -> str:
    return phrase.split(" ", 1)[1]


def _turn(first: Asked, draw: random.Random, typed: str) -> FollowUp:
    answer = first.answer if draw.random() < 0.85 else ""
    return FollowUp.of(typed, first.question, answer)


def _typed(text: str, draw: random.Random) -> str:
    """As people type: often without capitals and question mark, sometimes with a word before it."""
    if draw.random() < 0.1 and text.split()[0].casefold() in _STARTS:
        text = draw.choice(("and ", "ok and ", "so ", "also ")) + text[:1].lower() + text[1:]
    style = draw.random()
    if style < 0.35:
        text = text.rstrip("?.") if draw.random() < 0.5 else text
        return text[:1].lower() + text[1:]
    if style < 0.5:
        return text.casefold().rstrip("?.")
    return text if text.endswith(("?", ".")) or draw.random() < 0.5 else f"{text}?"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)
