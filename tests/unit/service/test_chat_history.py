"""The messages of chat clients: conversations, and requests for a title of one."""

import json

import pytest

from footnotary.domain.conversation import EarlierTurn
from footnotary.service.chat_history import earlier_turns, task_reply
from footnotary.service.problems import invalid_request
from footnotary.service.schemas.chat import ChatMessage

OPEN_WEBUI = """### Task:
Generate a concise, 3-5 word title with an emoji summarizing the chat history.
### Guidelines:
- The title should clearly represent the main theme or subject of the conversation.
### Output:
JSON format: { "title": "your concise title here" }
### Chat History:
<chat_history>
USER: What is the punishment for cheating under the old code?
ASSISTANT: Seven years [1].
</chat_history>"""
LIBRECHAT = """Please generate a concise, 5-word-or-less title for the conversation, using its same language.
||>User:
"How long is the leave?"
||>Response:
"24 days." """


def said(role, text):
    return ChatMessage(role=role, content=text)


def test_each_question_has_the_answer_that_follows_it():
    messages = [
        said("system", "You are a pirate."),
        said("user", "How long is the leave?"),
        said("assistant", "It is 24 days [1].\n\n[1] Handbook, 1. Leave (Handbook_1_0)"),
        said("user", "thanks"),
        said("user", "and sick leave?"),
    ]
    assert earlier_turns(messages) == [
        EarlierTurn("How long is the leave?", "It is 24 days [1]."),
        EarlierTurn("thanks"),
    ]


def test_a_very_long_answer_is_not_read():
    messages = [said("user", "Why?"), said("assistant", "x" * 5000), said("user", "And?")]
    assert earlier_turns(messages) == [EarlierTurn("Why?")]


def test_a_title_is_the_first_words_of_the_first_question():
    title = task_reply([said("user", OPEN_WEBUI)])
    assert title is not None
    assert json.loads(title) == {"title": "What is the punishment for cheating under the …"}
    assert task_reply([said("user", LIBRECHAT)]) == "How long is the leave?"


def test_a_title_asked_for_in_a_system_message_was_a_question_or_an_error():
    """LibreChat's forms: the conversation behind the request, or in a user message of its own."""
    request, conversation = LIBRECHAT.split("\n", 1)
    assert task_reply([said("system", LIBRECHAT)]) == "How long is the leave?"
    assert task_reply([said("system", request), said("user", conversation)]) == "How long is the leave?"
    assert task_reply([said("system", request), said("user", "How long is the leave?")]) is None


@pytest.mark.parametrize(("wanted", "empty"), [("follow_ups", []), ("tags", []), ("queries", []), ("text", "")])
def test_a_task_of_open_webui_was_asked_as_a_question(wanted, empty):
    task = f'### Task:\nSuggest some.\n### Output:\nJSON format: {{ "{wanted}": ["a"] }}\n### Chat History:\n'
    history = "<chat_history>\nUSER: What is cheating?\nASSISTANT: A crime.\n</chat_history>"
    assert json.loads(task_reply([said("user", task + history)]) or "") == {wanted: empty}
    assert task_reply([said("user", task)]) is None


@pytest.mark.parametrize(
    "question", ["What is the title of the act?", "Who may generate a title deed?", "Provide the title of section 3."]
)
def test_a_question_about_titles_is_a_question(question):
    assert task_reply([said("user", question)]) is None


@pytest.mark.parametrize(
    ("name", "at"), [("colour", "/colour"), ("tenant_id", "/tenant_id"), ("<script>", ""), ("x" * 99, ""), ("a b", "")]
)
def test_the_422_of_an_unknown_field_named_nothing(name, at):
    problem = invalid_request([{"loc": ("body", name), "type": "extra_forbidden"}])
    assert problem.errors == (
        {"in": "body", "at": at, "code": "extra_forbidden", "requirement": "is not a field of this request"},
    )
