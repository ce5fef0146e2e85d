"""The text of a declared file with changed values: all other text is unchanged."""

from certify.intake.strict_json import scan
from certify.pipeline.declare.rewriting import DiffLine, difference, replace_values, resolve_pointer

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


def test_a_difference_has_two_lines_around_it() -> None:
    before = "1\n2\n3\n4\n5\n6"
    lines = list(difference(before, before.replace("4", "four")))
    assert lines == [
        DiffLine(kind="kept", text="2"),
        DiffLine(kind="kept", text="3"),
        DiffLine(kind="removed", text="4"),
        DiffLine(kind="added", text="four"),
        DiffLine(kind="kept", text="5"),
        DiffLine(kind="kept", text="6"),
    ]
    assert [(line.is_added, line.is_removed) for line in lines[1:4]] == [
        (False, False),
        (False, True),
        (True, False),
    ]
    assert list(difference(before, before)) == []
