"""How many follow-ups are asked as what they mean: `python -m benchmarks.quality.follow_ups`.

Nothing was learned or chosen on these pairs. With `--model`, a chat model rewrites what the reader leaves open, and, alone,
everything. Writes
benchmarks/results/answering/follow_ups.json and .md.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality.follow_ups.scoring import FILES, FollowUpPair, invented, read_pairs, score
from footnotary.domain.conversation import AskedQuestion
from footnotary.gate.follow_up import follow_up
from footnotary.profiles.load import load_profile

RESULTS = Path(__file__).parents[2] / "results" / "answering" / "follow_ups.json"
Way = Callable[[FollowUpPair], AskedQuestion]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="also measure this chat model")
    parser.add_argument("--base-url", help="of the server of the model")
    parser.add_argument("--files", nargs="+", choices=FILES, default=FILES, help="measure only these")
    parser.add_argument("--show", action="store_true", help="print what is not right")
    given = parser.parse_args()
    profile = load_profile("default")

    def by_reader(pair: FollowUpPair) -> AskedQuestion:
        return follow_up(pair.typed, pair.history, profile)

    def as_typed(pair: FollowUpPair) -> AskedQuestion:
        return AskedQuestion(pair.typed, pair.typed)

    ways: dict[str, Way] = {"asked as typed": as_typed, "reader": by_reader}
    if given.model:
        ways |= model_ways(given.model, given.base_url, by_reader)
    found = {name: measure(way, given.files, show=given.show and way is by_reader) for name, way in ways.items()}
    if RESULTS.exists() and (given.model or len(given.files) < len(FILES)):
        held = json.loads(RESULTS.read_text(encoding="utf-8"))["ways"]
        found = held | {name: held.get(name, {}) | files for name, files in found.items()}
    RESULTS.write_text(json.dumps({"pairs": len(read_pairs()), "ways": found}, indent=1) + "\n", encoding="utf-8")
    RESULTS.with_suffix(".md").write_text("\n".join(table(found)) + "\n", encoding="utf-8")
    print("\n".join(table(found)))


def model_ways(model: str, base_url: str | None, by_reader: Way) -> dict[str, Way]:
    from footnotary.generate.chat.openai_model import OpenAIModel
    from footnotary.generate.chat.question_rewriting import ModelQuestionRewriter

    rewriter = ModelQuestionRewriter(OpenAIModel(model, base_url=base_url, max_tokens=100, timeout_s=120.0))

    def reader_then_model(pair: FollowUpPair) -> AskedQuestion:
        asked = by_reader(pair)
        if asked.status not in ("with_context", "not_understood"):
            return asked
        text = rewriter(pair.typed, pair.history)
        return asked if text is None else AskedQuestion(text, pair.typed, "rewritten", by="model")

    def model_then_reader(pair: FollowUpPair) -> AskedQuestion:
        asked = by_reader(pair)
        if asked.status == "standalone":
            return asked
        text = rewriter(pair.typed, pair.history)
        return asked if text is None else AskedQuestion(text, pair.typed, "rewritten", by="model")

    return {f"reader, then {model}": reader_then_model, f"{model}, then reader": model_then_reader}


def measure(way: Way, files: Sequence[str], *, show: bool = False) -> dict[str, Any]:
    return {file: _measured([(pair, way(pair)) for pair in read_pairs([file])], show=show) for file in files}


def _measured(asked: Sequence[tuple[FollowUpPair, AskedQuestion]], *, show: bool) -> dict[str, Any]:
    results = Counter(score(pair, question) for pair, question in asked)
    kinds = Counter(pair.kind for pair, question in asked if score(pair, question) == "right")
    for pair, question in asked:
        if show and score(pair, question) != "right":
            print(
                f"{pair.history[-1].question} | {pair.typed}\n  {question.status}: {question.text}\n  meant: {pair.accepted[0]}"
            )
    return {
        "pairs": len(asked),
        **{name: results[name] for name in ("right", "left_as_typed", "wrong")},
        "invented": sum(bool(invented(pair, question)) for pair, question in asked),
        "right_share": round(results["right"] / len(asked), 3),
        "right_by_kind": {k: f"{kinds[k]} of {n}" for k, n in sorted(Counter(p.kind for p, _ in asked).items())},
    }


def table(found: dict[str, dict[str, Any]]) -> list[str]:
    lines = [
        "# Follow-up questions",
        "",
        "Made by `python -m benchmarks.quality.follow_ups`. A rewriting is right if it has all content words of an accepted",
        "form and no others.",
        "",
        "| pairs | asked by | right | as typed although it depends on the question before | wrong | with invented words |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for way, files in found.items():
        for file, one in files.items():
            share = f"{one['right']} of {one['pairs']} ({100 * one['right_share']:.0f} %)"
            lines.append(f"| {file} | {way} | {share} | {one['left_as_typed']} | {one['wrong']} | {one['invented']} |")
    return lines


if __name__ == "__main__":
    main()
