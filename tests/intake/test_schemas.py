import json
import re
from collections.abc import Iterator
from copy import copy
from enum import StrEnum
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from certify.checks.r_jurisdictions.judge import BY_RULE, FACTS, TESTS
from certify.intake.schema import describe_values, kinds, schema_named, validate
from certify.intake.strict_json import scan
from certify.model import (
    approval,
    finding,
    game,
    jurisdiction,
    main_wager,
    paytable,
    source,
    topic,
    vocabulary,
)
from certify.model.finding import Document

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "schemas").glob("*.schema.json"))
}
FILES = sorted(
    path
    for folder in (
        "paytables",
        *(f"fixtures/{item}" for item in ("valid", "invalid", "games", "field")),
    )
    for path in (ROOT / folder).rglob("*.json")
    if path.name not in ("expected.json", "analyses.json", "judgements.json", "filing.json")
    and path.is_file()
)


ENUMS: list[tuple[str, str, type[StrEnum]]] = [
    ("paytable", "/properties/award", paytable.Award),
    ("wager", "/properties/kind", game.WagerKind),
    ("common", "/$defs/joker_rule", game.JokerRule),
    ("game", "/properties/wheel", game.WheelRule),
    ("common", "/$defs/strategy", game.Strategy),
    ("published", "/properties/figures/items/properties/quantity", source.Quantity),
    ("published", "/$defs/convention", source.Convention),
    ("discrepancies", "/properties/discrepancies/items/properties/kind", source.DiscrepancyKind),
    ("register", "/properties/approvals/items/properties/status", approval.ApprovalStatus),
    ("common", "/$defs/statement/properties/topic", topic.Topic),
    ("filing", "/properties/applicant", jurisdiction.Applicant),
    ("filing", "/properties/meter_reductions/items", jurisdiction.MeterReduction),
    ("filing", "/properties/aggregate_limits/items/properties/scope", jurisdiction.Scope),
    ("main-wager", "/$defs/tie", main_wager.Tie),
    ("main-wager", "/properties/commission/properties/rounding", paytable.Rounding),
    ("house-way", "/$defs/category", vocabulary.Category),
    ("house-way", "/$defs/groups_name", vocabulary.Groups),
    ("house-way", "/$defs/named_front", vocabulary.NamedFront),
    ("jurisdiction", "/properties/rules/items/properties/severity", finding.Severity),
    ("jurisdiction", "/$defs/confidence", jurisdiction.Confidence),
    ("jurisdiction", "/properties/checklist/items/properties/bearer", jurisdiction.Bearer),
    ("jurisdiction", "/properties/deadlines/items/properties/begins", jurisdiction.Begins),
]


def part(kind: str, pointer: str) -> dict[str, Any]:
    value = SCHEMAS[kind]
    for name in pointer.split("/")[1:]:
        value = value[name]
    assert isinstance(value, dict)
    return value


def objects(schema: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - JSON values
    """Return every part of a schema that describes an object; one that only asks describes none."""
    found: list[dict[str, Any]] = []
    if isinstance(schema, dict):
        if "properties" in schema and isinstance(schema["properties"], dict):
            found.append(schema)
        for name, inner in schema.items():
            found += objects(inner) if name != "if" else []
    elif isinstance(schema, list):
        for inner in schema:
            found += objects(inner)
    return found


def is_decoded(document: Document) -> bool:
    return "" in document.spans


def test_base_rule_of_a_house_way_is_a_rule_without_condition_and_order() -> None:
    base = set(part("house-way", "/$defs/base_rule")["properties"])
    exception = set(part("house-way", "/$defs/exception")["properties"])
    assert exception - base == {"when", "before"}
    assert base <= exception


@pytest.mark.parametrize("part", [item for item in vocabulary.HandPart if item.is_set])
def test_features_of_a_hand_as_set_are_those_that_are_reported(part: vocabulary.HandPart) -> None:
    tested = {
        vocabulary.HandPart.HIGH_HAND: vocabulary.HIGH_HAND_FEATURES,
        vocabulary.HandPart.LOW_HAND: vocabulary.LOW_HAND_FEATURES,
    }[part]
    properties = SCHEMAS["common"]["$defs"][f"{part}_condition"]["properties"]
    assert [*properties] == ["all", "any", "not", *tested]


@pytest.mark.parametrize(("kind", "pointer", "words"), ENUMS)
def test_words_are_the_members_of_the_enum(kind: str, pointer: str, words: type[StrEnum]) -> None:
    assert part(kind, pointer)["enum"] == [str(word) for word in words]


def test_hands_of_a_wager_are_the_members_of_the_enum_and_a_former_name() -> None:
    """A file of an earlier version is read as before."""
    words = part("common", "/$defs/hand")["enum"]
    assert dict.fromkeys(map(paytable.HandOf, words)) == dict.fromkeys(paytable.HandOf)
    assert set(words) - set(paytable.HandOf) == {"player_or_dealer"}
    assert paytable.HandOf("player_or_dealer") is paytable.HandOf.CHOSEN_IN_ADVANCE


def test_tests_of_rules_are_those_of_the_table() -> None:
    described = describe_values("jurisdiction", "/properties/rules/items/properties/test")
    assert described == {name: test.summary for name, test in TESTS.items()}


def test_facts_of_a_checklist_are_those_of_the_table() -> None:
    pointer = "/properties/checklist/items/properties/proof/items"
    rule, *facts = describe_values("jurisdiction", pointer).items()
    assert rule[0] == BY_RULE
    assert [(name, words.lower()) for name, words in facts] == [
        (name, f"{fact.words.lower()}.") for name, fact in FACTS.items()
    ]


def enums(schema: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - JSON values
    """Yield every part of a schema that lists allowed values; a part that only asks is none."""
    if isinstance(schema, dict):
        if isinstance(schema.get("enum"), list):
            yield schema
        for name, inner in schema.items():
            yield from enums(inner) if name != "if" else ()
    elif isinstance(schema, list):
        for inner in schema:
            yield from enums(inner)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_allowed_value_has_a_description(kind: str) -> None:
    for listed in enums(SCHEMAS[kind]):
        described = listed.get("enumDescriptions", [])
        assert len(described) == len(listed["enum"]), listed
        assert all(re.fullmatch(r"[A-Z].{4,}\.", words) for words in described), described


def test_no_vocabulary_is_listed_twice() -> None:
    """A second list would have descriptions that nobody keeps alike."""
    listed = [json.dumps(part["enum"]) for schema in SCHEMAS.values() for part in enums(schema)]
    assert sorted(set(listed)) == sorted(listed)


def test_procedures_of_a_table_are_those_that_statements_settle() -> None:
    assert [*part("filing", "/properties/procedures")["properties"]] == [*topic.Procedure]


@pytest.mark.parametrize("kind", SCHEMAS)
def test_schema_is_closed_and_describes_every_property(kind: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[kind])
    for item in objects(SCHEMAS[kind]):
        if item.get("type") == "object":
            assert item.get("additionalProperties") is False, item
        for name, inner in item["properties"].items():
            assert inner.get("description"), name


@pytest.mark.parametrize("kind", SCHEMAS)
def test_each_pattern_has_examples_that_match(kind: str) -> None:
    """For whoever types it: an editor offers them."""
    for pointer, inner in iterate_types(SCHEMAS[kind], ""):
        if "pattern" in inner:
            assert inner.get("examples"), pointer
        validator = second_validator(f"{SCHEMAS[kind]['$id']}#{pointer}")
        for example in inner.get("examples", ()):
            assert validator.is_valid(example), (pointer, example)


def iterate_types(schema: Any, pointer: str) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401
    """Yield every part of a schema that describes a value, with its pointer."""
    if isinstance(schema, dict):
        if "description" in schema and "properties" not in schema:
            yield pointer, schema
        for name, inner in schema.items():
            yield from iterate_types(
                inner, f"{pointer}/{name.replace('/', '~1').replace('$', '%24')}"
            )
    elif isinstance(schema, list):
        for place, inner in enumerate(schema):
            yield from iterate_types(inner, f"{pointer}/{place}")


@pytest.mark.parametrize("kind", SCHEMAS)
def test_name_of_a_schema_is_absolute_and_under_a_domain_that_never_is(kind: str) -> None:
    """RFC 2606, 2: nothing below `.invalid` is ever found, so nothing is ever fetched."""
    assert SCHEMAS[kind]["$id"] == f"https://certify.invalid/schemas/{kind}.schema.json"


@pytest.mark.parametrize("kind", SCHEMAS)
def test_schema_has_no_numbers_with_fractions_and_no_dynamic_references(kind: str) -> None:
    text = json.dumps(SCHEMAS[kind])
    assert '"type": "number"' not in text
    assert "$dynamicRef" not in text


def test_every_kind_but_the_shared_definitions_describes_a_file() -> None:
    assert set(kinds()) == set(SCHEMAS) - {"common"}


def second_validator(reference: str) -> Any:  # noqa: ANN401 - a library without types
    """Return a schema in another library; it shares no code with ours."""
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in SCHEMAS.values()])
    return jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=registry, offline=True)


@pytest.fixture(autouse=True)
def jsonschema_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let jsonschema judge every file: the quick validator may only save time."""
    monkeypatch.setattr("certify.intake.schema._accepts", lambda *_: Refusing())


class Refusing:
    def is_valid(self, _: object) -> bool:
        return False


@pytest.fixture(scope="module")
def second_opinion() -> dict[str, Any]:
    return {kind: second_validator(SCHEMAS[kind]["$id"]) for kind in kinds()}


def test_a_second_validator_agrees_on_every_file(second_opinion: dict[str, Any]) -> None:
    """Every file as what it is, and every eighth as all that it is not."""
    compared = 0
    for place, path in enumerate(FILES):
        document, _ = scan(path.read_bytes(), path.name)
        if not is_decoded(document):
            continue
        named = schema_named(document)
        for kind in [kind for kind in kinds() if kind == named or place % 8 == 0]:
            ours = not validate(document, kind)
            assert second_opinion[kind].is_valid(document.value) is ours, (path, kind)
            compared += 1
    assert compared > len(FILES)


ODD: tuple[Any, ...] = (
    None, True, 0, 1, -1, 10**13, "", "x", "2026-02-30", "2026-02-28", "2026-02-28\n", "0000-01-01",
    "1 to 1", "1 to 1\n", "x\n", [], [1, 1], {},
)  # fmt: skip


def alter(value: Any) -> Iterator[Any]:  # noqa: ANN401 - JSON values
    yield from ODD
    if isinstance(value, list):
        yield [*value, *value[:1]]
        yield value[1:]
        parts: list[tuple[Any, Any]] = list(enumerate(value))
    elif isinstance(value, dict):
        yield value | {"unheard_of": 1}
        for name in value:
            yield {key: part for key, part in value.items() if key != name}
        parts = list(value.items())
    else:
        return
    for key, part in parts:
        for other in alter(part):
            changed = copy(value)  # the other parts are shared: nobody changes them
            changed[key] = other
            yield changed


@pytest.mark.slow
def test_every_alteration_is_judged_as_by_a_second_validator(
    second_opinion: dict[str, Any],
) -> None:
    """No other library checks a file that it accepts, which means that it may never be wrong."""
    examples: dict[str, Any] = {}
    for path in sorted(FILES, key=lambda path: abs(path.stat().st_size - 1500)):
        document, findings = scan(path.read_bytes(), path.name)
        named = schema_named(document)
        if named in second_opinion and not findings and not validate(document, named):
            examples.setdefault(named, document.value)
    assert len(examples) > 10
    for kind, example in examples.items():
        answers = {True: 0, False: 0}
        for value in alter(example):
            answer = not validate(build_document(value), kind)
            assert answer is second_opinion[kind].is_valid(value), (kind, value)
            answers[answer] += 1
        assert min(answers.values()) > 5, kind


def build_document(value: Any) -> Document:  # noqa: ANN401 - JSON values
    return Document(path="x", sha256="", text="", value=value, spans={}, key_spans={})


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_keyword_of_a_schema_is_one_of_json_schema(kind: str) -> None:
    """A validator passes over what it does not know, so nothing may be misspelt."""
    known = set(Draft202012Validator.VALIDATORS) | {
        "$schema", "$id", "$defs", "title", "description", "default", "examples", "then", "else",
        "enumDescriptions",
    }  # fmt: skip
    for keyword in keywords(SCHEMAS[kind]):
        assert keyword in known


WITHOUT_SCHEMAS = frozenset(
    ("const", "default", "dependentRequired", "enum", "enumDescriptions", "examples", "required")
)
"""Keywords whose values are not schemas."""


def keywords(schema: Any) -> Iterator[str]:  # noqa: ANN401 - JSON values
    """Yield every keyword of a schema and of its parts; what properties are called is none."""
    if not isinstance(schema, dict):
        return
    for keyword, asked in schema.items():
        yield keyword
        if keyword in ("properties", "$defs", "dependentSchemas"):
            parts = [*asked.values()]
        elif keyword in WITHOUT_SCHEMAS:
            parts = []
        else:
            parts = asked if isinstance(asked, list) else [asked]
        for part_ in parts:
            yield from keywords(part_)


@pytest.mark.parametrize(
    ("asked", "code", "where"),
    [
        (9, "S006", "of_a_kind"),  # a number, and too great
        ({"min": 2, "max": "x"}, "S003", "of_a_kind/max"),
        ({"low": 2}, "S002", "of_a_kind/low"),
        ([1, "x"], "S003", "of_a_kind/1"),
        ("x", "S003", "of_a_kind"),  # neither of the three
        (None, "S003", "of_a_kind"),
    ],
)
def test_a_value_is_reported_by_the_alternative_whose_type_it_has(
    asked: object, code: str, where: str
) -> None:
    """The schema allows a number, a list or limits: the message is about the intended one."""
    (fault,) = faults_of_event({"when": {"of_a_kind": asked}})
    assert (fault.code, fault.pointer) == (code, f"/events/0/when/{where}")
    types = "an integer, a list or an object"
    assert (types in fault.message) == (where == "of_a_kind" and code == "S003")


@pytest.mark.parametrize(
    "more",
    [{}, {"when": {"joker": True}, "dealer": {"joker": True}}],
)
def test_properties_that_exclude_one_another_are_reported_at_their_record(
    more: dict[str, object],
) -> None:
    (fault,) = faults_of_event(more)
    assert (fault.code, fault.pointer) == ("S008", "/events/0")


def faults_of_event(more: dict[str, object]) -> tuple[finding.Finding, ...]:
    event = {"id": "any", "text": "Any", "source": {"document": "any", "clause": "1"}, **more}
    value = {"$schema": "events.schema.json", "events": [event]}
    document, _ = scan(json.dumps(value).encode(), "events.json")
    return tuple(validate(document, "events"))
