"""Makes rows from passages: each chosen sentence gives supported claims and single-fact corruptions of it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from training.verifier.generated import clauses, logic, numbers, roles
from training.verifier.generated.paraphrase import introduce, paraphrase
from training.verifier.generated.sources import Passage, usable

Edit = Callable[[str, Random, str], str | None]
# kind: (edit, share wanted, whether the unchanged sentence is equally unsupported by the changed one)
EDITS: dict[str, tuple[Edit, float, bool]] = {
    "figure": (numbers.change_figure, 7, True),
    "figures_exchanged": (numbers.swap_figures, 3, True),
    "unit": (numbers.change_unit, 3, True),
    "date": (numbers.change_date, 5, True),
    "ordinal": (numbers.change_ordinal, 1.5, True),
    "section_number": (numbers.change_section, 3, True),
    "negation": (logic.negate, 7, True),
    "fails_to": (logic.fails_to, 1, True),
    "modality": (logic.change_modality, 6, True),
    "quantifier": (logic.change_quantifier, 5, True),
    "and_or": (logic.swap_and_or, 2.5, True),
    "comparator": (logic.change_comparator, 5, True),
    "opposite": (logic.opposite, 7, True),
    "sibling": (logic.sibling, 6, True),
    "actors_swapped": (roles.swap_actors, 12, True),
    "names_swapped": (roles.swap_names, 5, True),
    "other_name": (roles.other_name, 6, True),
    "other_actor": (roles.other_actor, 5, True),
    "relation_reversed": (roles.reverse_relation, 6, True),
    "condition_reversed": (roles.reverse_condition, 3, True),
    "direction_reversed": (roles.reverse_direction, 4, True),
    "condition_dropped": (clauses.drop_condition, 5, False),
    "overgeneralised": (clauses.overgeneralise, 3, False),
    "condition_invented": (clauses.invent_condition, 2.5, False),
    "detail_added": (clauses.add_detail, 4, False),
    "statement_added": (clauses.add_statement, 2, False),
}
ROLE_KINDS = ("actors_swapped", "relation_reversed", "condition_reversed", "direction_reversed")
LAW = ("in_acts", "gdpr")
ADDITIONS = {"condition_invented", "detail_added", "statement_added"}
LEADS = [
    "According to the passage,",
    "The text says that",
    "It is stated that",
    "As the source says,",
    "The document states that",
    "Based on the text,",
    "In short,",
]
Row = dict[str, object]
_TAIL = re.compile(
    r"[a-z] ((?:in|on|at|during|after|before|by|under|within|through) (?!(?:[^.]* )?(?:was|were|is|are|has|had|have|be|being|can|may|shall|which|who|that)\b)(?!which|whom|this|that|such|it|them|him|the same)[^,;.()\"]{6,48})\.$"
)


class Maker:
    """Turns passages into rows; keeps count so that no kind of corruption runs ahead of its share."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.made: Counter[str] = Counter()
        self.tails: dict[str, list[str]] = {}

    def rows(self, passage: Passage, elsewhere: list[str], per_passage: int) -> Iterator[Row]:
        """Rows about up to `per_passage` sentences of the passage."""
        tails = self.tails.setdefault(passage.source, [])
        tails.extend(m.group(1) for s in passage.sentences if (m := _TAIL.search(s)))
        del tails[:-300]
        indices = [i for i, s in enumerate(passage.sentences) if usable(s)]
        self.rng.shuffle(indices)
        for i in indices[:per_passage]:
            yield from self._sentence(passage, i, elsewhere)

    def role_rows(self, passage: Passage, elsewhere: list[str]) -> Iterator[Row]:
        """Rows about the sentences of a passage in which who does what to whom can be exchanged."""
        for i, sentence in enumerate(passage.sentences):
            if not usable(sentence):
                continue
            window, place, heading = self._window(passage, i, elsewhere)
            premise = " ".join([heading, *window] if heading else window)
            for kind in ROLE_KINDS:
                swapped = EDITS[kind][0](sentence, self.rng, premise)
                if not swapped or swapped in premise or not _sane(swapped):
                    continue
                true, false = sentence, swapped
                if self.rng.random() < 0.35:
                    true, false = false, true
                    window = [*window[:place], true, *window[place + 1 :]]
                    premise = " ".join([heading, *window] if heading else window)
                base = {"premise": premise, "source": passage.source, "group": passage.group}
                yield base | {
                    "claim": self._lead(self._reword(false, 0.7), passage, heading),
                    "label": 0,
                    "kind": f"{kind}/all",
                }
                yield base | {
                    "claim": self._lead(self._reword(true, 0.8), passage, heading),
                    "label": 1,
                    "kind": f"{kind}/kept",
                }
                break

    def _window(self, passage: Passage, i: int, elsewhere: list[str]) -> tuple[list[str], int, str]:
        """Sentences around i, where i is among them, and a heading for the passage."""
        before, after = self.rng.choice([(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 2), (2, 2), (0, 3)])
        start = max(0, i - before)
        window = list(passage.sentences[start : i + after + 1])
        place = i - start
        if elsewhere and self.rng.random() < 0.15:
            extra = self.rng.sample(elsewhere, min(len(elsewhere), self.rng.choice([1, 2, 3])))
            if self.rng.random() < 0.5:
                window, place = [*extra, *window], place + len(extra)
            else:
                window = [*window, *extra]
        heading = ""
        if passage.section and self.rng.random() < 0.35:
            label = (
                passage.section if passage.section.startswith(("Article", "Recital")) else f"Section {passage.section}"
            )
            heading = self.rng.choice(
                [
                    f"{passage.act}, {label}. {passage.title}.",
                    f"{label}. {passage.title}.",
                    f"{passage.section}. {passage.title}. (of {passage.act})",
                ]
            )
        return window, place, heading

    def _lead(self, claim: str, passage: Passage, heading: str) -> str:
        """The claim, sometimes after an opening; the choice does not depend on the label."""
        roll = self.rng.random()
        if claim.startswith(("Provided", "Subject", '"', "“")):
            return claim
        if heading and "ection " in heading and passage.act in heading and roll < 0.35:
            return introduce(
                claim,
                self.rng,
                self.rng.choice(
                    [
                        f"Section {passage.section} provides that",
                        f"Under section {passage.section} of {_the(passage.act)},",
                        f"Under {_the(passage.act)},",
                        f"Section {passage.section} of {_the(passage.act)} says that",
                    ]
                ),
            )
        if roll < 0.08:
            return introduce(claim, self.rng, self.rng.choice(LEADS))
        return claim

    def _sentence(self, passage: Passage, i: int, elsewhere: list[str]) -> Iterator[Row]:
        rng = self.rng
        sentence = passage.sentences[i]
        window, place, heading = self._window(passage, i, elsewhere)

        def row(sentences: list[str], claim: str, label: int, kind: str) -> Row:
            premise = " ".join([heading, *sentences] if heading else sentences)
            return {
                "premise": premise,
                "claim": self._lead(claim, passage, heading),
                "label": label,
                "kind": kind,
                "source": passage.source,
                "group": passage.group,
            }

        changed = self._corrupt(sentence, " ".join(window), window, passage.source)
        flipped = False
        if changed:
            claim, kind, symmetric = changed
            # The passage is changed instead of the claim: then the corrupted sentence is the true one, and no wording marks a lie.
            flipped = rng.random() < (0.3 if symmetric else 0.35 if kind in ADDITIONS else 0)
            if flipped:
                window = [*window[:place], claim, *window[place + 1 :]]
                lie = sentence if symmetric else self._edit(kind, sentence, " ".join(window), passage.source)
                sentence = claim
                if lie:
                    yield row(window, self._reword(lie, 0.5), 0, f"{kind}/premise")
            else:
                reworded = self._reword(claim, 0.72)
                following = window[place + 1] if place + 1 < len(window) else ""
                if (
                    rng.random() < 0.06
                    and following
                    and usable(following)
                    and len(f"{reworded} {following}".split()) < 56
                ):
                    reworded = f"{reworded} {following}"
                yield row(window, reworded, 0, kind if reworded == claim else f"{kind}/reworded")
        more = (
            self._corrupt(sentence, " ".join(window), window, passage.source)
            if rng.random() < 0.2 and not flipped
            else None
        )
        if more and more[1] != (changed or ("", "", 0))[1]:
            yield row(window, more[0], 0, more[1])
        if rng.random() < (0.97 if changed else 0.35):
            yield row(window, *self._support(sentence, window, place, flipped))
        if not flipped and rng.random() < 0.06:
            neighbour = self._unsaid(passage, i, " ".join(window))
            if neighbour:
                yield row(window, neighbour, 0, "elsewhere_in_document")

    def _reword(self, claim: str, share: float) -> str:
        """The claim in other words, in that share of cases; what it says stays as right or wrong as it was."""
        reworded = paraphrase(claim, self.rng, narrowing=False) if self.rng.random() < share else None
        return reworded[0] if reworded else claim

    def _support(self, sentence: str, window: list[str], place: int, flipped: bool) -> tuple[str, int, str]:
        rng = self.rng
        mark = "/premise" if flipped else ""
        if (
            rng.random() < 0.06
            and place + 1 < len(window)
            and usable(window[place + 1])
            and not re.match(r"Provided", window[place + 1])
            and len(sentence.split()) + len(window[place + 1].split()) < 56
        ):
            return f"{sentence} {window[place + 1]}", 1, "verbatim_two"
        reworded = paraphrase(sentence, rng) if rng.random() < 0.8 else None
        if reworded:
            return reworded[0], 1, f"reworded:{reworded[1]}{mark}"
        return sentence, 1, f"verbatim{mark}"

    def _edit(self, kind: str, sentence: str, premise: str, source: str) -> str | None:
        """The corruption of that kind; added details are mostly borrowed from other passages of the same source."""
        tails = self.tails.get(source, [])
        law = source in LAW
        if (kind in ("condition_invented", "condition_dropped") and not law) or (kind == "names_swapped" and law):
            return None
        if kind == "detail_added" and tails and self.rng.random() < (0.6 if law else 0.9):
            tail = self.rng.choice(tails)
            seen = set(re.findall(r"\w{4,}", premise.lower()))
            new = [w for w in re.findall(r"\w{4,}", tail.lower()) if w not in seen]
            return f"{sentence[:-1]} {tail}." if new and sentence.endswith(".") else None
        return EDITS[kind][0](sentence, self.rng, premise)

    def _corrupt(self, sentence: str, premise: str, window: list[str], source: str) -> tuple[str, str, bool] | None:
        """One corruption, of the applicable kind that is furthest behind its share."""
        rng = self.rng
        ranked = sorted(EDITS, key=lambda k: (self.made[k] + rng.random() * 3) / EDITS[k][1])
        # Outside the law a second subject is too often the same thing under another name.
        if source in LAW and rng.random() < 0.25:
            joined = clauses.join_subject(sentence, rng, [s for s in window if usable(s)])
            if joined and joined not in premise:
                self.made["subject_joined"] += 1
                return joined, "subject_joined", False
        for kind in ranked:
            symmetric = EDITS[kind][2]
            out = self._edit(kind, sentence, premise, source)
            if out and out != sentence and out not in premise and _sane(out):
                self.made[kind] += 1
                return out, kind, symmetric
        return None

    def _unsaid(self, passage: Passage, i: int, premise: str) -> str | None:
        """A sentence of the same document that shares words with the passage but says something else."""
        seen = set(re.findall(r"[a-z]{4,}", premise.lower()))
        best: tuple[float, str] | None = None
        for j, sentence in enumerate(passage.sentences):
            if abs(i - j) < 4 or not usable(sentence) or sentence in premise:
                continue
            words = set(re.findall(r"[a-z]{4,}", sentence.lower()))
            share = len(words & seen) / max(1, len(words))
            if len(words - seen) >= 4 and share < 0.7 and (best is None or share > best[0]):
                best = (share, sentence)
        return best[1] if best else None


def _the(act: str) -> str:
    return "the " + act[4:] if act.startswith("The ") else act if act.startswith("the ") else f"the {act}"


def _sane(text: str) -> bool:
    return not re.search(
        r"\b(\w+) \1\b(?<!had had)(?<!that that)|  |\bnot not\b|\ba [aeio]\w+|\ban [bcdfgjklmnpqrstvwxyz]\w+", text
    )


def unsaid_in_act(passages: list[Passage], count: int, rng: Random) -> Iterator[Row]:
    """Sentences of a neighbouring section, close in words, claimed of this one; and the section's own sentence as its twin."""
    made = 0
    while made < count:
        k = rng.randrange(len(passages) - 3)
        here, there = passages[k], passages[k + rng.choice([1, 2, 3])]
        if here.group != there.group:
            continue
        premise = " ".join(here.sentences[:5])
        seen = set(re.findall(r"[a-z]{4,}", premise.lower()))
        options = []
        for sentence in there.sentences:
            words = set(re.findall(r"[a-z]{4,}", sentence.lower()))
            if usable(sentence) and len(words - seen) >= 4 and 0.3 < len(words & seen) / max(1, len(words)) < 0.75:
                options.append(sentence)
        if not options or len(premise.split()) > 260:
            continue
        yield {
            "premise": premise,
            "claim": rng.choice(options),
            "label": 0,
            "kind": "neighbouring_section",
            "source": here.source,
            "group": here.group,
        }
        made += 1
        own = [s for s in here.sentences[:5] if usable(s)]
        if own:
            sentence = rng.choice(own)
            reworded = paraphrase(sentence, rng)
            yield {
                "premise": premise,
                "claim": reworded[0] if reworded else sentence,
                "label": 1,
                "kind": "own_section",
                "source": here.source,
                "group": here.group,
            }
            made += 1
