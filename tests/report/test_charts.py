from fractions import Fraction

from certify.report.charts import BAR, LABELS, VALUES, WIDTH, Chart, Marked, Range, ranges


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
