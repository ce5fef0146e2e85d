"""Words for ranks and lists, and for groups of equal rank under a condition of a house way.

A sentence names the groups that a condition permits. Some groups are excluded without a test:
without a wild joker only aces make five of a kind, and four of a kind with three of a kind holds
no straight.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from certify.formatting import join_words
from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, Not
from certify.model.game import RANKS
from certify.model.vocabulary import Category, Groups, HouseWayFeature

SIZES: Final[Mapping[Groups, tuple[int, ...]]] = {
    Groups.NO_PAIR: (),
    Groups.PAIR: (2,),
    Groups.TWO_PAIR: (2, 2),
    Groups.THREE_PAIR: (2, 2, 2),
    Groups.THREE_OF_A_KIND: (3,),
    Groups.THREE_OF_A_KIND_AND_PAIR: (3, 2),
    Groups.THREE_OF_A_KIND_AND_TWO_PAIR: (3, 2, 2),
    Groups.TWO_SETS_OF_THREE_OF_A_KIND: (3, 3),
    Groups.FOUR_OF_A_KIND: (4,),
    Groups.FOUR_OF_A_KIND_AND_PAIR: (4, 2),
    Groups.FOUR_OF_A_KIND_AND_THREE_OF_A_KIND: (4, 3),
    Groups.FIVE_OF_A_KIND: (5,),
    Groups.FIVE_OF_A_KIND_AND_PAIR: (5, 2),
}
"""The number of cards of each rank that is held more than once."""

FAMILIES: Final[Mapping[Category, tuple[Groups, ...]]] = {
    Category.FULL_HOUSE: (
        Groups.THREE_OF_A_KIND_AND_PAIR,
        Groups.THREE_OF_A_KIND_AND_TWO_PAIR,
        Groups.TWO_SETS_OF_THREE_OF_A_KIND,
    ),
    Category.FOUR_OF_A_KIND: (
        Groups.FOUR_OF_A_KIND,
        Groups.FOUR_OF_A_KIND_AND_PAIR,
        Groups.FOUR_OF_A_KIND_AND_THREE_OF_A_KIND,
    ),
    Category.FIVE_OF_A_KIND: (Groups.FIVE_OF_A_KIND, Groups.FIVE_OF_A_KIND_AND_PAIR),
}
"""Groups that have one name together."""

STRAIGHTS: Final = (
    Category.STRAIGHT,
    Category.FLUSH,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)
"""The hands that need cards of different ranks."""

SINGLETONS: Final = (
    HouseWayFeature.HIGHEST_SINGLETON,
    HouseWayFeature.SECOND_SINGLETON,
    HouseWayFeature.THIRD_SINGLETON,
    HouseWayFeature.FOURTH_SINGLETON,
    HouseWayFeature.FIFTH_SINGLETON,
)
"""The features of singletons, the highest first."""

_HELD: Final[Mapping[str, int]] = {
    HouseWayFeature.HIGH_PAIR: 2,
    HouseWayFeature.LOW_PAIR: 2,
    HouseWayFeature.THREE_OF_A_KIND: 3,
}


class Pattern(Struct, frozen=True, kw_only=True):
    """The repetition of ranks in a hand; ``four`` is the rank held four or five times."""

    groups: Groups
    four: str | None
    cards: int
    back: int

    @property
    def singletons(self) -> int:
        """The number of ranks held once."""
        return self.cards - sum(SIZES[self.groups])

    @property
    def can_be_straight(self) -> bool:
        """True if the cards can form a straight or a flush, possibly with the joker."""
        return len(SIZES[self.groups]) + self.singletons >= self.back - 1

    @property
    def best_hands(self) -> frozenset[Category]:
        """The categories that can be the highest hand."""
        order = list(Category)
        plain = _plain_category(SIZES[self.groups])
        if not self.can_be_straight:
            return frozenset({plain})
        return frozenset(
            {plain, *(kind for kind in STRAIGHTS if order.index(kind) > order.index(plain))}
        )


def all_patterns(cards: int, front: int, *, wild: bool) -> frozenset[Pattern]:
    """Return every pattern of a hand of ``cards`` cards with at most one joker."""
    patterns = set()
    for groups, sizes in SIZES.items():
        if sum(sizes) > cards:
            continue
        fours = [None] if not sizes or sizes[0] < 4 else list(RANKS)  # noqa: PLR2004 - of a rank
        if sizes[:1] == (5,) and not wild:
            fours = [RANKS[-1]]
        patterns |= {
            Pattern(groups=groups, four=four, cards=cards, back=cards - front) for four in fours
        }
    return frozenset(patterns)


def fitting(condition: Condition | None, patterns: Iterable[Pattern]) -> frozenset[Pattern]:
    """Return the patterns that a condition does not rule out."""
    if condition is None:
        return frozenset(patterns)
    return frozenset(pattern for pattern in patterns if _holds(condition, pattern) is not False)


def holds_always(condition: Condition, pattern: Pattern) -> bool:
    """Return True if a condition holds for every hand of a pattern."""
    return _holds(condition, pattern) is True


def collect_groups(patterns: Iterable[Pattern]) -> frozenset[Groups]:
    """Return the groups of some patterns."""
    return frozenset(pattern.groups for pattern in patterns)


_PLAIN: Final[Mapping[tuple[int, ...], Category]] = {
    (): Category.HIGH_CARD,
    (2,): Category.PAIR,
    (2, 2): Category.TWO_PAIR,
    (3,): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 3): Category.FULL_HOUSE,
}


def _plain_category(sizes: tuple[int, ...]) -> Category:
    """Return the highest hand of a group, straights and flushes apart."""
    if sizes[:1] > (3,):
        return Category.FOUR_OF_A_KIND if sizes[0] == 4 else Category.FIVE_OF_A_KIND  # noqa: PLR2004 - of a rank
    return _PLAIN[sizes[:2]]


def _holds(condition: Condition, pattern: Pattern) -> bool | None:
    """Return True or False if a condition holds for all or no hands of a pattern, else None."""
    match condition:
        case FeatureTest():
            return _test(condition, pattern)
        case Not(condition=part):
            result = _holds(part, pattern)
            return None if result is None else not result
        case AllOf(conditions=parts):
            every = [_holds(part, pattern) for part in parts]
            return False if False in every else None if None in every else True
        case AnyOf(conditions=parts):
            some = [_holds(part, pattern) for part in parts]
            return True if True in some else None if None in some else False


def _test(test: FeatureTest, pattern: Pattern) -> bool | None:
    values, sizes, result = test.values, SIZES[pattern.groups], None
    match test.feature:
        case HouseWayFeature.GROUPS:
            result = pattern.groups in values
        case HouseWayFeature.FOUR_OF_A_KIND:
            result = pattern.four in values
        case HouseWayFeature.BEST_HAND:
            inside = {kind in values for kind in pattern.best_hands}
            result = None if len(inside) > 1 else inside.pop()
        case HouseWayFeature.STRAIGHT_OR_FLUSH if not pattern.can_be_straight:
            result = not values[0]
        case feature if feature in _HELD:
            result = _is_rank_certain(values, is_rank_held=_HELD[feature] in sizes)
        case feature if feature in SINGLETONS:
            result = _is_rank_certain(
                values, is_rank_held=pattern.singletons > SINGLETONS.index(feature)
            )
    return result


def _is_rank_certain(values: tuple[object, ...], *, is_rank_held: bool) -> bool | None:
    """Return True if a rank is certainly one of ``values``, False if not, else None.

    A None in ``values`` represents the absence of such a rank.
    """
    if not is_rank_held:
        return None in values
    return None if any(value is not None for value in values) else False


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


def format_ranks(values: Sequence[object]) -> str:
    """Return ranks in the plural: ``aces``, ``tens or better``, ``twos through sixes``."""
    return _range_of_ranks(values, plural, plural)


def one_of_ranks(values: Sequence[object]) -> str:
    """Return a card of some ranks: ``an ace``, ``a king or better``, ``a two through six``."""
    return _range_of_ranks(values, article, NAMES.__getitem__)


def _range_of_ranks(
    values: Sequence[object], word: Callable[[str], str], last: Callable[[str], str]
) -> str:
    """Return ranks in words: each by ``word``, the end of a range below the ace by ``last``."""
    ranks = _sort_ranks(values)
    if _reach_the_ace(ranks):
        return f"{word(ranks[0])} or better"
    if len(ranks) > TWO and _are_consecutive(ranks):
        return f"{word(ranks[0])} through {last(ranks[-1])}"
    return join_words([word(rank) for rank in ranks], "or")


def singleton(test: FeatureTest) -> str:
    """Return the words for a test of a singleton: ``a singleton king or better``."""
    place = SINGLETONS.index(test.feature)
    ranks = _sort_ranks(test.values)
    words = f"{one_of_ranks(ranks)} as the {ORDINALS[place]} singleton" if ranks else ""
    if place == 0 and (ranks == RANKS[-1:] or _reach_the_ace(ranks)):
        words = f"a singleton {_or_better(ranks)}"
    if None not in test.values:
        return words
    none = "no singleton" if place == 0 else f"fewer than {NUMBERS[place + 1]} singletons"
    return f"{words} or {none}" if words else none


def no_singleton(test: FeatureTest) -> str:
    """Return ``no singleton ace`` for a test of the highest ranks; empty for others."""
    ranks = _sort_ranks(test.values)
    if test.feature != SINGLETONS[0] or None in test.values or ranks[-1:] != RANKS[-1:]:
        return ""
    return f"no singleton {_or_better(ranks)}" if _are_consecutive(ranks) else ""


def _or_better(ranks: str) -> str:
    return NAMES[ranks[0]] + (" or better" if len(ranks) > 1 else "")


def _sort_ranks(values: Sequence[object]) -> str:
    return "".join(rank for rank in RANKS if rank in values)


def _are_consecutive(ranks: str) -> bool:
    return ranks in RANKS


def _reach_the_ace(ranks: str) -> bool:
    return len(ranks) > 1 and _are_consecutive(ranks) and ranks[-1] == RANKS[-1]
