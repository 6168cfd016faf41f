"""The MCP server: lists the tools, validates arguments, runs them, and reports progress. Imports the SDK."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import BaseModel, ValidationError

from footnotary import __version__
from footnotary.mcp_server.tools import TOOLS, Caller, Tool
from footnotary.ports import Stage, StageFact
from footnotary.service.auth.authentication import Credential
from footnotary.service.middleware.security_headers import log_exception
from footnotary.service.problems import Problem, problem_of
from footnotary.service.schemas.field_errors import field_errors
from footnotary.service.state import ServiceState

INSTRUCTIONS = (
    "Footnotary answers from indexed documents only. Use answer_grounded for questions about them and give its answer "
    "with its citations; a refusal means that the documents do not contain the answer. Use verify_answer before you "
    "state anything of your own about passages you have."
)
# In place of the fixed texts that name a route of the HTTP service: the client has tools.
_TOOL_DETAILS = {
    "unknown_profile": "This profile does not exist; choose one of list_profiles.",
    "unknown_project": "This project does not exist; choose one of list_projects.",
}
_STAGES: tuple[Stage, ...] = ("understood", "retrieved", "gated", "drafting", "drafted", "verified", "quoted", "done")
_TOOLS_BY_NAME = {tool.name: tool for tool in TOOLS}

McpContext = ServerRequestContext[Any, Any]
CredentialResolver = Callable[[McpContext], Credential]


@dataclass(frozen=True, slots=True)
class _McpProgressReporter:
    """Reports to a client which stage its question has reached. Called from the answering thread; does not block."""

    context: McpContext
    loop: asyncio.AbstractEventLoop

    def stage(self, name: Stage, **_: StageFact) -> None:
        report = self.context.session.report_progress(_STAGES.index(name) + 1, len(_STAGES), name)
        asyncio.run_coroutine_threadsafe(report, self.loop)


def build_server(state: ServiceState, whose: CredentialResolver) -> Server[Any]:
    """A server for the service's state; `whose` returns the credential of a call, or raises `Problem`.

    Calls are not counted against the tenant's rate limit here; the transport does that.
    """

    async def list_tools(_: McpContext, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool_description(tool) for tool in TOOLS])

    async def call_tool(context: McpContext, asked: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            return _tool_result(await _call_tool(state, whose(context), context, asked))
        except Exception as error:
            problem = problem_of(error)
            if problem.status_code >= 500:
                log_exception(error, f"mcp_{context.request_id}")
            return _tool_error(problem)

    return Server(
        "footnotary",
        version=__version__,
        title="Footnotary",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def serve_stdio(state: ServiceState, credential: Credential) -> None:
    """Serves one client over standard input and output until it disconnects."""

    def counted(_: McpContext) -> Credential:
        state.rates.take(credential.tenant)
        return credential

    server = build_server(state, counted)
    async with stdio_server() as (incoming, outgoing):
        valid = _ValidMessages(incoming, outgoing)
        await server.run(valid, outgoing, server.create_initialization_options())


@dataclass(frozen=True, slots=True)
class _ValidMessages:
    """The messages of a client. A line that is none is answered with an error, which the SDK leaves out on stdio."""

    incoming: ReadStream[SessionMessage | Exception]
    outgoing: WriteStream[SessionMessage]

    async def receive(self) -> SessionMessage | Exception:
        while isinstance(message := await self.incoming.receive(), Exception):
            await self.outgoing.send(SessionMessage(_invalid_message(message)))
        return message

    async def aclose(self) -> None:
        await self.incoming.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        async for message in self.incoming:
            if not isinstance(message, Exception):
                return message
            await self.outgoing.send(SessionMessage(_invalid_message(message)))
        raise StopAsyncIteration

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


def _invalid_message(error: Exception) -> types.JSONRPCError:
    """The error for a line that is not JSON, or no message of the protocol; it never repeats the line."""
    no_json = isinstance(error, ValidationError) and any(one["type"] == "json_invalid" for one in error.errors())
    code = types.PARSE_ERROR if no_json else types.INVALID_REQUEST
    return types.JSONRPCError(
        jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message="The request cannot be understood.")
    )


async def _call_tool(
    state: ServiceState, credential: Credential, context: McpContext, asked: types.CallToolRequestParams
) -> BaseModel:
    tool = _TOOLS_BY_NAME.get(asked.name)
    if tool is None:
        raise Problem("not_found", "This tool does not exist.")
    try:
        wanted = tool.takes.model_validate_json(json.dumps(asked.arguments or {}))
    except ValidationError as error:
        raise Problem(
            "invalid", f"The arguments are not valid: {_invalid_arguments(error, tool, asked.arguments)}."
        ) from None
    progress = _McpProgressReporter(context, asyncio.get_running_loop())
    return await state.work(
        credential.tenant,
        lambda tenant: tool.run(Caller(tenant, credential, progress, state.default_profile, state.profiles), wanted),
    )


def _invalid_arguments(error: ValidationError, tool: Tool[Any], arguments: object) -> str:
    """What the arguments must be. An unknown name is the caller's own text: the tool's names are given in its place."""
    found = [{**one, "loc": ("body", *one["loc"])} for one in error.errors(include_url=False, include_input=False)]
    known = field_errors([one for one in found if one["type"] != "extra_forbidden"], arguments)
    wrong = [f"{one['at'].strip('/').replace('/', '.')} {one.get('requirement', 'is not valid')}" for one in known]
    if len(known) < len(found):
        wrong.append(f"choose arguments from {', '.join(tool.takes.model_fields)}")
    return "; ".join(wrong)


def _tool_description(tool: Tool[Any]) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.takes.model_json_schema(),
        output_schema=tool.gives.model_json_schema(mode="serialization"),
        annotations=types.ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False),
    )


def _tool_result(result: BaseModel) -> types.CallToolResult:
    # Clients without support for structured content read the same data as JSON.
    text = result.model_dump_json()
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=json.loads(text)
    )


def _tool_error(problem: Problem) -> types.CallToolResult:
    """The problem as a tool result; it never repeats the request."""
    said = json.dumps({"code": problem.code, "detail": _TOOL_DETAILS.get(problem.code, problem.detail)})
    return types.CallToolResult(content=[types.TextContent(type="text", text=said)], is_error=True)
