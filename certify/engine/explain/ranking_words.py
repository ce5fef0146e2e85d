"""Set hands in words, read from the keys by which backs and fronts are compared."""

from typing import Final

from certify.engine.house_way.features import CATEGORIES
from certify.formatting import listed
from certify.kernels.partition.features import CATEGORY_SHIFT, Shape, ranked_as
from certify.model.game import RANKS
from certify.model.house_way_groups import NAMES, plural
from certify.model.vocabulary import Category

DIGITS: Final = 5
RUNS: Final = (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
OF_A_KIND: Final = {
    Category.PAIR: "a pair of",
    Category.THREE_OF_A_KIND: "three",
    Category.FOUR_OF_A_KIND: "four",
    Category.FIVE_OF_A_KIND: "five",
}


def ranking_words(key: int, shape: Shape) -> str:
    """Return a back or a front in words: ``a full house, kings over fives``, ``ace-king``."""
    category = CATEGORIES[ranked_as(key, shape.order)]
    digits = [key >> (CATEGORY_SHIFT - 4 * place) & 15 for place in range(1, DIGITS + 1)]
    if category in RUNS:
        return _run(category, digits[0], shape)
    if digits[0] > shape.ranks:
        return "the joker, above an ace"
    return _groups(category, [_letter(digit, shape) for digit in digits if digit])


def _groups(category: Category, ranks: list[str]) -> str:
    if category in OF_A_KIND:
        return f"{OF_A_KIND[category]} {plural(ranks[0])}{_with(ranks[1:])}"
    if category is Category.FULL_HOUSE:
        return f"a full house, {plural(ranks[0])} over {plural(ranks[1])}"
    if category is Category.TWO_PAIR:
        return f"two pair, {plural(ranks[0])} and {plural(ranks[1])}{_with(ranks[2:])}"
    names = "-".join(NAMES[rank] for rank in ranks)
    return f"a flush, {names}" if category is Category.FLUSH else names


def _run(category: Category, digit: int, shape: Shape) -> str:
    if category is Category.ROYAL_FLUSH:
        return "a royal flush"
    kind = "straight" if category is Category.STRAIGHT else "straight flush"
    wheel = shape.back - 1 if shape.low_wheel else shape.ranks
    if digit == wheel:
        low = RANKS[-shape.ranks :][: shape.back - 1]
        return f"{'-'.join(('A', *low))}, a {kind}"
    top = "ace" if digit > shape.ranks else NAMES[_letter(digit, shape)]
    return f"{'an' if top[0] in 'aeiou' else 'a'} {top}-high {kind}"


def _letter(digit: int, shape: Shape) -> str:
    return RANKS[len(RANKS) - shape.ranks + digit - 1]


def _with(ranks: list[str]) -> str:
    return f" with {listed([NAMES[rank] for rank in ranks])}" if ranks else ""
