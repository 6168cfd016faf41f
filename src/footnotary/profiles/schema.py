"""The keys of a profile, and the contract that no profile may loosen."""

import hashlib
import json
import weakref
from collections.abc import Mapping
from typing import Any, Literal, cast

from pydantic import Field, field_validator, model_validator

from footnotary.deprecated import former_profile, present_profile
from footnotary.domain.validity import Trust
from footnotary.profiles.intents import Intents
from footnotary.profiles.risk import ProfileTable, Risk, Share

_digests: dict[int, str] = {}

OnDisagreement = Literal["refuse", "state_both", "ignore"]
OnRejected = Literal["refuse", "quote"]
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
        "comparators_agree",
        "terms_are_not_substituted",
        "quotations_are_verbatim",
        "words_overlap",
        "prompt_is_not_leaked",
    }
)

# What a profile that is loaded must have too; one in a record of version 0.1 does not.
LATER_CONTRACT_CHECKS = frozenset({"answer_addresses_question"})


class Refusals(ProfileTable):
    """The exact text of a refusal, per language of the question."""

    en: str = Field(min_length=1)
    hi: str = Field(min_length=1)

    def text(self, language: str) -> str:
        return self.hi if language == "hi" else self.en


class Retrieval(ProfileTable):
    """How many passages are retrieved. Scores are calibrated, between 0 and 1; thresholds are inclusive."""

    k: int = Field(ge=1, le=50, description="hits kept as evidence")
    candidates: int = Field(ge=10, le=1000, description="hits taken from each index before fusion")
    near_duplicate: Share = Field(description="word overlap from which two hits count as one")
    follow_references: bool = Field(description="add the sections that hits refer to, as separate sources")
    model_expansion: bool = Field(description="let the chat model add search terms, once the corpus probe has passed")
    rerank: int = Field(ge=0, le=50, description="how many of the top hits a verifier reranks; 0: none")
    rerank_verifier: Literal["large", "small"] = Field(description="the weights of the reranker")
    rerank_weight: float = Field(
        ge=0.0, le=10.0, description="weight of the reranker's log-odds against the logarithm of the retrieval rank"
    )


class Versions(ProfileTable):
    """Which versions of documents count on the date of a question, by default today.

    A document is in force from its `effective_from` to its `effective_to`, or until one that supersedes it begins.
    """

    in_force: InForce = Field(
        description="`any`: all documents count; `prefer`: a passage not in force is replaced by one of the document "
        "that superseded it; `require`: documents not in force are ignored"
    )


class Sufficiency(ProfileTable):
    """What retrieval must find before anything is generated."""

    min_sources: int = Field(
        ge=0,
        le=20,
        description="minimum number of distinct sources; with no hits at all the question is refused even at 0",
    )
    min_probe_score: Share = Field(
        description="without a reader: minimum score of the best hit; below it the corpus does not cover the question"
    )
    min_source_score: Share = Field(description="without a reader: minimum score of a hit to count as a source")
    key_term_share: Share = Field(
        description="without a reader: share of the question's key terms that one source must contain"
    )
    min_answerable: Share = Field(
        description="minimum probability, by the reader, that sources answer each part of the question; 0: not asked"
    )
    min_answerable_hi: Share | None = Field(
        default=None,
        description="the same for questions in Hindi, which another reader reads; absent: as `min_answerable`",
    )
    sure_answerable: Share | None = Field(default=None, description="deprecated: accepted and not used")

    def answerable_from(self, language: str) -> float:
        """The probability from which sources answer a question in a language."""
        return self.min_answerable if language != "hi" or self.min_answerable_hi is None else self.min_answerable_hi


class Generation(ProfileTable):
    max_claims: int = Field(ge=1, le=30)
    max_tokens: int = Field(ge=16, le=8192)
    instructions: str = Field(description="added to the rules in the prompt of a language model")
    on_rejected: OnRejected = Field(
        default="refuse",
        description="when a model's draft fails a check or its reply cannot be read: `refuse`: the question is refused "
        "(an unreadable reply is an error); `quote`: the sources are quoted instead, through the same checks",
    )


class Verification(ProfileTable):
    """The checks every draft must pass, and their thresholds (inclusive)."""

    checks: tuple[str, ...]
    overlap_one_source: Share
    overlap_several_sources: Share
    sentence_overlap: Share
    grounded_share: Share
    verifier: Literal["xl", "large", "small", "lexical"] = Field(
        description="the trained verifier for claims that are not verbatim; `lexical`: none; `xl` needs a server"
    )
    entailment_threshold: Share = Field(
        description="minimum fused score of model, lexical overlap and checks for a claim"
    )
    override_threshold: Share = Field(
        description="the model's probability from which it overrides the overridable checks and the overlap threshold"
    )
    addresses_threshold: Share = Field(
        default=0.0,
        description="minimum probability, by the reader, that the drafted answer answers the question; 0: not read",
    )
    addresses_threshold_hi: Share | None = Field(
        default=None,
        description="the same for questions in Hindi, which another reader reads; absent: as `addresses_threshold`",
    )
    max_length_ratio: float = Field(gt=0)
    min_citations_per_paragraph: int = Field(ge=0, le=10)
    outside_knowledge: tuple[str, ...] = Field(description="phrases that announce outside knowledge")

    def addressed_from(self, language: str) -> float:
        """The probability from which a draft answers a question in a language."""
        other = self.addresses_threshold_hi
        return self.addresses_threshold if language != "hi" or other is None else other

    @field_validator("checks")
    @classmethod
    def _contract_is_kept(cls, checks: tuple[str, ...]) -> tuple[str, ...]:
        missing = sorted(CONTRACT_CHECKS - set(checks))
        if missing:
            raise ValueError(f"verification.checks must contain {missing}")
        return checks


class Conflicts(ProfileTable):
    """What happens when another retrieved source contradicts a claim; enforced by the check `sources_agree`."""

    on_disagreement: OnDisagreement = Field(
        description="`refuse`: the question is refused; `state_both`: both sides are stated, each with its citation, "
        "or the question is refused; `ignore`: not checked"
    )


class TrustPolicy(ProfileTable):
    """How far documents must be trusted, from `official` over `internal` to `unverified`, and how many must agree."""

    prefer: Trust | None = Field(
        default=None, description="documents of this level answer alone where they can; others only where they cannot"
    )
    require: Trust | None = Field(default=None, description="documents trusted less than this are ignored")
    corroboration: int = Field(
        default=1,
        ge=1,
        le=5,
        description="how many documents must state a claim; copies and quotations of one another count once",
    )


class Languages(ProfileTable):
    answer_in_question_language: bool
    cross_language: bool = Field(description="whether a source in another language than the question may be used")


class Presentation(ProfileTable):
    style: MarkerStyle
    show_reading_level: bool = Field(description="report the answer's reading level next to the class")


class Streaming(ProfileTable):
    """When a streamed answer is released. Nothing is released before it has passed every check."""

    release: Release = Field(
        description="`whole`: claims are released once all have passed; `claim`: where a later claim fails, those "
        "before it are released if they are a valid answer alone, and the stream is marked as incomplete"
    )


class Privacy(ProfileTable):
    """What the records of an installation may contain."""

    log_queries: bool = Field(
        description="whether the audit log contains questions in plain text; if not, the stored outcome is encrypted, "
        "and only the id returned to the user decrypts it"
    )


class Profile(ProfileTable):
    """A policy: everything that decides what is delivered, and nothing about where things run."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,63}$")
    description: str
    refusal: Refusals
    languages: Languages
    retrieval: Retrieval
    versions: Versions
    sufficiency: Sufficiency
    intents: Intents = Field(default_factory=Intents)
    glossary: dict[str, tuple[str, ...]] = Field(description="abbreviation or term -> its synonyms")
    generation: Generation
    verification: Verification
    conflicts: Conflicts
    trust: TrustPolicy = Field(default_factory=TrustPolicy)
    risk: Risk
    presentation: Presentation
    streaming: Streaming
    privacy: Privacy

    @model_validator(mode="before")
    @classmethod
    def _former_names_are_read(cls, content: object) -> object:
        """Bundles carry profiles under the names of version 0.1."""
        if not isinstance(content, Mapping):
            return content
        return present_profile(cast("Mapping[str, Any]", content), warns=False)

    @model_validator(mode="after")
    def _refusals_differ_from_answers(self) -> "Profile":
        for text in (self.refusal.en, self.refusal.hi):
            if any(bracket in text for bracket in "[]"):
                raise ValueError("a refusal text must not contain square brackets")
        return self

    @model_validator(mode="after")
    def _statement_is_about_this_threshold(self) -> "Profile":
        if self.risk.statement and self.risk.threshold != self.verification.entailment_threshold:
            raise ValueError(
                f"risk.statement was established for the threshold {self.risk.threshold}, and "
                f'verification.entailment_threshold is {self.verification.entailment_threshold}: set statement = ""'
            )
        return self

    @model_validator(mode="after")
    def _errors_are_those_of_this_threshold(self) -> "Profile":
        measured = self.risk.answers
        if measured.statement and measured.threshold != self.sufficiency.min_answerable:
            raise ValueError(
                f"risk.answers.statement was measured at the threshold {measured.threshold}, and "
                f'sufficiency.min_answerable is {self.sufficiency.min_answerable}: set statement = ""'
            )
        return self

    def stored(self) -> dict[str, Any]:
        """The profile as records and bundles hold it; the digest is the hash of it."""
        # Under the names of version 0.1: the digest of a policy is in audit records, bundles, caches and reports, and
        # checking a bundle hashes the profile in it. A key that is renamed must change neither, and one that came later
        # is left out at its default, which stands for a profile without it. The lists of intents came earlier than
        # their defaults.
        content = self.model_dump(mode="json", exclude_defaults=True)
        return former_profile(content | {"intents": self.intents.model_dump(mode="json")})

    @property
    def digest(self) -> str:
        """Identifies this policy exactly; it is part of every audit record."""
        # Cached outside of the object: a cache inside it would be copied into a modified copy.
        found = _digests.get(id(self))
        if found is None:
            content = json.dumps(self.stored(), sort_keys=True, ensure_ascii=False)
            found = _digests[id(self)] = hashlib.sha256(content.encode()).hexdigest()
            weakref.finalize(self, _digests.pop, id(self), None)
        return found
