"""Settings and a profile to what decides about claims: checks and reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from footnotary import deprecated
from footnotary.argument_types import as_texts, require_type
from footnotary.claim import ClaimVerdict, assess_claim
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.reader.shipped import injection_classifier_for
from footnotary.settings import load_settings
from footnotary.verify.run import checks_for
from footnotary.wiring.models import open_generator
from footnotary.wiring.readers import open_reader_for, open_verifier_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from footnotary.evaluate.calibration.answer_risk import RowAnswerer
    from footnotary.evaluate.grounding.scoring import RowScorers
    from footnotary.ports import Check, InjectionClassifier, Verifier
    from footnotary.replay import ReplayVerifiersLookup
    from footnotary.settings import Settings


def verify_claim(
    claim: str,
    passages: Sequence[str] | str,
    *,
    profile: str | Profile = "default",
    verifier: Verifier | Literal["profile", "lexical"] = "profile",
    judge: Verifier | Literal["profile", "words", "lexical"] | None = None,
) -> ClaimVerdict:
    """Verifies a claim against passages with the exact checks, the overlap thresholds and the entailment model of a
    profile.

    A claim of several sentences is supported if each of them is. Citation markers in it are removed first. An empty
    claim, or no passage, is not supported; no text raises, but an unknown profile does (`ProfileError`), and what is no
    text (`UsageError`).
    `verifier` is the one the settings or the profile name unless another is given; "lexical" asks no model. `judge` is
    its deprecated name.
    """
    if judge is not None:
        deprecated.warn("verify_claim(judge=...)", "verify_claim(verifier=...)")
        verifier = "lexical" if judge == "words" else judge
    require_type("claim", claim, str)
    passages = as_texts("passages", passages)
    policy = profile if isinstance(profile, Profile) else load_profile(profile)
    if verifier == "lexical":
        return assess_claim(claim, passages, policy, None)
    return assess_claim(
        claim, passages, policy, open_verifier_for(policy, load_settings()) if verifier == "profile" else verifier
    )


def open_checks(policy: Profile, settings: Settings) -> tuple[tuple[str, Check], ...]:
    """The checks of a profile with the models they use; a replayed outcome is checked by the same ones."""
    verifier, reader = open_verifier_for(policy, settings), open_reader_for(policy, settings)
    return checks_for(policy, verifier, injection_classifier_for(settings.verifier), reader)


def open_injection_classifier(settings: Settings) -> InjectionClassifier | None:
    """The classifier of instructions in sources; None in lexical mode, where rules decide."""
    return injection_classifier_for(settings.verifier)


def open_replay(settings: Settings) -> ReplayVerifiersLookup:
    """The checks and models of each profile for a replay; no model is loaded before it is needed."""
    from footnotary.replay import ReplayVerifiers

    def verifiers_for(policy: Profile) -> ReplayVerifiers:
        reader = open_reader_for(policy, settings)
        return ReplayVerifiers(open_checks(policy, settings), reader, verifier_names(policy, settings))

    return verifiers_for


def verifier_names(policy: Profile, settings: Settings) -> dict[str, str]:
    """The exact names of the weights that decide under a profile; empty where it uses none."""
    used = {
        "verifier": open_verifier_for(policy, settings),
        "answerability": open_reader_for(policy, settings),
        "injection": injection_classifier_for(settings.verifier),
    }
    return {part: model.name if model else "" for part, model in used.items()}


def open_row_answerer(policy: Profile, settings: Settings) -> RowAnswerer:
    """The answer pipeline over the passages of labelled questions, as the product would answer them."""
    from footnotary.evaluate.calibration.answer_risk import RowAnswerer

    return RowAnswerer(
        policy, open_generator(settings, policy), open_checks(policy, settings), open_reader_for(policy, settings)
    )


def open_row_scorers(profile: str, settings: Settings) -> RowScorers:
    """What evaluation measures: the product's own verdict under this profile, with the weights it ships."""
    from footnotary.evaluate.grounding.scoring import ProductScorer, RowScorers

    policy = load_profile(profile)
    verifier = open_verifier_for(policy, settings)
    name = f"guards, words and {verifier.name}" if verifier else "guards and words"
    return RowScorers(ProductScorer(policy, verifier, name), open_reader_for(policy, settings))
