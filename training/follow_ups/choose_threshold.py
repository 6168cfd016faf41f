"""How many held-out conversations are asked as what they mean, by the probability from which an edit is made.

python -m training.follow_ups.choose_threshold --weights src/footnotary/weights/judge-small
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from benchmarks.quality.follow_ups.scoring import FollowUpPair, score
from footnotary.domain.conversation import EarlierTurn
from footnotary.gate.follow_up import follow_up
from footnotary.profiles.load import load_profile
from footnotary.reader.follow_up_edits import Edit, FollowUp
from footnotary.reader.follow_up_reader import FollowUpReader
from training.follow_ups.edits import written_rows

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7)


class EditsFrom:
    """The edits of another reader, sure from a threshold on and impossible below it."""

    def __init__(self, reader: RememberedEdits, threshold: float) -> None:
        self._reader, self._threshold = reader, threshold

    def likeliest(self, turn: FollowUp) -> tuple[Edit, float]:
        edit, probability = self._reader.likeliest(turn)
        return edit, float(probability >= self._threshold)


class RememberedEdits:
    """Reads each turn once."""

    def __init__(self, reader: FollowUpReader) -> None:
        self._reader, self._found = reader, dict[tuple[str, str, str], tuple[Edit, float]]()

    def likeliest(self, turn: FollowUp) -> tuple[Edit, float]:
        key = (turn.typed.text, turn.question.text, turn.answer.text)
        if key not in self._found:
            self._found[key] = self._reader.likeliest(turn)
        return self._found[key]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    options = parser.parse_args()
    pairs = [
        FollowUpPair(
            tuple(EarlierTurn(turn["question"], turn["answer"]) for turn in row["history"]),
            row["followup"],
            row["kind"],
            (row["standalone"], *row["acceptable"]),
            row["standalone"] == row["followup"],
            "",
        )
        for row in written_rows(held_out=True)
    ]
    reader, profile = RememberedEdits(FollowUpReader(options.weights)), load_profile("default")
    for threshold in THRESHOLDS:
        edits = EditsFrom(reader, threshold)
        found = Counter(score(pair, follow_up(pair.typed, pair.history, profile, edits)) for pair in pairs)
        shares = ", ".join(f"{name} {found[name] / len(pairs):.3f}" for name in ("right", "left_as_typed", "wrong"))
        print(f"{threshold:.2f}: {shares} of {len(pairs)}", flush=True)


if __name__ == "__main__":
    main()
