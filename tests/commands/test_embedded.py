import hashlib
from pathlib import Path

import pytest

from certify.commands.reproduce.stated import SHOWN, compare_values, listed_differences
from certify.errors import NotAuthentic
from certify.filing.embedded import read_part, unpack
from certify.filing.evidence import FORMAT, LABEL


def test_a_part_that_certify_does_not_make_is_refused() -> None:
    with pytest.raises(NotAuthentic, match="calls itself 'cover letter'"):
        read_part({LABEL: b'{"part": "cover letter"}'})


STATED = {
    "edge": "1/2",
    "rows": [
        {"event": "flush", "n": 1, "pays": "5 to 1"},
        {"event": "pair", "n": 2},
        {"event": "x"},
    ],
    "places": [1, 2],
    "more": [1],
    "left": 1,
    "true": 1,
    "text": "Pays 5 to 1.",
    "kind": "to be written",
    "long": "x" * 100,
}
OURS = {
    "edge": "1/2",
    "rows": [{"event": "pair", "n": 2}, {"event": "flush", "n": 5, "pays": "6 to 1"}],
    "places": [1, 3],
    "more": [1, 2],
    "new": None,
    "added": {"of": "ours"},
    "true": True,
    "text": "It pays 5 to 1.",
    "kind": "5.00%",
    "long": "x",
}


def test_figures_are_told_from_texts_and_from_what_one_side_states() -> None:
    found = compare_values(STATED, OURS)
    assert sorted(found.figures) == [
        'kind: states "to be written", recomputed "5.00%"',
        "places/1: states 2, recomputed 3",
        "rows/flush/n: states 1, recomputed 5",
        'rows/flush/pays: states "5 to 1", recomputed "6 to 1"',
        "true: states 1, recomputed true",
    ]
    assert sorted(found.texts) == [
        f'long: states "{"x" * 56}..., recomputed "x"',
        'text: states "Pays 5 to 1.", recomputed "It pays 5 to 1."',
    ]
    assert sorted(found.one_sided) == [
        'added: states nothing, recomputed {"of": "ours"}',
        "left: states 1, recomputed nothing",
        "more: states 1 items, recomputed 2",
        'rows/x: states {"event": "x"}, recomputed nothing',
    ]
    assert found.equal == len(["edge", "places/0", "rows/pair/n"])


@pytest.mark.parametrize("more", [-1, 0, 1, 2])
def test_only_the_first_lines_are_listed_and_the_others_counted(more: int) -> None:
    lines = [str(number) for number in range(SHOWN + more)]
    rest = f"; and {more} more" if more > 0 else ""
    assert listed_differences(lines) == "; ".join(lines[:SHOWN]) + rest


def test_a_nested_file_of_another_build_is_laid_out_as_it_is(tmp_path: Path) -> None:
    name, data = "paytables--events.json", b"[" * 100_000
    evidence = {
        "format": FORMAT,
        "sources": {name: hashlib.sha256(data).hexdigest()},
        "order": {"game": "mini-pai-gow"},
        "provenance": {"letter": None},
        "engine": {"sha256": "0" * 64},
    }
    assert unpack({name: data}, evidence, tmp_path) == []
    (written,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert written.read_bytes() == data
