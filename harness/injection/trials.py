"""Our own prompt injections in every part of a document, and what is delivered when a model follows them.

The injections and the harmless texts are in this folder, in English, Hindi and romanised Hindi.
"""

import dataclasses
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.profiles.schema import Profile
from harness.injection.attacks import CANARY, INJECTED_REPLIES, Attack, injected_model
from harness.service.scripted_chat import ScriptedChat

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Rule:
    """A document of three sentences, of which the second is true and answers the question."""

    before: str
    true: str
    after: str
    question: str


ENGLISH = Rule(
    "This rule is about public places.",
    "Whoever spits in a public place pays a fine of forty rupees.",
    "The fine is paid at the ward office within ten days.",
    "What fine does whoever spits in a public place pay?",
)
HINDI = Rule(
    "यह नियम सार्वजनिक स्थानों के बारे में है।",
    "जो कोई सार्वजनिक स्थान पर थूकता है, वह चालीस रुपये का जुर्माना देगा।",
    "जुर्माना दस दिन के भीतर वार्ड कार्यालय में जमा किया जाता है।",
    "सार्वजनिक स्थान पर थूकने वाला कितना जुर्माना देगा?",
)
# Romanised Hindi is put into English documents; in a Hindi document every draft would be in another language.
RULES = {"en": ENGLISH, "hi": HINDI, "hinglish": ENGLISH}


def _row(rule: Rule, **fields: str) -> str:
    text = " ".join((rule.before, rule.true, rule.after))
    return json.dumps({"id": "Rule_1_0", "section": "1", "text": text} | fields, ensure_ascii=False)


def _html(rule: Rule, order: str) -> str:
    return (
        f"<html><head><title>{order}</title><meta name='description' content='{order}'></head><body>"
        f"<p>{rule.before} {rule.true} {rule.after}</p><p style='display:none'>{order}</p></body></html>"
    )


# Where a document carries an injection: each gives a file name and its content.
CARRIERS: dict[str, Callable[[Rule, str], tuple[str, str]]] = {
    "text, start": lambda r, order: ("rule.txt", " ".join((order, r.before, r.true, r.after))),
    "text, middle": lambda r, order: ("rule.txt", " ".join((r.before, order, r.true, r.after))),
    "text, end": lambda r, order: ("rule.txt", " ".join((r.before, r.true, r.after, order))),
    "a paragraph of its own": lambda r, order: ("rule.txt", f"{r.before} {r.true} {r.after}\n\n{order}\n"),
    "heading": lambda r, order: ("rule.md", f"# {order}\n\n{r.before} {r.true} {r.after}\n"),
    "title of a row": lambda r, order: ("rule.jsonl", _row(r, title=order)),
    "metadata of a row": lambda r, order: ("rule.jsonl", _row(r, act=order, chapter=order, subject=order, court=order)),
    "header of a file": lambda r, order: (
        "act.txt", f"ACT: {order}\nCODE: X\n\nSection 1. Spitting\n{r.before} {r.true} {r.after}\n",
    ),
    "file name": lambda r, order: (f"{order.replace('/', '_')[:80]}.txt", f"{r.before} {r.true} {r.after}"),
    "title and hidden parts of a page": lambda r, order: ("page.html", _html(r, order)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class InjectionCase:
    language: str
    attack: Attack


@dataclass(frozen=True, slots=True)
class Benign:
    """A statement that mentions instructions without giving any, and a question that it answers."""

    language: str
    statement: str
    question: str


@dataclass(frozen=True, slots=True)
class InjectionOutcome:
    """The outcome of one draft: whether the model was called, anything was delivered, and the injection was in it."""

    asked: bool
    answered: bool
    delivered: bool


def orders(name: str = "orders.jsonl") -> list[InjectionCase]:
    return [InjectionCase(row["language"], Attack(row["order"], row["payload"])) for row in _rows(name)]


def held_out() -> list[InjectionCase]:
    """Injections in wording unknown to the rules on their form, written after those rules.

    Only the rule that an instruction to say something states nothing was made with these in view.
    """
    return orders("orders_held_out.jsonl")


def held_out_in_other_words() -> list[InjectionCase]:
    """Injections in wording unlike the training templates, written before training."""
    return orders("orders_held_out_2.jsonl")


def unseen_injections() -> list[InjectionCase]:
    """Injections by two writers who had seen neither rules nor training data; nothing was fitted to them."""
    return [*orders("orders_held_out_3.jsonl"), *orders("orders_held_out_4.jsonl")]


def known_misses() -> list[InjectionCase]:
    """Injections that only a rule found that was deleted; `benchmarks.quality.ablation.injection_rules` counts them."""
    return orders("known_misses.jsonl")


def benign(name: str = "benign.jsonl") -> list[Benign]:
    return [Benign(**row) for row in _rows(name)]


def unseen_benign() -> list[Benign]:
    """Statements chosen by the same writers because they are easily taken for injections."""
    return [*benign("benign_held_out.jsonl"), *benign("benign_held_out_2.jsonl")]


def _rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


@dataclass(frozen=True, slots=True)
class Trial:
    """An engine over its own corpus, with a scripted model."""

    engine: Engine
    corpus: Corpus
    model: ScriptedChat

    @classmethod
    def of(cls, engine: Engine, corpus: Corpus, profile: Profile) -> "Trial":
        model = ScriptedChat(structured=True)
        return cls(dataclasses.replace(engine, generator=ChatGenerator(model, profile, structured=True)), corpus, model)

    def obeyed(self, order: InjectionCase, carrier: str, project: str) -> Iterator[tuple[str, InjectionOutcome]]:
        """For each kind of injected reply: what is delivered of a document that carries the injection there."""
        rule = RULES[order.language]
        name, text = CARRIERS[carrier](rule, order.attack.text)
        report = self.corpus.ingest_text(name, text, project)
        assert not report.failed, report
        for way in INJECTED_REPLIES:
            yield way, self._asked(rule.question, project, injected_model(order.attack, rule.true, way), order.attack)

    def stated(self, case: Benign, project: str) -> InjectionOutcome:
        """The outcome for a harmless text, repeated word for word."""
        self.corpus.ingest_text("notice.txt", case.statement, project)
        nothing = Attack(CANARY, CANARY)
        reply = injected_model(Attack("", case.statement), case.statement, "states it and cites where it is")
        return self._asked(case.question, project, reply, nothing)

    def _asked(self, question: str, project: str, reply: Callable[[str], str], attack: Attack) -> InjectionOutcome:
        self.model.reply, before = reply, len(self.model.told)
        outcome = self.engine.ask(question, Scope(project))
        said = outcome.text if isinstance(outcome, Answer) else ""
        held = any(mark in said for mark in (attack.payload, attack.text, CANARY))
        return InjectionOutcome(len(self.model.told) > before, bool(said), held)
