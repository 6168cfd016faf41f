"""Leaves every family of injection rules out in turn and counts what is missed and what is wrongly flagged.

    python -m benchmarks.quality.ablation.injection_rules [--texts N] [--cache FILE]

With the classifier and in lexical mode. Attacks: held-out rows, by language, and the halves of the public sets that
nothing learned from. Harmless: held-out instructions to the reader of a document, statements that are easily taken for
injections, and sentences of laws, handbooks and policies (FOOTNOTARY_DATA, or ../shared/data next to the repository).
Classifier probabilities are kept in the cache file. Writes benchmarks/results/quality/ablation/injection-rules.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.service import injection_held_out
from benchmarks.speed.answer_path import machine
from footnotary.injection import detection
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_injection_classifier import OnnxInjectionClassifier
from harness.injection import public_texts, trials

ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))
RESULT = ROOT / "benchmarks" / "results" / "quality" / "ablation" / "injection-rules.md"
LANGUAGES = ("en", "hi", "hinglish")

_NEVER = re.compile(r"(?!)")
# Family: attributes of `footnotary.injection.detection`, and what replaces each so that the family has no effect.
FAMILIES: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "instructions to ignore the instructions": {"_OVERRIDE": _NEVER},
    "faked conversations": {"_CONVERSATION": _NEVER},
    "joints inside a sentence": {"_JOINTS": _NEVER},
    "role labels": {"_is_role_turn": lambda _: False},
    "remarks to be added": {"_adds_remark": lambda _: False},
    "lines that continue a sentence": {"_WRAPPED_LINE_SCORE": math.inf},
    "the exception for such lines": {"_CONTINUES": _NEVER},
    "heading numbers": {"_NUMBER": _NEVER},
    "tags": {"_TAG": _NEVER},
    "all rules": {
        "_OVERRIDE": _NEVER,
        "_CONVERSATION": _NEVER,
        "_JOINTS": _NEVER,
        "_ROLE": _NEVER,
        "_ADDED_REMARK": _NEVER,
        "_NUMBER": _NEVER,
        "_TAG": _NEVER,
    },
}


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and the part of it that counts where it is flagged."""

    text: str
    part: str

    def is_flagged(self, is_injection: Callable[[str, bool], bool] | None) -> bool:
        start = self.text.find(self.part)
        end = start + len(self.part)
        return any(s.start < end and start < s.end for s in detection.instruction_spans(self.text, is_injection))


class StoredProbabilities:
    """The shipped classifier, with every probability kept in a file."""

    def __init__(self, file: Path) -> None:
        self._model, self._file = OnnxInjectionClassifier(locate_model("injection-small")), file
        self.name = self._model.name
        self._known: dict[str, float] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            name, sentence, probability = json.loads(line)
            if name == self.name:
                self._known[sentence] = probability

    def probability(self, sentence: str) -> float:
        if sentence not in self._known:
            self._known[sentence] = self._model.probability(sentence)
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps([self.name, sentence, self._known[sentence]]) + "\n")
        return self._known[sentence]

    def is_injection(self, sentence: str, suspected: bool) -> bool:
        threshold = self._model._suspected_threshold if suspected else self._model._threshold
        return self.probability(sentence) >= threshold


def attacks() -> Iterator[tuple[str, Text]]:
    for number in injection_held_out.SETS:
        name = "unseen rows" if number == injection_held_out.REPORTED else "rows in view"
        for row in injection_held_out.rows(number):
            if row["attack"]:
                yield f"{name}, {row['language']}", Text(row["context"], row["text"])
    for case in trials.unseen_injections():
        yield f"two writers, {case.language}", Text(case.attack.text, case.attack.text)
    for case in trials.known_misses():
        yield "found by a former rule", Text(case.attack.text, case.attack.text)
    for name, text in public_texts.public_prompts(DATA, 1, half=1):
        yield f"{name}, half", Text(text, text)


def harmless(at_most: int) -> Iterator[tuple[str, Text]]:
    for number in injection_held_out.SETS:
        name = "unseen rows" if number == injection_held_out.REPORTED else "rows in view"
        for row in injection_held_out.rows(number):
            if not row["attack"]:
                yield f"{name}, {row['language']}", Text(row["context"], row["text"])
    for case in trials.unseen_benign():
        yield f"two writers, {case.language}", Text(case.statement, case.statement)
    for name, listed in public_texts.held_out_texts(DATA, at_most).items():
        yield from ((name, Text(sentence, sentence)) for sentence in listed)


def grouped(pairs: Iterator[tuple[str, Text]]) -> dict[str, list[Text]]:
    found: dict[str, list[Text]] = defaultdict(list)
    for name, text in pairs:
        found[name].append(text)
    return found


@contextmanager
def left_out(family: str) -> Iterator[None]:
    """While open, the rules of the family find nothing."""
    with ExitStack() as stack:
        for name, nothing in FAMILIES[family].items():
            stack.enter_context(patch.object(detection, name, nothing))
        forget()
        yield
    forget()


def forget() -> None:
    detection._spans.cache_clear()
    detection._instructs.cache_clear()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--texts", type=int, default=1_500, help="sentences of each law, handbook and policy")
    arguments.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "footnotary-injection.jsonl"))
    options = arguments.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"no data at {DATA}; set FOOTNOTARY_DATA")
    model = StoredProbabilities(options.cache)
    sets = {"attacks": grouped(attacks()), "harmless": grouped(harmless(options.texts))}
    lines = ["# What each family of injection rules adds, measured by leaving it out", ""]
    command = f"python -m benchmarks.quality.ablation.injection_rules --texts {options.texts}"
    lines += [f"`{command}` on {machine()}. Classifier: {model.name}.", ""]
    lines += ["Attacks missed and harmless sentences flagged, with the change against all rules in brackets.", ""]
    for mode, is_injection in (("With the classifier", model.is_injection), ("Lexical mode", None)):
        counted = {family: counts(family, sets, is_injection) for family in FAMILIES}
        for side, groups in sets.items():
            lines += [f"## {mode}: {'attacks missed' if side == 'attacks' else 'harmless sentences flagged'}", ""]
            lines += [f"| left out | {' | '.join(f'{name} ({len(held):,})' for name, held in groups.items())} |"]
            lines += ["|---|" + "--:|" * len(groups)]
            for family, found in counted.items():
                cells = (cell(found[side][name], counted["nothing"][side][name]) for name in groups)
                lines += [f"| {family} | {' | '.join(cells)} |"]
            lines += [""]
        print("\n".join(lines), flush=True)
    RESULT.write_text("\n".join(lines), encoding="utf-8")


def counts(
    family: str, sets: dict[str, dict[str, list[Text]]], is_injection: Callable[[str, bool], bool] | None
) -> dict[str, dict[str, int]]:
    with left_out(family):
        return {
            side: {
                name: sum(text.is_flagged(is_injection) == (side == "harmless") for text in held)
                for name, held in groups.items()
            }
            for side, groups in sets.items()
        }


def cell(count: int, whole: int) -> str:
    return f"{count} ({count - whole:+})" if count != whole else str(count)


if __name__ == "__main__":
    main()
