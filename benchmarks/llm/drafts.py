"""What the checks make of drafts of a real model: true ones refused and unsupported ones delivered, check by check.

    python -m benchmarks.llm.drafts --folder FOLDER [--tiers lexical small large] [--scores XL] [--sample N] [--cap N]

FOLDER has `questions.jsonl.gz`, `requests.jsonl.gz` and `replies.jsonl.gz` of `benchmarks.llm.peers`; of its part "drafts"
those are checked that a person has read. `drafts_reading.jsonl` beside this file has the key of a draft and the verdict,
"true" (the passages it cites state every claim, and it answers), "beside" (stated, and no answer to the question) or
"false", and no text of anybody. `--sample N` prints N further drafts for reading. The gate is left out, for it decides
before there is a draft: every draft is parsed, what is idle in it left out, and all checks of its profile run. `--scores`
plays the tier xl from stored scores. Writes benchmarks/results/llm/drafts.json and .md.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.llm.peers.complete import recorded_replies
from benchmarks.llm.peers.ours import given_evidence
from benchmarks.llm.peers.questions import PeerQuestion, read_questions, read_rows
from benchmarks.llm.peers.stored_reader import StoredReader, stored_table, xl_model
from footnotary.domain.draft import Draft
from footnotary.errors import ModelError
from footnotary.generate.chat.reply_parser import parse_claims, parse_reply
from footnotary.ports import Submission, Verifier
from footnotary.profiles.load import load_profile
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.shipped import injection_classifier_for, open_verifier, reader_for, verifier_for
from footnotary.verify.idle_sentences import leave_out_idle
from footnotary.verify.run import checks_for, verify

READING = Path(__file__).with_name("drafts_reading.jsonl")
RESULTS = Path(__file__).parents[1] / "results" / "llm"
TRUE, BESIDE, FALSE = "true", "beside", "false"
XL = "xl"
# Refused by these alone, a draft fails for what it says and not for how it is written.
MEANING = frozenset({"claims_are_entailed", "words_overlap", "answer_addresses_question"})


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """The checks that a draft failed; none: it is delivered. `usable` is false where the reply could not be parsed."""

    key: str
    failed: tuple[str, ...] = ()
    usable: bool = True
    declined: bool = False
    left_out: int = 0

    @property
    def delivered(self) -> bool:
        return self.usable and not self.declined and not self.failed


def read_verdicts(path: Path = READING) -> dict[str, str]:
    """The verdict of a person on each draft read, by key."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {row["key"]: row["verdict"] for row in map(json.loads, lines)}


class DraftChecker:
    """Checks replies with one tier of the reader."""

    def __init__(self, tier: str, table: Mapping[str, float] | None = None) -> None:
        self._tier = "large" if tier == XL else tier
        large = open_verifier("large") if tier == XL else None
        self._stored = StoredReader(large, table or {}, xl_model()) if isinstance(large, OnnxReader) else None

    def checked(self, question: PeerQuestion, reply: str) -> CheckedDraft:
        profile = load_profile(question.profile)
        by: Verifier | None = self._stored or verifier_for(profile, self._tier)
        reader = self._stored or reader_for(profile, self._tier)
        evidence = given_evidence(question, profile)
        parse = parse_claims if question.form == "schema" else parse_reply
        try:
            parsed = parse(reply, evidence, (profile.refusal.en, profile.refusal.hi))
        except ModelError:
            return CheckedDraft(question.key, usable=False)
        if parsed.declined:
            return CheckedDraft(question.key, declined=True)
        v = profile.verification
        draft = leave_out_idle(
            Draft(parsed.claims, "chat:benchmark", raw=reply, malformed=parsed.malformed),
            evidence, by, v.entailment_threshold, v.override_threshold,
        )  # fmt: skip
        checks = checks_for(profile, by, injection_classifier_for(self._tier), reader)
        verdicts = verify(Submission(evidence.query, evidence, draft), checks)
        failed = tuple(verdict.check for verdict in verdicts if verdict.status != "pass")
        return CheckedDraft(question.key, failed, left_out=len(draft.left_out))


def summarized(verdicts: Mapping[str, str], found: Sequence[CheckedDraft]) -> dict[str, object]:
    """By what a person says of a draft: how many are delivered, and which checks failed, alone or among others."""
    rows: dict[str, object] = {}
    for verdict in (TRUE, BESIDE, FALSE):
        own = [draft for draft in found if verdicts[draft.key] == verdict and not draft.declined]
        refused = [draft for draft in own if not draft.delivered]
        rows[verdict] = {
            "drafts": len(own),
            "delivered": len(own) - len(refused),
            "refused_percent": round(100 * len(refused) / len(own), 1) if own else 0.0,
            "unusable": sum(not draft.usable for draft in own),
            "by_meaning_only": sum(bool(draft.failed) and set(draft.failed) <= MEANING for draft in refused),
            "failed": dict(Counter(check for draft in refused for check in draft.failed).most_common()),
            "with_something_left_out": sum(draft.left_out > 0 for draft in own),
        }
    return rows


def sampled(questions: Sequence[PeerQuestion], n: int) -> list[PeerQuestion]:
    """The first `n` that nobody has read, in an order that is the same every time."""
    known = read_verdicts()
    order = sorted(questions, key=lambda question: question.key)
    random.Random(20).shuffle(order)
    return [question for question in order if question.key not in known][:n]


def reply_texts(folder: Path) -> dict[str, str]:
    """The replies to the requests of the part "drafts", by the key of their question."""
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
    parser.add_argument("--tiers", nargs="+", default=["lexical", "small", "large"])
    parser.add_argument("--scores", type=Path, help="stored scores of xl, as benchmarks.llm.peers has them")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="print N drafts for reading, and stop")
    parser.add_argument("--cap", type=int, default=10_000, help="check no more drafts than this")
    options = parser.parse_args()
    questions = [q for q in read_questions(options.folder / "questions.jsonl.gz") if q.part == "drafts"]
    texts = reply_texts(options.folder)
    if options.sample:
        print("\n".join(for_reading(sampled(questions, options.sample), texts)))
        return
    verdicts = read_verdicts()
    asked = [q for q in questions if q.key in verdicts and q.key in texts][: options.cap]
    table = stored_table(options.folder, options.scores) if options.scores else None
    tiers = [*options.tiers, *([XL] if table is not None else [])]
    rows: dict[str, object] = {}
    for tier in tiers:
        checker = DraftChecker(tier, table)
        rows[tier] = summarized(verdicts, [checker.checked(question, texts[question.key]) for question in asked])
    write({"drafts": len(asked), "tiers": rows})


def write(result: Mapping[str, object]) -> None:
    tiers: Mapping[str, Mapping[str, Mapping[str, object]]] = result["tiers"]  # type: ignore[assignment]
    lines = [
        "# Drafts of a real model",
        "",
        f"`python -m benchmarks.llm.drafts --folder FOLDER --tiers {' '.join(tiers)}`: {result['drafts']} drafts of "
        "Qwen2.5-Coder-1.5B-Instruct over development sets, read by one person; greedy, recorded once and played.",
        "The gate is left out. `by meaning` are refusals by a model's verdict alone.",
        "",
        "| tier | true: refused, of | by meaning | false: delivered, of | beside the question: delivered, of |",
        "|---|--:|--:|--:|--:|",
    ]
    for tier, rows in tiers.items():
        true, beside, false = rows[TRUE], rows[BESIDE], rows[FALSE]
        lines.append(
            f"| {tier} | {true['refused_percent']} % of {true['drafts']} | {true['by_meaning_only']} "
            f"| {false['delivered']} of {false['drafts']} | {beside['delivered']} of {beside['drafts']} |"
        )
    for tier, rows in tiers.items():
        failed: Mapping[str, int] = rows[TRUE]["failed"]  # type: ignore[assignment]
        said = ", ".join(f"`{check}` {count}" for check, count in failed.items())
        lines += ["", f"True drafts refused, {tier}: {said or 'none'}."]
    print("\n".join(lines))
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "drafts.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "drafts.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
