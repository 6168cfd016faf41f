"""A stand-in for the service behind the page: whatever it is told to say, hostile or not, in the service's shapes."""

import asyncio
import json
import struct
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from footnotary.service.routes import web_page

PROFILES = [
    {"name": "default", "description": "General documents.", "digest": "0", "default": True},
    {
        "name": "legal",
        "description": "Legal research: close to the wording of the law.",
        "digest": "1",
        "default": False,
    },
    {"name": "tutor", "description": "School textbooks.", "digest": "2", "default": False},
]
CONVERSATION = "conv_" + "c" * 26
CHECKS = ["evidence_suffices", "citations_resolve", "claims_are_cited", "numbers_are_supported", "modality_agrees"]


def verdict(check: str, status: str = "pass", detail: str = "", claims: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"check": check, "status": status, "reason": None, "detail": detail, "claims": list(claims)}


def source(name: str, text: str, **more: Any) -> dict[str, Any]:
    labels = {"act": "Penal Code", "section": "420", "title": "Cheating", "page": None, "score": 0.9, "validity": None}
    return {"semantic_id": name, "text": text, "metadata": {"filename": "penal.pdf"}, **labels, **more}


def citation(claim: int, name: str, text: str, quote: str, **more: Any) -> dict[str, Any]:
    start = text.index(quote)
    return {
        "id": name,
        "claim": claim,
        "quote": quote,
        "confidence": 0.91,
        "page": 2,
        "document": "penal.pdf",
        "document_sha256": "ab" * 32,
        "chunk_span": {"start": start, "end": start + len(quote), "unit": "characters"},
        "source_span": {"characters": {"start": 100, "end": 200}},
        "validity": None,
        "unsupporting": False,
        **more,
    }


def answered(*claims: tuple[str, str, str, str], **more: Any) -> dict[str, Any]:
    """An answer of claims, each given as (sentence, id, passage, quote)."""
    return {
        "query": "?",
        "query_analysis": {"language": "en"},
        "project": "demo",
        "profile": "legal",
        "as_of": "2026-11-15",
        "answer": " ".join(text for text, *_ in claims),
        "refusal_reason": None,
        "claims": [{"text": text, "cites": [name]} for text, name, *_ in claims],
        "citation_details": [citation(i, *rest) for i, (_, *rest) in enumerate(claims)],
        "sources": [source(name, text) for name, text in {name: text for _, name, text, _ in claims}.items()],
        "verdicts": [verdict(check) for check in CHECKS],
        "conflicts": [],
        **more,
    }


def refused(reason: str = "no_relevant_content", nearest: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {
        "query": "?",
        "query_analysis": {"language": "en"},
        "project": "demo",
        "profile": "legal",
        "as_of": "2026-11-15",
        "answer": "I cannot answer based on the provided documents.",
        "refusal_reason": reason,
        "needed": {
            "facet": "a passage that answers the question",
            "missing": "no passage is close enough to the question",
            "nearest": list(nearest),
        },
        "claims": [],
        "citation_details": [],
        "sources": [],
        "verdicts": [verdict("evidence_suffices", "fail", "no passage is close enough to the question")],
        "conflicts": [],
        **more,
    }


def rejected(text: str) -> dict[str, Any]:
    """A case for review: a draft of one sentence that was not delivered."""
    return {
        "id": 1,
        "answer_id": "ans_" + "a" * 26,
        "seq": 7,
        "kind": "rejected_draft",
        "reason": text,
        "state": "open",
        "at": "2026-11-15T08:00:00Z",
        "question": text,
        "delivered": False,
        "claims": [{"text": text, "cites": [text]}],
        "verdicts": [verdict("numbers_are_supported", "fail", text, (0,))],
        "passages": [{"id": text, "text": text}],
        "raw": text,
    }


def document_conflict(value: str, quote: str, their_value: str, their_quote: str, **more: Any) -> dict[str, Any]:
    """A conflict of the document that is open with `leave.md`."""
    own = {"document": "penal.pdf", "title": "Penal Code", "passage": "PENAL_1_0", "page": 2, "start": 0, "end": 5}
    other = {"document": "leave.md", "title": "Leave rules", "passage": "LEAVE_1_0", "page": None, "start": 0, "end": 5}
    return {
        "own": own | {"value": value, "quote": quote},
        "other": other | {"value": their_value, "quote": their_quote},
        "answer_id": None,
        **more,
    }


@dataclass
class StubService:
    """What it says, and what it heard."""

    outcome: dict[str, Any] = field(default_factory=refused)
    sources: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    projects: list[str] = field(default_factory=lambda: ["demo", "school"])
    documents: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    chain: dict[str, Any] = field(default_factory=lambda: {"intact": True, "records": 2, "losses": []})
    cases: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    running: str | None = None
    is_slow: bool = False
    key: str | None = None
    role: str = "admin"
    asking_fails: tuple[int, dict[str, Any], dict[str, str]] | None = None
    withheld: bool = False
    bundle: dict[str, Any] = field(default_factory=dict[str, Any])
    pause_s: float = 0.0
    conversation: str | None = CONVERSATION
    asked_as: str | None = None
    turns: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    text: str = "First page.\nThe fine is forty rupees.\nSecond page.\nThe Fine is doubled."
    pages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    detail: dict[str, Any] = field(default_factory=dict[str, Any])
    conflicts: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    result: dict[str, Any] = field(default_factory=lambda: {"documents": [{"outcome": "added", "passages": 3}]})
    heard: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])

    def stream(self) -> list[tuple[str, dict[str, Any]]]:
        outcome = self.outcome
        events: list[tuple[str, dict[str, Any]]] = [
            ("stage", {"name": "understood"}),
            ("stage", {"name": "retrieved", "hits": 5}),
            ("stage", {"name": "gated", "verdict": "pass"}),
        ]
        for i, claim in enumerate(outcome["claims"]):
            cited = [c for c in outcome["citation_details"] if c["claim"] == i]
            events.append(("claim", {"index": i, "text": claim["text"], "citations": cited}))
        if outcome["refusal_reason"]:
            said = {"message": outcome["answer"], "reason": outcome["refusal_reason"], "needed": outcome["needed"]}
            events.append(("refusal", said))
        if self.withheld:
            events.append(("claim.withheld", {"index": len(outcome["claims"]), "reason": "number_unsupported"}))
        end = {"answer_id": "ans_" + "a" * 26, "complete": not self.withheld}
        events.append(("done", end | {"conversation": self.conversation, "asked_as": self.asked_as}))
        return events


def turn(question: str, outcome: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A turn of a recorded conversation."""
    at = "2026-11-15T09:00:00Z"
    known = {"answer_id": "ans_" + "b" * 26, "at": at, "asked_as": None, "released_claims": 0, "bundle": "/"}
    return {"question": question, "outcome": outcome, **known, **more}


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    body = {"type": "about:blank", "title": "Problem", "status": status, "detail": detail, "code": "x"}
    return JSONResponse(body, status, headers, media_type="application/problem+json")


def stub_app(stub: StubService) -> FastAPI:
    app = FastAPI()
    app.include_router(web_page.router)

    @app.middleware("http")
    async def keys(request: Request, go: Any) -> Response:
        wanted = f"Bearer {stub.key}"
        if request.url.path.startswith("/v1") and stub.key and request.headers.get("authorization") != wanted:
            return problem(401, "This needs a key.")
        return await go(request)

    @app.get("/v1/whoami")
    def whoami() -> Any:
        return {"tenant": "acme", "role": stub.role, "key_id": "k", "open": stub.key is None}

    @app.get("/v1/profiles")
    def profiles() -> Any:
        return {"profiles": PROFILES}

    @app.get("/v1/projects")
    def projects() -> Any:
        return {"projects": [{"name": name, "documents": len(stub.documents), "passages": 3} for name in stub.projects]}

    @app.post("/v1/projects", status_code=201)
    async def new_project(request: Request) -> Any:
        name = (await request.json())["name"]
        stub.projects.append(name)
        return {"name": name}

    @app.delete("/v1/projects/{project}", status_code=204)
    def drop_project(project: str) -> None:
        stub.projects.remove(project)

    @app.get("/v1/projects/{project:path}/documents")
    def documents(project: str, q: str = "", media_type: str = "") -> Any:
        kinds = media_type.split(",") if media_type else None
        wanted = [d for d in stub.documents if q.lower() in d["title"].lower()]
        return {"documents": [d for d in wanted if kinds is None or d["media_type"] in kinds], "next": None}

    @app.get("/v1/projects/{project}/document-text/{document}")
    def document_text(project: str, document: str) -> Any:
        return {"id": document, "text": stub.text, "next": None, "pages": stub.pages}

    @app.post("/v1/projects/{project}/flags")
    async def flags(project: str, request: Request) -> Any:
        changed = await request.json()
        stub.heard.append(("flags", changed))
        changed_flags = [{"kind": "injection", "text": changed["text"]}]
        stub.detail |= {"flagged": [] if changed["cleared"] else changed_flags}
        stub.detail |= {"cleared": changed_flags if changed["cleared"] else []}
        return {"document": changed["document"], "cleared": changed["cleared"], "sentences": 1}

    @app.get("/v1/projects/{project}/document-conflicts/{document}")
    def document_conflicts(project: str, document: str, start: int) -> Any:
        found, skipped = (stub.conflicts[1:], ["C"]) if start else (stub.conflicts[:1], [])
        return {"start": start, "next": None if start else 1, "passages": 2, "conflicts": found, "skipped": skipped}

    @app.get("/v1/projects/{project}/document-pages/{document}")
    def document_page(project: str, document: str, request: Request) -> Response:
        stub.heard.append(("page", dict(request.query_params)))
        return Response(png(60, 80), media_type="image/png")

    @app.get("/v1/projects/{project}/documents/{document}")
    def document(project: str, document: str) -> Any:
        held = next(d for d in stub.documents if d["id"] == document)
        empty = {"pages": None, "ocr": None, "former_versions": [], "flagged": [], "cleared": []}
        return {"name": document, **empty, **held, **stub.detail}

    @app.get("/v1/projects/{project:path}/conversations")
    def conversations(project: str) -> Any:
        if not stub.turns or project != "demo":
            return {"conversations": [], "next": None}
        title = stub.turns[0]["question"]
        at = "2026-11-15T09:00:00Z"
        return {
            "conversations": [{"id": CONVERSATION, "title": title, "turns": len(stub.turns), "at": at}],
            "next": None,
        }

    @app.get("/v1/projects/{project}/conversations/{conversation}")
    def conversation(project: str, conversation: str) -> Any:
        if conversation != CONVERSATION or not stub.turns:
            return problem(404, "Nothing was found under this name.")
        return {"id": conversation, "project": project, "turns": stub.turns}

    @app.post("/v1/projects/{project}/conversation-exports")
    async def exported(project: str, request: Request) -> Response:
        stub.heard.append(("export", (project, await request.json())))
        return Response(b"exported", media_type="text/plain")

    @app.post("/v1/projects/{project:path}/documents", status_code=202)
    async def upload(project: str, name: str, request: Request) -> Any:
        stub.heard.append(("upload", (project, name, await request.body())))
        stub.documents.append({"id": name, "title": name, "media_type": "text/plain", "passages": 3})
        stub.running = name
        return {"job": {"id": "job_1", "state": "queued"}}

    @app.get("/v1/jobs")
    def jobs(project: str) -> Any:
        if stub.running is None:
            return {"jobs": []}
        stub.heard.append(("jobs", project))
        job: dict[str, Any] = {"id": "job_1", "name": stub.running, "progress": {}, "result": None}
        if ("call off", "job_1") in stub.heard:
            return {"jobs": [job | {"state": "cancelled"}]}
        if stub.is_slow or sum(1 for what, _ in stub.heard if what == "jobs") < 2:
            return {"jobs": [job | {"state": "running", "progress": {"stage": "embedding", "done": 1, "of": 3}}]}
        return {"jobs": [job | {"state": "done", "result": stub.result}]}

    @app.delete("/v1/jobs/{job}")
    def call_off(job: str) -> Any:
        stub.heard.append(("call off", job))
        return {"id": job}

    @app.delete("/v1/projects/{project}/documents/{document}", status_code=204)
    def drop(project: str, document: str) -> None:
        stub.heard.append(("delete", document))
        stub.documents = [d for d in stub.documents if d["id"] != document]

    @app.post("/v1/ask")
    async def ask(request: Request) -> Response:
        stub.heard.append(("ask", await request.json()))
        if stub.asking_fails:
            status, detail, headers = stub.asking_fails
            return problem(status, detail["detail"], headers)

        pause_s = stub.pause_s

        async def events() -> AsyncIterator[str]:
            for name, data in stub.stream():
                yield f"event: {name}\ndata: {json.dumps(data)}\n\n"
                await asyncio.sleep(pause_s)

        return StreamingResponse(events(), media_type="text/event-stream")

    @app.get("/v1/answers/{answer}")
    def kept(answer: str) -> Any:
        return {"answer_id": answer, "outcome": stub.outcome}

    @app.get("/v1/answers/{answer}/bundle")
    def bundle(answer: str) -> Any:
        return {"payloadType": "application/vnd.in-toto+json", "payload": "", "signatures": []} | stub.bundle

    @app.post("/v1/answers/{answer}/feedback", status_code=201)
    async def feedback(answer: str, request: Request) -> Any:
        stub.heard.append(("feedback", await request.json()))
        return {}

    @app.post("/v1/retrieve")
    async def retrieve(request: Request) -> Any:
        stub.heard.append(("retrieve", await request.json()))
        results = [source(name, s["text"], title=s.get("source")) for name, s in stub.sources.items()]
        return {"results": results}

    @app.get("/v1/projects/{project}/sources/{name}")
    def one_source(project: str, name: str) -> Response:
        found = stub.sources.get(name)
        return JSONResponse({"id": name, **found}) if found else problem(404, "Nothing was found under this name.")

    @app.get("/v1/projects/{project}/sources/{name}/page.png")
    def picture(project: str, name: str, request: Request) -> Response:
        stub.heard.append(("picture", dict(request.query_params)))
        return Response(png(60, 80), media_type="image/png")

    @app.get("/v1/audit")
    def audit(request: Request) -> Any:
        return {"records": sorted(stub.records, key=lambda r: -r["seq"]), "next": None}

    @app.get("/v1/audit/verify")
    def verify() -> Any:
        return stub.chain

    @app.get("/v1/review")
    def cases() -> Any:
        return {"reviews": stub.cases, "next": None}

    @app.get("/v1/review/{case}")
    def case(case: int) -> Any:
        return next(one for one in stub.cases if one["id"] == case)

    @app.post("/v1/review/{case}")
    async def decide(case: int, request: Request) -> Any:
        stub.heard.append(("decided", await request.json()))
        return {}

    @app.get("/v1/feedback/export")
    def export() -> Any:
        return {}

    return app


def png(width: int, height: int) -> bytes:
    """A white picture."""

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\xff" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")
