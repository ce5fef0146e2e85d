import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from certify import library
from certify.intake.schema import bundle_schema, kinds, schema_named, validate
from certify.intake.strict_json import scan

FIXTURES = Path(__file__).parents[2] / "fixtures"
FOLDERS = (library.paytables(), *sorted((FIXTURES / "invalid").glob("*/*/library")))
FILES = [path for folder in FOLDERS for path in sorted(folder.rglob("*.json")) if path.is_file()]


@pytest.mark.parametrize("kind", kinds())
def test_one_file_refers_to_nothing_outside_itself(kind: str) -> None:
    schema = bundle_schema(kind)
    Draft202012Validator.check_schema(schema)
    references = set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(schema)))
    for reference in references:
        assert reference.startswith("#/")
        part = schema
        for name in reference.split("/")[1:]:
            part = part[name]
        assert part
    assert schema["$id"] == f"https://certify.invalid/schemas/{kind}.schema.json"


def test_one_file_accepts_and_refuses_the_same_files() -> None:
    dates = FormatChecker(["date"])
    validators = {
        kind: Draft202012Validator(bundle_schema(kind), format_checker=dates) for kind in kinds()
    }
    judged = {True: 0, False: 0}
    for path in FILES:
        document, findings = scan(path.read_bytes(), path.name)
        kind = None if findings else schema_named(document)
        if kind in validators:
            fits = validators[kind].is_valid(document.value)
            assert fits == (not validate(document, kind)), path
            judged[fits] += 1
    assert min(judged.values()) > 10
