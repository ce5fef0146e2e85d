import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.intake import strict_json
from certify.intake.strict_json import (
    DEEPEST,
    GREATEST,
    LONGEST_POINTER,
    NeedsFullScan,
    fast_parse,
    scan,
)
from certify.model.finding import Document

SCHEMAS = Path(__file__).parents[2] / "schemas"

texts = st.text(st.characters(codec="utf-8"), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-GREATEST, GREATEST) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
layouts = st.sampled_from([None, 0, 1, 2, "\t"])


def read_from(document: Document, pointer: str) -> str:
    """Return the text from the place of ``pointer`` to the end of the file."""
    place = document.spans[pointer]
    lines = document.text.split("\n")
    return "\n".join([lines[place.line - 1][place.column - 1 :], *lines[place.line :]])


def leaves(value: Any, pointer: str = "") -> list[tuple[str, Any]]:  # noqa: ANN401 - JSON values
    """Return every value with its pointer, as RFC 6901 writes it."""
    inner: list[tuple[str, Any]] = []
    if isinstance(value, list):
        inner = [(f"{pointer}/{index}", one) for index, one in enumerate(value)]
    elif isinstance(value, dict):
        for key, one in value.items():
            inner.append((f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}", one))
    return [(pointer, value), *(leaf for place, one in inner for leaf in leaves(one, place))]


@given(value=values, indent=layouts, ascii_only=st.booleans())
def test_reads_what_the_standard_decoder_reads(
    value: object, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    document, findings = scan(text.encode(), "file.json")
    assert document.value == json.loads(text)
    assert {finding.code for finding in findings} <= {"J008", "J009"}


@given(value=values, indent=layouts)
def test_every_place_starts_the_text_of_its_value(value: object, indent: int | str | None) -> None:
    document, _ = scan(json.dumps(value, indent=indent).encode(), "file.json")
    decoder = json.JSONDecoder()
    expected = leaves(value)
    assert set(document.spans) == {pointer for pointer, _ in expected}
    for pointer, one in expected:
        read, end = decoder.raw_decode(read_from(document, pointer))
        assert read == one
        if not isinstance(one, list | dict):
            assert document.spans[pointer].length == end


@given(value=st.dictionaries(texts, values, min_size=1, max_size=4), indent=layouts)
def test_every_key_place_starts_the_text_of_its_key(
    value: dict[str, Any], indent: int | str | None
) -> None:
    document, _ = scan(json.dumps(value, indent=indent).encode(), "file.json")
    lines = document.text.split("\n")
    for pointer, place in document.key_spans.items():
        written = lines[place.line - 1][place.column - 1 :][: place.length]
        name = pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        assert json.loads(written) == name


@given(data=st.binary(max_size=60))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    document, findings = scan(data, "file.json")
    for finding in findings:
        lines = document.text.split("\n")
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1


@given(text=st.text('{}[]",:0123456789.eE+-truefalsn \n\\u', max_size=40))
def test_it_accepts_nothing_that_the_standard_decoder_refuses(text: str) -> None:
    _, findings = scan(text.encode(), "file.json")
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        assert any(finding.code in ("J001", "J003", "J004", "J010") for finding in findings), text
    else:
        assert not any(finding.code == "J001" for finding in findings), text


@given(value=values, indent=layouts, change=st.data())
def test_the_quick_way_finds_what_the_walk_finds(
    value: object, indent: int | str | None, change: st.DataObject
) -> None:
    """A text in which two characters are exchanged for others may hold any fault."""
    text = [*json.dumps(value, indent=indent)]
    for _ in range(2):
        place = change.draw(st.integers(0, len(text) - 1))
        text[place] = change.draw(st.sampled_from('{}[]",:0.e-\\u \n\u200b\xa0a'))
    data = "".join(text).encode()
    quick, said = scan(data, "file.json")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(strict_json, "fast_parse", _declines)
        walked, found = scan(data, "file.json")
    assert said == found
    assert (quick.value, quick.spans, quick.key_spans) == (
        walked.value,
        walked.spans,
        walked.key_spans,
    )


@pytest.mark.parametrize(
    ("text", "most", "quick"),
    [
        ("[[0, 1], 2]", 5, True),
        ("[[0, 1], 2]", 4, False),
        ('{"' + "a" * LONGEST_POINTER + '": 1}', 2, False),
        ("[" * DEEPEST + "]" * DEEPEST, DEEPEST, True),
    ],
)
def test_a_text_that_may_pass_a_bound_is_walked(text: str, most: int, quick: bool) -> None:
    with nullcontext() if quick else pytest.raises(NeedsFullScan):
        assert fast_parse(text, most) == json.loads(text)


def _declines(text: str, _: int) -> NoReturn:
    raise NeedsFullScan(text)


@given(value=values, place=st.data())
def test_a_text_cut_short_is_a_finding(value: dict[str, Any], place: st.DataObject) -> None:
    text = json.dumps([value])
    cut = place.draw(st.integers(0, len(text) - 1))
    _, findings = scan(text[:cut].encode(), "file.json")
    assert any(finding.code == "J001" for finding in findings)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ('{"a": 1,\n "a": 2}', "J002", 2, 2),
        ('{"a": NaN}', "J003", 1, 7),
        ('{"a": [1, 2.0]}', "J004", 1, 11),
        ('{"a": 1e400}', "J004", 1, 7),
        ('{"a": 1E5}', "J004", 1, 7),
        ('{"a": -0.0}', "J004", 1, 7),
        ('{"a": 9007199254740992}', "J010", 1, 7),
        ('{"a": ' + "9" * 5000 + "}", "J010", 1, 7),
        ('{"a": "b\\u0000"}', "J008", 1, 7),
        ('{"a\\n": 1}', "J008", 1, 2),
        ('{"a": "\\ud800"}', "J008", 1, 7),
        ('{"a": " b"}', "J009", 1, 7),
        ('{"a": "b\\u00a0"}', "J009", 1, 7),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "J007", 1, DEEPEST + 1),
        ("[" * 10_000, "J007", 1, DEEPEST + 1),
        ('{"a":' * 10_000, "J007", 1, DEEPEST * 5 + 1),
    ],
)
def test_fault_and_its_place(text: str, code: str, line: int, column: int) -> None:
    _, findings = scan(text.encode(), "file.json")
    assert [(finding.code, finding.line, finding.column) for finding in findings] == [
        (code, line, column)
    ]


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("{\"a\": 'b'}", "double quotation marks"),
        ('{"a": // none yet\n1}', "no comments"),
        ('{"a": 1, # one\n"b": 2}', "no comments"),
        ('{"a": , "b": 1}', "Remove one of the commas"),
    ],
)
def test_a_wrong_word_for_a_value_has_a_fix(text: str, remedy: str) -> None:
    _, findings = scan(text.encode(), "file.json")
    assert remedy in findings[0].remedy


def test_nesting_up_to_the_limit_is_read() -> None:
    text = "[" * DEEPEST + "]" * DEEPEST
    document, findings = scan(text.encode(), "file.json")
    assert findings == ()
    assert document.value == json.loads(text)


def test_several_faults_in_one_run() -> None:
    text = '\ufeff{"a": 1.5, "a": NaN, "b": "x ", "c": 01,}'
    _, findings = scan(text.encode(), "file.json")
    assert [finding.code for finding in findings] == [
        "J005", "J004", "J002", "J003", "J009", "J001", "J001",
    ]  # fmt: skip


def test_lines_of_windows_and_of_unix_have_the_same_numbers() -> None:
    text = '{\n  "a": 1,\n  "b": 2.5\n}\n'
    _, unix = scan(text.encode(), "file.json")
    _, windows = scan(text.replace("\n", "\r\n").encode(), "file.json")
    assert unix == windows
    assert unix[0].excerpt == '  "b": 2.5'


def test_other_line_separators_do_not_move_lines() -> None:
    text = '{"a": "\u2028\u0085",\n "b": 2.5}'
    _, findings = scan(text.encode(), "file.json")
    assert [(finding.code, finding.line) for finding in findings] == [("J008", 1), ("J004", 2)]
    assert findings[1].excerpt == ' "b": 2.5}'


def test_digest_is_of_the_bytes_on_disk() -> None:
    document, _ = scan(b'{"a": 1}', "file.json")
    # printf '{"a": 1}' | sha256sum
    assert document.sha256 == "f9d86028c6e0d64e225186f96acb69338b2c59764df79162107f5c4bb34d1310"


@pytest.mark.parametrize("text", ["[1, 2, 3, 4]", '{"' + "a" * 100_000 + '": {"b": 1}}'])
def test_beyond_a_bound_parsing_stops(text: str) -> None:
    document, findings = scan(text.encode(), "file.json", most=4)
    assert [finding.code for finding in findings] == ["J012"]
    assert document.value is None
    assert not document.spans
