"""Strategy tables and charts."""

from collections.abc import Iterator
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from certify.model.analysis import KindChanged, KindPlayed, SetKind
from certify.model.submission import Submission
from certify.model.vocabulary import Category
from certify.report.charts import BAR, LABELS, VALUES, WIDTH, Chart, Marked, Range, ranges
from certify.report.mathematics.strategy import LISTED
from certify.report.printed import printed_json
from tests.commands.submissions import compose_part
from tests.html_documents import parse, read_text
from tests.report.conftest import Make


def kind(low: str, idle: int, made: int, rank: str = "", high: str = "pair") -> KindPlayed:
    return KindPlayed(
        kind=SetKind(high=Category(high), rank=rank, low=low), hands={"none": idle, "raise": made}
    )


HANDS = (
    kind("2", 5, 0, "K", "high_card"),
    kind("3", 7, 0, "A", "high_card"),
    kind("K", 3, 0, "2"),
    kind("A", 1, 2, "2"),
    kind("Jk", 0, 4, "2"),
    kind("Q", 2, 0, "3"),
    kind("A", 3, 3, "3"),
    kind("Jk", 0, 5, "3"),
    kind("Q", 1, 0, "4"),
    kind("K", 0, 2, "4"),
    kind("A", 0, 3, "4"),
    kind("T", 0, 6, "A"),
    kind("2", 0, 4, high="straight"),
    kind("3", 1, 0, high="straight"),
)
LINES = [
    ["No pair (K to A)", "12", "12", "0", "–"],
    ["One pair (2 to 3)", "23", "9", "14", "Joker; in part A"],
    ["One pair (4)", "6", "1", "5", "K or higher"],
    ["One pair (A)", "6", "0", "6", "Any"],
    ["Straight", "5", "1", "4", "2"],
    ["Total", "52", "23", "29", ""],
]


def build_changes(number: int) -> tuple[KindChanged, ...]:
    return tuple(
        KindChanged(
            house=SetKind(high=Category.TWO_PAIR, rank="A"),
            best=SetKind(high=Category.STRAIGHT),
            hands=place,
            cost=Fraction(number + 1 - place, 1000),
        )
        for place in range(1, number + 1)
    )


def replace_main(submission: Submission, **changes: object) -> Submission:
    (analysis, *rest) = submission.comparison
    assert analysis.main is not None
    main = replace(analysis.main, **changes)
    return replace(submission, comparison=(replace(analysis, main=main), *rest))


def lines(submission: Submission, start: str) -> Iterator[list[str]]:
    root: ET.Element = parse(compose_part(submission, "mathematics"))
    for table in root.iter("table"):
        if (table.get("id") or "").startswith(start):
            yield from [[read_text(cell) for cell in row] for row in table.iter("tr")][1:]


def test_kinds_with_the_same_play_share_a_line_and_add_up(make: Make) -> None:
    submission = replace_main(make("mini-pai-gow", "nevada"), played=HANDS)
    assert [*lines(submission, "table-strategy-1")] == LINES
    (strategy,) = printed_json(submission)["mathematics"]["main_wager"]["strategies"]
    printed = [line["by_action"] for line in strategy["lines"]]
    for place, action in enumerate(("none", "raise")):
        total = strategy["total"]["by_action"][place]
        assert sum(line[place] for line in printed) == total
        assert sum(each.hands[action] for each in HANDS) == total


@pytest.mark.parametrize("number", [3, LISTED + 4])
def test_the_hands_set_otherwise_add_up(make: Make, number: int) -> None:
    submission = replace_main(make("pai-gow-mania", "nevada"), changed=build_changes(number))
    *listed, total = lines(submission, "table-changed")
    hands = number * (number + 1) // 2
    assert len(listed) == min(number, LISTED + 1)
    assert total[:3] == ["Total", "", str(hands)]
    assert sum(int(line[2]) for line in listed) == hands
    assert listed[0][:2] == ["Two pair (A)", "Straight"]
    if number > LISTED:
        assert listed[-1][0] == f"Other kinds ({number - LISTED})"
    costs = [Fraction(line[3].removesuffix("%")) for line in (*listed, total)]
    assert sum(costs[:-1]) == costs[-1] == Fraction(hands, 10)


def test_a_game_without_a_choice_has_no_table_of_choices(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    assert not [*lines(submission, "table-strategy")]
    assert not [*lines(submission, "table-changed")]


def reach(label: str, low: Fraction, high: Fraction) -> Range:
    return Range(label=label, low=low, high=high, printed=f"{label} printed")


def marks(chart: Chart) -> list[int]:
    return [int(stroke.path[1:].split()[0]) for stroke in chart.strokes]


def test_ranges_share_one_scale_with_zero() -> None:
    chart = ranges(
        id="c",
        values=[
            reach("a", Fraction(2, 100), Fraction(4, 100)),
            reach("b", Fraction(10, 100), Fraction(10, 100)),
        ],
    )
    scale = [text.words for text in chart.texts if text.anchor == "middle"]
    assert scale == ["0%", "2%", "4%", "6%", "8%", "10%"]
    zero, two, four, *_, ten = marks(chart)
    wide, point = chart.boxes
    assert (wide.x + 1, wide.x + wide.width - 2) == (two, four)
    assert (point.x + 1, point.width) == (ten, 3)
    assert (zero, ten) == (LABELS, WIDTH - VALUES)


def test_an_edge_below_zero_is_left_of_it() -> None:
    values = [
        reach("a", Fraction(-3, 100), Fraction(-3, 100)),
        reach("b", Fraction(0), Fraction(0)),
    ]
    loss, nothing = ranges(id="c", values=values).boxes
    assert loss.x < nothing.x


def test_a_long_label_is_set_whole_on_separate_lines() -> None:
    name = "Emperor's Treasure Multi-Level Progressive with a name of two lines"
    chart = ranges(id="c", values=[reach(name, Fraction(0), Fraction(1, 100))] * 2)
    lines = [text for text in chart.texts if text.anchor == "end" and text.x < LABELS]
    assert " ".join(line.words for line in lines[: len(lines) // 2]) == name
    assert lines == sorted(lines, key=lambda line: line.y)
    assert f"{name} {name} printed" in chart.message
    first, *_, last = lines[: len(lines) // 2]
    value = next(text for text in chart.texts if text.words == f"{name} printed")
    assert value.y == chart.boxes[0].y + BAR == (first.y + last.y) // 2


def test_everything_stays_in_the_drawing() -> None:
    values = [
        reach("a", Fraction(7, 3), Fraction(5)),
        reach("b", Fraction(-5, 2), Fraction(0)),
        reach("c", Fraction(1, 900), Fraction(1, 900)),
    ]
    chart = ranges(id="c", values=values)
    assert all(box.x >= 0 and box.x + box.width <= chart.width for box in chart.boxes)
    assert all(box.y >= 0 and box.y + box.height <= chart.height for box in chart.boxes)
    assert all(text.y <= chart.height for text in chart.texts)


def test_a_marked_range_has_a_line_through_its_middle_and_its_mark_on_both() -> None:
    tick = [Fraction(share, 100) for share in range(0, 12, 2)]
    value = Marked(
        label="a", low=tick[2], high=tick[4], printed="",
        widest=(tick[1], tick[5]), at=tick[3],
    )  # fmt: skip
    chart = ranges(id="c", values=[value])
    _, one, two, three, four, five = marks(chart)
    line, bar, mark = chart.boxes
    assert (line.x, line.x + line.width - 1) == (one, five)
    assert (bar.x + 1, bar.x + bar.width - 2) == (two, four)
    assert mark.x <= three < mark.x + mark.width
    assert line.y == bar.y + BAR // 2
    assert mark.y <= bar.y
    assert mark.y + mark.height >= bar.y + bar.height
