"""What happens to drafts of a real model: true ones refused and unsupported ones delivered, by the check that decides.

    python -m benchmarks.llm.drafts --folder FOLDER [--tiers small large] [--sample N] [--read-only]

FOLDER has `questions.jsonl.gz`, `requests.jsonl.gz` and `replies.jsonl.gz` of `benchmarks.llm.peers`; the part "drafts" is
played. A draft counts as true or not only if a person has read it: `drafts_reading.jsonl` beside this file has the key of a
draft and a verdict, "true" (every claim is stated by the passages it cites, and answers), "beside" (stated, but no
answer to the question) or "false", and no text of anybody. `--sample N` prints N drafts that nobody has read yet, for
reading. Refusals by the gate are counted apart: no draft was asked for. Writes benchmarks/results/llm/drafts.json and .md.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.llm.peers.complete import recorded_replies
from benchmarks.llm.peers.questions import PeerQuestion, read_questions, read_rows
from benchmarks.llm.peers.replay import PlayedOutcome, played

READING = Path(__file__).with_name("drafts_reading.jsonl")
RESULTS = Path(__file__).parents[1] / "results" / "llm"
MAX_TOKENS = 200
TRUE, BESIDE, FALSE = "true", "beside", "false"


def read_verdicts(path: Path = READING) -> dict[str, str]:
    """The verdict of a person on each draft read, by key."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {row["key"]: row["verdict"] for row in map(json.loads, lines)}


def ended(outcome: PlayedOutcome) -> str:
    """ "delivered", or why not: the gate, the model itself, an unusable reply, or the reason of the first failed check."""
    one = outcome.outcome
    if one.failed:
        return "unusable reply"
    return one.why if one.refused else "delivered"


def by_verdict(verdicts: Mapping[str, str], outcomes: Sequence[PlayedOutcome]) -> dict[str, Counter[str]]:
    """How the drafts that a person has read ended, by the person's verdict."""
    found: dict[str, Counter[str]] = {verdict: Counter() for verdict in (TRUE, BESIDE, FALSE)}
    for outcome in outcomes:
        if outcome.key in verdicts:
            found[verdicts[outcome.key]][ended(outcome)] += 1
    return found


def rates(counts: Mapping[str, Counter[str]]) -> dict[str, float]:
    """Per cent, of drafts that reached the checks: true ones refused, and unsupported ones delivered."""

    def share(counted: Counter[str], *, delivered: bool) -> float:
        reached = Counter({why: n for why, n in counted.items() if not why.startswith("gate")})
        good = reached["delivered"]
        wanted = good if delivered else reached.total() - good
        return round(100 * wanted / reached.total(), 1) if reached.total() else 0.0

    return {
        "true_refused": share(counts[TRUE], delivered=False),
        "false_delivered": share(counts[FALSE], delivered=True),
        "beside_delivered": share(counts[BESIDE], delivered=True),
    }


def sampled(questions: Sequence[PeerQuestion], n: int) -> list[PeerQuestion]:
    """The first `n` that nobody has read, in an order that is the same every time."""
    known = read_verdicts()
    order = sorted(questions, key=lambda question: question.key)
    random.Random(20).shuffle(order)
    return [question for question in order if question.key not in known][:n]


def reply_texts(folder: Path) -> dict[str, str]:
    replies = recorded_replies(folder / "replies.jsonl.gz")
    rows = read_rows(folder / "requests.jsonl.gz")
    return {row["key"]: replies[row["id"]].text for row in rows if row["part"] == "drafts" and row["id"] in replies}


def for_reading(questions: Sequence[PeerQuestion], texts: Mapping[str, str]) -> Iterator[str]:
    for question in questions:
        yield f"## {question.key} {question.kind} {'answerable' if question.answerable else 'NOT answerable'}"
        yield from (f"[{n}] {passage.with_heading()}" for n, passage in enumerate(question.passages, 1))
        yield f"Q: {question.question}\nGOLD: {question.answers}\nDRAFT: {texts.get(question.key)}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--tiers", nargs="+", default=["small", "large"])
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--read-only", action="store_true", help="play only the drafts that a person has read")
    options = parser.parse_args()
    questions = [q for q in read_questions(options.folder / "questions.jsonl.gz") if q.part == "drafts"]
    if options.sample:
        print("\n".join(for_reading(sampled(questions, options.sample), reply_texts(options.folder))))
        return
    verdicts = read_verdicts()
    asked = [q for q in questions if q.key in verdicts] if options.read_only else questions
    replies = recorded_replies(options.folder / "replies.jsonl.gz")
    outcomes = played(options.tiers, asked, options.folder, replies, None, MAX_TOKENS)
    result = {
        "drafts": len(asked),
        "read_by_a_person": dict(Counter(verdicts.values())),
        "tiers": {
            tier: {
                "all": dict(Counter(map(ended, outcomes[tier])).most_common()),
                "read": {verdict: dict(c.most_common()) for verdict, c in by_verdict(verdicts, outcomes[tier]).items()},
                **rates(by_verdict(verdicts, outcomes[tier])),
            }
            for tier in options.tiers
        },
    }
    write(result, options.tiers)


def write(result: Mapping[str, object], tiers: Sequence[str]) -> None:
    tables: Mapping[str, dict[str, object]] = result["tiers"]  # type: ignore[assignment]
    read: Mapping[str, int] = result["read_by_a_person"]  # type: ignore[assignment]
    lines = [
        "# Drafts of a real model",
        "",
        f"`python -m benchmarks.llm.drafts --folder FOLDER --tiers {' '.join(tiers)}`: {result['drafts']} drafts played, "
        f"{sum(read.values())} read by one person ({', '.join(f'{n} {verdict}' for verdict, n in read.items())}).",
        "Rates are of the read drafts that reached the checks, in per cent.",
        "",
        "| tier | true refused | unsupported delivered | beside the question delivered |",
        "|---|--:|--:|--:|",
    ]
    for tier in tiers:
        row = tables[tier]
        lines.append(f"| {tier} | {row['true_refused']} | {row['false_delivered']} | {row['beside_delivered']} |")
    for tier in tiers:
        read_counts: Mapping[str, Mapping[str, int]] = tables[tier]["read"]  # type: ignore[assignment]
        for verdict, counted in read_counts.items():
            said = ", ".join(f"{why} {n}" for why, n in counted.items())
            lines += ["", f"{tier}, read as {verdict}: {said or 'none'}."]
    print("\n".join(lines))
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "drafts.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "drafts.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
