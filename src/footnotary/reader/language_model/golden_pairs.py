"""Two pairs that every model on a server must answer correctly, to check that the right model is served."""

from footnotary.errors import ModelError
from footnotary.ports import Verifier

_EVIDENCE = "The boxes have to be stored in a dry room. The caretaker opens the room at eight in the morning."
SUPPORTED, UNSUPPORTED = "The caretaker opens the room in the morning.", "The boxes may be stored in the open."
_EVEN = 0.5


def check_round_trip(verifier: Verifier, url: str) -> str:
    """Asks both pairs and returns the replies in words. Raises `ModelError` if the server fails or one answer is wrong.

    The pairs share their evidence, so that the second is read from the server's cache.
    """
    found = verifier.support([(SUPPORTED, (_EVIDENCE,)), (UNSUPPORTED, (_EVIDENCE,))])
    figures = f"{found[0]:.2f} for a supported claim, {found[1]:.2f} for an unsupported one"
    if not found[0] >= _EVEN > found[1]:
        raise ModelError(
            f"{verifier.name} at {url} gives {figures}",
            hint="check that the server runs the model that verifier_model names, for xl with its adapter",
        )
    return f"{verifier.name} at {url} works ({figures})"
