import json

import pytest

from certify.declare.rewriting import difference, replace_values, resolve_pointer
from certify.intake.strict_json import scan

TEXT = """{"name":"Old",  "players": 6,
  "rows": [
    {"event": "flush", "name": "Flush", "pays": "4 to 1"},
    {"event": "straight", "name": "Straight",   "pays": "2 to 1"}
  ],
  "a/b": {"~": "Tilde"}
}
"""
DOCUMENT = scan(TEXT.encode(), "x.json")[0]


def test_only_the_texts_that_are_named_are_changed() -> None:
    values = {
        "/name": "Zürich “9”",
        "/players": "7",
        "/rows/1/pays": "3 to 1",
        "/rows/0/name": "Flush",
        "/rows/7/name": "Nothing",
        "/a~1b/~0": "Changed",
    }
    expected = TEXT.replace('"Old"', '"Zürich “9”"').replace("2 to 1", "3 to 1")
    assert replace_values(DOCUMENT, values) == expected.replace("Tilde", "Changed")
    assert replace_values(DOCUMENT, {}) == TEXT


def test_rows_are_moved_taken_out_and_added_as_they_are_written() -> None:
    flush, straight = (line.strip(" ,") for line in TEXT.split("\n")[2:4])
    turned = replace_values(DOCUMENT, {"/rows": "1 0", "/rows/0/pays": "5 to 1"})
    five = flush.replace("4 to 1", "5 to 1")
    assert f"    {straight},\n    {five}\n  ]" in turned
    assert replace_values(DOCUMENT, {"/rows": "1"}) == TEXT.replace(f"{flush},\n    ", "")
    new = {"/rows": "0 +1 1", "/rows/+1/event": "pair", "/rows/+1/pays": "1 to 1"}
    pair = '{"event": "pair", "name": "", "pays": "1 to 1"}'
    assert replace_values(DOCUMENT, new) == TEXT.replace(flush, f"{flush},\n    {pair}")


def test_a_row_is_added_to_the_only_one() -> None:
    text = '{"rows": [{"event": "a"}]}'
    document = scan(text.encode(), "x.json")[0]
    added = replace_values(document, {"/rows": "0 +1", "/rows/+1/event": "b"})
    assert added == ('{"rows": [{"event": "a"},\n    {"event": "b", "name": "", "pays": ""}]}')


def test_the_value_at_a_pointer() -> None:
    assert resolve_pointer(DOCUMENT, "/a~1b/~0") == "Tilde"
    assert resolve_pointer(DOCUMENT, "/rows/1/event") == "straight"
    assert resolve_pointer(DOCUMENT, "") is DOCUMENT.value
    for nowhere in ("/rows/2", "/rows/x", "/name/0", "/none"):
        assert resolve_pointer(DOCUMENT, nowhere) is None


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_a_difference_has_one_layout_and_two_lines_around_it(indent: int | None) -> None:
    before = {
        "rules": [{"id": n, "text": f"Sentence {n}.", "source": {"clause": n}} for n in "12345"],
        "rows": [{"event": "flush", "pays": "4 to 1"}, {"event": "straight", "pays": "push"}],
    }
    after = json.loads(json.dumps(before))
    after["rules"][3]["text"] = "Another sentence. " * 9
    after["rows"][1]["pays"] = "1 to 1"
    lines = difference(*(json.dumps(value, indent=indent) for value in (before, after)))
    assert [(line.kind, line.text) for line in lines] == [
        ("kept", "    {"),
        ("kept", '      "id": "4",'),
        ("removed", '      "text": "Sentence 4.",'),
        ("added", f'      "text": "{"Another sentence. " * 9}",'),
        ("kept", '      "source": {"clause": "4"}'),
        ("kept", "    },"),
        ("kept", '  "rows": ['),
        ("kept", '    {"event": "flush", "pays": "4 to 1"},'),
        ("removed", '    {"event": "straight", "pays": "push"}'),
        ("added", '    {"event": "straight", "pays": "1 to 1"}'),
        ("kept", "  ]"),
        ("kept", "}"),
    ]
    assert list(difference(json.dumps(before), json.dumps(before, indent=4))) == []
