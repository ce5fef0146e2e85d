"""Pages of ``docs/reference`` about declared data: its schemas, and the vocabulary of events."""

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from certify.formatting import one_in
from certify.library import schemas
from certify.pipeline.events import EventShown, vocabulary

COMMON = "common"
"""The schema whose definitions the others refer to."""

NO_TABLE = ("condition", "high_hand_condition", "low_hand_condition", "compare")
"""Definitions that have a page of their own, `features.md`."""

FEWEST = 3
"""Cards of the smallest hand that a wager of the family looks at."""


def schema_page() -> str:
    """Return the page of all schemas: every property, its meaning, its values, an example."""
    parts = [
        "# Files and their properties\n\n"
        "Each file names its schema under `$schema`, and an editor that knows JSON Schema says\n"
        "what is written here while you type: `certify schema` prints them as one bundle. A\n"
        "property in **bold** must be stated. `rows[].pays` is the property `pays` of every entry\n"
        "of the list `rows`.\n"
    ]
    files = sorted(schemas().glob("*.schema.json"))
    read = {path.name.partition(".")[0]: json.loads(path.read_bytes()) for path in files}
    common = read.pop(COMMON)
    for kind, schema in read.items():
        parts.append(f"## {schema['title']}\n\n{schema['description']}\n\n`{kind}.schema.json`\n")
        parts.append(_table(_rows(schema)))
        parts += _definitions(f"{kind}, ", schema.get("$defs", {}))
    parts.append("## Shared definitions\n")
    parts += _definitions("", common["$defs"])
    return "\n".join(parts)


def _definitions(before: str, definitions: Mapping[str, Any]) -> Iterator[str]:
    for name, definition in definitions.items():
        if name not in NO_TABLE:
            says, values = definition.get("description", ""), _values(definition)
            yield f"### {before}{name.replace('_', ' ')}\n\n{says}\n\nValues: {values}.\n"
            yield _table(_rows(definition))


def _table(rows: Iterator[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    head = "| property | what it says | values |\n|---|---|---|\n"
    return head + "\n".join(lines) + "\n" if lines else ""


def _rows(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, ...]]:
    """Yield name, meaning and values of every property below a schema."""
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        if name == "$schema":
            continue
        place = f"`{path}{name}`"
        yield (
            f"**{place}**" if name in required else place,
            inner["description"],
            _values(inner),
        )
        yield from _rows(inner, f"{path}{name}.")
        yield from _rows(inner.get("items", {}), f"{path}{name}[].")


def _values(schema: Mapping[str, Any]) -> str:
    """Return in words which values a schema allows, with its examples."""
    several = schema.get("oneOf") or schema.get("anyOf")
    if several:
        return " or ".join(dict.fromkeys(map(_values, several)))
    if "$ref" in schema:
        return _referred(schema["$ref"])
    if "enum" in schema:
        words = (value if isinstance(value, str) else json.dumps(value) for value in schema["enum"])
        return ", ".join(f"`{word}`" for word in words)
    kind = schema.get("type", ())
    kinds = [kind] if isinstance(kind, str) else kind
    return " or ".join(_WORDS[name](schema) for name in kinds) or "any value"


def _text(schema: Mapping[str, Any]) -> str:
    examples = ", ".join(f"`{example}`" for example in schema.get("examples", ()))
    return f"text, such as {examples}" if examples else "text"


def _integer(schema: Mapping[str, Any]) -> str:
    bounds = (("from", schema.get("minimum")), ("to", schema.get("maximum")))
    said = [f"{word} {bound}" for word, bound in bounds if bound is not None]
    return " ".join(["a whole number", *said])


_WORDS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "array": lambda schema: f"a list: {_values(schema['items'])}",
    "boolean": lambda _: "`true` or `false`",
    "integer": _integer,
    "null": lambda _: "`null`",
    "object": lambda schema: "a record" if "properties" in schema else "values by name",
    "string": _text,
}


def _referred(reference: str) -> str:
    """Return the name of what a reference leads to, with a link where the page has it."""
    file, _, place = reference.partition("#")
    name = place.rpartition("/")[2]
    if name in NO_TABLE:
        return "[a condition](features.md)"
    if not name:
        title = json.loads((schemas() / file).read_bytes())["title"]
        return f"[{title}](#{title.lower().replace(' ', '-')})"
    return f"`{name.replace('_', ' ')}`"


@cache
def event_page() -> str:
    """Return the page of all events: how many hands each holds among all, and one of them."""

    def row(event: EventShown) -> str:
        cards = f"{known.cards}"
        if event.combinations == 0:
            (event,) = vocabulary(event.id, cards=FEWEST).events
            cards = f"{FEWEST}"
        count, chance = "as set", ""
        if event.combinations is not None:
            count = f"{event.combinations:,}"
            chance = one_in(Fraction(event.combinations, event.total))
        hands = [" ".join(side) for side in (event.player, event.dealer) if side]
        example = " against ".join(f"`{hand}`" for hand in hands)
        shown = f", such as {example}" if example else ""
        return f"| **`{event.id}`**: {event.text}{shown} | {cards} | {count} | {chance} |"

    known = vocabulary()
    rows = "\n".join(row(event) for event in known.events)
    return (
        "# Events\n\n"
        "The hands that a row of a paytable may pay for, as `paytables/events.json` declares them\n"
        f"and as they are counted among all hands of a deck of {known.deck.cards} cards; pairs of\n"
        "hands where an event looks at two. A hand is counted under every event that it meets.\n"
        "What is counted as set depends on a house way: `certify events --game GAME` counts it.\n"
        "`certify events ID` prints one event with its source and the games that pay for it.\n\n"
        "| event | cards | hands | chance |\n"
        "|---|--:|--:|--:|\n"
        f"{rows}\n"
    )
