"""Two house ways over every hand: which hands they set to other ranks, and by which rules."""

import numpy as np

from certify.engine.divided import deal
from certify.engine.house_way.audit import card_name, chosen_splits
from certify.errors import NotConfigured
from certify.model.difference import HouseWayDifference, OtherSetting
from certify.model.game import HandRules
from certify.model.house_way import HouseWay


def compare_house_ways(
    before: HouseWay, after: HouseWay, *, hands: HandRules, most: int = 40
) -> HouseWayDifference:
    """Compare two house ways over every hand of a deck.

    Two splits are the same if front and back have the same ranks; which suit goes in front does
    not matter.

    Args:
        before: one house way.
        after: the other.
        hands: the deck and the rules that rank hands.
        most: how many pairs of deciding rules are listed, those with most hands first.

    Raises:
        NotConfigured: a house way sets hands of another size, or cannot be used.
    """
    for way in (before, after):
        if (way.cards, way.front) != (hands.shape.cards, hands.shape.front):
            raise NotConfigured(
                f"The house way {way.id} sets {way.front} of {way.cards} cards in front, not "
                f"{hands.shape.front} of {hands.shape.cards}.",
                remedy="Compare house ways for hands of one size.",
            )
    shape, classes, splits = deal(hands)
    first = chosen_splits(before, classes, splits)
    second = chosen_splits(after, classes, splits)
    every = np.arange(len(classes.plain))
    differs = (splits.high[every, first.split] != splits.high[every, second.split]) | (
        splits.low[every, first.split] != splits.low[every, second.split]
    )
    rows = np.flatnonzero(differs & (classes.plain > 0))
    pairs: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        pairs.setdefault((int(first.rule[row]), int(second.rule[row])), []).append(int(row))

    def front(split: int, row: int) -> tuple[str, ...]:
        return tuple(
            card_name(int(classes.cards[row, place]), shape) for place in splits.fronts[split]
        )

    settings = []
    for (rule, other), members in pairs.items():
        typical = members[int(classes.plain[members].argmax())]
        settings.append(
            OtherSetting(
                rule_before=before.rules[rule].id,
                rule_after=after.rules[other].id,
                hands=int(classes.plain[members].sum()),
                example=tuple(card_name(int(card), shape) for card in classes.cards[typical]),
                front_before=front(int(first.split[typical]), typical),
                front_after=front(int(second.split[typical]), typical),
            )
        )
    settings.sort(key=lambda pair: (-pair.hands, pair.rule_before, pair.rule_after))
    return HouseWayDifference(
        before=before.id,
        after=after.id,
        hands=int(classes.plain.sum()),
        different=int(classes.plain[rows].sum()),
        settings=tuple(settings[:most]),
    )
