"""Figures of the evidence that no result has, and the list of how each figure was recomputed.

Pages print figures that follow from the results. One that is not derived here is listed as such by
the kit: none is passed over.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from .figures import Figures, decimal, leaves, text
from .files import Game, Json

PLACES = {"_decimal": (1, 10), "_percent": (100, 4)}
"""The factor and the decimals of the rounded forms of an exact value."""


def rounded_faults(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of every rounded form of an exact value, and its fault."""
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
    entry: Json, game: Game, filed: Mapping[str, Json], plays: Mapping[tuple[str, str], Json]
) -> Figures:
    """Return the figures of the mathematics report that follow from results.

    Args:
        entry: the figures as they are stated, whose places are filled.
        game: the game.
        filed: the filed results by target.
        plays: the results of main wagers by target and strategy.
    """
    cards, deck = game.hand.cards, 4 * game.deck.ranks * game.deck.decks + int(game.deck.joker)
    named = entry["method"]["names"]
    method: Figures = {
        "cards": cards,
        "hands": comb(deck, cards),
        "names": [
            {"probability": text(Fraction(line["combinations"], comb(deck, cards)))}
            for line in named
        ],
    }
    if entry["method"].get("five_aces"):
        method["five_aces"] = {
            "beside": cards - 5, "others": deck - 5, "hands": comb(deck - 5, cards - 5),
        }  # fmt: skip
    derived: Figures = {
        "method": method,
        "par_tables": [
            {"net": text(-Fraction(filed[line["target"]]["house_edge"]))}
            if "house_edge" in filed[line["target"]] else {}
            for line in entry["par_tables"]
        ],
        "meters": [derive_meters(table, filed[table["target"]]) for table in entry["meters"]],
        "volatility": [*map(derive_bands, entry["volatility"])],
        "exposure": derive_exposure(entry["exposure"], game.players),
    }  # fmt: skip
    if entry["main_wager"]:
        derived["main_wager"] = derive_main(entry["main_wager"], plays)
    return derived


def derive_main(entry: Json, plays: Mapping[tuple[str, str], Json]) -> Figures:
    """Return the figures of the section on the main wager."""

    def find(line: Json) -> Json:
        return plays[line["target"], line["strategy"]]

    derived: Figures = {
        "options": [
            {
                "play": outcome_shares(find(line["play"])),
                "net": text(-Fraction(find(line["play"])["house_edge"])),
            }
            for line in entry["options"]
        ],
        "plays": [outcome_shares(find(line)) for line in entry["plays"]],
        "other_options": [outcome_shares(find(line)) for line in entry["other_options"]],
    }
    if entry["options"]:
        first = find(entry["options"][0]["play"])
        uses = first.get("house_way_rules", [])
        total = sum(use["hands"] for use in uses)
        hands = [use["hands"] for use in uses]
        lines = [line["hands"] for line in entry["house_way_rules"]]  # in the order of print
        derived["house_way_rules"] = [
            {"hands": number, "share": text(Fraction(number, total))}
            for number in (lines if sorted(lines) == sorted(hands) else hands)
        ]
        if entry["house_way_total"]:
            derived["house_way_total"] = {"hands": total, "share": "1/1"}
    return derived


def derive_meters(entry: Json, result: Json) -> Figures:
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
            for line in entry["edges"]
        ]
    }


def derive_bands(entry: Json) -> Figures:
    """Return the squares of the bands of two standard deviations, in percent."""
    variance = Fraction(entry["variance"])
    return {
        "bands": [
            {"square": text(Fraction(40000 * variance, line["rounds"]))} for line in entry["bands"]
        ]
    }


def derive_exposure(entry: Json, players: int) -> Figures:
    """Return the largest losses to all players: to each as to one."""
    return {
        "players": players,
        "losses": [
            {"all_players": text(players * Fraction(line["one_player"]))}
            for line in entry["losses"]
        ],
    }


def derive_verification(entry: Json, plays: Mapping[tuple[str, str], Json]) -> Figures:
    """Return the rounds of the verification counts; all compared counts must agree."""
    results = {target: play for (target, _), play in plays.items()}
    return {
        "second_counts": [
            {
                "rounds": results[line["target"]]["total_combinations"],
                "agreeing": line["compared"],
            }
            if line["compared"] else {}
            for line in entry["second_counts"]
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
        mathematics = evidence["printed"]["mathematics"]
        derived["printed/mathematics"] = derive_mathematics(mathematics, game, filed, plays)
        moments = [
            (each.get("return_to_player"), each.get("variance"))
            for each in (*filed.values(), *results)
        ]
        wrong = [
            f"volatility of {line['name']}: no result has it"
            for line in mathematics["volatility"]
            if line["wager_cents"] is None and (line["mean"], line["variance"]) not in moments
        ]
    return {path: value for part in derived for path, value in leaves(derived[part], part)}, wrong


NOT_FIGURES = frozenset(
    ("target", "game", "wager", "paytable", "method", "rounding", "assumptions", "inputs", "engine")
)
FIGURE = re.compile(r"-?\$?[\d,]+([./]\d+)?%?")
"""The format of an integer, a fraction, a decimal, an amount and a percentage."""

# How a figure was checked, or why it was not.
COUNTED = "counted"  # from the cards up, by the declared rules
DERIVED = "derived"  # it follows from counts that are taken as stated, or from other figures
WEIGHED = "what a house way costs: it is weighed against best play, hand by hand"
QUICK = "left out by --quick"
READING = "another reading of the rules: `--readings` counts its deals"
PUBLISHED = "what a source prints, in addition to the figures above"
NOT_DERIVED = "it is derived by certify, and not here"


def is_figure(value: object) -> bool:
    """Return True if a value of the evidence is a figure."""
    return not isinstance(value, bool) and FIGURE.fullmatch(str(value)) is not None


class Coverage:
    """The checks of figures, each with the name of its result or part, and its path."""

    def __init__(self) -> None:
        """Start with no figure."""
        self.lines: list[tuple[str, str, str]] = []

    def cover(
        self,
        name: str,
        entry: Json,
        counted: Json,
        *,
        why: str = "",
        follow: Json | None = None,
        reasons: Json | None = None,
    ) -> None:
        """Record the check of each figure of a result; ``reasons`` are of interpretations."""
        ours, derived = dict(leaves(counted)), dict(leaves(follow or {}))
        shown = {key: entry[key] for key in entry if key not in NOT_FIGURES}
        for path, value in leaves(shown):
            if not is_figure(value):
                continue
            how = COUNTED if path in ours else DERIVED if path in derived else why
            if how not in {COUNTED, DERIVED} and path.startswith("alternatives/"):
                how = (reasons or {}).get(path.split("/")[1], why)
            self.lines.append((name, path, how))

    def print(self, *, every: bool) -> None:
        """Print the check of every figure: a summary, or one by one."""
        if every:
            for name, path, how in self.lines:
                sys.stdout.write(f"{name}\t{path}\t{how}\n")
        width = max(len(name) for name, _, _ in self.lines)
        sys.stdout.write(f"\n{'How figures were checked':{width}}  counted  derived      not\n")
        names = dict.fromkeys(name for name, _, _ in self.lines)
        for each in (*names, ""):
            hows = Counter(how for name, _, how in self.lines if each in {name, ""})
            rest = hows.total() - hows[COUNTED] - hows[DERIVED]
            line = f"{each or 'all':{width}}  {hows[COUNTED]:7}  {hows[DERIVED]:7}  {rest:7}"
            why = "; ".join(
                f"{n} {how}" for how, n in hows.items() if how not in {COUNTED, DERIVED}
            )
            sys.stdout.write(line + (f"  {why}" if why and each else "") + "\n")
        sys.stdout.write(
            "counted: from the cards up. derived: from counts that are taken as stated, or from "
            "other figures.\n\n"
        )
