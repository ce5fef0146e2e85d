import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import fields as fields_of

from certify.intake.decode import LISTS, RECORDS
from certify.library import schemas
from certify.model.approval import Approval, LaboratoryStatement
from certify.model.condition import AllOf, AnyOf, FeatureTest, Not
from certify.model.game import Game, HandRules, Wager
from certify.model.house_way import HouseWay, HouseWayRule
from certify.model.main_wager import MainWager
from certify.model.paytable import Payout, Paytable, Row
from certify.model.source import Note, Statement

Node = tuple[str, Mapping[str, Any]]
"""A part of a schema, and the kind of the file that it stands in."""

OTHERWISE: Mapping[type, tuple[set[str], set[str]]] = {
    # An entry without a filing has the fields of its paytable.
    Approval: ({"date", "wager", "paytable", "house_way", "content_sha256", "pays"}, {"day"}),
    Game: (
        {"deck", "hand", "joker", "joker_beats_ace_in_front", "joker_choices", "ranking", "wheel"},
        {"hands"},
    ),
    HouseWay: ({"assumptions"}, {"general_assumptions"}),
    HouseWayRule: ({"text"}, set()),  # for readers of the file; documents print the condition
    LaboratoryStatement: ({"only_this_item"}, set()),  # always true
    MainWager: ({"raise"}, {"raise_"}),
    Note: ({"decision"}, set()),  # of files of version 0.2; `marks` says it now
    Paytable: (set(), {"joined"}),  # made by `engine.joint_tables.merge_paytables`, never declared
    Row: ({"meter", "pays"}, {"payout"}),
    Statement: ({"clause"}, set()),  # a house way's statement names its clause alone
    Wager: (set(), {"envies", "options", "paytables"}),  # each in files of their own
}
"""Properties, then fields, that the other side has not, by intent: see `decode.WRITTEN`."""

WORDED = (AllOf, AnyOf, FeatureTest, Not, Payout)
"""Records that a file writes in words of its own: `condition` and `_payout` read them."""


@cache
def schema(kind: str) -> Mapping[str, Any]:
    value: dict[str, Any] = json.loads((schemas() / f"{kind}.schema.json").read_text("utf-8"))
    return value


def resolve(node: Node) -> Node:
    """Follow references, within a file and from one file to another."""
    kind, part = node
    while "$ref" in part:
        file, _, pointer = part["$ref"].partition("#")
        kind = file.removesuffix(".schema.json").rpartition("/")[2] or kind
        part = schema(kind)
        for name in filter(None, pointer.split("/")):
            part = part[name]
    return kind, part


def objects(node: Node) -> Iterator[Node]:
    """Yield the objects with named properties that a part allows, lists and choices unfolded."""
    kind, part = resolve(node)
    if "properties" in part:
        yield kind, part
    for inner in (*part.get("oneOf", ()), *part.get("anyOf", ())):
        yield from objects((kind, inner))
    for inner in ("items", "additionalProperties"):
        if isinstance(part.get(inner), dict):
            yield from objects((kind, part[inner]))


def records(hint: Any) -> Iterator[type[Struct]]:  # noqa: ANN401 - a type's form
    """Yield the records within the type of a field; conditions and payouts have words instead."""
    if hint in WORDED:
        return
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for inner in get_args(hint):
        if inner is not Ellipsis:
            yield from records(inner)


def walk(
    node: Node,
    record: type[Struct],
    declared: dict[type[Struct], set[str]],
    seen: set[Any],
) -> None:
    """Gather what the files declare of a record, and of those that it is made of."""
    kind, part = node
    if (record, id(part)) in seen:
        return
    seen.add((record, id(part)))
    declared.setdefault(record, set()).update(part["properties"].keys() - {"$schema"})
    PARTS.setdefault(record, []).append(part)
    hints = get_type_hints(record)
    for name in part["properties"].keys() & hints.keys():
        for inner in records(hints[name]):
            for found in objects((kind, part["properties"][name])):
                walk(found, inner, declared, seen)


def all_declared() -> dict[type[Struct], set[str]]:
    """Return the properties that schemas know of every record that a file declares."""
    declared: dict[type[Struct], set[str]] = {}
    tops = {kind: (record, schema(kind)) for kind, record in RECORDS.items()}
    for kind, (name, record) in LISTS.items():
        tops[kind] = (record, schema(kind)["properties"][name])
    for kind, (record, part) in tops.items():
        for found in objects((kind, part)):
            walk(found, record, declared, set())
    return declared


PARTS: dict[type[Struct], list[Mapping[str, Any]]] = {}
"""The parts of schemas that declare each record."""
DECLARED = all_declared()


def test_the_hands_of_a_game_have_all_fields_of_their_rules() -> None:
    """Its value is read once more as the rules of its hands, which call the hand a shape."""
    parts = {"shape" if name == "hand" else name for name in OTHERWISE[Game][0]}
    assert parts == {*HandRules.__struct_fields__}


def test_every_kind_of_file_is_compared() -> None:
    tops = {*RECORDS.values(), *(record for _, record in LISTS.values())}
    assert tops <= DECLARED.keys()
    assert OTHERWISE.keys() <= DECLARED.keys()


NAMED = {record.__name__: record for record in DECLARED}


@pytest.mark.parametrize("name", sorted(NAMED))
def test_schema_and_record_have_the_same_parts(name: str) -> None:
    """A part that only one side has is a slip, but for those that `OTHERWISE` names."""
    record = NAMED[name]
    fields = {field.name for field in fields_of(record)}
    there, here = DECLARED[record] - fields, fields - DECLARED[record]
    assert (there, here) == OTHERWISE.get(record, (set(), set()))


@pytest.mark.parametrize("name", sorted(NAMED))
def test_fields_without_a_default_are_required(name: str) -> None:
    record = NAMED[name]
    needed = {field.name for field in fields_of(record) if field.required}
    for part in PARTS[record]:
        assert needed & part["properties"].keys() <= {*part.get("required", ())}
