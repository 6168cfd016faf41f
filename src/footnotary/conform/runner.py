"""Runs the cases against a target, one at a time, and records the results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from footnotary.conform.case import Case, Family, TargetReply, Turn
from footnotary.conform.expectations import contract_fault
from footnotary.conform.scripted_model_server import ScriptedModelServer
from footnotary.conform.target import Target
from footnotary.errors import BackendError

CaseStatus: TypeAlias = Literal["kept", "broken", "failed", "not_measured"]

# Asked first: the reply of a system without any passages is its refusal text.
UNANSWERABLE_TURN = Turn(
    "How many days of paid leave does a worker have?",
    (),
    verbatim="Most workers in the world have about thirty days of paid leave.",
)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a case: the contract was kept or broken, the system failed, or it lacks the feature.

    `detail` says what was wrong. What was not measured does not count as kept. `drafted` says whether the model was
    called in the last turn: a refusal before that does not show how drafts are checked. `error` is set where the system
    could not be reached, or gave no reply.
    """

    case: Case
    standing: CaseStatus
    detail: str = ""
    seconds: float = 0.0
    drafted: bool = False
    error: BackendError | None = None


@dataclass(frozen=True, slots=True)
class TargetRun:
    """All results of a target; `refusal` is its refusal text, None where that is unknown."""

    target: str
    refusal: str | None
    results: tuple[CaseResult, ...]

    @property
    def is_full(self) -> bool:
        """Whether every case was measured, and the contract was kept in all of them."""
        return all(result.standing == "kept" for result in self.results)

    @property
    def keeps(self) -> bool:
        """Whether no case was broken and none failed; some may not have been measured."""
        return all(result.standing in ("kept", "not_measured") for result in self.results)

    @property
    def connection_error(self) -> BackendError | None:
        """Why the target never replied; None where it replied at least once or nothing was measured."""
        measured = [result.error for result in self.results if result.standing != "not_measured"]
        return measured[0] if measured and all(measured) else None

    def of(self, family: Family) -> tuple[CaseResult, ...]:
        return tuple(result for result in self.results if result.case.family == family)


def run_cases(
    target: Target,
    model: ScriptedModelServer,
    cases: Sequence[Case],
    *,
    refusal: str | None = None,
    step: Callable[[CaseResult], None] = lambda _: None,
) -> TargetRun:
    """Runs the cases in order; `refusal` is the target's refusal text, taken from its first reply where None."""
    heard = refusal if refusal is not None else _learn_refusal(target, model)
    results: list[CaseResult] = []
    for number, case in enumerate(cases):
        results.append(_run_case(case, f"conform{number}", target, model, heard))
        step(results[-1])
    return TargetRun(target.name, heard, tuple(results))


def _learn_refusal(target: Target, model: ScriptedModelServer) -> str | None:
    model.playing = UNANSWERABLE_TURN
    try:
        said = target.ask(UNANSWERABLE_TURN, "conform").text
    except Exception:
        return None
    # A system that repeats its model's reply has not refused.
    return None if not said.strip() or UNANSWERABLE_TURN.verbatim in said else said


def _run_case(case: Case, project: str, target: Target, model: ScriptedModelServer, refusal: str | None) -> CaseResult:
    if any(turn.streamed for turn in case.turns) and not target.streams:
        return CaseResult(case, "not_measured", "the target does not stream")
    if len({turn.tenant for turn in case.turns}) > 1 and not target.has_tenants:
        return CaseResult(case, "not_measured", "the target has only one tenant")
    reply, before = TargetReply(""), 0
    for turn in case.turns:
        model.playing, before = turn, model.asked
        try:
            reply = target.ask(turn, project)
        except Exception as error:  # any exception of the system under test fails this case and no other
            seen = f"{type(error).__name__}: {error}"[:300]
            return CaseResult(case, "failed", seen, error=error if isinstance(error, BackendError) else None)
    found = contract_fault(case, reply, refusal)
    return CaseResult(case, "broken" if found else "kept", found or "", reply.seconds, model.asked > before)
