"""The tools: each takes validated arguments for one tenant and returns plain data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from footnotary.app import document_listing
from footnotary.app.source_lookup import find_source
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation
from footnotary.domain.query import Scope
from footnotary.errors import UnknownProject, UnknownSource, UsageError
from footnotary.external.answer_check import CheckedClaim, CitablePassage, check_answer
from footnotary.mcp_server import schemas
from footnotary.ports import Observer
from footnotary.profiles.schema import Profile
from footnotary.render.citation_styles import full_source_name, source_names
from footnotary.service.answering import AskRequest, answer, require_unambiguous_ids
from footnotary.service.auth.authentication import Credential
from footnotary.service.problems import Problem, mismatch_detail
from footnotary.service.redaction import redacted_record
from footnotary.service.state import Policy, TenantState

ArgumentsT = TypeVar("ArgumentsT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Caller:
    """The tenant and credential a tool runs for, the observer of its stages, the default profile, and all profiles."""

    tenant: TenantState
    credential: Credential
    observer: Observer
    profile: str
    profiles: Mapping[str, Profile]

    def project(self, named: str | None) -> str:
        return named or self.tenant.settings.project

    def policy(self, named: str | None, k: int | None = None) -> Policy:
        return Policy(named or self.profile, k=k)


@dataclass(frozen=True, slots=True)
class Tool(Generic[ArgumentsT]):
    """A tool as a client sees it, and what it does."""

    name: str
    title: str
    description: str
    takes: type[ArgumentsT]
    gives: type[BaseModel]
    run: Callable[[Caller, ArgumentsT], BaseModel]


def search_evidence(caller: Caller, wanted: schemas.SearchEvidence) -> schemas.FoundEvidence:
    project = caller.project(wanted.project)
    caller.tenant.require_project(project)
    engine = caller.tenant.engine(caller.policy(wanted.profile, wanted.k))
    found = engine.search(wanted.question, Scope(project, caller.tenant.name))
    passages = [
        schemas.FoundPassage(
            id=hit.chunk.id,
            text=hit.chunk.text,
            score=round(hit.score, 4),
            source=full_source_name(hit.chunk.labels, hit.chunk.page, hit.chunk.document_id, hit.chunk.section),
            document=hit.chunk.document_id,
            page=hit.chunk.page,
            in_force=hit.is_in_force,
        )
        for hit in found.hits
    ]
    return schemas.FoundEvidence(question=wanted.question, project=project, passages=passages)


def answer_grounded(caller: Caller, wanted: schemas.AnswerGrounded) -> schemas.GroundedAnswerOutput:
    project = caller.project(wanted.project)
    asked = AskRequest(wanted.question, project, caller.policy(wanted.profile), wanted.as_of, channel="mcp")
    delivered = answer(caller.tenant, caller.credential, asked, caller.observer)
    outcome = delivered.outcome
    record = redacted_record(outcome, delivered.profile, questions=delivered.questions)
    return schemas.GroundedAnswerOutput(
        answered=isinstance(outcome, Answer),
        answer=record.get("answer_with_sources", record["answer"]),
        claims=_claims(outcome) if isinstance(outcome, Answer) else [],
        refusal_reason=record["refusal_reason"],
        needed=record.get("needed"),
        quoted=record.get("quoted", False),
        answer_id=delivered.answer_id,
        project=project,
        profile=outcome.profile,
        profile_digest=outcome.profile_digest,
    )


def verify_answer(caller: Caller, wanted: schemas.VerifyAnswer) -> schemas.VerifiedAnswer:
    profile = caller.tenant.engine(caller.policy(wanted.profile)).profile
    passages = [CitablePassage(given.id, given.text) for given in wanted.passages]
    require_unambiguous_ids((passage.id, passage.text) for passage in passages)
    checked = check_answer(wanted.answer, passages, profile, question=wanted.question, settings=caller.tenant.settings)
    return schemas.VerifiedAnswer(
        holds=checked.holds,
        is_refusal=checked.refused,
        claims=[_checked_claim(claim) for claim in checked.claims],
        failed=[
            schemas.FailedCheck(
                check=v.check,
                status=v.status,
                reason=v.reason and v.reason.value,
                detail=v.detail,
                values=dict(v.values),
            )
            for v in checked.verdicts
            if v.status != "pass"
        ],
        profile=profile.name,
    )


def get_source(caller: Caller, wanted: schemas.GetSource) -> schemas.ToolSource:
    project = caller.project(wanted.project)
    try:
        shown = find_source(caller.tenant.store, project, wanted.id, quote=wanted.quote, version=wanted.version)
    except (UnknownProject, UnknownSource):
        caller.tenant.require_project(project)
        detail = "This project has no such passage; search_evidence returns their ids."
        raise Problem("not_found", detail) from None
    except UsageError:
        raise Problem("unusable", mismatch_detail(wanted.version)) from None
    return schemas.ToolSource(
        id=shown.chunk.id,
        project=project,
        source=shown.name,
        text=shown.chunk.text,
        quote=shown.words.of(shown.chunk.text),
        document=shown.document.id,
        document_sha256=shown.document.sha256,
        page=shown.page,
        passage_span=_text_range(shown.words),
        superseded=shown.former is not None,
        in_force=shown.former is None and (shown.standing is None or shown.standing.in_force),
    )


def list_projects(caller: Caller, _: schemas.ListProjects) -> schemas.ProjectCatalog:
    held = {name: caller.tenant.store.documents(name) for name in caller.tenant.projects()}
    entries = [
        schemas.ProjectEntry(
            name=name,
            documents=len(documents),
            passages=sum(document.chunks for document in documents),
            default=name == caller.project(None),
        )
        for name, documents in held.items()
    ]
    return schemas.ProjectCatalog(projects=entries)


def list_profiles(caller: Caller, _: schemas.ListProfiles) -> schemas.ProfileCatalog:
    entries = [
        schemas.ProfileEntry(name=name, description=found.description, default=name == caller.profile)
        for name, found in caller.profiles.items()
    ]
    return schemas.ProfileCatalog(profiles=entries)


def list_documents(caller: Caller, wanted: schemas.ListDocuments) -> schemas.DocumentCatalog:
    project = caller.project(wanted.project)
    caller.tenant.require_project(project)
    page = document_listing.list_documents(caller.tenant.store, project, after=wanted.after, limit=wanted.limit)
    entries = [
        schemas.DocumentEntry(
            id=one.id,
            title=one.title,
            media_type=one.media_type,
            passages=one.chunks,
            sha256=one.sha256,
            in_force=standing and standing.in_force,
        )
        for one, standing in page.documents
    ]
    return schemas.DocumentCatalog(project=project, documents=entries, next=page.next)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "search_evidence",
        "Search evidence",
        "Find the passages of the indexed documents relevant to a question, best first, with ids to cite them by. "
        "It does not answer: use answer_grounded for an answer.",
        schemas.SearchEvidence,
        schemas.FoundEvidence,
        search_evidence,
    ),
    Tool(
        "answer_grounded",
        "Answer from the documents",
        "Answer a question from the indexed documents only. Every claim comes with the passage it was verified "
        "against, quoted; if the documents do not contain the answer it refuses and says what is missing. Pass a "
        "refusal on as it is: do not fill the gap from other knowledge.",
        schemas.AnswerGrounded,
        schemas.GroundedAnswerOutput,
        answer_grounded,
    ),
    Tool(
        "verify_answer",
        "Verify an answer",
        "Check any answer against any passages, claim by claim: numbers, dates, provisions, quotations and "
        "meaning. Write [id] or [1] after each sentence of the answer. Only `holds: true` means that it may be stated.",
        schemas.VerifyAnswer,
        schemas.VerifiedAnswer,
        verify_answer,
    ),
    Tool(
        "get_source",
        "Read a source",
        "Read the passage of a citation id: its text, document, page and hash, also if the document has been replaced "
        "since.",
        schemas.GetSource,
        schemas.ToolSource,
        get_source,
    ),
    Tool(
        "list_projects",
        "List projects",
        "List the projects of indexed documents that can be asked, with the number of documents in each.",
        schemas.ListProjects,
        schemas.ProjectCatalog,
        list_projects,
    ),
    Tool(
        "list_profiles",
        "List profiles",
        "List the policies that a question can be answered under, each with what it is for.",
        schemas.ListProfiles,
        schemas.ProfileCatalog,
        list_profiles,
    ),
    Tool(
        "list_documents",
        "List documents",
        "List the documents of a project, page by page: ids, titles, and whether they are in force. It shows what "
        "there is to ask about; a title is no evidence.",
        schemas.ListDocuments,
        schemas.DocumentCatalog,
        list_documents,
    ),
)


def _claims(given: Answer) -> list[schemas.AnsweredClaim]:
    names = source_names(given)
    return [
        schemas.AnsweredClaim(
            text=claim.text, citations=[_tool_citation(c, names[c.id]) for c in given.citations if c.claim == number]
        )
        for number, claim in enumerate(given.claims)
    ]


def _tool_citation(citation: Citation, source: str) -> schemas.ToolCitation:
    return schemas.ToolCitation(
        id=citation.id,
        quote=citation.quote,
        source=source,
        document=citation.document_id,
        document_sha256=citation.document_sha256,
        page=citation.page,
        passage_span=_text_range(citation.chunk_span),
        answer_span=_text_range(citation.answer_span),
        confidence=citation.confidence,
    )


def _checked_claim(claim: CheckedClaim) -> schemas.CheckedToolClaim:
    return schemas.CheckedToolClaim(
        text=claim.text,
        span=None if claim.span is None else _text_range(claim.span),
        cites=list(claim.cites),
        supported=claim.supported,
        label=claim.label,
        score=claim.score,
        reasons=[reason.value for reason in claim.reasons],
        supported_by=list(claim.supported_by),
        nearest_id=claim.decisive and claim.decisive.id,
        nearest_quote=claim.decisive and claim.decisive.quote,
    )


def _text_range(span: Span) -> schemas.TextRange:
    return schemas.TextRange(start=span.start, end=span.end)
