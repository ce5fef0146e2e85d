"""Other interpretations of the rules: declared files with the changes of paytables/alternatives.

A change names a record and a place in it. A part of the place is a key of an object, or of a list
the id, event or level of an entry, its number, or ``-`` behind the last one.
"""

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from fractions import Fraction
from typing import Any

from .files import LAYERS, Json, read_json

NAMES = ("id", "event", "level")


def record_path(record: str) -> str:
    """Return the path of a record below paytables/."""
    if record == "events":
        return "events.json"
    return f"{record}.json" if "/" in record else f"{record}/game.json"


def apply_reading(files: Mapping[str, bytes], reading: Json) -> dict[str, bytes]:
    """Return the declared files as an interpretation changes them."""
    changed = dict(files)
    for record in {change["record"] for change in reading["changes"]}:
        layers = LAYERS[:1] if record == "events" else LAYERS[::-1]
        paths = (layer + record_path(record) for layer in layers)
        path = next((path for path in paths if path in files), None)
        changes = [each for each in reading["changes"] if each["record"] == record]
        if path is not None:
            changed[path] = json.dumps(apply_changes(read_json(files[path]), changes)).encode()
    return changed


def apply_changes(value: Any, changes: Iterable[Json]) -> Any:  # noqa: ANN401 - any JSON value
    """Return a record as the changes make it."""
    value = deepcopy(value)
    for change in changes:
        *parents, last = change["path"].split("/")[1:]
        inner = value
        for name in parents:
            inner = inner[key(inner, name)]
        new = deepcopy(change.get("value"))
        if change["op"] == "remove":
            del inner[key(inner, last)]
        elif change["op"] == "replace":
            inner[key(inner, last)] = new
        elif isinstance(inner, list):
            place = key(inner, last)
            inner.insert(len(inner) if place is None else place, new)
        else:
            inner[last] = new
    return value


def key(value: Any, name: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the key or the number that a part of a place means; None behind the last entry."""
    if isinstance(value, dict):
        return name
    if name.isdigit() or name == "-":
        return int(name) if name != "-" else None
    return next(
        place
        for place, entry in enumerate(value)
        if isinstance(entry, dict) and name in map(entry.get, NAMES)
    )


def edges(figures: Json) -> dict[str, Fraction]:
    """Return the figures of a wager that interpretations are compared by."""
    named = {}
    if "house_edge" in figures:
        named["house_edge"] = Fraction(figures["house_edge"])
    by_players = figures.get("envy", {}).get("house_edge_by_players")
    if by_players:
        named["house_edge_full_table"] = Fraction(by_players[max(by_players, key=int)])
    if "progressive" in figures:
        named["fixed_return"] = Fraction(figures["progressive"]["fixed_return"])
    return named


def compare_figures(filed: Json, otherwise: Json) -> dict[str, tuple[Fraction, Fraction, Fraction]]:
    """Return each figure that an interpretation changes: before, after, difference."""
    before, after = edges(filed), edges(otherwise)
    return {
        name: (value, after[name], after[name] - value)
        for name, value in before.items()
        if name in after and after[name] != value
    }
