"""Other interpretations of the rules: declared files with the changes of paytables/alternatives.

A change names a record and a place in it. A part of the place is a key of an object, or of a list
the id, event or level of an entry, its number, or ``-`` behind the last one.
"""

from copy import deepcopy
from fractions import Fraction

NAMES = ("id", "event", "level")


def record_path(record):
    """Return the path of a record below paytables/."""
    if record == "events":
        return ("events.json",)
    parts = record.split("/")
    return (*parts, "game.json") if len(parts) == 1 else (*parts[:-1], parts[-1] + ".json")


def apply_changes(value, changes):
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
            inner.insert(len(inner) if last == "-" else key(inner, last), new)
        else:
            inner[last] = new
    return value


def key(value, name):
    """Return the key or the number that a part of a place means."""
    if isinstance(value, dict):
        return name
    named = (n for n, entry in enumerate(value) if any(entry_is(entry, k, name) for k in NAMES))
    return next(named, None) if not name.isdigit() else int(name)


def entry_is(entry, name, value):
    """Return True if an entry of a list has a name."""
    return isinstance(entry, dict) and entry.get(name) == value


def edges(figures):
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


def compare_figures(filed, otherwise):
    """Return each figure that an interpretation changes: before, after, difference."""
    before, after = edges(filed), edges(otherwise)
    return {
        name: (value, after[name], after[name] - value)
        for name, value in before.items()
        if name in after and after[name] != value
    }
