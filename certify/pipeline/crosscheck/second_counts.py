"""Recounts of wagers on two hands, stored with their digests and compared with the engine.

A recount is stored in ``second-counts.json`` in the folder of the game, with the digest of the
declared data that it depends on; it stays valid if only words change. `FORMS` lists every part of a
digest; `tests/pipeline/test_second_counts.py` compares the lists with the fields of the entries.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from certify import __version__, storage
from certify.engine.bonus import ALL_OTHER
from certify.engine.hands.awards import award_order, row_counts
from certify.engine.joint_tables import merge_paytables
from certify.errors import CountsDiffer
from certify.locking import lock
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.comparison import Comparison, CrossCheck, SecondCount
from certify.model.condition import AllOf, AnyOf, Event, FeatureTest, Not, TwoHands
from certify.model.encoding import Forms, Progress, drop_empty, encode_json, pick_values
from certify.model.game import Game, HandRules, Strategy
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule, HouseWaySection
from certify.model.main_wager import DealerRule, MainWager, Outcome, Raise, Ties
from certify.model.own_hand import Companion, HandBonus, HandPay
from certify.model.paytable import Commission, FeeBand, Payout, Paytable
from certify.pipeline.crosscheck.recounted import recount
from certify.pipeline.evaluate import house_way_for
from certify.pipeline.play import Play
from certify.pipeline.progress import Work, about
from certify.pipeline.provenance import compute_mac, count_json
from certify.pipeline.targets import load_catalog
from certify_recount import Count

EXACT: Final = "exact"
HOUSE_EDGE: Final = "house_edge"


def find_count(
    catalog: Catalog, subject: Play | Paytable, game: Game, house_way: str | None = None
) -> SecondCount | None:
    """Return the stored verification count of a wager on two hands as declared, or None.

    ``house_way`` sets the hands of a paytable that asks for it, in place of the game's own.
    """
    if isinstance(subject, Play):
        digest = main_digest(subject)
    else:
        digest = _merge(catalog, subject, game, house_way).digest
    counts = catalog.second_counts.get(game.id, ())
    return next((count for count in counts if count.digest == digest), None)


def count_options(
    catalog: Catalog,
    options: Iterable[MainWager],
    *,
    game: Game,
    house_way: HouseWay,
    banked: bool = False,
    progress: Progress | None = None,
) -> tuple[SecondCount, ...]:
    """Count main wagers of a game a second time, with each way to set the player's hand.

    Raises:
        NotConfigured: the house way does not decide every hand, or a rule names suits.
    """
    known, divided = {option.target: option for option in options}, game.hands.shape.is_divided
    counts = recount(catalog, [*known], house_way=house_way.id, banked=banked, progress=progress)
    plays = [
        Play(option=known[count.target], game=game, house_way=house_way, strategy=strategy)
        for count in counts
        for strategy in [Strategy(str(count.strategy))]
    ]
    return tuple(
        _second_count(
            count,
            main_digest(play),
            house_way=house_way.id if divided else None,
            strategy=play.strategy if divided else None,
            house_edge=count.edge,
        )
        for play, count in zip(plays, counts, strict=True)
        if divided or play.strategy is game.strategy
    )


def count_paytable(
    catalog: Catalog, paytable: Paytable, *, game: Game, house_way: str | None = None,
    progress: Progress | None = None,
) -> SecondCount:  # fmt: skip
    """Count a wager on both hands a second time.

    Raises:
        NotConfigured: an event names suits.
    """
    (count,) = recount(catalog, [paytable.target], house_way=house_way, progress=progress)
    return _second_count(count, _merge(catalog, paytable, game, house_way).digest)


def _second_count(count: Count, digest: str, **played: Any) -> SecondCount:  # noqa: ANN401 - fields
    return SecondCount(
        target=count.target,
        digest=digest,
        counted=dt.datetime.now(dt.UTC).date(),
        version=__version__,
        rows=count.rows,
        **played,
    )


def compared_option(analysis: Analysis, second: SecondCount) -> CrossCheck:
    """Compare the counts of a main wager, row by row, and its house edge."""
    exact = {row.event: row.combinations for row in analysis.rows}
    check = _compare_rows(analysis.target, exact, second)
    if analysis.house_edge is None or second.house_edge is None:
        return check
    edge = compare_exact(HOUSE_EDGE, analysis.house_edge, second.house_edge)
    return replace(check, comparisons=(*check.comparisons, edge))


def compared_paytable(
    catalog: Catalog, paytable: Paytable, second: SecondCount, *, game: Game,
    house_way: str | None = None,
) -> CrossCheck:  # fmt: skip
    """Compare the counts of a wager on both hands, row by row."""
    exact = _merge(catalog, paytable, game, house_way).counts
    return _compare_rows(paytable.target, exact, second)


class _Merged(NamedTuple):
    """A wager as one table, and the house way that sets its hands if a row asks for it."""

    paytable: Paytable
    events: Mapping[str, Event]
    hands: HandRules
    house_way: HouseWay | None

    @property
    def digest(self) -> str:
        return paytable_digest(self.paytable, self.events, self.hands, self.house_way)

    @property
    def counts(self) -> dict[str, int]:
        """The exact count of each row by its event, and of all other hands."""
        total, counts = row_counts(
            self.paytable, events=self.events, hands=self.hands, house_way=self.house_way
        )
        rows = zip((row.event for row in self.paytable.rows), counts, strict=True)
        return dict(rows) | {ALL_OTHER: total - sum(counts)}


def _merge(catalog: Catalog, paytable: Paytable, game: Game, chosen: str | None) -> _Merged:
    way = house_way_for(catalog, game, paytable, chosen)
    merged = merge_paytables(paytable, catalog.events, hands=game.hands, house_way=way)
    return _Merged(*merged, game.hands, way)


def recount_paytable(
    catalog: Catalog,
    paytable: Paytable,
    *,
    game: Game,
    house_way: str | None = None,
    progress: Progress | None = None,
) -> CrossCheck:
    """Compare a one-hand paytable's counts with those of the recount."""
    listener = about(progress, Work.COUNTING_AGAIN, paytable.target)
    (other,) = recount(catalog, [paytable.target], house_way=house_way, progress=listener)
    exact = _merge(catalog, paytable, game, house_way).counts
    return CrossCheck(
        target=paytable.target,
        method=EXACT,
        rounds=sum(exact.values()),
        comparisons=shares_compared(exact, other.rows),
    )


def _compare_rows(target: str, exact: Mapping[str, int], second: SecondCount) -> CrossCheck:
    return CrossCheck(
        target=target,
        method=EXACT,
        rounds=second.pairs,
        comparisons=shares_compared(exact, second.rows),
        house_way=second.house_way,
        strategy=second.strategy,
        digest=second.digest,
        counted=second.counted,
        version=second.version,
    )


def shares_compared(exact: Mapping[str, int], other: Mapping[str, int]) -> tuple[Comparison, ...]:
    """Compare two counts of everything by their shares, which must be the same."""
    # A declared count of nothing differs in every row that has hands.
    total, seen = sum(exact.values()), sum(other.values()) or 1
    return tuple(
        compare_exact(name, Fraction(exact.get(name, 0), total), Fraction(other.get(name, 0), seen))
        for name in {**exact, **other}
    )


def compare_exact(event: str, exact: Fraction, other: Fraction) -> Comparison:
    """Compare two values that must be the same."""
    return Comparison(event=event, exact=exact, other=other, agrees=exact == other)


def refuse_differing(checks: Iterable[CrossCheck]) -> None:
    """Refuse to submit figures on which two counts differ.

    Raises:
        CountsDiffer: a second count is another one than the first.
    """
    for check in checks:
        wrong = [comparison.event for comparison in check.comparisons if not comparison.agrees]
        if wrong:
            raise CountsDiffer(
                f"{check.target}: the verification count ({check.method}) differs "
                f"from the first count in {', '.join(wrong)}, so nothing is filed.",
                remedy=f"Run `certify crosscheck {check.target} --method {check.method}`: "
                "one of the two counts is wrong, or a stored count was altered.",
            )


def keep(game: Game, counts: Iterable[SecondCount], folder: Path) -> Path:
    """Store verification counts of a game; each replaces one of the same wager and play.

    New counts carry this user's MAC; counts declared before stay unchanged.

    Args:
        game: the game.
        counts: the new counts.
        folder: the folder of declared data that receives all counts of the game.

    Raises:
        ChangedMeanwhile: an editor changes the file at this moment.
        Unfit: the declared data has errors by now.
        NotConfigured: the file cannot be written, or the user's key is open to others.
    """
    path = folder / game.id / "second-counts.json"
    with lock(folder):
        before = storage.read_present(path)
        merged = {
            (count.target, count.house_way or "", str(count.strategy or "")): count
            for count in (
                *load_catalog().second_counts.get(game.id, ()),
                *(replace(count, mac=compute_mac(count)) for count in counts),
            )
        }
        value = {
            "$schema": "../../schemas/second-counts.schema.json",
            "counts": [
                count_json(merged[play]) | drop_empty(pick_values(merged[play], "mac"))
                for play in sorted(merged)
            ],
        }
        data = (json.dumps(value, indent=2) + "\n").encode()
        storage.write_atomically(path, data, before=before)
    return path


FORM = 1
"""Format of a digested value; a new number invalidates every stored count."""


def main_digest(play: Play) -> str:
    """Return the SHA-256 of the inputs of a count of a main wager, as hexadecimal digits."""
    option = play.option
    return _digest(
        {
            "hands": play.game.hands,
            "dealer_exposed": play.game.dealer_exposed,
            "strategy": play.strategy,
            "house_way": play.house_way.sections,
            "option": {
                **pick_values(option, "win_pays", "dealer_rules", "commission"),
                "raise": option.raise_,
                **_rare_terms(option),
            },
        }
    )


def _rare_terms(option: MainWager) -> dict[str, Any]:
    """Return the terms that few options have; the fee and the wager if the figures need them."""
    terms = drop_empty(
        {
            "ties": option.ties if option.ties != Ties() else None,
            "bonus": option.bonus,
            "companion": option.companion,
        }
    )
    if option.depends_on_wager:
        bands = option.fee.bands if option.fee is not None else ()
        terms |= {"wager": option.wager_cents, "fee": bands}
    return terms


def _raise(raised: Raise) -> list[Any]:
    """Return a raise, with the choice of sizes and the fold if it has them."""
    digested: list[Any] = [raised.size, raised.qualifies]
    if raised.pays or raised.largest_when or raised.not_qualified is not Outcome.PUSH:
        digested += [raised.pays, raised.largest_when, raised.not_qualified]
    if raised.largest is None and raised.fold is None:
        return digested
    return [*digested, raised.largest or raised.size, raised.fold is not None]


def _commission(commission: Commission) -> list[Any]:
    """Return a commission, with its rounding if it has one."""
    digested: list[Any] = [commission.rate, commission.prepaid]
    if commission.exact:
        return digested
    return [*digested, commission.unit_cents, commission.rounding, commission.minimum_cents]


def paytable_digest(
    paytable: Paytable,
    events: Mapping[str, Event],
    hands: HandRules,
    house_way: HouseWay | None = None,
) -> str:
    """Return the SHA-256 of the inputs of a count of a wager on both hands.

    Pays are not included: they determine the value of a count, not the count.
    """
    set_by = {"house_way": house_way.sections} if house_way is not None else {}
    rows = [events[row.event] for row in paytable.rows]
    return _digest(
        {
            "hands": hands,
            "cards": paytable.cards,
            "order": award_order(paytable, events),
            "rows": [[event.id, *chain.from_iterable(map(_deal, event.deals))] for event in rows],
            **set_by,
        }
    )


def _deal(deal: TwoHands) -> list[Any]:
    sides = [deal.dealer, deal.player]
    return [*sides, deal.results] if deal.results else sides


def _digest(value: Mapping[str, Any]) -> str:
    written = encode_json({"form": FORM, **value}, FORMS)
    text = json.dumps(written, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _hands(hands: HandRules) -> dict[str, Any]:
    shape = hands.shape
    usual = (shape.dealer, shape.dealer_shows) == (shape.cards, 0)
    return {
        "ranks": hands.deck.ranks,
        "jokers": int(hands.deck.joker),
        **pick_values(shape, "cards", "back", "front"),
        **pick_values(hands, "joker", "wheel", "joker_beats_ace_in_front"),
        **drop_empty(
            {
                "decks": hands.deck.decks if hands.deck.decks > 1 else None,
                "dealer": [shape.dealer, shape.dealer_shows] if not usual else None,
                "ranking": hands.ranking.highest_first if hands.ranking else None,
            }
        ),
    }


FORMS: Forms = {
    HandRules: _hands,
    HouseWaySection: lambda section: pick_values(section, "id", "when", "rules"),
    HouseWayRule: lambda rule: pick_values(rule, "id", "front", "by", "when", "before"),
    HighestFront: lambda front: pick_values(front, "leaves", "at_least", "pair", "highest_back"),
    DealerRule: lambda rule: pick_values(rule, "id", "when", "outcome", "win_pays"),
    Raise: _raise,
    Commission: _commission,
    FeeBand: lambda band: [band.from_cents, band.cents],
    Ties: lambda ties: [ties.high, ties.low, ties.both_push],
    HandBonus: lambda bonus: [bonus.id, bonus.when, bonus.pays],
    HandPay: lambda pay: [pay.id, pay.when, pay.pays],
    Companion: lambda companion: [companion.size, companion.pays],
    Payout: lambda payout: [payout.basis, payout.amount, payout.meter],
    AllOf: lambda every: {"all": every.conditions},
    AnyOf: lambda some: {"any": some.conditions},
    Not: lambda negated: {"not": negated.condition},
    FeatureTest: lambda test: [test.name, test.values, test.minimum, test.maximum],
    Fraction: str,
}
"""The digested parts, by class."""
