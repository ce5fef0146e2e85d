"""Charts as simple shapes with integer coordinates; a Jinja macro draws them as SVG.

Every chart stands beside the table it is drawn from and carries that table's message as its
alternative text. Coordinates are integers, so bytes never vary. Nothing rests on colour alone:
every shape has its figure beside it, and fills differ in lightness.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from textwrap import wrap

WIDE = 600
"""Units across a chart as wide as the page."""

NARROW = 360
"""Units across a chart that stands beside its table."""

INK, DARK, MIDDLE, LIGHT = "#102a43", "#486581", "#9fb3c8", "#dbe4ee"
LOSS = "#c97b7b"
LABELS = {WIDE: 170, NARROW: 136}
VALUES = {WIDE: 80, NARROW: 62}
STEP, BAR, LETTERS = 17, 11, 12
"""Units from row to row, of a bar, and from line to line of a label."""

LINES = 118
"""Height of the field of a line chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle."""

    x: int
    y: int
    width: int
    height: int
    fill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words whose ``anchor`` (start, middle, end) stands at x, y."""

    x: int
    y: int
    anchor: str
    words: str
    fill: str = INK


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """A line drawn along ``path``; ``dash`` is empty for a solid one."""

    path: str
    width: str
    dash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing in a box of ``width`` by ``height`` units, with a title and its message."""

    id: str
    title: str
    message: str
    width: int
    height: int
    boxes: tuple[Box, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    texts: tuple[Text, ...] = ()

    @property
    def style(self) -> str:
        """How it is placed: across the page, or beside its table."""
        return "wide" if self.width == WIDE else "narrow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: its label, its value and the value as printed."""

    label: str
    value: Fraction
    printed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """An interval about a middle value, as printed."""

    label: str
    low: Fraction
    middle: Fraction
    high: Fraction
    printed: str


def bars(*, id: str, title: str, values: Sequence[Bar], width: int = NARROW) -> Chart:  # noqa: A002 - SVG's word
    """Return a chart of horizontal bars; bars of negative values run left of the axis."""
    scale = _Scale.over([Fraction(0), *(one.value for one in values)], width)
    axis = scale.at(Fraction(0))
    boxes, texts = [], []
    rows, height = _rows((one.label for one in values), width)
    for one, row in zip(values, rows, strict=True):
        end = scale.at(one.value)
        boxes.append(
            Box(
                x=min(axis, end),
                y=row.middle,
                width=max(abs(end - axis), 1),
                height=BAR,
                fill=LOSS if one.value < 0 else DARK,
            )
        )
        texts += [
            *row.label,
            Text(x=max(axis, end) + 5, y=row.middle + 9, anchor="start", words=one.printed),
        ]
    return Chart(
        id=id,
        title=title,
        message=_message(title, ((one.label, one.printed) for one in values)),
        width=width,
        height=height,
        boxes=tuple(boxes),
        strokes=(Stroke(path=f"M{axis} 0V{height}", width="1"),),
        texts=tuple(texts),
    )


def shares(*, id: str, title: str, values: Sequence[Bar]) -> Chart:  # noqa: A002 - SVG's word
    """Return one bar split into parts that sum to one, with its legend below."""
    fills = (DARK, MIDDLE, LIGHT, LOSS)
    boxes, texts = [], []
    start = Fraction(0)
    for place, one in enumerate(values):
        left, right = _whole(start * WIDE), _whole((start + one.value) * WIDE)
        fill = fills[place % len(fills)]
        boxes.append(Box(x=left, y=0, width=max(right - left, 1), height=26, fill=fill))
        start += one.value
        words = f"{one.label} {one.printed}"
        # The legend shares the width evenly, so that a narrow part keeps its words.
        x = place * WIDE // max(len(values), 1)
        boxes.append(Box(x=x, y=36, width=10, height=10, fill=fill))
        texts.append(Text(x=x + 15, y=45, anchor="start", words=words))
    return Chart(
        id=id,
        title=title,
        message=_message(title, ((one.label, one.printed) for one in values)),
        width=WIDE,
        height=52,
        boxes=tuple(boxes),
        texts=tuple(texts),
    )


def bands(*, id: str, title: str, values: Sequence[Band], width: int = NARROW) -> Chart:  # noqa: A002 - SVG's word
    """Return a chart of intervals, a tick at the middle of each."""
    scale = _Scale.over([edge for one in values for edge in (one.low, one.high)], width)
    boxes, strokes, texts = [], [], []
    rows, height = _rows((one.label for one in values), width)
    for one, row in zip(values, rows, strict=True):
        top = row.middle
        low, middle, high = (scale.at(value) for value in (one.low, one.middle, one.high))
        boxes.append(Box(x=low, y=top + 2, width=max(high - low, 1), height=BAR - 4, fill=MIDDLE))
        strokes.append(Stroke(path=f"M{middle} {top}V{top + BAR}", width="2"))
        texts += [
            *row.label,
            Text(x=high + 5, y=top + 9, anchor="start", words=one.printed),
        ]
    return Chart(
        id=id,
        title=title,
        message=_message(title, ((one.label, one.printed) for one in values)),
        width=width,
        height=height,
        boxes=tuple(boxes),
        strokes=tuple(strokes),
        texts=tuple(texts),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A marked place on an axis: its place from 0 to 1, its words, and whether a line is drawn."""

    at: Fraction
    words: str
    dashed: bool = True


def rising_line(
    *,
    id: str,  # noqa: A002 - SVG's word
    title: str,
    message: str,
    start: Fraction,
    end: Fraction,
    across: Sequence[Tick],
    up: Sequence[Tick],
) -> Chart:
    """Return a straight line over a field with ticks; places are shares of width and height.

    Args:
        id: the anchor of the chart.
        title: what it shows.
        message: its alternative text.
        start: the height of the line at the left edge, from 0 to 1.
        end: its height at the right edge.
        across: ticks of the lower axis, each with a dashed line upwards.
        up: ticks of the left axis, each with a dashed line to the right unless it says not.
    """
    left, right, top, foot = 74, NARROW - 34, 8, 8 + LINES

    def over(share: Fraction) -> int:
        return left + _whole(share * (right - left))

    def above(share: Fraction) -> int:
        return foot - _whole(share * (foot - top))

    strokes = [Stroke(path=f"M{left} {top}V{foot}H{right}", width="1")]
    texts = []
    for tick in across:
        if tick.dashed:
            strokes.append(Stroke(path=f"M{over(tick.at)} {foot}V{top}", width="0.5", dash="3 3"))
        texts.append(Text(x=over(tick.at), y=foot + 14, anchor="middle", words=tick.words))
    for tick in up:
        if tick.dashed:
            height = above(tick.at)
            strokes.append(Stroke(path=f"M{left} {height}H{right}", width="0.5", dash="3 3"))
        texts.append(Text(x=left - 5, y=above(tick.at) + 4, anchor="end", words=tick.words))
    strokes.append(Stroke(path=f"M{left} {above(start)}L{right} {above(end)}", width="2"))
    return Chart(
        id=id,
        title=title,
        message=message,
        width=NARROW,
        height=foot + 20,
        strokes=tuple(strokes),
        texts=tuple(texts),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """Where a value stands between the labels and the printed values of a chart."""

    low: Fraction
    reach: Fraction
    left: int
    room: int

    @classmethod
    def over(cls, values: Sequence[Fraction], width: int) -> "_Scale":
        low, high = min(values, default=Fraction(0)), max(values, default=Fraction(0))
        room = width - LABELS[width] - VALUES[width]
        return cls(low=low, reach=(high - low) or Fraction(1), left=LABELS[width], room=room)

    def at(self, value: Fraction) -> int:
        return self.left + _whole((value - self.low) / self.reach * self.room)


def _message(title: str, values: Iterable[tuple[str, str]]) -> str:
    return f"{title}: " + "; ".join(f"{name} {printed}" for name, printed in values)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The label of a row, line by line, and where the top of a bar beside its middle stands."""

    label: tuple[Text, ...]
    middle: int


def _rows(labels: Iterable[str], width: int) -> tuple[list[_Row], int]:
    """Return rows from the top down, as high as their labels need, and the height of them all."""
    rows, top = [], 2
    for label in labels:
        lines = wrap(label, LABELS[width] * 10 // 62) or [""]
        middle = top + (len(lines) - 1) * LETTERS // 2
        rows.append(
            _Row(
                label=tuple(
                    Text(
                        x=LABELS[width] - 6, y=top + 9 + place * LETTERS, anchor="end", words=words
                    )
                    for place, words in enumerate(lines)
                ),
                middle=middle,
            )
        )
        top += STEP + (len(lines) - 1) * LETTERS
    return rows, max(top, STEP + 2)


def _whole(value: Fraction) -> int:
    return int(value + Fraction(1, 2)) if value >= 0 else -int(-value + Fraction(1, 2))
