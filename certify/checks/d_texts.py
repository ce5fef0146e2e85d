"""Checks of quantities in texts against the values that are declared for the same thing."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from certify.checks.framework import Context, Fault, Location, check, statements
from certify.checks.quantities import (
    HAND_WORDS,
    RANK_WORDS,
    Kind,
    Quantity,
    find_quantities,
    name_ranks,
)
from certify.formatting import exact_percentage, join_words, money
from certify.model.condition import Condition, Event, iter_tests
from certify.model.finding import Severity
from certify.model.game import FULL_HAND, RANKS, Game, Wager
from certify.model.jurisdiction import Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, CollectionFee, EnvyRow, EnvyTable, Payout, Paytable
from certify.model.topic import Topic
from certify.model.vocabulary import EventFeature

ABOUT = {Kind.SIZE: (Topic.RAISE,), Kind.LOWEST: (Topic.OUTCOME, Topic.ENVY)}
"""The topics of texts in which quantities of a kind are read; elsewhere they are about others."""


class Value(Struct, frozen=True):
    """A declared value and its place; the texts on its topics must name it if they name any.

    ``option`` is the id of the option that declares it; None if all options share it. ``wager`` is
    the raise or companion wager that it is about, as in texts.
    """

    kind: Kind
    value: Fraction | str
    at: Location
    topics: tuple[Topic, ...] = ()
    option: str | None = None
    wager: str = ""


class Text(Struct, frozen=True):
    """A text, its place, and the topic, option and raise or companion wager that it is about."""

    text: str
    at: Location
    topic: Topic | None = None
    option: str | None = None
    wager: str = ""

    @property
    def quantities(self) -> list[Quantity]:
        """The quantities of the text that are about a declared value of its topic."""
        return [
            each
            for each in find_quantities(self.text)
            if each.kind not in ABOUT or self.topic in ABOUT[each.kind]
        ]


@check(
    "D022",
    "A text contradicts a declared value",
    fix="Correct the text or the value.",
    wrong='{"text": "The minimum wager is $10."} with "minimum_cents": 100',
    right='{"text": "The minimum wager is $1."} with "minimum_cents": 100',
)
def texts_against_values(context: Context) -> Iterator[Fault]:
    """The document would print two values for one fact. Amounts of money, odds, percentages, and
    numbers of cards, decks, players and meters are read from texts, footnotes, names, ids and
    clauses. So are the rank of A-2-3-4-5, hands named by their highest card, pairs and numbers of
    cards of a rank ("a pair of fives", "two or more jacks"), in texts on a raise its sizes, and in
    those on outcomes and envy prizes the lowest hand that is paid ("a full house or better"; see
    D027). They must be among the values that the game, the wager or its entry declares; where it
    declares none of this kind, nothing is compared. Minimum wagers, qualifying wagers, commissions,
    pays of a win, sizes of raises, the rank of A-2-3-4-5 and seats must be in the texts on their
    topics if these contain any such value.
    """
    if context.catalog.left_out:
        return  # a value can be in a file that has another fault
    texts = _texts(context)
    for game in context.games:
        events = context.catalog.events
        stated = context.terms or Terms()
        terms = stated if stated.game in (None, game.id) else Terms()
        wagers = {wager.id: _wager_values(wager, events, terms) for wager in game.wagers}
        shared = list(_game_values(game))
        every = [value for values in wagers.values() for value in values]
        # A text of the game on lowest hands need not be about each of its wagers.
        whole = [*shared, *(replace(v, topics=()) if v.kind is Kind.LOWEST else v for v in every)]
        yield from _compare(texts.get(game.id, ()), whole)
        for wager in game.wagers:
            values = [*shared, *wagers[wager.id]]
            name = Text(wager.name, Location(wager.target, "/name"))
            yield from _compare([*texts.get(wager.target, ()), name], values)
            of_record: dict[str, list[Value]] = {}
            for value in wagers[wager.id]:
                of_record.setdefault(value.at.key, []).append(value)
            for record in (*wager.records, *wager.envies):
                if context.involves is not None and not context.involves(record.target):
                    continue
                record_texts = [*texts.get(record.target, ()), *_record_texts(record)]
                values = [*of_record.get(wager.target, ()), *of_record.get(record.target, ())]
                yield from _compare(record_texts, [*shared, *values])
                if isinstance(record, MainWager) and record.fee is not None:
                    yield from _fees_not_named(record.fee, Location(record.target, "/fee"))


@check(
    "D027",
    "A rule names another lowest paid hand than a paytable",
    severity=Severity.WARNING,
    fix="Correct the rule of the wager, or the rows of the paytable.",
    wrong='{"text": "It wins with two pair or better."} and no row below "three_of_a_kind"',
    right='{"text": "It wins with three of a kind or better."} and the same rows',
)
def lowest_hands(context: Context) -> Iterator[Fault]:
    """The rules of play would promise a prize that the paytable does not pay, or pay a hand that
    loses by the rules. If rules on the outcome of a wager name a lowest hand ("two pair or
    better"), the lowest row of each of its paytables must be among those that they name; rules on
    envy prizes are compared with the envy table. A project can declare a paytable that it does not
    file, so this is a warning until the paytable is filed; `submit` refuses it.
    """
    texts = _texts(context)
    tables: dict[str, tuple[Wager, Paytable | EnvyTable]] = {}
    for wager, paytable in context.paytables():
        tables[paytable.target] = (wager, paytable)
        if (envy := wager.find_envy(paytable)) is not None:
            tables[envy.target] = (wager, envy)
    for target, (wager, table) in tables.items():
        table_texts = [*texts.get(wager.target, ()), *texts.get(target, ()), *_notes(table)]
        for value in _lowest(table):
            if (other := _find_other(table_texts, value)) is not None:
                message = f"The lowest paid hand is {value.value}. A rule says: “{other.text}”"
                yield value.at.fault("", message, related=(other.at.key,))


def _fees_not_named(fee: CollectionFee, at: Location) -> Iterator[Fault]:
    """Yield the amounts of a fee that its text does not name, if the text names any."""
    amounts = {each.value for each in find_quantities(fee.text) if each.kind is Kind.MONEY}
    for band, inner in at.items("/bands", fee.bands):
        if amounts and band.cents not in amounts:
            message = f"This amount, {money(band.cents)}, is not in the text “{fee.text}”"
            yield inner.fault("/cents", message)


def _compare(texts: Iterable[Text], values: Iterable[Value]) -> Iterator[Fault]:
    """Yield the values that no text on their topics names, and the other quantities of texts."""
    texts, values = list(texts), list(values)
    unnamed = []
    for value in values:
        other = _find_other(texts, value) if value.topics else None
        if other is not None:
            unnamed.append(value)
            written = _written(value.kind, value.value)
            message = f"This {value.kind}, {written}, is not in the text “{other.text}”"
            severity = Severity.WARNING if value.kind is Kind.ODDS else None
            if value.kind is not Kind.LOWEST:  # D027
                yield value.at.fault("", message, severity=severity, related=(other.at.key,))
    for text in texts:
        if not text.quantities:
            continue
        by_kind: dict[Kind, dict[Fraction | str, None]] = {}
        for value in values:
            if text.option is None or value.option in (None, text.option):
                by_kind.setdefault(value.kind, {})[value.value] = None
        cards = sum(Fraction(each.value) for each in text.quantities if each.kind is Kind.CARDS)
        reported = {value.kind for value in unnamed if text.topic in value.topics}
        for each in text.quantities:
            declared = by_kind.get(each.kind, {})
            in_parts = each.kind is Kind.CARDS and cards in declared  # three, and then four
            if (
                declared
                and not in_parts
                and each.kind not in reported
                and each.value not in declared
            ):
                listed = join_words([_written(each.kind, value) for value in declared])
                message = f"“{each.written}” is not among the declared values: {listed}."
                yield text.at.fault("", message, severity=Severity.WARNING)


def _find_other(texts: Iterable[Text], value: Value) -> Text | None:
    """Return a text on the topics of a value if such texts name only others of its kind."""
    named = {
        each.value: text
        for text in texts
        if text.topic in value.topics
        and value.option in (None, text.option or value.option)
        and text.wager in ("", value.wager)
        for each in text.quantities
        if each.kind is value.kind
    }
    return None if value.value in named else next(iter(named.values()), None)


def _written(kind: Kind, value: Fraction | str) -> str:
    if isinstance(value, str):
        return value
    if kind is Kind.MONEY:
        return money(int(value))
    return exact_percentage(value) if kind is Kind.PERCENT else f"{value}"


def _texts(context: Context) -> dict[str, list[Text]]:
    """Return the texts of statements by the keys of their files, or of the wagers they name.

    A rule of one jurisdiction may have another limit than the game.
    """
    texts: dict[str, list[Text]] = {}
    for statement, at in statements(context.catalog):
        if statement.jurisdiction is None:
            game, wager = at.key.partition("/")[0], statement.wager
            owner = at.key if wager is None else f"{game}/{wager}"
            text = Text(statement.text, at.inner("/text"), statement.topic, statement.option)
            texts.setdefault(owner, []).append(text)
    return texts


def _record_texts(record: MainWager | Paytable | EnvyTable) -> list[Text]:
    at, texts_of = Location(record.target), dict[str, str]()
    texts = {"/name": record.name, "/id": record.id.replace("-", " ")}
    texts["/source/clause"] = record.source.clause
    if isinstance(record, MainWager):
        for index, rule in enumerate(record.dealer_rules):
            texts[f"/dealer_rules/{index}/text"] = rule.text
        for index, bonus in enumerate(record.bonus):
            texts[f"/bonus/{index}/text"] = bonus.text
        if record.companion is not None:
            texts_of["companion"] = record.companion.text
        if record.raise_ is not None:
            texts_of["raise"] = record.raise_.text
    sizes = [
        Text(text, at.inner(f"/{wager}/text"), Topic.RAISE, wager=wager)
        for wager, text in texts_of.items()
    ]
    named = (Text(text, at.inner(pointer)) for pointer, text in texts.items())
    return [*sizes, *_notes(record), *named]


def _notes(record: MainWager | Paytable | EnvyTable) -> Iterator[Text]:
    """Yield the footnotes of a record, which the rules of play print."""
    for note, at in Location(record.target).items("/source/notes", record.source.notes):
        yield Text(note.text, at.inner("/text"), _topic_of(record))


def _topic_of(record: MainWager | Paytable | EnvyTable) -> Topic:
    """Return the topic of the texts on what a record pays."""
    return Topic.ENVY if isinstance(record, EnvyTable) else Topic.OUTCOME


def _game_values(game: Game) -> Iterator[Value]:
    at, deck, shape = Location(game.id), game.hands.deck, game.hands.shape
    hands = game.players + 1
    cards = {
        "/deck": (deck.cards, deck.cards - deck.joker, deck.cards // deck.decks),
        "/hand": (shape.cards, shape.back, shape.front, shape.dealer, shape.dealer_shows),
        "/players": (deck.cards - hands * shape.cards, hands * shape.cards),
    }
    yield from (
        Value(Kind.CARDS, Fraction(number), at.inner(pointer))
        for pointer, numbers in cards.items()
        for number in (*numbers, FULL_HAND)
        if number > 0
    )
    yield Value(Kind.PLAYERS, Fraction(game.players), at.inner("/players"), (Topic.SEATS,))
    yield Value(Kind.DECKS, Fraction(deck.decks), at.inner("/deck"))
    wheel = game.hands.wheel.replace("_", " ")
    yield Value(Kind.WHEEL, wheel, at.inner("/wheel"), (Topic.RANKING,))


def _wager_values(wager: Wager, events: Mapping[str, Event], terms: Terms) -> list[Value]:
    at = Location(wager.target)
    values, least, largest = [], terms.least(wager), terms.largest(wager)
    if least is not None:
        topics = (Topic.MINIMUM,) if least == wager.minimum_cents else ()  # R022 for terms
        values.append(Value(Kind.MONEY, Fraction(least), at.inner("/minimum_cents"), topics))
    if largest is not None:
        values.append(Value(Kind.MONEY, Fraction(largest), at.inner("/maximum_cents")))
    for option in wager.options:
        values += _option_values(option)
    if any(option.fee is not None for option in wager.options):
        # Texts on a fee name the ends of its bands, which are not declared.
        values = [each for each in values if each.kind is not Kind.MONEY or each.topics]
    for paytable in wager.paytables:
        values += _paytable_values(paytable, events)
    for envy in wager.envies:
        place = Location(envy.target, "/qualifying_wager_cents")
        amount = Fraction(envy.qualifying_wager_cents)
        values.append(Value(Kind.MONEY, amount, place, (Topic.ENVY,)))
        values += _lowest(envy)
        for row, inner in Location(envy.target).items("/rows", envy.rows):
            values.append(Value(Kind.MONEY, Fraction(row.prize_cents), inner.inner("/prize_cents")))
    return values


def _option_values(option: MainWager) -> Iterator[Value]:
    at, name = Location(option.target), option.id
    yield Value(Kind.ODDS, str(option.win_pays), at.inner("/win_pays"), (Topic.OUTCOME,), name)
    for rule, inner in at.items("/dealer_rules", option.dealer_rules):
        if rule.win_pays is not None:
            yield Value(Kind.ODDS, str(rule.win_pays), inner.inner("/win_pays"), option=name)
    for pay in option.own_pays:
        yield from _pay(pay.payout, at.inner(f"/{pay.pointer}"), name)
    amounts = {"/wager_cents": option.wager_cents}
    if option.commission is not None:
        rate, topics = option.commission.rate, (Topic.COMMISSION,)
        yield Value(Kind.PERCENT, rate, at.inner("/commission/rate"), topics, name)
        amounts["/commission/unit_cents"] = option.commission.unit_cents
        amounts["/commission/minimum_cents"] = option.commission.minimum_cents
    for pointer, cents in amounts.items():
        if cents is not None:
            yield Value(Kind.MONEY, Fraction(cents), at.inner(pointer), option=name)
    yield from _raise_values(option)
    for index, rule in enumerate(option.dealer_rules):
        yield from _hands(rule.when, at.inner(f"/dealer_rules/{index}/when"), name)


def _raise_values(option: MainWager) -> Iterator[Value]:
    """Yield the sizes of a raise and of a companion wager, and the hands that a raise asks for."""
    at, sizes = Location(option.target), dict[str, Fraction | None]()
    if option.companion is not None:
        sizes["/companion/size"] = option.companion.size
    if (raised := option.raise_) is not None:
        sizes |= {"/raise/size": raised.size, "/raise/largest": raised.largest}
        yield from _hands(raised.qualifies, at.inner("/raise/qualifies"), option.id)
        yield from _hands(raised.largest_when, at.inner("/raise/largest_when"), option.id)
    for pointer, size in sizes.items():
        if size is not None:
            wager = pointer.split("/")[1]
            yield Value(Kind.SIZE, size, at.inner(pointer), (Topic.RAISE,), option.id, wager)


def _hands(condition: Condition | None, at: Location, option: str | None = None) -> Iterator[Value]:
    """Yield the hands that a condition asks for, as texts name them."""
    for test in iter_tests(condition):
        ranks = sorted(RANKS.index(str(value)) for value in test.values if str(value) in RANKS)
        if test.feature == EventFeature.PAI_GOW_HIGH and ranks:
            bounds = [RANK_WORDS[ranks[-1]], *RANK_WORDS[ranks[-1] + 1 : ranks[-1] + 2]]
            named = bounds[:1]
            if len(ranks) > 1:
                named = [*bounds, f"{bounds[0]} or lower", f"{bounds[-1]} or better"]
            yield from (Value(Kind.HIGH, name, at, option=option) for name in named)
        if test.feature == EventFeature.HIGHEST_PAIR and ranks:
            yield Value(Kind.PAIR, name_ranks(RANK_WORDS[ranks[0]]), at, option=option)
        if test.feature.removesuffix("s") in RANK_WORDS and (test.minimum or 0) > 1:
            yield Value(Kind.HELD, f"{test.minimum} {test.feature}", at, option=option)


def _lowest(table: Paytable | EnvyTable) -> Iterator[Value]:
    """Yield the lowest paid hand by its name, if the first or the last paid row has it."""
    at, unpaid = Location(table.target, "/rows"), (Basis.PUSH, Basis.LOSS)
    paid = [row for row in table.rows if isinstance(row, EnvyRow) or row.payout.basis not in unpaid]
    names = [row.event.replace("_", " ") for row in paid]
    named = [name for name in HAND_WORDS if name in names]
    if named and named[0] in (names[0], names[-1]):
        yield Value(Kind.LOWEST, named[0], at, (_topic_of(table),))


def _paytable_values(paytable: Paytable, events: Mapping[str, Event]) -> Iterator[Value]:
    at = Location(paytable.target)
    yield from _lowest(paytable)
    for row, inner in at.items("/rows", paytable.rows):
        if (event := events.get(row.event)) is not None:
            for condition in event.conditions:
                yield from _hands(condition, inner.inner("/event"))
    yield Value(Kind.CARDS, Fraction(paytable.cards), at.inner("/cards"))
    for row, inner in at.items("/rows", paytable.rows):
        for pay in (row.payout, *row.dynamic):
            yield from _pay(pay, inner.inner("/pays"))
    for also, inner in at.items("/also", paytable.also):
        for row in also.rows:
            yield from _pay(row.payout, inner)
    if paytable.progressive is not None:
        cents = Fraction(paytable.progressive.base_wager_cents)
        yield Value(Kind.MONEY, cents, at.inner("/progressive/base_wager_cents"))
        yield from _meter_values(paytable, at)


def _meter_values(paytable: Paytable, at: Location) -> Iterator[Value]:
    yield Value(Kind.METERS, Fraction(len(paytable.meters)), at.inner("/progressive/meters"))
    for meter, inner in at.items("/progressive/meters", paytable.meters):
        for name, amount in (("seed_cents", meter.seed_cents), ("cap_cents", meter.cap_cents)):
            if amount is not None:
                yield Value(Kind.MONEY, Fraction(amount), inner.inner(f"/{name}"), (Topic.METERS,))
        for name, share in (("increment", meter.increment), ("reserve", meter.reserve)):
            if share is not None:
                yield Value(Kind.PERCENT, share, inner.inner(f"/{name}"))


def _pay(pay: Payout, at: Location, option: str | None = None) -> Iterator[Value]:
    if pay.is_odds:
        yield Value(Kind.ODDS, str(pay), at, option=option)
    elif pay.basis is Basis.METER:
        yield Value(Kind.PERCENT, pay.amount, at, option=option)
