"""The strategy that an edge rests on: the actions by kind of hand, and better settings."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from msgspec import Struct

from certify.model.analysis import (
    Analysis,
    Boundary,
    BoundaryHand,
    KindChanged,
    KindPlayed,
    MainAnalysis,
)
from certify.model.main_wager import MainWager, Raise
from certify.model.submission import Submission
from certify.model.vocabulary import Category
from certify.report.compose import compose
from certify.report.tables import Lines, Section, table, words

LISTED: Final = 12
"""The kinds of hands printed that the house way sets at the greatest cost."""


class Run(Struct, frozen=True, kw_only=True):
    """Low hands, or ranks, from a first to a last one."""

    first: str
    last: str

    @property
    def several(self) -> bool:
        """True if there is more than one."""
        return self.first != self.last


class Choice(Struct, frozen=True, kw_only=True):
    """The low hands with which an action is made: ``every`` one, or some.

    ``up_from`` is the lowest of several with which the action is made up to the highest. ``others``
    are made with the action as well, ``part`` with this one or with another, by the other cards.
    """

    every: bool = False
    up_from: str = ""
    others: tuple[Run, ...] = ()
    part: tuple[Run, ...] = ()

    @property
    def is_sure(self) -> bool:
        """True if the action is made with some low hands whatever the other cards are."""
        return self.every or bool(self.up_from or self.others)

    @property
    def is_made(self) -> bool:
        """True if some hand is played so."""
        return self.is_sure or bool(self.part)


def strategy_tables(submission: Submission) -> list[dict[str, Any]]:
    """Return a table of actions by kind of hand, for each option and strategy of the player."""
    filed = (option.target for option in submission.options)
    analyses = submission.comparison or tuple(
        submission.analyses[target] for target in filed if target in submission.analyses
    )
    return tables_of(submission.options, analyses)


def tables_of(options: Sequence[MainWager], analyses: Sequence[Analysis]) -> list[dict[str, Any]]:
    """Return a table of actions by kind of hand, and the boundary, for each analysis of a raise."""
    by_target = {option.target: option for option in options}
    return [
        _table(option, option.raise_, analysis, analysis.main)
        for analysis in analyses
        if (option := by_target.get(analysis.target)) is not None
        and option.raise_ is not None
        and analysis.main is not None
        and analysis.main.played
    ]


def build_section(view: Mapping[str, Any]) -> Section:
    """Return the hands by action, and the boundary, of one of `tables_of`."""
    heads, *lines, boundary = compose("plain/strategy.txt.j2", {"table": view}).split("\n")
    rows = [line.split("\t") for line in lines if line]
    hands = table("Hands by action", heads.replace("\t", " | "), rows)
    lowest = (Lines(title=words("Lowest hands"), lines=(words(boundary),)),) if boundary else ()
    return Section(title=view["target"], parts=(hands, *lowest))


def changed_settings(submission: Submission) -> dict[str, Any] | None:
    """Return the kinds of hands that the house way sets at the greatest cost; None if unknown."""
    for analysis in submission.comparison:
        if analysis.main and analysis.main.changed:
            changed = analysis.main.changed
            return {
                "listed": changed[:LISTED],
                "rest": _sum(changed[LISTED:]),
                "total": _sum(changed),
            }
    return None


def _sum(changed: Sequence[KindChanged]) -> dict[str, Any]:
    return {
        "kinds": len(changed),
        "hands": sum(each.hands for each in changed),
        "cost": sum(each.cost for each in changed),
    }


def _table(
    option: MainWager, raised: Raise, analysis: Analysis, main: MainAnalysis
) -> dict[str, Any]:
    """Return one line for kinds of hands in a row that are played alike, and the sums."""
    played = main.played
    actions: list[dict[str, Any]] = [
        {
            "key": action.key,
            "fold": action.folded,
            "raised": raised.name if action.size else None,
            "size": action.size if raised.largest is not None and action.size else None,
        }
        for action in option.actions
    ]
    chosen = actions[1:]
    kinds = [
        (category, rank, list(of_kind))
        for (category, rank), of_kind in groupby(
            played, key=lambda each: (_category(each, divided=bool(main.house_way)), each.kind.rank)
        )
    ]
    same = groupby(
        kinds, key=lambda kind: (kind[0], [_choice(kind[2], each["key"]) for each in chosen])
    )
    rows = [_line(category, list(group), choices) for (category, choices), group in same]
    return {
        "option": option,
        "raised": raised.name,
        "divided": bool(main.house_way),
        "seen": main.boundary is not None and main.boundary.seen,
        "strategy": main.strategy,
        "target": analysis.target,
        "actions": actions,
        "chosen": chosen,
        "sizes": len(chosen) > 1,
        "rows": rows,
        "total": _sums(played),
        "boundary": main.boundary
        and _boundary(main.boundary, chosen, limited=raised.largest_when is not None),
    }


def _category(played: KindPlayed, *, divided: bool) -> Category:
    """Return the category of a kind of hand; a royal flush is one of divided hands alone."""
    if not divided and played.kind.high is Category.ROYAL_FLUSH:
        return Category.STRAIGHT_FLUSH
    return played.kind.high


def _boundary(
    boundary: Boundary, chosen: Sequence[Mapping[str, Any]], *, limited: bool
) -> dict[str, Any]:
    """Return the lowest hand of each raise, and the cost of playing by these hands.

    ``cheapest`` is empty if these hands cost least. ``limited``: only some hands may be raised at
    the largest size; ``otherwise`` is the action with the others.
    """

    def list_hands(lowest: Sequence[BoundaryHand]) -> list[dict[str, Any]]:
        return [
            {
                "action": action,
                "lowest": hand.ranks or hand.hand,
                "hands": hand.hands,
                "otherwise": chosen[0] if limited and action != chosen[0] else None,
            }
            for action, hand in zip(chosen, lowest, strict=True)
        ]

    costs_less = boundary.least_cost < boundary.cost
    return {
        "hands": list_hands(boundary.hands),
        "cost": boundary.cost,
        "cheapest": list_hands(boundary.cheapest) if costs_less else [],
        "least_cost": boundary.least_cost,
    }


def _line(
    category: Category, kinds: Sequence[tuple[Category, str, list[KindPlayed]]], choices: object
) -> dict[str, Any]:
    """Return the line of kinds in a row that are played alike."""
    first, last = kinds[0][1], kinds[-1][1]
    return {
        "high": category,
        "ranks": Run(first=first, last=last) if first else None,
        "choices": choices,
        **_sums([each for *_, of_kind in kinds for each in of_kind]),
    }


def _sums(played: Sequence[KindPlayed]) -> dict[str, Any]:
    """Return the number of hands, and that of each action in the order of the option."""
    by_action = [*map(sum, zip(*(each.hands.values() for each in played), strict=True))]
    return {"hands": sum(by_action), "by_action": by_action}


def _choice(played: Sequence[KindPlayed], action: str) -> Choice:
    """Return the low hands with which an action is made, of one kind of high hand."""
    share = {each.kind.low: _share(each.hands, action) for each in played}
    if all(extent == "every" for extent in share.values()):
        return Choice(every=True)
    runs = [
        (extent, lows[0], lows[-1])
        for extent, group in groupby(share, key=share.__getitem__)
        for lows in [list(group)]
    ]
    *before, (extent, lowest, highest) = runs
    up_from = lowest if extent == "every" and lowest != highest else ""
    others = before if up_from else runs
    return Choice(
        up_from=up_from,
        others=tuple(_only(others, "every")),
        part=tuple(_only(others, "part")),
    )


def _only(runs: Sequence[tuple[str, str, str]], selected: str) -> Iterator[Run]:
    """Yield the runs of low hands that are played as selected."""
    for extent, first, last in runs:
        if extent == selected:
            yield Run(first=first, last=last)


def _share(hands: Mapping[str, int], action: str) -> str:
    """Return ``every``, ``part`` or ``no``: the share of hands that are played with an action."""
    hands_played = hands.get(action, 0)
    return "no" if not hands_played else "every" if hands_played == sum(hands.values()) else "part"
