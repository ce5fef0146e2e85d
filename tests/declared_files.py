"""Records as the files that would declare them, for a recount of what no file declares."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

import certify_recount
from certify.figures import second_counts
from certify.model.catalog import Catalog
from certify.model.condition import AllOf, AnyOf, Compare, Event, FeatureTest, Not, TwoHands
from certify.model.encoding import Forms, drop_empty, encode_json, pick_values
from certify.model.finding import Document
from certify.model.game import Game, HandRules, Ranking, Strategy
from certify.model.house_way import HouseWay, HouseWayRule, HouseWaySection
from certify.model.main_wager import (
    DealerRule,
    Fold,
    HandBonus,
    HandPay,
    MainWager,
    Raise,
    RaisePay,
)
from certify.model.paytable import AlsoTable, CollectionFee, Commission, Payout, Paytable, Row
from certify_recount import Count


def _write_test(test: FeatureTest) -> dict[str, Any]:
    """Return a test: the values, or the bounds that it has."""
    bounds = {"min": test.minimum, "max": test.maximum}
    asked = {test.feature: test.values or drop_empty(bounds)}
    return {test.part: asked} if test.part.is_set else asked


def _write_game(game: Game) -> dict[str, Any]:
    hands = game.hands
    return drop_empty(
        {
            **pick_values(game, "id", "dealer_exposed", "players", "house_way", "strategy"),
            **pick_values(hands, "wheel", "joker", "joker_beats_ace_in_front", "ranking"),
            "deck": pick_values(hands.deck, "ranks", "joker", "decks"),
            "hand": drop_empty(
                pick_values(hands.shape, "cards", "back", "front", "dealer_cards", "dealer_shows")
            ),
        }
    )


def _write_compare(compare: Compare) -> dict[str, Any]:
    return drop_empty(pick_values(compare, "best_hand", "high_hand", "low_hand"))


FORMS: Forms = {
    Game: _write_game,
    Ranking: lambda ranking: pick_values(ranking, "highest_first"),
    HouseWay: lambda way: pick_values(way, "sections"),
    HouseWaySection: lambda section: pick_values(section, "id", "when", "base", "exceptions"),
    HouseWayRule: lambda rule: drop_empty(pick_values(rule, "id", "when", "before", "by", "front")),
    MainWager: lambda option: drop_empty(
        pick_values(
            option,
            *("id", "win_pays", "dealer_rules", "ties", "bonus", "companion", "wager_cents"),
            *("commission", "fee"),
        )
        | {"raise": option.raise_}
    ),
    DealerRule: lambda rule: drop_empty(pick_values(rule, "id", "when", "outcome", "win_pays")),
    Commission: lambda taken: {
        "rate": f"{taken.rate * 100}%",
        **pick_values(taken, "prepaid", "unit_cents", "rounding", "minimum_cents"),
    },
    CollectionFee: lambda fee: pick_values(fee, "bands"),
    Raise: lambda raised: drop_empty(
        pick_values(
            raised,
            *("size", "qualifies", "largest", "largest_when", "not_qualified", "pays", "fold"),
        )
    ),
    Fold: lambda _: {},
    **dict.fromkeys(
        (HandBonus, HandPay, RaisePay), lambda pay: pick_values(pay, "id", "when", "pays", "paid")
    ),
    Event: lambda event: {
        "id": event.id,
        **({"either": event.deals} if event.two_handed else {"when": event.when}),
    },
    TwoHands: lambda deal: drop_empty(pick_values(deal, "player", "dealer", "compare")),
    Compare: _write_compare,
    Paytable: lambda table: pick_values(table, "hand", "cards", "award", "rows", "also"),
    AlsoTable: lambda table: pick_values(table, "award", "rows"),
    Row: lambda row: pick_values(row, "event"),
    AllOf: lambda every: {"all": every.conditions},
    AnyOf: lambda some: {"any": some.conditions},
    Not: lambda negated: {"not": negated.condition},
    FeatureTest: _write_test,
    Payout: str,
}
"""The parts on which a recount depends, by class; of other classes, the fields that are not empty.

Exact values are written as ``n/d``.
"""


def write_files(
    game: Game,
    *records: MainWager | Paytable,
    house_way: HouseWay | None = None,
    events: Mapping[str, Event] | None = None,
) -> dict[str, bytes]:
    """Return the files of some records of a game by their paths."""
    values: dict[str, Any] = {f"{game.id}/game.json": game}
    values |= {f"{game.id}/{record.wager}/{record.id}.json": record for record in records}
    if house_way is not None:
        values[f"house-ways/{house_way.id}.json"] = house_way
    if events is not None:
        values["events.json"] = {"events": list(events.values())}
    return {
        f"paytables/{path}": json.dumps(encode_json(value, FORMS)).encode()
        for path, value in values.items()
    }


def with_files(catalog: Catalog, files: Mapping[str, bytes]) -> Catalog:
    """Return a catalog with other texts of some files."""
    known = {each.evidence_path: key for key, each in catalog.documents.items()}
    documents = {
        known.get(path, path): Document(path=path, evidence_path=path, text=text.decode())
        for path, text in files.items()
    }
    return replace(catalog, documents={**catalog.documents, **documents})


def recount_options(
    options: Sequence[MainWager],
    *,
    game: Game,
    house_way: HouseWay,
    strategies: Sequence[Strategy] = tuple(Strategy),
) -> dict[tuple[str, Strategy], Count]:
    """Count options of a game from files that declare them."""
    files = write_files(game, *options, house_way=house_way)
    with second_counts._errors():
        counts = certify_recount.recount(
            files,
            *(f"{game.id}/{option.wager}/{option.id}" for option in options),
            house_way=house_way.id,
            strategies=[str(each) for each in strategies],
        )
    ids = [option.id for option in options for _ in strategies]
    return {
        (name, Strategy(str(count.strategy))): count
        for name, count in zip(ids, counts, strict=True)
    }


def recount_table(
    game: Game,
    paytable: Paytable,
    events: Mapping[str, Event],
    house_way: HouseWay | None = None,
) -> Mapping[str, int]:
    """Count the rows of a paytable from files that declare it."""
    files = write_files(game, paytable, house_way=house_way, events=events)
    way = house_way.id if house_way is not None else None
    with second_counts._errors():
        (count,) = certify_recount.recount(
            files, f"{game.id}/{paytable.wager}/{paytable.id}", house_way=way
        )
    return count.rows


def recount_pairs(
    paytable: Paytable, events: Mapping[str, Event], *, game: Game, hands: HandRules
) -> Mapping[str, int]:
    """Count a paytable of a game with other hands."""
    return recount_table(replace(game, hands=hands), paytable, events)
