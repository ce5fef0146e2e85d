"""Charts as simple shapes with integer coordinates; a Jinja macro draws them as SVG.

Every chart stands beside the table it is drawn from and carries that table's message as its
alternative text. Coordinates are integers in a 600-unit wide box, so bytes never vary.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

WIDTH = 600
_LABEL = 190
_BAR = 16
_STEP = 22
_VALUE = 84


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A rectangle, a line or a text; ``style`` is a class of the style sheet."""

    kind: str
    style: str
    x: int
    y: int
    width: int = 0
    height: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing of ``shapes`` in a box of WIDTH by ``height``, with a title and its message."""

    id: str
    title: str
    message: str
    height: int
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: its label, its value and the value as printed."""

    label: str
    value: Fraction
    printed: str


def bars(*, id: str, title: str, message: str, values: Sequence[Bar]) -> Chart:  # noqa: A002 - SVG's word
    """Return a chart of horizontal bars; bars of negative values run left of the axis."""
    least = min((one.value for one in values), default=Fraction(0))
    greatest = max((one.value for one in values), default=Fraction(0))
    low, high = min(least, Fraction(0)), max(greatest, Fraction(0))
    reach = (high - low) or Fraction(1)
    room = WIDTH - _LABEL - _VALUE
    axis = _LABEL + _whole(-low / reach * room)
    shapes: list[Shape] = []
    for place, one in enumerate(values):
        top = place * _STEP
        length = _whole(abs(one.value) / reach * room)
        left = axis - length if one.value < 0 else axis
        shapes += [
            Shape(kind="text", style="label", x=_LABEL - 6, y=top + 12, text=one.label),
            Shape(
                kind="rect",
                style="loss" if one.value < 0 else "gain",
                x=left,
                y=top,
                width=max(length, 1),
                height=_BAR,
            ),
            Shape(
                kind="text",
                style="value",
                x=max(left + length, axis) + 4,
                y=top + 12,
                text=one.printed,
            ),
        ]
    height = max(len(values) * _STEP, _STEP)
    shapes.append(Shape(kind="line", style="axis", x=axis, y=0, width=0, height=height))
    return Chart(id=id, title=title, message=message, height=height, shapes=tuple(shapes))


def _whole(value: Fraction) -> int:
    return int(value + Fraction(1, 2))
