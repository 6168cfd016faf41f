"""What is wrong with the fields of a request: which field, a code, and what it must be. Never the value."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from footnotary.domain.identity import PROJECT_NAME_PATTERN

FieldError = dict[str, str]
PydanticError = Mapping[str, Any]

_PLACES = ("body", "query", "path", "header", "cookie")
_MAX_ERRORS = 20
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
# What a field must be, by pydantic's code; its own messages may repeat the value. Braces take limits of the schema.
_REQUIREMENTS = {
    "missing": "is required",
    "extra_forbidden": "is not a field of this request",
    "unknown_parameter": "is not a query parameter of this route; {known}",
    "repeated_parameter": "must be given only once",
    "string_type": "must be text",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a smaller whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than": "must be above {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be below {lt}",
    "less_than_equal": "must be at most {le}",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "none_required": "must be null",
    "date_type": "must be a date such as 2020-01-31",
    "date_parsing": "must be a date such as 2020-01-31",
    "date_from_datetime_parsing": "must be a date such as 2020-01-31",
    "date_from_datetime_inexact": "must be a date such as 2020-01-31",
    "key_invalid": "must have 1 to 255 visible ASCII characters and no space",
    "answer_or_claims": "must have exactly one of the fields answer and claims",
    "text_or_content": "must have exactly one of the fields text and content",
    "schema_missing": "must have a JSON schema where type is json_schema",
    "control_character": "must not contain a control character",
    "text_parts_only": "a message can only have parts of type text",
    "not_a_day": "must be a date such as 2020-01-31",
    "reserved_name": "must not be the name of a model: guard, a profile, or NAME@PROFILE",
    "before_effective_from": "must not be before effective_from",
}
# What a text must be that has a pattern: nobody should have to read one.
_ID = "followed by 26 letters from a to z or digits from 2 to 7"
PATTERN_REQUIREMENTS = {
    r"\S": "must not be empty",
    PROJECT_NAME_PATTERN: "must have no slash or backslash, no dot at the beginning, and no space at either end",
    r"^[a-z][a-z0-9_-]{0,63}$": "must be the name of a profile: a small letter, then small letters, digits, - or _",
    r"^[0-9a-f]{6,64}$": "must be a SHA-256 or its beginning: 6 to 64 of the digits 0 to 9 and a to f",
    r"^ans_[a-z2-7]{26}$": f"must be the id of an answer: ans_ {_ID}",
    r"^job_[a-z2-7]{26}$": f"must be the id of a job: job_ {_ID}",
    r"^conv_[a-z2-7]{26}$": f"must be the id of a conversation: conv_ {_ID}",
    r"^(?:new|conv_[a-z2-7]{26})$": f"must be new, or the id of a conversation: conv_ {_ID}",
}


def field_errors(found: Sequence[PydanticError], body: object = None) -> list[FieldError]:
    """The errors pydantic found, by field, code and requirement. An unknown name is repeated if it is a plain one.

    `body` is the request's: what pydantic says of the members of a union that the client did not mean is left out.
    """
    located = [(_steps(error, body), error) for error in found]
    errors = [_field_error(path, error) for (_, path), error in _of_nearest_members(located)]
    unique = [error for n, error in enumerate(errors) if error not in errors[:n]]
    return unique[:_MAX_ERRORS]


def _field_error(path: tuple[str, ...], error: PydanticError) -> FieldError:
    code = str(error.get("type", "invalid"))
    said = {"in": _place(error), "at": "".join(f"/{step}" for step in path), "code": code}
    requirement = _requirement(code, error)
    return said | {"requirement": requirement} if requirement else said


def _requirement(code: str, error: PydanticError) -> str:
    context: Mapping[str, Any] = error.get("ctx") or {}
    if code == "string_pattern_mismatch":
        return PATTERN_REQUIREMENTS.get(str(context.get("pattern")), "")
    if context.get("min_length") == 1:
        return "must not be empty"
    try:
        return _REQUIREMENTS.get(code, "").format_map(context)
    except KeyError:
        return ""


def _place(error: PydanticError) -> str:
    loc = error.get("loc") or ("body",)
    return str(loc[0]) if loc[0] in _PLACES else "body"


def _steps(error: PydanticError, body: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The members of unions in the location of an error, with the path before each, and the path of the field.

    Pydantic writes the name of the member into the location: a step that is not in the body, and not its last.
    """
    loc: tuple[str | int, ...] = tuple(error.get("loc") or ())[1:]
    if error.get("type") in ("extra_forbidden", "unknown_parameter") and not _PLAIN_NAME.fullmatch(
        str(loc[-1] if loc else "")
    ):
        loc = loc[:-1]
    if _place(error) != "body" or body is None:
        return (), tuple(map(str, loc))
    members: list[str] = []
    path: list[str] = []
    value = body
    for n, step in enumerate(loc):
        absent = n == len(loc) - 1 and error.get("type") == "missing"
        if (within := _within(value, step)) is None and not absent:
            members.append(f"{'/'.join(path)}:{step}")
            continue
        value = within and within[0]
        path.append(str(step))
    return tuple(members), tuple(path)


def _within(value: object, step: str | int) -> tuple[object] | None:
    """What a part of a body has under a name or a number; None if it has nothing there."""
    if isinstance(value, dict):
        named = cast("dict[object, object]", value)
        return (named[step],) if step in named else None
    if isinstance(value, list) and isinstance(step, int):
        items = cast("list[object]", value)
        return (items[step],) if step < len(items) else None
    return None


LocatedError = tuple[tuple[tuple[str, ...], tuple[str, ...]], PydanticError]


def _of_nearest_members(located: list[LocatedError]) -> list[LocatedError]:
    """Of a union, the errors of the member with the fewest; of all members with as many."""
    counts: dict[str, dict[str, int]] = {}
    for (members, _), _ in located:
        if members:
            where, _, name = members[0].partition(":")
            of_place = counts.setdefault(where, {})
            of_place[name] = of_place.get(name, 0) + 1

    def is_near(members: tuple[str, ...]) -> bool:
        if not members:
            return True
        where, _, name = members[0].partition(":")
        return counts[where][name] == min(counts[where].values())

    return [each for each in located if is_near(each[0][0])]
