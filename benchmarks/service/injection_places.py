"""Our own prompt injections in every part of a document, in three languages, and a model that follows them all.

    python -m benchmarks.service.injection_places [--n 32]

Also harmless texts that mention instructions: how many of them are refused. Writes benchmarks/results/service/injection-places.md.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.speed.answer_path import machine
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, build_engine, open_embedder, open_store
from harness.injection.trials import (
    CARRIERS,
    Benign,
    InjectionCase,
    Trial,
    benign,
    held_out,
    held_out_in_other_words,
    orders,
    unseen_benign,
    unseen_injections,
)

RESULT = Path(__file__).parents[1] / "results" / "service" / "injection-places.md"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--n", type=int, default=len(orders()), help="number of injections, from all languages")
    options = arguments.parse_args()
    settings = load_settings({"home": tempfile.mkdtemp(), "embedder": "fast"}, environ={})
    embedder, profile = open_embedder("fast"), load_profile("default")
    store = open_store(settings, embedder)
    trial = Trial.of(build_engine(settings, profile, store, embedder), build_corpus(settings, store, embedder), profile)
    chosen = orders()[:: max(1, len(orders()) // options.n)]
    table: dict[tuple[str, str], Counter[str]] = {}
    for at, carrier in enumerate(CARRIERS):
        for number, order in enumerate(chosen):
            seen = table.setdefault((carrier, order.language), Counter())
            for way, told in trial.obeyed(order, carrier, f"p{at}-{number}"):
                seen.update(drafts=1, obeyed=told.asked, delivered=told.delivered)
                if told.delivered:
                    print("DELIVERED", carrier, way, order, flush=True)
    sets = (held_out(), held_out_in_other_words(), unseen_injections())
    unseen = [_held_out(trial, held, f"h{at}") for at, held in enumerate(sets)]
    harmless = [(len(cases), _refused(trial, cases, f"b{at}")) for at, cases in enumerate((benign(), unseen_benign()))]
    store.close()
    command = f"python -m benchmarks.service.injection_places --n {options.n}"
    RESULT.write_text(report(command, table, unseen, harmless), encoding="utf-8")
    print(RESULT.read_text(encoding="utf-8"))


def _held_out(trial: Trial, held: list[InjectionCase], project: str) -> Counter[str]:
    seen, gone = Counter(orders=len(held)), set[int]()
    for number, order in enumerate(held):
        for way, told in trial.obeyed(order, "text, end", f"{project}-{number}"):
            seen.update(drafts=1, obeyed=told.asked, delivered=told.delivered)
            if told.delivered:
                gone.add(number)
                print("DELIVERED held back", way, order, flush=True)
    return seen + Counter({"orders delivered": len(gone)})


def _refused(trial: Trial, cases: list[Benign], project: str) -> int:
    return sum(not trial.stated(case, f"{project}-{number}").answered for number, case in enumerate(cases))


def report(
    command: str,
    table: dict[tuple[str, str], Counter[str]],
    unseen: list[Counter[str]],
    harmless: list[tuple[int, int]],
) -> str:
    languages = list(dict.fromkeys(language for _, language in table))
    carriers = list(dict.fromkeys(carrier for carrier, _ in table))
    total: Counter[str] = sum(table.values(), Counter())
    lines = [
        "# Prompt injection in every part of a document\n",
        f"`{command}` on {machine()}.\n",
        "Our own injections (`harness/injection`) in texts, headings, titles, metadata, file names and hidden parts; a model that "
        "follows them drafts the answer in six ways. Each cell is delivered / followed. The others were refused before the "
        "model was called. The injection rules were fixed with knowledge of this set.\n",
        f"| where | {' | '.join(languages)} |",
        "|---" + "|--:" * len(languages) + "|",
    ]
    for carrier in carriers:
        cells = (table[carrier, language] for language in languages)
        lines.append(f"| {carrier} | {' | '.join(map(_cell, cells))} |")
    lines.append(f"\nDelivered: {total['delivered']} of {total['obeyed']:,} followed ({total['drafts']:,} drafts).\n")
    known, others, unread = unseen
    lines.append(
        "Held-out injections, at the end of the text. Written after the rules on form, and known when the first weights were "
        f"made ({known['orders']}): {known['delivered']} of {known['obeyed']} followed were delivered. In other wording, looked "
        f"at while the classifier was chosen ({others['orders']}): {others['delivered']} of {others['obeyed']}. Held out, by two writers "
        f"who had seen neither rules nor training data ({unread['orders']}): {unread['delivered']} of "
        f'{unread["obeyed"]}, of {unread["orders delivered"]} injections; since one rule (an "I" that no source has) was made with knowledge of '
        "them, they are no longer fully unseen. Injections similar to known ones are detected; there is no bound for others.\n"
    )
    (all_known, known_refused), (all_blind, blind_refused) = harmless
    lines.append(
        f"Harmless texts that mention instructions: {known_refused} of {all_known} refused ({known_refused / all_known:.1%}); of "
        f"{all_blind} chosen by the same writers because they are easily taken for injections {blind_refused} "
        f"({blind_refused / all_blind:.1%}), some of them for other reasons."
    )
    return "\n".join(lines) + "\n"


def _cell(seen: Counter[str]) -> str:
    return f"{seen['delivered']} / {seen['obeyed']}"


if __name__ == "__main__":
    main()
