"""pytest: the fixture `assert_grounded`, for tests of any system that answers from passages."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import pytest


class AssertGrounded(Protocol):
    def __call__(
        self,
        answer: str,
        passages: Mapping[str, str] | Sequence[str],
        *,
        question: str = "",
        cited: bool = True,
        profile: str = "default",
    ) -> None:
        """Fails the test, naming each check, unless every sentence cites a passage that supports it.

        Passages are texts by id, or a list of texts; an answer cites them by id or by position, `[1]`. With `cited`
        false it need not cite, and is checked against all of them.
        """
        ...


@pytest.fixture(scope="session")
def assert_grounded() -> AssertGrounded:
    """Checks an answer against passages; see `AssertGrounded`."""

    def hold(
        answer: str,
        passages: Mapping[str, str] | Sequence[str],
        *,
        question: str = "",
        cited: bool = True,
        profile: str = "default",
    ) -> None:
        __tracebackhide__ = True
        named = passages if isinstance(passages, Mapping) else {f"P{n}": text for n, text in enumerate(passages, 1)}
        found = _findings(answer, named, question, cited, profile)
        if found:
            pytest.fail("the answer is not grounded:\n" + "\n".join(f"  {line}" for line in found), pytrace=False)

    return hold


def _findings(answer: str, named: Mapping[str, str], question: str, cited: bool, profile: str) -> list[str]:
    # Imported on first use: pytest loads this file in every run on a machine that has Footnotary installed.
    if not cited:
        from footnotary.wiring import verify_claim

        verdict = verify_claim(answer, list(named.values()), profile=profile)
        said = [f"{reason}: {detail}" for reason, detail in zip(verdict.reasons, verdict.details, strict=True)]
        return [] if verdict.supported else said or [f"support {verdict.score:.2f}"]
    from footnotary.integrations.framework_answers import verdicts_on

    found = verdicts_on(answer, list(named.items()), question=question, profile=profile)
    return [f"{verdict.reason}: {verdict.detail}" for verdict in found if verdict.status != "pass"]
