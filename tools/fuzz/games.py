"""Random games of every shape, as the files that declare them: small decks, all terms at random.

Most games are sound. Some declare what no game can mean, such as an order of hands in which a flush
is below a pair that it does not hold: these are for `certify check` to refuse.
"""

import json
import random
from collections.abc import Callable, Sequence
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

HOUSE_WAYS = Path(__file__).parents[2] / "fixtures" / "house-ways"
SOURCE = {"document": "drawn", "clause": "1"}
LETTERS = "23456789TJQKA"
LARGE = (999_999_937, 999_999_929, 999_999_893, 999_999_883)
"""Primes with as many digits as odds may have."""

MOST = 6_000
"""The most hands of a side of a main wager, which keeps each count short."""

Json = dict[str, Any]


class Drawn(NamedTuple):
    """A game: the files in its folder by path, its events, and its house ways by id."""

    id: str
    files: dict[str, Json]
    events: tuple[Json, ...] = ()
    house_ways: tuple[str, ...] = ()

    @property
    def game(self) -> Json:
        """The game's own file."""
        return self.files["game.json"]


def draw_game(name: str, rng: random.Random) -> Drawn:
    """Return a game of any shape."""
    return rng.choice((undivided, undivided, divided, dealt_cards, dealt_cards))(name, rng)


def write_project(folder: Path, games: Sequence[Drawn]) -> None:
    """Write a project that declares the games."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "certify.toml").touch()
    root = folder / "paytables"
    for drawn in games:
        for path, value in drawn.files.items():
            _write(root / drawn.id / path, value)
        for way in drawn.house_ways:
            text = (HOUSE_WAYS / f"{way}.json").read_text(encoding="utf-8")
            _write(root / "house-ways" / f"{way}.json", json.loads(text))
    events = [event for drawn in games for event in drawn.events]
    if events:
        _write(root / "events.json", {"events": events})


def _write(path: Path, value: Json) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")


# ------------------------------------------------------------------------------- the shapes


def undivided(name: str, rng: random.Random) -> Drawn:
    """Return a main wager on hands that are not divided."""
    while True:
        ranks, back = rng.choice((5, 5, 5, 6, 6, 7)), rng.choice((3, 3, 3, 4, 4, 5))
        joker = rng.choice((0, 0, 0, 0, 1, 2))
        cards, dealer = (min(back + rng.choice((0, 0, 0, 1, 2, 3)), 6) for _ in "pd")
        if joker and rng.random() < 0.8:
            cards = dealer = back
        deck = 4 * ranks + joker
        if max(comb(deck, cards), comb(deck, dealer)) <= MOST and cards + dealer <= deck:
            break
    hand: Json = {"cards": cards, "back": back, "front": 0}
    if dealer != cards:
        hand["dealer_cards"] = dealer
    if rng.random() < 0.3:
        hand["dealer_shows"] = 1
    game = _game(name, rng, ranks=ranks, joker=joker, hand=hand)
    if rng.random() < 0.6:
        order = draw_order(rng, back, joker)
        game["ranking"] = {"highest_first": order, "source": SOURCE}
    feature = _Features(ranks=ranks, cards=back, complete=back, joker=joker)
    options = [
        _option(name, place, rng, feature, divided=False) for place in range(rng.choice((1, 1, 2)))
    ]
    return _with_main(name, game, options)


def divided(name: str, rng: random.Random) -> Drawn:
    """Return a main wager on hands that a house way sets, with two or three options."""
    way, cards, back = rng.choice((("short-hands-one-card", 4, 3), ("short-hands", 5, 3)))
    joker = 1 if way == "short-hands-one-card" else 0
    ranks = rng.choice((5, 6))
    hand = {"cards": cards, "back": back, "front": cards - back}
    game = _game(name, rng, ranks=ranks, joker=joker, hand=hand)
    game |= {
        "dealer_exposed": rng.random() < 0.2,
        "house_way": way,
        "house_ways": [way],
        "house_way_in_source": True,
        "strategy": rng.choice(("house-way", "optimal")),
    }
    feature = _Features(ranks=ranks, cards=cards, complete=back, joker=joker)
    options = [
        _option(name, place, rng, feature, divided=True) for place in range(rng.choice((1, 2, 3)))
    ]
    return _with_main(name, game, options)._replace(house_ways=(way,))


def dealt_cards(name: str, rng: random.Random) -> Drawn:
    """Return wagers on dealt cards: of one hand, of both, of a shoe, with meters and prizes."""
    decks = rng.choice((1, 1, 1, 2, 3, 8))
    cards = rng.choice((2, 3, 3, 4))
    ranks = rng.choice((5, 6, 7, 13))
    while comb(4 * ranks * decks + 2, cards) > 30_000:
        ranks, decks, cards = 5, min(decks, 8), max(2, cards - 1)
    joker = 0 if decks > 1 and rng.random() < 0.9 else rng.choice((0, 0, 1, 2))
    hand = {"cards": cards, "back": min(cards, 5), "front": 0}
    game = _game(name, rng, ranks=ranks, joker=joker, hand=hand)
    game["deck"] |= {"decks": decks} if decks > 1 else {}
    files: dict[str, Json] = {"game.json": game}
    events: list[Json] = []
    for place in range(rng.choice((1, 2))):
        wager = f"w{place}"
        game["wagers"].append(wager)
        events += _bonus_wager(name, wager, rng, game, files)
    return Drawn(name, files, tuple(events))


# ------------------------------------------------------------------------------- their parts


def _game(name: str, rng: random.Random, *, ranks: int, joker: int, hand: Json) -> Json:
    deck = 4 * ranks + joker
    most = (deck - int(hand.get("dealer_cards") or hand["cards"])) // int(hand["cards"])
    value: Json = {
        "id": name,
        "name": name.title(),
        "supplier": None,
        "revision": "1",
        "revised": "2026-11-22",
        "document": {"id": "drawn", "title": "Drawn", "publisher": None, "file": "-"},
        "deck": {"ranks": ranks, "joker": joker if joker == 2 else bool(joker)},
        "hand": hand,
        "wheel": rng.choice(("lowest", "second_highest")),
        "dealer_exposed": False,
        "players": max(1, min(3, most)),
        "wagers": [],
        "sections": [
            {
                "id": section,
                "title": section.title(),
                "statements": [
                    {
                        "id": f"{section}.one",
                        "text": "It is as printed.",
                        "topic": "description",
                        "source": SOURCE,
                    }
                ],
            }
            for section in ("description", "round", "dealing", "irregularities", "notices")
        ],
        "definitions": [],
    }
    if joker:
        value["joker"] = rng.choice(("bug", "fully_wild"))
    return value


def _with_main(name: str, game: Json, options: Sequence[Json]) -> Drawn:
    game["wagers"].append("main")
    wager = _wager(name, "main", "main", "both")
    files = {"game.json": game, "main/wager.json": wager}
    return Drawn(name, files | {f"main/{option['id']}.json": option for option in options})


def _wager(game: str, name: str, kind: str, hand: str) -> Json:
    about = {"id": name, "game": game, "name": name.title(), "kind": kind, "hand": hand}
    return about | {"rules": [], "source": SOURCE}


CATEGORIES = (
    *("five_of_a_kind", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"),
    *("three_of_a_kind", "two_pair", "pair", "high_card"),
)
SIZES = {"two_pair": 4, "four_of_a_kind": 4, "full_house": 5, "five_of_a_kind": 5}


def draw_order(rng: random.Random, cards: int, joker: int) -> list[str]:
    """Return an order of the categories of hands, highest first: the usual one, or any."""
    order = [
        kind
        for kind in CATEGORIES
        if SIZES.get(kind, 0) <= cards and (joker or kind != "five_of_a_kind")
    ]
    if rng.random() < 0.05:
        rng.shuffle(order)
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        place = rng.randrange(len(order) - 1)
        order[place], order[place + 1] = order[place + 1], order[place]
    return order


def draw_odds(rng: random.Random, *, large: float = 0.02) -> str:
    """Return odds, most of them small."""
    if rng.random() < large:
        return f"{rng.choice((1, *LARGE))} to {rng.choice(LARGE)}"
    if rng.random() < 0.1:
        return f"{rng.randint(1, 9)} for {rng.choice((1, 1, 2))}"
    return f"{rng.choice((1, 1, 1, 2, 3, 5, 40))} to {rng.choice((1, 1, 1, 2))}"


class _Features(NamedTuple):
    """The hands that conditions are drawn for."""

    ranks: int
    cards: int
    complete: int
    joker: int = 0
    by_suit: bool = False

    def draw(self, rng: random.Random, depth: int = 1) -> Json:
        """Return a condition; a few hold for no hand, or for each."""
        if depth and rng.random() < 0.25:
            kind = rng.choice(("all", "any", "not"))
            if kind == "not":
                return {"not": self.draw(rng, 0)}
            return {kind: [self.draw(rng, 0) for _ in range(2)]}
        return dict([rng.choice(self._tests())(rng)])

    def _tests(self) -> list[Callable[[random.Random], tuple[str, Any]]]:
        letters = LETTERS[-self.ranks :]
        whole = [0, self.complete]

        def bounds(name: str, least: int, most: int) -> Callable[[random.Random], tuple[str, Any]]:
            def draw(rng: random.Random) -> tuple[str, Any]:
                at = rng.randint(least, most)
                return name, rng.choice((at, {"min": at}, {"max": at}))

            return draw

        def ranks(name: str) -> Callable[[random.Random], tuple[str, Any]]:
            def draw(rng: random.Random) -> tuple[str, Any]:
                return name, sorted(rng.sample(letters, rng.randint(1, 3)))

            return draw

        tests = [
            bounds("of_a_kind", 1, 3),
            bounds("of_a_kind", 2, 2),
            bounds("aces", 0, 2),
            bounds("kings", 0, 2),
            bounds("jacks", 0, 2),
            bounds("pairs", 0, 1),
            ranks("highest_pair"),
            ranks("pai_gow_high"),
            ranks("pai_gow_high"),
            lambda rng: ("straight_length", rng.choice(whole)),
            lambda rng: ("flush_length", rng.choice(whole)),
            lambda rng: ("straight_flush_length", rng.choice(whole)),
            lambda _: ("joker", bool(self.joker)),
        ]
        if self.by_suit:
            tests += [
                bounds("red_cards", 0, 2),
                bounds("same_card", 1, 2),
                bounds("hearts", 0, 2),
                bounds("total", 2, 20),
                lambda _: ("one_colour", True),
            ]
        return tests


def _hand_pays(rng: random.Random, features: _Features, *, large: float, twice: bool) -> list[Json]:
    pays = [
        {
            "id": f"p{place}",
            "name": f"Pay {place}",
            "when": features.draw(rng),
            "pays": draw_odds(rng, large=large),
        }
        for place in range(rng.choice((1, 2, 3)))
    ]
    if twice and rng.random() < 0.5:
        pays[-1]["id"] = "p0"
    return pays


def _option(
    game: str, place: int, rng: random.Random, features: _Features, *, divided: bool
) -> Json:
    """Return an option of a main wager with any terms."""
    large = rng.choice((0, 0, 0, 0, 0, 0, 0.5))
    stated = {"text": "It is as printed.", "source": SOURCE}
    option: Json = {
        "id": f"o{place}",
        "game": game,
        "wager": "main",
        "name": f"Option {place}",
        "win_pays": draw_odds(rng, large=large) if rng.random() < 0.5 else "1 to 1",
        "source": SOURCE,
    }
    if rng.random() < 0.7:
        kinds = ("dealer", "player", "push", "other_hand")
        option["ties"] = {"high": rng.choice(kinds)}
        if divided:
            option["ties"] |= {"low": rng.choice(kinds), "both_push": rng.random() < 0.3}
    rules = _dealer_rules(rng, features, stated, divided=divided, large=large)
    if rules:
        option["dealer_rules"] = rules
    twice = rng.random() < 0.05
    if rng.random() < (0.3 if divided else 0.7):
        option["raise"] = _raise(rng, features, stated, divided=divided, large=large, twice=twice)
    if not divided and rng.random() < 0.4:
        pays = _hand_pays(rng, features, large=large, twice=twice)
        option["bonus"] = [pay | stated for pay in pays]
    if not divided and rng.random() < 0.4:
        pays = _hand_pays(rng, features, large=large, twice=twice)
        size = str(rng.choice((1, 1, 2)))
        option["companion"] = {"id": "side", "name": "Side", "size": size, "pays": pays, **stated}
    _add_charges(option, rng, stated, divided=divided)
    return option


def _dealer_rules(
    rng: random.Random, features: _Features, stated: Json, *, divided: bool, large: float
) -> list[Json]:
    rules = []
    for number in range(rng.choice((0, 1, 1, 2) if divided else (0, 1, 1, 2, 3, 4))):
        outcome = rng.choice(("win", "push", "lose", None))
        rule = {"id": f"{outcome or 'win'}_r{number}", "when": features.draw(rng), **stated}
        ends = {"outcome": outcome} if outcome else {"win_pays": draw_odds(rng, large=large)}
        rules.append(rule | ends)
    return rules


def _add_charges(option: Json, rng: random.Random, stated: Json, *, divided: bool) -> None:
    if rng.random() < 0.25:
        option["commission"] = {"rate": rng.choice(("5%", "2.5%")), "prepaid": rng.random() < 0.3}
        if rng.random() < 0.3:
            option["commission"] |= {"unit_cents": 25, "rounding": rng.choice(("up", "nearest"))}
            option["wager_cents"] = rng.choice((100, 1_000))
    if rng.random() < 0.1:
        option["fee"] = {"bands": [{"from_cents": 100, "cents": 100}], **stated}
        option["wager_cents"] = 1_000
    if divided and rng.random() < 0.05:
        option["bank"] = {"share": "1/2", **stated}


def _raise(
    rng: random.Random,
    features: _Features,
    stated: Json,
    *,
    divided: bool,
    large: float,
    twice: bool,
) -> Json:
    raised: Json = {
        "id": "play",
        "name": "Play",
        "size": str(rng.choice((1, 1, 2))),
        "qualifies": features.draw(rng),
        **stated,
    }
    if rng.random() < 0.4:
        raised["largest"] = str(rng.choice((3, 4)))
    if rng.random() < 0.3:
        raised["fold"] = stated
    if rng.random() < (0.1 if divided else 0.4):
        raised["not_qualified"] = rng.choice(("push", "win", "win"))
    if not divided and rng.random() < 0.4:
        raised["pays"] = _hand_pays(rng, features, large=large, twice=twice)
    if "largest" in raised and not divided and rng.random() < 0.5:
        raised["largest_when"] = features.draw(rng)
    return raised


def _bonus_wager(
    game: str, wager: str, rng: random.Random, declared: Json, files: dict[str, Json]
) -> list[Json]:
    """Add a wager on dealt cards with its paytable; return the events of its rows."""
    decks, joker = declared["deck"].get("decks", 1), int(declared["deck"]["joker"])
    hand = rng.choice(("player", "player", "player", "dealer", "together"))
    if rng.random() < (0.3 if decks == 1 else 0.05):
        hand = "both"
    cards = declared["hand"]["cards"]
    if hand == "together":
        cards = min(4, 2 * cards)
    features = _Features(
        ranks=declared["deck"]["ranks"], cards=cards, complete=min(cards, declared["hand"]["back"]),
        joker=joker, by_suit=hand != "both" and (decks > 1 or rng.random() < 0.3),
    )  # fmt: skip
    meters = hand == "player" and rng.random() < 0.2
    events, rows = [], []
    for place in range(rng.choice((1, 2, 3, 4))):
        event = f"{game}_{wager}_e{place}".replace("-", "_")
        asked = {"when": features.draw(rng)}
        if hand == "both":
            asked = {"player": features.draw(rng), "dealer": features.draw(rng)}
        events.append({"id": event, "text": f"Event {event}", **asked, "source": SOURCE})
        pays = draw_odds(rng) if rng.random() < 0.9 else rng.choice(("push", "loss"))
        row = {"event": event, "name": f"Row {game} {wager} {place}", "pays": pays}
        if meters and place == 0:
            row |= {"pays": rng.choice(("100%", "10%")), "meter": "1"}
        rows.append(row)
    table: Json = {
        "id": "t", "game": game, "wager": wager, "name": f"Table {wager}", "hand": hand,
        "cards": cards, "award": "first_row_contained", "rows": rows, "source": SOURCE,
    }  # fmt: skip
    if meters:
        meter = {"level": "1", "seed_cents": 100_000, "increment": "10%"}
        table["progressive"] = {"base_wager_cents": 100, "meters": [meter]}
    elif hand == "player" and rng.random() < 0.2:
        table["envy"] = "e"
        files[f"{wager}/envy/e.json"] = {
            "id": "e", "game": game, "wager": wager, "name": "Envy",
            "qualifying_wager_cents": 500, "pays_on_own_hand": False,
            "pays_on_dealer_hand": False, "source": SOURCE,
            "rows": [{"event": rows[0]["event"], "name": rows[0]["name"], "prize_cents": 1_000}],
        }  # fmt: skip
    files[f"{wager}/wager.json"] = _wager(game, wager, "progressive" if meters else "bonus", hand)
    files[f"{wager}/t.json"] = table
    return events
