"""Terms of a filing in words, with the entries that each concerns, and the terms that differ."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from certify import library
from certify.figures.evaluate import resolve_house_way, resolve_strategy
from certify.figures.targets import looks_at_set_hands
from certify.formatting import join_words, money
from certify.model.comparison import Part, ValueChange
from certify.model.game import Wager
from certify.model.jurisdiction import TERMS, AggregateLimit, LinkedMeter
from certify.model.paytable import FeeSchedule
from certify.model.submission import Filing
from certify.report.wording import limit_text, name_in_print, together

COUNTED: Final = ("house_way", "strategy", "joker")
"""Terms on which figures depend, whatever the wager."""


class Fact(Struct, frozen=True, kw_only=True):
    """One term: its title, its value in words, and the targets of the entries that it concerns."""

    title: str
    text: str
    targets: frozenset[str] = frozenset()


def compare_terms(before: Filing, after: Filing) -> Iterator[tuple[ValueChange, frozenset[str]]]:
    """Yield each term that differs, with the entries of either filing that it concerns.

    The limits of a wager that only one filing has are left out.
    """
    shared = {wager.id for wager in before.wagers} & {wager.id for wager in after.wagers}
    old, new = (dict(_list_facts(filing, shared)) for filing in (before, after))
    for path in {**old, **new}:
        was, is_ = old.get(path), new.get(path)
        sides = [fact for fact in (was, is_) if fact is not None]
        if was is None or is_ is None or was.text != is_.text:
            yield (
                ValueChange(
                    file=TERMS,
                    path=path,
                    before=None if was is None else was.text,
                    after=None if is_ is None else is_.text,
                    part=Part.FIGURES if path in COUNTED else Part.TERMS,
                    title=sides[-1].title,
                    whole=True,
                ),
                frozenset().union(*(fact.targets for fact in sides)),
            )


def entitle(term: str, name: str = "") -> str:
    """Return the title of a term, of a wager with a ``name`` if it is about one."""
    title: str = words()["terms"].get(term, term.replace("_", " "))
    return title.format(name=name)


def words() -> Mapping[str, Any]:
    """Return the words of redlines."""
    return library.words("redline")


def _list_facts(filing: Filing, shared: Collection[str]) -> Iterator[tuple[str, Fact]]:
    """Yield the terms that concern figures, by their paths; amounts of ``shared`` wagers."""
    game, terms = filing.game, filing.terms
    every = frozenset(record.target for record in filing.records)
    main = frozenset(option.target for option in filing.options)
    players = str(terms.players or game.players)
    yield "players", Fact(title=entitle("players"), text=players, targets=every)
    banking = name_in_print("banking", game.banked_by)
    yield "banking", Fact(title=entitle("banking"), text=banking, targets=every)
    if game.hands.deck.joker:
        joker = words()["values"][game.hands.joker]
        yield "joker", Fact(title=entitle("joker"), text=joker, targets=every)
    yield from _list_play(filing, main)
    for wager in filing.wagers:
        if wager.id in shared:
            yield from _list_amounts(filing, wager, every)
    yield from _list_limits(filing)
    yield from _list_others(filing, main)


def _list_amounts(
    filing: Filing, wager: Wager, every: frozenset[str]
) -> Iterator[tuple[str, Fact]]:
    """Yield the least and the largest amount of a wager, and what the terms say of it alone."""
    terms = filing.terms
    least, largest = terms.least(wager), terms.largest(wager)
    texts = {
        "least_wagers": None if least is None else money(least),
        "largest_wagers": None if largest is None else money(largest),
        "player_advantage": dict(terms.player_advantage).get(wager.id),
        "code_options": dict(terms.code_options).get(wager.id),
    }
    targets = every & {record.target for record in wager.records}
    for name, text in texts.items():
        if text is not None:
            fact = Fact(title=entitle(name, wager.name), text=text, targets=targets)
            yield f"{name}/{wager.id}", fact


def _list_play(filing: Filing, main: frozenset[str]) -> Iterator[tuple[str, Fact]]:
    """Yield the house way and the strategy, if hands are set."""
    game, catalog = filing.game, filing.catalog
    if filing.main is None or not game.hands.shape.is_divided:
        return
    as_set = {table.target for table in filing.paytables if looks_at_set_hands(catalog, table)}
    way = resolve_house_way(catalog, game, filing.order.house_way)
    played = resolve_strategy(game, filing.order.strategy)
    strategy = name_in_print("strategy", played)
    yield "house_way", Fact(title=entitle("house_way"), text=way.name, targets=main | as_set)
    yield "strategy", Fact(title=entitle("strategy"), text=strategy, targets=main)


def _list_limits(filing: Filing) -> Iterator[tuple[str, Fact]]:
    """Yield the payout limits; those on the same wagers are one term."""
    game, limits = filing.game, filing.terms.aggregate_limits
    if not limits:
        text = words()["not_declared" if limits is None else "none"]
        yield "aggregate_limits", Fact(title=entitle("aggregate_limits"), text=text)
    by_wagers: Mapping[tuple[str, ...], list[AggregateLimit]] = together(
        (tuple(sorted(limit.wagers)), limit) for limit in limits or ()
    )
    for wagers, alike in by_wagers.items():
        names = join_words(game.called.get(wager, wager) for wager in wagers)
        text = join_words(limit_text(limit, game.called) for limit in alike)
        targets = {
            record.target for record in filing.records if game.find_wager(record).id in wagers
        }
        yield (
            f"aggregate_limits/{'+'.join(wagers)}",
            Fact(title=entitle("limit_of", names), text=text, targets=frozenset(targets)),
        )


def _list_others(filing: Filing, main: frozenset[str]) -> Iterator[tuple[str, Fact]]:
    """Yield fees, links of meters, reasons to lower a meter, and the result of a foul."""
    terms = filing.terms
    metered = frozenset(table.target for table in filing.paytables if table.meters)
    if terms.fees is not None:
        yield "fees", Fact(title=entitle("fees"), text=_print_fees(terms.fees), targets=main)
    if terms.links is not None:
        text = "; ".join(map(_print_link, terms.links)) or words()["none"]
        yield "links", Fact(title=entitle("links"), text=text, targets=metered)
    if terms.meter_reductions is not None:
        reasons = [reason.replace("_", " ") for reason in terms.meter_reductions]
        text = join_words(reasons) or words()["none"]
        title = entitle("meter_reductions")
        yield "meter_reductions", Fact(title=title, text=text, targets=metered)
    if terms.foul_against_push is not None:
        text = name_in_print("foul_against_push", terms.foul_against_push)
        title = entitle("foul_against_push")
        yield "foul_against_push", Fact(title=title, text=text, targets=main)


def _print_fees(fees: FeeSchedule) -> str:
    bands = (
        words()["fee"].format(fee=money(band.cents), wager=money(band.from_cents))
        for band in fees.bands
    )
    return f"{join_words(bands)}. {fees.text}"


def _print_link(meters: tuple[LinkedMeter, ...]) -> str:
    return join_words(
        words()["meter"].format(level=meter.level, paytable=meter.paytable) for meter in meters
    )
