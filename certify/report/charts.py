"""Charts as shapes with integer coordinates, and as SVG files.

A Jinja macro draws the shapes as SVG. Integer coordinates keep the bytes stable. Each shape has its
figure as text, so no information depends on color alone.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from textwrap import wrap
from typing import Any

from msgspec import Struct

from certify.formatting import percentage
from certify.report.compose import compose

WIDTH, LABELS, VALUES = 600, 210, 110
"""Units across a chart, and those at its ends for labels and printed values."""

INK, SHAPE, GRID = "#102a43", "#486581", "#9fb3c8"
STEP, BAR, LETTERS, LETTER = 16, 9, 12, 6
"""Units from row to row, of a bar, from line to line of a label, and of a letter's width."""

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
"""Percentage points between two lines of the scale; the least that gives few lines is taken."""

MOST_TICKS = 6


class Box(Struct, frozen=True, kw_only=True):
    """A rectangle."""

    x: int
    y: int
    width: int
    height: int
    fill: str = SHAPE


class Text(Struct, frozen=True, kw_only=True):
    """Text whose ``anchor`` (start, middle, end) is at x, y."""

    x: int
    y: int
    anchor: str
    words: str
    fill: str = INK


class Stroke(Struct, frozen=True, kw_only=True):
    """A line drawn along ``path``."""

    path: str
    color: str = GRID


class Chart(Struct, frozen=True, kw_only=True):
    """A drawing in a box of ``width`` by ``height`` units, with its message in words."""

    id: str
    message: str
    width: int
    height: int
    boxes: tuple[Box, ...]
    strokes: tuple[Stroke, ...]
    texts: tuple[Text, ...]


class Range(Struct, frozen=True, kw_only=True):
    """One row: its label, the share it reaches from and to, and both as printed."""

    label: str
    low: Fraction
    high: Fraction
    printed: str


class Marked(Range, frozen=True, kw_only=True):
    """A range with a wider one around it, and the share that is marked."""

    widest: tuple[Fraction, Fraction]
    at: Fraction


def ranges(*, id: str, values: Sequence[Range]) -> Chart:  # noqa: A002 - SVG's word
    """Return ranges of shares on one scale that has zero on it, lines at whole per cents.

    One that is `Marked` has a line as long as its widest range behind it, and its mark before it.
    """
    ticks = _ticks(values)
    boxes: list[Box] = []
    texts: list[Text] = []
    top = 2
    for value in values:
        lines = wrap(value.label, LABELS // LETTER) or [""]
        middle = top + (len(lines) - 1) * LETTERS // 2
        left, right = _across(value.low * 100, ticks), _across(value.high * 100, ticks)
        bar = Box(x=left - 1, y=middle, width=right - left + 3, height=BAR)
        boxes += _marked(value, bar, ticks) if isinstance(value, Marked) else [bar]
        texts += [
            Text(x=LABELS - 8, y=top + BAR + place * LETTERS, anchor="end", words=words)
            for place, words in enumerate(lines)
        ]
        texts.append(Text(x=WIDTH, y=middle + BAR, anchor="end", words=value.printed))
        top += STEP + (len(lines) - 1) * LETTERS
    marks = [_across(Fraction(tick), ticks) for tick in ticks]
    texts += [
        Text(x=mark, y=top + LETTERS, anchor="middle", words=percentage(Fraction(tick, 100), 0))
        for mark, tick in zip(marks, ticks, strict=True)
    ]
    return Chart(
        id=id,
        message="; ".join(f"{value.label} {value.printed}" for value in values),
        width=WIDTH,
        height=top + STEP,
        boxes=tuple(boxes),
        strokes=tuple(
            Stroke(path=f"M{mark} 0V{top}", color=GRID if tick else INK)
            for mark, tick in zip(marks, ticks, strict=True)
        ),
        texts=tuple(texts),
    )


def _marked(value: Marked, bar: Box, ticks: range) -> list[Box]:
    """Return the widest range as a line, the range over it, and the mark on both."""
    left, right = (_across(end * 100, ticks) for end in value.widest)
    middle, mark = bar.y + BAR // 2, _across(value.at * 100, ticks)
    return [
        Box(x=left, y=middle, width=right - left + 1, height=1, fill=SHAPE),
        Box(x=bar.x, y=bar.y, width=bar.width, height=BAR, fill=GRID),
        Box(x=mark - 1, y=bar.y - 1, width=3, height=BAR + 2, fill=INK),
    ]


def _ticks(values: Sequence[Range]) -> range:
    """Return the per cents at which the scale has lines, round the values and zero."""
    ends = [Fraction(0), *(end for value in values for end in (value.low, value.high))]
    ends += [
        end for value in values if isinstance(value, Marked) for end in (*value.widest, value.at)
    ]
    low, high = floor(min(ends) * 100), ceil(max(ends) * 100)
    step = next((width for width in STEPS if (high - low) // width < MOST_TICKS), STEPS[-1])
    first, last = low // step * step, -(-high // step) * step
    return range(first, max(last, first + step) + 1, step)


def _across(percent: Fraction, ticks: range) -> int:
    share = (percent - ticks[0]) / (ticks[-1] - ticks[0])
    return LABELS + floor(share * (WIDTH - LABELS - VALUES) + Fraction(1, 2))


GAP = 34
"""Units above each drawing, for its title."""

MARGIN = 20


def svg(title: str, charts: Mapping[str, Chart]) -> bytes:
    """Return an SVG file with these drawings, each under its title."""
    pictures: list[dict[str, Any]] = []
    top = GAP
    for name, chart in charts.items():
        pictures.append({"title": name, "chart": chart, "top": top})
        top += chart.height + GAP
    view = {
        "title": title,
        "width": max(chart.width for chart in charts.values()) + MARGIN,
        "height": top,
        "pictures": pictures,
    }
    return compose("pictures.svg.j2", view).encode()
