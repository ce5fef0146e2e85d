"""Figures that pages print and no result of the evidence has, derived from the results.

A figure that is not derived here is listed as such by the kit: none is passed over.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from .figures import Figures, decimal, leaves, text
from .files import Game, Json

PLACES = {"_decimal": (1, 10), "_percent": (100, 4)}
"""The factor and the decimals of the rounded forms of an exact value."""


def rounded_faults(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of every rounded form of an exact value, and what is wrong with it."""
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield from rounded_faults(part, f"{path}/{place + 1}")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from rounded_faults(part, f"{path}/{key}")
            exact = value.get(key[: -len("_decimal")])
            if key.endswith(tuple(PLACES)) and isinstance(exact, str):
                factor, places = PLACES[key[-len("_decimal") :]]
                ours = decimal(factor * Fraction(exact), places)
                fault = "" if part == ours else f"{path}/{key}: stated {part}, rounded {ours}"
                yield f"{path}/{key}", fault


def outcome_shares(result: Json) -> Figures:
    """Return the shares of won, pushed and lost rounds."""
    total = result["total_combinations"]
    return {end: text(Fraction(number, total)) for end, number in result["outcomes"].items()}


def derive_mathematics(
    stated: Json, game: Game, filed: Mapping[str, Json], plays: Mapping[tuple[str, str], Json]
) -> Figures:
    """Return the figures of the mathematics report that follow from results.

    Args:
        stated: the figures as they are stated, whose places are filled.
        game: the game.
        filed: the filed results by target.
        plays: the results of main wagers by target and strategy.
    """
    cards, deck = game.hand.cards, 4 * game.deck.ranks * game.deck.decks + int(game.deck.joker)
    named = stated["method"]["names"]
    method: Figures = {
        "cards": cards,
        "hands": comb(deck, cards),
        "names": [
            {"probability": text(Fraction(line["combinations"], comb(deck, cards)))}
            for line in named
        ],
    }
    if stated["method"].get("five_aces"):
        method["five_aces"] = {
            "beside": cards - 5, "others": deck - 5, "hands": comb(deck - 5, cards - 5),
        }  # fmt: skip
    derived: Figures = {
        "method": method,
        "par_tables": [
            {"net": text(-Fraction(filed[line["target"]]["house_edge"]))}
            if "house_edge" in filed[line["target"]] else {}
            for line in stated["par_tables"]
        ],
        "meters": [derive_meters(table, filed[table["target"]]) for table in stated["meters"]],
        "volatility": [*map(derive_bands, stated["volatility"])],
        "exposure": derive_exposure(stated["exposure"], game.players),
    }  # fmt: skip
    if stated["main_wager"]:
        derived["main_wager"] = derive_main(stated["main_wager"], plays)
    return derived


def derive_main(stated: Json, plays: Mapping[tuple[str, str], Json]) -> Figures:
    """Return the figures of the section on the main wager."""

    def find(line: Json) -> Json:
        return plays[line["target"], line["strategy"]]

    derived: Figures = {
        "options": [
            {
                "play": outcome_shares(find(line["play"])),
                "net": text(-Fraction(find(line["play"])["house_edge"])),
            }
            for line in stated["options"]
        ],
        "plays": [outcome_shares(find(line)) for line in stated["plays"]],
        "other_options": [outcome_shares(find(line)) for line in stated["other_options"]],
    }
    if stated["options"]:
        first = find(stated["options"][0]["play"])
        uses = first.get("house_way_rules", [])
        total = sum(use["hands"] for use in uses)
        hands = [use["hands"] for use in uses]
        lines = [line["hands"] for line in stated["house_way_rules"]]  # in the order of print
        derived["house_way_rules"] = [
            {"hands": number, "share": text(Fraction(number, total))}
            for number in (lines if sorted(lines) == sorted(hands) else hands)
        ]
        if stated["house_way_total"]:
            derived["house_way_total"] = {"hands": total, "share": "1/1"}
    return derived


def derive_meters(stated: Json, result: Json) -> Figures:
    """Return the edges of a paytable with every meter at an amount."""
    progressive = result["progressive"]
    base, fixed = progressive["base_wager_cents"], Fraction(progressive["fixed_return"])
    weights = [Fraction(meter["probability_weight"]) for meter in progressive["meters"]]
    return {
        "edges": [
            {
                "house_edge": text(
                    1 - fixed - sum(weights) * Fraction(Fraction(line["meter_cents"]), base)
                )
            }
            if line["house_edge"] is not None
            else {}
            for line in stated["edges"]
        ]
    }


def derive_bands(stated: Json) -> Figures:
    """Return the squares of the bands of two standard deviations, in percent."""
    variance = Fraction(stated["variance"])
    return {
        "bands": [
            {"square": text(Fraction(40000 * variance, line["rounds"]))} for line in stated["bands"]
        ]
    }


def derive_exposure(stated: Json, players: int) -> Figures:
    """Return the largest losses to all players: to each as to one."""
    return {
        "players": players,
        "losses": [
            {"all_players": text(players * Fraction(line["one_player"]))}
            for line in stated["losses"]
        ],
    }


def derive_verification(stated: Json, plays: Mapping[tuple[str, str], Json]) -> Figures:
    """Return the rounds of the verification counts; all compared counts must agree."""
    results = {target: play for (target, _), play in plays.items()}
    return {
        "second_counts": [
            {
                "rounds": results[line["target"]]["total_combinations"],
                "agreeing": line["compared"],
            }
            if line["compared"] else {}
            for line in stated["second_counts"]
        ]
    }  # fmt: skip


def derive_figures(
    evidence: Json, game: Game, filed: Mapping[str, Json], results: Sequence[Json]
) -> tuple[dict[str, Any], list[str]]:
    """Return the figures of pages that follow from results, by path, and what no result has.

    Args:
        evidence: the evidence.
        game: the game.
        filed: the filed results by target.
        results: the results of main wagers, filed or compared.
    """
    plays = {(each["target"], each["strategy"]): each for each in reversed(results)}
    derived: dict[str, Figures] = {}
    wrong = []
    if "verification" in evidence:
        tables = {(target, ""): result for target, result in filed.items()}
        derived["verification"] = derive_verification(evidence["verification"], tables | plays)
    if "printed" in evidence:
        stated = evidence["printed"]["mathematics"]
        derived["printed/mathematics"] = derive_mathematics(stated, game, filed, plays)
        known = [
            (each.get("return_to_player"), each.get("variance"))
            for each in (*filed.values(), *results)
        ]
        wrong = [
            f"volatility of {line['name']}: no result has it"
            for line in stated["volatility"]
            if line["wager_cents"] is None and (line["mean"], line["variance"]) not in known
        ]
    return {path: value for part in derived for path, value in leaves(derived[part], part)}, wrong
