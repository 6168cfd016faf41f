"""Outcomes of every kind, from a real engine over fakes at its edges."""

from collections.abc import Callable, Sequence
from functools import cache

from footnotary.audit.bundle_content import OutcomeProvenance
from footnotary.audit.record import AuditEntry, RequestOrigin, make_audit_entry
from footnotary.corpus import Corpus
from footnotary.domain.outcome import Outcome
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.generate.chat.completion_body import UnreadableReply
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.ports import Generator
from footnotary.profiles.load import load_profile
from footnotary.profiles.overrides import override_profile
from footnotary.profiles.schema import Profile
from footnotary.replay import ReplayVerifiers
from footnotary.testing.chat_server import claims
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.scripted_models import Says, ScriptedChatModel
from footnotary.verify.run import checks_for

LEGAL = load_profile("legal")
PRIVATE = LEGAL.model_copy(update={"privacy": LEGAL.privacy.model_copy(update={"log_queries": False})})
ASKER = RequestOrigin("local", "key1", "test")
HERE = OutcomeProvenance("1.2.3", "d" * 64, {"embedder": "hash", "verifier": "", "answerability": ""})

ACT = """ACT: Indian Penal Code, 1860
CODE: IPC
KIND: act

Section 417. Punishment for cheating.
Whoever cheats shall be punished with imprisonment for a term which may extend to one year, or with fine, or with both.

Section 420. Cheating and dishonestly inducing delivery of property.
Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished with imprisonment for a term which may extend to seven years, and shall also be liable to fine.
"""
QUESTION = "What is the punishment under section 420 IPC?"
TRUE = (
    "Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished with "
    "imprisonment for a term which may extend to seven years, and shall also be liable to fine."
)
FALSE = TRUE.replace("seven years", "ninety years")


def model(*said: tuple[str, Sequence[int]]) -> ChatGenerator:
    return ChatGenerator(ScriptedChatModel(claims(*said)), LEGAL, True)


def words(said: str) -> ChatGenerator:
    return ChatGenerator(ScriptedChatModel(said), LEGAL, False)


def words_for_claims(said: str) -> ChatGenerator:
    return ChatGenerator(ScriptedChatModel(said), LEGAL, True)


def unfinished(said: str) -> ChatGenerator:
    why = "the model's reply did not finish (length)"
    return ChatGenerator(ScriptedChatModel(UnreadableReply(why, hint="", text=said)), LEGAL, True)


# Each a way in which an outcome can come about.
KINDS: dict[str, Callable[[], tuple[Generator | None, str, str]]] = {
    "extractive answer": lambda: (None, QUESTION, "law"),
    "answer of a model": lambda: (model((TRUE, [1])), QUESTION, "law"),
    "answer of a model in words": lambda: (words(f"{TRUE[:-1]} [1]."), QUESTION, "law"),
    "rejected draft": lambda: (model((FALSE, [1])), QUESTION, "law"),
    "two claims, the second false": lambda: (model((TRUE, [1]), (FALSE, [1])), QUESTION, "law"),
    "rejected draft in words": lambda: (words(f"{FALSE[:-1]} [1]. And more [7]."), QUESTION, "law"),
    "draft of another generator": lambda: (Says(FALSE, cites=("IPC_420_0",)), QUESTION, "law"),
    "quoted in place of a rejected draft": lambda: (model((FALSE, [1])), QUESTION, "law"),
    "quoted in place of an unreadable reply": lambda: (words_for_claims("Sure, here you are!"), QUESTION, "law"),
    "quoted in place of an unfinished reply": lambda: (unfinished('{"answerable": true, "cl'), QUESTION, "law"),
    "declined by the model": lambda: (words(LEGAL.refusal.en), QUESTION, "law"),
    "nothing relevant": lambda: (None, "How fast is light in a vacuum?", "law"),
    "answer from a named document": lambda: (None, f"According to ipc.txt, {QUESTION}", "law"),
    "one of two parts missing": lambda: (None, "What is the punishment for cheating and piracy?", "law"),
    "no such project": lambda: (None, QUESTION, "nowhere"),
}


_OUTCOMES: dict[tuple[str, str, str | None], Outcome] = {}


@cache
def _store() -> DictStore:
    store = DictStore()
    assert not Corpus(store, HashEmbedder()).ingest_text("ipc.txt", ACT, "law").failed
    return store


def outcome_of(kind: str = "extractive answer", profile: Profile = LEGAL, question: str | None = None) -> Outcome:
    profile = _policy(kind, profile)
    key = (kind, profile.digest, question)
    if key not in _OUTCOMES:
        _OUTCOMES[key] = _asked(kind, profile, question)
    return _OUTCOMES[key]


def _asked(kind: str, profile: Profile, question: str | None) -> Outcome:
    generator, asked, project = KINDS[kind]()
    quotes = ExtractiveGenerator(profile)
    engine = Engine(
        _store(),
        HashEmbedder(),
        generator or quotes,
        profile,
        checks_for(profile, None),
        quoter=quotes if profile.generation.on_rejected == "quote" else None,
    )
    return engine.ask(question or asked, Scope(project))


def entry(kind: str = "extractive answer", profile: Profile = LEGAL, **given) -> AuditEntry:
    profile = _policy(kind, profile)
    return make_audit_entry(outcome_of(kind, profile, given.pop("question", None)), profile, HERE, ASKER, **given)


def _policy(kind: str, profile: Profile) -> Profile:
    return override_profile(profile, on_rejected="quote") if kind.startswith("quoted") else profile


def verifiers_for(profile: Profile) -> ReplayVerifiers:
    return ReplayVerifiers(checks_for(profile, None), None, {"verifier": "", "answerability": ""})
