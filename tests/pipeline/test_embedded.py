import pytest

from certify.errors import NotAuthentic
from certify.pipeline.submit.embedded import read_part
from certify.pipeline.submit.evidence import LABEL
from certify.pipeline.submit.reproduce import differences
from certify.pipeline.submit.steps import SHOWN, listed_differences


def test_a_part_that_certify_does_not_make_is_refused() -> None:
    with pytest.raises(NotAuthentic, match="calls itself 'cover letter'"):
        read_part({LABEL: b'{"part": "cover letter"}'})


def test_every_value_that_differs_has_a_line() -> None:
    stated = {
        "edge": "1/2",
        "rows": [{"event": "flush", "n": 1}, {"level": "2", "n": 2}, [3]],
        "more": [1],
        "left": 1,
        "true": 1,
        "long": "x" * 100,
    }
    ours = {
        "edge": "1/2",
        "rows": [{"event": "flush", "n": 5}, {"level": "2", "n": 6}, [7]],
        "more": [1, 2],
        "new": None,
        "added": {"of": "ours"},
        "true": True,
        "long": "x",
    }
    assert list(differences(stated, ours)) == [
        "rows/flush/n: states 1, recomputed 5",
        "rows/2/n: states 2, recomputed 6",
        "rows/2/0: states 3, recomputed 7",
        "more: states [1], recomputed [1, 2]",
        'added: states nothing, recomputed {"of": "ours"}',
        "true: states 1, recomputed true",
        f'long: states "{"x" * 56}..., recomputed "x"',
        "left: states 1, recomputed nothing",
    ]


@pytest.mark.parametrize("more", [-1, 0, 1, 2])
def test_only_the_first_lines_are_listed_and_the_others_counted(more: int) -> None:
    lines = [str(number) for number in range(SHOWN + more)]
    rest = f"; and {more} more" if more > 0 else ""
    assert listed_differences(lines) == "; ".join(lines[:SHOWN]) + rest
