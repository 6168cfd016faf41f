"""The keys of `[risk]`: the accepted risk, and the result of calibration."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class ProfileTable(BaseModel):
    """A table of a profile: an unknown key is an error, and nothing is changed after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RiskSet(ProfileTable):
    """A set of labelled rows that a risk was measured on."""

    name: str
    rows: int = Field(ge=1)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class AnswerRisk(ProfileTable):
    """How often the gate errs on labelled questions: both shares, each with its 95 % bounds.

    `footnotary calibrate` measures them; before that `statement` is empty.
    """

    statement: str = Field(default="", description="what was measured, in words; empty before")
    threshold: Share = Field(default=0.0, description="the `sufficiency.min_answerable` the statement is about")
    reader: str = Field(default="", description="the reader whose probabilities were compared; empty: none")
    false_answers: tuple[Share, Share, Share] = Field(
        default=(0.0, 0.0, 1.0), description="share of unanswerable questions let through, lower and upper bound"
    )
    wrong_refusals: tuple[Share, Share, Share] = Field(
        default=(0.0, 0.0, 1.0), description="share of answerable questions refused, lower and upper bound"
    )
    sets: tuple[RiskSet, ...] = Field(default=(), description="the sets of labelled questions")


class Risk(ProfileTable):
    """The accepted share of unsupported claims among those delivered, and whether it was established.

    `footnotary calibrate` chooses `verification.entailment_threshold` for it and writes the rest; until then
    `statement` is empty and nothing is guaranteed.
    """

    max_unsupported: float = Field(
        gt=0.0, lt=1.0, description="accepted share of unsupported claims among those delivered"
    )
    confidence: float = Field(gt=0.0, lt=1.0, description="probability with which calibration keeps that share")
    statement: str = Field(description="the guarantee established by calibration, in words; empty before calibration")
    threshold: Share = Field(description="the entailment threshold the statement is about")
    verifier: str = Field(description="the verifier whose scores were calibrated; the statement holds only for it")
    rows: int = Field(ge=0, description="number of labelled rows used for calibration")
    sha256: str = Field(pattern=r"^([0-9a-f]{64})?$", description="hash of the file of labelled rows")
    answers: AnswerRisk = Field(default=AnswerRisk(), description="errors of the gate on labelled questions")
