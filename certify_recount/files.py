"""Declared files: strict JSON, and the records that a count needs of it.

Nothing that a count depends on is read by other code. A key that is neither a field of its record
nor one of `WITHOUT_EFFECT` is refused: no rule is passed over.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, NoReturn, TypeVar

from .hands import Condition

Json = Mapping[str, Any]


class Unreadable(ValueError):
    """A declared file is missing or says something that this package does not know."""


# ------------------------------------------------------------------------- records


class Shoe(NamedTuple):
    """The cards of a game: the highest ``ranks``, and the jokers."""

    ranks: int
    joker: int
    decks: int = 1


class Shape(NamedTuple):
    """The cards of a hand, of its high hand and of its low hand, and those of the dealer."""

    cards: int
    back: int
    front: int
    dealer_cards: int | None = None
    dealer_shows: int = 0

    @property
    def dealer(self) -> int:
        """The number of the dealer's cards."""
        return self.cards if self.dealer_cards is None else self.dealer_cards


class Ranking(NamedTuple):
    """The order of hands in a game that has its own."""

    highest_first: Sequence[str]


class Game(NamedTuple):
    """The rules of a game on which counts depend."""

    id: str
    deck: Shoe
    hand: Shape
    wheel: str
    dealer_exposed: bool
    players: int
    joker: str = "bug"
    joker_beats_ace_in_front: bool = False
    ranking: Ranking | None = None
    house_way: str = ""
    strategy: str = "house-way"


class Rule(NamedTuple):
    """One rule of a house way: the low hand that it sets, or the section that decides."""

    id: str
    front: str | Json | None = None
    by: str | None = None
    when: Condition | None = None
    before: Sequence[str] = ()


class Section(NamedTuple):
    """The hands that a condition describes, a base rule, and exceptions to it."""

    id: str
    when: Condition
    base: Rule
    exceptions: Sequence[Rule] = ()


class HouseWay(NamedTuple):
    """A house way."""

    sections: Sequence[Section]


class HandPay(NamedTuple):
    """A pay for the player's own hand; ``paid`` is empty if the file does not say when."""

    id: str
    when: Condition
    pays: str
    paid: str = ""


class DealerRule(NamedTuple):
    """An outcome, or a pay of a win, for some hands of the dealer."""

    id: str
    when: Condition
    outcome: str | None = None
    win_pays: str | None = None


class Ties(NamedTuple):
    """The side that takes a tie of the high hands and of the low hands."""

    high: str = "dealer"
    low: str = "dealer"
    both_push: bool = False


class Commission(NamedTuple):
    """A share of winnings that the house retains."""

    rate: str
    prepaid: bool
    unit_cents: int | None = None
    rounding: str = "up"
    minimum_cents: int | None = None


class Band(NamedTuple):
    """The fee from a wager on."""

    from_cents: int
    cents: int


class Fee(NamedTuple):
    """The fee of every round."""

    bands: Sequence[Band]


class Raise(NamedTuple):
    """A second wager, after the player has seen the own cards."""

    size: str
    qualifies: Condition
    largest: str | None = None
    largest_when: Condition | None = None
    not_qualified: str = "push"
    pays: Sequence[HandPay] = ()
    fold: Json | None = None


class Companion(NamedTuple):
    """A wager made with the main wager that pays for the player's own hand."""

    size: str
    pays: Sequence[HandPay]
    after_fold: str = "loses"


class Bank(NamedTuple):
    """The share of the rounds that a player banks."""

    share: str


class MainWager(NamedTuple):
    """One option of a main wager."""

    id: str
    win_pays: str
    dealer_rules: Sequence[DealerRule] = ()
    ties: Ties = Ties()
    commission: Commission | None = None
    fee: Fee | None = None
    bank: Bank | None = None
    wager_cents: int | None = None
    raise_: Raise | None = None
    bonus: Sequence[HandPay] = ()
    companion: Companion | None = None


class Deal(NamedTuple):
    """Conditions on the dealer's and the player's hand, on which is higher, and on all cards."""

    dealer: Condition | None = None
    player: Condition | None = None
    compare: Json | None = None
    together: Condition | None = None


class Event(NamedTuple):
    """A named set of hands, or of deals of two hands."""

    id: str
    when: Condition | None = None
    dealer: Condition | None = None
    player: Condition | None = None
    compare: Json | None = None
    either: Sequence[Deal] = ()
    together: Condition | None = None

    @property
    def deals(self) -> Sequence[Deal]:
        """The kinds of deals that an event of two hands is."""
        return self.either or [Deal(self.dealer, self.player, self.compare, self.together)]

    @property
    def as_deals(self) -> Sequence[Deal]:
        """The kinds of deals; a condition on one hand is on all cards."""
        return [Deal(together=self.when)] if self.when else self.deals

    @property
    def identity(self) -> Sequence[Any]:
        """The fields on which a count depends; ids of counts without ``together`` stay."""
        either = [deal if deal.together else deal[:-1] for deal in self.either]
        fields = [*self[:-2], either]
        return [*fields, self.together] if self.together else fields


class Row(NamedTuple):
    """A row of a paytable or of a table of prizes."""

    event: str


class PayTable(NamedTuple):
    """The rows of a table, and which of several is awarded."""

    award: str
    rows: Sequence[Row]


class Paytable(NamedTuple):
    """A wager on one hand or two: its tables pay together."""

    hand: str
    cards: int
    award: str
    rows: Sequence[Row]
    also: Sequence[PayTable] = ()
    envy: str | None = None

    @property
    def tables(self) -> Sequence[PayTable]:
        """All tables that pay the wager."""
        return [PayTable(self.award, self.rows), *self.also]


PARTS: Mapping[type, Mapping[str, type]] = {
    Game: {"deck": Shoe, "hand": Shape, "ranking": Ranking},
    HouseWay: {"sections": Section},
    Section: {"base": Rule, "exceptions": Rule},
    MainWager: {
        "dealer_rules": DealerRule, "ties": Ties, "commission": Commission, "fee": Fee,
        "bank": Bank, "raise": Raise, "bonus": HandPay, "companion": Companion,
    },
    Fee: {"bands": Band},
    Raise: {"pays": HandPay},
    Companion: {"pays": HandPay},
    Event: {"either": Deal},
    PayTable: {"rows": Row},
    Paytable: {"rows": Row, "also": PayTable},
}  # fmt: skip
"""The fields that hold records."""

WITHOUT_EFFECT = frozenset(
    ("$schema", "aliases", "assumption", "assumptions", "banking", "cards", "changes",
     "definitions", "document", "dynamic", "fouls", "front", "game", "house_way_in_source",
     "house_ways", "id", "joker_choices", "meter", "name", "pays", "placeholder", "players",
     "prize_cents", "progressive", "published", "references", "revised", "revision", "sections",
     "source", "source_name", "statements", "supplier", "text", "text_fully_wild",
     "text_without_joker", "title", "wager", "wagers")
)  # fmt: skip
"""Words, and values on which no count depends where they are not fields of the record."""

R = TypeVar("R")


def read_record(kind: type[R], value: Json) -> R:
    """Return a record of a JSON object.

    Raises:
        Unreadable: the value is no object, has a key that is not known, or lacks one.
    """
    if not isinstance(value, dict):
        raise Unreadable(f"a {kind.__name__} is no object")
    fields: dict[str, str] = {name.rstrip("_"): name for name in vars(kind)["_fields"]}
    parts, values = PARTS.get(kind, {}), {}
    for key, part in value.items():
        if key not in fields:
            if key not in WITHOUT_EFFECT:
                raise Unreadable(f"{key} is not known in a {kind.__name__}")
        elif key not in parts:
            values[fields[key]] = part
        elif isinstance(part, list):
            values[fields[key]] = tuple([read_record(parts[key], inner) for inner in part])
        else:
            values[fields[key]] = read_record(parts[key], part)
    try:
        return kind(**values)
    except TypeError as error:
        raise Unreadable(str(error)) from error


# ------------------------------------------------------------------------- files


def _members(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise Unreadable(f"the key {key} is given twice")
        members[key] = value
    return members


def _refuse(text: str) -> NoReturn:
    raise Unreadable(f"{text} is not an integer")


def read_json(data: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a JSON text in which each key is given once and each number is whole.

    Raises:
        ValueError: it is no such text.
    """
    return json.loads(
        data.decode("utf-8"),
        object_pairs_hook=_members, parse_float=_refuse, parse_constant=_refuse,
    )  # fmt: skip


LAYERS = ("paytables/", "project/paytables/")
"""The folders of declared files; a file of a project replaces the built-in one."""


def apply_terms(files: Mapping[str, bytes], terms: Json) -> Mapping[str, bytes]:
    """Return the files of a game with the joker, meters and envy tables that terms declare."""
    changed = dict(files)
    for path, data in files.items():
        place = path.partition("paytables/")[2].partition("/")[2]  # below the game
        meters = {
            meter["level"]: meter
            for meter in terms.get("meters", ())
            if place == f"{meter['wager']}/{meter['paytable']}.json"
        }
        new = {"joker": terms["joker"]} if place == "game.json" and "joker" in terms else {}
        for envy in terms.get("envies", ()):
            if place == f"{envy['wager']}/envy/{envy['table']}.json":
                new["qualifying_wager_cents"] = envy["qualifying_wager_cents"]
        if meters or new:
            value = read_json(data) | new
            for meter in value.get("progressive", {}).get("meters", ()):
                meter.update(meters.get(meter["level"], {}))
            changed[path] = json.dumps(value).encode()
    return changed


class Files:
    """Declared files by path: ``paytables/…``, and ``project/paytables/…`` of a project."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Take the files; none is read before it is needed."""
        self.files = files

    def read(self, path: str) -> Any:  # noqa: ANN401 - any JSON value
        """Return the value of a file below ``paytables/``; a project's replaces the built-in one.

        Raises:
            Unreadable: it is missing, or no strict JSON.
        """
        for layer in reversed(LAYERS):
            if layer + path in self.files:
                return read_json(self.files[layer + path])
        raise Unreadable(f"there is no file paytables/{path}")

    def names(self, folder: str) -> Sequence[str]:
        """Return the sorted names, without ``.json``, of the files in a folder below paytables/."""
        places = [path.partition("paytables/")[2].rpartition("/") for path in self.files]
        files_named = {name.removesuffix(".json") for parent, _, name in places if parent == folder}
        return sorted(files_named)

    def game(self, name: str) -> Game:
        """Return a game."""
        return read_record(Game, self.read(f"{name}/game.json"))

    def house_way(self, name: str) -> HouseWay:
        """Return a house way; without a name the one of hands that are not divided."""
        if name:
            return read_record(HouseWay, self.read(f"house-ways/{name}.json"))
        return HouseWay([Section("all", {}, Rule("all", {}))])

    def option(self, target: str) -> MainWager:
        """Return an option of a main wager."""
        return read_record(MainWager, self.read(f"{target}.json"))

    def paytable(self, target: str) -> Paytable:
        """Return a paytable."""
        return read_record(Paytable, self.read(f"{target}.json"))

    def paytable_rows(self, target: str) -> Sequence[Row]:
        """Return the rows of a table of prizes."""
        return tuple([read_record(Row, row) for row in self.read(f"{target}.json")["rows"]])

    @cached_property
    def events(self) -> Mapping[str, Event]:
        """The events by id, the built-in ones first.

        Raises:
            Unreadable: an id is used twice.
        """
        listed = [
            read_record(Event, event)
            for layer in LAYERS
            if (path := f"{layer}events.json") in self.files
            for event in read_json(self.files[path])["events"]
        ]
        events = {event.id: event for event in listed}
        if len(events) < len(listed):
            raise Unreadable("an event is defined twice")
        return events
