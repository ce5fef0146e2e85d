"""Words of the schema for the fields and choices of the form of a filing."""

import json
from typing import Final

from certify import library
from certify.intake.schema import describe_values

PARTIES: Final = ("supplier", "operator", "laboratory")

CHOICES: Final = {
    "applicant": "/properties/applicant",
    "application": "/properties/application",
    "foul_against_push": "/properties/foul_against_push",
    "meter_reductions": "/properties/meter_reductions/items",
    "scope": "/properties/aggregate_limits/items/properties/scope",
}
"""Fields of the form that offer the allowed values of a property of the schema."""


def label_fields(part: str) -> dict[str, str]:
    """Return the words of the schema for the fields of one part, in its order."""
    schema = json.loads((library.schemas() / "filing.schema.json").read_text(encoding="utf-8"))
    properties = schema["$defs"]["party"] if part in PARTIES else schema["properties"][part]
    fields = properties["properties"].items()
    return {name: each["description"].rstrip(".") for name, each in fields}


def list_choices() -> dict[str, list[dict[str, str]]]:
    """Return the allowed values of each choice with the words of the schema."""
    return {
        name: [
            {"id": value, "name": words.rstrip(".")}
            for value, words in describe_values("filing", pointer).items()
        ]
        for name, pointer in CHOICES.items()
    }
