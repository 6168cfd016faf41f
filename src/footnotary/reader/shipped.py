"""Opens the trained models that ship with the product, by name, and others from a folder of weights or a server."""

from functools import lru_cache
from pathlib import Path

from footnotary.errors import UsageError
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_injection_classifier import OnnxInjectionClassifier
from footnotary.ports import InjectionClassifier, Reader, Verifier
from footnotary.profiles.schema import Profile
from footnotary.reader.by_language import ReaderByLanguage
from footnotary.reader.cascade import CascadeReader
from footnotary.reader.follow_up_reader import FollowUpReader
from footnotary.reader.hub_verifier import HubVerifier
from footnotary.reader.language_model.calibration_file import open_calibrated_model, uncalibrated_model
from footnotary.reader.language_model.reader import LanguageModelReader, YesNoEndpoint
from footnotary.reader.language_model.server import VerifierServer
from footnotary.reader.language_model.xl import open_xl_model
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.word_reader import WordReader

SHIPPED_VERIFIERS = {"large": "verifier-large", "small": "verifier-small"}
LEXICAL = "lexical"
# Our adapter on a language model, and any other language model, both on a server.
XL, ENDPOINT = "xl", "endpoint"
_NO_SERVER = VerifierServer()


def verifier_for(profile: Profile, setting: str, server: VerifierServer = _NO_SERVER) -> Verifier | None:
    """The verifier of a profile, unless `setting` names another one; None means lexical checks alone.

    `setting` is the settings' `verifier`; "profile" leaves the choice to the profile. `server` is where "xl" and
    "endpoint" are served. No weights are loaded, and no server is asked, before the first claim that needs them.
    Raises `UsageError` for an unknown name.
    """
    return open_verifier(verifier_name(profile, setting), server)


def reader_for(profile: Profile, setting: str, server: VerifierServer = _NO_SERVER) -> Reader | None:
    """The reader of a profile; None where no model is used.

    It is the profile's verifier, loaded once for both; with a verifier from another source it is the large one. The
    large reader and one on a server use the small one as first stage. Hindi questions have a reader of their own.
    """
    name = verifier_name(profile, setting)
    if name in (XL, ENDPOINT):
        return _served_reader(name, server)
    found = open_verifier(name, server)
    if found is None:
        return None
    return _with_hindi(found if isinstance(found, OnnxReader) and name != "large" else _cascade())


def verifier_name(profile: Profile, setting: str) -> str:
    """The name of the verifier: the setting, unless it leaves the choice to the profile."""
    return profile.verification.verifier if setting == "profile" else setting


def injection_classifier_for(setting: str) -> InjectionClassifier | None:
    """The classifier of injected instructions in sources; None if the setting asks for no model."""
    return None if setting == LEXICAL else _injection_classifier()


def reranker_for(profile: Profile, setting: str) -> Reader | None:
    """The reader that reranks passages, if the profile uses one; None if the setting asks for no model."""
    if setting == LEXICAL or not profile.retrieval.rerank:
        return None
    return _open_shipped(profile.retrieval.rerank_verifier)


@lru_cache(maxsize=1)
def follow_up_reader() -> FollowUpReader | None:
    """The reader of follow-ups, the same for all profiles and settings; None where its package is left out.

    Its weights are loaded for the first follow-up.
    """
    try:
        return FollowUpReader(locate_model(SHIPPED_VERIFIERS["small"]))
    except UsageError:
        return None


@lru_cache(maxsize=1)
def _injection_classifier() -> OnnxInjectionClassifier:
    return OnnxInjectionClassifier(locate_model("injection-small"))


@lru_cache(maxsize=1)
def _cascade() -> CascadeReader:
    return CascadeReader(_open_shipped("small"), _open_shipped("large"))


@lru_cache(maxsize=4)
def _with_hindi(english: OnnxReader | CascadeReader) -> ReaderByLanguage:
    return ReaderByLanguage(english, _hindi(english))


def _hindi(claims: Verifier) -> WordReader:
    return WordReader(locate_model("reader-hindi"), locate_model("static-multilingual"), claims)


@lru_cache(maxsize=4)
def _served(name: str, server: VerifierServer) -> YesNoEndpoint:
    model = open_xl_model(locate_model("reader-xl"), server) if name == XL else open_calibrated_model(server)
    return YesNoEndpoint(model, server)


def open_uncalibrated(server: VerifierServer) -> LanguageModelReader:
    """The model behind an endpoint before it is calibrated; only for fitting the calibration."""
    return LanguageModelReader(YesNoEndpoint(uncalibrated_model(server), server), _open_shipped("large"))


@lru_cache(maxsize=4)
def _served_reader(name: str, server: VerifierServer) -> ReaderByLanguage:
    """A model on a server; in each language a local reader is the first stage and chooses the sentences."""
    model = _served(name, server)
    english = CascadeReader(_open_shipped("small"), LanguageModelReader(model, _open_shipped("large")))
    words = _hindi(english)
    known = words.languages[0] in model.model.languages
    return ReaderByLanguage(english, CascadeReader(words, LanguageModelReader(model, words)) if known else words)


@lru_cache(maxsize=len(SHIPPED_VERIFIERS))
def _open_shipped(tier: str) -> OnnxReader:
    return OnnxReader(locate_model(SHIPPED_VERIFIERS[tier]))


@lru_cache(maxsize=4)
def open_verifier(name: str, server: VerifierServer = _NO_SERVER) -> Verifier | None:
    """A verifier by its name or folder of weights; the same object every time, so that it is loaded once."""
    if name == LEXICAL:
        return None
    if name in (XL, ENDPOINT):
        return LanguageModelReader(_served(name, server), _open_shipped("large"))
    if name in SHIPPED_VERIFIERS:
        return _open_shipped(name)
    folder = Path(name)
    config = folder / "config.json"
    if not config.is_file():
        raise UsageError(
            f"there is no verifier {name!r}",
            hint=f"use {', '.join((*SHIPPED_VERIFIERS, XL, ENDPOINT, LEXICAL))}, or a folder of weights",
        )
    is_ours = '"sha256"' in config.read_text(encoding="utf-8", errors="replace")
    return OnnxReader(folder) if is_ours else HubVerifier(folder)
