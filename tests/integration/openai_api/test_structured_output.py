"""`response_format` with the unmodified client: an answer as JSON, with the fields that a schema asks for."""

import json

import httpx
import openai
import pytest
from pydantic import BaseModel

from harness.streaming.live_service import BAD, GOOD, QUESTION, REFUSAL, says, served

pytestmark = pytest.mark.server
MESSAGES = [{"role": "user", "content": QUESTION}]


class Cited(BaseModel):
    id: str
    quote: str
    page: int | None


class Stated(BaseModel):
    text: str
    citations: list[Cited]


class Claims(BaseModel):
    refused: bool
    claims: list[Stated]


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def completions(live):
    return live.client().chat.completions


def by_schema(live, schema, **more):
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    return completions(live).create(model="law", messages=MESSAGES, response_format=wanted, **more)


@pytest.mark.smoke
def test_a_class_of_the_client_is_filled_with_verified_claims(home):
    with served(home, says(*GOOD)) as live:
        message = completions(live).parse(model="law", messages=MESSAGES, response_format=Claims).choices[0].message
        assert [claim.text for claim in message.parsed.claims] == list(GOOD)
        assert {cited.id for claim in message.parsed.claims for cited in claim.citations} == {"IPC_420_0"}
        assert set(json.loads(message.content)) == {"refused", "claims"}
        assert message.annotations == []


def test_a_refusal_fits_the_schema_and_has_no_claims(home):
    with served(home, says(*GOOD, BAD)) as live:
        completion = completions(live).create(model="law", messages=MESSAGES, response_format={"type": "json_object"})
        message = completion.choices[0].message
        said = json.loads(message.content)
        assert (said["answer"], said["refused"], said["claims"], said["citations"]) == (REFUSAL, True, [], [])
        assert message.refusal == REFUSAL
        assert live.leaked() == []


def test_a_stream_carries_the_same_json(home):
    with served(home, says(*GOOD)) as live:
        schema = Claims.model_json_schema()
        whole = json.loads(by_schema(live, schema).choices[0].message.content)
        chunks = list(by_schema(live, schema, stream=True))
        assert json.loads("".join(c.choices[0].delta.content or "" for c in chunks)) == whole
        assert chunks[-1].footnotary["answer_id"]


def test_a_rest_that_is_withheld_is_said_in_the_json(home):
    with served(home, says(*GOOD, BAD)) as live:
        wanted = {"type": "json_object"}
        chunks = list(
            completions(live).create(model="law@byclaim", messages=MESSAGES, response_format=wanted, stream=True)
        )
        said = json.loads("".join(c.choices[0].delta.content or "" for c in chunks))
        assert (said["complete"], said["refused"], len(said["claims"])) == (False, False, 2)
        assert live.leaked() == []


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}, "the fields question"),
        ({"type": "object", "properties": {"answer": {"type": "integer"}}}, "`/answer` is of type string"),
        ({"type": "object", "properties": {"answer": {"enum": ["yes"]}}}, "`/answer` is limited"),
        ({"type": "object", "properties": {"refusal_reason": {"type": "string"}}}, "`/refusal_reason` can be null"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "leads nowhere"),
        ({"type": "object", "properties": {"claims": {"type": "array", "items": 7}}}, "not a schema"),
        ({"type": "object", "properties": 7}, "not valid JSON Schema"),
        ({"type": "array"}, "is of type object"),
    ],
)
def test_a_schema_that_an_answer_may_not_satisfy_is_an_error_that_says_why(home, schema, said):
    with served(home, says(*GOOD)) as live:
        with pytest.raises(openai.UnprocessableEntityError) as error:
            by_schema(live, schema)
        assert said in error.value.body["message"]
        assert "mood" not in str(error.value.body)
        assert live.model.seen == []


@pytest.mark.parametrize(
    ("route", "wanted", "place"),
    [
        ("chat/completions", {"response_format": {"type": "json_schema"}}, "/response_format"),
        ("chat/completions", {"response_format": {"type": "json_schema", "json_schema": {}}}, "/response_format"),
        ("responses", {"text": {"format": {"type": "json_schema", "name": "x"}}}, "/text/format"),
    ],
)
def test_a_json_schema_that_is_missing_was_accepted(home, route, wanted, place):
    asked = {"model": "law", **({"input": QUESTION} if route == "responses" else {"messages": MESSAGES}), **wanted}
    with served(home, says(*GOOD)) as live:
        (error,) = httpx.post(f"{live.url}/v1/{route}", json=asked).json()["errors"]
    assert (error["at"], error["code"]) == (place, "schema_missing")
