"""Main wagers as played: audits of house ways, figures under payout limits, cached figures."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from certify.checks.framework import Context
from certify.checks.h_house_ways import SOUNDNESS
from certify.checks.r_jurisdictions.payout_limits import limit_floor
from certify.engine.count_cache import cached_count, load_cached, memoized
from certify.engine.limits import Bet, apply_limits, find_greatest_win
from certify.engine.main.countable import is_labeled, refuse_uncountable
from certify.errors import CertifyError, needing_pieces
from certify.figures.targets import refuse_errors
from certify.intake.layout import DependencyGraph
from certify.model.analysis import Analysis, Input, LimitAnalysis
from certify.model.catalog import Catalog
from certify.model.encoding import Progress
from certify.model.game import Game, HandRules, JokerRule, Strategy, Wager, uncountable
from certify.model.house_way import (
    AuditedInGame,
    HouseWay,
    HouseWayAudit,
    nothing_set,
)
from certify.model.jurisdiction import AggregateLimit, Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Filing

if TYPE_CHECKING:
    from certify.engine.main.dealer_labels import Labeling


class Play(Struct, frozen=True, kw_only=True):
    """An option of a main wager, the dealer's house way, and how the player sets.

    ``player`` is the house way of a player whose strategy is one; the dealer's where it is None.
    """

    option: MainWager
    game: Game
    house_way: HouseWay
    strategy: Strategy
    player: HouseWay | None = None

    @property
    def dependencies(self) -> tuple[object, ...]:
        """All inputs of the figures, except the player's own house way."""
        game = self.game
        declared = (self.option, game.hands, game.dealer_exposed)
        return ("counted", *declared, self.house_way, self.strategy)

    @property
    def labeled(self) -> "Labeling | None":
        """The inputs of a count by the dealer's label; None if each hand is counted by itself."""
        from certify.engine.main.counts import label_play  # loads the arrays

        if not is_labeled(self.option, game=self.game, strategy=self.strategy):
            return None
        return label_play(
            self.option,
            game=self.game,
            house_way=self.house_way,
            strategy=self.strategy,
            player=self.player,
        )

    @property
    def optimal(self) -> bool:
        """True if the player sets by best play; False if hands are not divided."""
        return self.strategy is Strategy.OPTIMAL and self.game.hands.shape.is_divided

    def evaluate(
        self,
        *,
        inputs: Sequence[Input] = (),
        base: "Play | None" = None,
        progress: Progress | None = None,
    ) -> Analysis:
        """Return the exact figures; see `certify.engine.main.evaluate.evaluate`.

        ``base`` is a play with cached counts: only the differences from it are counted.
        """
        from certify.engine.main import evaluate as base_game  # loads the arrays

        return base_game.evaluate(
            self.option,
            game=self.game,
            house_way=self.house_way,
            strategy=self.strategy,
            inputs=inputs,
            player=self.player,
            base=base.labeled if base is not None else None,
            progress=progress,
        )


class Counted(Struct, frozen=True, kw_only=True):
    """Exact figures of an option as the game declares its house way and strategy."""

    house_edge: Fraction
    return_to_player: Fraction
    hit_frequency: Fraction


def count_together(plays: Iterable[Play], base: Play, progress: Progress | None = None) -> None:
    """Count and cache, in one pass, plays in which only the dealer's hands differ from a known one.

    Others are left to be counted one by one.

    Raises:
        NotConfigured: a house way is not sound.
    """
    from certify.engine.main.dealer_labels import count_together  # loads the arrays

    counted = base.labeled
    if counted is not None:
        labeled = (play.labeled for play in plays)
        count_together((play for play in labeled if play is not None), counted, progress)


def keep(play: Play, analysis: Analysis) -> None:
    """Cache the figures of an option that was counted."""
    shares = (analysis.house_edge, analysis.return_to_player, analysis.hit_frequency)
    cached_count(play.dependencies, lambda: [str(share) for share in shares])


def declared_play(option: MainWager, game: Game, catalog: Catalog) -> Play | None:
    """Return an option with the game's own house way and strategy; None without that house way."""
    shape = game.hands.shape
    house_way = (
        catalog.house_ways.get(game.house_way) if shape.is_divided else nothing_set(shape.cards)
    )
    if house_way is None:
        return None
    return Play(option=option, game=game, house_way=house_way, strategy=game.strategy)


def load_count(option: MainWager, game: Game, catalog: Catalog) -> Counted | None:
    """Return the figures of an option if it was counted on this machine; None if not."""
    play = declared_play(option, game, catalog)
    if play is None:
        return None
    shares = load_cached(play.dependencies)
    if shares is None:
        return None
    edge, returned, hits = shares
    return Counted(
        house_edge=Fraction(edge), return_to_player=Fraction(returned), hit_frequency=Fraction(hits)
    )


def own_limits(wagers: Iterable[Wager], cents: int) -> Terms:
    """Return terms by which every wager has this limit for one player to itself."""
    ids = dict.fromkeys(wager.id for wager in wagers)
    return Terms(
        aggregate_limits=tuple(AggregateLimit(cents=cents, wagers=(wager,)) for wager in ids)
    )


def limit_analyses(
    records: Sequence[tuple[Wager, Paytable | MainWager]],
    analyses: Sequence[Analysis],
    *,
    terms: Terms,
    lawful_cents: int | None,
    seats: int,
    cents: int | None = None,
) -> tuple[Analysis, ...]:
    """Return the analyses, each with the figures under the declared limits.

    Args:
        records: wagers with one of their records each.
        analyses: their exact figures, in the same order.
        terms: the limits of payouts and of wagers.
        lawful_cents: the largest lawful wager, where the terms leave the largest open.
        seats: the players at the table.
        cents: the wager that the figures are for, instead of the amounts that decide.
    """
    bets = [
        _bet(
            wager,
            # Its fee and the rounding of its commission are those of the wager that was evaluated.
            record.scale_to(cents) if isinstance(record, MainWager) else record,
            analysis,
            terms,
            lawful_cents,
        )
        for (wager, record), analysis in zip(records, analyses, strict=True)
    ]
    under_limits = []
    for bet in bets:
        limits = [
            aggregate_limit
            for aggregate_limit in terms.aggregate_limits or ()
            if bet.record.wager in aggregate_limit.wagers
        ]
        limit = (
            apply_limits(bet, limits, bets=bets, seats=seats, cents_wagered=cents)
            if limits
            else None
        )
        won = find_greatest_win(bet, limits)
        under_limits.append(replace(bet.analysis, limit=limit, greatest_win=won))
    return tuple(under_limits)


def least_limits(filed: Filing) -> Mapping[str, LimitAnalysis]:
    """Return the effect of the least permitted aggregate limit on each wager, by target.

    Empty if the terms declare the limits. Wagers with no known least limit, wagers that may have
    none, and entries that were not evaluated are omitted.
    """
    if filed.terms.aggregate_limits is not None:
        return {}
    least = {}
    for wager in filed.wagers:
        floor = limit_floor(filed, wager)
        records: list[Paytable | MainWager] = [*filed.tables(wager)]
        records += [option for option in filed.options if option in wager.options]
        for record in records if floor is not None else ():
            analysis = filed.analyses.get(record.target)
            if analysis is None:
                continue
            limit = AggregateLimit(cents=floor or 0, wagers=(wager.id,))
            bet = _bet(wager, record, analysis, filed.terms, filed.wager_limit_cents)
            least[record.target] = apply_limits(bet, [limit], bets=[bet], seats=1)
    return least


def _bet(
    wager: Wager,
    record: Paytable | MainWager,
    analysis: Analysis,
    terms: Terms,
    lawful_cents: int | None,
) -> Bet:
    """Return a record with the amounts that may be wagered; one with meters has its base wager."""
    progressive = record.progressive if isinstance(record, Paytable) else None
    if progressive is not None:
        base = progressive.base_wager_cents
        return Bet(record=record, analysis=analysis, least=base, greatest=base)
    greatest = terms.largest(wager)
    return Bet(
        record=record,
        analysis=analysis,
        least=terms.least(wager) or 1,
        greatest=lawful_cents if greatest is None else greatest,
    )


def audit_house_ways(
    catalog: Catalog, only: Iterable[str] | None = None
) -> tuple[AuditedInGame, ...]:
    """Audit every house way declared, or those in ``only``, with every joker rule that is allowed.

    A house way that no game allows is audited over the hands of every game of its size; one that
    fits none is omitted. Hands that cannot be counted are a fault of their game.
    """
    chosen = catalog.house_ways if only is None else only
    ways = [catalog.house_ways[name] for name in chosen if name in catalog.house_ways]
    return tuple(audited for way in ways for audited in _audits(catalog, way))


def refuse_unsound(catalog: Catalog, game: Game, way: HouseWay) -> None:
    """Raise if a house way does not set every hand of a game in one way.

    A house way of another size passes here; the engine refuses it. If hands are not divided, there
    is nothing to check.

    Raises:
        Unfit: the findings name the rules concerned, with an example hand.
    """
    if not fits(way, game.hands) or not game.hands.shape.is_divided:
        return
    audited = audit_game(game, way, game.hands.joker)
    context = Context(catalog, house_ways=(audited,), notes_for=())
    refuse_errors(finding for check in SOUNDNESS for finding in check(context))


def set_alike(before: HouseWay, after: HouseWay, hands: HandRules) -> bool:
    """Return True if two valid house ways set every hand alike, up to the choice of equal cards."""

    def compare_both() -> bool:
        from certify.engine.deck import load_deck
        from certify.engine.house_way.audit import chosen_splits

        dealt = load_deck(hands)
        ways = (chosen_splits(way, dealt.classes, dealt.splits) for way in (before, after))
        first, second = (way.split for way in ways)
        return bool((first == second).all())

    return bool(cached_count(("set alike", before, after, hands), compare_both))


def _audits(catalog: Catalog, way: HouseWay) -> Iterator[AuditedInGame]:
    """Yield the audit for each game and joker rule; the same rules of two games once."""
    games = [game for game in catalog.games.values() if way.id in game.house_ways]
    seen: set[HandRules] = set()
    for game in games or catalog.games.values():
        for joker in dict.fromkeys((game.hands.joker, *game.hands.joker_choices)):
            rules = _rules(game.hands, joker)
            countable = uncountable(rules.deck, rules.shape) is None
            if fits(way, rules) and countable and rules not in seen:
                seen.add(rules)
                yield audit_game(game, way, joker)


def audit_game(game: Game, way: HouseWay, joker: JokerRule) -> AuditedInGame:
    """Audit a house way over every hand of a game with one of its joker rules."""
    with needing_pieces():
        audit = _audit(way, _rules(game.hands, joker))
    return AuditedInGame(
        game=game.id, joker=joker, own_joker=joker is game.hands.joker, audit=audit
    )


@memoized
def _audit(way: HouseWay, rules: HandRules) -> HouseWayAudit:
    counted = cached_count(("house way", way, rules), lambda: to_builtins(_count(way, rules)))
    return convert(counted, HouseWayAudit)


def _count(way: HouseWay, rules: HandRules) -> HouseWayAudit:
    from certify.engine.deck import load_deck
    from certify.engine.house_way.audit import audit

    dealt = load_deck(rules)
    return audit(way, dealt.classes, dealt.splits)


def _rules(hands: HandRules, joker: JokerRule) -> HandRules:
    """Return the rules with one joker rule and no other choice."""
    return replace(hands, joker=joker, joker_choices=())


def fits(way: HouseWay, hands: HandRules) -> bool:
    """Return True if a house way is for hands of the size that these rules deal."""
    return (way.cards, way.front) == (hands.shape.cards, hands.shape.front)


def refused_options(catalog: Catalog, keys: Collection[str]) -> dict[str, CertifyError]:
    """Return the errors of options that involve some files and cannot be counted, by target."""
    refusals: dict[str, CertifyError] = {}
    for game, option in DependencyGraph(catalog, keys).affected_options():
        try:
            way = catalog.house_ways.get(game.house_way)
            sets = way if way is not None and fits(way, game.hands) else None
            with needing_pieces():
                refuse_uncountable(option, game=game, house_way=sets)
        except CertifyError as error:
            refusals[option.target] = error
    return refusals
