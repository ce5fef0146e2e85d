"""Charts: lengths in proportion, words beside shapes, the message of the table in the title."""

from fractions import Fraction
from itertools import pairwise

from certify.report.charts import (
    LABELS,
    NARROW,
    WIDE,
    Band,
    Bar,
    Tick,
    bands,
    bars,
    rising_line,
    shares,
)


def bar(label: str, value: Fraction) -> Bar:
    return Bar(label=label, value=value, printed=str(value))


def test_bars_are_as_long_as_their_values() -> None:
    chart = bars(
        id="c", title="T", values=[bar("a", Fraction(1)), bar("b", Fraction(2))], width=WIDE
    )
    short, long = chart.boxes
    assert 0 <= long.width - 2 * short.width <= 1
    assert short.x == long.x == LABELS[WIDE]


def test_a_negative_bar_runs_left_of_the_axis_and_differs_in_fill() -> None:
    chart = bars(id="c", title="T", values=[bar("gain", Fraction(1)), bar("loss", Fraction(-1))])
    gain, loss = chart.boxes
    assert loss.x + loss.width == gain.x
    assert loss.fill != gain.fill


def test_equal_and_empty_values_make_a_chart() -> None:
    assert bars(id="c", title="T", values=[bar("a", Fraction(0))]).boxes[0].width == 1
    assert bars(id="c", title="T", values=[]).height > 0


def test_a_long_label_is_set_on_lines_of_its_own_and_whole() -> None:
    name = "5-Card Royal Flush with natural ace and king suited"
    one, two = (bar(words, Fraction(1)) for words in (name, "Flush"))
    chart = bars(id="c", title="T", values=[one, two])
    *lines, value, short, _ = chart.texts
    assert " ".join(line.words for line in lines) == name
    assert lines[0].y < value.y < lines[-1].y < short.y < chart.height
    assert name in chart.message


def test_shares_fill_the_width_without_gaps() -> None:
    thirds = [bar(name, Fraction(1, 3)) for name in ("win", "push", "lose")]
    parts = [box for box in shares(id="c", title="T", values=thirds).boxes if box.y == 0]
    assert parts[0].x == 0
    assert all(left.x + left.width == right.x for left, right in pairwise(parts))
    assert parts[-1].x + parts[-1].width == WIDE


def test_a_band_spans_its_ends_with_a_tick_between() -> None:
    band = Band(label="n", low=Fraction(1), middle=Fraction(2), high=Fraction(3), printed="± 1")
    chart = bands(id="c", title="T", values=[band])
    box, stroke = chart.boxes[0], chart.strokes[0]
    middle = int(stroke.path[1:].split()[0])
    assert abs(2 * middle - (2 * box.x + box.width)) <= 1


def test_a_rising_line_ends_where_it_should() -> None:
    tick = Tick(at=Fraction(1, 2), words="half")
    chart = rising_line(
        id="c",
        title="T",
        message="m",
        start=Fraction(0),
        end=Fraction(1),
        across=[tick],
        up=[Tick(at=Fraction(0), words="low", dashed=False)],
    )
    line = chart.strokes[-1].path
    start, end = (point.split() for point in line[1:].split("L"))
    assert int(start[0]) < int(end[0])
    assert int(start[1]) > int(end[1])  # upwards is towards nought
    assert sum(bool(stroke.dash) for stroke in chart.strokes) == 1


def test_everything_stays_in_the_drawing() -> None:
    values = [bar("a", Fraction(7, 3)), bar("b", Fraction(-5, 2)), bar("c", Fraction(1, 9))]
    for width in (NARROW, WIDE):
        chart = bars(id="c", title="T", values=values, width=width)
        assert all(box.x >= 0 and box.x + box.width <= width for box in chart.boxes)
        assert all(box.y >= 0 and box.y + box.height <= chart.height for box in chart.boxes)
