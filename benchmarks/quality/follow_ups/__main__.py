"""How many follow-ups are asked as what they mean: `python -m benchmarks.quality.follow_ups`.

The patterns were chosen on the development pairs; the figures of interest are those of the held-out ones.
With `--model`, a chat model rewrites what the rules leave open, and, alone, everything.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality.follow_ups.scoring import SPLITS, FollowUpPair, invented, read_pairs, score
from footnotary.app.follow_ups import meaning_similarity
from footnotary.domain.conversation import AskedQuestion
from footnotary.gate.follow_up import follow_up
from footnotary.profiles.load import load_profile
from footnotary.wiring import open_embedder

RESULTS = Path(__file__).parents[2] / "results" / "answering" / "follow_ups.json"
Way = Callable[[FollowUpPair], AskedQuestion]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="also measure this chat model")
    parser.add_argument("--base-url", help="of the server of the model")
    parser.add_argument("--splits", nargs="+", choices=SPLITS, default=SPLITS, help="measure only these")
    given = parser.parse_args()
    profile = load_profile("default")
    similarity = meaning_similarity(open_embedder("default"))

    def by_rules(pair: FollowUpPair) -> AskedQuestion:
        return follow_up(pair.typed, pair.history, profile, similarity)

    def as_typed(pair: FollowUpPair) -> AskedQuestion:
        return AskedQuestion(pair.typed, pair.typed)

    ways: dict[str, Way] = {"asked as typed": as_typed, "rules": by_rules}
    if given.model:
        ways |= model_ways(given.model, given.base_url, by_rules)
    found = {name: measure(way, given.splits) for name, way in ways.items()}
    if RESULTS.exists() and (given.model or len(given.splits) < len(SPLITS)):
        held = json.loads(RESULTS.read_text(encoding="utf-8"))["ways"]
        found = held | {name: held.get(name, {}) | splits for name, splits in found.items()}
    RESULTS.write_text(json.dumps({"pairs": len(read_pairs()), "ways": found}, indent=1) + "\n", encoding="utf-8")
    for name, splits in found.items():
        for split, one in splits.items():
            counts = f"{one['right']} of {one['pairs']} right, {one['wrong']} wrong, invented {one['invented']}"
            print(f"{name}, {split}: {counts}")


def model_ways(model: str, base_url: str | None, by_rules: Way) -> dict[str, Way]:
    from footnotary.generate.chat.openai_model import OpenAIModel
    from footnotary.generate.chat.question_rewriting import ModelQuestionRewriter

    rewriter = ModelQuestionRewriter(OpenAIModel(model, base_url=base_url, max_tokens=100, timeout_s=120.0))

    def rules_then_model(pair: FollowUpPair) -> AskedQuestion:
        asked = by_rules(pair)
        if asked.status not in ("with_context", "not_understood"):
            return asked
        text = rewriter(pair.typed, pair.history)
        return asked if text is None else AskedQuestion(text, pair.typed, "rewritten", by=model)

    def model_then_rules(pair: FollowUpPair) -> AskedQuestion:
        asked = by_rules(pair)
        if asked.status == "standalone":
            return asked
        text = rewriter(pair.typed, pair.history)
        return asked if text is None else AskedQuestion(text, pair.typed, "rewritten", by=model)

    return {f"rules, then {model}": rules_then_model, f"{model}, then rules": model_then_rules}


def measure(way: Way, measured: Sequence[str]) -> dict[str, Any]:
    splits: dict[str, Any] = {}
    asked = [(pair, way(pair)) for pair in read_pairs() if pair.split in measured]
    for split in measured:
        own = [(pair, question) for pair, question in asked if pair.split == split]
        results = Counter(score(pair, question) for pair, question in own)
        kinds = Counter(pair.kind for pair, question in own if score(pair, question) == "right")
        splits[split] = {
            "pairs": len(own),
            **{name: results[name] for name in ("right", "left_as_typed", "wrong")},
            "invented": sum(bool(invented(pair, question)) for pair, question in own),
            "right_share": round(results["right"] / len(own), 3),
            "right_by_kind": {k: f"{kinds[k]} of {n}" for k, n in sorted(Counter(p.kind for p, _ in own).items())},
        }
    return splits


if __name__ == "__main__":
    main()
