"""Set hands in words, from their keys."""

from typing import Final

from certify.formatting import join_words
from certify.kernels.features import CATEGORY_SHIFT, Shape, reorder_category
from certify.model.game import JOKER, RANKS
from certify.model.vocabulary import Category
from certify.words.groups import NAMES, plural

CATEGORIES: Final = tuple(Category)
DIGITS: Final = 5
RUNS: Final = (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
OF_A_KIND: Final = {
    Category.PAIR: "a pair of",
    Category.THREE_OF_A_KIND: "three",
    Category.FOUR_OF_A_KIND: "four",
    Category.FIVE_OF_A_KIND: "five",
}


def ranking_words(key: int, shape: Shape) -> str:
    """Return a high or low hand in words: ``a full house, kings over fives``, ``ace-king``."""
    category = CATEGORIES[reorder_category(key, shape.order)]
    digits = _digits(key)
    if category in RUNS:
        return _run(category, digits[0], shape)
    if digits[0] > shape.ranks:
        return "the joker, above an ace"
    return _groups(category, [_letter(digit, shape) for digit in digits if digit])


def short_ranks(key: int, shape: Shape) -> str:
    """Return the ranks of a hand of which nothing is made: ``Q-6-4``; empty of any other hand."""
    if CATEGORIES[reorder_category(key, shape.order)] is not Category.HIGH_CARD:
        return ""
    return "-".join(_letter(digit, shape).replace("T", "10") for digit in _digits(key) if digit)


def front_name(key: int, shape: Shape) -> str:
    """Return the ranks of a low hand from its key, such as ``A-K``; ``Jk`` above an ace."""
    digits = [digit for digit in _digits(key) if digit]
    return "-".join(JOKER if digit > shape.ranks else _letter(digit, shape) for digit in digits)


def _digits(key: int) -> list[int]:
    return [key >> (CATEGORY_SHIFT - 4 * place) & 15 for place in range(1, DIGITS + 1)]


def _groups(category: Category, ranks: list[str]) -> str:
    if category in OF_A_KIND:
        return f"{OF_A_KIND[category]} {plural(ranks[0])}{_name_ranks(ranks[1:])}"
    if category is Category.FULL_HOUSE:
        return f"a full house, {plural(ranks[0])} over {plural(ranks[1])}"
    if category is Category.TWO_PAIR:
        return f"two pair, {plural(ranks[0])} and {plural(ranks[1])}{_name_ranks(ranks[2:])}"
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


def _name_ranks(ranks: list[str]) -> str:
    return f" with {join_words([NAMES[rank] for rank in ranks])}" if ranks else ""
