"""Schema faults in plain words, each with its fix."""

# ruff: noqa: ANN401 - the values that are judged are JSON of any kind

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from certify.formatting import did_you_mean, join_words, read_pay
from certify.model.finding import Code

_SHOWN = 40


def schema_fix(schema: Mapping[str, Any]) -> str:
    """Return the schema's description of the value, as a fix."""
    description = schema.get("description")
    if description:
        return f"Expected: {_lower(description)}"
    return "Correct the value; the schema of the file lists the allowed values."


def meaning(schema: Mapping[str, Any]) -> str:
    """Return the schema's description of a property, after a colon; empty if there is none."""
    description = schema.get("description")
    return f": {_lower(description).removesuffix('.')}" if description else ""


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def json_kind(value: Any) -> str:
    """Return the type of a JSON value, in words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    kinds = ((dict, "an object"), (list, "a list"), (str, "text"), (int, "a number"))
    return next((name for type_, name in kinds if isinstance(value, type_)), "null")


def quote(value: Any) -> str:
    """Return a value as JSON, shortened if it is long."""
    return short(json.dumps(value, ensure_ascii=False))


def canonical(value: Any) -> str:
    """Return a value as the one text that all values equal to it have."""
    return json.dumps(value, sort_keys=True)


def short(text: str) -> str:
    """Return a text, shortened if it is long."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def join_alternatives(words: Sequence[str]) -> str:
    """Return words as alternatives, each once: ``a, b or c``."""
    return join_words(dict.fromkeys(words), "or")


def join_names(names: Sequence[str]) -> str:
    """Return the names of properties as a list."""
    return join_words(f"`{name}`" for name in names)


_BRACKETS_OR_END = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$")
"""An escape, a character class, or the end of the text."""


def matches(pattern: str, text: str) -> bool:
    """Return True if a pattern matches anywhere in a text."""
    return _compile_pattern(pattern).search(text) is not None


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return the pattern for Python, whose ``$`` would match before a final newline, too.

    The schemas use nothing else that the two read differently; a test holds them to that.
    """
    return re.compile(
        _BRACKETS_OR_END.sub(lambda match: r"\Z" if match[0] == "$" else match[0], pattern)
    )


_TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "integer": "an integer",
    "boolean": "true or false",
    "null": "null",
}

Explained = Callable[[Any, Any, Mapping[str, Any]], Iterator["SchemaFault"]]
"""Function from the schema's requirement, the value and the schema to the faults in words."""


class SchemaFault(Struct, frozen=True):
    """A fault of one value; ``{name}`` in the message is replaced by the name of the value.

    ``key`` is the property concerned, if the fault is about one property of an object.
    """

    code: Code
    message: str
    remedy: str
    key: str | None = None


S001 = Code(
    "S001",
    "A property is missing",
    why="The file is incomplete without the property. A paytable without a source, for "
    "example, cannot be certified.",
    fix="Add the property.",
    wrong='{"event": "flush", "name": "Flush"}',
    right='{"event": "flush", "name": "Flush", "pays": "4 to 1"}',
)


def _check_required(
    required: Sequence[str], value: Any, schema: Mapping[str, Any]
) -> Iterator[SchemaFault]:
    for name in required:
        if name not in value:
            means = meaning(schema.get("properties", {}).get(name, {}))
            yield SchemaFault(S001, f"{{name}} has no property `{name}`.", f"Add `{name}`{means}.")


S002 = Code(
    "S002",
    "A property is unknown",
    why="A misspelled property would be silently ignored, and its value lost.",
    fix="Correct its name, or remove it.",
    wrong='{"event": "flush", "name": "Flush", "pay": "4 to 1"}',
    right='{"event": "flush", "name": "Flush", "pays": "4 to 1"}',
)


def _check_unknown(_asked: object, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    properties = tuple(schema.get("properties", {}))
    for name in value:
        if name not in properties:
            usable = ", ".join(word for word in properties if not word.startswith("$"))
            otherwise = f"Remove it, or use one of: {usable}."
            yield SchemaFault(
                S002,
                f"{{name}} has an unknown property `{short(name)}`.",
                did_you_mean(name, properties, otherwise, form="`{}`"),
                key=name,
            )


S003 = Code(
    "S003",
    "A value has the wrong type",
    why="A number in quotation marks is text, not a number.",
    fix="Write a value of the type that the message names.",
    wrong='{"cards": "7"}',
    right='{"cards": 7}',
)


def _type(
    required: str | Sequence[str], value: Any, schema: Mapping[str, Any]
) -> Iterator[SchemaFault]:
    types = [required] if isinstance(required, str) else required
    yield SchemaFault(
        S003,
        f"{{name}} must be {join_alternatives([_TYPES[type_] for type_ in types])}; "
        f"it is {json_kind(value)}.",
        schema_fix(schema),
    )


S004 = Code(
    "S004",
    "A value is not allowed",
    why="Only the listed values have a defined meaning.",
    fix="Use one of the listed values.",
    wrong='{"award": "first_row"}',
    right='{"award": "first_row_contained"}',
)


def _check_allowed(
    allowed: Sequence[Any], value: Any, _schema: Mapping[str, Any]
) -> Iterator[SchemaFault]:
    words = [quote(constant) for constant in allowed]
    yield SchemaFault(
        S004,
        f"{{name}} is {quote(value)}, which is not an allowed value.",
        did_you_mean(quote(value), words, f"Use one of: {', '.join(words)}."),
    )


S005 = Code(
    "S005",
    "A text has the wrong format",
    why='Odds, percentages, dates and ids have a fixed format. Odds without "to" or "for" do '
    "not say whether the wager is returned.",
    fix="Write it in the format that the message names.",
    wrong='{"pays": "50:1"}',
    right='{"pays": "50 to 1"}',
)


def _form(pattern: str, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    remedy, meant = schema_fix(schema), read_pay(value)
    if meant is not None and matches(pattern, meant):
        remedy = f'Did you mean "{meant}"?'
    yield SchemaFault(S005, f"{{name}} is {quote(value)}, which has the wrong format.", remedy)


def _text_length(limit: int, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    if value:
        message = f"{{name}} is {len(value)} characters long; {limit} are allowed."
        remedy = "Shorten it, or split it into several statements."
    else:
        message, remedy = "{name} is empty.", schema_fix(schema)
    yield SchemaFault(S005, message, remedy)


S006 = Code(
    "S006",
    "A number or a list is out of range",
    why="For example, no hand has more than seven cards, and no prize is negative.",
    fix="Correct the number, or the number of items.",
    wrong='{"cards": 8}',
    right='{"cards": 7}',
)


def _range(message: str, schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    yield SchemaFault(S006, message, schema_fix(schema))


def _number(sentence: str) -> Explained:
    """Return the words for a number that is too small or too great."""
    return lambda limit, value, schema: _range(f"{{name}} is {value}; {sentence} {limit}.", schema)


def _few(least: int, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    message = f"{{name}} has {len(value)} items; it needs at least {least}."
    return _range(message if value else "{name} is empty.", schema)


def _many(most: int, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    return _range(f"{{name}} has {len(value)} items; at most {most} are allowed.", schema)


def _twice(_asked: object, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    first: dict[str, int] = {}
    again = next(item for i, item in enumerate(value) if first.setdefault(canonical(item), i) != i)
    return _range(f"{{name}} lists {quote(again)} twice.", schema)


S007 = Code(
    "S007",
    "The schema of the file is missing or wrong",
    why="The same property has different meanings in different kinds of files, so a file is "
    "read as the kind that its schema defines.",
    fix='Write the path of the file\'s schema under "$schema".',
    wrong='{"$schema": "../../schemas/paytabel.schema.json"}',
    right='{"$schema": "../../schemas/paytable.schema.json"}',
)


S008 = Code(
    "S008",
    "Properties do not fit together",
    why='An event applies to one hand ("when") or to two ("dealer"); a dealer rule ends the '
    'wager ("outcome") or changes the pay of a win ("win_pays"). With both or neither, '
    "the meaning is undefined.",
    fix="Keep one of the properties, or add the missing one.",
    wrong='{"id": "push_ace_high", "outcome": "push", "win_pays": "1 to 2"}',
    right='{"id": "push_ace_high", "outcome": "push"}',
)


def _alternatives(
    choices: Sequence[Mapping[str, Any]], value: Any, schema: Mapping[str, Any]
) -> Iterator[SchemaFault]:
    """Word a failed choice: of properties that exclude one another, or of types."""
    if all("required" in choice and set(choice) <= {"required", "not"} for choice in choices):
        groups = [join_names(choice["required"]) for choice in choices]
        present = [name for choice in choices for name in choice["required"] if name in value]
        has = f"has {join_names(present)}" if present else "has none of them"
        quantity = "at least one" if schema.get("anyOf") is choices else "exactly one"
        if any("not" in choice for choice in choices):
            quantity = "one"  # some of them may be there together
        yield SchemaFault(
            S008,
            f"{{name}} needs {quantity} of {join_alternatives(groups)}; it {has}.",
            "Keep one of them." if present else f"Add {join_alternatives(groups)}.",
        )
        return
    types = [choice["type"] for choice in choices if isinstance(choice.get("type"), str)]
    if types and len(types) == len(choices):
        yield from _type(types, value, schema)
    else:
        yield from together(choices, value, schema)


def together(_asked: object, _value: object, schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    """Yield the fault of parts of a value that do not fit together."""
    yield SchemaFault(S008, "{name} has properties that do not fit together.", schema_fix(schema))


EXPLAINED: dict[str, Explained] = {
    "required": _check_required,
    "additionalProperties": _check_unknown,
    "type": _type,
    "enum": _check_allowed,
    "const": lambda asked, value, schema: _check_allowed([asked], value, schema),
    "pattern": _form,
    "minLength": _text_length,
    "maxLength": _text_length,
    "minimum": _number("the minimum is"),
    "maximum": _number("the maximum is"),
    "minItems": _few,
    "minProperties": _few,
    "maxItems": _many,
    "maxProperties": _many,
    "uniqueItems": _twice,
    "oneOf": _alternatives,
    "anyOf": _alternatives,
}
"""Functions for the faults of a failed keyword of a schema; `together` for any other."""
