import datetime as dt
import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.intake.schema import validate
from certify.intake.strict_json import scan
from certify.intake.wording import matches

ROOT = Path(__file__).parents[2]
LINE_ENDS = ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029")
"""Source: str.splitlines in the documentation of Python."""


def patterns(schema: Any) -> Iterator[tuple[str, tuple[str, ...]]]:  # noqa: ANN401 - a JSON value
    """Yield every pattern below a schema with its examples."""
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"], tuple(schema.get("examples", ()))
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from patterns(part)


SCHEMAS = [
    json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "schemas").glob("*.json")
]
PAIRS = [pair for schema in SCHEMAS for pair in patterns(schema)]
PATTERNS = {
    pattern: tuple(text for same, texts in PAIRS if same == pattern for text in texts) or ("a-1",)
    for pattern, _ in PAIRS
}
DATE = next(schema for schema in SCHEMAS if schema["$id"].endswith("/common.schema.json"))["$defs"][
    "date"
]["pattern"]

ALIKE = re.compile(
    r"""\^ | \$ | \| | \( | \)                   # anchors, alternatives, groups
      | \[ [^\\\[\]^&|~]+ \]                    # a class of characters and ranges
      | \[ \^ [^\\\[\]^&|~]+ \]
      | \\\. | [A-Za-z0-9/_%-] | [ ]            # characters
      | (?<!\?) :                               # a colon that does not begin a kind of group
      | [?*+] | \{[0-9]+(?:,[0-9]*)?\}          # numbers of them
    """,
    re.VERBOSE,
)
"""What Python, Rust and ECMA-262 read alike, but for `$` at a final newline."""


@pytest.mark.parametrize("pattern", PATTERNS)
def test_pattern_is_anchored_and_has_nothing_that_dialects_read_differently(pattern: str) -> None:
    assert pattern[0] == "^"
    assert pattern[-1] == "$"
    assert not re.search(r"[$^]", re.sub(r"\[\^", "[", pattern[1:-1]))
    assert ALIKE.sub("", pattern) == ""
    open_ = re.sub(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "", pattern)
    assert "|" not in open_


@st.composite
def nearly_right(draw: st.DrawFn) -> tuple[str, str]:
    pattern = draw(st.sampled_from(sorted(PATTERNS)))
    text = draw(st.sampled_from(PATTERNS[pattern]))
    place = draw(st.integers(min_value=0, max_value=len(text)))
    end = draw(st.sampled_from(("", *LINE_ENDS)) | st.text(max_size=3))
    return pattern, text[:place] + end + text[place:]


@settings(max_examples=2_000, deadline=None)
@given(nearly_right())
@pytest.mark.long
def test_every_reader_agrees_on_text_with_a_line_end(case: tuple[str, str]) -> None:
    pattern, text = case
    expected = re.fullmatch(pattern[1:-1], text) is not None
    assert matches(pattern, text) is expected
    quick = jsonschema_rs.Draft202012Validator({"type": "string", "pattern": pattern})
    assert quick.is_valid(text) is expected


@pytest.mark.parametrize("end", LINE_ENDS)
@pytest.mark.parametrize(
    ("pattern", "examples"),
    [pair for pair in PATTERNS.items() if "[^" not in pair[0]],  # a JSON pointer holds any text
)
def test_line_end_at_the_end_is_never_part_of_a_form(
    pattern: str, examples: tuple[str, ...], end: str
) -> None:
    assert examples
    for example in examples:
        assert matches(pattern, example)
        assert not matches(pattern, example + end)


@pytest.mark.parametrize("end", LINE_ENDS)
def test_odds_with_a_line_end_are_a_finding_with_the_odds_that_are_meant(end: str) -> None:
    row = {"event": "flush", "name": "Flush", "pays": f"5000 to 1{end}"}
    document, _ = scan(json.dumps({"rows": [row]}).encode(), "x.json")
    found = [each for each in validate(document, "paytable") if each.pointer == "/rows/0/pays"]
    assert [(each.code, each.remedy) for each in found] == [("S005", 'Did you mean "5000 to 1"?')]


def test_date_is_one_of_the_calendar() -> None:
    """The Gregorian calendar of datetime is the reference; years have four digits."""
    years = (1000, 1582, 1600, 1700, 1899, 1900, 1996, 1999, 2000, 2023, 2024, 2100, 2400, 2999)
    judged = {True: 0, False: 0}
    for year, month, day in product(years, range(14), range(33)):
        text = f"{year:04}-{month:02}-{day:02}"
        try:
            real = dt.date(year, month, day) is not None
        except ValueError:
            real = False
        assert matches(DATE, text) is real, text
        judged[real] += 1
    assert judged[True] == sum(366 if year in (1600, 1996, 2000, 2024, 2400) else 365
                               for year in years)  # fmt: skip
    assert not any(matches(DATE, text) for text in ("0000-01-01", "20260228", "2026-W09-6", "2026"))
