"""What must not be in an answer: outside knowledge, the prompt, another language, excessive length."""

from collections.abc import Sequence

from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Submission
from footnotary.text.language import language_of
from footnotary.text.phrases import has_phrase
from footnotary.text.tokens import word_runs

_PROMPT_RUN = 8


def no_outside_knowledge(phrases: Sequence[str]) -> Check:
    """No claim has a phrase that announces outside knowledge, unless the cited source uses it."""

    def check(s: Submission) -> Verdict:
        for i, claim in enumerate(s.draft.claims):
            if not has_phrase(claim.text, phrases):
                continue
            cited = " ".join(chunk.text for chunk in s.evidence.cited(claim.cites))
            own = [phrase for phrase in phrases if has_phrase(claim.text, (phrase,))]
            if found := [phrase for phrase in own if not has_phrase(cited, (phrase,))]:
                detail = f"{found[0]!r} announces knowledge from outside the sources"
                return Verdict.failed("no_outside_knowledge", Reason.OUTSIDE_KNOWLEDGE, detail, (i,), phrase=found[0])
        return Verdict.passed("no_outside_knowledge")

    return check


def length_is_plausible(max_ratio: float) -> Check:
    """The answer is not much longer than its evidence: the excess would be invented."""

    def check(s: Submission) -> Verdict:
        answer = sum(len(claim.text) for claim in s.draft.claims)
        context = sum(len(hit.chunk.text) for hit in s.evidence.hits)
        ratio = answer / context if context else float("inf")
        if ratio > max_ratio:
            detail = f"the answer has {answer} characters and its sources have {context}"
            return Verdict.failed("length_is_plausible", Reason.LENGTH_IMPLAUSIBLE, detail, max_ratio=max_ratio)
        return Verdict.passed("length_is_plausible", length_ratio=ratio, max_ratio=max_ratio)

    return check


def language_matches(answer_in_question_language: bool, cross_language: bool) -> Check:
    """Each claim is in the question's language, and so are its sources unless the profile allows otherwise.

    Without a question the language is that of the answer.
    """

    def failed(detail: str, *claims: int) -> Verdict:
        return Verdict.failed("language_matches", Reason.LANGUAGE_MISMATCH, detail, claims)

    def check(s: Submission) -> Verdict:
        text = " ".join(claim.text for claim in s.draft.claims)
        asked = s.query.language if s.query.text.strip() else language_of(text)
        if answer_in_question_language and text and language_of(text) != asked:
            return failed(f"the question is in {asked!r}, the answer is not")
        for i, claim in enumerate(s.draft.claims):
            # The converse shows nothing: "IPC 420" is in no language.
            if answer_in_question_language and asked == "en" and language_of(claim.text) == "hi":
                return failed(f"the question is in {asked!r}, {claim.text!r} is not", i)
            chunks = () if cross_language else s.evidence.cited(claim.cites)
            if other := [chunk.id for chunk in chunks if language_of(chunk.text) != asked]:
                return failed(f"the question is in {asked!r}, the cited passage [{other[0]}] is not", i)
        return Verdict.passed("language_matches")

    return check


def prompt_is_not_leaked(s: Submission) -> Verdict:
    """No claim repeats eight consecutive words of the prompt, unless its source has them too."""
    runs = word_runs(s.draft.prompt, _PROMPT_RUN)
    if runs:
        for i, claim in enumerate(s.draft.claims):
            repeated = word_runs(claim.text, _PROMPT_RUN) & runs
            cited = s.evidence.cited(claim.cites) if repeated else ()
            if repeated.difference(*(word_runs(chunk.text, _PROMPT_RUN) for chunk in cited)):
                detail = "the draft repeats its instructions"
                return Verdict.failed("prompt_is_not_leaked", Reason.PROMPT_LEAKED, detail, (i,))
    return Verdict.passed("prompt_is_not_leaked")
