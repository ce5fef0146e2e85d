"""Reference pages of declared data: the schemas and the events."""

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from certify.commands.events import EventShown, EventsRequest, find_events
from certify.formatting import format_one_in
from certify.library import schemas

COMMON = "common"
"""The schema with the shared definitions."""

NO_TABLE = ("condition", "high_hand_condition", "low_hand_condition", "compare")
"""Definitions of the page `features.md`."""

FEWEST = 3
"""The smallest number of cards that a wager uses."""


def schema_page() -> str:
    """Return the page of all schemas: properties, meanings, values and examples."""
    parts = [
        "# Files and their properties\n\n"
        "Each file names its schema under `$schema`. Editors that support JSON Schema show the\n"
        "same descriptions; `certify schema` prints a schema as one file. A property in **bold**\n"
        "is required. `rows[].pays` is the property `pays` of each entry of the list `rows`.\n"
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
    head = "| property | meaning | values |\n|---|---|---|\n"
    return head + "\n".join(lines) + "\n" if lines else ""


def _rows(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, ...]]:
    """Yield name, meaning and values of each property of a schema."""
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
    """Return the allowed values of a schema as text, with examples."""
    several = schema.get("oneOf") or schema.get("anyOf")
    if several:
        return " or ".join(dict.fromkeys(map(_values, several)))
    if "$ref" in schema:
        return _referred(schema["$ref"])
    if "enum" in schema:
        return "; ".join(
            f"`{value if isinstance(value, str) else json.dumps(value)}`: {words.rstrip('.')}"
            for value, words in zip(schema["enum"], schema["enumDescriptions"], strict=True)
        )
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
    "object": lambda schema: "an object" if "properties" in schema else "values by name",
    "string": _text,
}


def _referred(reference: str) -> str:
    """Return the name of a referenced schema, with a link if the page contains it."""
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
    """Return the page of all events, each with its number of hands and an example."""

    def row(event: EventShown) -> str:
        cards = f"{known.cards}"
        if event.combinations == 0:
            (event,) = find_events(EventsRequest(word=event.id, cards=FEWEST)).events
            cards = f"{FEWEST}"
        count, chance = "as set", ""
        if event.combinations is not None:
            count = f"{event.combinations:,}"
            chance = format_one_in(Fraction(event.combinations, event.total))
        hands = [" ".join(side) for side in (event.player, event.dealer) if side]
        example = " against ".join(f"`{hand}`" for hand in hands)
        shown = f", such as {example}" if example else ""
        return f"| **`{event.id}`**: {event.text}{shown} | {cards} | {count} | {chance} |"

    known = find_events(EventsRequest())
    rows = "\n".join(row(event) for event in known.events)
    return (
        "# Events\n\n"
        "The events of `paytables/events.json`, which a row of a paytable may pay for, with their\n"
        f"counts among all hands of a deck of {known.deck.cards} cards (pairs of hands if an\n"
        "event uses two). A hand is counted under each event that it matches. Events of hands as\n"
        "set depend on a house way: `certify events --game GAME` counts them. `certify events ID`\n"
        "prints one event with its source and the games that pay for it.\n\n"
        "| event | cards | hands | chance |\n"
        "|---|--:|--:|--:|\n"
        f"{rows}\n"
    )
