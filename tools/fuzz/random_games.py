"""Random games: what `check` passes, `evaluate` counts, as an enumeration of every deal does.

`crosscheck` counts a small game, too, and agrees, or refuses to count it.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from tests.oracle.declared import MainWager, count_rows
from tools.fuzz.games import Drawn, Json, draw_game, write_project
from tools.fuzz.surface import Answer, TooLong, answer, read_defect

MOST_PLAYERS, MOST_DEALERS, MOST_HANDS = 1_200, 5_000, 4_000
"""The hands of the player, of the dealer and of a wager on dealt cards that are enumerated."""

MOST_RECOUNTED = 16_000
"""The hands of a game that `crosscheck` counts in a second or two."""

REFUSED = 2
"""The exit code of a count that does not cover a rule, or of more kinds of hands than it tells."""


class Played(NamedTuple):
    """The games of a run that passed the check, figures by another count, and what failed."""

    games: int
    clean: int
    enumerated: int
    recounted: int
    failures: tuple[str, ...]


def play(folder: Path, seed: int, number: int) -> Played:
    """Declare so many games in a project, check it, and evaluate every game."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    games = [draw_game(f"g{seed}-{place}", rng) for place in range(number)]
    write_project(folder, games)
    checked = answer("check", "--format", "json", folder=folder)
    if not checked.is_plain:
        return Played(number, 0, 0, 0, (f"seed {seed}: check: {_describe(checked)}",))
    faulty = {
        finding["file"].split("/")[1]
        for finding in json.loads(checked.output)["findings"]
        if finding["severity"] == "error" and not finding["code"].startswith("N")  # not judged
    }
    clean = [drawn for drawn in games if drawn.id not in faulty]
    failures: list[str] = []
    enumerated = recounted = 0
    for drawn in games:
        try:
            evaluated = answer("evaluate", drawn.id, "--format", "json", folder=folder)
        except TooLong:
            failures.append(f"{drawn.id}: evaluate does not end")
            continue
        if not evaluated.is_plain or (drawn in clean and evaluated.code):
            failures.append(f"{drawn.id}: evaluate: {_describe(evaluated)}")
        elif drawn in clean:
            for problem in compare(drawn, json.loads(evaluated.output)):
                enumerated += 1
                failures += [f"{drawn.id}/{problem}"] if problem else []
            for problem in recount(drawn, folder):
                recounted += 1
                failures += [problem] if problem else []
    return Played(number, len(clean), enumerated, recounted, tuple(failures))


def recount(drawn: Drawn, folder: Path) -> Iterator[str]:
    """Yield what is wrong with the recount of each wager of a small game; empty if it agrees."""
    deck = drawn.game["deck"]
    cards = 4 * deck["ranks"] + int(deck["joker"])
    if "decks" in deck or comb(cards, drawn.game["hand"]["cards"]) > MOST_RECOUNTED:
        return
    for wager in drawn.game["wagers"]:
        arguments = ("crosscheck", f"{drawn.id}/{wager}", "--again", "--format", "json")
        try:
            counted = answer(*arguments, folder=folder)
        except TooLong:
            yield f"{drawn.id}/{wager}: crosscheck does not end"
            continue
        if counted.code == 0:
            yield ""
        elif counted.code != REFUSED:
            yield f"{drawn.id}/{wager}: crosscheck: {_describe(counted)}"


def compare(drawn: Drawn, evaluated: Mapping[str, Any]) -> Iterator[str]:
    """Yield the difference of each figure from an enumeration, if that is short; empty for none."""
    results: Sequence[Json] = evaluated.get("results", [evaluated])
    events = {event["id"]: event for event in drawn.events}
    for result in results:
        record = drawn.files[f"{result['wager']}/{result['paytable']}.json"]
        if "win_pays" in record:
            yield from _compare_main(drawn.game, record, result)
        elif record["hand"] != "both":
            cards = 4 * drawn.game["deck"]["ranks"] + int(drawn.game["deck"]["joker"])
            if comb(cards, record["cards"]) <= MOST_HANDS:
                counts, total = count_rows(drawn.game, record, events)
                counted = [row["combinations"] for row in result["rows"]]
                expected = [*counts, total - sum(counts)]
                same = (counted, result["total_combinations"]) == (expected, total)
                yield "" if same else f"{result['wager']}: rows {counted}, enumerated {expected}"


def _compare_main(game: Json, option: Json, result: Json) -> Iterator[str]:
    hand, deck = game["hand"], 4 * game["deck"]["ranks"]
    rounded = "fee" in option or "unit_cents" in option.get("commission", {})
    if hand["front"] or game["deck"]["joker"] or rounded:
        return
    dealer = hand.get("dealer_cards", hand["cards"])
    if comb(deck, hand["cards"]) > MOST_PLAYERS or comb(deck, dealer) > MOST_DEALERS:
        return
    figures = MainWager(game, option).count()
    names = ("house_edge", "hit_frequency", "total_combinations")
    counted = [Fraction(result[name]) for name in names]
    yield (
        ""
        if counted == [*figures]
        else (
            f"main/{option['id']}: {dict(zip(names, counted, strict=True))}, enumerated {figures}"
        )
    )


def _describe(given: Answer) -> str:
    defect = read_defect()[-1500:] if given.code == 70 else ""
    return f"exit code {given.code}: {given.errors.strip()[-400:]}{defect}"
