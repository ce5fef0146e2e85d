"""Ranks, groups and lists in words."""

from collections.abc import Mapping, Sequence
from typing import Final

from certify.model.cards import RANKS
from certify.model.condition import FeatureTest
from certify.model.house_way_groups import SINGLETONS
from certify.model.vocabulary import Category

NAMES: Final = dict(
    zip(
        RANKS,
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
         "king", "ace"),
        strict=True,
    )
)  # fmt: skip
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven")
ORDINALS: Final = ("highest", "second-highest", "third-highest", "fourth-highest", "fifth-highest")
TWO: Final = 2
CATEGORIES: Final[Mapping[str, str]] = {
    Category.HIGH_CARD: "no pair, straight, or flush",
    Category.PAIR: "a pair",
    Category.TWO_PAIR: "two pair",
    Category.THREE_OF_A_KIND: "three of a kind",
    Category.STRAIGHT: "a straight",
    Category.FLUSH: "a flush",
    Category.FULL_HOUSE: "a full house",
    Category.FOUR_OF_A_KIND: "four of a kind",
    Category.STRAIGHT_FLUSH: "a straight flush",
    Category.ROYAL_FLUSH: "a royal flush",
    Category.FIVE_OF_A_KIND: "five of a kind",
}


def plural(rank: str) -> str:
    """Return several cards of a rank: ``kings``, ``sixes``."""
    return NAMES[rank] + ("es" if rank == "6" else "s")


def article(rank: str) -> str:
    """Return one card of a rank with its article: ``an ace``, ``a king``."""
    return f"{'an' if NAMES[rank][0] in 'aeiou' else 'a'} {NAMES[rank]}"


def series(words: Sequence[str], last: str = "and") -> str:
    """Return a series with a serial comma: ``a, b, and c``."""
    if len(words) <= TWO:
        return f" {last} ".join(words)
    return f"{', '.join(words[:-1])}, {last} {words[-1]}"


def ranks_of(values: Sequence[object]) -> str:
    """Return ranks in the plural: ``aces``, ``tens or better``, ``twos through sixes``."""
    ranks = _in_order(values)
    if _reach_the_ace(ranks):
        return f"{plural(ranks[0])} or better"
    if len(ranks) > TWO and _in_sequence(ranks):
        return f"{plural(ranks[0])} through {plural(ranks[-1])}"
    return series([plural(rank) for rank in ranks], "or")


def one_of_ranks(values: Sequence[object]) -> str:
    """Return a card of some ranks: ``an ace``, ``a king or better``, ``a two through six``."""
    ranks = _in_order(values)
    if _reach_the_ace(ranks):
        return f"{article(ranks[0])} or better"
    if len(ranks) > TWO and _in_sequence(ranks):
        return f"{article(ranks[0])} through {NAMES[ranks[-1]]}"
    return series([article(rank) for rank in ranks], "or")


def singleton(test: FeatureTest) -> str:
    """Return what a test of a singleton asks for: ``a singleton king or better``."""
    place = SINGLETONS.index(test.feature)
    ranks = _in_order(test.values)
    words = f"{one_of_ranks(ranks)} as the {ORDINALS[place]} singleton" if ranks else ""
    if place == 0 and (ranks == RANKS[-1:] or _reach_the_ace(ranks)):
        words = f"a singleton {_or_better(ranks)}"
    if None not in test.values:
        return words
    none = "no singleton" if place == 0 else f"fewer than {NUMBERS[place + 1]} singletons"
    return f"{words} or {none}" if words else none


def no_singleton(test: FeatureTest) -> str:
    """Return ``no singleton ace`` where a test asks for the highest ranks; nothing of others."""
    ranks = _in_order(test.values)
    if test.feature != SINGLETONS[0] or None in test.values or ranks[-1:] != RANKS[-1:]:
        return ""
    return f"no singleton {_or_better(ranks)}" if _in_sequence(ranks) else ""


def _or_better(ranks: str) -> str:
    return NAMES[ranks[0]] + (" or better" if len(ranks) > 1 else "")


def _in_order(values: Sequence[object]) -> str:
    return "".join(rank for rank in RANKS if rank in values)


def _in_sequence(ranks: str) -> bool:
    return ranks in RANKS


def _reach_the_ace(ranks: str) -> bool:
    return len(ranks) > 1 and _in_sequence(ranks) and ranks[-1] == RANKS[-1]
