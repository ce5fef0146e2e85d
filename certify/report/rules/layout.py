"""Sketch of one betting position: a spot for each wager, and the places of the hands."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from certify.model.submission import Submission
from certify.report.charts import INK, LETTER, LETTERS, Chart, Stroke, Text
from certify.report.rules.numbering import bonus_wagers

WIDTH, SPOTS, RADIUS = 600, 4, 24
"""Units across the sketch, spots in a row at most, and the radius of a spot in units."""

CARD = 22
"""Units of width for each card of a hand; the box of a hand is twice as high."""

LOW_HAND, HIGH_HAND, HAND = "Low hand", "High hand", "Hand"


def sketch(submission: Submission) -> Chart:
    """Return the spots of a position as declared: bonus wagers, the main wager, then the hands."""
    shape = submission.game.hands.shape
    bonus = [wager.name for wager in bonus_wagers(submission)]
    rows = [bonus[first : first + SPOTS] for first in range(0, len(bonus), SPOTS)]
    if submission.main is not None:
        companion = submission.main.companion
        main = [submission.game.find_wager(submission.main).name, submission.raise_name]
        rows.append([*filter(None, [*main, companion.name if companion is not None else ""])])
    hands = {HAND: shape.cards}
    if shape.is_divided:
        hands = {LOW_HAND: shape.front, HIGH_HAND: shape.back}
    strokes: list[Stroke] = []
    texts: list[Text] = []
    top = 4
    for row in rows:
        lines = [wrap(name, WIDTH // SPOTS // LETTER, break_on_hyphens=False) for name in row]
        for middle, words in zip(_middles(len(row)), lines, strict=True):
            strokes.append(_circle(middle, top + RADIUS))
            texts += _label(words, middle, top + 2 * RADIUS)
        top += 2 * RADIUS + (max(map(len, lines)) + 1) * LETTERS
    for middle, (name, cards) in zip(_middles(len(hands)), hands.items(), strict=True):
        strokes.append(_place(middle, top, cards))
        texts += _label([f"{name} ({cards})"], middle, top + 2 * CARD)
    spots = [name for row in rows for name in row]
    return Chart(
        id="figure-layout",
        message="; ".join((*spots, *hands)),
        width=WIDTH,
        height=top + 2 * CARD + 2 * LETTERS,
        boxes=(),
        strokes=tuple(strokes),
        texts=tuple(texts),
    )


def _middles(number: int) -> range:
    """Return the middles of so many places, evenly spaced."""
    step = WIDTH // number
    return range(step // 2, step * number, step)


def _circle(x: int, y: int) -> Stroke:
    around = f"a{RADIUS} {RADIUS} 0 1 0"
    path = f"M{x - RADIUS} {y}{around} {2 * RADIUS} 0{around} {-2 * RADIUS} 0"
    return Stroke(path=path, color=INK)


def _place(x: int, y: int, cards: int) -> Stroke:
    width = cards * CARD
    return Stroke(path=f"M{x - width // 2} {y}h{width}v{2 * CARD}h{-width}z", color=INK)


def _label(lines: Sequence[str], x: int, y: int) -> Iterator[Text]:
    """Yield the lines of a label below a place."""
    for number, words in enumerate(lines, 1):
        yield Text(x=x, y=y + number * LETTERS, anchor="middle", words=words)
