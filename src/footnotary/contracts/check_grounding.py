"""The former place of `footnotary.external.answer_check`, under the names it had in version 0.1."""

from footnotary.external.answer_check import BestQuote as Decisive
from footnotary.external.answer_check import CheckedAnswer as Checked
from footnotary.external.answer_check import CheckedClaim, check_answer, is_refusal
from footnotary.external.answer_check import CitablePassage as Passage

__all__ = ["Checked", "CheckedClaim", "Decisive", "Passage", "check_answer", "is_refusal"]
