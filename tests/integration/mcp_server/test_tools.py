"""The tools, called by the official client in this process."""

import asyncio
import json

import jsonschema
import pytest
from mcp import Client

from footnotary.mcp_server.server import build_server
from footnotary.service.auth.authentication import OPEN_CREDENTIAL

QUESTION = "What is the punishment for cheating under section 420 IPC?"


def called(state, tool, arguments, **options):
    async def call():
        async with Client(build_server(state, lambda _: OPEN_CREDENTIAL)) as client:
            return await client.call_tool(tool, arguments, **options)

    return asyncio.run(call())


def listed(state):
    async def tools():
        async with Client(build_server(state, lambda _: OPEN_CREDENTIAL)) as client:
            return (await client.list_tools()).tools

    return {tool.name: tool for tool in asyncio.run(tools())}


def test_the_tools_are_listed_with_what_they_take_and_give(state):
    tools = listed(state)
    asking = {"search_evidence", "answer_grounded", "verify_answer", "get_source"}
    assert set(tools) == asking | {"list_projects", "list_profiles", "list_documents"}
    for tool in tools.values():
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"
        assert tool.annotations.read_only_hint


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_evidence", {"question": "cheating", "k": 1}),
        ("answer_grounded", {"question": QUESTION}),
        ("answer_grounded", {"question": "How fast is light in glass?"}),
        (
            "verify_answer",
            {"answer": "Theft is punished [1].", "passages": [{"id": "a", "text": "Theft is punished."}]},
        ),
        ("get_source", {"id": "IPC_420_0"}),
        ("list_projects", {}),
        ("list_profiles", {}),
        ("list_documents", {"project": "law"}),
    ],
)
def test_a_result_has_the_shape_that_was_announced_and_the_text_says_the_same(state, tool, arguments):
    result = called(state, tool, arguments)
    assert not result.is_error
    jsonschema.validate(result.structured_content, listed(state)[tool].output_schema)
    assert json.loads(result.content[0].text) == result.structured_content


def test_an_answer_comes_with_verbatim_quotes_that_get_source_finds(state):
    given = called(state, "answer_grounded", {"question": QUESTION}).structured_content
    assert given["answered"]
    assert given["answer_id"].startswith("ans_")
    for claim in given["claims"]:
        assert claim["citations"]
        for cited in claim["citations"]:
            source = called(state, "get_source", {"id": cited["id"], "quote": cited["quote"]}).structured_content
            assert source["text"][slice(*cited["passage_span"].values())] == cited["quote"] == source["quote"]
            assert source["document_sha256"] == cited["document_sha256"]


def test_a_refusal_is_exact_and_says_what_is_missing(state):
    given = called(state, "answer_grounded", {"question": "How fast is light in glass?"}).structured_content
    assert given["answer"] == "I cannot answer based on the provided documents."
    assert not given["answered"]
    assert given["claims"] == []
    assert given["refusal_reason"] == "no_relevant_content"
    assert given["needed"]["missing"]


def test_a_project_that_is_not_there_is_refused_like_any_other(state):
    given = called(state, "answer_grounded", {"question": QUESTION, "project": "nowhere"}).structured_content
    assert given["refusal_reason"] == "collection_not_found"


def test_the_stages_of_an_answer_are_reported_while_it_is_made(state):
    told = []

    async def hear(done, of, message):
        told.append((done, of, message))

    called(state, "answer_grounded", {"question": QUESTION}, progress_callback=hear)
    stages = ["understood", "retrieved", "gated", "drafting", "drafted", "verified"]
    assert told == [*((n, 8, stage) for n, stage in enumerate(stages, 1)), (8, 8, "done")]


def test_verification_finds_the_claim_that_is_false(state):
    passages = [{"id": "A", "text": "Theft is punished with imprisonment up to three years."}]
    answer = "Theft is punished with imprisonment up to three years [A]. It is punished with death [A]."
    given = called(state, "verify_answer", {"answer": answer, "passages": passages}).structured_content
    assert not given["holds"]
    assert [claim["supported"] for claim in given["claims"]] == [True, False]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("get_source", {"id": "ZZTOP_1_0"}, "not_found"),
        ("get_source", {"id": "IPC_420_0", "project": "zztop"}, "unknown_project"),
        ("get_source", {"id": "IPC_420_0", "quote": "zztop"}, "unusable"),
        ("answer_grounded", {"question": ""}, "invalid"),
        ("answer_grounded", {"question": QUESTION, "tenant": "zztop"}, "invalid"),
        ("answer_grounded", {"question": QUESTION, "zztop": 1}, "invalid"),
        ("answer_grounded", {"question": QUESTION, "profile": "zztop"}, "unknown_profile"),
        ("search_evidence", {"question": "zztop", "k": 1000}, "invalid"),
        ("search_evidence", {"question": QUESTION, "project": "zztop"}, "unknown_project"),
        (
            "verify_answer",
            {"answer": "A.", "passages": [{"id": "zztop", "text": "A."}, {"id": "zztop", "text": "B."}]},
            "unusable",
        ),
        ("zztop", {}, "not_found"),
    ],
)
def test_a_bad_call_gets_its_code_and_is_never_repeated(state, tool, arguments, code):
    result = called(state, tool, arguments)
    assert result.is_error
    assert json.loads(result.content[0].text)["code"] == code
    assert "zztop" not in result.content[0].text.casefold()


def test_an_invalid_argument_was_named_without_what_it_must_be(state):
    high = called(state, "search_evidence", {"question": QUESTION, "k": 1000}).content[0].text
    assert "k must be at most" in high
    unknown = called(state, "answer_grounded", {"question": QUESTION, "colour": "red"}).content[0].text
    assert "choose arguments from question, project, profile" in unknown
    day = called(state, "answer_grounded", {"question": QUESTION, "as_of": "yesterday"}).content[0].text
    assert "as_of must be a date such as 2020-01-31" in day


@pytest.mark.parametrize("version", [None, "0000"])
def test_a_quote_that_is_not_in_the_passage_was_rejected_without_a_reason(state, version):
    result = called(state, "get_source", {"id": "IPC_420_0", "quote": "colour", "version": version})
    problem = json.loads(result.content[0].text)
    assert problem["code"] == "unusable"
    assert problem["detail"] in (
        "This passage does not contain this quote.",
        "This passage has no such version, or without this quote.",
    )


@pytest.mark.parametrize(
    ("arguments", "wrong"), [({"k": "3"}, "k must be a whole number"), ({"question": 1}, "question must be text")]
)
def test_an_argument_of_another_type_was_converted(state, arguments, wrong):
    result = called(state, "search_evidence", {"question": QUESTION, **arguments})
    assert result.is_error
    assert wrong in result.content[0].text


def test_a_day_is_still_given_as_text(state):
    given = called(state, "answer_grounded", {"question": QUESTION, "as_of": "2020-01-31"})
    assert given.structured_content["answered"]


@pytest.mark.parametrize(
    ("tool", "name"), [("list_documents", "project"), ("get_source", "project"), ("search_evidence", "profile")]
)
def test_an_unknown_name_pointed_at_a_route_and_at_no_tool(state, tool, name):
    more = {"list_documents": {}, "get_source": {"id": "IPC_420_0"}, "search_evidence": {"question": QUESTION}}
    text = called(state, tool, {**more[tool], name: "colour"}).content[0].text
    assert f"list_{name}s" in text
    assert "/v1" not in text


def test_what_there_is_to_ask_is_listed_for_the_caller_alone(state):
    state.tenant("other").corpus.ingest_text("secret.txt", "Rule 1. The vault opens at noon.", "vault")
    state.tenant("local").corpus.ingest_text("b.txt", "Rule 2. Bells ring at noon every single day.", "law")
    (project,) = called(state, "list_projects", {}).structured_content["projects"]
    assert (project["name"], project["documents"], project["default"]) == ("law", 2, True)
    profiles = called(state, "list_profiles", {}).structured_content["profiles"]
    assert [one["name"] for one in profiles if one["default"]] == ["legal"]
    assert {"compliance", "tutor"} <= {one["name"] for one in profiles}
    first = called(state, "list_documents", {"limit": 1}).structured_content
    rest = called(state, "list_documents", {"after": first["next"]}).structured_content
    assert [one["id"] for page in (first, rest) for one in page["documents"]] == ["b.txt", "ipc.txt"]
    assert rest["next"] is None
    refused = called(state, "list_documents", {"project": "vault"})
    assert refused.is_error
    assert "unknown_project" in refused.content[0].text
