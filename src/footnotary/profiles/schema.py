"""The keys of a profile, and the contract that no profile may loosen."""

import hashlib
import json
import weakref
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Share = Annotated[float, Field(ge=0.0, le=1.0)]

_digests: dict[int, str] = {}

OnDisagreement = Literal["refuse", "state_both", "ignore"]
InForce = Literal["any", "prefer", "require"]
Release = Literal["whole", "claim"]
MarkerStyle = Literal["semantic_id", "source_id", "source_number", "number", "footnote", "simple", "full"]

CONTRACT_CHECKS = frozenset(
    {
        "answer_has_claims",
        "markers_are_well_formed",
        "citations_resolve",
        "claims_are_cited",
        "citations_support_their_claims",
        "numbers_are_supported",
        "dates_are_supported",
        "sections_are_supported",
        "negation_agrees",
        "modality_agrees",
        "quantifiers_agree",
        "comparators_agree",
        "connectives_agree",
        "exceptions_are_kept",
        "names_are_supported",
        "roles_agree",
        "terms_are_not_substituted",
        "quotations_are_verbatim",
        "words_overlap",
        "prompt_is_not_leaked",
    }
)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Refusals(_Part):
    """The exact text of a refusal, per language of the question."""

    en: str = Field(min_length=1)
    hi: str = Field(min_length=1)

    def text(self, language: str) -> str:
        return self.hi if language == "hi" else self.en


class Retrieval(_Part):
    """How much is looked at. Scores are calibrated, between 0 and 1; thresholds are inclusive."""

    k: int = Field(ge=1, le=50, description="hits kept as evidence")
    candidates: int = Field(ge=10, le=1000, description="hits taken from each index before fusing")
    near_duplicate: Share = Field(description="word overlap from which two hits count as one")
    follow_references: bool = Field(description="add the sections that hits refer to, as sources of their own")
    model_expansion: bool = Field(description="let the chat model add search words, once the probe has passed")
    rerank: int = Field(
        ge=0, le=50, description="how many of the first hits the judge reads again and puts in order; 0: none"
    )
    rerank_judge: Literal["large", "small"] = Field(description="the weights that read them")
    rerank_weight: float = Field(
        ge=0.0, le=10.0, description="what the judge's log-odds count beside the logarithm of the place found"
    )


class Versions(_Part):
    """What counts on the day a question asks about, which is today unless it says otherwise.

    A document is in force from its `effective_from` to its `effective_to`, or until one that supersedes it begins.
    """

    in_force: InForce = Field(
        description="`any`: all documents count; `prefer`: a passage not in force gives way to one in force of the "
        "document that took its place; `require`: documents not in force are not looked at"
    )


class Sufficiency(_Part):
    """What must be there before anything is generated."""

    min_sources: int = Field(ge=0, le=20, description="distinct sources; nothing found refuses even at 0")
    min_probe_score: Share = Field(description="the best hit's score below which the question is off the corpus")
    min_source_score: Share = Field(description="the score below which a hit is no source")
    key_term_share: Share = Field(description="share of the question's key terms one source must hold")
    min_answerable: Share = Field(
        description="probability, by the large judge, that one of the three best sources answers; 0: not asked"
    )
    sure_answerable: Share = Field(
        description="probability from which one of them answers though its words are not the question's; 0: never"
    )


class Intents(_Part):
    """Phrases that tell what a question asks for, and phrases that evidence of that kind contains. Whole words."""

    asks_definition: tuple[str, ...] = Field(description="wording that always asks for a definition")
    asks_what: tuple[str, ...] = Field(description="wording that asks for one when only a term follows or precedes")
    asks_punishment: tuple[str, ...]
    asks_procedure: tuple[str, ...]
    asks_scope: tuple[str, ...]
    asks_example: tuple[str, ...]
    asks_problem: tuple[str, ...]
    defines: tuple[str, ...] = Field(description="wording of a definition, after the term it defines")
    names: tuple[str, ...] = Field(description="wording of a definition, before the term it defines")
    punishes: tuple[str, ...] = Field(description="wording of a penalty")
    penalties: tuple[str, ...] = Field(description="penalties themselves")
    proceeds: tuple[str, ...] = Field(description="wording of a procedure")
    delimits: tuple[str, ...] = Field(description="wording of scope or extent")
    illustrates: tuple[str, ...] = Field(description="wording of an example or a worked problem")


class Generation(_Part):
    max_claims: int = Field(ge=1, le=30)
    max_tokens: int = Field(ge=16, le=8192)
    instructions: str = Field(description="added to the rules a language model is given")


class Verification(_Part):
    """The checks every draft must pass, and their thresholds (inclusive)."""

    checks: tuple[str, ...]
    overlap_one_source: Share
    overlap_several_sources: Share
    sentence_overlap: Share
    grounded_share: Share
    judge: Literal["large", "small", "words"] = Field(
        description="the trained model that claims in other words than their source are shown to; `words`: none"
    )
    entailment_threshold: Share = Field(description="the score of model, words and guards together a claim must reach")
    overrule_threshold: Share = Field(
        description="the model's probability from which guards that read words and the screen of overlap give way"
    )
    max_length_ratio: float = Field(gt=0)
    min_citations_per_paragraph: int = Field(ge=0, le=10)
    outside_knowledge: tuple[str, ...] = Field(description="phrases that announce knowledge from elsewhere")

    @field_validator("checks")
    @classmethod
    def _contract_is_kept(cls, checks: tuple[str, ...]) -> tuple[str, ...]:
        missing = sorted(CONTRACT_CHECKS - set(checks))
        if missing:
            raise ValueError(f"verification.checks must contain {missing}")
        return checks


class Conflicts(_Part):
    """What happens when a source found says otherwise than what is stated; the check `sources_agree` sees to it."""

    on_disagreement: OnDisagreement = Field(
        description="`refuse`: nothing is answered; `state_both`: both sides are stated, each with its citation, or "
        "nothing is; `ignore`: it is not looked at"
    )


class Risk(_Part):
    """The share of unsupported claims a profile accepts among those delivered, and whether that was established.

    `footnotary calibrate` chooses `verification.entailment_threshold` for it and writes the rest; until then
    `statement` is empty and nothing is promised.
    """

    max_unsupported: float = Field(gt=0.0, lt=1.0, description="share of what is delivered that may be unsupported")
    confidence: float = Field(gt=0.0, lt=1.0, description="probability with which calibration keeps that share")
    statement: str = Field(description="what calibration established, in words; empty where it has not been done")
    threshold: Share = Field(description="the entailment threshold the statement is about")
    judge: str = Field(description="the judge whose scores were calibrated; the statement holds for no other")
    rows: int = Field(ge=0, description="labelled rows calibrated on")
    sha256: str = Field(pattern=r"^([0-9a-f]{64})?$", description="hash of the file of those rows")


class Languages(_Part):
    answer_in_question_language: bool
    cross_language: bool = Field(description="whether a source in another language than the question may answer")


class Presentation(_Part):
    style: MarkerStyle
    show_reading_level: bool = Field(description="report the answer's reading level beside the class")


class Streaming(_Part):
    """How an answer leaves that is read as a stream. Either way nothing leaves before it has passed every check."""

    release: Release = Field(
        description="`whole`: the claims follow once all have passed, or none does; `claim`: where a later claim "
        "fails, those before it are released if they are an answer by themselves, and the stream says it is incomplete"
    )


class Privacy(_Part):
    """What the records of an installation may hold."""

    log_queries: bool = Field(
        description="whether questions stand in the audit log in clear; where not, what is kept of an outcome is "
        "sealed, and only the id that the asker was given opens it"
    )


class Profile(_Part):
    """A policy: everything that decides what is delivered, and nothing about where things run."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,63}$")
    description: str
    refusal: Refusals
    languages: Languages
    retrieval: Retrieval
    versions: Versions
    sufficiency: Sufficiency
    intents: Intents
    glossary: dict[str, tuple[str, ...]] = Field(description="abbreviation or term -> what else it is called")
    generation: Generation
    verification: Verification
    conflicts: Conflicts
    risk: Risk
    presentation: Presentation
    streaming: Streaming
    privacy: Privacy

    @model_validator(mode="after")
    def _refusals_differ_from_answers(self) -> "Profile":
        for text in (self.refusal.en, self.refusal.hi):
            if any(bracket in text for bracket in "[]"):
                raise ValueError("a refusal text carries no citation, hence no brackets")
        return self

    @model_validator(mode="after")
    def _statement_is_about_this_threshold(self) -> "Profile":
        if self.risk.statement and self.risk.threshold != self.verification.entailment_threshold:
            raise ValueError(
                f"risk.statement was established for the threshold {self.risk.threshold}, and "
                f'verification.entailment_threshold is {self.verification.entailment_threshold}: set statement = ""'
            )
        return self

    @property
    def digest(self) -> str:
        """Names this policy exactly; it goes into every audit record."""
        # Remembered outside of the object: what lies inside would go along into an altered copy.
        found = _digests.get(id(self))
        if found is None:
            content = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
            found = _digests[id(self)] = hashlib.sha256(content.encode()).hexdigest()
            weakref.finalize(self, _digests.pop, id(self), None)
        return found
